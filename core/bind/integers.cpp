// Lists of Python's integers as arrays, as NumPy makes them, but that nothing else is taken for an integer.
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <array>

#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// Writes what stands in a value of so many axes, and goes on to where the next one belongs; false for anything but
// integers of 64 bits in lists of these sizes.
bool put(PyObject* value, const npy_intp* sizes, int ndim, int64_t*& out) {
    if (ndim == 0) {
        if (!PyLong_CheckExact(value)) return false;
        int beyond = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
        *out++ = number;
        return !beyond;
    }
    if (!PyList_CheckExact(value) || PyList_GET_SIZE(value) != *sizes) return false;
    for (npy_intp k = 0; k < *sizes; ++k)
        if (!put(PyList_GET_ITEM(value, k), sizes + 1, ndim - 1, out)) return false;
    return true;
}

}  // namespace

PyObject* integers(PyObject* value) {
    std::array<npy_intp, NPY_MAXDIMS> sizes;
    int ndim = 0;
    for (PyObject* first = value; PyList_CheckExact(first); first = PyList_GET_ITEM(first, 0)) {
        if (ndim == NPY_MAXDIMS) return nullptr;
        sizes[static_cast<size_t>(ndim)] = PyList_GET_SIZE(first);
        if (sizes[static_cast<size_t>(ndim++)] == 0) break;
    }
    if (PyArray_IsScalar(value, Integer) && !(Py_TYPE(value)->tp_flags & Py_TPFLAGS_HEAPTYPE))
        return PyArray_FromScalar(value, nullptr);
    if (ndim == 0 && !PyLong_CheckExact(value)) return nullptr;
    PyObject* made = PyArray_SimpleNew(ndim, sizes.data(), NPY_INT64);
    if (!made) {  // Sizes that the first rows alone have: what reads all of them finds what is wrong.
        PyErr_Clear();
        return nullptr;
    }
    int64_t* out = static_cast<int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(made)));
    if (put(value, sizes.data(), ndim, out)) return made;
    Py_DECREF(made);
    return nullptr;
}

void add_integers(nb::module_& m) {
    m.def(
        "integers",
        [](nb::handle value) {
            PyObject* made = integers(value.ptr());
            if (!made && PyErr_Occurred()) throw nb::python_error();
            return made ? nb::steal(made) : nb::none();
        },
        nb::arg("value").none(),
        "The array of an integer, or of lists of integers, all of 64 bits, or of an integer of NumPy's; None of "
        "anything "
        "else.");
}

}  // namespace wherry::bind
