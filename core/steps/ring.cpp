// Windows that go round an axis: each batch has its updates one after another along it, from its own index on, behind
// the last position the first.
#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "check.hpp"
#include "step.hpp"

namespace wherry {
namespace {

struct RingStep final : Move {
    Spot out, indices, updates;
    IndexType type;
    int64_t width, size, out_step;  // of the axis that is gone round
    int64_t count, update_step;     // of a window
    Axes<3> axes;                   // operands: out, updates, indices; without that axis

    // ("ring", target, indices, updates, width, index dtype, axis): the sizes of updates, and behind them in target the
    // axis that is gone round, in indices one column. Along `axis`, that of the window, these two have stride 0.
    void check(Fields& fields) override {
        width = fields.integer(4);
        type = fields.index_type(5);
        const Tensor target = fields.target(1, width), picks = fields.tensor(2, index_width(type)),
                     given = fields.tensor(3, width);
        const int ndim = given.ndim;
        require(ndim > 0 && target.ndim == ndim + 1 && picks.ndim == ndim + 1, "the tensors differ in rank");
        const int axis = fields.integer(6, 0, ndim - 1, "there is no such axis");
        require(picks.sizes[ndim] == 1, "there is one index for each window");
        require(target.step(axis) == 0 && picks.step(axis) == 0, "a window has one index");
        out = spot_of(target), indices = spot_of(picks), updates = spot_of(given);
        size = target.sizes[ndim], out_step = target.step(ndim);
        count = given.sizes[axis], update_step = given.step(axis);
        for (int a = 0; a < ndim; ++a) {
            require(target.sizes[a] == given.sizes[a] && picks.sizes[a] == given.sizes[a],
                    "the tensors differ in sizes");
            if (a != axis) axes.add(given.sizes[a], {target.strides[a], given.strides[a], picks.strides[a]});
        }
        bytes = bytes_of(given, width);
        is_empty_ = given.empty() || size == 0 || width == 0;
    }

    // The innermost axis on which all have one index is moved with the window.
    void prepare() override {
        if (is_empty_) return;
        collapse(axes);
        block_ = {};
        block_.columns = 1, block_.bytes = width;
        block_.dst_row = out_step, block_.src_row = update_step;
        const int inner = axes.ndim - 1;
        if (inner >= 0 && axes.stride[inner][2] == 0) {
            block_.columns = axes.size[inner];
            block_.dst_column = axes.stride[inner][0], block_.src_column = axes.stride[inner][1];
            axes.remove(inner);
        }
        copy_ = block_kernels().copy(width);
    }

    bool run(char* const* base) const override {
        if (is_empty_) return true;
        char* const to = out.in(base) + axes.offset[0];
        const char *const from = updates.in(base) + axes.offset[1], *const picks = indices.in(base) + axes.offset[2];
        Outer<3> at(axes, 0);
        for (int64_t windows = axes.count(); windows > 0; --windows, at.next())
            write(to + at.offset[0], from + at.offset[1], position(picks + at.offset[2]));
        return true;
    }

private:
    // Where on the axis a window begins.
    int64_t position(const char* pick) const {
        const int64_t rest = read_index(type, pick) % size;
        return rest < 0 ? rest + size : rest;
    }

    void write(char* to, const char* from, int64_t first) const {
        CopyBlock block = block_;
        for (int64_t left = count; left > 0; left -= block.rows, first = 0) {
            block.rows = least(left, size - first);
            block.dst = to + first * out_step, block.src = from + (count - left) * update_step;
            copy_(block);
        }
    }

    bool is_empty_;
    CopyBlock block_;  // without its addresses and its rows
    CopyKernel copy_;
};

}  // namespace

std::unique_ptr<Move> make_ring() { return std::make_unique_for_overwrite<RingStep>(); }

}  // namespace wherry
