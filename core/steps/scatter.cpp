// Scatter: split over threads by parts of the target, resolve indices block by block, apply in order.
#include "scatter.hpp"

#include <atomic>
#include <cstring>
#include <utility>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "far.hpp"

namespace wherry {
namespace {

constexpr int64_t kAnyBytes = 0;  // of a run whose length is not known yet

// Axes of indices become one where updates and indices go on evenly, and rows are short or share their target; `grid`
// gets the steps through the target. Returns the number of positions; the joined axes leave `axes`. None outside of
// axis `first_joined` joins it.
int64_t join_rows(Axes<3>& axes, Axes<1>& grid, int64_t& update_step, int64_t& index_step, int first_joined) {
    update_step = index_step = 0;
    if (axes.ndim == 0) return 1;
    int first = axes.ndim - 1;
    int64_t count = axes.size[first];
    update_step = axes.stride[first][1];
    index_step = axes.stride[first][2];
    for (; first > 0 && first != first_joined; --first) {
        const int64_t (&s)[3] = axes.stride[first - 1];
        if (s[1] != update_step * count || s[2] != index_step * count) break;
        if (s[0] != 0 && count >= tune::kJoinedRow) break;
        count *= axes.size[first - 1];
    }
    for (int a = first; a < axes.ndim; ++a) grid.add(axes.size[a], {axes.stride[a][0]});
    bool stays = true;
    for (int a = 0; a < grid.ndim; ++a) stays &= grid.stride[a][0] == 0;
    if (stays) grid.ndim = 0;
    axes.ndim = first;
    return count;
}

bool is_pass(const int64_t (&stride)[3]) { return stride[0] != 0 && stride[2] == 0; }

}  // namespace

void ScatterStep::check(Fields& fields) {
    width = fields.integer(4);
    read_rule(fields, 5, 7, 8, rule);
    reduction =
        static_cast<Reduction>(fields.integer(6, 0, static_cast<int>(Reduction::max), "reduction must be 0..5"));
    nan = static_cast<NanRule>(fields.integer(10, 0, static_cast<int>(NanRule::data), "nan must be 0..2"));
    element = Element::u8;
    if (reduction != Reduction::none) {
        element = element_in(fields, 9);
        require(width_of(element) == width, "element has another width than target");
        require(has_arithmetic(reduction, element), "the reduction has no meaning for the element type");
    }
    const Tensor written = fields.target(1, width), picks = fields.tensor(2, index_width(rule.type)),
                 given = fields.tensor(3, width);
    column_count = read_columns(written, picks, given, rule, column);
    target = spot_of(written), indices = spot_of(picks), updates = spot_of(given);
    for (int a = 0; a < given.ndim; ++a)
        axes.add(given.sizes[a], {written.strides[a], given.strides[a], picks.strides[a]});
    bytes = bytes_of(given, width);
}

void ScatterStep::prepare() {
    empty_ = axes.empty || width == 0;
    if (empty_) return;
    resolve_ = block_kernels().resolve(rule.type);
    Axes<3> index_axes, passes;
    for (int a = 0; a < axes.ndim; ++a) {
        const int64_t (&s)[3] = axes.stride[a];
        (is_pass(s) ? passes : index_axes).add(axes.size[a], {s[0], s[1], s[2]});
    }
    collapse(passes);
    offsets_ = offsets_along(index_axes);
    whole_.prepare(index_axes, passes, width);
    work_bytes_ = axes.count() * width + axes.count() * width / whole_.bytes * tune::kIndexedBytes;
    choose_kernels(whole_, whole_.bytes);
    prepare_split(index_axes, passes);
    if (split_.place == ScatterSplit::Place::none) prepare_ranges();
}

// Whether there is one update of one element beside each index, and the kernels can read that.
bool ScatterStep::is_named(const ScatterWalk& walk) const {
    if (column_count != 1 || !walk.is_once || walk.bytes != width) return false;
    int64_t bits = column[0].start;
    for (int a = 0; a < walk.tuples.ndim; ++a) bits |= walk.tuples.stride[a][2];
    return bits % index_width(rule.type) == 0;
}

void ScatterStep::choose_kernels(ScatterWalk& walk, int64_t bytes) const {
    const ScatterKernels kernels = apply_for(element, reduction, nan, bytes, rule.type);
    walk.apply = kernels.block;
    const bool directly = column_count == 1 && walk.grid.ndim == 0 && walk.index_step == index_width(rule.type);
    walk.named = is_named(walk) ? kernels.named : nullptr;
    walk.pick_directly = directly ? block_kernels().pick_directly(rule.type) : nullptr;
    fetch_rows(walk);
}

void ScatterStep::fetch_rows(ScatterWalk& walk) const {
    const int last = walk.index_axes.ndim - 1;
    if (last < 0 || !walk.is_once || column_count != 1 || walk.grid.ndim > 0) return;
    const int64_t row = column[0].axis_stride == walk.bytes ? walk.bytes * column[0].size : 0;
    walk.next.prepare(row, walk.index_axes.stride[last][0], walk.index_axes.count(), walk.count, walk.bytes);
}

// Splits the first axis with room for threads apart from each other, or a longer one if that has few positions.
void ScatterStep::prepare_split(const Axes<3>& index_axes, const Axes<3>& passes) {
    int best = -1;  // axes of indices are counted before those of passes
    for (int a = 0; a < index_axes.ndim + passes.ndim; ++a) {
        const bool is_index = a < index_axes.ndim;
        const int axis = is_index ? a : a - index_axes.ndim;
        const Axes<3>& all = is_index ? index_axes : passes;
        const int64_t size = all.size[axis], (&step)[3] = all.stride[axis];
        if (magnitude(step[0]) * size < tune::kScatterApart) continue;
        if (best >= 0 && (split_.size >= tune::kTasks || size <= split_.size)) continue;
        best = a;
        split_ = {ScatterSplit::Place::none, axis, size, 1, {step[0], step[1], step[2]}};
    }
    if (best < 0) return;
    const bool is_index = best < index_axes.ndim;
    part_.prepare(index_axes, passes, width, is_index ? best : -1);
    using Place = ScatterSplit::Place;
    if (is_index) {
        split_.place = split_.axis < part_.index_axes.ndim ? Place::index_axis : Place::row;
        if (split_.place == Place::row) split_.unit = part_.count / split_.size;
    } else if (split_.axis < part_.passes.ndim) {
        split_.place = Place::pass_axis;
    } else {
        const bool is_run = split_.axis == passes.ndim - 1 && part_.bytes != width;
        split_.place = is_run ? Place::run : Place::inner_passes;
        if (is_run) split_.unit = width;
    }
    choose_kernels(part_, split_.place == Place::run ? kAnyBytes : part_.bytes);
}

// Whether single elements are fetched ahead.
bool ScatterStep::is_far() const { return offsets_.span() >= 2 * machine().far_element; }

void ScatterStep::prepare_ranges() {
    const int64_t span = offsets_.span();
    pieces_ = bytes_of_index() < tune::kScatterManyBytes ? least(span, tune::kScatterThreads) : span;
    piece_ = pieces(span, pieces_);
    prepare_partition();
}

void ScatterStep::prepare_partition() {
    if (whole_.count < tune::kPartitionUpdates || !whole_.is_once || whole_.index_axes.ndim > 0) return;
    const PairsKernel apply = apply_for(element, reduction, nan, whole_.bytes, rule.type).pairs;
    partition_.prepare(offsets_.low, offsets_.high, whole_.count, whole_.bytes, apply);
}

// The offsets that tuples of indices can have, and positions along some axes.
ScatterStep::Range ScatterStep::offsets_along(const Axes<3>& some) const {
    Range range{0, 1, false};
    const auto add = [&](int64_t size, int64_t stride) {
        const int64_t far = size > 0 ? (size - 1) * stride : 0;
        (far < 0 ? range.low : range.high) += far;
    };
    for (int c = 0; c < column_count; ++c) add(column[c].size, column[c].axis_stride);
    for (int a = 0; a < some.ndim; ++a) add(some.size[a], some.stride[a][0]);
    return range;
}

int64_t ScatterStep::bytes_of_index() const {
    int64_t moved = width;
    for (int a = 0; a < axes.ndim; ++a)
        if (is_pass(axes.stride[a])) moved *= axes.size[a];
    return moved;
}

void ScatterWalk::prepare(const Axes<3>& indices, const Axes<3>& all_passes, int64_t width, int first_joined) {
    index_axes = tuples = indices;
    if (first_joined < 0) merge_neighbours(tuples);
    passes = all_passes;
    count = join_rows(index_axes, grid, update_step, index_step, first_joined);
    bytes = take_run(passes, width);
    inner_passes = 1;
    is_once = passes.ndim == 0;
    if (is_once) return;
    const int last = passes.ndim - 1;
    inner_passes = passes.size[last];
    target_pass = passes.stride[last][0];
    update_pass = passes.stride[last][1];
    passes.remove(last);
}

ScatterWalk ScatterWalk::part(const ScatterSplit& split, int64_t length) const {
    ScatterWalk found = *this;
    const int64_t number = length * split.unit;
    const bool is_index = split.place == ScatterSplit::Place::index_axis || split.place == ScatterSplit::Place::row;
    if (is_index) found.tuples.size[split.axis] = length;
    switch (split.place) {
        case ScatterSplit::Place::none: break;
        case ScatterSplit::Place::index_axis: found.index_axes.size[split.axis] = number; break;
        case ScatterSplit::Place::row: found.count = number; break;
        case ScatterSplit::Place::pass_axis: found.passes.size[split.axis] = number; break;
        case ScatterSplit::Place::inner_passes: found.inner_passes = number; break;
        case ScatterSplit::Place::run: found.bytes = number; break;
    }
    return found;
}

bool ScatterStep::run(char* const* base) const {
    if (empty_) return true;
    const Position start{target.in(base), updates.in(base), indices.in(base)};
    if (split_.place != ScatterSplit::Place::none) return run_split(start);
    if (pays_to_part(start))
        if (const Pairs pairs(partition_); pairs) return run_partition(start, pairs);
    return run_ranges(start);
}

bool ScatterStep::run_split(const Position& start) const {
    std::atomic<bool> whole{true};
    const Range all{0, 0, true};
    const int64_t size = split_.size, (&step)[3] = split_.step;
    for_ranges(
        size, work_bytes_,
        [&](int64_t begin, int64_t end) {
            const Position at{start.target + begin * step[0], start.updates + begin * step[1],
                              start.indices + begin * step[2]};
            const bool alone = end - begin == size;
            if (!(alone ? run_walk(whole_, all, at) : run_walk(part_.part(split_, end - begin), all, at)))
                whole.store(false);
        },
        Ranges::one_each);
    return whole.load();
}

// One thread has used indices of near elements before two have looked at all of them.
bool ScatterStep::pays_to_share() const {
    const int64_t near = most(2 * machine().far_element, machine().last / 2);
    return !whole_.named || offsets_.span() >= near;
}

bool ScatterStep::run_ranges(const Position& start) const {
    std::atomic<bool> whole{true};
    const int64_t count = pays_to_share() ? pieces_ : 1;
    for_ranges(
        count, work_bytes_,
        [&](int64_t begin, int64_t end) {
            const bool alone = end - begin == count;
            const Range range{offsets_.low + begin * piece_, offsets_.low + end * piece_, alone};
            if (!run_walk(whole_, range, start)) whole.store(false);
        },
        Ranges::one_each);
    return whole.load();
}

// All updates of the walk whose offsets lie in the range, in row-major order. False if `raise` met a bad index.
bool ScatterStep::run_walk(const ScatterWalk& walk, const Range& range, const Position& start) const {
    const Position at{start.target + walk.passes.offset[0], start.updates + walk.passes.offset[1], start.indices};
    const bool aligned = reinterpret_cast<intptr_t>(at.indices) % index_width(rule.type) == 0;
    if (walk.named && range.all && aligned) return run_named(walk, at);
    return walk.is_once ? run_once(walk, range, at) : run_passes(walk, range, at);
}

// Few threads soon looked at all indices. They gain where updates share lines that no cache holds from one of them to
// the next: neither the last cache nor, where those that follow each other go near each other, the second. Some cores
// never do, others not alone.
bool ScatterStep::pays_to_part(const Position& start) const {
    if (partition_.buckets == 0) return false;
    const int64_t threads = get_num_threads();
    if (threads >= tune::kPartitionThreads) return true;
    const int64_t span = offsets_.span();
    const int64_t least_together = span / tune::kLine * tune::kPartitionShare;
    const int64_t limit = threads == 1 ? machine().partition_one : machine().partition_few;
    return span > limit && partition_.together >= least_together && lie_far(start);
}

// Some updates in the middle tell how far from each other those go that follow each other.
bool ScatterStep::lie_far(const Position& start) const {
    const int64_t count = least(tune::kQueueIndices, whole_.count), first = (whole_.count - count) / 2;
    int64_t offsets[tune::kQueueIndices];
    const bool left_out = resolve(start.indices + first * whole_.index_step, whole_.index_step, count, offsets);
    add_positions(whole_.grid, first, count, offsets, left_out);
    return lie_far_by(count, machine().far, [&](int64_t i) { return offsets[i]; });
}

// The offsets of a block of tuples; true if some update is to be left out.
bool ScatterStep::resolve(const char* from, int64_t index_step, int64_t count, int64_t* offsets) const {
    if (column_count == 1) {
        IndexRule own = rule;
        own.size = column[0].size;
        return resolve_(own, from + column[0].start, index_step, count, column[0].axis_stride, 0, offsets);
    }
    for (int64_t i = 0; i < count; ++i) offsets[i] = 0;
    return add_columns(resolve_, rule, column, column_count, from, index_step, count, offsets, false);
}

// Where updates come from and go to, as offsets.
struct ScatterStep::Places {
    int64_t* offsets;
    int64_t* sources;
    int64_t kept = 0;

    // `count` tuples from `first` on in one row, cut to the range; true if some update is to be left out.
    bool add(const ScatterStep& step, const char* from, const ScatterWalk& walk, const Range& range, const Outer<3>& at,
             int64_t first, int64_t count) {
        const int64_t base = at.offset[0];
        const PickBlock block{offsets + kept,
                              sources + kept,
                              count,
                              range.all ? kBadOffset + 1 : range.low - base,
                              range.all ? INT64_MAX : range.high - base,
                              base,
                              at.offset[1] + first * walk.update_step,
                              walk.update_step};
        from += at.offset[2] + first * walk.index_step;
        if (walk.pick_directly) {
            const Column& column = step.column[0];
            IndexRule rule = step.rule;
            rule.size = column.size;
            const int64_t added = walk.pick_directly(rule, from + column.start, column.axis_stride, block);
            if (added >= 0) {
                kept += added;
                return false;
            }
        }
        const bool left_out = step.resolve(from, walk.index_step, count, block.offsets);
        add_positions(walk.grid, first, count, block.offsets, left_out);
        kept += block_kernels().pick(block);
        return left_out;
    }
};

// The innermost axis, which leaves `axes`.
IndexAxis take_innermost(Axes<3>& axes) {
    if (axes.ndim == 0) return {};
    const IndexAxis found = index_axis(axes, axes.ndim - 1);
    axes.remove(axes.ndim - 1);
    return found;
}

// One element for each tuple: two axes at a time are left to the kernel. Of many short rows, no two of which have an
// element in common, it is given the columns.
bool ScatterStep::run_named(const ScatterWalk& walk, const Position& start) const {
    Axes<3> around = walk.tuples;
    NamedUpdates named;
    named.row = take_innermost(around);
    named.rows = take_innermost(around);
    int64_t together = named.row.count;
    if (named.row.count <= tune::kScatterColumns && named.rows.count > named.row.count && named.rows.written != 0) {
        std::swap(named.row, named.rows);
        together = tune::kNamedTogether;
    }
    named.rule = rule;
    named.rule.size = column[0].size;
    named.axis_stride = column[0].axis_stride;
    named.far = is_far();
    named.resolve = resolve_;
    const IndexAxis all = named.row;
    bool whole = true;
    Outer<3> at(around, 0);
    for (int64_t k = around.count(); k > 0; --k, at.next()) {
        for (int64_t first = 0; first < all.count; first += together) {
            named.row.count = least(all.count - first, together);
            named.target = start.target + at.offset[0] + first * all.written;
            named.updates = start.updates + at.offset[1] + first * all.read;
            named.indices = start.indices + at.offset[2] + first * all.index + column[0].start;
            whole &= walk.named(named) || rule.out_of_range != OutOfRange::raise;
        }
    }
    return whole;
}

// One run for each tuple: the places wait in a queue, so that elements are fetched ahead across blocks and rows, if not
// by whole rows.
bool ScatterStep::run_once(const ScatterWalk& walk, const Range& range, const Position& start) const {
    constexpr int64_t ahead = tune::kScatterAhead, block = tune::kQueueIndices;
    int64_t offsets[ahead + 2 * block + kPickRoom], sources[ahead + 2 * block + kPickRoom];
    ScatterBlock moved{};
    moved.target = start.target;
    moved.updates = start.updates;
    moved.offsets = offsets;
    moved.sources = sources;
    moved.passes = 1;
    moved.bytes = walk.bytes;
    bool whole = true;
    Places places{offsets, sources};
    const int64_t most_count = walk.next.lines > 0 ? tune::kRowIndices : block;
    Outer<3> at(walk.index_axes, 0);
    for (int64_t row = walk.index_axes.count(); row > 0; --row, at.next()) {
        for (int64_t first = 0; first < walk.count; first += most_count) {
            const int64_t count = least(most_count, walk.count - first);
            walk.next.fetch(start.target + at.offset[0], first, first + count, walk.count);
            const bool left_out = places.add(*this, start.indices, walk, range, at, first, count);
            whole &= !left_out || rule.out_of_range != OutOfRange::raise;
            if (places.kept < ahead + block) continue;
            moved.known = walk.next.lines > 0 ? 0 : places.kept;
            moved.count = places.kept - ahead;
            walk.apply(moved);
            std::memcpy(offsets, offsets + moved.count, ahead * sizeof(int64_t));
            std::memcpy(sources, sources + moved.count, ahead * sizeof(int64_t));
            places.kept = ahead;
        }
    }
    moved.count = places.kept;
    moved.known = walk.next.lines > 0 ? 0 : places.kept;
    walk.apply(moved);
    return whole;
}

// Several runs for each tuple: each block of tuples is used for all of them.
bool ScatterStep::run_passes(const ScatterWalk& walk, const Range& range, const Position& start) const {
    constexpr int64_t block = tune::kPassIndices;
    int64_t offsets[block + kPickRoom], sources[block + kPickRoom];
    ScatterBlock moved{};
    moved.bytes = walk.bytes;
    moved.passes = walk.inner_passes;
    moved.target_pass = walk.target_pass;
    moved.update_pass = walk.update_pass;
    moved.offsets = offsets;
    moved.sources = sources;
    const int64_t outer_passes = walk.passes.count();
    bool whole = true;
    Outer<3> at(walk.index_axes, 0);
    for (int64_t row = walk.index_axes.count(); row > 0; --row, at.next()) {
        for (int64_t first = 0; first < walk.count; first += block) {
            Places places{offsets, sources};
            const int64_t count = least(block, walk.count - first);
            const bool left_out = places.add(*this, start.indices, walk, range, at, first, count);
            whole &= !left_out || rule.out_of_range != OutOfRange::raise;
            moved.known = moved.count = places.kept;
            Outer<3> pass(walk.passes, 0);
            for (int64_t p = 0; p < outer_passes; ++p, pass.next()) {
                moved.target = start.target + pass.offset[0];
                moved.updates = start.updates + pass.offset[1];
                walk.apply(moved);
            }
        }
    }
    return whole;
}

std::unique_ptr<Move> make_scatter() { return std::make_unique_for_overwrite<ScatterStep>(); }

}  // namespace wherry
