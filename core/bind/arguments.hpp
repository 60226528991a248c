// Checks of arguments that the primitives share: what memory safety needs, in few words.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <cstring>
#include <string>

#include "../layout/collapse.hpp"
#include "../steps/convert.hpp"
#include "../steps/range.hpp"

namespace wherry::bind {

inline PyArrayObject* as_array(nanobind::handle object, const char* name) {
    if (!PyArray_Check(object.ptr()))
        throw nanobind::type_error((std::string(name) + " must be a NumPy array").c_str());
    auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!is_plain(array)) throw nanobind::type_error((std::string(name) + " must not hold Python objects").c_str());
    return array;
}

inline void require(bool fine, const char* text, const char* more = "") {
    if (!fine) throw nanobind::value_error((std::string(text) + more).c_str());
}

// The axes that arrays of equal sizes share, with the byte strides of each.
template <int N>
Axes<N> shared_axes(PyArrayObject* const (&arrays)[N], const char* names) {
    const int ndim = PyArray_NDIM(arrays[0]);
    for (PyArrayObject* array : arrays) require(PyArray_NDIM(array) == ndim, names, " differ in rank");
    Axes<N> axes;
    for (int a = 0; a < ndim; ++a) {
        int64_t strides[N];
        for (int k = 0; k < N; ++k) {
            require(sizes(arrays[k])[a] == sizes(arrays[0])[a], names, " differ in sizes");
            strides[k] = byte_strides(arrays[k])[a];
        }
        axes.add(sizes(arrays[0])[a], strides);
    }
    return axes;
}

inline Element element_of(int number) {
    require(number >= 0 && number < kElements, "element must be 0..14");
    return static_cast<Element>(number);
}

// The numbers of a range; out and its steps are left to the caller.
inline RangeJob range_of(int element, const nanobind::bytes& start, const nanobind::bytes& delta) {
    RangeJob job{};
    job.element = element_of(element);
    require(has_range(job.element), "there are no ranges of this type");
    job.width = width_of(job.element);
    const auto width = static_cast<size_t>(job.width);
    require(start.size() == width && delta.size() == width, "start and delta must be one element");
    std::memcpy(job.start, start.c_str(), width);
    std::memcpy(job.delta, delta.c_str(), width);
    return job;
}

}  // namespace wherry::bind
