// Sums over any strides: target[c] += source[c]. Integers wrap around, bools are or-ed, 16-bit floats are rounded once.
// No two coordinates are one element of the target, and the operands share no memory; the source may repeat. Without a
// source 0 is added, which makes 0.0 of -0.0.
#include <cstring>

#include "../kernels/blocks.hpp"
#include "reduce.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

template <class T>
[[gnu::always_inline]] inline void add_one(char* target, const char* source) {
    T sum, more;
    std::memcpy(&sum, target, sizeof(T));
    std::memcpy(&more, source, sizeof(T));
    sum = Combine<Reduction::add, T>::of(sum, more);
    std::memcpy(target, &sum, sizeof(T));
}

// Steps that are known let the compiler use vectors.
template <class T>
void add_row(char* __restrict target, int64_t target_step, const char* __restrict source, int64_t source_step,
             int64_t count) {
    constexpr int64_t width = sizeof(T);
    if (target_step == width && source_step == width)
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * width, source + i * width);
    else if (target_step == width && source_step == 0)
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * width, source);
    else
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * target_step, source + i * source_step);
}

// What is added where there is no source: as many zeros as a dense row takes at once, or one.
constexpr int64_t kZeroBytes = 1024;
alignas(tune::kLine) char zeros[kZeroBytes] = {};

struct AddStep final : Move {
    Spot to, from;
    bool has_source;
    Element element;
    Axes<2> axes;  // operands: target, source

    // ("add", target, source or None, element)
    void check(Fields& fields) override {
        element = element_in(fields, 3);
        const int64_t width = width_of(element);
        has_source = fields.has(2);
        const Tensor target = fields.target(1, width), source = has_source ? fields.tensor(2, width) : target;
        to = spot_of(target), from = spot_of(source);
        share_axes<2>(axes, {&target, &source});
        for (int a = 0; !has_source && a < axes.ndim; ++a) axes.stride[a][1] = 0;
        bytes = bytes_of(target, width);
    }

    void prepare() override {
        const int64_t width = width_of(element);
        rows_.prepare(axes, tune::kTaskBytes / width, width);
        row_ = for_element(element, []<class T>(TypeOf<T>) -> Row { return add_row<T>; });
        const bool is_dense = rows_.step[0] == width && (rows_.step[1] == width || !has_source);
        dense_ = is_dense ? block_kernels().calculate(Function::add, element) : nullptr;
    }

    bool run(char* const* base) const override {
        rows_.run({to.in(base), has_source ? from.in(base) : zeros}, false,
                  [&](char* const* at, int64_t count) { add(at[0], at[1], count); });
        return true;
    }

private:
    void add(char* target, const char* source, int64_t count) const {
        if (!dense_) return row_(target, rows_.step[0], source, rows_.step[1], count);
        if (has_source) return dense_(target, target, source, count);
        const int64_t width = width_of(element), most_at_once = kZeroBytes / width;
        for (int64_t first = 0; first < count; first += most_at_once) {
            char* const at = target + first * width;
            dense_(at, at, zeros, least(most_at_once, count - first));
        }
    }

    using Row = void (*)(char*, int64_t, const char*, int64_t, int64_t);
    Rows<2> rows_;
    Row row_;
    CalculateKernel dense_;  // null where there is none for such elements, or for such steps
};

}  // namespace

std::unique_ptr<Move> make_add() { return std::make_unique_for_overwrite<AddStep>(); }

}  // namespace wherry
