// Sums, products and extremes along axes, of few elements: one thread does all of it. The target holds what there is of
// no elements, and has stride 0 along the axes that are reduced.
#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "step.hpp"

namespace wherry {
namespace {

constexpr int64_t kPiece = tune::kCalculateStage;  // elements

struct ReduceStep final : Move {
    Spot out, data;
    Function function;
    Element element;
    Axes<2> axes;  // operands: out, data

    // ("reduce", target, data, function, element)
    void check(Fields& fields) override {
        function = static_cast<Function>(fields.integer(3, 0, kFunctions - 1, "there is no such function"));
        element = element_in(fields, 4);
        const bool is_known = function == Function::add || function == Function::multiply ||
                              function == Function::minimum || function == Function::maximum;
        require(is_known && can_calculate(function, element), "there is no such reduction");
        const int64_t width = width_of(element);
        const Tensor target = fields.target(1, width), source = fields.tensor(2, width);
        out = spot_of(target), data = spot_of(source);
        share_axes<2>(axes, {&target, &source});
        bytes = bytes_of(source, width);
    }

    void prepare() override {
        outer_ = axes;
        collapse(outer_);
        count_ = axes.empty ? 0 : 1;
        if (!axes.empty && outer_.ndim > 0) {
            const int last = outer_.ndim - 1;
            count_ = outer_.size[last];
            out_step_ = outer_.stride[last][0], data_step_ = outer_.stride[last][1];
            outer_.remove(last);
        }
        kernel_ = block_kernels().calculate(function, element);
        copy_ = block_kernels().copy(width_of(element));
    }

    bool run(char* const* base) const override {
        if (count_ == 0) return true;
        Outer<2> at(outer_, 0);
        for (int64_t row = 0; row < outer_.count(); ++row, at.next()) {
            char* const to = out.in(base) + outer_.offset[0] + at.offset[0];
            const char* const from = data.in(base) + outer_.offset[1] + at.offset[1];
            if (out_step_ == 0)
                for (int64_t first = 0; first < count_; first += kPiece)
                    fold(to, from + first * data_step_, least(kPiece, count_ - first));
            else
                for (int64_t i = 0; i < count_; ++i) combine(to + i * out_step_, from + i * data_step_);
        }
        return true;
    }

private:
    // *to = function(*to, *from).
    void combine(char* to, const char* from) const { kernel_(to, to, from, 1); }

    // All elements of a piece into one: its later half into its first, again and again.
    void fold(char* to, const char* from, int64_t count) const {
        alignas(64) char stage[kPiece * 8];
        const int64_t width = width_of(element);
        CopyBlock block{};
        block.dst = stage, block.src = from;
        block.rows = 1;
        block.columns = count, block.dst_column = width, block.src_column = data_step_;
        block.bytes = width;
        copy_(block);
        while (count > 1) {
            const int64_t half = count / 2;
            kernel_(stage, stage, stage + (count - half) * width, half);
            count -= half;
        }
        combine(to, stage);
    }

    Axes<2> outer_;
    int64_t count_, out_step_ = 0, data_step_ = 0;
    CalculateKernel kernel_;
    CopyKernel copy_;
};

}  // namespace

std::unique_ptr<Move> make_reduce() { return std::make_unique<ReduceStep>(); }

}  // namespace wherry
