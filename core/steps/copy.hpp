// Copy and fill over any strides.
#pragma once

#include "../layout/collapse.hpp"

namespace wherry {

// Operands: dst, src. `axes` is used up. `all_bytes`: of all copies that this one is a part of.
void copy(char* dst, const char* src, Axes<2>& axes, int64_t width, int64_t all_bytes = 0);

// Every element of dst becomes the `width` bytes at value. `axes` is used up.
void fill(char* dst, Axes<1>& axes, const char* value, int64_t width);

}  // namespace wherry
