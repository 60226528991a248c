// Each element as another type, where that is the same on every machine and refuses nothing.
#include "../kernels/blocks.hpp"
#include "../tune/machine.hpp"
#include "copy.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

struct ConvertStep final : Move {
    Spot out, data;
    Element to, from;
    Beyond beyond;
    Axes<2> axes;  // operands: out, data

    // ("convert", target, source, element of source, element of target, what becomes of numbers beyond its range)
    void check(Fields& fields) override {
        from = element_in(fields, 3), to = element_in(fields, 4);
        require(can_convert(from, to), "there is no such conversion");
        beyond = static_cast<Beyond>(fields.integer(5, 0, 1, "the rule for numbers out of range must be 0 or 1"));
        const Tensor target = fields.target(1, width_of(to)), source = fields.tensor(2, width_of(from));
        out = spot_of(target), data = spot_of(source);
        share_axes<2>(axes, {&target, &source});
        bytes = bytes_of(target, width_of(to));
    }

    void prepare() override {
        copies_ = are_same_bits(from, to, beyond);
        if (copies_) {
            copy_.axes = axes;
            copy_.width = width_of(to);
            return copy_.prepare();
        }
        const int64_t out_width = width_of(to), data_width = width_of(from);
        rows_.prepare(axes, tune::kTaskElements, most(out_width, data_width), {out_width, data_width}, true);
        convert_ = block_kernels().convert(from, to, beyond);
        row_ = {};
        row_.out_step = rows_.step[0];
        row_.data_step = rows_.step[1];
        row_.stream = axes.count() * out_width >= machine().stream && rows_.count * out_width >= tune::kStreamRow &&
                      row_.out_step == out_width && rows_.is_in_place();
    }

    bool run(char* const* base) const override {
        if (copies_) return copy_.move(out.in(base), data.in(base)), true;
        rows_.run({out.in(base), data.in(base)}, row_.stream, [&](char* const* at, int64_t count) {
            ConvertBlock block = row_;
            block.out = at[0];
            block.data = at[1];
            block.count = count;
            convert_(block);
        });
        return true;
    }

private:
    bool copies_;
    CopyStep copy_;
    ElementRows<2> rows_;
    ConvertBlock row_;  // without its addresses
    ConvertKernel convert_;
};

}  // namespace

std::unique_ptr<Move> make_convert() { return std::make_unique_for_overwrite<ConvertStep>(); }

}  // namespace wherry
