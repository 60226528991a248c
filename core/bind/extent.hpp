// Where the elements of an array lie: for arrays that are written.
#pragma once

#include "../layout/collapse.hpp"
#include "numpy.hpp"

namespace wherry::bind {

// The bytes that the elements of an array lie in.
struct Extent {
    const char *begin, *end;
};

inline Extent extent(PyArrayObject* a) {
    const char *low = PyArray_BYTES(a), *high = low;
    // Before any sum: the strides of an array without elements may be any numbers.
    for (int i = 0; i < PyArray_NDIM(a); ++i)
        if (sizes(a)[i] == 0) return {low, low};
    for (int i = 0; i < PyArray_NDIM(a); ++i) {
        const int64_t reach = byte_strides(a)[i] * (sizes(a)[i] - 1);
        (reach < 0 ? low : high) += reach;
    }
    return {low, high + PyArray_ITEMSIZE(a)};
}

inline bool may_overlap(const Extent& a, const Extent& b) { return a.begin < b.end && b.begin < a.end; }

// True if the strides show that no two elements share a byte.
inline bool surely_distinct(PyArrayObject* a) {
    if (PyArray_IS_C_CONTIGUOUS(a)) return true;
    Axes<1> axes;
    for (int i = 0; i < PyArray_NDIM(a); ++i) axes.add(sizes(a)[i], {byte_strides(a)[i]});
    if (axes.empty) return true;
    turn_forwards(axes);
    order_by_writes(axes);
    int64_t covered = PyArray_ITEMSIZE(a);
    for (int i = axes.ndim - 1; i >= 0; --i) {
        if (axes.stride[i][0] < covered) return false;
        covered += axes.stride[i][0] * (axes.size[i] - 1);
    }
    return true;
}

}  // namespace wherry::bind
