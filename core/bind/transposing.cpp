#include "transposing.hpp"

#include <algorithm>

#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
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

PyArrayObject* Transposing::checked(std::span<PyObject* const> arrays) const {
    if (arrays.size() != 1 || !PyArray_Check(arrays[0])) throw nb::type_error("a NumPy array is needed");
    auto* array = reinterpret_cast<PyArrayObject*>(arrays[0]);
    if (PyArray_NDIM(array) != ndim_) throw nb::value_error("the array has another number of axes");
    return array;
}

nb::object Transposing::output(std::span<PyObject* const> arrays) const {
    PyArray_Dims order{const_cast<npy_intp*>(perm_.data()), ndim_};
    nb::object made = nb::steal(PyArray_Transpose(checked(arrays), &order));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

nb::object Transposing::new_output(std::span<PyObject* const> arrays) const {
    PyArrayObject* array = checked(arrays);
    if (!is_plain(array) || PyArray_NBYTES(array) > kMostDirect) return nb::none();
    std::array<int64_t, NPY_MAXDIMS> made_sizes, strides;
    for (int a = 0; a < ndim_; ++a) {
        const size_t at = static_cast<size_t>(a);
        made_sizes[at] = sizes(array)[perm_[at]];
        strides[at] = byte_strides(array)[perm_[at]];
    }
    return copied_to_new(PyArray_DESCR(array), ndim_, made_sizes.data(), strides.data(), PyArray_BYTES(array));
}

void add_transposing(nb::module_& m) {
    nb::class_<Transposing, Direct>(m, "Transposing", "The axes of an array in another order.")
        .def(nb::init<nb::list>(), nb::arg("perm"));
}

}  // namespace wherry::bind
