// Scatter over any strides: updates go to, or are combined with, the elements that indices name.
#pragma once

#include "../kernels/element.hpp"
#include "columns.hpp"

namespace wherry {

enum class Reduction : int { none, add, sub, mul, min, max };
enum class NanRule : int { propagate, update, data };

// Whether the reduction means something for the type: all do but min and max of complex numbers.
bool has_arithmetic(Reduction reduction, Element element);

// Updates are applied in row-major order of `axes`, whatever the number of threads. Threads share the work by parts
// of the target that no two updates have in common: ranges of an axis along which the target steps itself, or else
// ranges of offsets, for which each thread looks at all indices: a few threads only where an index moves little.
struct ScatterJob {
    char* target;
    const char* updates;
    const char* indices;
    Axes<3> axes;  // of the updates, in their order; operands: target (0 along an index axis), updates, indices
    int64_t width;
    IndexRule rule;  // its size counts for nothing; `zero` leaves an update out
    int column_count = 0;
    Column column[kMaxRank];
    Reduction reduction;
    Element element;  // counts for nothing without a reduction
    NanRule nan;
};

// False if `raise` met a bad index: that update is left out, the others are applied.
bool scatter(const ScatterJob& job);

}  // namespace wherry
