#include "memory.hpp"

#include <string.h>

#include <algorithm>

#include "../kept.hpp"
#include "../tune/thresholds.hpp"
#include "module.hpp"

namespace wherry::bind {
namespace {

void* array_malloc(void*, size_t bytes) { return kept().take(bytes); }
void array_free(void*, void* buffer, size_t) { kept().let_go(buffer); }

// While it is set, memory that NumPy asks for with zeros in it has any content: it is written before anything reads it.
thread_local bool is_overwritten = false;

void* array_calloc(void*, size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
    void* made = kept().take(all);
    return made && !is_overwritten ? memset(made, 0, all) : made;
}

void* array_realloc(void*, void* buffer, size_t bytes) {
    void* made = kept().take(bytes);
    if (!made || !buffer) return made;
    memcpy(made, buffer, std::min(bytes, kept().bytes_of(buffer)));
    kept().let_go(buffer);
    return made;
}

PyDataMem_Handler handler = {"wherry", 1, {nullptr, array_malloc, array_calloc, array_realloc, array_free}};

// What NumPy is given for arrays of kept memory, which hold it; null, with an error set, without memory.
PyObject* capsule() {
    static PyObject* const made = PyCapsule_New(&handler, "mem_handler", nullptr);
    return made;
}

bool is_large(PyArray_Descr* descr, int ndim, const int64_t* sizes) {
    int64_t bytes = PyDataType_ELSIZE(descr);
    for (int a = 0; a < ndim; ++a)
        if (__builtin_mul_overflow(bytes, sizes[a], &bytes)) return false;
    return bytes >= tune::kLeastKeptBytes;
}

// While it lives, NumPy makes arrays of kept memory, unless the caller has set an allocator of his own.
class FromKept {
public:
    explicit FromKept(bool wanted) {
        if (!wanted) return;
        PyObject* now = PyDataMem_GetHandler();
        if (now == PyDataMem_DefaultHandler && capsule()) before_ = PyDataMem_SetHandler(capsule());
        if (before_) is_overwritten = true;
        Py_XDECREF(now);
        PyErr_Clear();
    }
    ~FromKept() {
        if (!before_) return;  // of most arrays, for which to ask for the thread's own memory is a cost
        is_overwritten = false;
        PyObject *kind, *error, *trace;
        PyErr_Fetch(&kind, &error, &trace);
        Py_XDECREF(PyDataMem_SetHandler(before_));
        Py_DECREF(before_);
        PyErr_Restore(kind, error, trace);
    }
    FromKept(const FromKept&) = delete;

private:
    PyObject* before_ = nullptr;
};

}  // namespace

PyObject* new_array(PyArray_Descr* descr, int ndim, const int64_t* sizes) {
    const FromKept kept_memory(is_large(descr, ndim, sizes));
    return PyArray_NewFromDescr(&PyArray_Type, descr, ndim, reinterpret_cast<const npy_intp*>(sizes), nullptr, nullptr,
                                0, nullptr);
}

void add_memory(nanobind::module_& m) {
    m.def(
        "keep_memory", [](size_t most) { return kept().limit(most); }, nanobind::arg("most"),
        "Sets how many bytes of large results that were let go are kept for new ones; returns what it was.");
    m.def("kept_memory", [] { return kept().sum(); }, "The bytes of large results that were let go and are kept.");
}

}  // namespace wherry::bind
