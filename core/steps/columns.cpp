// Tuples of indices to byte offsets.
#include "columns.hpp"

#include "../layout/iterate.hpp"

namespace wherry {

void read_rule(Fields& fields, int type, int out_of_range, int negative, IndexRule& rule) {
    const char* const text = "a rule for indices is out of range";
    rule.type = fields.index_type(type);
    rule.out_of_range = static_cast<OutOfRange>(fields.integer(out_of_range, 0, 3, text));
    rule.negative = static_cast<Negative>(fields.integer(negative, 0, 1, text));
}

int read_columns(const Tensor& indexed, const Tensor& indices, const Tensor& all, const IndexRule& rule,
                 Column* columns) {
    const int ndim = all.ndim;
    require(indices.ndim == ndim + 1, "indices must have one axis more, the columns");
    const int64_t count = indices.sizes[ndim];
    require(count >= 0 && indexed.ndim == ndim + count, "there must be one column for each indexed axis");
    for (int a = 0; a < ndim; ++a)
        require(indices.sizes[a] == all.sizes[a] && indexed.sizes[a] == all.sizes[a], "the tensors differ in sizes");
    const bool needs_element = rule.out_of_range == OutOfRange::clamp || rule.out_of_range == OutOfRange::wrap;
    for (int c = 0; c < count; ++c) {
        columns[c] = {indices.step(ndim) * c, indexed.step(ndim + c), indexed.sizes[ndim + c]};
        require(!needs_element || columns[c].size > 0 || all.empty(),
                "an indexed axis has size 0: no index can name an element of it");
    }
    return static_cast<int>(count);
}

bool add_columns(ResolveKernel resolve, const IndexRule& rule, const Column* columns, int column_count,
                 const char* indices, int64_t index_stride, int64_t count, int64_t* offsets, bool any_bad) {
    int64_t part[tune::kIndexBlock];
    IndexRule own = rule;
    for (int c = 0; c < column_count; ++c) {
        own.size = columns[c].size;
        any_bad |= resolve(own, indices + columns[c].start, index_stride, count, columns[c].axis_stride, 0, part);
        if (any_bad) {
            for (int64_t i = 0; i < count; ++i)
                offsets[i] = offsets[i] == kBadOffset || part[i] == kBadOffset ? kBadOffset : offsets[i] + part[i];
        } else {
            for (int64_t i = 0; i < count; ++i) offsets[i] += part[i];
        }
    }
    return any_bad;
}

IndexAxis index_axis(const Axes<3>& axes, int axis) {
    const int64_t (&s)[3] = axes.stride[axis];
    return {axes.size[axis], s[0], s[1], s[2]};
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
