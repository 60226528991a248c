// An iterator over the positions of axes, from any of them on: it keeps the byte offset of every operand.
#pragma once

#include "collapse.hpp"

namespace wherry {

template <int N>
class Outer {
public:
    Outer(const Axes<N>& axes, int64_t start) : axes_(axes) {
        for (int k = 0; k < N; ++k) offset[k] = 0;
        for (int a = axes.ndim - 1; a >= 0; --a) {
            at_[a] = start % axes.size[a];
            start /= axes.size[a];
            for (int k = 0; k < N; ++k) offset[k] += at_[a] * axes.stride[a][k];
        }
    }

    void next() {
        for (int a = axes_.ndim - 1; a >= 0; --a) {
            for (int k = 0; k < N; ++k) offset[k] += axes_.stride[a][k];
            if (++at_[a] < axes_.size[a]) return;
            for (int k = 0; k < N; ++k) offset[k] -= axes_.stride[a][k] * axes_.size[a];
            at_[a] = 0;
        }
    }

    int64_t at(int axis) const { return at_[axis]; }

    int64_t offset[N];

private:
    const Axes<N>& axes_;
    int64_t at_[kMaxRank];
};

}  // namespace wherry
