// Tiles of a permutation of axes. What limits these moves is how many lines a core can wait for, about a dozen: lines
// that the hardware fetches by itself, because it has seen some before them, do not count, nor do whole lines that go
// around the cache. So a tile reads some lines of each column, and writes some of each row, where an axis that is too
// short for that is continued by those which follow it in memory.
#include "tiling.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

enum Operand { kDst, kSrc };

// Axes that lie dense in one operand, the finest first.
struct Chain {
    Operand own;
    int64_t bytes;
    int ndim = 0;
    int axis[kMaxRank] = {};

    // Adds the axis that goes on without a gap.
    bool extend(const Axes<2>& axes, bool* taken, int64_t wanted) {
        for (int a = axes.ndim - 1; a >= 0 && bytes < wanted; --a) {
            if (taken[a] || axes.stride[a][own] != bytes) continue;
            taken[a] = true;
            axis[ndim++] = a;
            bytes *= axes.size[a];
            return true;
        }
        return false;
    }
    bool has(int a) const {
        for (int k = 0; k < ndim; ++k)
            if (axis[k] == a) return true;
        return false;
    }
};

// Whether tiles have whole lines of it: an axis that is shorter is continued by the one across, where that follows it.
bool makes_lines(const Axes<2>& axes, const Chain& chain, const Chain& across, int64_t run) {
    return chain.bytes >= tune::kLine ||
           (chain.bytes >= tune::kLeastTile * run && axes.stride[across.axis[0]][chain.own] == chain.bytes);
}

// Takes the axes with which rows become whole lines, if there are such, and columns of whole lines are left.
void go_on_to_whole_lines(const Axes<2>& axes, bool* taken, Chain& row, const Chain& column, int64_t run) {
    Chain longer = row, rest = column;
    bool took[kMaxRank], left[kMaxRank];
    std::copy_n(taken, axes.ndim, took);
    while (longer.bytes % tune::kLine != 0)
        if (!longer.extend(axes, took, INT64_MAX)) return;
    std::copy_n(took, axes.ndim, left);
    while (rest.extend(axes, left, tune::kLine)) continue;
    if (!makes_lines(axes, rest, longer, run)) return;
    row = longer;
    std::copy_n(took, axes.ndim, taken);
}

// Pieces of about as many bytes as wanted, or of at most so many, equal but for lines.
Walk walk_along(const Chain& chain, const Axes<2>& axes, int64_t run, int64_t wanted, bool at_most = false) {
    Walk walk;
    const int other = 1 - chain.own, last = chain.axis[chain.ndim - 1];
    walk.total = chain.bytes / run;
    walk.inner = walk.total / axes.size[last];
    walk.step = axes.stride[last][other];
    walk.axis = -1;
    const int64_t line = most(1, tune::kLine / run), rounded = at_most ? wanted - 1 : wanted / 2,
                  count = most(1, (chain.bytes + rounded) / wanted);
    walk.piece = pieces(pieces(walk.total, count), line) * line;
    // A piece begins at any position of the inner axes, and the first one may be longer by less than a line.
    const int64_t known =
        least(walk.total, most(walk.inner + walk.piece + pieces(tune::kLine, run), tune::kTogetherStage / tune::kLine));
    walk.offsets.reserve(static_cast<size_t>(known));
    walk.offsets.push_back(0);
    for (int k = 0; k < chain.ndim; ++k) {
        const size_t inner = walk.offsets.size();
        const int64_t step = axes.stride[chain.axis[k]][other];
        const int64_t end = least(axes.size[chain.axis[k]], pieces(known, static_cast<int64_t>(inner)));
        for (int64_t i = 1; i < end; ++i)
            for (size_t j = 0; j < inner && static_cast<int64_t>(walk.offsets.size()) < known; ++j)
                walk.offsets.push_back(walk.offsets[j] + i * step);
    }
    return walk;
}

// A piece: its first position, how many there are, and where the other operand has them.
struct Piece {
    int64_t first, count, start;
    const int64_t* offsets;
};

// Positions of a walk that are known to it.
Piece piece_from(const Walk& walk, int64_t first, int64_t end) {
    return {first, end - first, first / walk.inner * walk.step, walk.offsets.data() + first % walk.inner};
}

// The first piece is longer by the `lead` positions that come before a line begins.
Piece piece_of(const Walk& walk, int64_t piece, int64_t number, int64_t lead) {
    return piece_from(walk, number == 0 ? 0 : lead + number * piece, least(lead + (number + 1) * piece, walk.total));
}

int64_t pieces_of(const Walk& walk, int64_t piece, int64_t lead) { return most(1, pieces(walk.total - lead, piece)); }

// So many bytes come before a line begins.
int64_t before_line(const char* at) { return -reinterpret_cast<intptr_t>(at) & (tune::kLine - 1); }

// The same in runs; none where a line begins within one.
int64_t lead_of(const char* at, int64_t run) { return before_line(at) % run == 0 ? before_line(at) / run : 0; }

// Runs that no square is made of are tiled for the sake of the lines that they leave in; longer ones leave in lines of
// their own, and are tiled where they come from memory, to be fetched in the order of src.
bool are_tiled(int64_t run, int64_t bytes) {
    const int64_t from_memory = most(machine().stream, machine().stream_dense);
    return run < tune::kStreamRun || (run <= tune::kTiledLongRun && bytes >= from_memory);
}

// The axis along which rows of dst follow each other. Those of one tile that follow none, or that none follows, are
// moved by themselves, and must make whole squares.
RowsAfter rows_after(const Axes<2>& axes, const Chain& row, const Chain& column, int64_t run) {
    const int64_t side = run <= tune::kMostSquareElement ? tune::kLine / run : 1;
    for (int64_t k = 0, inner = 1; k < column.ndim; inner *= axes.size[column.axis[k++]]) {
        const int a = column.axis[k];
        if (axes.stride[a][kDst] != row.bytes) continue;
        if (inner < side && (axes.size[a] < 2 * side || row.bytes < tune::kDirectRow)) return {};
        return {axes.size[a], inner, axes.stride[a][kSrc], -1};
    }
    for (int a = 0; a < axes.ndim; ++a)
        if (!row.has(a) && axes.stride[a][kDst] == row.bytes)
            return {axes.size[a], column.bytes / run, axes.stride[a][kSrc], 0};
    return {};
}

// A tile: one block, or those that its rows are parted into.
class TileBlocks {
public:
    void begin(const TileSource& all) {
        source_ = all;
        blocks_.clear();
        largest_ = 0;
    }
    void add(const TileBlock& block) {
        if (block.from.rows <= 0 || block.from.columns <= 0) return;
        if (!blocks_.empty() && elements(block) > elements(blocks_[largest_])) largest_ = blocks_.size();
        blocks_.push_back(block);
    }
    // The next tile is fetched while the largest block of this one is moved.
    void move(TileKernel kernel, const TileSource& next, WaitingTile* waiting) {
        blocks_[largest_].next = next;
        for (TileBlock& block : blocks_) {
            block.waiting = waiting;
            kernel(block);
        }
    }
    const TileSource& source() const { return source_; }

private:
    static int64_t elements(const TileBlock& block) { return block.from.rows * block.from.columns; }

    TileSource source_;
    std::vector<TileBlock> blocks_;
    size_t largest_ = 0;
};

// What a thread's tiles wait in, if they do, and if there is memory for it.
class Rooms {
public:
    explicit Rooms(bool wait) {
        if (!wait) return;
        memory_.reset(new (std::align_val_t{tune::kLine}, std::nothrow) char[2 * tune::kWaitingRoom]);
        tile_.rooms[0] = memory_.get(), tile_.rooms[1] = memory_.get() + tune::kWaitingRoom;
        tile_.bytes = tune::kWaitingRoom;
    }
    WaitingTile* tile() { return memory_ ? &tile_ : nullptr; }
    void leave() {
        if (memory_) block_kernels().leave(tile_);
    }

private:
    struct Free {
        void operator()(char* memory) const { operator delete[](memory, std::align_val_t{tune::kLine}); }
    };
    std::unique_ptr<char[], Free> memory_;
    WaitingTile tile_ = {};
};

// What a tile has of a row of dst: so many bytes of its first and of its last run stay out.
struct Part {
    Piece columns;
    int64_t skip, tail;
};

// Rows that follow each other in dst and share the lines where they meet, `before` bytes of which belong to the second
// of them. They are cut where lines begin, and each line leaves whole, with the row that begins it: the last piece of a
// row goes on with the row behind it, whose elements lie `after` bytes further in src.
class MeetingRows {
public:
    MeetingRows(const Walk& walk, int64_t run, int64_t before, int64_t after)
        : walk_(walk), run_(run), before_(before), count_(pieces_of(walk, walk.piece, 0)) {
        if (!meet()) return;
        base_ = begin(count_ - 1) / run;
        for (int64_t p = base_, end = pieces(bytes() + before, run); p < end; ++p) {
            const int64_t own = p < walk.total ? p : p - walk.total;
            last_.push_back(own / walk.inner * walk.step + walk.offsets[static_cast<size_t>(own % walk.inner)] +
                            (p < walk.total ? 0 : after));
        }
    }

    // False if they do not: elements of squares must begin with lines, and each row needs a line of its own.
    bool meet() const {
        return before_ > 0 && (run_ > tune::kMostSquareElement || before_ % run_ == 0) && begin(count_ - 1) < bytes();
    }
    int64_t count() const { return count_; }

    // Piece `number` of a row; the last one goes on with the row behind it where they meet.
    Part part(int64_t number, bool meets) const {
        return part_of(begin(number), number < count_ - 1 ? begin(number + 1) : end(meets));
    }
    // The last piece in two: what comes before the line that rows share, and that line.
    Part before_shared() const { return part_of(begin(count_ - 1), shared()); }
    Part shared(bool meets) const { return part_of(shared(), end(meets)); }
    // What a row that is behind none has before its first line.
    Part beginning() const { return part_of(0, before_); }

private:
    int64_t bytes() const { return walk_.total * run_; }
    int64_t begin(int64_t number) const { return before_ + number * walk_.piece * run_; }
    int64_t end(bool meets) const { return bytes() + (meets ? before_ : 0); }
    int64_t shared() const { return most(begin(count_ - 1), end(true) - tune::kLine); }
    Part part_of(int64_t from, int64_t to) const {
        const int64_t first = from / run_, end = pieces(to, run_);
        const Piece columns = end <= walk_.total ? piece_from(walk_, first, end)
                                                 : Piece{first, end - first, 0, last_.data() + (first - base_)};
        return {columns, from - first * run_, end * run_ - to};
    }

    const Walk& walk_;
    const int64_t run_, before_, count_;
    int64_t base_ = 0;           // the position that the last piece begins with,
    std::vector<int64_t> last_;  // and where src has it and those behind it
};

// The bytes of a row that tiles have at least, if there are so many.
int64_t wanted_row(int64_t run) { return run <= tune::kMostSquareElement ? tune::kTiledRow : tune::kTiledRunRow; }

}  // namespace

// What tiles are made of: rows of dst and columns of src, and which axes they take.
struct Tiling::Sides {
    int64_t run;
    Chain row{kDst, run}, column{kSrc, run};
    bool taken[kMaxRank] = {};

    // False if tiles would not have whole lines of both.
    bool find(const Axes<2>& axes) {
        if (!row.extend(axes, taken, INT64_MAX) || !column.extend(axes, taken, INT64_MAX)) return false;
        // Pieces of a row begin with lines, rows perhaps do not, and a line in two parts costs more than to read
        // shorter columns: rows come first, go on until they are whole lines, and further as long as no column needs
        // the axis.
        go_on_to_whole_lines(axes, taken, row, column, run);
        for (const int64_t wanted : {wanted_row(run), most(wanted_row(run), tune::kTiledChain)}) {
            while (row.extend(axes, taken, wanted)) continue;
            while (column.extend(axes, taken, tune::kTiledColumn)) continue;
        }
        return makes_lines(axes, row, column, run) && makes_lines(axes, column, row, run);
    }
    bool are_plain() const { return row.ndim == 1 && column.ndim == 1; }
};

// How columns lie beside each other in src, along the finest axis of a row.
struct Tiling::Apart {
    int64_t run;
    int64_t bytes;  // of src, from a column to the one beside it
    int64_t row;    // bytes of dst that they make

    // Their elements are those of squares.
    bool are_short() const { return run <= tune::kMostSquareElement; }
    bool in_one_set() const { return are_short() && bytes % (run == 1 ? tune::kByteStep : tune::kFirstCacheStep) == 0; }
    bool are_far() const {
        return are_short() && (in_one_set() || (bytes >= tune::kFarColumn && row >= tune::kTiledRow / 2));
    }
    // Of those that are far.
    bool is_row_short() const { return bytes >= tune::kFarColumn && row <= tune::kMostShortFarRow; }
};

bool Tiling::prepare(const Axes<2>& axes, int64_t run, bool stream) {
    if (!has_squares(run) && !(stream && are_tiled(run, axes.count() * run))) return false;
    Sides sides{run};
    if (!sides.find(axes)) return false;
    const int beside = sides.row.axis[0];
    const Apart apart{run, magnitude(axes.stride[beside][kSrc]), axes.size[beside] * run};
    if (apart.bytes == 0 && apart.row >= tune::kRepeatedRow) return false;
    run_ = run;
    total_bytes_ = axes.count() * run;
    stream_ = stream;
    // Columns of one page are fetched in any order.
    wait_ = stream && block_kernels().tiles_wait(run) && apart.bytes >= tune::kPage;
    if (sides.are_plain() && !plain_tiles_pay(sides.column.bytes, apart)) return false;
    find_lines(axes, sides);
    walk(axes, sides, apart);
    return true;
}

// Of tiles that have one axis of each operand.
bool Tiling::plain_tiles_pay(int64_t column_bytes, const Apart& apart) const {
    if (column_bytes < tune::kLine) return false;  // rows of so few are turned by themselves
    // Columns in one set of the first cache drive each other out: tiles of a few, each of whose lines is read once, or
    // low ones with long walks along src, which are better within caches. The widest elements leave as they come.
    const bool is_cached = total_bytes_ < 2 * machine().last, is_widest = run_ == tune::kMostSquareElement;
    if (is_widest && (wait_ ? is_cached : !stream_)) return false;
    return wait_ || !apart.in_one_set() || !(is_cached || run_ == 1);
}

void Tiling::find_lines(const Axes<2>& axes, const Sides& sides) {
    dst_lines_ = src_lines_ = true;
    for (int a = 0; a < axes.ndim; ++a) {
        dst_lines_ &= sides.row.has(a) || axes.stride[a][kDst] % tune::kLine == 0;
        src_lines_ &= sides.column.has(a) || axes.stride[a][kSrc] % tune::kLine == 0;
    }
}

// How far tiles go along both operands, and how they follow each other.
void Tiling::walk(const Axes<2>& axes, const Sides& sides, const Apart& apart) {
    const Chain &row = sides.row, &column = sides.column;
    const bool cut = stream_ && apart.are_short() && !dst_lines_;
    const bool are_long =
        stream_ && dst_lines_ && !wait_ && machine().tiles_are_long(run_, apart.row, axes.stride[column.axis[0]][kDst]);
    ahead_ = stream_ && !wait_ ? machine().columns_ahead(run_, cut) : 0;
    if (are_long) ahead_ = column.ndim == 1 && column.bytes >= tune::kPage ? tune::kLongTileAhead : 0;
    columns_ = walk_along(row, axes, run_, row_piece(apart, cut, are_long), apart.are_short() && ahead_ > 0);
    kernel_ = block_kernels().tile(run_);
    follow_ = apart.are_short() && axes.stride[column.axis[0]][kDst] == row.bytes &&
              row.bytes * tune::kLine / run_ <= tune::kTogetherStage;
    rows_ = walk_along(column, axes, run_, are_long ? machine().tile_column : column_piece());
    after_ = rows_after(axes, row, column, run_);
    order_loops(axes, sides.taken, row.bytes, are_long);
}

// The bytes that a tile has of each row of dst.
int64_t Tiling::row_piece(const Apart& apart, bool cut, bool are_long) const {
    // Squares of single bytes have 64 columns: a row of two of them gains nothing.
    const bool by_machine = stream_ && apart.are_short() && run_ > 1;
    if (wait_) return tune::kWaitingRow;
    if (are_long) return tune::kLine;
    if (apart.are_far()) return by_machine && apart.is_row_short() ? machine().tile_far_row : tune::kTiledFarRow;
    if (cut) return most(wanted_row(run_), tune::kTiledCutColumns * run_);
    const int64_t bytes = by_machine ? machine().tile_row : wanted_row(run_);
    return apart.are_short() && ahead_ > 0 ? least(bytes, tune::kMostAheadColumns * run_) : bytes;
}

// The bytes that it has of each column of src.
int64_t Tiling::column_piece() const {
    // Rows that leave together are whole.
    const int64_t across = follow_ && !dst_lines_ ? columns_.total : columns_.piece;
    const int64_t tile_bytes = wait_ ? tune::kWaitingBytes : tune::kTiledBytes;
    return least(tune::kTiledColumn, most(tune::kLeastTiledColumn, tile_bytes / across));
}

// Tiles follow each other through src, whose lines and pages they share; those of dst leave whole. `along_dst`: they go
// on along the same rows of dst first.
void Tiling::order_loops(const Axes<2>& axes, const bool* taken, int64_t row_bytes, bool along_dst) {
    int64_t steps[kMaxRank + 2];  // through src
    int* places[kMaxRank + 2];    // that are to be told which loop it is
    loops_ = Axes<2>();
    const auto insert = [&](int64_t size, int64_t dst, int64_t src, int64_t step, int* place) {
        int at = loops_.ndim++;
        for (; at > 0 && steps[at - 1] < step; --at) {
            steps[at] = steps[at - 1];
            places[at] = places[at - 1];
            loops_.size[at] = loops_.size[at - 1];
            for (int k = 0; k < 2; ++k) loops_.stride[at][k] = loops_.stride[at - 1][k];
        }
        steps[at] = step;
        places[at] = place;
        loops_.size[at] = size;
        loops_.stride[at][kDst] = dst;
        loops_.stride[at][kSrc] = src;
    };
    for (int a = 0; a < axes.ndim; ++a)
        if (!taken[a])
            insert(axes.size[a], axes.stride[a][kDst], axes.stride[a][kSrc], magnitude(axes.stride[a][kSrc]),
                   axes.stride[a][kDst] == row_bytes ? &after_.loop : nullptr);
    // Pieces that are cut where lines begin in each row read some columns of the piece behind them, which is next then:
    // of narrow elements these are many.
    const bool share_columns = !dst_lines_ && run_ <= tune::kMostSharedElement;
    const int64_t columns_step = magnitude(most(1, columns_.piece / columns_.inner) * columns_.step);
    if (pieces_of(columns_, columns_.piece, 0) > 1) insert(1, 0, 0, share_columns ? 0 : columns_step, &columns_.axis);
    // Around the loop over pieces of a row, or by where they lie in src.
    if (pieces_of(rows_, rows_.piece, 0) > 1)
        insert(1, 0, 0, along_dst ? columns_step + 1 : rows_.piece * run_, &rows_.axis);
    for (int a = 0; a < loops_.ndim; ++a)
        if (places[a]) *places[a] = a;
}

// The tiles of one move: where they are cut depends on where in a line the operands begin.
class Tiling::Tiles {
public:
    Tiles(const Tiling& plan, char* dst, const char* src)
        : plan_(plan),
          dst_(dst),
          src_(src),
          dst_lead_(plan.dst_lines_ ? lead_of(dst, plan.run_) : 0),
          src_lead_(plan.src_lines_ ? lead_of(src, plan.run_) : 0),
          meeting_(plan.columns_, plan.run_, plan.stream_ && plan.after_.size > 0 ? before(dst) : 0,
                   plan.after_.bytes) {
        const int64_t run = plan.run_;
        meet_ = meeting_.meet();
        const bool follow = plan.follow_ && !meet_ && (dst_lead_ > 0 || !plan.dst_lines_);
        const bool begin_with_lines = plan.dst_lines_ && before(dst) % run == 0 && tune::kLine % run == 0;
        cut_ = plan.stream_ && !meet_ && !follow && !begin_with_lines;
        columns_piece_ = follow ? plan.columns_.total : plan.columns_.piece;
        loops_ = plan.loops_;
        if (plan.columns_.axis >= 0)
            loops_.size[plan.columns_.axis] =
                meet_ ? meeting_.count() : pieces_of(plan.columns_, columns_piece_, dst_lead_);
        if (plan.rows_.axis >= 0) loops_.size[plan.rows_.axis] = pieces_of(plan.rows_, plan.rows_.piece, src_lead_);
    }

    // From tile to tile.
    const Axes<2>& loops() const { return loops_; }

    void fill(TileBlocks& tile, const Outer<2>& at) const {
        const int64_t number = number_of(plan_.columns_, at);
        const Piece rows = piece_of(plan_.rows_, plan_.rows_.piece, number_of(plan_.rows_, at), src_lead_);
        const int64_t row = rows.first, end = row + rows.count;
        if (meet_)
            return plan_.after_.loop < 0 ? add_meeting_rows(tile, at, number, row, end)
                                         : add_meeting_tiles(tile, at, number, row, end);
        const Piece columns = piece_of(plan_.columns_, columns_piece_, number, dst_lead_);
        TileBlock block = block_of(at, {columns, 0, 0}, row, end);
        // Pieces of rows that do not all begin with lines are cut where lines begin in each.
        block.more =
            cut_ ? least(plan_.columns_.total - columns.first - columns.count, pieces(tune::kLine, plan_.run_)) : 0;
        block.goes_on = cut_ && number > 0;
        tile.begin({block.from.src, block.from.offsets, rows.count, columns.count + block.more});
        tile.add(block);
    }

private:
    int64_t before(const char* dst) const { return plan_.dst_lines_ ? before_line(dst) : 0; }
    static int64_t number_of(const Walk& walk, const Outer<2>& at) { return walk.axis < 0 ? 0 : at.at(walk.axis); }

    TileBlock block_of(const Outer<2>& at, const Part& part, int64_t first_row, int64_t end_row) const {
        const Piece rows = piece_from(plan_.rows_, first_row, end_row), &columns = part.columns;
        TileBlock block;
        block.dst = dst_ + at.offset[kDst] + columns.first * plan_.run_ + part.skip + rows.start;
        block.row_offsets = rows.offsets;
        block.from = {src_ + at.offset[kSrc] + rows.first * plan_.run_ + columns.start, columns.offsets, rows.count,
                      columns.count};
        block.next = {};
        block.ahead = plan_.ahead_;
        block.bytes = plan_.run_;
        block.skip = part.skip, block.tail = part.tail;
        block.more = 0, block.goes_on = false;
        block.stream = plan_.stream_;
        block.whole_lines = plan_.dst_lines_;
        block.written_ahead = plan_.stream_ ? 0 : machine().written_ahead();
        block.rows_of_set = machine().first / tune::kFirstCacheStep;
        block.waiting = nullptr;
        return block;
    }

    // Rows that meet, each with the one in the next tile.
    void add_meeting_tiles(TileBlocks& tile, const Outer<2>& at, int64_t number, int64_t row, int64_t end) const {
        const int64_t place = at.at(plan_.after_.loop);
        const TileBlock block = block_of(at, meeting_.part(number, place < plan_.after_.size - 1), row, end);
        tile.begin(block.from);
        tile.add(block);
        if (number == 0 && place == 0) tile.add(block_of(at, meeting_.beginning(), row, end));
    }

    // Rows that meet within tiles, but for those which no row is before or behind.
    void add_meeting_rows(TileBlocks& tile, const Outer<2>& at, int64_t number, int64_t row, int64_t end) const {
        const bool first = number == 0, last = number == meeting_.count() - 1;
        const RowsAfter& after = plan_.after_;
        const TileBlock block = block_of(at, meeting_.part(number, true), row, end);
        tile.begin(block.from);
        tile.add(last ? block_of(at, meeting_.before_shared(), row, end) : block);
        for (const int64_t period = after.size * after.inner; (first || last) && row < end;) {
            const int64_t from = row / period * period, to = least(end, from + period),
                          alone = least(to, most(row, from + period - after.inner));
            if (first) tile.add(block_of(at, meeting_.beginning(), row, least(end, from + after.inner)));
            if (last) tile.add(block_of(at, meeting_.shared(true), row, alone));
            if (last) tile.add(block_of(at, meeting_.shared(false), alone, to));
            row = to;
        }
    }

    const Tiling& plan_;
    char* dst_;
    const char* src_;
    int64_t dst_lead_, src_lead_;  // positions before the first line
    MeetingRows meeting_;
    bool meet_, cut_;
    int64_t columns_piece_;
    Axes<2> loops_;
};

void Tiling::move(char* dst, const char* src) const {
    const Tiles tiles(*this, dst, src);
    for_ranges(tiles.loops().count(), total_bytes_, [&](int64_t begin, int64_t end) {
        Outer<2> at(tiles.loops(), begin);
        Rooms rooms(wait_);
        TileBlocks tile, next;
        tiles.fill(tile, at);
        for (int64_t task = begin + 1; task < end; ++task) {
            at.next();
            tiles.fill(next, at);
            tile.move(kernel_, next.source(), rooms.tile());
            std::swap(tile, next);
        }
        tile.move(kernel_, {}, rooms.tile());
        rooms.leave();
        if (stream_) settle_streams();
    });
}

}  // namespace wherry
