// Each element as the nearest float of a type of at most 8 bits, by what tells that type.
#include "convert.hpp"

#include <string>

namespace wherry {
namespace {

struct RoundStep final : Move {
    Spot out, data;
    Element from;
    FewBits to;
    Axes<2> axes;  // operands: out, data

    // ("round", target, source, element of source, what FewBits has, each a byte)
    void check(Fields& fields) override {
        from = element_in(fields, 3);
        require(block_kernels().round(from) != nullptr, "only numbers of 16 bits and more are rounded");
        to = few_bits(fields.bytes(4));
        const Tensor target = fields.target(1, 1), source = fields.tensor(2, width_of(from));
        out = spot_of(target), data = spot_of(source);
        share_axes<2>(axes, {&target, &source});
        bytes = bytes_of(target, 1);
    }

    void prepare() override {
        rows_.prepare(axes, 1, width_of(from));
        round_ = block_kernels().round(from);
    }

    bool run(char* const* base) const override {
        rows_.run(out.in(base), data.in(base), [&](const ConvertBlock& block) { round_(block, to); });
        return true;
    }

private:
    static FewBits few_bits(const std::string& given) {
        require(given.size() == 8, "a float type of few bits is told by 8 bytes");
        const auto byte = [&](size_t place) { return static_cast<uint8_t>(given[place]); };
        require(byte(0) >= 1 && byte(0) <= 6, "a fraction must have 1..6 bits");
        require(byte(1) <= 127, "the bias must be 0..127");
        // The greatest is added to a float with as much room below it as a float has.
        require((byte(2) >> byte(0)) + 127 - byte(1) + 23 - byte(0) < 255, "the greatest number must be below 2^104");
        return {byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7) != 0};
    }

    ConvertedRows rows_;
    RoundKernel round_;
};

}  // namespace

std::unique_ptr<Move> make_round() { return std::make_unique<RoundStep>(); }

}  // namespace wherry
