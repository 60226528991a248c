// Tiles of a permutation: rows that lie dense in dst, columns that lie dense in src, each over several axes.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Lines on their way to the second cache, a few at a time between squares that are moved, as a core waits for some two
// dozen lines at once at most. Either what lies `ahead` bytes behind each square in the same columns, and at the end of
// a tile the first lines of the next; or all of the next tile, column by column, as the hardware goes on with a run of
// which it has seen some lines.
class Fetching {
public:
    // So many calls fetch all of the next tile.
    [[gnu::always_inline]] inline Fetching(const TileBlock& b, int64_t calls)
        : from_(b.from),
          next_(b.next),
          from_bytes_(b.from.rows * b.bytes),
          next_bytes_(b.next.rows * b.bytes),
          ahead_(b.ahead < from_bytes_ ? b.ahead : 0) {
        const int64_t lines = next_.columns * ((next_bytes_ + 63) / 64);
        each_ = calls > 0 ? (lines + calls - 1) / calls : 0;
    }

    // Beside a square of `count` columns, or a run of one, which begin at src + offsets[k] and have so many bytes.
    [[gnu::always_inline]] inline void beside(const char* src, const int64_t* offsets, int64_t count,
                                              int64_t bytes = 64) {
        if (ahead_ == 0) return some();
        const int64_t at = src - from_.src + ahead_, column = offsets - from_.offsets;
        if (at < from_bytes_)
            fetch_lines(from_, at, column, count, bytes);
        else if (at - from_bytes_ < next_bytes_)
            fetch_lines(next_, at - from_bytes_, column, least(count, next_.columns - column), bytes);
    }

    // Some of the next tile.
    [[gnu::always_inline]] inline void some() {
        for (int64_t k = 0; k < each_ && column_ < next_.columns; ++k) {
            __builtin_prefetch(next_.src + next_.offsets[column_] + line_, 0, 2);
            line_ += 64;
            if (line_ >= next_bytes_) line_ = 0, ++column_;
        }
    }

private:
    [[gnu::always_inline]] static inline void fetch_lines(const TileSource& tile, int64_t at, int64_t column,
                                                          int64_t count, int64_t bytes) {
        for (int64_t k = 0; k < count; ++k)
            for (int64_t line = at; line < at + bytes; line += 64)
                __builtin_prefetch(tile.src + tile.offsets[column + k] + line, 0, 2);
    }

    const TileSource &from_, &next_;
    const int64_t from_bytes_, next_bytes_, ahead_;
    int64_t each_, column_ = 0, line_ = 0;
};

template <class Square>
constexpr int64_t squares_in(int64_t columns) {
    return (columns + Square::columns - 1) / Square::columns;
}

// As many rows as a square has; `line` tells where each begins.
template <int Width, bool Stream, class Square, class Line>
[[gnu::always_inline]] inline void turn_rows(char* dst, Line&& line, const char* src, const int64_t* offsets,
                                             int64_t columns, Fetching& fetching, int64_t written_ahead = 0) {
    constexpr int64_t side = Square::columns;
    for (int64_t at = 0; at < columns; at += side) {
        fetching.beside(src, offsets + at, least(columns - at, side));
        // The last square may do some columns again, but for streamed lines.
        const int64_t j = Stream || columns < side ? at : least(at, columns - side);
        const auto column = [=](int64_t k) { return src + offsets[j + k]; };
        fetch_written<Square>(dst + j * Width, line, written_ahead);
        if (columns - j >= side)
            Square::template move<Stream>(dst + j * Width, line, column);
        else
            Square::move_part(dst + j * Width, line, column, columns - j);
    }
}

// The same where a row of a square is a line of dst. The first columns come before one begins.
template <int Width, class Square, class Line>
[[gnu::always_inline]] inline void stream_rows(char* dst, Line&& line, const char* src, const int64_t* offsets,
                                               int64_t columns, Fetching& fetching) {
    const int64_t lead = least(bytes_to_line(dst) / Width, columns);
    if (lead > 0) turn_rows<Width, false, Square>(dst, line, src, offsets, lead, fetching);
    turn_rows<Width, true, Square>(dst + lead * Width, line, src, offsets + lead, columns - lead, fetching);
}

template <int Run>
[[gnu::always_inline]] inline void place_run(char* dst, const char* src, int64_t bytes) {
    if constexpr (Run > 0)
        move_fixed<Run>(dst, src);
    else
        move_run(dst, src, bytes);
}

// Whether a row begins in dst so many bytes behind the one before it.
[[gnu::always_inline]] inline bool follows(const TileBlock& b, int64_t row, int64_t bytes) {
    return row < b.from.rows && b.row_offsets[row] - b.row_offsets[row - 1] == bytes;
}

// Whether the rows of a square follow each other in dst, and may leave together.
template <int Width, class Square>
[[gnu::always_inline]] inline bool follow_each_other(const TileBlock& b) {
    const int64_t row = b.from.columns * Width;
    return follows(b, 1, row) && row * Square::side <= tune::kTogetherStage;
}

// Whether rows are put together before they leave.
[[gnu::always_inline]] inline bool is_staged(const TileBlock& b) {
    return b.stream && (b.from.columns * b.bytes >= 64 || b.skip + b.tail > 0 || b.goes_on);
}

// Where the first run of a row goes, with what stays out of it.
[[gnu::always_inline]] inline char* row_in_dst(const TileBlock& b, int64_t row) {
    return b.dst - b.skip + b.row_offsets[row];
}

// What a tile writes of a row, in bytes from its first run.
struct RowPart {
    int64_t begin, end;
};

[[gnu::always_inline]] inline RowPart part_of_row(const TileBlock& b, int64_t row) {
    const char* const first = row_in_dst(b, row);
    const int64_t bytes = b.from.columns * b.bytes;
    return {b.goes_on ? bytes_to_line(first) : b.skip,
            bytes - b.tail + least(b.more * b.bytes, bytes_to_line(first + bytes))};
}

// A row of which the runs from `column` on were put together, `bytes` bytes.
[[gnu::always_inline]] inline void stream_row(const TileBlock& b, int64_t row, int64_t column, const char* runs,
                                              int64_t bytes) {
    const RowPart part = part_of_row(b, row);
    const int64_t at = column * b.bytes, begin = most(part.begin - at, 0), end = least(part.end - at, bytes);
    if (begin < end) stream_run(row_in_dst(b, row) + at + begin, runs + begin, end - begin);
}

// The same where lines are put together before they leave, as many as there is room for: a piece, and the line to whose
// end it goes on.
template <int Width, class Square>
void stream_rows_staged(const TileBlock& b, int64_t row, Fetching& fetching) {
    constexpr int64_t side = Square::side, room = (tune::kTransposeStage / side + 64) / Width;
    alignas(64) char stage[side * room * Width];
    const int64_t columns = b.from.columns + b.more;
    for (int64_t j = 0; j < columns; j += room) {
        const int64_t bytes = least(columns - j, room) * Width;
        turn_rows<Width, false, Square>(
            stage, [=](int64_t i) { return i * bytes; }, b.from.src + row * Width, b.from.offsets + j, bytes / Width,
            fetching);
        for (int64_t k = 0; k < side; ++k) stream_row(b, row + k, j, stage + k * bytes, bytes);
    }
}

// All rows of a tile, of which some follow each other in dst: a line that several share waits for the last of them.
template <int Width, class Square>
void stream_together(const TileBlock& b) {
    constexpr int64_t side = Square::side;
    const TileSource& from = b.from;
    const int64_t row = from.columns * Width, groups = (from.rows + side - 1) / side;
    alignas(64) char stage[tune::kTogetherStage];
    StreamedRuns runs(b.dst + b.row_offsets[0]);
    Fetching fetching(b, groups * squares_in<Square>(from.columns));
    for (int64_t group = 0; group < groups; ++group) {
        const int64_t i = least(group * side, from.rows - side);
        turn_rows<Width, false, Square>(
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

// Runs that are no elements of a square: rows are put together before they leave, as many runs as there is room for,
// and some rows beside each other, for what lies together in a column is read together. Run 0: of any length.
template <int Run>
void place_runs(const TileBlock& b) {
    const TileSource& from = b.from;
    const int64_t bytes = Run > 0 ? Run : b.bytes, columns = from.columns + b.more;
    const int64_t beside = most(1, least(tune::kPlacedBytes / bytes, tune::kMostPlacedRows)),
                  room = tune::kTransposeStage / bytes / beside;
    const bool stages = is_staged(b);
    alignas(64) char stage[tune::kTransposeStage];
    Fetching fetching(b, from.rows * columns);
    for (int64_t i = 0; i < from.rows; i += beside) {
        const int64_t rows = least(beside, from.rows - i);
        for (int64_t first = 0; first < columns; first += room) {
            const int64_t count = least(columns - first, room);
            char* to[tune::kMostPlacedRows];
            for (int64_t k = 0; k < rows; ++k)
                to[k] = stages ? stage + k * count * bytes : b.dst + b.row_offsets[i + k] + first * bytes;
            for (int64_t j = 0; j < count; ++j) {
                const char* const src = from.src + from.offsets[first + j] + i * bytes;
                for (int64_t k = 0; k < rows; ++k) {
                    fetching.beside(from.src + (i + k) * bytes, from.offsets + first + j, 1, bytes);
                    place_run<Run>(to[k] + j * bytes, src + k * bytes, bytes);
                }
            }
            for (int64_t k = 0; stages && k < rows; ++k) stream_row(b, i + k, first, to[k], count * bytes);
        }
    }
}

constexpr int64_t kRowsOfSets = 16;  // of a square; more share as many sets where they lie less far apart

// Whether the rows of a square drive each other out of the first cache: they lie so far apart in dst that they share a
// few of its sets, or nearly so. Rows of whole lines do where they are spread over more of them.
template <int Width, class Square>
[[gnu::always_inline]] inline bool share_sets(const TileBlock& b) {
    constexpr int64_t side = Square::side, row = Square::columns * Width, spread = row < 32 ? 8 * row : 4 * 64,
                      around = tune::kFirstCacheStep / (side > kRowsOfSets ? side / kRowsOfSets : 1);
    if (b.from.rows < side || side < b.rows_of_set) return false;
    const int64_t step = b.row_offsets[1] - b.row_offsets[0], beyond = step & (around - 1);
    return b.row_offsets[side - 1] - b.row_offsets[0] == (side - 1) * step &&
           least(beyond, around - beyond) * side <= spread;
}

// A few rows at once: there are no more, or they drive each other out.
template <int Width, class Square>
void turn_few_rows(const TileBlock& b) {
    const TileSource& from = b.from;
    const int64_t groups = (from.rows + Square::side - 1) / Square::side;
    Fetching fetching(b, groups * squares_in<Square>(from.columns));
    for (int64_t at = 0; at < from.rows; at += Square::side) {
        const int64_t i = least(at, from.rows - Square::side);  // the last squares may do some rows again
        const int64_t* offsets = b.row_offsets + i;
        turn_rows<Width, false, Square>(
            b.dst, [=](int64_t k) { return offsets[k]; }, from.src + i * Width, from.offsets, from.columns, fetching,
            b.written_ahead);
    }
}

// The same with whole squares: rows that drive each other out are put together, and leave one by one.
template <int Width, class Square>
void turn_rows_apart(const TileBlock& b) {
    constexpr int64_t side = Square::side, room = tune::kTransposeStage / side / Width;
    alignas(64) char stage[side * (room * Width + 64)];
    const TileSource& from = b.from;
    const int64_t groups = (from.rows + side - 1) / side;
    Fetching fetching(b, groups * squares_in<Square>(from.columns));
    for (int64_t at = 0; at < from.rows; at += side) {
        const int64_t i = least(at, from.rows - side);  // the last squares may do some rows again
        for (int64_t j = 0; j < from.columns; j += room) {
            const int64_t bytes = least(from.columns - j, room) * Width, pitch = (bytes + 63) / 64 * 64 + 64;
            turn_rows<Width, false, Square>(
                stage, [=](int64_t k) { return k * pitch; }, from.src + i * Width, from.offsets + j, bytes / Width,
                fetching);
            for (int64_t k = at - i; k < side; ++k)
                move_run(b.dst + b.row_offsets[i + k] + j * Width, stage + k * pitch, bytes);
        }
    }
}

// Whether rows wait until the next tile is put together. Of 64 columns whose lines are read by turns the hardware
// fetches few by itself, of eight that are read from end to end most: so columns are read a few at a time, and rows are
// whole only with the last of them. Where a register is a line, rows leave as they are turned; NEON was not measured.
#if defined(__AVX2__) && !defined(__AVX512BW__)
constexpr bool kTilesWait = true;
#else
constexpr bool kTilesWait = false;
#endif

// Bytes become so short parts of rows that putting these together takes as long, and runs are read by whole lines.
bool tiles_wait(int64_t bytes) { return kTilesWait && bytes > 1 && has_squares(bytes); }

// The rows of a tile that waits, on their way.
class Leaving {
public:
    // `times` calls of `some` are enough for all of it.
    Leaving(WaitingTile& waiting, int64_t times)
        : waiting_(waiting), each_((waiting.tile.from.rows - waiting.row) * waiting.pitch / most(times, 1) + 1) {}

    void some() {
        for (owed_ += each_; owed_ > 0 && waiting_.row < waiting_.tile.from.rows;)
            if (!leave_run()) return;
    }
    void all() {
        owed_ = INT64_MAX / 2;
        some();
    }

private:
    // A row, or as many as are owed of those that follow each other, up to the end of a line. False if that is nothing.
    bool leave_run() {
        const TileBlock& b = waiting_.tile;
        const int64_t first = waiting_.row;
        const RowPart row = part_of_row(b, first);
        const int64_t begin = row.begin + waiting_.part;
        int64_t bytes = row.end - begin, rows = 1;
        for (; bytes < owed_ && goes_on(first + rows); ++rows) bytes += waiting_.pitch;
        char* const dst = row_in_dst(b, first) + begin;
        const bool ends = !goes_on(first + rows);
        if (!ends) bytes -= bytes_in_line(dst + bytes);
        if (!ends && bytes <= 0) return false;
        if (bytes > 0) stream_run(dst, waiting_.rooms[0] + first * waiting_.pitch + begin, bytes);
        owed_ -= bytes;
        const int64_t left = waiting_.part + bytes;
        waiting_.row = ends ? first + rows : first + left / waiting_.pitch;
        waiting_.part = ends ? 0 : left % waiting_.pitch;
        return true;
    }

    // Whether a row goes on where the one before it ends, in dst as in the room, where only whole rows do.
    bool goes_on(int64_t row) const {
        const TileBlock& b = waiting_.tile;
        return waiting_.pitch == b.from.columns * b.bytes && follows(b, row, waiting_.pitch);
    }

    WaitingTile& waiting_;
    int64_t each_, owed_ = 0;
};

void leave(WaitingTile& waiting) { Leaving(waiting, 1).all(); }

// Puts a tile together in the room that is free, while the one before it leaves the other.
template <int Width, class Square>
void put_together(const TileBlock& b, int64_t pitch) {
    constexpr int64_t side = Square::side, some = Square::columns;
    if constexpr (std::is_void_v<typename Square::Smaller>) {
        if (b.from.rows < side) return place_runs<Width>(b);
    } else {
        if (b.from.rows < side) return put_together<Width, typename Square::Smaller>(b, pitch);
    }
    WaitingTile& waiting = *b.waiting;
    const TileSource& from = b.from;
    const int64_t columns = from.columns + b.more;
    char* const room = waiting.rooms[1];
    Leaving leaving(waiting, (from.rows + side - 1) / side * squares_in<Square>(columns));
    for (int64_t at = 0; at < columns; at += some) {
        const int64_t j = columns < some ? 0 : least(at, columns - some), count = least(columns, some);
        const bool is_last = at + some >= columns;
        const char* const next = is_last ? b.next.src : from.src;
        const int64_t* const offsets = is_last ? b.next.offsets : from.offsets + at + some;
        const int64_t fetched = least(is_last ? b.next.columns : columns - at - some, some);
        for (int64_t line = 0; line < from.rows; line += side) {
            const int64_t i = least(line, from.rows - side);  // the last squares may do some rows again
            char* const to = room + i * pitch + j * Width;
            const auto row = [=](int64_t k) { return k * pitch; };
            const auto column = [=](int64_t k) { return from.src + from.offsets[j + k] + i * Width; };
            count == some ? Square::template move<false>(to, row, column) : Square::move_part(to, row, column, count);
            for (int64_t k = 0; k < fetched; ++k)
                for (int64_t ahead = 0; ahead < side * Width; ahead += 64)
                    prefetch(next + offsets[k] + i * Width + ahead);
            leaving.some();
        }
    }
    leaving.all();
    waiting.rooms[1] = waiting.rooms[0], waiting.rooms[0] = room;
    waiting.tile = b;
    waiting.pitch = pitch, waiting.row = waiting.part = 0;
}

// As many rows at a time as there is room for. False if the tile does not wait.
template <int Width, class Square>
bool put_in_rooms(const TileBlock& b) {
    if (b.waiting == nullptr || !is_staged(b)) return false;
    const TileSource& from = b.from;
    const int64_t row = (from.columns + b.more) * b.bytes;
    const int64_t pitch = follows(b, 1, row) ? row : (row + 63) / 64 * 64 + 64, room = b.waiting->bytes / pitch;
    const int64_t rows = room >= from.rows ? from.rows : room / Square::side * Square::side;
    if (rows == 0) return false;
    TileBlock part = b;
    for (int64_t first = 0; first < from.rows; first += rows) {
        part.row_offsets = b.row_offsets + first;
        part.from.src = from.src + first * b.bytes;
        part.from.rows = least(rows, from.rows - first);
        put_together<Width, Square>(part, pitch);
    }
    return true;
}

#if defined(__AVX512BW__)

// Fewer rows than a square has.
template <int Width>
void turn_rows_low(const TileBlock& b) {
    const TileSource& from = b.from;
    const int64_t columns = from.columns + b.more, room = tune::kTransposeStage / from.rows / 64 * 64 / Width;
    // Columns behind which 64 bytes of the tile lie.
    const int64_t end = from.offsets[columns - 1] + from.rows * Width;
    int64_t whole = 0;
    while (whole < columns && end - from.offsets[whole] >= 64) ++whole;
    Fetching fetching(b, squares_in<Tile<Width, 64>>(columns));
    const auto turn = [&](char* dst, auto&& line, int64_t first, int64_t count) {
        turn_low<Width>(
            dst, line, [&](int64_t j) { return from.src + from.offsets[first + j]; }, whole - first, from.rows, count,
            [&](int64_t) { fetching.some(); });
    };
    if (!is_staged(b)) return turn(b.dst, [&](int64_t i) { return b.row_offsets[i]; }, 0, from.columns);
    alignas(64) char stage[tune::kTransposeStage];
    for (int64_t j = 0; j < columns; j += room) {
        const int64_t count = least(columns - j, room);
        turn(stage, [=](int64_t i) { return i * room * Width; }, j, count);
        for (int64_t i = 0; i < from.rows; ++i) stream_row(b, i, j, stage + i * room * Width, count * Width);
    }
}

#endif

template <int Width, class Square>
void turn_squares(const TileBlock& b) {
    constexpr int64_t side = Square::side;
    const TileSource& from = b.from;
    using Smaller = typename Square::Smaller;
    const bool one_set = !b.stream && share_sets<Width, Square>(b);
    if constexpr (side > kRowsOfSets || (side == kRowsOfSets && std::is_void_v<Smaller>)) {
        if (one_set && from.columns >= Square::columns) return turn_rows_apart<Width, Square>(b);
    }
    if constexpr (!std::is_void_v<Smaller>) {
        if (from.rows >= Smaller::side && (from.rows < side || one_set)) return turn_few_rows<Width, Smaller>(b);
    }
#if defined(__AVX512BW__)
    if constexpr (kLeastLowRows<Width> > 0)
        if (from.rows < side && from.rows >= kLeastLowRows<Width>) return turn_rows_low<Width>(b);
#endif
    if (from.rows < side && (b.more > 0 || b.goes_on)) return place_runs<0>(b);
    if (from.rows < side) {
        for (int64_t j = 0; j < from.columns; ++j)
            for (int64_t i = 0; i < from.rows; ++i)
                move_fixed<Width>(b.dst + b.row_offsets[i] + j * Width, from.src + from.offsets[j] + i * Width);
        return;
    }
    const bool stages = is_staged(b);
    const int64_t beside = bytes_in_line(b.dst);
    const bool direct =
        stages && Square::is_line && b.whole_lines && beside % Width == 0 &&
        (beside == 0 || (from.columns * Width >= tune::kDirectRow && !follow_each_other<Width, Square>(b)));
    if (b.stream && !direct && follow_each_other<Width, Square>(b)) return stream_together<Width, Square>(b);
    const int64_t column = from.columns > 1 ? from.offsets[1] - from.offsets[0] : 0;
    const int64_t first_rows = first_step<Width>(from.src, column, from.rows, side);
    const int64_t groups = 1 + (from.rows - first_rows + side - 1) / side;
    Fetching fetching(b, groups * squares_in<Square>(from.columns));
    for (int64_t at = 0; at < from.rows; at += at == 0 ? first_rows : side) {
        const int64_t i = least(at, from.rows - side);  // the last squares may do some rows again
        const char* src = from.src + i * Width;
        const int64_t* offsets = b.row_offsets + i;
        const auto line = [=](int64_t k) { return offsets[k]; };
        if (direct)
            stream_rows<Width, Square>(b.dst, line, src, from.offsets, from.columns, fetching);
        else if (stages)
            stream_rows_staged<Width, Square>(b, i, fetching);
        else
            turn_rows<Width, false, Square>(b.dst, line, src, from.offsets, from.columns, fetching, b.written_ahead);
    }
}

template <int Width>
void turn_tile(const TileBlock& b) {
    if constexpr (kTilesWait && Width > 1)
        if (put_in_rooms<Width, Tile<Width>>(b)) return;
    using Square = typename SquaresOf<Width>::type;
    using Narrow = typename SquaresOf<Width>::narrow;
    if constexpr (!std::is_void_v<Narrow>)
        if (b.from.columns < Square::columns && b.from.rows >= Narrow::side) return turn_squares<Width, Narrow>(b);
    turn_squares<Width, Square>(b);
}

TileKernel tile_for(int64_t bytes) {
    if (const TileKernel kernel =
            for_element_width(bytes, [](auto width) -> TileKernel { return turn_tile<width.value>; }))
        return kernel;
    const TileKernel kernel = for_short_run(bytes, [](auto run) -> TileKernel { return place_runs<run.value>; });
    return kernel ? kernel : place_runs<0>;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
