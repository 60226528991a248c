// Views: the memory under an array as one vector, and any checked layout over such a vector.
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>

#include "direct.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// What an array of these sizes and strides reaches, in the unit of the strides; false if 64 bits are too few.
bool reach(int ndim, const int64_t* sizes, const int64_t* strides, int64_t& low, int64_t& high) {
    low = high = 0;
    for (int a = 0; a < ndim; ++a) {
        int64_t far;
        if (__builtin_mul_overflow(sizes[a] - 1, strides[a], &far)) return false;
        if (__builtin_add_overflow(far < 0 ? low : high, far, far < 0 ? &low : &high)) return false;
    }
    return true;
}

PyArrayObject* array_of(nb::handle object) {
    if (!PyArray_Check(object.ptr())) throw nb::type_error("a NumPy array is needed");
    return reinterpret_cast<PyArrayObject*>(object.ptr());
}

int64_t integer(nb::handle value) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred()) throw nb::python_error();
    return number;
}

// The memory under an array, from its lowest element to its highest, as a vector that keeps the array alive.
nb::object memory_of(nb::handle object) {
    PyArrayObject* array = array_of(object);
    const int64_t width = PyArray_ITEMSIZE(array), ndim = PyArray_NDIM(array);
    int64_t low = 0, high = -width;
    if (PyArray_SIZE(array) > 0) {
        if (!reach(PyArray_NDIM(array), sizes(array), byte_strides(array), low, high))
            throw nb::value_error("strides reach beyond 64 bits");
        for (int a = 0; a < ndim; ++a)
            if (width == 0 || (sizes(array)[a] > 1 && byte_strides(array)[a] % width))
                throw nb::value_error("strides must be multiples of the element width");
    }
    const int64_t span = width ? (high - low) / width + 1 : 0;
    return view_of(array, 1, &span, &width, PyArray_BYTES(array) + low);
}

// Sizes and strides (in elements) from an offset on, over a packed vector; never outside it.
nb::object view(nb::handle object, nb::handle size_list, nb::handle stride_list, int64_t offset) {
    PyArrayObject* vector = array_of(object);
    const int64_t width = PyArray_ITEMSIZE(vector);
    if (PyArray_NDIM(vector) != 1 || (sizes(vector)[0] > 1 && byte_strides(vector)[0] != width))
        throw nb::value_error("a packed vector is needed");
    const size_t ndim = nb::len(size_list);
    if (ndim != nb::len(stride_list) || ndim > NPY_MAXDIMS) throw nb::value_error("one stride for each size is needed");
    std::array<int64_t, NPY_MAXDIMS> given_sizes, strides;
    bool empty = false;
    for (size_t a = 0; a < ndim; ++a) {
        given_sizes[a] = integer(size_list[a]);
        strides[a] = integer(stride_list[a]);
        if (given_sizes[a] < 0) throw nb::value_error("sizes must not be negative");
        empty |= given_sizes[a] == 0;
    }
    int64_t low = 0, high = 0;
    const int rank = static_cast<int>(ndim);
    if (empty) {
        offset = 0;
        for (size_t a = 0; a < ndim; ++a) strides[a] = 0;
    } else if (!reach(rank, given_sizes.data(), strides.data(), low, high) || offset < -low ||
               high >= sizes(vector)[0] || offset >= sizes(vector)[0] - high) {
        throw nb::value_error("the view would leave its buffer");
    }
    for (size_t a = 0; a < ndim; ++a) strides[a] = given_sizes[a] > 1 ? strides[a] * width : width;
    return view_of(vector, rank, given_sizes.data(), strides.data(), PyArray_BYTES(vector) + offset * width);
}

// An array in other sizes: axes of size 1, and those that it lacks before its first, repeat. None where sizes differ.
nb::object broadcast(nb::handle object, nb::tuple size_list) {
    PyArrayObject* array = array_of(object);
    const int rank = static_cast<int>(nb::len(size_list)), missing = rank - PyArray_NDIM(array);
    if (rank > NPY_MAXDIMS || missing < 0) return nb::none();
    std::array<int64_t, NPY_MAXDIMS> given_sizes, strides;
    for (int a = 0; a < rank; ++a) {
        const size_t axis = static_cast<size_t>(a);
        const int64_t size = given_sizes[axis] = integer(size_list[axis]);
        const int64_t own = a < missing ? 1 : sizes(array)[a - missing];
        if (size < 0 || (own != size && own != 1)) return nb::none();
        strides[axis] = own == size && a >= missing ? byte_strides(array)[a - missing] : 0;
    }
    return view_of(array, rank, given_sizes.data(), strides.data(), PyArray_BYTES(array));
}

// The views of an array between neighbouring bounds along an axis.
nb::object parts(nb::handle object, int axis, nb::list bounds) {
    PyArrayObject* array = array_of(object);
    const int ndim = PyArray_NDIM(array);
    const size_t count = nb::len(bounds);
    if (axis < 0 || axis >= ndim || count < 1) throw nb::value_error("an axis and a bound are needed");
    std::array<int64_t, NPY_MAXDIMS> part_sizes;
    std::copy(sizes(array), sizes(array) + ndim, part_sizes.begin());
    nb::object made = nb::steal(PyList_New(static_cast<Py_ssize_t>(count - 1)));
    if (!made.is_valid()) throw nb::python_error();
    int64_t begin = integer(bounds[0]);
    if (begin < 0) throw nb::value_error("bounds must not be negative");
    for (size_t k = 1; k < count; ++k) {
        const int64_t end = integer(bounds[k]);
        if (end < begin || end > sizes(array)[axis]) throw nb::value_error("bounds must ascend within the axis");
        part_sizes[static_cast<size_t>(axis)] = end - begin;
        char* start = PyArray_BYTES(array) + begin * byte_strides(array)[axis];
        nb::object part = view_of(array, ndim, part_sizes.data(), byte_strides(array), start);
        PyList_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(k - 1), part.release().ptr());
        begin = end;
    }
    return made;
}

}  // namespace

void add_views(nb::module_& m) {
    m.def("broadcast", &broadcast, nb::arg("array"), nb::arg("sizes"),
          "The array in these sizes, where axes of size 1 and missing ones repeat; None if its sizes do not fit.");
    m.def("memory_of", &memory_of, nb::arg("array"),
          "The memory under an array, from its lowest element to its highest, as a vector of elements.");
    m.def("parts", &parts, nb::arg("array"), nb::arg("axis"), nb::arg("bounds"),
          "The views of an array between neighbouring bounds along an axis; ValueError if these do not ascend within "
          "it.");
    m.def("view", &view, nb::arg("vector"), nb::arg("sizes"), nb::arg("strides"), nb::arg("offset"),
          "An array over a vector of elements, strides and offset in elements; ValueError if it would leave it.");
}

}  // namespace wherry::bind
