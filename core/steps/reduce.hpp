// How an update is combined with an element, for every element type.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "apply.hpp"
#include "half.hpp"

namespace wherry {

struct Boolean {
    uint8_t byte;
};

template <class Part>
struct Complex {
    Part real, imaginary;
};

template <class T>
struct TypeOf {
    using type = T;
};

// Returns body(TypeOf<T>{}) for the type T that such an element is held in.
template <class Body>
auto for_element(Element element, Body&& body) {
    switch (element) {
        case Element::i8: return body(TypeOf<int8_t>{});
        case Element::i16: return body(TypeOf<int16_t>{});
        case Element::i32: return body(TypeOf<int32_t>{});
        case Element::i64: return body(TypeOf<int64_t>{});
        case Element::u8: return body(TypeOf<uint8_t>{});
        case Element::u16: return body(TypeOf<uint16_t>{});
        case Element::u32: return body(TypeOf<uint32_t>{});
        case Element::u64: return body(TypeOf<uint64_t>{});
        case Element::f16: return body(TypeOf<Half>{});
        case Element::bf16: return body(TypeOf<BFloat16>{});
        case Element::f32: return body(TypeOf<float>{});
        case Element::f64: return body(TypeOf<double>{});
        case Element::boolean: return body(TypeOf<Boolean>{});
        case Element::c64: return body(TypeOf<Complex<float>>{});
        case Element::c128: break;
    }
    return body(TypeOf<Complex<double>>{});
}

// An element at any address.
template <class T>
[[gnu::always_inline]] inline T load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

// The same for an integer; null for any other element.
template <class Row, class Body>
Row for_integer(Element element, Body&& body) {
    return for_element(element, [&]<class T>(TypeOf<T> type) -> Row {
        if constexpr (std::is_integral_v<T>)
            return body(type);
        else
            return nullptr;
    });
}

template <class T>
constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The type that arithmetic is done in. Integers wrap around, so they are computed as unsigned ones of at least 32 bits:
// narrower ones would be promoted to signed int.
template <class T>
struct Wide {
    using type = T;
};
template <class T>
    requires std::is_integral_v<T>
struct Wide<T> {
    using type = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;
};

template <Reduction R, class T>
struct Combine {
    static T of(T old, T update) {
        using W = typename Wide<T>::type;
        const W a = static_cast<W>(old), b = static_cast<W>(update);
        if constexpr (R == Reduction::add) return static_cast<T>(a + b);
        if constexpr (R == Reduction::sub) return static_cast<T>(a - b);
        if constexpr (R == Reduction::mul) return static_cast<T>(a * b);
    }
};

template <Reduction R, class T>
    requires is_half<T>
struct Combine<R, T> {
    static T of(T old, T update) {
        return T::rounded(Combine<R, float>::of(static_cast<float>(old), static_cast<float>(update)));
    }
};

template <Reduction R>
struct Combine<R, Boolean> {
    static Boolean of(Boolean old, Boolean update) {
        const bool a = old.byte != 0, b = update.byte != 0;
        if constexpr (R == Reduction::add) return {a || b};
        if constexpr (R == Reduction::sub) return {a != b};
        if constexpr (R == Reduction::mul) return {a && b};
    }
};

template <Reduction R, class Part>
struct Combine<R, Complex<Part>> {
    static Complex<Part> of(Complex<Part> a, Complex<Part> b) {
        if constexpr (R == Reduction::add) return {a.real + b.real, a.imaginary + b.imaginary};
        if constexpr (R == Reduction::sub) return {a.real - b.real, a.imaginary - b.imaginary};
        if constexpr (R == Reduction::mul)
            return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
    }
};

template <class T>
auto comparable(T value) {
    if constexpr (is_half<T>)
        return static_cast<float>(value);
    else if constexpr (std::is_same_v<T, Boolean>)
        return value.byte != 0;
    else
        return value;
}

template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, uint8_t,
    std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

// Min and max return one of the two operands unchanged, with its NaN payload or its sign of zero; of equal operands the
// rule chooses one. No branch depends on them: which one it is cannot be predicted.
template <Reduction R, NanRule Nan, class T>
struct Select {
    static T of(T old, T update) {
        const auto a = comparable(old), b = comparable(update);
        bool take;
        if constexpr (Nan == NanRule::update)
            take = !(R == Reduction::min ? a < b : a > b);
        else
            take = R == Reduction::min ? b < a : b > a;
        if constexpr (Nan == NanRule::propagate) take |= static_cast<bool>((b != b) & (a == a));
        if constexpr (std::is_integral_v<T>) {
            return take ? update : old;  // a conditional move
        } else {
            using Bits = BitsOf<T>;
            const auto mask = static_cast<Bits>(-static_cast<int64_t>(take));
            const auto kept = std::bit_cast<Bits>(old), taken = std::bit_cast<Bits>(update);
            return std::bit_cast<T>(static_cast<Bits>((taken & mask) | (kept & ~mask)));
        }
    }
};

}  // namespace wherry
