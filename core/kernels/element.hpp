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

// Integers wrap around; numbers become the nearest float, of two equally near the even one, rounded once, and infinity
// beyond the greatest; a bool is whether a number is not zero. NaN keeps its sign and the upper bits of its payload;
// as bfloat16 it is the canonical one, and as or from float64 it is quiet. Left out are floats as integers, which need
// not be in range, and numbers of more than 24 bits as 16-bit floats.
constexpr bool can_convert(Element from, Element to) {
    if (from == to || from > Element::boolean || to > Element::boolean) return false;
    if (to == Element::boolean || to == Element::f32 || to == Element::f64) return true;
    if (is_whole(to)) return is_whole(from);
    return is_whole(from) ? width_of(from) <= 2 : from != Element::f64;
}

constexpr bool has_range(Element e) { return e <= Element::u64 || e == Element::f32 || e == Element::f64; }

}  // namespace wherry
