// Quotients and remainders of integers of any strides, and the look at all operands where some of these are refused.
#include <atomic>
#include <cstring>
#include <limits>
#include <type_traits>

#include "reduce.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

// Rounded toward zero (truncated), or down (floored).
enum class Division : int { truncated_quotient, floored_quotient, truncated_remainder, floored_remainder };

template <class T>
constexpr bool is_past_range(T a, T b) {
    return std::is_signed_v<T> && b == static_cast<T>(-1) && a == std::numeric_limits<T>::min();
}

// By 0 the quotient is 0, and the remainder the dividend. The quotient of the least integer by -1 is that again, and
// the remainder 0. Processors do neither by themselves.
template <Division D, class T>
[[gnu::always_inline]] inline T divided(T a, T b) {
    constexpr bool is_quotient = D == Division::truncated_quotient || D == Division::floored_quotient;
    constexpr bool floors = D == Division::floored_quotient || D == Division::floored_remainder;
    if (b == 0) return is_quotient ? T{0} : a;
    if (is_past_range(a, b)) return is_quotient ? a : T{0};
    const T quotient = static_cast<T>(a / b), remainder = static_cast<T>(a % b);
    const bool steps_down = floors && remainder != 0 && (remainder < 0) != (b < 0);
    return is_quotient ? static_cast<T>(quotient - (steps_down ? 1 : 0))
                       : static_cast<T>(remainder + (steps_down ? b : T{0}));
}

template <Division D, class T>
void divide_row(char* const* at, const int64_t* step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const T found = divided<D>(load<T>(at[1] + i * step[1]), load<T>(at[2] + i * step[2]));
        std::memcpy(at[0] + i * step[0], &found, sizeof(T));
    }
}

template <class T>
bool is_divisible_row(char* const* at, const int64_t* step, int64_t count, bool any_zero, bool any_past) {
    bool fine = true;
    for (int64_t i = 0; i < count; ++i) {
        const T a = load<T>(at[0] + i * step[0]), b = load<T>(at[1] + i * step[1]);
        fine &= (any_zero || b != 0) && (any_past || !is_past_range(a, b));
    }
    return fine;
}

template <class Body>
auto for_division(Division division, Body&& body) {
    switch (division) {
        case Division::truncated_quotient:
            return body(std::integral_constant<Division, Division::truncated_quotient>{});
        case Division::floored_quotient: return body(std::integral_constant<Division, Division::floored_quotient>{});
        case Division::truncated_remainder:
            return body(std::integral_constant<Division, Division::truncated_remainder>{});
        case Division::floored_remainder: break;
    }
    return body(std::integral_constant<Division, Division::floored_remainder>{});
}

struct DivideStep final : Move {
    Spot out, dividend, divisor;
    Division division;
    Element element;
    Axes<3> axes;  // operands: out, dividend, divisor

    // ("divide", target, dividend, divisor, element, division)
    void check(Fields& fields) override {
        element = integers_in(fields, 4);
        division = static_cast<Division>(fields.integer(5, 0, 3, "division must be 0..3"));
        const int64_t width = width_of(element);
        const Tensor target = fields.target(1, width), a = fields.tensor(2, width), b = fields.tensor(3, width);
        out = spot_of(target), dividend = spot_of(a), divisor = spot_of(b);
        share_axes<3>(axes, {&target, &a, &b});
        bytes = bytes_of(target, width);
    }

    void prepare() override {
        const int64_t width = width_of(element);
        rows_.prepare(axes, tune::kTaskElements, width, {width, width, width}, true);
        row_ = for_division(division, [&]<Division D>(std::integral_constant<Division, D>) {
            return for_integer<Row>(element, []<class T>(TypeOf<T>) -> Row { return divide_row<D, T>; });
        });
    }

    bool run(char* const* base) const override {
        rows_.run({out.in(base), dividend.in(base), divisor.in(base)}, false,
                  [&](char* const* at, int64_t count) { row_(at, rows_.step, count); });
        return true;
    }

private:
    using Row = void (*)(char* const*, const int64_t*, int64_t);
    ElementRows<3> rows_;
    Row row_;
};

struct DivisibleStep final : Move {
    Spot dividend, divisor;
    Element element;
    bool any_zero, any_past;
    Axes<2> axes;  // operands: dividend, divisor

    // ("divisible", dividend, divisor, element, whether divisors may be 0, whether quotients may be past the range)
    void check(Fields& fields) override {
        element = integers_in(fields, 3);
        any_zero = fields.integer(4, 0, 1, "a rule must be 0 or 1");
        any_past = fields.integer(5, 0, 1, "a rule must be 0 or 1");
        const Tensor a = fields.tensor(1, width_of(element)), b = fields.tensor(2, width_of(element));
        dividend = spot_of(a), divisor = spot_of(b);
        share_axes<2>(axes, {&a, &b});
        bytes = bytes_of(a, width_of(element));
    }

    void prepare() override {
        const int64_t width = width_of(element);
        rows_.prepare(axes, tune::kTaskElements, width, {width, width}, false);
        row_ = for_integer<Row>(element, []<class T>(TypeOf<T>) -> Row { return is_divisible_row<T>; });
    }

    bool run(char* const* base) const override {
        std::atomic<bool> fine{true};
        rows_.run({dividend.in(base), divisor.in(base)}, false, [&](char* const* at, int64_t count) {
            if (!row_(at, rows_.step, count, any_zero, any_past)) fine.store(false, std::memory_order_relaxed);
        });
        return fine;
    }

    bool only_reads() const override { return true; }

private:
    using Row = bool (*)(char* const*, const int64_t*, int64_t, bool, bool);
    ElementRows<2> rows_;
    Row row_;
};

}  // namespace

std::unique_ptr<Move> make_divide() { return std::make_unique_for_overwrite<DivideStep>(); }
std::unique_ptr<Move> make_divisible() { return std::make_unique_for_overwrite<DivisibleStep>(); }

}  // namespace wherry
