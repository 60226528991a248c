// Axes of several strided operands at once: drop, turn, order and merge them before a kernel runs.
#pragma once

#include <cstdint>

namespace wherry {

constexpr int kMaxRank = 64;

// One entry per axis, outermost first. Strides are in bytes; operand 0 is the one that is written.
// Only the first `ndim` axes are set and copied: a small call must not pay for 64.
template <int N>
struct Axes {
    Axes() {}
    Axes(const Axes& other) { *this = other; }
    Axes& operator=(const Axes& other) {
        ndim = other.ndim;
        empty = other.empty;
        for (int k = 0; k < N; ++k) offset[k] = other.offset[k];
        for (int a = 0; a < ndim; ++a) {
            size[a] = other.size[a];
            for (int k = 0; k < N; ++k) stride[a][k] = other.stride[a][k];
        }
        return *this;
    }

    int ndim = 0;
    bool empty = false;
    int64_t offset[N] = {};  // what turning an axis added to each operand's start
    int64_t size[kMaxRank];
    int64_t stride[kMaxRank][N];

    // A size of 0 removes all axes: the strides of an empty tensor may be any numbers, also near 2^63.
    void add(int64_t n, const int64_t (&strides)[N]) {
        if (n == 0) {
            empty = true;
            ndim = 0;
        }
        if (n <= 1 || empty) return;
        size[ndim] = n;
        for (int k = 0; k < N; ++k) stride[ndim][k] = strides[k];
        ++ndim;
    }

    void remove(int axis) {
        for (int a = axis; a + 1 < ndim; ++a) {
            size[a] = size[a + 1];
            for (int k = 0; k < N; ++k) stride[a][k] = stride[a + 1][k];
        }
        --ndim;
    }

    int64_t count() const {
        if (empty) return 0;
        int64_t total = 1;
        for (int a = 0; a < ndim; ++a) total *= size[a];
        return total;
    }

    // Without those that operand k repeats.
    int64_t count_of(int k) const {
        if (empty) return 0;
        int64_t total = 1;
        for (int a = 0; a < ndim; ++a) total *= stride[a][k] == 0 ? 1 : size[a];
        return total;
    }
};

// Reverses the axes along which operand 0 has a negative stride.
template <int N>
inline void turn_forwards(Axes<N>& axes) {
    for (int a = 0; a < axes.ndim; ++a) {
        if (axes.stride[a][0] >= 0) continue;
        for (int k = 0; k < N; ++k) {
            axes.offset[k] += axes.stride[a][k] * (axes.size[a] - 1);
            axes.stride[a][k] = -axes.stride[a][k];
        }
    }
}

// Sorts the axes by the stride of an operand, the largest first.
template <int N>
inline void order_by(Axes<N>& axes, int operand) {
    for (int a = 1; a < axes.ndim; ++a) {
        for (int b = a; b > 0 && axes.stride[b][operand] > axes.stride[b - 1][operand]; --b) {
            int64_t n = axes.size[b];
            axes.size[b] = axes.size[b - 1];
            axes.size[b - 1] = n;
            for (int k = 0; k < N; ++k) {
                int64_t s = axes.stride[b][k];
                axes.stride[b][k] = axes.stride[b - 1][k];
                axes.stride[b - 1][k] = s;
            }
        }
    }
}

// Writes then go forward through memory.
template <int N>
inline void order_by_writes(Axes<N>& axes) {
    order_by(axes, 0);
}

// Merges neighbouring axes that every operand steps through evenly.
template <int N>
inline void merge_neighbours(Axes<N>& axes) {
    int last = 0;
    for (int a = 1; a < axes.ndim; ++a) {
        bool even = true;
        for (int k = 0; k < N; ++k) even &= axes.stride[last][k] == axes.stride[a][k] * axes.size[a];
        if (even) {
            axes.size[last] *= axes.size[a];
        } else {
            ++last;
            axes.size[last] = axes.size[a];
        }
        for (int k = 0; k < N; ++k) axes.stride[last][k] = axes.stride[a][k];
    }
    if (axes.ndim > 0) axes.ndim = last + 1;
}

template <int N>
inline void collapse(Axes<N>& axes) {
    if (axes.ndim == 0) return;
    turn_forwards(axes);
    order_by_writes(axes);
    merge_neighbours(axes);
}

// Removes the innermost axis if operands 0 and 1 are dense along it and the others do not step; returns the bytes that
// can be moved as one run.
template <int N>
inline int64_t take_run(Axes<N>& axes, int64_t width) {
    if (axes.ndim == 0) return width;
    const int a = axes.ndim - 1;
    bool dense = axes.stride[a][0] == width && (N < 2 || axes.stride[a][N < 2 ? 0 : 1] == width);
    for (int k = 2; k < N; ++k) dense &= axes.stride[a][k] == 0;
    if (!dense) return width;
    --axes.ndim;
    return width * axes.size[a];
}

}  // namespace wherry
