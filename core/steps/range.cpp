// Numbers at equal distances: out[n] = start + n * delta. Integers wrap around, floats are rounded after the product
// and after the sum.
#include "../kernels/blocks.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"
#include "step.hpp"

namespace wherry {
namespace {

struct RangeStep final : Move {
    Spot out;
    Element element;
    int64_t width, count;
    std::string start, delta;  // one element each

    // ("range", target, start, delta, element)
    void check(Fields& fields) override {
        element = element_in(fields, 4);
        require(has_range(element), "there are no ranges of this type");
        width = width_of(element);
        start = fields.bytes(2), delta = fields.bytes(3);
        require(start.size() == static_cast<size_t>(width) && delta.size() == static_cast<size_t>(width),
                "start and delta must be one element");
        const Tensor target = fields.target(1, width);
        require(target.ndim == 1, "a range is a vector");
        out = spot_of(target);
        count = target.sizes[0];
        step_ = target.step(0);
        bytes = bytes_of(target, width);
    }

    void prepare() override {
        stream_ = count * width >= machine().stream && step_ == width;
        range_ = block_kernels().range(element);
    }

    bool run(char* const* base) const override {
        char* const to = out.in(base);
        if (count == 0) return true;
        for_ranges(pieces(count, tune::kTaskElements), count * width, [&](int64_t begin, int64_t end) {
            const int64_t first = begin * tune::kTaskElements, last = least(end * tune::kTaskElements, count);
            const bool stream = stream_ && first * width >= machine().resident;
            range_({to, step_, first, last, start.data(), delta.data(), stream});
            if (stream) settle_streams();
        });
        return true;
    }

private:
    int64_t step_;
    bool stream_;
    RangeKernel range_;
};

}  // namespace

std::unique_ptr<Move> make_range() { return std::make_unique_for_overwrite<RangeStep>(); }

}  // namespace wherry
