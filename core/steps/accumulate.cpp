// Running sums and products of integers along an axis, which wrap around: one thread computes all of them.
#include <cstring>

#include "../layout/iterate.hpp"
#include "reduce.hpp"
#include "step.hpp"

namespace wherry {
namespace {

// One row. With `exclusive` each element is what there is before its own.
template <Reduction R, class T>
void accumulate_row(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count, bool exclusive) {
    T before = R == Reduction::mul ? 1 : 0;
    for (int64_t i = 0; i < count; ++i) {
        const T with = Combine<R, T>::of(before, load<T>(from + i * from_step)), found = exclusive ? before : with;
        std::memcpy(to + i * to_step, &found, sizeof(T));
        before = with;
    }
}

struct AccumulateStep final : Move {
    Spot out, data;
    Element element;
    bool multiplies, exclusive, from_end;
    int64_t count, step[2];  // along the axis
    Axes<2> axes;            // operands: out, data; without the axis

    // ("accumulate", target, data, axis, element, whether products, whether exclusive, whether from the end)
    void check(Fields& fields) override {
        element = integers_in(fields, 4);
        multiplies = fields.integer(5, 0, 1, "a rule must be 0 or 1");
        exclusive = fields.integer(6, 0, 1, "a rule must be 0 or 1");
        from_end = fields.integer(7, 0, 1, "a rule must be 0 or 1");
        const int64_t width = width_of(element);
        const Tensor target = fields.target(1, width), source = fields.tensor(2, width);
        out = spot_of(target), data = spot_of(source);
        require(target.ndim == source.ndim && source.ndim > 0, "the tensors differ in rank");
        const int axis = fields.integer(3, 0, source.ndim - 1, "there is no such axis");
        count = source.sizes[axis], step[0] = target.step(axis), step[1] = source.step(axis);
        for (int a = 0; a < source.ndim; ++a) {
            require(target.sizes[a] == source.sizes[a], "the tensors differ in sizes");
            if (a != axis) axes.add(source.sizes[a], {target.strides[a], source.strides[a]});
        }
        bytes = bytes_of(source, width);
    }

    void prepare() override {
        collapse(axes);
        row_ = for_integer<Row>(element, [this]<class T>(TypeOf<T>) -> Row {
            return multiplies ? accumulate_row<Reduction::mul, T> : accumulate_row<Reduction::add, T>;
        });
    }

    bool run(char* const* base) const override {
        if (count == 0) return true;
        const int64_t last = from_end ? count - 1 : 0, turned = from_end ? -1 : 1;
        char* const to = out.in(base) + axes.offset[0] + last * step[0];
        const char* const from = data.in(base) + axes.offset[1] + last * step[1];
        Outer<2> at(axes, 0);
        for (int64_t rows = axes.count(); rows > 0; --rows, at.next())
            row_(to + at.offset[0], turned * step[0], from + at.offset[1], turned * step[1], count, exclusive);
        return true;
    }

private:
    using Row = void (*)(char*, int64_t, const char*, int64_t, int64_t, bool);
    Row row_;
};

}  // namespace

std::unique_ptr<Move> make_accumulate() { return std::make_unique_for_overwrite<AccumulateStep>(); }

}  // namespace wherry
