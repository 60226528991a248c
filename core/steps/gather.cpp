// Gather: collapse, resolve indices block by block into private memory, move.
#include "gather.hpp"

#include <atomic>
#include <cstring>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "copy.hpp"
#include "lookup.hpp"

namespace wherry {
namespace {

// Turns tuples of indices into byte offsets; true if some are bad.
inline bool resolve(const GatherJob& job, const BlockKernels& kernels, const char* indices, int64_t index_step,
                    int64_t count, int64_t data_step, int64_t* offsets) {
    const bool bad = kernels.resolve(job.rule, indices, index_step, count, job.axis_stride, data_step, offsets);
    if (job.further_count == 0) return bad;
    return add_columns(job.rule, job.further, job.further_count, indices, index_step, count, offsets, bad);
}

// One tuple of indices for the whole output: a copy, or zeros.
bool gather_one(GatherJob& job, const BlockKernels& kernels) {
    int64_t offset;
    const bool bad = resolve(job, kernels, job.indices, 0, 1, 0, &offset);
    if (bad && job.rule.out_of_range == OutOfRange::raise) return false;
    if (bad) {
        Axes<1> axes;
        for (int a = 0; a < job.axes.ndim; ++a) axes.add(job.axes.size[a], {job.axes.stride[a][0]});
        const char zero = 0;
        axes.add(job.width, {1});
        fill(job.out, axes, &zero, 1);
        return true;
    }
    Axes<2> axes;
    for (int a = 0; a < job.axes.ndim; ++a) axes.add(job.axes.size[a], {job.axes.stride[a][0], job.axes.stride[a][1]});
    copy(job.out, job.data + offset, axes, job.width);
    return true;
}

int64_t read_index(IndexKind kind, const char* p) {
    return for_index(kind, [p]<class T>(T value) {
        std::memcpy(&value, p, sizeof(T));
        return static_cast<int64_t>(value);
    });
}

// How far runs must lie from each other so that fetching them ahead pays. Of single lines the processor has so many
// loads under way by itself that it only pays where they miss the last cache too.
constexpr int64_t cached_bytes(int64_t run) { return run <= 64 ? tune::kFarElementBytes : tune::kFarBytes; }

// Whether offsets leave the cache, by a few of them: sorted indices stay near, whatever the size of the axis.
template <class Offset>
bool reach_far(int64_t count, int64_t cached, Offset offset) {
    int64_t low = INT64_MAX / 2, high = INT64_MIN / 2;
    for (int64_t k = 0; k <= tune::kFarSamples; ++k) {
        const int64_t v = offset((count - 1) * k / tune::kFarSamples);
        if (v == kBadOffset) continue;
        low = least(low, v);
        high = most(high, v);
    }
    return high - low >= cached;
}

// The same before the indices are resolved.
bool reach_far(const GatherJob& job, const char* indices, int64_t index_step, int64_t count, int64_t cached) {
    return reach_far(count, cached, [&](int64_t i) {
        const int64_t v = read_index(job.rule.kind, indices + i * index_step), at = v < 0 ? v + job.rule.size : v;
        return at < 0 || at >= job.rule.size ? kBadOffset : at * job.axis_stride;
    });
}

// How far from each other the places lie that indices can name, in bytes.
int64_t reach(const GatherJob& job) {
    int64_t bytes = magnitude(job.axis_stride) * job.rule.size;
    for (int c = 0; c < job.further_count; ++c) bytes += magnitude(job.further[c].axis_stride) * job.further[c].size;
    return bytes;
}

// Short rows of indices join into one axis if the output and the indices go on evenly; data need not. Returns how
// many indices that axis has; `grid` gets the steps through data, and the joined axes other than `inner` leave `axes`.
int64_t join_rows(Axes<3>& axes, int& inner, Axes<1>& grid) {
    int first = inner;
    int64_t count = axes.size[inner];
    while (first > 0 && count < tune::kJoinedRow) {
        const int64_t (&s)[3] = axes.stride[first - 1];
        if (s[2] == 0 || s[0] != axes.stride[inner][0] * count || s[2] != axes.stride[inner][2] * count) break;
        count *= axes.size[--first];
    }
    if (first == inner) return count;
    for (int a = first; a <= inner; ++a) grid.add(axes.size[a], {axes.stride[a][1]});
    for (; inner > first; --inner) axes.remove(inner - 1);
    axes.size[inner] = count;
    axes.stride[inner][1] = 0;
    return count;
}

// True if the axis is so long that no value of the index's type lies outside it.
bool holds_every_value(const IndexRule& rule) {
    const int64_t bits = 8 * index_width(rule.kind);
    if (bits > 32) return false;
    if (rule.kind >= IndexKind::u8) return rule.size >= int64_t{1} << bits;
    return rule.negative == Negative::from_end && rule.size >= int64_t{1} << (bits - 1);
}

int innermost_index_axis(const Axes<3>& axes) {
    for (int a = axes.ndim - 1; a >= 0; --a)
        if (axes.stride[a][2] != 0) return a;
    return -1;
}

// Rows of indices that go on evenly in every operand, and nothing beside them.
struct Rows {
    const Axes<3>& axes;  // from row to row
    int64_t count, data_step, index_step;
};

// Where row or part of it begins.
struct Position {
    char* out;
    const char *data, *indices;
};

// One pass over a part of a row: the short way as far as it goes, the long way for what follows a bad index.
bool gather_part(const GatherJob& job, GatherBlock block, Position at, const Rows& rows) {
    const BlockKernels& kernels = block_kernels();
    int64_t offsets[tune::kIndexBlock];
    block.offsets = offsets;
    for (int64_t rest = block.count, done; rest > 0; rest -= done) {
        block.out = at.out;
        block.data = at.data;
        block.count = rest;
        done = kernels.gather_directly(job.rule, at.indices, rows.index_step, job.axis_stride, rows.data_step, block);
        if (done == 0) {
            block.count = done = least(rest, tune::kIndexBlock);
            block.any_bad =
                kernels.resolve(job.rule, at.indices, rows.index_step, done, job.axis_stride, rows.data_step, offsets);
            if (block.any_bad && job.rule.out_of_range == OutOfRange::raise) return false;
            kernels.gather(block);
        }
        at.out += done * block.out_step;
        at.data += done * rows.data_step;
        at.indices += done * rows.index_step;
    }
    return true;
}

// Rows of data that are used one after the other, and most lines of each: a row is fetched while the one before it is
// used.
struct NextRow {
    int64_t step = 0, lines = 0;  // to it, and of it; none where fetching would not pay

    NextRow(const GatherBlock& shape, const Rows& rows) {
        const int last = rows.axes.ndim - 1;
        if (last < 0 || shape.bytes > 64 || shape.axis_bytes == 0 || shape.axis_bytes > tune::kFarBytes) return;
        step = rows.axes.stride[last][1];
        if (magnitude(step) < shape.axis_bytes || rows.axes.count() * shape.axis_bytes < tune::kFarBytes) return;
        if (shape.axis_bytes / 64 <= rows.count) lines = shape.axis_bytes / 64;
    }

    // The share of indices first..end-1 of a row.
    void fetch(const char* row, int64_t first, int64_t end, int64_t count) const {
        for (int64_t line = first * lines / count; line < end * lines / count; ++line)
            __builtin_prefetch(row + step + line * 64);
    }
};

bool gather_rows(const GatherJob& job, const GatherBlock& shape, const Rows& rows, int64_t total_bytes) {
    const int64_t row_count = rows.axes.count();
    int64_t block = least(rows.count, tune::kTaskIndices);
    if (total_bytes >= tune::kBlockBytes) block = least(block, pieces(rows.count, pieces(tune::kTasks, row_count)));
    const int64_t blocks = pieces(rows.count, block), cached = cached_bytes(shape.bytes);
    const bool each_elsewhere = reach(job) < cached;  // it is scattered because each row has a part of data for itself
    const NextRow next(shape, rows);
    std::atomic<bool> refused{false};
    for_ranges(row_count * blocks, total_bytes, [&](int64_t begin, int64_t end) {
        Outer<3> row(rows.axes, begin / blocks);
        int64_t piece = begin % blocks;
        for (; begin < end && !refused.load(std::memory_order_relaxed); ++begin) {
            const int64_t end_of_piece = least(piece * block + block, rows.count);
            const int64_t step = next.lines > 0 ? tune::kRowIndices : block;
            for (int64_t first = piece * block; first < end_of_piece; first += step) {
                const Position at{job.out + row.offset[0] + first * shape.out_step,
                                  job.data + row.offset[1] + first * rows.data_step,
                                  job.indices + row.offset[2] + first * rows.index_step};
                GatherBlock part = shape;
                part.count = least(step, end_of_piece - first);
                part.scattered = shape.scattered &&
                                 (each_elsewhere || reach_far(job, at.indices, rows.index_step, part.count, cached));
                next.fetch(job.data + row.offset[1], first, first + part.count, rows.count);
                if (!gather_part(job, part, at, rows)) refused.store(true, std::memory_order_relaxed);
            }
            if (++piece == blocks) {
                piece = 0;
                row.next();
            }
        }
    });
    return !refused.load();
}

}  // namespace

bool gather(GatherJob& job) {
    Axes<3>& axes = job.axes;
    if (axes.empty || job.width == 0) return true;
    const BlockKernels& kernels = block_kernels();
    collapse(axes);
    job.out += axes.offset[0];
    job.data += axes.offset[1];
    job.indices += axes.offset[2];
    int inner = innermost_index_axis(axes);
    if (inner < 0) return gather_one(job, kernels);

    const int64_t total = axes.count();
    const int64_t total_bytes = total * job.width;
    GatherBlock shape{};
    shape.bytes = take_run(axes, job.width);
    shape.scattered = reach(job) >= cached_bytes(shape.bytes);
    // What is read from far goes through the cache as well, and as much of it as is written.
    shape.stream = total_bytes >= (shape.scattered ? tune::kStreamFarBytes : tune::kStreamBytes);
    shape.axis_bytes = job.axis_stride == shape.bytes && job.further_count == 0 ? shape.bytes * job.rule.size : 0;
    shape.out_step = axes.stride[inner][0];
    Axes<1> grid;
    const int64_t count = join_rows(axes, inner, grid);
    const int64_t data_step = axes.stride[inner][1], index_step = axes.stride[inner][2];
    if (grid.ndim > 0) shape.axis_bytes = 0;

    if (axes.ndim == 1 && grid.ndim == 0 && index_step == 1 && data_step == 0 && shape.out_step == shape.bytes &&
        is_lookup(job, count, shape.bytes))
        return look_up(job, count, shape.bytes, shape.stream);

    // The other axes: those along which the indices change, and those along which they are used again.
    Axes<3> index_axes, passes;
    bool writes_finer = false, reads_finer = false;
    for (int a = 0; a < axes.ndim; ++a) {
        if (a == inner) continue;
        const int64_t (&s)[3] = axes.stride[a];
        (s[2] != 0 ? index_axes : passes).add(axes.size[a], {s[0], s[1], s[2]});
        if (s[2] == 0) {
            writes_finer |= a > inner;
            reads_finer |= magnitude(s[1]) < 64;
        }
    }
    shape.passes = 1;
    if (passes.ndim > 0) {
        // The innermost pass axis is part of the block.
        const int last = passes.ndim - 1;
        shape.passes = passes.size[last];
        shape.out_pass = passes.stride[last][0];
        shape.data_pass = passes.stride[last][1];
        passes.remove(last);
    }

    if (shape.bytes > 64)
        for (int a = 0; a < index_axes.ndim; ++a)
            shape.scattered |= magnitude(index_axes.stride[a][1]) * index_axes.size[a] >= cached_bytes(shape.bytes);
    if (shape.passes == 1 && passes.ndim == 0 && job.further_count == 0 && grid.ndim == 0)
        return gather_rows(job, shape, {index_axes, count, data_step, index_step}, total_bytes);

    // Passes that step finer than a cache line come back to the same lines: keep those lines in the cache.
    int64_t block = least(count, tune::kIndexBlock);
    if (writes_finer) block = least(block, most(16, tune::kBlockBytes / most(1, magnitude(shape.out_step))));
    if (reads_finer) block = least(block, tune::kPassIndices);
    // Few indices of long runs: enough blocks for the threads.
    if (total_bytes >= tune::kBlockBytes)
        block = least(block, pieces(count, pieces(tune::kTasks, index_axes.count() * passes.count() * shape.passes)));
    const int64_t blocks = pieces(count, block);
    const int64_t pass_piece = most(1, tune::kPassBytes / (block * shape.bytes));
    const int64_t pass_pieces = pieces(shape.passes, pass_piece);
    const int64_t per_block = passes.count() * pass_pieces;
    const int64_t tasks = index_axes.count() * blocks * per_block;

    std::atomic<bool> refused{false};
    for_ranges(tasks, total_bytes, [&](int64_t begin, int64_t end) {
        int64_t offsets[tune::kIndexBlock];
        while (begin < end) {
            const int64_t which = begin / per_block;
            int64_t part = begin % per_block;
            const int64_t until = least(per_block, part + end - begin);
            begin += until - part;

            Outer<3> at(index_axes, which / blocks);
            const int64_t first = which % blocks * block;
            GatherBlock moved = shape;
            moved.count = least(block, count - first);
            moved.offsets = offsets;
            char* out = job.out + at.offset[0] + first * shape.out_step;
            const char* data = job.data + at.offset[1] + first * data_step;
            const char* indices = job.indices + at.offset[2] + first * index_step;
            moved.any_bad = resolve(job, kernels, indices, index_step, moved.count, data_step, offsets);
            add_positions(grid, first, moved.count, offsets, moved.any_bad);
            if (moved.any_bad && job.rule.out_of_range == OutOfRange::raise)
                refused.store(true, std::memory_order_relaxed);
            if (refused.load(std::memory_order_relaxed)) return;
            moved.scattered = shape.scattered &&
                              reach_far(moved.count, cached_bytes(shape.bytes), [&](int64_t i) { return offsets[i]; });
            Outer<3> pass(passes, part / pass_pieces);
            int64_t piece = part % pass_pieces;
            for (; part < until; ++part) {
                moved.passes = least(pass_piece, shape.passes - piece * pass_piece);
                moved.out = out + pass.offset[0] + piece * pass_piece * shape.out_pass;
                moved.data = data + pass.offset[1] + piece * pass_piece * shape.data_pass;
                kernels.gather(moved);
                if (++piece == pass_pieces) {
                    piece = 0;
                    pass.next();
                }
            }
        }
    });
    return !refused.load();
}

BadIndex check_indices(const IndexArray& indices) {
    if (holds_every_value(indices.rule)) return {false, 0, 0};
    const BlockKernels& kernels = block_kernels();
    IndexRule rule = indices.rule;
    rule.out_of_range = OutOfRange::raise;
    // Whether any is bad does not depend on the order: collapse and go in parallel.
    if (indices.axes.empty) return {false, 0, 0};
    Axes<1> axes = indices.axes;
    collapse(axes);
    const char* start = indices.start + axes.offset[0];
    const int64_t total = axes.count();
    const int fine = axes.ndim - 1;
    const int64_t count = fine < 0 ? 1 : axes.size[fine], step = fine < 0 ? 0 : axes.stride[fine][0];
    const int64_t block = least(count, tune::kTaskIndices), blocks = pieces(count, block);
    if (fine >= 0) axes.remove(fine);
    std::atomic<bool> bad{false};
    for_ranges(axes.count() * blocks, total * index_width(rule.kind), [&](int64_t begin, int64_t end) {
        Outer<1> at(axes, begin / blocks);
        int64_t piece = begin % blocks;
        for (; begin < end && !bad.load(std::memory_order_relaxed); ++begin) {
            const int64_t first = piece * block;
            if (kernels.any_outside(rule, start + at.offset[0] + first * step, step, least(block, count - first)))
                bad.store(true, std::memory_order_relaxed);
            if (++piece == blocks) {
                piece = 0;
                at.next();
            }
        }
    });
    if (!bad.load()) return {false, 0, 0};

    // Now the first one, in row-major order and one at a time.
    Outer<1> at(indices.axes, 0);
    const int64_t width = index_width(rule.kind);
    for (int64_t position = 0; position < total; ++position, at.next()) {
        char value[8];
        const volatile char* shared = indices.start + at.offset[0];
        for (int64_t k = 0; k < width; ++k) value[k] = shared[k];
        if (kernels.any_outside(rule, value, 0, 1)) return {true, position, read_index(rule.kind, value)};
    }
    return {false, 0, 0};  // another thread has changed the indices meanwhile
}

}  // namespace wherry
