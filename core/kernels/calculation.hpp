// What is calculated of elements. Included by files that are compiled for several instruction sets.
#pragma once

#include "element.hpp"

namespace wherry {

// Of two elements: sums and their like, logical functions, quotients, the lesser or the greater one, relations. Of one:
// its negative, its absolute value, its sign, and not. Of one and a bound: the bound where the element is less, or
// more. Of integers that are truth, 0 or any other number: logical functions again, which give 0 and 1.
// clang-format off
enum class Function : int {
    add, subtract, multiply, conjunction, disjunction, exclusive, divide, minimum, maximum,
    equal, not_equal, less, less_or_equal, greater, greater_or_equal,
    negative, absolute, sign, inverse,
    raise_to, lower_to,
    logical_and, logical_or, logical_xor, logical_not,
};
// clang-format on
constexpr int kFunctions = 25;

constexpr bool is_relation(Function f) { return f >= Function::equal && f <= Function::greater_or_equal; }
constexpr bool is_logical(Function f) {
    return (f >= Function::conjunction && f <= Function::exclusive) || f == Function::inverse;
}

constexpr bool is_of_truth(Function f) { return f >= Function::logical_and && f <= Function::logical_not; }

// Integers wrap around, floats are rounded once; of floats of 16 bits and complex numbers nothing is calculated.
constexpr bool can_calculate(Function f, Element e) {
    if (e == Element::boolean)
        return is_relation(f) || is_logical(f) || f == Function::minimum || f == Function::maximum;
    if (e <= Element::u64) return f != Function::divide;
    return (e == Element::f32 || e == Element::f64) && !is_logical(f) && !is_of_truth(f);
}

// The bytes of a result: relations are bools.
constexpr int64_t width_of_result(Function f, Element e) { return is_relation(f) ? 1 : width_of(e); }

}  // namespace wherry
