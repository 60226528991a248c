// Views over the memory of NumPy arrays of any element type, checked against its ends.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

namespace wherry::bind {

// The memory under an array, from its lowest element to its highest, as a vector that keeps the array alive.
nanobind::object memory_of(nanobind::handle array);

// Sizes and strides (in elements) from an offset on, over a packed vector; never outside it.
nanobind::object view(nanobind::handle vector, nanobind::handle sizes, nanobind::handle strides, int64_t offset);

}  // namespace wherry::bind
