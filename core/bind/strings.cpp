// Strings of Python out of runs of UTF-8.
#include <nanobind/nanobind.h>

#include "../layout/iterate.hpp"
#include "../steps/check.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// An array of the strings symbols[begins[c]:ends[c]]; None if a run is no part of the symbols. Bytes that are no UTF-8
// become surrogates, as Python's own decoder makes them.
nb::object strings(nb::handle begins_object, nb::handle ends_object, nb::handle symbols_object) {
    PyArrayObject *begins = as_array(begins_object, "begins"), *ends = as_array(ends_object, "ends"),
                  *symbols = as_array(symbols_object, "symbols");
    const IndexType type = index_type_of(begins_object);
    const int ndim = PyArray_NDIM(begins);
    require(index_type_of(ends_object) == type, "begins and ends must have one type");
    require(PyArray_NDIM(ends) == ndim && PyArray_CompareLists(PyArray_DIMS(begins), PyArray_DIMS(ends), ndim),
            "begins and ends must have equal sizes");
    require(PyArray_NDIM(symbols) == 1 && PyArray_ITEMSIZE(symbols) == 1 && PyArray_IS_C_CONTIGUOUS(symbols),
            "symbols must be bytes without gaps");
    nb::object made = nb::steal(PyArray_SimpleNew(ndim, PyArray_DIMS(begins), NPY_OBJECT));  // of null pointers
    if (!made.is_valid()) throw nb::python_error();
    Axes<2> axes;
    for (int a = 0; a < ndim; ++a) axes.add(sizes(begins)[a], {byte_strides(begins)[a], byte_strides(ends)[a]});
    auto** to = static_cast<PyObject**>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(made.ptr())));
    Outer<2> at(axes, 0);
    for (int64_t left = axes.count(); left > 0; --left, at.next()) {
        const int64_t begin = read_index(type, PyArray_BYTES(begins) + at.offset[0]),
                      end = read_index(type, PyArray_BYTES(ends) + at.offset[1]);
        if (begin < 0 || begin > end || end > sizes(symbols)[0]) return nb::none();
        *to = PyUnicode_DecodeUTF8(PyArray_BYTES(symbols) + begin, end - begin, "surrogateescape");
        if (!*to++) throw nb::python_error();
    }
    return made;
}

}  // namespace

void add_strings(nb::module_& m) {
    m.def(
        "strings", &strings, nb::arg("begins"), nb::arg("ends"), nb::arg("symbols"),
        "An array of the strings symbols[begins[c]:ends[c]], as UTF-8 with surrogateescape; None if a run is no part\n"
        "of the symbols.");
}

}  // namespace wherry::bind
