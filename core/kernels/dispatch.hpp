// From numbers that are known at run time to types that the compiler knows: widths, and types of indices. Included by
// files that are compiled for several instruction sets: everything is inlined, and each body is a type of its file, so
// that the linker cannot take one set's code for another's.
#pragma once

#include "index.hpp"

namespace wherry {

template <int Value>
struct Known {
    static constexpr int value = Value;
};

// Returns body(Known<W>{}), a kernel, for the W among Widths that is `width`; null if there is none.
template <int First, int... Widths, class Body>
[[gnu::always_inline]] inline auto for_width(int64_t width, Body&& body) {
    if constexpr (sizeof...(Widths) == 0)
        return width == First ? body(Known<First>{}) : nullptr;
    else
        return width == First ? body(Known<First>{}) : for_width<Widths...>(width, body);
}

// The widths of most elements.
template <class Body>
[[gnu::always_inline]] inline auto for_element_width(int64_t width, Body&& body) {
    return for_width<1, 2, 4, 8, 16>(width, body);
}

// The lengths of most runs that are no such element and too short to be streamed: of pixels, records, strings, heads.
template <class Body>
[[gnu::always_inline]] inline auto for_short_run(int64_t bytes, Body&& body) {
    return for_width<3, 6, 12, 24, 32, 48, 64>(bytes, body);
}

// Returns body(T{}) for the type T of the indices.
template <class Body>
[[gnu::always_inline]] inline auto for_index(IndexType type, Body&& body) {
    switch (type) {
        case IndexType::i8: return body(int8_t{});
        case IndexType::i16: return body(int16_t{});
        case IndexType::i32: return body(int32_t{});
        case IndexType::i64: return body(int64_t{});
        case IndexType::u8: return body(uint8_t{});
        case IndexType::u16: return body(uint16_t{});
        case IndexType::u32: return body(uint32_t{});
        case IndexType::u64: break;
    }
    return body(uint64_t{});
}

}  // namespace wherry
