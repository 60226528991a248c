// Replace: each thread notes the last update of each of its rows, and then gathers these rows from both sources.
#include "replace.hpp"

#include <atomic>
#include <new>

#include "../kept.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "far.hpp"

namespace wherry {
namespace {

constexpr int32_t kNone = -1;

}  // namespace

// All tuples of indices as one row, in their order; false where they are none.
bool ReplaceStep::join_indices(const Axes<3>& axes) {
    count = 1;
    for (int a = axes.ndim - 1; a >= 0; --a) {
        const int64_t (&s)[3] = axes.stride[a];
        if (a == axes.ndim - 1) {
            update_step = s[1];
            index_step = s[2];
        } else if (s[1] != update_step * count || s[2] != index_step * count) {
            return false;
        }
        count *= axes.size[a];
    }
    return true;
}

std::unique_ptr<ReplaceStep> as_replace(const CopyStep& copy, const ScatterStep& scatter) {
    const Column& column = scatter.column[0];
    const int to = copy.to.buffer;
    if (scatter.target.buffer != to || copy.from.buffer == to || scatter.updates.buffer == to ||
        scatter.indices.buffer == to)
        return nullptr;
    if (scatter.reduction != Reduction::none || scatter.column_count != 1 || copy.axes.empty || scatter.axes.empty)
        return nullptr;
    Axes<3> indices, runs;
    for (int a = 0; a < scatter.axes.ndim; ++a) {
        const int64_t (&s)[3] = scatter.axes.stride[a];
        (s[0] == 0 ? indices : runs).add(scatter.axes.size[a], {s[0], s[1], s[2]});
    }
    Axes<2> copied = copy.axes;
    collapse(runs);
    collapse(copied);
    auto step = std::make_unique<ReplaceStep>();
    step->rows = column.size;
    step->row_bytes = take_run(runs, scatter.width);
    step->target_step = step->data_step = column.axis_stride;
    if (runs.ndim > 0 || step->row_bytes < tune::kReplaceRowBytes || step->target_step < step->row_bytes ||
        !step->join_indices(indices))
        return nullptr;
    const int64_t run = take_run(copied, scatter.width), all = step->rows * step->row_bytes;
    const bool whole = copied.ndim == 0 && run == all && step->target_step == step->row_bytes;
    const bool by_rows = copied.ndim == 1 && run == step->row_bytes && copied.size[0] == step->rows &&
                         copied.stride[0][0] == step->target_step;
    if (!whole && !by_rows) return nullptr;
    if (by_rows) step->data_step = copied.stride[0][1];
    step->target = {to, scatter.target.offset + runs.offset[0]};
    if (copy.to.offset + copied.offset[0] != step->target.offset) return nullptr;
    if (all < machine().replace || step->rows > tune::kReplaceMostRows || step->count > INT32_MAX ||
        step->count * tune::kReplaceUpdates < step->rows)
        return nullptr;
    step->data = {copy.from.buffer, copy.from.offset + copied.offset[1]};
    step->updates = {scatter.updates.buffer, scatter.updates.offset + runs.offset[1]};
    step->indices = {scatter.indices.buffer, scatter.indices.offset + column.start};
    step->rule = scatter.rule;
    step->rule.size = step->rows;
    step->bytes = sum_of_bytes(copy.bytes, scatter.bytes);
    return step;
}

void ReplaceStep::prepare() {
    resolve_ = block_kernels().resolve(rule.type);
    gather_ = block_kernels().gather(row_bytes);
    shape_ = {};
    shape_.out_step = target_step;
    shape_.passes = 1;
    shape_.bytes = row_bytes;
    shape_.stream = rows * row_bytes >= machine().stream_far;
    shape_.scattered = true;
    shape_.fetched = bytes_to_fetch(row_bytes, rows * row_bytes);
    shape_.into_first = goes_into_first(row_bytes, shape_.stream);
    shape_.streamed_ahead = machine().fetch_streamed;
}

// Notes the last update of each of the rows begin..end-1. True if some update is to be left out.
bool ReplaceStep::note(const char* from, int64_t begin, int64_t end, int32_t* last) const {
    for (int64_t r = begin; r < end; ++r) last[r] = kNone;
    const uint64_t size = static_cast<uint64_t>(end - begin);
    int64_t found[tune::kIndexBlock];
    bool bad = false;
    for (int64_t first = 0; first < count; first += tune::kIndexBlock) {
        const int64_t part = least(tune::kIndexBlock, count - first);
        bad |= resolve_(rule, from + first * index_step, index_step, part, 1, 0, found);
        for (int64_t i = 0; i < part; ++i)
            if (static_cast<uint64_t>(found[i]) - static_cast<uint64_t>(begin) < size)
                last[found[i]] = static_cast<int32_t>(first + i);
    }
    return bad;
}

void ReplaceStep::move_rows(char* const* base, int64_t begin, int64_t end, const int32_t* last) const {
    char* const to = target.in(base);
    const char* const from = data.in(base);
    const int64_t behind = reinterpret_cast<intptr_t>(updates.in(base)) - reinterpret_cast<intptr_t>(from);
    int64_t offsets[tune::kReplaceRows];
    GatherBlock block = shape_;
    block.data = from;
    block.offsets = offsets;
    for (int64_t first = begin; first < end; first += tune::kReplaceRows) {
        block.count = least(tune::kReplaceRows, end - first);
        block.out = to + first * target_step;
        for (int64_t i = 0; i < block.count; ++i) {
            const int64_t update = last[first + i];
            offsets[i] = update == kNone ? (first + i) * data_step : behind + update * update_step;
        }
        gather_(block);
    }
}

bool ReplaceStep::run(char* const* base) const {
    const KeptMemory memory = new_memory(rows * static_cast<int64_t>(sizeof(int32_t)));
    if (!memory) throw std::bad_alloc();
    int32_t* const last = reinterpret_cast<int32_t*>(memory.get());
    std::atomic<bool> whole{true};
    for_ranges(
        rows, rows * row_bytes,
        [&](int64_t begin, int64_t end) {
            if (note(indices.in(base), begin, end, last) && rule.out_of_range == OutOfRange::raise) whole.store(false);
            move_rows(base, begin, end, last);
        },
        Ranges::one_each);
    return whole.load();
}

}  // namespace wherry
