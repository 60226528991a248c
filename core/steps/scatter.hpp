// Scatter over any strides: updates go to, or are combined with, the elements that indices name:
// target[c ++ indices[c]] = reduction(target[c ++ indices[c]], updates[c])
#pragma once

#include "apply.hpp"
#include "columns.hpp"
#include "next_row.hpp"
#include "partition.hpp"

namespace wherry {

// An axis whose positions threads share, since updates at two of them never meet: where its length stands in a walk.
struct ScatterSplit {
    enum class Place { none, index_axis, row, pass_axis, inner_passes, run } place = Place::none;
    int axis;            // of the walk's index_axes or passes
    int64_t size, unit;  // its positions, and how much each of them adds to the number in its place
    int64_t step[3];     // from one position to the next, through target, updates and indices
};

// How updates are walked: rows of `count` tuples of indices, each tuple with all passes.
struct ScatterWalk {
    Axes<3> index_axes;  // along which the rows follow each other
    Axes<3> passes;      // along which a tuple is used again: no two positions share an element
    Axes<1> grid;        // steps through the target of axes of indices that are joined
    int64_t count, update_step, index_step;
    int64_t bytes;                                   // of a run
    bool is_once = true;                             // one run for each tuple: there are no passes
    int64_t inner_passes, target_pass, update_pass;  // the innermost axis of passes, which is part of a block
    ScatterKernel apply;
    DirectPickKernel pick_directly;  // null where there is none for such indices
    NextRow<true> next;              // of the target
    Axes<3> tuples;                  // all axes of indices,
    NamedKernel named;               // and a way to walk them without an array of offsets; null where there is none

    // `first_joined`: the axis of indices that no outer one may join, or -1.
    void prepare(const Axes<3>& indices, const Axes<3>& all_passes, int64_t width, int first_joined = -1);
    // The walk of `length` positions of the axis that is split.
    ScatterWalk part(const ScatterSplit& split, int64_t length) const;
};

// Updates are applied in row-major order of `axes`, whatever the number of threads. Threads share the work by parts
// of the target that no two updates have in common: ranges of an axis along which the target steps itself, or else
// ranges of offsets, for which each thread looks at all indices: a few threads only where an index moves little, and
// one where single elements are near. Many single elements of a large target are parted by buckets first, see
// partition.hpp.
struct ScatterStep final : Move {
    Spot target, updates, indices;
    Axes<3> axes;  // of the updates, in their order; operands: target (0 along an index axis), updates, indices
    int64_t width;
    IndexRule rule;  // its size is not used, each column has its own; `zero` leaves an update out
    int column_count = 0;
    Column column[kMaxRank];
    Reduction reduction;
    Element element;  // not used without a reduction
    NanRule nan;

    // ("scatter", target, indices, updates, width, index dtype, reduction, out_of_range, negative, element, nan)
    void check(Fields& fields) override;
    void prepare() override;
    // If it refuses, updates with bad indices are left out, and the others are applied.
    bool run(char* const* base) const override;

private:
    // The offsets that one thread takes care of.
    struct Range {
        int64_t low, high;
        bool all;
        int64_t span() const { return high - low; }
    };
    struct Position {
        char* target;
        const char *updates, *indices;
    };
    struct Places;

    void prepare_split(const Axes<3>& index_axes, const Axes<3>& passes);
    void prepare_ranges();
    void prepare_partition();
    bool is_named(const ScatterWalk& walk) const;
    void choose_kernels(ScatterWalk& walk, int64_t bytes) const;
    void fetch_rows(ScatterWalk& walk) const;
    Range offsets_along(const Axes<3>& some) const;
    bool is_far() const;
    int64_t bytes_of_index() const;
    bool resolve(const char* from, int64_t index_step, int64_t count, int64_t* offsets) const;
    bool run_split(const Position& start) const;
    bool pays_to_share() const;
    bool run_ranges(const Position& start) const;
    bool pays_to_part(const Position& start) const;
    bool lie_far(const Position& start) const;
    bool run_partition(const Position& start, const Pairs& pairs) const;
    bool part_chunk(const Position& start, int64_t first, int64_t count, char* pairs, uint32_t* starts) const;
    bool count_buckets(const char* from, int64_t first, int64_t count, char* pairs, uint32_t* offsets,
                       uint32_t* counts) const;
    void apply_bucket(char* target, const Pairs& pairs, int64_t chunks, int64_t bucket) const;
    bool run_walk(const ScatterWalk& walk, const Range& range, const Position& start) const;
    bool run_named(const ScatterWalk& walk, const Position& start) const;
    bool run_once(const ScatterWalk& walk, const Range& range, const Position& start) const;
    bool run_passes(const ScatterWalk& walk, const Range& range, const Position& start) const;

    bool empty_ = true;
    ResolveKernel resolve_;
    int64_t work_bytes_;  // as many as a copy would move meanwhile
    ScatterWalk whole_;   // for one thread, or for ranges of offsets
    ScatterSplit split_;  // without a place threads share ranges of offsets
    ScatterWalk part_;    // of the axis that is split, but for its length
    Range offsets_;       // of all tuples
    int64_t pieces_, piece_;
    Partition partition_;  // of the whole walk, where threads share ranges of offsets
};

}  // namespace wherry
