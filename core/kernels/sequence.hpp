// Numbers at equal distances.
#pragma once

#include <stdint.h>

#include "element.hpp"

namespace wherry {

constexpr bool has_sequence(Element e) { return e <= Element::u64 || e == Element::f32 || e == Element::f64; }

// out[n] = start + n * delta, n in 0..count-1: integers wrap around, floats are rounded after the product and after the
// sum. `start` and `delta` are elements.
struct SequenceJob {
    char* out;
    int64_t count, out_step;
    Element element;
    int64_t width;
    char start[8], delta[8];
};

void write_sequence(const SequenceJob& job);

}  // namespace wherry
