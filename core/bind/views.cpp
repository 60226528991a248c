// Views: the memory under an array as one vector, and any checked layout over such a vector.
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

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

// The views of an array between neighbouring bounds along an axis, which ascend within it.
nb::object views_between(PyArrayObject* array, int axis, std::span<const int64_t> bounds) {
    std::array<int64_t, NPY_MAXDIMS> part_sizes;
    std::copy(sizes(array), sizes(array) + PyArray_NDIM(array), part_sizes.begin());
    nb::object made = nb::steal(PyList_New(static_cast<Py_ssize_t>(bounds.size() - 1)));
    if (!made.is_valid()) throw nb::python_error();
    for (size_t k = 0; k + 1 < bounds.size(); ++k) {
        part_sizes[static_cast<size_t>(axis)] = bounds[k + 1] - bounds[k];
        char* const start = PyArray_BYTES(array) + bounds[k] * byte_strides(array)[axis];
        nb::object part = view_of(array, PyArray_NDIM(array), part_sizes.data(), byte_strides(array), start);
        PyList_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(k), part.release().ptr());
    }
    return made;
}

nb::object parts(nb::handle object, int axis, nb::list given) {
    PyArrayObject* array = array_of(object);
    if (axis < 0 || axis >= PyArray_NDIM(array) || nb::len(given) < 1)
        throw nb::value_error("an axis and a bound are needed");
    std::vector<int64_t> bounds;
    for (nb::handle each : given) bounds.push_back(integer(each));
    if (bounds.front() < 0) throw nb::value_error("bounds must not be negative");
    if (!std::is_sorted(bounds.begin(), bounds.end()) || bounds.back() > sizes(array)[axis])
        throw nb::value_error("bounds must ascend within the axis");
    return views_between(array, axis, bounds);
}

// An integer of Python's own type that is not negative; -1 for anything else.
int64_t plain_integer(nb::handle value) {
    if (!PyLong_CheckExact(value.ptr())) return -1;
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow ? -1 : std::max<int64_t>(number, -1);
}

// Where the parts of an axis of this size begin and end, of which a number or a list of sizes is given; none where
// they are not sure to fill it.
std::vector<int64_t> plain_bounds(nb::handle sections_or_sizes, int64_t size) {
    const int64_t sections = plain_integer(sections_or_sizes);
    if (sections > 0) {
        if (size == 0 || size % sections) return {};
        std::vector<int64_t> bounds;
        bounds.reserve(static_cast<size_t>(sections) + 1);  // more than memory has are refused at once
        for (int64_t k = 0; k <= sections; ++k) bounds.push_back(k * (size / sections));
        return bounds;
    }
    if (!PyList_CheckExact(sections_or_sizes.ptr())) return {};
    std::vector<int64_t> bounds{0};
    for (nb::handle each : nb::borrow<nb::list>(sections_or_sizes)) {
        const int64_t part = plain_integer(each);
        if (part < 0 || part > size - bounds.back()) return {};
        bounds.push_back(bounds.back() + part);
    }
    return bounds.back() == size ? bounds : std::vector<int64_t>();
}

// The parts of an array along an axis; None for arguments that need more looking at.
nb::object split(nb::handle object, nb::handle sections_or_sizes, nb::handle given_axis) {
    PyArrayObject* array = exact_array(object.ptr());
    const int64_t axis = plain_integer(given_axis);
    if (!array || axis < 0 || axis >= PyArray_NDIM(array)) return nb::none();
    const std::vector<int64_t> bounds = plain_bounds(sections_or_sizes, sizes(array)[axis]);
    return bounds.empty() ? nb::none() : views_between(array, static_cast<int>(axis), bounds);
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
    m.def("split", &split, nb::arg("array").none(), nb::arg("sections_or_sizes").none(), nb::arg("axis").none(),
          "The views of an array in so many equal parts, or in parts of these sizes, that fill the axis; None for\n"
          "anything that is no plain array, integer or list of integers, or does not fill it.");
    m.def("view", &view, nb::arg("vector"), nb::arg("sizes"), nb::arg("strides"), nb::arg("offset"),
          "An array over a vector of elements, strides and offset in elements; ValueError if it would leave it.");
}

}  // namespace wherry::bind
