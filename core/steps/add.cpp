// Sums over any strides: target[c] += source[c]. Integers wrap around, bools are or-ed, 16-bit floats are rounded once.
// No two coordinates are one element of the target, and the operands share no memory; the source may repeat. Without a
// source 0 is added, which makes 0.0 of -0.0.
#include <cstring>

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

alignas(16) char zero[16] = {};

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
    }

    bool run(char* const* base) const override {
        rows_.run({to.in(base), has_source ? from.in(base) : zero}, false,
                  [&](char* const* at, int64_t count) { row_(at[0], rows_.step[0], at[1], rows_.step[1], count); });
        return true;
    }

private:
    using Row = void (*)(char*, int64_t, const char*, int64_t, int64_t);
    Rows<2> rows_;
    Row row_;
};

}  // namespace

std::unique_ptr<Move> make_add() { return std::make_unique_for_overwrite<AddStep>(); }

}  // namespace wherry
