// Square tiles of 1, 2, 4, 8 and 16 byte elements, transposed in registers.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <int Width>
struct LaneOf;
// clang-format off
template <> struct LaneOf<1> { using type = int8_t; };
template <> struct LaneOf<2> { using type = int16_t; };
template <> struct LaneOf<4> { using type = int32_t; };
template <> struct LaneOf<8> { using type = int64_t; };
template <> struct LaneOf<16> { using type = int64_t; };  // no shuffle needs to know
// clang-format on

// Numbers for the shuffles: 0..Side-1.
template <int... I>
struct Numbers {};
template <int Count, int... I>
struct Count_ : Count_<Count - 1, Count - 1, I...> {};
template <int... I>
struct Count_<0, I...> {
    using type = Numbers<I...>;
};

// The bytes in a row of a tile, which has as many rows as elements in each. Wider ones would need more registers than
// there are. Where lines are no vectors: the bytes in a column, which has several squares.
constexpr int tile_bytes([[maybe_unused]] int width) {
#if defined(__AVX512BW__)
    return width == 1 ? 16 : 64;
#elif defined(__AVX2__) || defined(WHERRY_NEON)
    return width == 16 ? 16 : 64;
#else
    return 16;
#endif
}

// So many elements of 16 bytes from each column, one by one.
template <int Side, class Line, class Column>
[[gnu::always_inline]] inline void move_each(char* dst, Line&& line, Column&& column, int64_t columns) {
    for (int64_t j = 0; j < columns; ++j)
        for (int i = 0; i < Side; ++i) move_fixed<16>(dst + line(i) + j * 16, column(j) + i * 16);
}

// A row is one vector.
template <int Width, int Bytes = tile_bytes(Width)>
struct Tile {
    static constexpr int bytes = Bytes;
    static constexpr int side = bytes / Width, columns = side;
    using Lane = typename LaneOf<Width>::type;
    // In registers and on the stack; and at any address, where it is only read and written: clang forgets that
    // alignment behind pointers and references that are handed on.
    typedef Lane Row __attribute__((vector_size(bytes)));
    typedef Lane RowAnywhere __attribute__((vector_size(bytes), aligned(1), may_alias));

    // A row is so many parts of 16 bytes, in which the processor shuffles faster than across them.
    static constexpr int parts = bytes / 16, side_of_part = side / parts;

    // Interleaves the lower (or upper) halves of all parts of two rows.
    template <int Upper, int... I>
    [[gnu::always_inline]] static inline Row interleave(const Row& a, const Row& b, Numbers<I...>) {
        constexpr int half = side_of_part / 2;
        return __builtin_shufflevector(
            a, b, (I / side_of_part * side_of_part + Upper * half + I % side_of_part / 2 + I % 2 * side)...);
    }

    // The same rows by elements of 8 bytes, of which each part has two: so the compiler finds the shuffle of parts.
    static constexpr int words = bytes / 8;
    typedef int64_t Words __attribute__((vector_size(bytes)));

    // The first (or second) halves of two rows.
    template <int Second, int... I>
    [[gnu::always_inline]] static inline Words halves(const Words& a, const Words& b, Numbers<I...>) {
        return __builtin_shufflevector(a, b, (I + (Second + I * 2 / words) * (words / 2))...);
    }

    // The even (or odd) parts of two rows.
    template <int Odd, int... I>
    [[gnu::always_inline]] static inline Row every_second(const Words& a, const Words& b, Numbers<I...>) {
        return reinterpret_cast<Row>(__builtin_shufflevector(a, b, (I / 2 * 4 + Odd * 2 + I % 2)...));
    }

    // Square parts, each in its place: log2(side_of_part) times the same perfect shuffle is a transpose.
    [[gnu::always_inline]] static inline void transpose_parts(Row* rows) {
        using All = typename Count_<side>::type;
        Row other[side_of_part];
#pragma GCC unroll 8
        for (int step = 1; step < side_of_part; step *= 2) {
#pragma GCC unroll 16
            for (int i = 0; i < side_of_part / 2; ++i) {
                other[2 * i] = interleave<0>(rows[i], rows[i + side_of_part / 2], All{});
                other[2 * i + 1] = interleave<1>(rows[i], rows[i + side_of_part / 2], All{});
            }
#pragma GCC unroll 16
            for (int i = 0; i < side_of_part; ++i) rows[i] = other[i];
        }
    }

    // Almost twice as fast as shuffles of whole rows.
    [[gnu::always_inline]] static inline void transpose(Row (&rows)[side]) {
        using All = typename Count_<words>::type;
        constexpr int next = side_of_part;
#pragma GCC unroll 4
        for (int part = 0; part < parts; ++part)
            if constexpr (next > 1) transpose_parts(rows + part * next);
        if constexpr (parts == 1) return;
#pragma GCC unroll 16
        for (int i = 0; i < next; ++i) {
            Words a = reinterpret_cast<Words>(rows[i]), b = reinterpret_cast<Words>(rows[i + next]);
            if constexpr (parts == 4) {
                const Words c = reinterpret_cast<Words>(rows[i + 2 * next]),
                            d = reinterpret_cast<Words>(rows[i + 3 * next]);
                const Words e = halves<1>(a, b, All{}), f = halves<1>(c, d, All{});
                rows[i + 2 * next] = every_second<0>(e, f, All{});
                rows[i + 3 * next] = every_second<1>(e, f, All{});
                a = halves<0>(a, b, All{}), b = halves<0>(c, d, All{});
            }
            rows[i] = every_second<0>(a, b, All{});
            rows[i + next] = every_second<1>(a, b, All{});
        }
    }

    [[gnu::always_inline]] static inline void store_part(char* dst, const Row& row, int64_t part) {
#if defined(__AVX512BW__)
        if constexpr (bytes == 64) {
            _mm512_mask_storeu_epi8(dst, ~uint64_t{0} >> (64 - part), reinterpret_cast<__m512i>(row));
            return;
        }
#endif
        char whole[64];
        *reinterpret_cast<RowAnywhere*>(whole) = row;
        move_run(dst, whole, part);
    }

    // A row is a line, which can go around the cache.
    static constexpr bool is_line = bytes == 64;

    // What moves fewer rows; `void` if nothing does.
#if defined(__AVX512BW__)
    using Smaller = void;
#else
    using Smaller = std::conditional_t<bytes == 32, Tile<Width, 16>, void>;
#endif

    template <bool Stream>
    [[gnu::always_inline]] static inline void store(char* dst, const Row& row) {
#if defined(__AVX512BW__)
        if constexpr (Stream && is_line)
            return _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), reinterpret_cast<__m512i>(row));
#endif
        *reinterpret_cast<RowAnywhere*>(dst) = row;
    }

    // `column` tells where a column of src begins, `line` how far from dst a row of it.
    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        Row rows[side];
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) rows[i] = *reinterpret_cast<const RowAnywhere*>(column(i));
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store<Stream>(dst + line(i), rows[i]);
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t columns) {
        if constexpr (Width == 16) return move_each<side>(dst, line, column, columns);
        Row rows[side] = {};
        for (int64_t i = 0; i < columns; ++i) rows[i] = *reinterpret_cast<const RowAnywhere*>(column(i));
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store_part(dst + line(i), rows[i], columns * Width);
    }
};

#if !defined(__AVX512BW__)

// An element of 16 bytes needs no shuffle: four of them fill a line.
template <int Bytes>
struct Tile<16, Bytes> {
    static constexpr int bytes = 64, side = 4, columns = side;
    static constexpr bool is_line = false;
    using Smaller = void;

    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t columns) {
        move_each<side>(dst, line, column, columns);
    }
    template <bool Stream, class Line, class Column>
    static void move(char* dst, Line&& line, Column&& column) {
        move_part(dst, line, column, side);
    }
};

#endif

#if defined(__AVX2__)

// Squares one below the other in dst, in the parts of vectors of so many bytes, across which nothing is shuffled.
template <int Width, int Bytes>
struct SquaresBelow : Tile<Width, Bytes> {
    using Rows = Tile<Width, Bytes>;
    using typename Rows::Row;
    static constexpr int columns = 16 / Width, side = Bytes / Width;
    static constexpr bool is_line = false;
    using Smaller = std::conditional_t<Bytes == 32, Tile<Width, 16>, SquaresBelow<Width, 32>>;

    // `put` gets 16 bytes for each row.
    template <class Column, class Put>
    [[gnu::always_inline]] static inline void turn(Column&& column, int64_t count, Put&& put) {
        Row rows[columns] = {};
#pragma GCC unroll 16
        for (int k = 0; k < columns; ++k)
            if (k < count) rows[k] = *reinterpret_cast<const typename Rows::RowAnywhere*>(column(k));
        Rows::transpose_parts(rows);
#pragma GCC unroll 16
        for (int i = 0; i < columns; ++i) {
            if constexpr (Bytes == 32) {
                const auto row = reinterpret_cast<__m256i>(rows[i]);
                put(i, _mm256_castsi256_si128(row));
                put(i + columns, _mm256_extracti128_si256(row, 1));
            } else {
                const auto row = reinterpret_cast<__m512i>(rows[i]);
                put(i, _mm512_maskz_extracti32x4_epi32(15, row, 0));
                put(i + columns, _mm512_maskz_extracti32x4_epi32(15, row, 1));
                put(i + 2 * columns, _mm512_maskz_extracti32x4_epi32(15, row, 2));
                put(i + 3 * columns, _mm512_maskz_extracti32x4_epi32(15, row, 3));
            }
        }
    }

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        turn(column, columns,
             [=](int64_t i, __m128i row) { _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + line(i)), row); });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        turn(column, count, [=](int64_t i, __m128i row) {
            char whole[16];
            _mm_storeu_si128(reinterpret_cast<__m128i*>(whole), row);
            move_run(dst + line(i), whole, count * Width);
        });
    }
};

#endif

#if !defined(__AVX512BW__) && (defined(__AVX2__) || defined(WHERRY_NEON))

#if defined(__AVX2__)

template <int Width>
using PartOfLine = std::conditional_t<Width <= 2, SquaresBelow<Width, 32>, Tile<Width, 32>>;

#else

template <int Width>
using PartOfLine = Tile<Width, 16>;

#endif

// As many rows as a line of src has elements, by squares one below the other in dst: no line of src is looked for
// twice, or fetched ahead twice.
template <int Width>
struct Tile<Width, 64> {
    using Part = PartOfLine<Width>;
    static constexpr int bytes = 16, side = 64 / Width, columns = Part::columns < 4 ? 4 : Part::columns;
    static constexpr bool is_line = false;
    using Smaller = std::conditional_t<Part::columns == Part::side, Part, Tile<Width, 16>>;

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
#pragma GCC unroll 2
        for (int j = 0; j < columns; j += Part::columns)
#pragma GCC unroll 4
            for (int i = 0; i < side; i += Part::side)
                Part::template move<Stream>(
                    dst + j * Width, [=](int64_t k) { return line(i + k); },
                    [=](int64_t k) { return column(j + k) + i * Width; });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        for (int j = 0; j < count; j += Part::columns)
            for (int i = 0; i < side; i += Part::side)
                Part::move_part(
                    dst + j * Width, [=](int64_t k) { return line(i + k); },
                    [=](int64_t k) { return column(j + k) + i * Width; }, least(count - j, Part::columns));
    }
};

#endif

// The tile that permutations of several axes are moved by. AVX2: parts of lines but for 8 bytes, since what leaves at
// once waits for the memory; 32 rows of 4 lines are as good as 16, 64 take half as long again.
template <int Width>
struct SquaresOf {
    using narrow = void;  // what moves fewer columns, if it has as many rows
#if defined(__AVX2__) && !defined(__AVX512BW__)
    using type = std::conditional_t<Width <= 4, PartOfLine<Width>, Tile<Width>>;
#else
    using type = Tile<Width>;
#endif
};

#if defined(__AVX512BW__)

// Bytes: four squares beside each other, one in each part of a row, which is a line of dst. Nothing is shuffled across
// parts.
struct ByteSquares : Tile<1, 64> {
    static constexpr int side = 16, columns = 64;

    template <class Column>
    [[gnu::always_inline]] static inline __m128i bytes_of(Column&& column, int64_t k) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(column(k)));
    }

    // `put` gets each row.
    template <class Column, class Put>
    [[gnu::always_inline]] static inline void turn(Column&& column, Put&& put) {
        Row rows[side];
#pragma GCC unroll 16
        for (int k = 0; k < side; ++k) {
            __m512i row = _mm512_maskz_broadcast_i32x4(0xffff, bytes_of(column, k));
            row = _mm512_mask_broadcast_i32x4(row, 0x00f0, bytes_of(column, k + side));
            row = _mm512_mask_broadcast_i32x4(row, 0x0f00, bytes_of(column, k + 2 * side));
            row = _mm512_mask_broadcast_i32x4(row, 0xf000, bytes_of(column, k + 3 * side));
            rows[k] = reinterpret_cast<Row>(row);
        }
        transpose_parts(rows);
#pragma GCC unroll 16
        for (int i = 0; i < side; ++i) put(i, rows[i]);
    }

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        turn(column, [=](int64_t i, const Row& row) { store<Stream>(dst + line(i), row); });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        __m128i parts[columns] = {};
        for (int64_t k = 0; k < count; ++k) parts[k] = bytes_of(column, k);
        turn([&](int64_t k) { return &parts[k]; },
             [=](int64_t i, const Row& row) { store_part(dst + line(i), row, count); });
    }
};

template <>
struct SquaresOf<1> {
    using type = ByteSquares;
    using narrow = SquaresBelow<1, 64>;
};
template <>
struct SquaresOf<2> {
    using type = Tile<2>;
    using narrow = SquaresBelow<2, 64>;
};

#endif

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
        const int64_t fetched = !short_rows ? 64 : at == 0 ? b.src_column : 0;
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
