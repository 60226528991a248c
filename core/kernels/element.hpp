// The element types that have arithmetic. Included by files that are compiled for several instruction sets.
#pragma once

#include <stdint.h>

namespace wherry {

enum class Element : int { i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, boolean, c64, c128 };
constexpr int kElements = 15;

}  // namespace wherry
