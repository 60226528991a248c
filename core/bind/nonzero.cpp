// The elements of an array that are not zero.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../steps/nonzero.hpp"
#include "direct.hpp"
#include "fields.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// The elements of an array that are not zero: how many, and where. It keeps the array.
class NonZero {
public:
    NonZero(nb::handle data, uint64_t mask) : data_(nb::borrow(data)), search_(described(data, mask)) {
        PyArrayObject* array = as_array(data, "data");
        sizes_.assign(sizes(array), sizes(array) + PyArray_NDIM(array));
        if (!without_gil(PyArray_NBYTES(array), [&] { count_ = search_.look(); })) throw nb::python_error();
    }

    int64_t count() const { return count_; }
    int64_t ndim() const { return static_cast<int64_t>(sizes_.size()); }

    nb::object positions() const {
        nb::object result = nb::steal(new_array(PyArray_DescrFromType(NPY_INT64), 1, &count_));
        if (!result.is_valid()) throw nb::python_error();
        const int64_t all = INT64_MAX;
        write({PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.ptr())), 8, 0, 8, 1, &all});
        return result;
    }

    void coordinates(nb::handle out_object) const {
        PyArrayObject* out = as_array(out_object, "out");
        const int ndim = static_cast<int>(sizes_.size());
        require(PyArray_NDIM(out) == 2 && sizes(out)[0] == ndim && sizes(out)[1] == count_,
                "out must have a row for each axis, with a column for each element that is not zero");
        require(PyArray_ITEMSIZE(out) == 4 || PyArray_ITEMSIZE(out) == 8, "coordinates must have 4 or 8 bytes");
        require(PyArray_ISWRITEABLE(out), "out is read-only");
        write({PyArray_BYTES(out), PyArray_ITEMSIZE(out), byte_strides(out)[0], byte_strides(out)[1], ndim,
               sizes_.data()});
    }

private:
    static NonZeroData described(nb::handle data_object, uint64_t mask) {
        PyArrayObject* data = as_array(data_object, "data");
        NonZeroData given{PyArray_BYTES(data), {}, PyArray_ITEMSIZE(data), mask};
        require(given.width == 1 || given.width == 2 || given.width == 4 || given.width == 8,
                "elements must have 1, 2, 4 or 8 bytes");
        for (int a = 0; a < PyArray_NDIM(data); ++a) given.axes.add(sizes(data)[a], {byte_strides(data)[a]});
        return given;
    }

    void write(const Coordinates& to) const {
        if (!without_gil(count_ * to.width, [&] { search_.write(to); })) throw nb::python_error();
    }

    nb::object data_;
    NonZeroSearch search_;
    std::vector<int64_t> sizes_;
    int64_t count_ = 0;
};

nb::object coordinates_of(const NonZero& found, PyArray_Descr* descr) {
    const int64_t made_sizes[2] = {found.ndim(), found.count()};
    nb::object made = new_packed(descr, 2, made_sizes);
    found.coordinates(made);
    return made;
}

// The coordinates as a new array of integers of 4 or 8 bytes.
nb::object nonzero(nb::handle data, uint64_t mask, nb::handle dtype) {
    require(PyArray_DescrCheck(dtype.ptr()), "a dtype is needed");
    auto* descr = reinterpret_cast<PyArray_Descr*>(dtype.ptr());
    require(!PyDataType_REFCHK(descr), "coordinates are no Python objects");
    return coordinates_of(NonZero(data, mask), descr);
}

// The coordinates as a function, whose results have few bytes.
class FindingNonZero final : public Direct {
public:
    FindingNonZero(uint64_t mask, nb::object dtype) : mask_(mask), dtype_(std::move(dtype)) {
        require(PyArray_DescrCheck(dtype_.ptr()) && PyTypeNum_ISINTEGER(type()->type_num), "coordinates are integers");
    }

    nb::object output(std::span<PyObject* const> arrays) const override {
        require(arrays.size() == 1, "one array is searched");
        const NonZero found(arrays[0], mask_);
        if (found.ndim() == 0 || found.count() > kMostDirect / (found.ndim() * PyDataType_ELSIZE(type())))
            return nb::none();
        return coordinates_of(found, type());
    }

private:
    PyArray_Descr* type() const { return reinterpret_cast<PyArray_Descr*>(dtype_.ptr()); }

    uint64_t mask_;
    nb::object dtype_;
};

// The slices of an array where a vector of bools is true, along a known axis, or the elements in row-major order.
class Compressing final : public Direct {
public:
    // `place`: of the vector, among it and the array.
    Compressing(size_t place, std::optional<int> axis) : place_(place), axis_(axis) {
        require(place < 2, "there are two arrays");
    }

    nb::object output(std::span<PyObject* const> arrays) const override {
        require(arrays.size() == 2, "there are two arrays");
        PyArrayObject *data = exact_array(arrays[1 - place_]), *marks = exact_array(arrays[place_]);
        if (!data || !marks || PyArray_TYPE(marks) != NPY_BOOL || PyArray_NDIM(marks) != 1) return nb::none();
        if (PyArray_SIZE(data) == 0 || PyArray_NBYTES(data) > kMostDirect) return nb::none();
        const nb::object taken = axis_ ? nb::borrow(arrays[1 - place_]) : as_vector(data);
        PyArrayObject* const from = exact_array(taken.ptr());
        const int given = axis_.value_or(0), axis = given < 0 ? given + PyArray_NDIM(from) : given;
        require(axis >= 0 && axis < PyArray_NDIM(from), "there is no such axis");
        const int64_t size = PyArray_DIM(from, axis);
        const NonZero found(arrays[place_], UINT8_MAX);
        if (found.count() > size) return nb::none();  // by some rules it is refused: here, before there are places,
        const nb::object places = found.positions();
        const auto* at = static_cast<const int64_t*>(PyArray_DATA(exact_array(places.ptr())));
        if (found.count() > 0 && at[found.count() - 1] >= size) return nb::none();  // and here
        return slices_at(taken, places, axis);
    }

private:
    size_t place_;
    std::optional<int> axis_;
};

}  // namespace

void add_nonzero(nb::module_& m) {
    nb::class_<NonZero>(m, "NonZero", "The elements of an array that have one of the bits of `mask`.")
        .def(nb::init<nb::handle, uint64_t>(), nb::arg("data"), nb::arg("mask"))
        .def_prop_ro("count", &NonZero::count, "How many there are.")
        .def("positions", &NonZero::positions, "Where they lie in row-major order, as int64.")
        .def("coordinates", &NonZero::coordinates, nb::arg("out"),
             "Writes the coordinates of each as a column of out, which has one column for each and elements of 4 or 8\n"
             "bytes.");
    nb::class_<FindingNonZero, Direct>(m, "FindingNonZero",
                                       "The coordinates of the elements of an array that are not 0.")
        .def(nb::init<uint64_t, nb::object>(), nb::arg("mask"), nb::arg("dtype"));
    nb::class_<Compressing, Direct>(m, "Compressing", "The slices of an array where a vector of bools is true.")
        .def(nb::init<size_t, std::optional<int>>(), nb::arg("place"), nb::arg("axis").none());
    m.def("nonzero", &nonzero, nb::arg("data"), nb::arg("mask"), nb::arg("dtype"),
          "The coordinates of the elements that have one of the bits of `mask`, a column for each, as a new array.");
}

}  // namespace wherry::bind
