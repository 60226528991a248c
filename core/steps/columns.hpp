// Tuples of indices: one column for each indexed axis, whose byte offsets add up.
#pragma once

#include "../kernels/blocks.hpp"
#include "step.hpp"

namespace wherry {

struct Column {
    int64_t start;        // of the column's indices, in bytes from the first column's
    int64_t axis_stride;  // in bytes
    int64_t size;         // of the indexed axis
};

// The columns of `indices` over the last axes of `indexed`, whose other axes are those of `all`; returns how many.
int read_columns(const Tensor& indexed, const Tensor& indices, const Tensor& all, const IndexRule& rule,
                 Column* columns);

// Reads the rule from two numbers that are given, for indices of the type that is given; its size is left open. It is
// written where it stays: a copy would wait until all parts of it are stored.
void read_rule(Fields& fields, int type, int out_of_range, int negative, IndexRule& rule);

// Adds what further columns contribute to `count` offsets, at most tune::kIndexBlock; one bad index makes its tuple
// bad, as it is if `any_bad` says that offsets hold bad ones already. Returns whether some are bad now.
bool add_columns(ResolveKernel resolve, const IndexRule& rule, const Column* columns, int column_count,
                 const char* indices, int64_t index_stride, int64_t count, int64_t* offsets, bool any_bad);

// One of the axes of what is written, what is read, and indices.
IndexAxis index_axis(const Axes<3>& axes, int axis);

// Several axes whose positions follow each other evenly in one operand, and unevenly in another: adds the offsets
// of `count` positions from `first` on in the uneven one. Bad offsets stay as they are.
void add_positions(const Axes<1>& grid, int64_t first, int64_t count, int64_t* offsets, bool any_bad);

}  // namespace wherry
