// Gather over any strides, and the check of its indices.
#pragma once

#include "../kernels/blocks.hpp"
#include "../layout/collapse.hpp"
#include "columns.hpp"

namespace wherry {

struct GatherJob {
    char* out;
    const char* data;
    const char* indices;
    Axes<3> axes;  // of the output; operands: out, data (0 along an index axis), indices (0 along a data axis)
    int64_t width;
    int64_t axis_stride;
    IndexRule rule;
    int further_count = 0;  // columns behind the first, which axis_stride and rule.size describe
    Column further[kMaxRank];
};

// An index array; its axes in their own order, which axes of size 1 do not change.
struct IndexArray {
    const char* start;
    Axes<1> axes;
    IndexRule rule;
};

// The first bad index, in row-major order.
struct BadIndex {
    bool found;
    int64_t position;
    int64_t value;  // the bits of a uint64 if that is the kind
};

// False if `raise` met a bad index; the output is then partly written. `job.axes` is used up.
bool gather(GatherJob& job);

// All indices against the rule as if it were `raise`.
BadIndex check_indices(const IndexArray& indices);

}  // namespace wherry
