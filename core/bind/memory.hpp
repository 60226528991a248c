// Memory of results and temporaries. The system hands out large buffers page by page, each with a fault and filled with
// zeros, which takes as long as some operators: buffers that are let go are kept for what comes next.
#pragma once

#include <memory>

#include "numpy.hpp"

namespace wherry::bind {

// A new array of any content, or null with an error set. Takes the reference to `descr`, as NumPy does. Its memory is
// kept memory where it is large and no allocator of the caller's is set. If its elements hold references
// (references.hpp) or strings (packed_strings.hpp) they are to be written, or cleared, before any code of Python's can
// run.
PyObject* new_array(PyArray_Descr* descr, int ndim, const int64_t* sizes);

struct LetGo {
    void operator()(char* memory) const;
};
using Memory = std::unique_ptr<char, LetGo>;

// Memory of any content that begins with a cache line; null if there is none.
Memory new_memory(int64_t bytes);

}  // namespace wherry::bind
