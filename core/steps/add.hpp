// Sums over any strides: target[c] += source[c].
#pragma once

#include "scatter.hpp"

namespace wherry {

// Integers wrap around, bools are or-ed, 16-bit floats are rounded once. No two coordinates are one element of the
// target, and the operands share no memory; the source may repeat. Without a source (nullptr) 0 is added, which makes
// 0.0 of -0.0; its steps are 0 then.
struct AddJob {
    char* target;
    const char* source;
    Element element;
    Axes<2> axes;  // operands: target, source
};

// `axes` is used up.
void add(AddJob& job);

}  // namespace wherry
