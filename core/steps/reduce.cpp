// Sums, products and extremes along axes. The target holds what there is of no elements, and
// has stride 0 along the axes that are reduced.
#include <cstdlib>
#include <cstring>

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "step.hpp"

namespace wherry {
namespace {

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
            const int inner = inner_axis();
            count_ = outer_.size[inner];
            out_step_ = outer_.stride[inner][0], data_step_ = outer_.stride[inner][1];
            outer_.remove(inner);
        }
        const int64_t width = width_of(element);
        piece_ = out_step_ == width && data_step_ == width ? tune::kTaskBytes / width / 2 : tune::kCalculateStage;
        kernel_ = block_kernels().calculate(function, element);
        fold_ = block_kernels().fold(function, element);
        copy_ = block_kernels().copy(width);
    }

    bool run(char* const* base) const override {
        if (count_ == 0) return true;
        char* const to = out.in(base) + outer_.offset[0];
        const char* const from = data.in(base) + outer_.offset[1];
        if (out_step_ != 0)
            for_ranges(pieces(count_, piece_), bytes,
                       [&](int64_t begin, int64_t end) { combine_pieces(to, from, begin, end); });
        else
            fold_rows(to, from);
        return true;
    }

private:
    // The axis along which the data lie closest, or, where that is short and reduced, the longest of those that are
    // kept.
    int inner_axis() const {
        int inner = 0;
        for (int a = 1; a < outer_.ndim; ++a)
            if (std::abs(outer_.stride[a][1]) < std::abs(outer_.stride[inner][1])) inner = a;
        if (outer_.stride[inner][0] != 0 || outer_.size[inner] >= tune::kShortRow) return inner;
        for (int a = 0; a < outer_.ndim; ++a)
            if (outer_.stride[a][0] != 0 && outer_.size[a] > outer_.size[inner]) inner = a;
        return inner;
    }

    // Pieces of rows that are kept are no other thread's.
    void combine_pieces(char* to, const char* from, int64_t begin, int64_t end) const {
        for (int64_t first = begin * piece_; first < least(end * piece_, count_); first += piece_) {
            char* const target = to + first * out_step_;
            const char* const source = from + first * data_step_;
            Outer<2> at(outer_, 0);
            for (int64_t row = 0; row < outer_.count(); ++row, at.next())
                combine(target + at.offset[0], source + at.offset[1], least(piece_, count_ - first));
        }
    }

    void fold_rows(char* to, const char* from) const {
        const int64_t piece = data_step_ == width_of(element) ? count_ : tune::kCalculateStage;
        const auto fold_range = [&](int64_t begin, int64_t end) {
            Outer<2> at(outer_, begin);
            for (int64_t row = begin; row < end; ++row, at.next())
                for (int64_t first = 0; first < count_; first += piece)
                    fold(to + at.offset[0], from + at.offset[1] + first * data_step_, least(piece, count_ - first));
        };
        bool is_kept = true;  // otherwise rows are folded into one element
        for (int a = 0; a < outer_.ndim; ++a) is_kept &= outer_.stride[a][0] != 0;
        if (is_kept)
            for_ranges(outer_.count(), bytes, [&](int64_t begin, int64_t end) { fold_range(begin, end); });
        else
            fold_range(0, outer_.count());
    }

    // to[i] = function(to[i], from[i]).
    void combine(char* to, const char* from, int64_t count) const {
        alignas(64) char sources[tune::kCalculateStage * 8], targets[tune::kCalculateStage * 8];
        const int64_t width = width_of(element);
        if (data_step_ != width) move(sources, width, from, data_step_, count), from = sources;
        if (out_step_ == width) return kernel_(to, to, from, count);
        move(targets, width, to, out_step_, count);
        kernel_(targets, targets, from, count);
        move(to, out_step_, targets, width, count);
    }

    void move(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count) const {
        CopyBlock block{};
        block.dst = to, block.src = from;
        block.rows = 1;
        block.columns = count, block.dst_column = to_step, block.src_column = from_step;
        block.bytes = width_of(element);
        copy_(block);
    }

    // *to = function(*to, all elements of a piece).
    void fold(char* to, const char* from, int64_t count) const {
        alignas(64) char stage[tune::kCalculateStage * 8], folded[8];
        if (data_step_ != width_of(element)) move(stage, width_of(element), from, data_step_, count), from = stage;
        fold_(folded, from, count);
        kernel_(to, to, folded, 1);
    }

    Axes<2> outer_;
    int64_t count_, out_step_ = 0, data_step_ = 0;
    int64_t piece_;  // of a row that is kept: where nothing is to be brought together, as much as the cache holds
    CalculateKernel kernel_;
    FoldKernel fold_;
    CopyKernel copy_;
};

}  // namespace

std::unique_ptr<Move> make_reduce() { return std::make_unique<ReduceStep>(); }

}  // namespace wherry
