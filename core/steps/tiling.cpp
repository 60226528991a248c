// Tiles of a permutation of axes. What limits these moves is how many lines a core can wait for, about a dozen: lines
// that the hardware fetches by itself, because it has seen some before them, do not count, nor do whole lines that go
// around the cache. So a tile reads some lines of each column, and writes some of each row, where an axis that is too
// short for that is continued by those which follow it in memory.
#include "tiling.hpp"

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
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

// Pieces of about as many bytes as wanted, equal but for lines.
Walk walk_along(const Chain& chain, const Axes<2>& axes, int64_t run, int64_t wanted) {
    Walk walk;
    const int other = 1 - chain.own, last = chain.axis[chain.ndim - 1];
    walk.total = chain.bytes / run;
    walk.inner = walk.total / axes.size[last];
    walk.step = axes.stride[last][other];
    walk.axis = -1;
    const int64_t line = most(1, tune::kLine / run), count = most(1, (chain.bytes + wanted / 2) / wanted);
    walk.piece = pieces(pieces(walk.total, count), line) * line;
    // A piece begins at any position of the inner axes, and the first one may be longer by less than a line.
    const int64_t known = least(walk.total, most(walk.inner + walk.piece + line, tune::kTogetherStage / tune::kLine));
    walk.offsets.reserve(static_cast<size_t>(known));
    walk.offsets.push_back(0);
    for (int k = 0; k < chain.ndim; ++k) {
        const auto filled = static_cast<int64_t>(walk.offsets.size());
        const int64_t step = axes.stride[chain.axis[k]][other];
        for (int64_t i = filled; i < least(known, filled * axes.size[chain.axis[k]]); ++i)
            walk.offsets.push_back(walk.offsets[static_cast<size_t>(i % filled)] + i / filled * step);
    }
    return walk;
}

// A piece: its first position, how many there are, and where the other operand has them.
struct Piece {
    int64_t first, count, start;
    const int64_t* offsets;
};

Piece piece_of(const Walk& walk, int64_t piece, const Outer<2>& at, int64_t lead) {
    if (walk.axis < 0) return {0, walk.total, 0, walk.offsets.data()};
    const int64_t number = at.at(walk.axis), first = number == 0 ? 0 : lead + number * piece;
    return {first, least(lead + (number + 1) * piece, walk.total) - first, first / walk.inner * walk.step,
            walk.offsets.data() + first % walk.inner};
}

int64_t pieces_of(const Walk& walk, int64_t piece, int64_t lead) { return most(1, pieces(walk.total - lead, piece)); }

// So many runs come before a line begins.
int64_t lead_of(const char* at, int64_t run) {
    const int64_t before = -reinterpret_cast<intptr_t>(at) & (tune::kLine - 1);
    return before % run == 0 ? before / run : 0;
}

}  // namespace

bool Tiling::prepare(const Axes<2>& axes, int64_t run) {
    if (run > tune::kMostTiledRun) return false;
    const bool squares = run <= tune::kMostSquareElement;
    const int64_t wanted_row = squares ? tune::kTiledRow : tune::kTiledRunRow,
                  wanted_column = squares ? tune::kTiledColumn : tune::kTiledRunColumn;
    bool taken[kMaxRank] = {};
    Chain row{kDst, run}, column{kSrc, run};
    if (!row.extend(axes, taken, INT64_MAX) || !column.extend(axes, taken, INT64_MAX)) return false;
    // Pieces of a row begin with lines, rows perhaps do not, and a line in two parts costs more than to read shorter
    // columns: rows come first, and go on as long as no column needs the axis.
    for (const int64_t wanted : {wanted_row, most(wanted_row, tune::kTiledChain)}) {
        while (row.extend(axes, taken, wanted)) continue;
        while (column.extend(axes, taken, wanted_column)) continue;
    }
    if (row.bytes < tune::kLine || column.bytes < tune::kLine) return false;
    // Columns in the same sets of the caches drive each other out: low tiles with long walks along src are better.
    const bool crowded = axes.stride[row.axis[0]][kSrc] % tune::kFirstCacheStep == 0;
    if (crowded && row.ndim == 1 && column.ndim == 1) return false;
    run_ = run;
    total_bytes_ = axes.count() * run;
    columns_ = walk_along(row, axes, run, wanted_row);
    rows_ = walk_along(column, axes, run, wanted_column);
    kernel_ = block_kernels().tile(run);
    dst_lines_ = src_lines_ = true;
    for (int a = 0; a < axes.ndim; ++a) {
        dst_lines_ &= row.has(a) || axes.stride[a][kDst] % tune::kLine == 0;
        src_lines_ &= column.has(a) || axes.stride[a][kSrc] % tune::kLine == 0;
    }
    follow_ = squares && axes.stride[column.axis[0]][kDst] == row.bytes &&
              row.bytes * tune::kLine / run <= tune::kTogetherStage;
    order_loops(axes, taken);
    return true;
}

// Tiles follow each other through src, whose lines and pages they share; those of dst leave whole.
void Tiling::order_loops(const Axes<2>& axes, const bool* taken) {
    int64_t steps[kMaxRank + 2];  // through src
    Walk* walks[kMaxRank + 2];    // whose pieces a loop goes through
    loops_ = Axes<2>();
    const auto insert = [&](int64_t size, int64_t dst, int64_t src, int64_t step, Walk* walk) {
        int at = loops_.ndim++;
        for (; at > 0 && steps[at - 1] < step; --at) {
            steps[at] = steps[at - 1];
            walks[at] = walks[at - 1];
            loops_.size[at] = loops_.size[at - 1];
            for (int k = 0; k < 2; ++k) loops_.stride[at][k] = loops_.stride[at - 1][k];
        }
        steps[at] = step;
        walks[at] = walk;
        loops_.size[at] = size;
        loops_.stride[at][kDst] = dst;
        loops_.stride[at][kSrc] = src;
    };
    for (int a = 0; a < axes.ndim; ++a)
        if (!taken[a])
            insert(axes.size[a], axes.stride[a][kDst], axes.stride[a][kSrc], magnitude(axes.stride[a][kSrc]), nullptr);
    if (pieces_of(columns_, columns_.piece, 0) > 1)
        insert(1, 0, 0, magnitude(most(1, columns_.piece / columns_.inner) * columns_.step), &columns_);
    if (pieces_of(rows_, rows_.piece, 0) > 1) insert(1, 0, 0, rows_.piece * run_, &rows_);
    for (int a = 0; a < loops_.ndim; ++a)
        if (walks[a]) walks[a]->axis = a;
}

void Tiling::move(char* dst, const char* src, bool stream) const {
    const int64_t dst_lead = dst_lines_ ? lead_of(dst, run_) : 0, src_lead = src_lines_ ? lead_of(src, run_) : 0;
    Axes<2> loops = loops_;
    const bool follow = follow_ && (dst_lead > 0 || !dst_lines_);
    const int64_t columns_piece = follow ? columns_.total : columns_.piece;
    if (columns_.axis >= 0) loops.size[columns_.axis] = pieces_of(columns_, columns_piece, dst_lead);
    if (rows_.axis >= 0) loops.size[rows_.axis] = pieces_of(rows_, rows_.piece, src_lead);
    for_ranges(loops.count(), total_bytes_, [&](int64_t begin, int64_t end) {
        Outer<2> at(loops, begin);
        const auto tile = [&] {
            const Piece columns = piece_of(columns_, columns_piece, at, dst_lead),
                        rows = piece_of(rows_, rows_.piece, at, src_lead);
            TileBlock block;
            block.dst = dst + at.offset[kDst] + columns.first * run_ + rows.start;
            block.row_offsets = rows.offsets;
            block.from = {src + at.offset[kSrc] + rows.first * run_ + columns.start, columns.offsets, rows.count,
                          columns.count};
            block.next = {};
            block.bytes = run_;
            block.stream = stream;
            block.whole_lines = dst_lines_;
            at.next();
            return block;
        };
        TileBlock block = tile();
        for (int64_t task = begin + 1; task < end; ++task) {
            const TileBlock next = tile();
            block.next = next.from;
            kernel_(block);
            block = next;
        }
        kernel_(block);
        if (stream) settle_streams();
    });
}

}  // namespace wherry
