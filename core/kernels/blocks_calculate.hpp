// One function of each element, or each two, of dense rows.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <class T>
constexpr bool is_floating = static_cast<T>(0.5) != 0;

// What integers are calculated in: they wrap around, and those narrower than an int would be made signed.
template <class T>
using WrappingOf = UnsignedOf<sizeof(T) < 4 ? 4 : sizeof(T)>;

template <class T>
[[gnu::always_inline]] inline UnsignedOf<sizeof(T)> bits_of(T value) {
    return __builtin_bit_cast(UnsignedOf<sizeof(T)>, value);
}

template <class T>
constexpr UnsignedOf<sizeof(T)> kSignBit = UnsignedOf<sizeof(T)>{1} << (8 * sizeof(T) - 1);

// Of two zeros the negative one is the lesser; numbers that are equal otherwise have equal bits. NaN is either
// operand's.
template <Function F, class T>
[[gnu::always_inline]] inline T extreme_of_floats(T a, T b) {
    const bool first = F == Function::minimum ? a < b : a > b, second = F == Function::minimum ? b < a : b > a;
    const auto both = F == Function::minimum ? bits_of(a) | bits_of(b) : bits_of(a) & bits_of(b);
    const T unordered = a != a ? a : b;
    const T same = a == b ? __builtin_bit_cast(T, both) : unordered;
    return first ? a : second ? b : same;
}

template <Function F, class T>
[[gnu::always_inline]] inline T of_floats(T a, T b) {
    if constexpr (F == Function::add) return a + b;
    if constexpr (F == Function::subtract) return a - b;
    if constexpr (F == Function::multiply) return a * b;
    if constexpr (F == Function::divide) return a / b;
    if constexpr (F == Function::minimum || F == Function::maximum) return extreme_of_floats<F>(a, b);
    // The sign bit alone, so that NaN keep their payload.
    if constexpr (F == Function::negative)
        return __builtin_bit_cast(T, static_cast<UnsignedOf<sizeof(T)>>(bits_of(a) ^ kSignBit<T>));
    if constexpr (F == Function::absolute)
        return __builtin_bit_cast(T, static_cast<UnsignedOf<sizeof(T)>>(bits_of(a) & ~kSignBit<T>));
    if constexpr (F == Function::sign) return a != a ? a : static_cast<T>((a > 0) - (a < 0));
    if constexpr (F == Function::raise_to) return a < b ? b : a;
    if constexpr (F == Function::lower_to) return a > b ? b : a;
}

template <Function F, class T>
[[gnu::always_inline]] inline T of_integers(T a, T b) {
    const WrappingOf<T> x = static_cast<WrappingOf<T>>(a), y = static_cast<WrappingOf<T>>(b);
    if constexpr (F == Function::add) return static_cast<T>(x + y);
    if constexpr (F == Function::subtract) return static_cast<T>(x - y);
    if constexpr (F == Function::multiply) return static_cast<T>(x * y);
    if constexpr (F == Function::conjunction) return static_cast<T>(x & y);
    if constexpr (F == Function::disjunction) return static_cast<T>(x | y);
    if constexpr (F == Function::exclusive) return static_cast<T>(x ^ y);
    if constexpr (F == Function::minimum) return a < b ? a : b;
    if constexpr (F == Function::maximum) return a > b ? a : b;
    if constexpr (F == Function::negative) return static_cast<T>(0 - x);
    if constexpr (F == Function::absolute) return a < 0 ? static_cast<T>(0 - x) : a;
    if constexpr (F == Function::sign) return static_cast<T>((a > 0) - (a < 0));
    if constexpr (F == Function::inverse) return static_cast<T>(~x);
    if constexpr (F == Function::raise_to) return a < b ? b : a;
    if constexpr (F == Function::lower_to) return a > b ? b : a;
}

template <Function F, class T>
[[gnu::always_inline]] inline bool relation_of(T a, T b) {
    if constexpr (F == Function::equal) return a == b;
    if constexpr (F == Function::not_equal) return a != b;
    if constexpr (F == Function::less) return a < b;
    if constexpr (F == Function::less_or_equal) return a <= b;
    if constexpr (F == Function::greater) return a > b;
    if constexpr (F == Function::greater_or_equal) return a >= b;
}

template <Function F, class T>
void calculate_numbers(char* out, const char* a, const char* b, int64_t count) {
    typedef typename Loose<T>::type Number;
    const Number *x = reinterpret_cast<const Number*>(a), *y = reinterpret_cast<const Number*>(b);
    // Each element is read before its own is written, and no other one is read from there.
    if constexpr (is_relation(F)) {
        uint8_t* to = reinterpret_cast<uint8_t*>(out);
#pragma GCC ivdep
        for (int64_t i = 0; i < count; ++i) to[i] = relation_of<F, T>(x[i], y[i]);
    } else {
        Number* to = reinterpret_cast<Number*>(out);
#pragma GCC ivdep
        for (int64_t i = 0; i < count; ++i) {
            if constexpr (is_floating<T>)
                to[i] = of_floats<F, T>(x[i], y[i]);
            else
                to[i] = of_integers<F, T>(x[i], y[i]);
        }
    }
}

// Any byte but 0 is true.
template <Function F>
void calculate_bools(char* out, const char* a, const char* b, int64_t count) {
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) {
        const uint8_t x = a[i] != 0, y = b[i] != 0;
        if constexpr (is_relation(F))
            out[i] = relation_of<F, uint8_t>(x, y);
        else if constexpr (F == Function::inverse)
            out[i] = !x;
        else
            out[i] = static_cast<char>(of_integers<F, uint8_t>(x, y));
    }
}

template <Function F, Element E, class T>
CalculateKernel kernel_of() {
    if constexpr (!can_calculate(F, E))
        return nullptr;
    else if constexpr (E == Element::boolean)
        return calculate_bools<F>;
    else
        return calculate_numbers<F, T>;
}

template <Function F>
CalculateKernel calculate_as(Element element) {
    switch (element) {
        case Element::i8: return kernel_of<F, Element::i8, int8_t>();
        case Element::i16: return kernel_of<F, Element::i16, int16_t>();
        case Element::i32: return kernel_of<F, Element::i32, int32_t>();
        case Element::i64: return kernel_of<F, Element::i64, int64_t>();
        case Element::u8: return kernel_of<F, Element::u8, uint8_t>();
        case Element::u16: return kernel_of<F, Element::u16, uint16_t>();
        case Element::u32: return kernel_of<F, Element::u32, uint32_t>();
        case Element::u64: return kernel_of<F, Element::u64, uint64_t>();
        case Element::f32: return kernel_of<F, Element::f32, float>();
        case Element::f64: return kernel_of<F, Element::f64, double>();
        case Element::boolean: return kernel_of<F, Element::boolean, uint8_t>();
        default: return nullptr;
    }
}

template <int F = 0>
CalculateKernel calculate_for(Function function, Element element) {
    if constexpr (F == kFunctions)
        return nullptr;
    else
        return static_cast<int>(function) == F ? calculate_as<static_cast<Function>(F)>(element)
                                               : calculate_for<F + 1>(function, element);
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
