#include "transposing.hpp"

#include <algorithm>

#include "../steps/copy.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr npy_intp kMostCopied = 1 << 20;  // bytes

}  // namespace

Transposing::Transposing(nb::list perm) : ndim_(static_cast<int>(nb::len(perm))) {
    if (nb::len(perm) > NPY_MAXDIMS) throw nb::value_error("there are too many axes");
    std::array<bool, NPY_MAXDIMS> taken{};
    for (int a = 0; a < ndim_; ++a) {
        const auto axis = nb::cast<int64_t>(perm[static_cast<size_t>(a)]);
        if (axis < 0 || axis >= ndim_ || std::exchange(taken[static_cast<size_t>(axis)], true))
            throw nb::value_error("a permutation of axes has each once");
        perm_[static_cast<size_t>(a)] = axis;
    }
}

PyArrayObject* Transposing::checked(nb::handle object) const {
    if (!PyArray_Check(object.ptr())) throw nb::type_error("a NumPy array is needed");
    auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (PyArray_NDIM(array) != ndim_) throw nb::value_error("the array has another number of axes");
    return array;
}

nb::object Transposing::view(nb::handle object) const {
    PyArray_Dims order{const_cast<npy_intp*>(perm_.data()), ndim_};
    nb::object made = nb::steal(PyArray_Transpose(checked(object), &order));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

nb::object Transposing::made_of(PyObject* const* arrays) const {
    PyArrayObject* array = checked(arrays[0]);
    if (!is_plain(array) || PyArray_NBYTES(array) > kMostCopied) return nb::none();
    std::array<int64_t, NPY_MAXDIMS> to_sizes, from_strides, to_strides;
    int64_t step = PyArray_ITEMSIZE(array);
    const int64_t width = step;
    for (int a = ndim_ - 1; a >= 0; --a) {
        const size_t at = static_cast<size_t>(a);
        to_sizes[at] = sizes(array)[perm_[at]];
        from_strides[at] = byte_strides(array)[perm_[at]];
        to_strides[at] = step;
        step *= to_sizes[at];
    }
    PyArray_Descr* descr = PyArray_DESCR(array);
    Py_INCREF(descr);
    nb::object made = nb::steal(new_array(descr, ndim_, to_sizes.data()));
    if (!made.is_valid()) throw nb::python_error();
    CopyStep copy;
    copy.width = width;
    for (int a = 0; a < ndim_; ++a) {
        const size_t at = static_cast<size_t>(a);
        copy.axes.add(to_sizes[at], {to_strides[at], from_strides[at]});
    }
    copy.bytes = step;
    copy.prepare();
    char* const to = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(made.ptr()));
    if (!without_gil(step, [&] { copy.move(to, PyArray_BYTES(array)); })) throw nb::python_error();
    return made;
}

void add_transposing(nb::module_& m) {
    nb::class_<Transposing, Direct>(m, "Transposing", "The axes of an array in another order.")
        .def(nb::init<nb::list>(), nb::arg("perm"))
        .def("__call__", &Transposing::view, nb::arg("data"));
}

}  // namespace wherry::bind
