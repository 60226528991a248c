// Tiles of a permutation: rows that lie dense in dst, columns that lie dense in src, each over several axes.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// A tile on its way to the second cache, column by column, as the hardware goes on with a run of which it has seen some
// lines; a few lines at a time, between squares that are moved, as a core waits for some two dozen lines at once at
// most.
class Fetching {
public:
    // `times` calls of `some` fetch all of it.
    [[gnu::always_inline]] inline Fetching(const TileSource& next, int64_t bytes, int64_t times)
        : next_(next), column_bytes_(next.rows * bytes) {
        const int64_t lines = next.columns * ((column_bytes_ + 63) / 64);
        each_ = times > 0 ? (lines + times - 1) / times : 0;
    }

    [[gnu::always_inline]] inline void some() {
        for (int64_t k = 0; k < each_ && column_ < next_.columns; ++k) {
            __builtin_prefetch(next_.src + next_.offsets[column_] + line_, 0, 2);
            line_ += 64;
            if (line_ >= column_bytes_) line_ = 0, ++column_;
        }
    }

private:
    const TileSource& next_;
    int64_t column_bytes_, each_, column_ = 0, line_ = 0;
};

template <int Width>
using Squares = typename SquaresOf<Width>::type;

template <class Square>
constexpr int64_t squares_in(int64_t columns) {
    return (columns + Square::columns - 1) / Square::columns;
}

// As many rows as a square has; `line` tells where each begins.
template <int Width, bool Stream, class Square = Squares<Width>, class Line>
[[gnu::always_inline]] inline void turn_rows(char* dst, Line&& line, const char* src, const int64_t* offsets,
                                             int64_t columns, Fetching& fetching) {
    constexpr int64_t side = Square::columns;
    for (int64_t at = 0; at < columns; at += side) {
        fetching.some();
        // The last square may do some columns again, but for streamed lines.
        const int64_t j = Stream || columns < side ? at : least(at, columns - side);
        const auto column = [=](int64_t k) { return src + offsets[j + k]; };
        if (columns - j >= side)
            Square::template move<Stream>(dst + j * Width, line, column);
        else
            Square::move_part(dst + j * Width, line, column, columns - j);
    }
}

// The same where a row of a square is a line of dst. The first columns come before one begins.
template <int Width, class Line>
[[gnu::always_inline]] inline void stream_rows(char* dst, Line&& line, const char* src, const int64_t* offsets,
                                               int64_t columns, Fetching& fetching) {
    const int64_t lead = least((-reinterpret_cast<intptr_t>(dst) & 63) / Width, columns);
    if (lead > 0) turn_rows<Width, false>(dst, line, src, offsets, lead, fetching);
    turn_rows<Width, true>(dst + lead * Width, line, src, offsets + lead, columns - lead, fetching);
}

// Whether the rows of a square follow each other in dst, and may leave together.
template <int Width>
[[gnu::always_inline]] inline bool follow_each_other(const TileBlock& b) {
    const int64_t row = b.from.columns * Width;
    return b.row_offsets[1] - b.row_offsets[0] == row && row * Squares<Width>::side <= tune::kTogetherStage;
}

// What a tile writes of a row, in bytes from its first run.
struct RowPart {
    int64_t begin, end;
};

[[gnu::always_inline]] inline RowPart part_of_row(const TileBlock& b, int64_t row) {
    const auto before_line = [](const char* at) { return -reinterpret_cast<intptr_t>(at) & 63; };
    const char* const first = b.dst - b.skip + b.row_offsets[row];
    const int64_t bytes = b.from.columns * b.bytes;
    return {b.goes_on ? before_line(first) : b.skip, bytes - b.tail + (b.more > 0 ? before_line(first + bytes) : 0)};
}

// A row of which the runs from `column` on were put together, `bytes` bytes.
[[gnu::always_inline]] inline void stream_row(const TileBlock& b, int64_t row, int64_t column, const char* runs,
                                              int64_t bytes) {
    const RowPart part = part_of_row(b, row);
    const int64_t at = column * b.bytes, begin = most(part.begin - at, 0), end = least(part.end - at, bytes);
    if (begin < end) stream_run(b.dst - b.skip + b.row_offsets[row] + at + begin, runs + begin, end - begin);
}

// The same where lines are put together before they leave, as many as there is room for.
template <int Width>
void stream_rows_staged(const TileBlock& b, int64_t row, Fetching& fetching) {
    constexpr int64_t side = Squares<Width>::side, room = tune::kTransposeStage / side / Width;
    alignas(64) char stage[tune::kTransposeStage];
    const int64_t columns = b.from.columns + b.more;
    for (int64_t j = 0; j < columns; j += room) {
        const int64_t bytes = least(columns - j, room) * Width;
        turn_rows<Width, false>(
            stage, [=](int64_t i) { return i * bytes; }, b.from.src + row * Width, b.from.offsets + j, bytes / Width,
            fetching);
        for (int64_t k = 0; k < side; ++k) stream_row(b, row + k, j, stage + k * bytes, bytes);
    }
}

// All rows of a tile, of which some follow each other in dst: a line that several share waits for the last of them.
template <int Width>
void stream_together(const TileBlock& b) {
    constexpr int64_t side = Squares<Width>::side;
    const TileSource& from = b.from;
    const int64_t row = from.columns * Width, groups = (from.rows + side - 1) / side;
    alignas(64) char stage[tune::kTogetherStage];
    StreamedRuns runs(b.dst + b.row_offsets[0]);
    Fetching fetching(b.next, Width, groups * squares_in<Squares<Width>>(from.columns));
    for (int64_t group = 0; group < groups; ++group) {
        const int64_t i = least(group * side, from.rows - side);
        turn_rows<Width, false>(
            stage, [=](int64_t k) { return k * row; }, from.src + i * Width, from.offsets, from.columns, fetching);
        for (int64_t k = group * side - i, rows; k < side; k += rows) {
            const int64_t* offset = b.row_offsets + i + k;
            for (rows = 1; k + rows < side && offset[rows] - offset[0] == rows * row;) ++rows;
            runs.go_to(b.dst + *offset);
            runs.put(stage + k * row, rows * row);
        }
    }
    runs.finish();
}

// Runs that are no elements of a square: rows are put together before they leave, as many runs as there is room for.
void place_runs(const TileBlock& b) {
    const TileSource& from = b.from;
    const int64_t room = tune::kTransposeStage / b.bytes, columns = from.columns + b.more;
    const bool stages = b.stream && (from.columns * b.bytes >= 64 || b.skip + b.tail > 0 || b.goes_on);
    alignas(64) char stage[tune::kTransposeStage];
    Fetching fetching(b.next, b.bytes, from.rows * columns);
    for (int64_t i = 0; i < from.rows; ++i) {
        char* const dst = b.dst + b.row_offsets[i];
        const char* src = from.src + i * b.bytes;
        for (int64_t first = 0; first < columns; first += room) {
            const int64_t count = least(columns - first, room);
            char* const to = stages ? stage : dst + first * b.bytes;
            for (int64_t j = 0; j < count; ++j) {
                fetching.some();
                move_run(to + j * b.bytes, src + from.offsets[first + j], b.bytes);
            }
            if (stages) stream_row(b, i, first, stage, count * b.bytes);
        }
    }
}

// A few rows at once: there are no more, or they drive each other out.
template <int Width, class Square>
void turn_few_rows(const TileBlock& b) {
    const TileSource& from = b.from;
    const int64_t groups = (from.rows + Square::side - 1) / Square::side;
    Fetching fetching(b.next, Width, groups * squares_in<Square>(from.columns));
    for (int64_t at = 0; at < from.rows; at += Square::side) {
        const int64_t i = least(at, from.rows - Square::side);  // the last squares may do some rows again
        const int64_t* offsets = b.row_offsets + i;
        turn_rows<Width, false, Square>(
            b.dst, [=](int64_t k) { return offsets[k]; }, from.src + i * Width, from.offsets, from.columns, fetching);
    }
}

template <int Width>
void turn_tile(const TileBlock& b) {
    constexpr int64_t side = Squares<Width>::side;
    const TileSource& from = b.from;
    using Smaller = typename Squares<Width>::Smaller;
    if constexpr (!std::is_void_v<Smaller>) {
        const bool one_set =
            !b.stream && from.rows > 1 && (b.row_offsets[1] - b.row_offsets[0]) % tune::kFirstCacheStep == 0;
        if (from.rows >= Smaller::side && (from.rows < side || one_set)) return turn_few_rows<Width, Smaller>(b);
    }
    if (from.rows < side && (b.more > 0 || b.goes_on)) return place_runs(b);
    if (from.rows < side) {
        for (int64_t j = 0; j < from.columns; ++j)
            for (int64_t i = 0; i < from.rows; ++i)
                move_fixed<Width>(b.dst + b.row_offsets[i] + j * Width, from.src + from.offsets[j] + i * Width);
        return;
    }
    const bool stages = b.stream && (from.columns * Width >= 64 || b.goes_on);
    const int64_t beside = reinterpret_cast<intptr_t>(b.dst) & 63;
    const bool direct = stages && Squares<Width>::is_line && b.whole_lines && beside % Width == 0 &&
                        (beside == 0 || (from.columns * Width >= tune::kDirectRow && !follow_each_other<Width>(b)));
    if (stages && !direct && follow_each_other<Width>(b)) return stream_together<Width>(b);
    const int64_t groups = (from.rows + side - 1) / side;
    Fetching fetching(b.next, Width, groups * squares_in<Squares<Width>>(from.columns));
    for (int64_t group = 0; group < groups; ++group) {
        const int64_t i = least(group * side, from.rows - side);  // the last squares may do some rows again
        const char* src = from.src + i * Width;
        const int64_t* offsets = b.row_offsets + i;
        const auto line = [=](int64_t k) { return offsets[k]; };
        if (direct)
            stream_rows<Width>(b.dst, line, src, from.offsets, from.columns, fetching);
        else if (stages)
            stream_rows_staged<Width>(b, i, fetching);
        else
            turn_rows<Width, false>(b.dst, line, src, from.offsets, from.columns, fetching);
    }
}

TileKernel tile_for(int64_t bytes) {
    const TileKernel kernel = for_element_width(bytes, [](auto width) -> TileKernel { return turn_tile<width.value>; });
    return kernel ? kernel : place_runs;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
