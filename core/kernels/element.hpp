// The element types that have arithmetic. Included by files that are compiled for several instruction sets.
#pragma once

#include <stdint.h>

namespace wherry {

enum class Element : int { i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, boolean, c64, c128 };
constexpr int kElements = 15;

constexpr bool is_whole(Element e) { return e <= Element::u64 || e == Element::boolean; }

constexpr int64_t width_of(Element e) {
    if (e == Element::boolean) return 1;
    if (e <= Element::u64) return int64_t{1} << (static_cast<int>(e) & 3);
    return e <= Element::bf16 ? 2 : e == Element::f32 ? 4 : e <= Element::c64 ? 8 : 16;
}

constexpr bool is_signed(Element e) { return e <= Element::i64; }

// Whether an element type holds whatever another one, of integers, has; every number is a bool and a float.
constexpr bool holds(Element to, Element from) {
    if (!is_whole(to) || to == Element::boolean || from == Element::boolean) return true;
    if (!is_whole(from) || (is_signed(from) && !is_signed(to))) return false;
    return 8 * width_of(to) - is_signed(to) >= 8 * width_of(from) - is_signed(from);
}

// What becomes of a number that an integer type does not hold. `wraps`: integers lose their upper bits; floats are
// truncated to 32 bits, to 64 for u32 and 64-bit types, where those that do not fit are the least integer, and lose the
// bits above; for u64 see indefinite_unsigned. `saturates`: the nearest end of the range, and 0 of NaN.
enum class Beyond : int { wraps, saturates };

// Floats lose their fraction as integers; numbers become the nearest float, of two equally near the even one, rounded
// once, and infinity beyond the greatest; a bool is whether a number is not zero. NaN keeps its sign and the upper bits
// of its payload; as bfloat16 it is the canonical one, as float64 and from there as float32 it is quiet.
constexpr bool can_convert(Element from, Element to) {
    return from != to && from <= Element::boolean && to <= Element::boolean;
}

// Integers of one width that wrap around are the same bits.
constexpr bool are_same_bits(Element from, Element to, Beyond rule) {
    return from <= Element::u64 && to <= Element::u64 && width_of(from) == width_of(to) && rule == Beyond::wraps;
}

constexpr bool has_range(Element e) { return e <= Element::u64 || e == Element::f32 || e == Element::f64; }

}  // namespace wherry
