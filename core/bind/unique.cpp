// The different values of a vector.
#include <nanobind/nanobind.h>

#include <new>
#include <utility>
#include <vector>

#include "../steps/unique.hpp"
#include "fields.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr int64_t kFewBytes = 4096;

nb::object new_integers(int64_t count) {
    nb::object made = nb::steal(new_array(PyArray_DescrFromType(NPY_INT64), 1, &count));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

int64_t* integers_of(const nb::object& array) {
    return static_cast<int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
}

// First places, inverse and counts of the different elements.
nb::object unique(nb::handle data, int64_t element, bool nan_differ, bool ascending) {
    PyArrayObject* vector = as_array(data, "data");
    require(PyArray_NDIM(vector) == 1 && PyArray_IS_C_CONTIGUOUS(vector), "data must be a vector without gaps");
    require(element >= 0 && element < kElements, "element must be 0..14");
    const Element type = static_cast<Element>(element);
    require(UniqueSearch::has_keys(type), "elements must be bool, integers, float32 or float64");
    require(PyArray_ITEMSIZE(vector) == width_of(type), "an element has another width");
    const int64_t count = sizes(vector)[0];
    std::vector<Memory> kept;
    alignas(64) char few[kFewBytes];  // for a vector of few elements, of which each allocation would be a good part
    int64_t taken = 0;
    const auto space = [&](int64_t wanted) {
        const int64_t rounded = (wanted + 63) / 64 * 64;
        if (rounded <= kFewBytes - taken) return few + std::exchange(taken, taken + rounded);
        kept.push_back(new_memory(wanted));
        if (!kept.back()) throw std::bad_alloc();
        return kept.back().get();
    };
    UniqueSearch search(PyArray_BYTES(vector), count, type, nan_differ, space);
    const int64_t bytes = count * static_cast<int64_t>(sizeof(int64_t));
    int64_t values = 0;
    if (!without_gil(bytes, [&] { values = search.look(); })) throw nb::python_error();
    const nb::object first = new_integers(values), inverse = new_integers(count), counts = new_integers(values);
    const UniqueResults results{integers_of(first), integers_of(counts), integers_of(inverse)};
    if (!without_gil(bytes, [&] { search.write(results, ascending); })) throw nb::python_error();
    return nb::make_tuple(first, inverse, counts);
}

}  // namespace

void add_unique(nb::module_& m) {
    m.def("unique", &unique, nb::arg("data"), nb::arg("element"), nb::arg("nan_differ"), nb::arg("ascending"),
          "(first places, inverse, counts) of the different elements of a vector, in ascending order or in that of\n"
          "their first places; elements are numbered as for scatter_into. NaN are one value, or differ from each "
          "other.");
}

}  // namespace wherry::bind
