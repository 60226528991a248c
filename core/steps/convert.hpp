// Each element as another type, where that is the same on every machine and refuses nothing.
#pragma once

#include "../kernels/element.hpp"
#include "../layout/collapse.hpp"

namespace wherry {

// Where the operands begin.
struct ConvertJob {
    char* out;
    const char* data;
    Element to, from;
    Axes<2> axes;  // operands: out, data
};

void convert(ConvertJob& job);

}  // namespace wherry
