// Arrays of kept memory, see kept.hpp.
#pragma once

#include "../kept.hpp"
#include "numpy.hpp"

namespace wherry::bind {

using Memory = KeptMemory;

// A new array of any content, or null with an error set. Takes the reference to `descr`, as NumPy does. Its memory is
// kept memory where it is large and no allocator of the caller's is set. If its elements hold references
// (references.hpp) or strings (packed_strings.hpp) they are to be written, or cleared, before any code of Python's can
// run.
PyObject* new_array(PyArray_Descr* descr, int ndim, const int64_t* sizes);

}  // namespace wherry::bind
