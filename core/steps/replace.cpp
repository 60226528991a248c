// Replace: each thread notes the last update of each of its rows, and then gathers these rows from both sources.
#include "replace.hpp"

#include <atomic>
#include <memory>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"

namespace wherry {
namespace {

constexpr int32_t kNone = -1;

// All tuples of indices as one row, in their order; false where they are none.
bool join_indices(const Axes<3>& axes, ReplaceJob& job) {
    job.count = 1;
    for (int a = axes.ndim - 1; a >= 0; --a) {
        const int64_t (&s)[3] = axes.stride[a];
        if (a == axes.ndim - 1) {
            job.update_step = s[1];
            job.index_step = s[2];
        } else if (s[1] != job.update_step * job.count || s[2] != job.index_step * job.count) {
            return false;
        }
        job.count *= axes.size[a];
    }
    return true;
}

// Notes the last update of each of the rows begin..end-1. True if some update is to be left out.
bool note(const ReplaceJob& job, int64_t begin, int64_t end, int32_t* last) {
    for (int64_t r = begin; r < end; ++r) last[r] = kNone;
    const uint64_t size = static_cast<uint64_t>(end - begin);
    int64_t rows[tune::kIndexBlock];
    bool bad = false;
    for (int64_t first = 0; first < job.count; first += tune::kIndexBlock) {
        const int64_t count = least(tune::kIndexBlock, job.count - first);
        bad |=
            block_kernels().resolve(job.rule, job.indices + first * job.index_step, job.index_step, count, 1, 0, rows);
        for (int64_t i = 0; i < count; ++i)
            if (static_cast<uint64_t>(rows[i]) - static_cast<uint64_t>(begin) < size)
                last[rows[i]] = static_cast<int32_t>(first + i);
    }
    return bad;
}

void move_rows(const ReplaceJob& job, int64_t begin, int64_t end, const int32_t* last) {
    const int64_t updates = reinterpret_cast<intptr_t>(job.updates) - reinterpret_cast<intptr_t>(job.data);
    int64_t offsets[tune::kReplaceRows];
    GatherBlock block{};
    block.data = job.data;
    block.offsets = offsets;
    block.out_step = job.target_step;
    block.passes = 1;
    block.bytes = job.bytes;
    block.stream = job.rows * job.bytes >= tune::kStreamFarBytes;
    block.scattered = true;
    for (int64_t first = begin; first < end; first += tune::kReplaceRows) {
        block.count = least(tune::kReplaceRows, end - first);
        block.out = job.target + first * job.target_step;
        for (int64_t i = 0; i < block.count; ++i) {
            const int64_t update = last[first + i];
            offsets[i] = update == kNone ? (first + i) * job.data_step : updates + update * job.update_step;
        }
        block_kernels().gather(block);
    }
}

}  // namespace

std::optional<ReplaceJob> as_replace(char* target, const char* data, Axes<2> copied, const ScatterJob& scatter) {
    const Column& column = scatter.column[0];
    if (scatter.reduction != Reduction::none || scatter.column_count != 1 || copied.empty || scatter.axes.empty)
        return {};
    Axes<3> indices, runs;
    for (int a = 0; a < scatter.axes.ndim; ++a) {
        const int64_t (&s)[3] = scatter.axes.stride[a];
        (s[0] == 0 ? indices : runs).add(scatter.axes.size[a], {s[0], s[1], s[2]});
    }
    collapse(runs);
    collapse(copied);
    ReplaceJob job{};
    job.rows = column.size;
    job.bytes = take_run(runs, scatter.width);
    job.target_step = job.data_step = column.axis_stride;
    if (runs.ndim > 0 || job.bytes < tune::kReplaceRowBytes || job.target_step < job.bytes ||
        !join_indices(indices, job))
        return {};
    const int64_t run = take_run(copied, scatter.width);
    const bool whole = copied.ndim == 0 && run == job.rows * job.bytes && job.target_step == job.bytes;
    const bool by_rows =
        copied.ndim == 1 && run == job.bytes && copied.size[0] == job.rows && copied.stride[0][0] == job.target_step;
    if (!whole && !by_rows) return {};
    if (by_rows) job.data_step = copied.stride[0][1];
    job.target = scatter.target + runs.offset[0];
    if (target + copied.offset[0] != job.target) return {};
    if (job.rows * job.bytes < tune::kReplaceBytes || job.rows > tune::kReplaceMostRows || job.count > INT32_MAX ||
        job.count * tune::kReplaceUpdates < job.rows)
        return {};
    job.data = data + copied.offset[1];
    job.updates = scatter.updates + runs.offset[1];
    job.indices = scatter.indices + column.start;
    job.rule = scatter.rule;
    job.rule.size = job.rows;
    return job;
}

bool replace(const ReplaceJob& job) {
    const std::unique_ptr<int32_t[]> last(new int32_t[static_cast<size_t>(job.rows)]);
    std::atomic<bool> whole{true};
    for_ranges(
        job.rows, job.rows * job.bytes,
        [&](int64_t begin, int64_t end) {
            if (note(job, begin, end, last.get()) && job.rule.out_of_range == OutOfRange::raise) whole.store(false);
            move_rows(job, begin, end, last.get());
        },
        Ranges::one_each);
    return whole.load();
}

}  // namespace wherry
