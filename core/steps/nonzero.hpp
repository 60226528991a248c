// Where the elements of a tensor are not zero.
#pragma once

#include <cstdint>
#include <vector>

#include "../kernels/blocks.hpp"
#include "../layout/collapse.hpp"

namespace wherry {

// A tensor as NonZero sees it: an element is not zero if it has one of the bits of `mask`.
struct NonZeroData {
    const char* start;
    Axes<1> axes;   // in row-major order
    int64_t width;  // 1, 2, 4 or 8
    uint64_t mask;
};

// Where coordinates go: that on axis a of the n-th element to out + a * axis_step + n * entry_step. The axes are those
// of the tensor, or any others of as many positions: a single one gives row-major positions.
struct Coordinates {
    char* out;
    int64_t width;  // 4 or 8
    int64_t axis_step, entry_step;
    int ndim;
    const int64_t* sizes;
};

// Looks twice at a tensor: how many elements are not zero, then where.
class NonZeroSearch {
public:
    explicit NonZeroSearch(const NonZeroData& data);

    // Returns how many elements are not zero.
    int64_t look();

    // Writes so many entries, in order; where the tensor has changed since the look, others, or 0.
    void write(const Coordinates& to) const;

private:
    // Marks of `count` elements from position `first` on; returns how many are set.
    int64_t mark(int64_t first, int64_t count, char* marks) const;

    MarkKernel mark_;
    NonZeroData data_;  // its axes are the outer ones
    int64_t row_ = 1;   // elements of the innermost axis
    int64_t step_;      // between them
    int64_t count_;
    std::vector<int64_t> begin_;  // how many lie before each piece
};

}  // namespace wherry
