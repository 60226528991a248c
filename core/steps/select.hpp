// Each element from one of two tensors.
#pragma once

#include "../layout/collapse.hpp"

namespace wherry {

// Where the operands begin; a byte of `condition` that is not 0 chooses x.
struct SelectJob {
    char* out;
    const char *condition, *x, *y;
    int64_t width;
    Axes<4> axes;  // operands: out, condition, x, y
};

void select(SelectJob& job);

}  // namespace wherry
