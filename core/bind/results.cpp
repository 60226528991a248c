#include "results.hpp"

#include <string.h>

#include <algorithm>

#include "../steps/copy.hpp"
#include "../tune/thresholds.hpp"
#include "direct.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr size_t kMost = 64;  // results: each is compared with each

// The bytes that the elements of an array lie in.
struct Reach {
    const char *begin, *end;

    explicit Reach(PyArrayObject* array) : begin(PyArray_BYTES(array)), end(begin + PyArray_ITEMSIZE(array)) {
        if (PyArray_SIZE(array) == 0) end = begin;
        for (int a = 0; a < PyArray_NDIM(array) && begin != end; ++a) {
            const npy_intp far = (PyArray_DIM(array, a) - 1) * PyArray_STRIDE(array, a);
            (far < 0 ? begin : end) += far;
        }
    }
    bool meets(const Reach& other) const { return begin < other.end && other.begin < end; }
};

bool is_dense(PyArrayObject* array) { return PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array); }

bool takes(PyObject* out, PyObject* result) {
    PyArrayObject *to = exact_array(out), *from = exact_array(result);
    return to && from && PyArray_DESCR(to) == PyArray_DESCR(from) && (is_plain(to) || PyArray_TYPE(to) == NPY_OBJECT) &&
           PyArray_NDIM(to) == PyArray_NDIM(from) && std::equal(sizes(to), sizes(to) + PyArray_NDIM(to), sizes(from)) &&
           PyArray_ISWRITEABLE(to) && is_dense(to);
}

void copy(PyArrayObject* from, PyArrayObject* to) {
    if (!is_plain(to)) {
        if (PyArray_CopyInto(to, from) < 0) throw nb::python_error();
        return;
    }
    if (PyArray_NBYTES(to) <= tune::kReleaseBytes && PyArray_IS_C_CONTIGUOUS(from) && PyArray_IS_C_CONTIGUOUS(to)) {
        if (PyArray_NBYTES(to) > 0)
            memcpy(PyArray_BYTES(to), PyArray_BYTES(from), static_cast<size_t>(PyArray_NBYTES(to)));
        return;
    }
    CopyStep step;
    Arguments({nb::handle(reinterpret_cast<PyObject*>(to)), nb::handle(reinterpret_cast<PyObject*>(from)),
               static_cast<int64_t>(PyArray_ITEMSIZE(to))})
        .run(step);
}

bool write_all(nb::handle results, nb::handle outs) {
    for (nb::handle each : {results, outs})
        if (!is_list_or_tuple(each.ptr())) return false;
    // As tuples: no other thread changes them meanwhile.
    const nb::tuple from = nb::steal<nb::tuple>(PySequence_Tuple(results.ptr())),
                    to = nb::steal<nb::tuple>(PySequence_Tuple(outs.ptr()));
    return write_results({PySequence_Fast_ITEMS(from.ptr()), nb::len(from)},
                         {PySequence_Fast_ITEMS(to.ptr()), nb::len(to)});
}

}  // namespace

bool write_results(std::span<PyObject* const> results, std::span<PyObject* const> outs) {
    if (results.size() != outs.size() || outs.size() > kMost) return false;
    if (!std::equal(outs.begin(), outs.end(), results.begin(), takes)) return false;
    const auto at = [](PyObject* object) { return reinterpret_cast<PyArrayObject*>(object); };
    for (size_t k = 0; k < outs.size(); ++k) {
        const Reach out(at(outs[k]));
        for (PyObject* result : results)
            if (out.meets(Reach(at(result)))) return false;
        for (PyObject* other : outs.first(k))
            if (out.meets(Reach(at(other)))) return false;
    }
    for (size_t k = 0; k < outs.size(); ++k) {
        if (!takes(outs[k], results[k])) {  // while one was copied, another thread gave the next other sizes
            PyErr_SetString(PyExc_RuntimeError, "an array of out was changed by another thread while out was written");
            throw nb::python_error();
        }
        copy(at(results[k]), at(outs[k]));
    }
    return true;
}

void add_results(nb::module_& m) {
    m.def(
        "write_results", &write_all, nb::arg("results"), nb::arg("out"),
        "Copies each result to the array for it in `out`; False, with nothing written, where it is not sure that all\n"
        "can be.");
}

}  // namespace wherry::bind
