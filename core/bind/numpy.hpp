// NumPy's C API for all binding files, and the few questions they ask of an array.
#pragma once

#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL wherry_ARRAY_API
#ifndef WHERRY_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <bit>
#include <cstdint>

#include "../kernels/index.hpp"
#include "../parallel.hpp"
#include "../tune/thresholds.hpp"

namespace wherry::bind {

static_assert(sizeof(npy_intp) == sizeof(int64_t), "wherry needs a 64-bit system");

inline const int64_t* sizes(PyArrayObject* a) { return reinterpret_cast<const int64_t*>(PyArray_DIMS(a)); }
inline const int64_t* byte_strides(PyArrayObject* a) { return reinterpret_cast<const int64_t*>(PyArray_STRIDES(a)); }

// A field of a record: a tuple of its type and offset, or with a title behind them.
inline PyObject* field_of(PyArray_Descr* descr, Py_ssize_t number) {
    return PyDict_GetItem(PyDataType_FIELDS(descr), PyTuple_GET_ITEM(PyDataType_NAMES(descr), number));
}

inline PyArray_Descr* type_of_field(PyObject* field) {
    return reinterpret_cast<PyArray_Descr*>(PyTuple_GET_ITEM(field, 0));
}

struct Released {
    PyThreadState* state = PyEval_SaveThread();
    ~Released() { PyEval_RestoreThread(state); }
};

// Whether this is the thread on which Python handles signals.
bool takes_signals();

// Lets Python handle signals that have come; false, with its error set, if a handler raised: Ctrl-C does.
inline bool no_signal_raised(void* released) {
    PyThreadState*& state = static_cast<Released*>(released)->state;
    PyEval_RestoreThread(state);
    const bool none = PyErr_CheckSignals() == 0;
    state = PyEval_SaveThread();
    return none;
}

// Runs body, without the GIL if it moves enough. False, with an error set, if it was interrupted and left undone.
template <class Body>
[[nodiscard]] inline bool without_gil(int64_t bytes, Body&& body) {
    if (bytes < tune::kReleaseBytes) {
        body();
        return true;
    }
    const bool is_long = bytes > tune::kAskBytes && takes_signals();
    Released released;
    if (!is_long) {
        body();
        return true;
    }
    Watch watch(&no_signal_raised, &released);
    body();
    return !watch.gave_up();
}

// The step along an axis; none where it has one position: NumPy leaves such strides as they came, also near 2^63.
inline int64_t step_along(PyArrayObject* a, int axis) {
    return PyArray_DIM(a, axis) > 1 && PyArray_SIZE(a) > 0 ? byte_strides(a)[axis] : 0;
}

// Sets the error for indices that were in range when they were checked, and are not when they are used.
inline void set_changed_error() {
    PyObject* module = PyImport_ImportModule("wherry.errors");
    PyObject* error = module ? PyObject_CallMethod(module, "changed_indices", nullptr) : nullptr;
    Py_XDECREF(module);
    if (!error) return;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error)), error);
    Py_DECREF(error);
}

inline bool is_list_or_tuple(PyObject* object) { return PyList_CheckExact(object) || PyTuple_CheckExact(object); }

// Elements that are only bytes: no references to Python objects, no storage outside the array.
inline bool is_plain(PyArrayObject* a) {
    PyArray_Descr* descr = PyArray_DESCR(a);
    return !PyDataType_REFCHK(descr) && PyArray_TYPE(a) != NPY_VSTRING;
}

// The type of indices that an array of a native integer type other than bool holds; false for all else.
inline bool index_type(PyArray_Descr* descr, IndexType& type) {
    const int number = descr->type_num;
    if (number < NPY_BYTE || number > NPY_ULONGLONG || !PyArray_ISNBO(descr->byteorder)) return false;
    const int log = std::countr_zero(static_cast<uint64_t>(PyDataType_ELSIZE(descr)));
    // NumPy's integer types alternate: signed, unsigned.
    type = static_cast<IndexType>(log + ((number - NPY_BYTE) % 2 ? 4 : 0));
    return true;
}

inline bool index_type(PyArrayObject* a, IndexType& type) { return index_type(PyArray_DESCR(a), type); }

// A new array of a list of Python's integers, or of one; null, with or without an error, of anything else.
PyObject* integers(PyObject* value);

// The public gather, as a plain C function: argument parsing is most of a small call.
extern PyMethodDef gather_method;

}  // namespace wherry::bind
