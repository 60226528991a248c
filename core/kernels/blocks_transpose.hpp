// Blocks of which columns become rows, moved by square tiles (see blocks_squares.hpp); few rows by less than a tile.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Whether rows of dst are lines that tiles may stream as they are, without putting them together before.
template <class Square>
inline bool streams_lines(const char* dst, int64_t dst_row) {
    return Square::is_line && are_lines(dst, dst_row);
}

// The lines of a square's rows so many bytes further on, see Machine::fetch_written. 0: none.
template <class Square, class Line>
[[gnu::always_inline]] inline void fetch_written(const char* dst, Line&& line, int64_t ahead) {
    if (ahead == 0) return;
    for (int64_t i = 0; i < Square::side; ++i) prefetch_written(dst + line(i) + ahead);
}

// As many rows as a tile has, all columns.
template <int Width, bool Stream, class Square>
[[gnu::always_inline]] inline void transpose_rows(char* dst, int64_t dst_row, const char* src, int64_t src_column,
                                                  int64_t columns, int64_t ahead, int64_t fetched,
                                                  int64_t written_ahead) {
    constexpr int64_t side = Square::columns;
    const auto line = [=](int64_t i) { return i * dst_row; };
    for (int64_t j = 0; j < columns; j += side) {
        const char* from = src + j * src_column;
        const auto column = [=](int64_t k) { return from + k * src_column; };
        const int64_t count = least(columns - j, side);
        for (int64_t k = 0; k < count; ++k)
            for (int64_t at = 0; at < fetched; at += 64) prefetch_far(column(k) + ahead + at);
        fetch_written<Square>(dst + j * Width, line, written_ahead);
        if (count == side)
            Square::template move<Stream>(dst + j * Width, line, column);
        else
            Square::move_part(dst + j * Width, line, column, count);
    }
}

// The rows of src from the first tile to the second: fewer than a tile has where all further ones then begin with lines
// in all columns of src, which lie `column` bytes apart, and are many, so that each line is read by whole tiles.
// Columns of a large matrix lie in one set of the first cache, where a line would not wait for the next tile.
template <int Width>
inline int64_t first_step(const char* src, int64_t column, int64_t all_rows, int64_t side) {
    const int64_t bytes = bytes_to_line(src);
    const bool pays = all_rows >= tune::kAlignedTiles * side && column % 64 == 0 && bytes % Width == 0;
    const int64_t rows = pays ? bytes / Width % side : 0;
    return rows > 0 ? rows : side;
}

#if defined(__AVX512BW__)

// Bytes, by whole lines of both sides: 64 rows at a time, of which a line of each column is copied before squares are
// made of it. Of the columns themselves, 4096 bytes apart and all in one set of the cache, each square would find its
// 16 bytes driven out by the squares before it.
class ByteBands {
public:
    static constexpr int64_t side = 64;

    // A block of 64 rows at least, and of any number of columns.
    explicit ByteBands(const CopyBlock& b) : b_(b), stream_(b.stream && streams_lines<ByteSquares>(b.dst, b.dst_row)) {}

    // The last band may move some rows again.
    void move() {
        const int64_t first_rows = first_step<1>(b_.src, b_.src_column, b_.rows, side);
        for (int64_t at = 0; at < b_.rows; at += at == 0 ? first_rows : side, odd_ ^= 1)
            for (int64_t first = 0; first < b_.columns; first += tune::kByteColumns)
                move_band(least(at, b_.rows - side), first, least(tune::kByteColumns, b_.columns - first));
    }

private:
    void move_band(int64_t row, int64_t first, int64_t columns) {
        copy_lines(b_.src + row + first * b_.src_column, columns);
        char* const dst = b_.dst + row * b_.dst_row + first;
        stream_ ? turn<true>(dst, columns) : turn<false>(dst, columns);
    }

    // Two lines of every second column are fetched: what lies together comes together.
    void copy_lines(const char* src, int64_t columns) {
        for (int64_t k = 0; k < columns; ++k, src += b_.src_column) {
            if ((k & 1) == odd_) {
                prefetch_far(src + tune::kBytesAhead - odd_ * 64);
                prefetch_far(src + tune::kBytesAhead - odd_ * 64 + 64);
            }
            move_fixed<64>(lines_ + k * 64, src);
        }
    }

    // The last squares may move some columns again, but for those that leave at once.
    template <bool Stream>
    void turn(char* dst, int64_t columns) {
        constexpr int64_t rows = ByteSquares::side, across = ByteSquares::columns;
        const auto line = [=, this](int64_t i) { return i * b_.dst_row; };
        for (int64_t i = 0; i < side; i += rows, dst += line(rows))
            for (int64_t next = 0; next < columns; next += across) {
                const int64_t j = Stream || columns < across ? next : least(next, columns - across);
                const char* const from = lines_ + j * 64 + i;
                const auto column = [=](int64_t k) { return from + k * 64; };
                fetch_written<ByteSquares>(dst + j, line, Stream ? 0 : b_.written_ahead);
                if (columns - j >= across)
                    ByteSquares::move<Stream>(dst + j, line, column);
                else
                    ByteSquares::turn(column, [&](int64_t k, const ByteSquares::Row& row) {
                        ByteSquares::store_part(dst + j + line(k), row, columns - j);
                    });
            }
    }

    const CopyBlock& b_;
    const bool stream_;
    int64_t odd_ = 0;
    alignas(64) char lines_[tune::kByteColumns * 64];  // a line of each column
};

#endif

template <int Width, class Square = Tile<Width>>
bool transpose_block(const CopyBlock& b);

#if defined(__AVX512BW__)

// Fewer rows than a square has, so many at least. 0: never.
template <int Width>
constexpr int64_t kLeastLowRows = Width < 4    ? 4
                                  : Width < 16 ? 2
                                               : 0;

// As many rows as 16 bytes of a column have elements, or fewer: four squares beside each other in dst, of columns that
// `read` reads.
template <int Width, class Line, class Read>
[[gnu::always_inline]] inline void turn_parts(char* dst, Line&& line, Read&& read, int64_t rows, int64_t columns) {
    using Square = Tile<Width, 64>;
    constexpr int64_t side = 16 / Width;
    typename Square::Row square[side];
#pragma GCC unroll 16
    for (int64_t k = 0; k < side; ++k) {
        __m512i row = _mm512_zextsi128_si512(read(k));
        row = _mm512_inserti32x4(row, read(k + side), 1);
        row = _mm512_inserti32x4(row, read(k + 2 * side), 2);
        row = _mm512_inserti32x4(row, read(k + 3 * side), 3);
        square[k] = reinterpret_cast<typename Square::Row>(row);
    }
    Square::transpose_parts(square);
    for (int64_t i = 0; i < rows; ++i) Square::store_part(dst + line(i), square[i], columns * Width);
}

// `whole` columns may be read by whole vectors: parts of these wait for each page by themselves. `between` is called
// with every 64 / Width-th column, before it is read.
template <int Width, class Line, class Column, class Between>
void turn_low(char* dst, Line&& line, Column&& column, int64_t whole, int64_t rows, int64_t columns,
              Between&& between) {
    using Square = Tile<Width, 64>;
    constexpr int64_t side = Square::side, part = 16 / Width;
    const uint64_t mask = ~uint64_t{0} >> (64 - rows * Width);
    for (int64_t j = 0; j < columns; j += side, dst += 64) {
        between(j);
        const int64_t count = least(columns - j, side);
        const bool is_whole = j + side <= whole;
        for (int64_t at = 0; at < rows && rows <= 2 * part; at += part) {
            const int64_t i = most(0, least(at, rows - part));  // the last squares may do some rows again
            const auto row = [&](int64_t k) { return line(i + k); };
            const auto src = [&](int64_t k) { return column(j + k) + i * Width; };
            if (is_whole) {
                turn_parts<Width>(
                    dst, row, [&](int64_t k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(src(k))); },
                    least(rows, part), side);
            } else {
                const auto few = static_cast<__mmask16>(mask);
                turn_parts<Width>(
                    dst, row,
                    [&](int64_t k) { return _mm_maskz_loadu_epi8(k < count ? few : 0, k < count ? src(k) : dst); },
                    least(rows, part), count);
            }
        }
        if constexpr (Width > 1) {
            if (rows <= 2 * part) continue;
            typename Square::Row square[side] = {};
            for (int64_t k = 0; k < count; ++k) {
                const __m512i row =
                    is_whole ? _mm512_loadu_si512(column(j + k)) : _mm512_maskz_loadu_epi8(mask, column(j + k));
                square[k] = reinterpret_cast<typename Square::Row>(row);
            }
            Square::transpose(square);
            for (int64_t i = 0; i < rows; ++i) Square::store_part(dst + line(i), square[i], count * Width);
        }
    }
}

#endif

#if defined(__AVX512BW__)

// A block of such rows, which are put together where they are streamed. src is fetched ahead.
template <int Width>
void move_low(const CopyBlock& b) {
    const int64_t fetched = least(b.rows * Width, b.src_column) * (64 / Width);
    // Those behind which 64 bytes of the block lie.
    const int64_t behind = (b.columns - 1) * b.src_column + b.rows * Width - 64;
    const int64_t whole = b.src_column <= 0 || behind < 0 ? 0 : behind / b.src_column + 1;
    const auto column_of = [&](const char* src) { return [=, &b](int64_t k) { return src + k * b.src_column; }; };
    const auto fetch_of = [&](const char* src) {
        return [=, &b](int64_t j) {
            const char* const next = src + j * b.src_column + tune::kTurnsAhead;
            for (int64_t at = 0; at < fetched; at += 64) prefetch(next + at);
        };
    };
    if (!b.stream || b.columns * Width < 64)
        return turn_low<Width>(
            b.dst, [&](int64_t i) { return i * b.dst_row; }, column_of(b.src), whole, b.rows, b.columns,
            fetch_of(b.src));
    alignas(64) char stage[tune::kTransposeStage];
    const int64_t room = tune::kTransposeStage / b.rows / 64 * 64 / Width;
    for (int64_t j = 0; j < b.columns; j += room) {
        const int64_t bytes = least(b.columns - j, room) * Width;
        const char* const src = b.src + j * b.src_column;
        turn_low<Width>(
            stage, [=](int64_t i) { return i * room * Width; }, column_of(src), whole - j, b.rows, bytes / Width,
            fetch_of(src));
        for (int64_t i = 0; i < b.rows; ++i)
            stream_run(b.dst + i * b.dst_row + j * Width, stage + i * room * Width, bytes);
    }
}

#endif

// Fewer rows than a tile has, such as the coordinates of boxes: short pieces of src that become long rows of dst. False
// for so few that most of a tile would be nothing, and where rows are to be streamed, for which nothing is gained.
template <int Width, class Square>
bool transpose_low([[maybe_unused]] const CopyBlock& b) {
#if defined(__AVX512BW__)
    if constexpr (kLeastLowRows<Width> > 0) {
        if (b.rows < kLeastLowRows<Width>) return false;
        move_low<Width>(b);
        return true;
    }
#elif defined(__AVX2__) || defined(WHERRY_NEON)
    using Smaller = typename Square::Smaller;
    if constexpr (!std::is_void_v<Smaller>) {
        if (b.rows >= Smaller::side) return transpose_block<Width, Smaller>(b);
        return transpose_low<Width, Smaller>(b);
    } else if constexpr (Width <= 2) {
        constexpr int64_t side = Square::side;
        // Elements up to four apart are picked, and of wide ones most of a square would be nothing.
        const int64_t part = b.rows * Width;
        if (b.stream || b.rows < side / 4 || b.src_column < part || b.src_column <= 4 * Width) return false;
        // Whole vectors are read as long as they end within the last column.
        const int64_t last = (b.columns - 1) * b.src_column + part - 16, whole = last < 0 ? 0 : last / b.src_column + 1;
        for (int64_t j = 0; j < b.columns; j += side) {
            const int64_t count = least(b.columns - j, side);
            typename Square::Row rows[side] = {};
            for (int64_t k = 0; k < count; ++k) {
                const char* src = b.src + (j + k) * b.src_column;
                if (j + k < whole)
                    rows[k] = *reinterpret_cast<const typename Square::RowAnywhere*>(src);
                else
                    memcpy(&rows[k], src, static_cast<size_t>(part));
            }
            Square::transpose(rows);
            for (int64_t i = 0; i < b.rows; ++i)
                Square::store_part(b.dst + i * b.dst_row + j * Width, rows[i], count * Width);
        }
        return true;
    }
#endif
    return false;
}

// Whether fewer rows at once are better: a stage has room for a few long ones, and those of dst that lie in one set of
// the first cache drive each other out.
template <int64_t Side>
inline bool few_rows_pay(const CopyBlock& b, int64_t row_bytes) {
    if (b.stream) return row_bytes >= 64 && Side * row_bytes > tune::kTransposeStage;
    return b.dst_row % tune::kFirstCacheStep == 0 && b.src_column % tune::kFirstCacheStep != 0;
}

// True if it was a block that tiles can move: dst dense along its columns, src along its rows. A tile's rows that are
// not whole lines of dst are put together in a stage before they are streamed. src is read in many thin streams, which
// the hardware loses, so it is fetched ahead: short rows of it are fetched whole while the first tiles of each are
// read.
template <int Width, class Square>
bool transpose_block(const CopyBlock& b) {
    constexpr int64_t side = Square::side;
    if (b.dst_column != Width || b.src_row != Width) return false;
    if (b.rows < side) return transpose_low<Width, Square>(b);
    const int64_t row_bytes = b.columns * Width;
    using Smaller = typename Square::Smaller;
    if constexpr (!std::is_void_v<Smaller>)
        if (few_rows_pay<side>(b, row_bytes)) return transpose_block<Width, Smaller>(b);
#if defined(__AVX512BW__)
    if (Width == 1 && b.columns >= tune::kLeastTile && b.rows >= ByteBands::side) return ByteBands(b).move(), true;
#endif
    const bool stream = b.stream && row_bytes >= 64 && side * row_bytes <= tune::kTransposeStage;
    const bool direct = b.stream && streams_lines<Square>(b.dst, b.dst_row);
    alignas(64) char stage[tune::kTransposeStage];
    const bool short_rows = b.rows * Width <= tune::kShortRowBytes && b.src_column == b.rows * Width;
    const int64_t ahead = short_rows ? tune::kColumnsAhead * b.src_column : tune::kTransposeAhead;
    const int64_t first_rows = first_step<Width>(b.src, b.src_column, b.rows, side);
    for (int64_t at = 0; at < b.rows; at += at == 0 ? first_rows : side) {
        const int64_t fetched = b.fetch == 0 ? 0 : !short_rows ? 64 : at == 0 ? b.src_column : 0;
        const int64_t i = least(at, b.rows - side);  // the last tiles may do some rows again
        const char* src = b.src + i * Width;
        char* dst = b.dst + i * b.dst_row;
        if (direct) {
            transpose_rows<Width, true, Square>(dst, b.dst_row, src, b.src_column, b.columns, ahead, fetched, 0);
            continue;
        }
        if (!stream) {
            transpose_rows<Width, false, Square>(dst, b.dst_row, src, b.src_column, b.columns, ahead, fetched,
                                                 b.written_ahead);
            continue;
        }
        transpose_rows<Width, false, Square>(stage, row_bytes, src, b.src_column, b.columns, ahead, fetched, 0);
        if (b.dst_row == row_bytes) {
            stream_run(dst, stage, side * row_bytes);
        } else {
            for (int64_t k = 0; k < side; ++k) stream_run(dst + k * b.dst_row, stage + k * row_bytes, row_bytes);
        }
    }
    return true;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
