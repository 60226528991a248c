#include "results.hpp"

#include <string.h>

#include <algorithm>

#include "../steps/copy.hpp"
#include "../tune/thresholds.hpp"
#include "direct.hpp"
#include "extent.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr size_t kMost = 64;  // results: each is compared with each

bool takes(PyObject* out, PyObject* result) {
    PyArrayObject *to = exact_array(out), *from = exact_array(result);
    return from && may_take_result(out) && PyArray_DESCR(to) == PyArray_DESCR(from) &&
           PyArray_NDIM(to) == PyArray_NDIM(from) && std::equal(sizes(to), sizes(to) + PyArray_NDIM(to), sizes(from));
}

PyArrayObject* array(PyObject* object) { return reinterpret_cast<PyArrayObject*>(object); }

bool is_string(PyObject* entry) { return entry && (PyUnicode_Check(entry) || PyBytes_Check(entry)); }

bool holds_strings_alone(PyArrayObject* array) {
    if (PyArray_IS_C_CONTIGUOUS(array)) {
        auto* const entries = static_cast<PyObject**>(PyArray_DATA(array));
        return std::all_of(entries, entries + PyArray_SIZE(array), is_string);
    }
    const nb::object entries = nb::steal(PyArray_IterNew(reinterpret_cast<PyObject*>(array)));
    if (!entries.is_valid()) {
        PyErr_Clear();
        return false;  // the function itself says what is wrong
    }
    PyObject* const at = entries.ptr();
    while (PyArray_ITER_NOTDONE(at)) {
        if (!is_string(*static_cast<PyObject**>(PyArray_ITER_DATA(at)))) return false;
        PyArray_ITER_NEXT(at);
    }
    return true;
}

void copy(PyArrayObject* from, PyArrayObject* to) {
    if (!is_plain(to)) {
        if (PyArray_CopyInto(to, from) < 0) throw nb::python_error();
        return;
    }
    const npy_intp bytes = PyArray_NBYTES(to);
    if (bytes <= tune::kReleaseBytes && PyArray_IS_C_CONTIGUOUS(from) && PyArray_IS_C_CONTIGUOUS(to)) {
        if (bytes > 0) memcpy(PyArray_BYTES(to), PyArray_BYTES(from), static_cast<size_t>(bytes));
        return;
    }
    CopyStep step;
    Arguments({nb::handle(reinterpret_cast<PyObject*>(to)), nb::handle(reinterpret_cast<PyObject*>(from)),
               static_cast<int64_t>(PyArray_ITEMSIZE(to))})
        .run(step);
}

}  // namespace

bool holds_objects(PyObject* given) {
    return PyArray_Check(given) && PyArray_TYPE(reinterpret_cast<PyArrayObject*>(given)) == NPY_OBJECT;
}

bool hold_strings(PyObject* results) {
    if (holds_objects(results)) return holds_strings_alone(reinterpret_cast<PyArrayObject*>(results));
    if (!PyList_Check(results) && !PyTuple_Check(results)) return true;
    PyObject** const entries = PySequence_Fast_ITEMS(results);
    return std::all_of(entries, entries + PySequence_Fast_GET_SIZE(results), hold_strings);
}

bool may_take_result(PyObject* out) {
    PyArrayObject* to = exact_array(out);
    return to && (is_plain(to) || PyArray_TYPE(to) == NPY_OBJECT) && PyArray_ISWRITEABLE(to) && surely_distinct(to);
}

bool are_apart(std::span<PyObject* const> read, std::span<PyObject* const> outs) {
    require(read.size() <= kMost && outs.size() <= kMost, "there are too many arrays");
    Extent from[kMost], to[kMost];
    const auto extent_of = [](PyObject* each) { return extent(array(each)); };
    std::ranges::transform(read, from, extent_of);
    std::ranges::transform(outs, to, extent_of);
    for (size_t k = 0; k < outs.size(); ++k) {
        const auto meets = [&](const Extent& other) { return may_overlap(to[k], other); };
        if (std::any_of(from, from + read.size(), meets) || std::any_of(to, to + k, meets)) return false;
    }
    return true;
}

bool write_results(nb::handle results, nb::handle outs) {
    for (nb::handle each : {results, outs})
        if (!is_list_or_tuple(each.ptr())) return false;
    // As tuples: no other thread changes them meanwhile.
    const nb::object from = nb::steal(PySequence_Tuple(results.ptr())), to = nb::steal(PySequence_Tuple(outs.ptr()));
    if (!from.is_valid() || !to.is_valid()) throw nb::python_error();
    return write_results({PySequence_Fast_ITEMS(from.ptr()), nb::len(from)},
                         {PySequence_Fast_ITEMS(to.ptr()), nb::len(to)});
}

bool write_results(std::span<PyObject* const> results, std::span<PyObject* const> outs) {
    if (results.size() != outs.size() || outs.size() > kMost) return false;
    if (!std::equal(outs.begin(), outs.end(), results.begin(), takes)) return false;
    if (!are_apart(results, outs)) return false;
    for (size_t k = 0; k < outs.size(); ++k) {
        if (!takes(outs[k], results[k])) {  // while one was copied, another thread gave the next other sizes
            PyErr_SetString(PyExc_RuntimeError, "an array of out was changed by another thread while out was written");
            throw nb::python_error();
        }
        copy(array(results[k]), array(outs[k]));
    }
    return true;
}

void add_results(nb::module_& m) {
    m.def(
        "hold_strings", [](nb::handle results) { return hold_strings(results.ptr()); }, nb::arg("results"),
        "Whether an array, or each array of a list or tuple, has no objects but strings.");
    m.def(
        "write_results", nb::overload_cast<nb::handle, nb::handle>(&write_results), nb::arg("results"), nb::arg("out"),
        "Copies each result to the array for it in `out`; False, with nothing written, where it is not sure that all\n"
        "can be.");
}

}  // namespace wherry::bind
