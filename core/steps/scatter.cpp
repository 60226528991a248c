// Scatter: split over threads by parts of the target, resolve indices block by block, apply in order.
#include "scatter.hpp"

#include <atomic>
#include <cstring>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "reduce.hpp"

namespace wherry {
namespace {

// `count` updates times `passes` positions, each a run of `bytes`: offsets[i] of target from sources[i] of updates.
struct Block {
    char* target;
    const char* updates;
    const int64_t* offsets;
    const int64_t* sources;
    int64_t count;
    int64_t known;  // offsets that there are, `count` and more
    int64_t passes, target_pass, update_pass;
    int64_t bytes;
};

using Apply = void (*)(const Block&);

// Calls one(target, update) for each run, in order.
template <class One>
[[gnu::always_inline]] inline void for_runs(const Block& b, One&& one) {
    for (int64_t p = 0; p < b.passes; ++p) {
        char* target = b.target + p * b.target_pass;
        const char* updates = b.updates + p * b.update_pass;
        const int64_t fetched = least(b.count, b.known - tune::kScatterAhead);
        int64_t i = 0;
        for (; i < fetched; ++i) {
            __builtin_prefetch(target + b.offsets[i + tune::kScatterAhead], 1, 3);
            one(target + b.offsets[i], updates + b.sources[i]);
        }
        for (; i < b.count; ++i) one(target + b.offsets[i], updates + b.sources[i]);
    }
}

template <int Width>
void replace_fixed(const Block& b) {
    for_runs(b, [](char* target, const char* update) { std::memcpy(target, update, Width); });
}

void replace(const Block& b) {
    if (for_element_width(b.bytes, [&](auto width) { replace_fixed<width.value>(b); })) return;
    const size_t bytes = static_cast<size_t>(b.bytes);
    for_runs(b, [bytes](char* target, const char* update) { std::memcpy(target, update, bytes); });
}

template <class Combination, class T>
[[gnu::always_inline]] inline void combine(char* target, const char* update) {
    T old, with;
    std::memcpy(&old, target, sizeof(T));
    std::memcpy(&with, update, sizeof(T));
    old = Combination::of(old, with);
    std::memcpy(target, &old, sizeof(T));
}

template <class Combination, class T>
void reduce(const Block& b) {
    constexpr int64_t width = sizeof(T);
    if (b.bytes == width) return for_runs(b, [](char* t, const char* u) { combine<Combination, T>(t, u); });
    const int64_t bytes = b.bytes;
    for_runs(b, [bytes](char* target, const char* update) {
        for (int64_t at = 0; at < bytes; at += width) combine<Combination, T>(target + at, update + at);
    });
}

template <Reduction R, class T>
Apply select(NanRule nan) {
    switch (nan) {
        case NanRule::propagate: return reduce<Select<R, NanRule::propagate, T>, T>;
        case NanRule::update: return reduce<Select<R, NanRule::update, T>, T>;
        case NanRule::data: return reduce<Select<R, NanRule::data, T>, T>;
    }
    return nullptr;
}

template <class T>
constexpr bool is_ordered = !std::is_same_v<T, Complex<float>> && !std::is_same_v<T, Complex<double>>;

template <class T>
Apply for_type(Reduction reduction, NanRule nan) {
    switch (reduction) {
        case Reduction::none: return replace;
        case Reduction::add: return reduce<Combine<Reduction::add, T>, T>;
        case Reduction::sub: return reduce<Combine<Reduction::sub, T>, T>;
        case Reduction::mul: return reduce<Combine<Reduction::mul, T>, T>;
        case Reduction::min:
            if constexpr (is_ordered<T>) return select<Reduction::min, T>(nan);
            break;
        case Reduction::max:
            if constexpr (is_ordered<T>) return select<Reduction::max, T>(nan);
            break;
    }
    return nullptr;
}

// Null where the reduction has no meaning for the type.
Apply apply_for(Element element, Reduction reduction, NanRule nan) {
    return for_element(element, [=]<class T>(TypeOf<T>) { return for_type<T>(reduction, nan); });
}

Apply apply_for(const ScatterJob& job) { return apply_for(job.element, job.reduction, job.nan); }

// The offsets that one thread takes care of.
struct Range {
    int64_t low, high;
    bool all;
};

// Several axes of indices become one where updates and indices go on evenly; `grid` gets the steps through the
// target. Returns the number of positions; the joined axes leave `axes`.
int64_t join_rows(Axes<3>& axes, Axes<1>& grid, int64_t& update_step, int64_t& index_step) {
    update_step = index_step = 0;
    if (axes.ndim == 0) return 1;
    int first = axes.ndim - 1;
    int64_t count = axes.size[first];
    update_step = axes.stride[first][1];
    index_step = axes.stride[first][2];
    for (; first > 0; --first) {
        const int64_t (&s)[3] = axes.stride[first - 1];
        if (s[1] != update_step * count || s[2] != index_step * count) break;
        count *= axes.size[first - 1];
    }
    for (int a = first; a < axes.ndim; ++a) grid.add(axes.size[a], {axes.stride[a][0]});
    bool stays = true;
    for (int a = 0; a < grid.ndim; ++a) stays &= grid.stride[a][0] == 0;
    if (stays) grid.ndim = 0;
    axes.ndim = first;
    return count;
}

// The offsets of a block of tuples; true if some update is to be left out.
bool resolve(const ScatterJob& job, const char* indices, int64_t index_step, int64_t count, int64_t* offsets) {
    for (int64_t i = 0; i < count; ++i) offsets[i] = 0;
    return add_columns(job.rule, job.column, job.column_count, indices, index_step, count, offsets, false);
}

// How the axes of a job are walked: rows of `count` tuples of indices, each tuple with all passes.
struct Walk {
    Axes<3> index_axes, passes;
    Axes<1> grid;
    int64_t count, update_step, index_step;

    explicit Walk(const ScatterJob& job) {
        // Along a pass axis the same index is used again; no two of its positions share an element.
        for (int a = 0; a < job.axes.ndim; ++a) {
            const int64_t (&s)[3] = job.axes.stride[a];
            (s[0] != 0 && s[2] == 0 ? passes : index_axes).add(job.axes.size[a], {s[0], s[1], s[2]});
        }
        collapse(passes);
        count = join_rows(index_axes, grid, update_step, index_step);
    }
};

// Where updates come from and go to, as offsets.
struct Places {
    int64_t* offsets;
    int64_t* sources;
    int64_t kept = 0;

    // `count` tuples from `first` on in one row, cut to the range; true if some update is to be left out.
    bool add(const ScatterJob& job, const Walk& walk, const Range& range, const Outer<3>& at, int64_t first,
             int64_t count) {
        const BlockKernels& kernels = block_kernels();
        const int64_t base = at.offset[0];
        const PickBlock block{offsets + kept,
                              sources + kept,
                              count,
                              range.all ? kBadOffset + 1 : range.low - base,
                              range.all ? INT64_MAX : range.high - base,
                              base,
                              at.offset[1] + first * walk.update_step,
                              walk.update_step};
        const char* indices = job.indices + at.offset[2] + first * walk.index_step;
        if (job.column_count == 1 && walk.grid.ndim == 0) {
            IndexRule rule = job.rule;
            rule.size = job.column[0].size;
            const int64_t added = kernels.pick_directly(rule, indices + job.column[0].start, walk.index_step,
                                                        job.column[0].axis_stride, block);
            if (added >= 0) {
                kept += added;
                return false;
            }
        }
        const bool left_out = resolve(job, indices, walk.index_step, count, block.offsets);
        add_positions(walk.grid, first, count, block.offsets, left_out);
        kept += kernels.pick(block);
        return left_out;
    }
};

// One run for each tuple: the places wait in a queue, so that elements are fetched ahead across blocks and rows.
bool scatter_runs(const ScatterJob& job, const Range& range, const Walk& walk, int64_t bytes) {
    int64_t offsets[tune::kScatterAhead + 2 * tune::kQueueIndices + kPickRoom],
        sources[tune::kScatterAhead + 2 * tune::kQueueIndices + kPickRoom];
    const Apply apply = apply_for(job);
    Block moved{};
    moved.target = job.target + walk.passes.offset[0];
    moved.updates = job.updates + walk.passes.offset[1];
    moved.offsets = offsets;
    moved.sources = sources;
    moved.passes = 1;
    moved.bytes = bytes;
    bool whole = true;
    Places places{offsets, sources};
    Outer<3> at(walk.index_axes, 0);
    for (int64_t row = walk.index_axes.count(); row > 0; --row, at.next()) {
        for (int64_t first = 0; first < walk.count; first += tune::kQueueIndices) {
            const bool left_out =
                places.add(job, walk, range, at, first, least(tune::kQueueIndices, walk.count - first));
            whole &= !left_out || job.rule.out_of_range != OutOfRange::raise;
            if (places.kept < tune::kScatterAhead + tune::kQueueIndices) continue;
            moved.known = places.kept;
            moved.count = places.kept - tune::kScatterAhead;
            apply(moved);
            std::memcpy(offsets, offsets + moved.count, tune::kScatterAhead * sizeof(int64_t));
            std::memcpy(sources, sources + moved.count, tune::kScatterAhead * sizeof(int64_t));
            places.kept = tune::kScatterAhead;
        }
    }
    moved.known = moved.count = places.kept;
    apply(moved);
    return whole;
}

// Several runs for each tuple: each block of tuples is used for all of them.
bool scatter_passes(const ScatterJob& job, const Range& range, Walk& walk, int64_t bytes) {
    Axes<3>& passes = walk.passes;
    const int last = passes.ndim - 1;
    Block moved{};
    moved.bytes = bytes;
    moved.passes = passes.size[last];
    moved.target_pass = passes.stride[last][0];
    moved.update_pass = passes.stride[last][1];
    passes.remove(last);
    const int64_t outer_passes = passes.count();
    const Apply apply = apply_for(job);
    int64_t offsets[tune::kPassIndices + kPickRoom], sources[tune::kPassIndices + kPickRoom];
    moved.offsets = offsets;
    moved.sources = sources;
    bool whole = true;
    Outer<3> at(walk.index_axes, 0);
    for (int64_t row = walk.index_axes.count(); row > 0; --row, at.next()) {
        for (int64_t first = 0; first < walk.count; first += tune::kPassIndices) {
            Places places{offsets, sources};
            const bool left_out =
                places.add(job, walk, range, at, first, least(tune::kPassIndices, walk.count - first));
            whole &= !left_out || job.rule.out_of_range != OutOfRange::raise;
            moved.known = moved.count = places.kept;
            Outer<3> pass(passes, 0);
            for (int64_t p = 0; p < outer_passes; ++p, pass.next()) {
                moved.target = job.target + passes.offset[0] + pass.offset[0];
                moved.updates = job.updates + passes.offset[1] + pass.offset[1];
                apply(moved);
            }
        }
    }
    return whole;
}

// All updates of the job whose offsets lie in the range, in row-major order. False if `raise` met a bad index.
bool scatter_part(const ScatterJob& job, const Range& range) {
    Walk walk(job);
    const int64_t bytes = take_run(walk.passes, job.width);
    return walk.passes.ndim == 0 ? scatter_runs(job, range, walk, bytes) : scatter_passes(job, range, walk, bytes);
}

// The axis whose ranges threads take, or -1: updates at two of its positions never meet.
int axis_to_split(const Axes<3>& axes) {
    int best = -1;
    for (int a = 0; a < axes.ndim; ++a) {
        if (magnitude(axes.stride[a][0]) * axes.size[a] < tune::kScatterApart) continue;
        if (best < 0 || (axes.size[best] < tune::kTasks && axes.size[a] > axes.size[best])) best = a;
    }
    return best;
}

int64_t bytes_of_index(const ScatterJob& job) {
    int64_t bytes = job.width;
    for (int a = 0; a < job.axes.ndim; ++a)
        if (job.axes.stride[a][0] != 0 && job.axes.stride[a][2] == 0) bytes *= job.axes.size[a];
    return bytes;
}

// The offsets that tuples of indices can have, from the axes that ranges are not about.
Range offsets_of(const ScatterJob& job) {
    Range range{0, 1, false};
    const auto add = [&](int64_t size, int64_t stride) {
        const int64_t far = size > 0 ? (size - 1) * stride : 0;
        (far < 0 ? range.low : range.high) += far;
    };
    for (int c = 0; c < job.column_count; ++c) add(job.column[c].size, job.column[c].axis_stride);
    for (int a = 0; a < job.axes.ndim; ++a)
        if (job.axes.stride[a][2] != 0) add(job.axes.size[a], job.axes.stride[a][0]);
    return range;
}

}  // namespace

bool has_arithmetic(Reduction reduction, Element element) {
    return apply_for(element, reduction, NanRule::propagate) != nullptr;
}

bool scatter(const ScatterJob& job) {
    if (job.axes.empty || job.width == 0) return true;
    const int64_t total_bytes = job.axes.count() * job.width;
    std::atomic<bool> whole{true};
    const int axis = axis_to_split(job.axes);
    if (axis < 0) {
        const Range all = offsets_of(job);
        const int64_t span = all.high - all.low,
                      lookers = bytes_of_index(job) < tune::kScatterManyBytes ? tune::kScatterThreads : span;
        const int64_t pieces = least(span, lookers), piece = (span + pieces - 1) / pieces;
        for_ranges(
            pieces, total_bytes,
            [&](int64_t begin, int64_t end) {
                const bool alone = begin == 0 && end == pieces;
                if (!scatter_part(job, {all.low + begin * piece, all.low + end * piece, alone})) whole.store(false);
            },
            Ranges::one_each);
        return whole.load();
    }
    const int64_t (&step)[3] = job.axes.stride[axis];
    for_ranges(
        job.axes.size[axis], total_bytes,
        [&](int64_t begin, int64_t end) {
            ScatterJob part = job;
            part.axes.size[axis] = end - begin;
            part.target += begin * step[0];
            part.updates += begin * step[1];
            part.indices += begin * step[2];
            if (!scatter_part(part, {0, 0, true})) whole.store(false);
        },
        Ranges::one_each);
    return whole.load();
}

}  // namespace wherry
