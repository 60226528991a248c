#include "direct.hpp"

#include <algorithm>

#include "../steps/check.hpp"
#include "../steps/copy.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {

const Direct* direct_of(nb::handle object) {
    return nb::isinstance<Direct>(object) ? nb::inst_ptr<Direct>(object) : nullptr;
}

bool is_refusal() {
    PyObject* const refusals[] = {PyExc_ValueError,      PyExc_TypeError,          PyExc_LookupError,
                                  PyExc_ArithmeticError, PyExc_MemoryError,        PyExc_AttributeError,
                                  PyExc_AssertionError,  PyExc_NotImplementedError};
    return std::ranges::any_of(refusals, [](PyObject* each) { return PyErr_ExceptionMatches(each) != 0; });
}

Entries::Entries(nb::handle told) {
    if (told.is_none()) return;
    if (PyLong_CheckExact(told.ptr())) {
        place_ = nb::cast<int64_t>(told);
        require(place_ >= 0, "an input has no such position");
        return;
    }
    const nb::list given = nb::cast<nb::list>(told);
    require(given.size() <= NPY_MAXDIMS, "there are too many numbers");
    are_known_ = true;
    for (nb::handle each : given) known_.at[known_.count++] = nb::cast<int64_t>(each);
}

bool Entries::read(std::span<PyObject* const> arrays, Numbers& to) const {
    if (are_known_) {
        to = known_;
        return true;
    }
    if (place_ < 0 || place_ >= static_cast<int64_t>(arrays.size())) return false;
    PyArrayObject* array = exact_array(arrays[static_cast<size_t>(place_)]);
    IndexType type;
    if (!array || PyArray_NDIM(array) != 1 || PyArray_DIM(array, 0) > NPY_MAXDIMS || !index_type(array, type) ||
        !PyArray_ISALIGNED(array))
        return false;
    to.count = static_cast<int>(PyArray_DIM(array, 0));
    for (int k = 0; k < to.count; ++k) {
        to.at[k] = read_index(type, PyArray_BYTES(array) + k * PyArray_STRIDE(array, 0));
        if (type == IndexType::u64 && to.at[k] < 0) return false;
    }
    return true;
}

nb::object new_packed(PyArray_Descr* descr, int ndim, const int64_t* sizes) {
    Py_INCREF(descr);
    nb::object made = nb::steal(new_array(descr, ndim, sizes));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

nb::object as_vector(PyArrayObject* array) {
    const nb::handle given(reinterpret_cast<PyObject*>(array));
    if (PyArray_NDIM(array) == 1 && PyArray_IS_C_CONTIGUOUS(array)) return nb::borrow(given);
    nb::object vector = nb::steal(PyArray_Ravel(array, NPY_CORDER));
    if (!vector.is_valid()) throw nb::python_error();
    return vector;
}

nb::object copied_to_new(PyArray_Descr* descr, int ndim, const int64_t* sizes, const int64_t* strides,
                         const char* from) {
    nb::object made = new_packed(descr, ndim, sizes);
    auto* out = reinterpret_cast<PyArrayObject*>(made.ptr());
    CopyStep copy;
    copy.width = PyArray_ITEMSIZE(out);
    for (int a = 0; a < ndim; ++a) copy.axes.add(sizes[a], {byte_strides(out)[a], strides[a]});
    copy.bytes = PyArray_NBYTES(out);
    copy.prepare();
    if (!without_gil(copy.bytes, [&] { copy.move(PyArray_BYTES(out), from); })) throw nb::python_error();
    return made;
}

nb::object view_of(PyArrayObject* owner, int ndim, const int64_t* sizes, const int64_t* strides, char* start) {
    PyArray_Descr* descr = PyArray_DESCR(owner);
    Py_INCREF(descr);
    const int flags = PyArray_ISWRITEABLE(owner) ? NPY_ARRAY_WRITEABLE : 0;
    PyObject* view = PyArray_NewFromDescr(&PyArray_Type, descr, ndim, sizes, strides, start, flags, nullptr);
    if (!view) throw nb::python_error();
    auto* array = reinterpret_cast<PyArrayObject*>(view);
    Py_INCREF(owner);
    if (PyArray_SetBaseObject(array, reinterpret_cast<PyObject*>(owner)) < 0) {
        Py_DECREF(view);
        throw nb::python_error();
    }
    PyArray_UpdateFlags(array, NPY_ARRAY_ALIGNED | NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS);
    return nb::steal(view);
}

void add_direct(nb::module_& m) {
    nb::class_<Direct>(m, "Direct", "A function of arrays of any sizes.")
        .def(
            "__call__",
            [](const Direct& self, nb::args arrays) {
                PyObject* const tuple = arrays.ptr();
                return self.output({PySequence_Fast_ITEMS(tuple), static_cast<size_t>(PyTuple_GET_SIZE(tuple))});
            },
            "The output, which may be a view of an input; None where a plan is to decide.");
}

}  // namespace wherry::bind
