// Numbers at equal distances.
#pragma once

#include <stdint.h>

#include "../kernels/element.hpp"

namespace wherry {

// out[n] = start + n * delta, n in 0..count-1: integers wrap around, floats are rounded after the product and after the
// sum. `start` and `delta` are elements.
struct RangeJob {
    char* out;
    int64_t count, out_step;
    Element element;
    int64_t width;
    char start[8], delta[8];
};

void write_range(const RangeJob& job);

}  // namespace wherry
