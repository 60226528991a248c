// What an index means. Included by files that are compiled for several instruction sets.
#pragma once

#include <stdint.h>

namespace wherry {

enum class IndexType : int { i8, i16, i32, i64, u8, u16, u32, u64 };
constexpr int64_t index_width(IndexType type) { return int64_t{1} << (static_cast<int>(type) & 3); }
// The types of indices that most callers give, which have kernels that keep no offsets.
template <class Index>
constexpr bool is_direct = static_cast<Index>(-1) < 0 && sizeof(Index) >= 4;

enum class OutOfRange : int { raise, clamp, zero, wrap };
enum class Negative : int { from_end, invalid };

// What an index means on an axis of `size`.
struct IndexRule {
    int64_t size;
    OutOfRange out_of_range;
    Negative negative;
    IndexType type;
};

}  // namespace wherry
