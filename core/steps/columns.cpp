// Tuples of indices to byte offsets.
#include "columns.hpp"

#include "../layout/iterate.hpp"

namespace wherry {

bool add_columns(const IndexRule& rule, const Column* columns, int column_count, const char* indices,
                 int64_t index_stride, int64_t count, int64_t* offsets, bool any_bad) {
    const BlockKernels& kernels = block_kernels();
    int64_t part[tune::kIndexBlock];
    IndexRule own = rule;
    for (int c = 0; c < column_count; ++c) {
        own.size = columns[c].size;
        any_bad |=
            kernels.resolve(own, indices + columns[c].start, index_stride, count, columns[c].axis_stride, 0, part);
        if (any_bad) {
            for (int64_t i = 0; i < count; ++i)
                offsets[i] = offsets[i] == kBadOffset || part[i] == kBadOffset ? kBadOffset : offsets[i] + part[i];
        } else {
            for (int64_t i = 0; i < count; ++i) offsets[i] += part[i];
        }
    }
    return any_bad;
}

void add_positions(const Axes<1>& grid, int64_t first, int64_t count, int64_t* offsets, bool any_bad) {
    if (grid.ndim == 0) return;
    Axes<1> outer = grid;
    const int64_t row = grid.size[grid.ndim - 1], step = grid.stride[grid.ndim - 1][0];
    outer.remove(outer.ndim - 1);
    Outer<1> at(outer, first / row);
    int64_t column = first % row;
    for (int64_t i = 0; i < count; at.next()) {
        const int64_t until = count - i < row - column ? count : i + row - column;
        int64_t offset = at.offset[0] + column * step;
        if (any_bad) {
            for (; i < until; ++i, offset += step)
                if (offsets[i] != kBadOffset) offsets[i] += offset;
        } else {
            for (; i < until; ++i, offset += step) offsets[i] += offset;
        }
        column = 0;
    }
}

}  // namespace wherry
