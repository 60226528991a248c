// The place along an axis of the least, or the greatest, element: one thread does all of it. NaN is beyond all
// numbers, and -0.0 equals 0.0; of equal elements the place is that of the first, or of the last.
#include <cstring>
#include <type_traits>

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "reduce.hpp"
#include "step.hpp"

namespace wherry {
namespace {

constexpr int64_t kFew = 16;    // elements for which a call of a kernel does not pay
constexpr int64_t kShort = 32;  // elements of a row that is searched one by one

template <class T>
[[gnu::always_inline]] inline auto value_at(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return comparable(value);
}

// The first place of all.
template <bool greatest, class T>
int64_t first_place(const char* data, int64_t step, int64_t count) {
    auto best = value_at<T>(data);
    int64_t place = 0;
    for (int64_t i = 1; i < count && best == best; ++i) {
        const auto value = value_at<T>(data + i * step);
        if ((greatest ? value > best : value < best) || value != value) best = value, place = i;
    }
    return place;
}

// The extreme of a piece that lies packed, NaN if there is one: of each pair one element, again and again.
template <bool greatest, class T>
auto extreme_of(const char* data, int64_t count, CalculateKernel choose) {
    constexpr int64_t width = sizeof(T);
    alignas(64) char stage[tune::kCalculateStage * width];
    const char* from = data;
    while (count > kFew) {
        const int64_t half = count / 2, kept = count - half;
        choose(stage, from, from + kept * width, half);
        if (kept > half && from == data) std::memcpy(stage + half * width, from + half * width, width);
        from = stage, count = kept;
    }
    return value_at<T>(from + first_place<greatest, T>(from, width, count) * width);
}

// The same of a row that lies packed: the piece that has the extreme is the only one that is searched.
template <bool greatest, class T>
int64_t first_place_packed(const char* data, int64_t count, CalculateKernel choose) {
    constexpr int64_t width = sizeof(T);
    int64_t piece = 0;
    auto best = extreme_of<greatest, T>(data, least(tune::kCalculateStage, count), choose);
    for (int64_t first = tune::kCalculateStage; first < count && best == best; first += tune::kCalculateStage) {
        const auto found =
            extreme_of<greatest, T>(data + first * width, least(tune::kCalculateStage, count - first), choose);
        if ((greatest ? found > best : found < best) || found != found) best = found, piece = first;
    }
    const int64_t end = piece + least(tune::kCalculateStage, count - piece);
    for (int64_t place = piece; place < end; ++place)
        if (const auto value = value_at<T>(data + place * width); value == best || value != value) return place;
    return piece;  // another thread has changed it meanwhile
}

struct Finders {
    int64_t (*any)(const char*, int64_t, int64_t);
    int64_t (*packed)(const char*, int64_t, CalculateKernel);
};

template <bool greatest>
Finders finders(Element element) {
    return for_element(element, []<class T>(TypeOf<T>) -> Finders {
        if constexpr (std::is_same_v<T, Complex<float>> || std::is_same_v<T, Complex<double>>)
            return {};
        else
            return {first_place<greatest, T>, first_place_packed<greatest, T>};
    });
}

struct PlaceStep final : Move {
    Spot out, data;
    Element element;
    int64_t width;  // of a place
    bool greatest, last;
    int64_t count, step;  // along the axis
    Axes<2> axes;         // operands: out, data; without the axis

    // ("place", target, data, axis, element, whether of the greatest, whether the last, the bytes of a place), where
    // the target has stride 0 along the axis
    void check(Fields& fields) override {
        element = element_in(fields, 4);
        require(element <= Element::boolean, "elements of this type have no order");
        greatest = fields.integer(5, 0, 1, "a rule must be 0 or 1");
        last = fields.integer(6, 0, 1, "a rule must be 0 or 1");
        width = fields.integer(7, 4, 8, "a place has 4 or 8 bytes");
        require(width % 4 == 0, "a place has 4 or 8 bytes");
        const Tensor target = fields.target(1, width), source = fields.tensor(2, width_of(element));
        out = spot_of(target), data = spot_of(source);
        require(target.ndim == source.ndim && source.ndim > 0, "the tensors differ in rank");
        const int axis = fields.integer(3, 0, source.ndim - 1, "there is no such axis");
        count = source.sizes[axis], step = source.step(axis);
        require(target.step(axis) == 0, "the target has one place for the axis");
        for (int a = 0; a < source.ndim; ++a) {
            require(target.sizes[a] == source.sizes[a], "the tensors differ in sizes");
            const int64_t strides[2] = {target.strides[a], source.strides[a]};
            if (a != axis) axes.add(source.sizes[a], strides);
        }
        bytes = bytes_of(source, width_of(element));
    }

    void prepare() override {
        collapse(axes);
        const Function function = greatest ? Function::maximum : Function::minimum;
        find_ = greatest ? finders<true>(element) : finders<false>(element);
        is_packed_ = !last && step == width_of(element) && count >= kShort && can_calculate(function, element);
        if (is_packed_) choose_ = block_kernels().calculate(function, element);
    }

    bool run(char* const* base) const override {
        if (count == 0) return true;
        char* const to = out.in(base) + axes.offset[0];
        const char* const from = data.in(base) + axes.offset[1];
        Outer<2> at(axes, 0);
        for (int64_t row = 0; row < axes.count(); ++row, at.next()) write(to + at.offset[0], from + at.offset[1]);
        return true;
    }

private:
    void write(char* to, const char* from) const {
        const int64_t found = place(from);
        std::memcpy(to, &found, static_cast<size_t>(width));  // the lower bytes come first
    }

    int64_t place(const char* from) const {
        if (is_packed_) return find_.packed(from, count, choose_);
        return last ? count - 1 - find_.any(from + (count - 1) * step, -step, count) : find_.any(from, step, count);
    }

    Finders find_;
    bool is_packed_;
    CalculateKernel choose_;
};

}  // namespace

std::unique_ptr<Move> make_place() { return std::make_unique<PlaceStep>(); }

}  // namespace wherry
