// Elements as numbers, and numbers as elements, without a branch: every lane computes all kinds of numbers.
// half.hpp has the same conversions with branches; its inline functions must not be compiled for several instruction
// sets, of which the linker would keep one copy.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <class To, class From>
[[gnu::always_inline]] inline To same_bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To bits;
    __builtin_memcpy(&bits, &value, sizeof(To));
    return bits;
}

#if defined(WHERRY_NEON)
// The machine's conversion makes every NaN a quiet one.
[[gnu::always_inline]] inline float float_of_half(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16, rest = half & 0x7fff;
    const uint32_t number = same_bits_as<uint32_t>(static_cast<float>(same_bits_as<__fp16>(half)));
    return same_bits_as<float>(rest > 0x7c00 ? sign | rest << 13 | 0x7f800000 : number);
}
#else
// No branch: every lane computes all three kinds of numbers.
[[gnu::always_inline]] inline float float_of_half(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16, rest = half & 0x7fff;
    const uint32_t normal = (rest << 13) + (112u << 23), special = (rest << 13) | 0x7f800000;
    const uint32_t tiny = same_bits_as<uint32_t>(static_cast<float>(static_cast<int32_t>(rest)) * 0x1p-24f);
    const uint32_t finite = rest >= 0x400 ? normal : tiny;
    return same_bits_as<float>(sign | (rest >= 0x7c00 ? special : finite));
}
#endif

[[gnu::always_inline]] inline uint16_t half_of_float(float value) {
    const uint32_t all = same_bits_as<uint32_t>(value), sign = all >> 16 & 0x8000, rest = all & 0x7fffffff;
    const uint32_t normal = (rest - (112u << 23) + 0xfff + (rest >> 13 & 1)) >> 13;
    // Below the least normal number: the addition rounds.
    const uint32_t tiny = same_bits_as<uint32_t>(same_bits_as<float>(rest) + 0.5f) - 0x3f000000;
    const uint32_t payload = rest >> 13 & 0x3ff, nan = 0x7c00 | (payload ? payload : 1);
    uint32_t half = rest < 0x38800000 ? tiny : normal;
    half = rest >= 0x477ff000 ? 0x7c00 : half;  // 65520 and more
    half = rest > 0x7f800000 ? nan : half;
    return static_cast<uint16_t>(sign | half);
}

[[gnu::always_inline]] inline uint16_t brain_of_float(float value) {
    const uint32_t all = same_bits_as<uint32_t>(value), upper = all >> 16;
    const uint32_t rounded = (all + 0x7fff + (upper & 1)) >> 16, nan = (upper & 0x8000) | 0x7fc0;
    return static_cast<uint16_t>(value == value ? rounded : nan);
}

// The float that becomes, rounded once more to 16 bits, what the number itself would: where float does not hold it, its
// last bit is 1, as if all lower bits were there.
template <class Number>
[[gnu::always_inline]] inline float nearly(Number number) {
    static_assert(sizeof(Number) <= 2 || sizeof(Number) == sizeof(float));
    return static_cast<float>(number);
}

// Of the 53 bits of a double, 14 are kept: 11 that the widest of those types has, the one that decides how it is
// rounded, and one for all behind it. Each float in normal range holds them; below 2^-136 they may become zero, as they
// would in all of those types.
constexpr int64_t kLostBits = (int64_t{1} << 39) - 1;

[[gnu::always_inline]] inline float without_lost_bits(double number) {
    constexpr uint64_t lost = kLostBits;
    const uint64_t all = same_bits_as<uint64_t>(number), kept = (all | ((all & lost) + lost)) & ~lost;
    return static_cast<float>(same_bits_as<double>(kept));
}

[[gnu::always_inline]] inline float nearly(double number) {
    const uint64_t all = same_bits_as<uint64_t>(number);
    const uint32_t nan = static_cast<uint32_t>(all >> 32 & 0x80000000) | static_cast<uint32_t>(all >> 29 & 0x7fffff);
    const uint32_t nearest = same_bits_as<uint32_t>(without_lost_bits(number));
    return same_bits_as<float>(number != number ? nan | 0x7f800001 : nearest);
}

// Of 24 bits none is lost. Of more the lowest 8 are dropped, and the last that is kept is 1 if one of them was: of the
// two neighbours that is the odd one, also below zero.
[[gnu::always_inline]] inline uint32_t without_low_bits(uint32_t number) {
    return (number & ~0xffu) | (number & 0xff ? 0x100u : 0u);
}

// In halves, as not every processor has the conversion of unsigned integers.
[[gnu::always_inline]] inline float nearly(uint32_t number) {
    const uint32_t kept = number >> 24 ? without_low_bits(number) : number;
    const float upper = static_cast<float>(static_cast<int32_t>(kept >> 16));
    return upper * 0x1p16f + static_cast<float>(static_cast<int32_t>(kept & 0xffff));
}

[[gnu::always_inline]] inline float nearly(int32_t number) {
    const uint32_t bits = static_cast<uint32_t>(number);
    const bool is_short = bits + (1u << 24) < 1u << 25;
    return static_cast<float>(static_cast<int32_t>(is_short ? bits : without_low_bits(bits)));
}

#if !defined(__AVX512DQ__) && !defined(WHERRY_NEON)
#define WHERRY_LONGS_IN_HALVES

// 64-bit integers as doubles where the machine has no vectors for that: halves in the significands of 2^84 and 2^52,
// which are dropped again. Only the last addition rounds.
[[gnu::always_inline]] inline double double_of(uint64_t number) {
    const double upper = same_bits_as<double>(number >> 32 | 0x4530000000000000),
                 lower = same_bits_as<double>((number & UINT32_MAX) | 0x4330000000000000);
    return (upper - (0x1p84 + 0x1p52)) + lower;
}
[[gnu::always_inline]] inline double double_of(int64_t number) {
    const uint64_t bits = static_cast<uint64_t>(number);
    const double upper = same_bits_as<double>((bits >> 32 ^ 0x80000000) | 0x4530000000000000),
                 lower = same_bits_as<double>((bits & UINT32_MAX) | 0x4330000000000000);
    return (upper - (0x1p84 + 0x1p63 + 0x1p52)) + lower;
}

// A 64-bit integer as one that a double holds and that is rounded to fewer bits in the same way: of more than 53 bits
// the lowest 12 are dropped, and the last that is kept is 1 if one of them was.
[[gnu::always_inline]] inline uint64_t held_by_double(uint64_t number, bool is_long) {
    const uint64_t low = is_long ? number & 0xfff : 0;
    return (number ^ low) | (low ? 0x1000 : 0);
}
[[gnu::always_inline]] inline double double_as_near(uint64_t number) {
    return double_of(held_by_double(number, number >> 53));
}
[[gnu::always_inline]] inline double double_as_near(int64_t number) {
    const uint64_t bits = static_cast<uint64_t>(number);
    return double_of(static_cast<int64_t>(held_by_double(bits, (bits + (uint64_t{1} << 53)) >> 54)));
}

[[gnu::always_inline]] inline float nearly(uint64_t number) { return without_lost_bits(double_as_near(number)); }
[[gnu::always_inline]] inline float nearly(int64_t number) { return without_lost_bits(double_as_near(number)); }

#else

[[gnu::always_inline]] inline float nearly(uint64_t number) {
    const uint64_t middle = number >> 16 | (number & 0xffff ? 1 : 0),
                   upper = number >> 32 | (number & UINT32_MAX ? 1 : 0);
    const bool is_long = number >> 48, is_short = !(number >> 32);
    const uint64_t kept = is_short ? number : is_long ? upper : middle;
    return nearly(static_cast<uint32_t>(kept)) * (is_short ? 1.0f : is_long ? 0x1p32f : 0x1p16f);
}

[[gnu::always_inline]] inline float nearly(int64_t number) {
    const uint64_t bits = static_cast<uint64_t>(number);
    const float size = nearly(number < 0 ? 0 - bits : bits);
    return number < 0 ? -size : size;
}

#endif

template <class T>
constexpr bool kIsInteger = static_cast<T>(0.5) == static_cast<T>(0);
template <class T>
constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);
template <class Whole>
constexpr Whole kTopBit = static_cast<Whole>(uint64_t{1} << (8 * sizeof(Whole) - 1));
template <class Whole>
constexpr Whole kMost = static_cast<Whole>(kIsSigned<Whole> ? ~kTopBit<Whole> : ~Whole{0});
template <class Whole>
constexpr Whole kLeast = static_cast<Whole>(~kMost<Whole>);

// The numbers from which on, and below which an integer type holds all: powers of two, which all floats hold.
template <class Whole, class Float>
constexpr Float kFirst = static_cast<Float>(kLeast<Whole>);
template <class Whole, class Float>
constexpr Float kEnd = static_cast<Float>(kMost<Whole> / 2 + 1) * 2;

template <bool First, class A, class B>
struct Choice {
    typedef A type;
};
template <class A, class B>
struct Choice<false, A, B> {
    typedef B type;
};

// Numbers in range truncated; of 64 bits without a sign the upper half is converted shifted down.
template <class Whole, class Float>
[[gnu::always_inline]] inline Whole truncated(Float number) {
    typedef typename Choice<sizeof(Whole) == 8, int64_t, int32_t>::type Signed;
    if constexpr (kIsSigned<Whole> || sizeof(Whole) < 4) {
        return static_cast<Whole>(static_cast<Signed>(number));
    } else {
        const bool is_upper = number >= kEnd<Signed, Float>;
        const Whole low = static_cast<Whole>(static_cast<Signed>(is_upper ? number - kEnd<Signed, Float> : number));
        return low ^ (is_upper ? kTopBit<Whole> : 0);
    }
}

// The nearest end of the range; 0 of NaN.
template <class Whole, class Float>
[[gnu::always_inline]] inline Whole saturated(Float number) {
    const Float below = number < kEnd<Whole, Float> ? number : Float{0};
    const Whole held = truncated<Whole>(below > kFirst<Whole, Float> ? below : kFirst<Whole, Float>);
    return number >= kEnd<Whole, Float> ? kMost<Whole> : held;
}

// As x86 processors do it: what a wider signed integer does not hold is the least of those, whose upper bits are
// dropped.
template <class Whole, class Float>
[[gnu::always_inline]] inline Whole indefinite(Float number) {
    constexpr bool is_wide = sizeof(Whole) == 8 || (sizeof(Whole) == 4 && !kIsSigned<Whole>);
    typedef typename Choice<is_wide, int64_t, int32_t>::type Wide;
    const bool is_held = (number >= kFirst<Wide, Float>)&(number < kEnd<Wide, Float>);
    return static_cast<Whole>(static_cast<Wide>(is_held ? number : kFirst<Wide, Float>));
}

// A uint64 also takes what only it holds; greater numbers are 0.
template <class Float>
[[gnu::always_inline]] inline uint64_t indefinite_unsigned(Float number) {
    const bool is_lower = number < kEnd<int64_t, Float>,
               is_held = (number >= kFirst<int64_t, Float>)&(number < kEnd<uint64_t, Float>);
    const Float shifted = is_lower ? number : number - kEnd<int64_t, Float>;
    const uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(is_held ? shifted : Float{0}));
    const uint64_t outside = number >= kEnd<uint64_t, Float> ? 0 : kTopBit<uint64_t>;
    return is_held ? (is_lower ? bits : bits ^ kTopBit<uint64_t>) : outside;
}

// An integer as one of another type, at the nearest end of its range.
template <class Whole, class Number>
[[gnu::always_inline]] inline Whole clamped(Number number) {
    if constexpr (kIsSigned<Number> && (!kIsSigned<Whole> || sizeof(Whole) < sizeof(Number))) {
        const Number least = static_cast<Number>(kLeast<Whole>);
        number = number < least ? least : number;
    }
    if constexpr (8 * sizeof(Whole) - kIsSigned<Whole> < 8 * sizeof(Number) - kIsSigned<Number>) {
        const Number most = static_cast<Number>(kMost<Whole>);
        number = number > most ? most : number;
    }
    return static_cast<Whole>(number);
}

// How an element lies in memory, what number it is, and what a number becomes.
template <class T>
struct Plain {
    typedef T Bits;
    [[gnu::always_inline]] static inline T number(T bits) { return bits; }
    template <Beyond Rule, class Number>
    [[gnu::always_inline]] static inline T of(Number number) {
        constexpr bool saturates = Rule == Beyond::saturates;
#if defined(WHERRY_LONGS_IN_HALVES)
        if constexpr (!kIsInteger<T> && kIsInteger<Number> && sizeof(Number) == 8)
            return sizeof(T) == 8 ? double_of(number) : static_cast<T>(double_as_near(number));
        else
#endif
            if constexpr (!kIsInteger<T> || (kIsInteger<Number> && !saturates))
            return static_cast<T>(number);
        else if constexpr (kIsInteger<Number>)
            return clamped<T>(number);
        else if constexpr (saturates)
            return saturated<T>(number);
        else if constexpr (sizeof(T) == 8 && !kIsSigned<T>)
            return indefinite_unsigned(number);
        else
            return indefinite<T>(number);
    }
};

template <Element E>
struct Of;
// clang-format off
template <> struct Of<Element::i8> : Plain<int8_t> {};
template <> struct Of<Element::i16> : Plain<int16_t> {};
template <> struct Of<Element::i32> : Plain<int32_t> {};
template <> struct Of<Element::i64> : Plain<int64_t> {};
template <> struct Of<Element::u8> : Plain<uint8_t> {};
template <> struct Of<Element::u16> : Plain<uint16_t> {};
template <> struct Of<Element::u32> : Plain<uint32_t> {};
template <> struct Of<Element::u64> : Plain<uint64_t> {};
template <> struct Of<Element::f32> : Plain<float> {};
template <> struct Of<Element::f64> : Plain<double> {};
// clang-format on

template <>
struct Of<Element::boolean> {
    typedef uint8_t Bits;
    [[gnu::always_inline]] static inline uint8_t number(uint8_t bits) { return bits != 0; }
    template <Beyond, class Number>
    [[gnu::always_inline]] static inline uint8_t of(Number number) {
        return number != 0;
    }
};

template <>
struct Of<Element::f16> {
    typedef uint16_t Bits;
    [[gnu::always_inline]] static inline float number(uint16_t bits) { return float_of_half(bits); }
    template <Beyond, class Number>
    [[gnu::always_inline]] static inline uint16_t of(Number number) {
        return half_of_float(nearly(number));
    }
};

template <>
struct Of<Element::bf16> {
    typedef uint16_t Bits;
    [[gnu::always_inline]] static inline float number(uint16_t bits) {
        return same_bits_as<float>(static_cast<uint32_t>(bits) << 16);
    }
    template <Beyond, class Number>
    [[gnu::always_inline]] static inline uint16_t of(Number number) {
        return brain_of_float(nearly(number));
    }
};

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
