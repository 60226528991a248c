// Each element as another type, where that is the same on every machine and refuses nothing.
#include "convert.hpp"
#include "copy.hpp"

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
        rows_.prepare(axes, width_of(to), width_of(from));
        convert_ = block_kernels().convert(from, to, beyond);
    }

    bool run(char* const* base) const override {
        if (copies_)
            copy_.move(out.in(base), data.in(base));
        else
            rows_.run(out.in(base), data.in(base), convert_);
        return true;
    }

private:
    bool copies_;
    CopyStep copy_;
    ConvertedRows rows_;
    ConvertKernel convert_;
};

}  // namespace

std::unique_ptr<Move> make_convert() { return std::make_unique_for_overwrite<ConvertStep>(); }

}  // namespace wherry
