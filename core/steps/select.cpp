// Each element from one of two tensors: a byte of the condition that is not 0 chooses x.
#include "../kernels/blocks.hpp"
#include "../tune/machine.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

struct SelectStep final : Move {
    Spot out, condition, x, y;
    int64_t width;
    Axes<4> axes;  // operands: out, condition, x, y

    // ("select", target, condition, x, y, width)
    void check(Fields& fields) override {
        width = fields.integer(5);
        const Tensor target = fields.target(1, width), chosen = fields.tensor(2, 1), first = fields.tensor(3, width),
                     second = fields.tensor(4, width);
        out = spot_of(target), condition = spot_of(chosen), x = spot_of(first), y = spot_of(second);
        share_axes<4>(axes, {&target, &chosen, &first, &second});
        bytes = bytes_of(target, width);
    }

    void prepare() override {
        axes.empty |= width == 0;
        rows_.prepare(axes, width == 0 ? 1 : most(1, tune::kTaskBytes / width), width, {width, 1, width, width}, true);
        row_ = {};
        row_.width = width;
        row_.out_step = rows_.step[0];
        row_.condition_step = rows_.step[1];
        row_.x_step = rows_.step[2];
        row_.y_step = rows_.step[3];
        const int64_t read = axes.count_of(1) + (axes.count_of(2) + axes.count_of(3)) * width;
        row_.stream = !axes.empty && rows_.is_in_place() && machine().is_streamed(rows_.total_bytes(), read) &&
                      rows_.count * width >= tune::kStreamRow;
        row_.by_parts = row_.stream && rows_.count * width >= machine().side_by_side_element;
        select_ = block_kernels().select(width);
    }

    bool run(char* const* base) const override {
        rows_.run({out.in(base), condition.in(base), x.in(base), y.in(base)}, row_.stream,
                  [&](char* const* at, int64_t count) {
                      SelectBlock block = row_;
                      block.out = at[0];
                      block.condition = at[1];
                      block.x = at[2];
                      block.y = at[3];
                      block.count = count;
                      select_(block);
                  });
        return true;
    }

private:
    ElementRows<4> rows_;
    SelectBlock row_;  // without its addresses
    SelectKernel select_;
};

}  // namespace

std::unique_ptr<Move> make_select() { return std::make_unique_for_overwrite<SelectStep>(); }

}  // namespace wherry
