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
    if constexpr (F == Function::logical_and) return static_cast<T>((a != 0) & (b != 0));
    if constexpr (F == Function::logical_or) return static_cast<T>((a != 0) | (b != 0));
    if constexpr (F == Function::logical_xor) return static_cast<T>((a != 0) != (b != 0));
    if constexpr (F == Function::logical_not) return static_cast<T>(a == 0);
}

template <Function F, class T>
[[gnu::always_inline]] inline T number_of(T a, T b) {
    if constexpr (is_floating<T>)
        return of_floats<F, T>(a, b);
    else
        return of_integers<F, T>(a, b);
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
        for (int64_t i = 0; i < count; ++i) to[i] = number_of<F, T>(x[i], y[i]);
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

// As many elements as lie in four vectors are kept side by side, and brought together by halves in the end.
template <class T>
constexpr int64_t kFolded = 4 * 64 / static_cast<int64_t>(sizeof(T));

// parts[i] = function(parts[i], every kFolded-th element from i on), then all parts in the first one. `seen` is called
// with the number of the part and each element.
template <class T, class At, class Combine, class Seen>
[[gnu::always_inline]] inline T folded(int64_t count, const At& at, const Combine& combine, const Seen& seen) {
    alignas(64) T parts[kFolded<T>] = {};
    int64_t left = least(kFolded<T>, count), first = left;
    for (int64_t i = 0; i < left; ++i) parts[i] = at(i), seen(i, parts[i]);
    const auto take = [&](int64_t taken) {
        for (int64_t i = 0; i < taken; ++i) {
            const T next = at(first + i);
            parts[i] = combine(parts[i], next), seen(i, next);
        }
    };
    for (; first + kFolded<T> <= count; first += kFolded<T>) take(kFolded<T>);
    take(count - first);
    for (int64_t half; left > 1; left -= half) {
        half = left / 2;
#pragma GCC ivdep
        for (int64_t i = 0; i < half; ++i) parts[i] = combine(parts[i], parts[i + left - half]);
    }
    return parts[0];
}

// Of bools any byte but 0 is true.
template <Function F, class T, bool Bools>
void fold_numbers(char* out, const char* from, int64_t count) {
    typedef typename Loose<T>::type Number;
    const Number* x = reinterpret_cast<const Number*>(from);
    const auto at = [x](int64_t i) { return Bools ? static_cast<T>(x[i] != 0) : static_cast<T>(x[i]); };
    *reinterpret_cast<Number*>(out) =
        folded<T>(count, at, [](T a, T b) { return number_of<F, T>(a, b); }, [](int64_t, T) {});
}

// The extreme of numbers, which is a zero: as bits the positive zero is less than what is negative or a negative zero,
// and the negative zero more than what is positive or a positive zero.
template <Function F, class T>
[[gnu::always_inline]] inline T extreme_zero(const char* from, int64_t count) {
    constexpr Function kOther = F == Function::minimum ? Function::maximum : Function::minimum;
    UnsignedOf<sizeof(T)> bits;
    fold_numbers<kOther, UnsignedOf<sizeof(T)>, false>(reinterpret_cast<char*>(&bits), from, count);
    return bits == kSignBit<T> ? -T{} : T{};
}

// A comparison alone is one instruction, and tells neither zeros apart nor NaN.
template <Function F, class T>
void fold_extremes(char* out, const char* from, int64_t count) {
    typedef typename Loose<T>::type Number;
    const Number* x = reinterpret_cast<const Number*>(from);
    alignas(64) UnsignedOf<sizeof(T)> unordered[kFolded<T>] = {};
    const T found = folded<T>(
        count, [x](int64_t i) { return static_cast<T>(x[i]); },
        [](T a, T b) { return (F == Function::minimum ? b < a : b > a) ? b : a; },
        [&](int64_t i, T value) { unordered[i] = value == value ? unordered[i] : 1; });
    UnsignedOf<sizeof(T)> any = 0;
    for (const auto each : unordered) any |= each;
    if (any) return fold_numbers<F, T, false>(out, from, count);
    *reinterpret_cast<Number*>(out) = found == 0 ? extreme_zero<F, T>(from, count) : found;
}

constexpr bool can_fold(Function f) {
    return f == Function::add || f == Function::multiply || f == Function::minimum || f == Function::maximum;
}

template <Function F, Element E, class T>
FoldKernel fold_of() {
    if constexpr (!can_fold(F) || !can_calculate(F, E))
        return nullptr;
    else if constexpr (is_floating<T> && (F == Function::minimum || F == Function::maximum))
        return fold_extremes<F, T>;
    else
        return fold_numbers<F, T, E == Element::boolean>;
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

struct NumberKernels {
    CalculateKernel calculate = nullptr;
    FoldKernel fold = nullptr;
};

template <Function F, Element E, class T>
constexpr NumberKernels kernels_of() {
    return {kernel_of<F, E, T>(), fold_of<F, E, T>()};
}

template <Function F>
NumberKernels kernels_as(Element element) {
    switch (element) {
        case Element::i8: return kernels_of<F, Element::i8, int8_t>();
        case Element::i16: return kernels_of<F, Element::i16, int16_t>();
        case Element::i32: return kernels_of<F, Element::i32, int32_t>();
        case Element::i64: return kernels_of<F, Element::i64, int64_t>();
        case Element::u8: return kernels_of<F, Element::u8, uint8_t>();
        case Element::u16: return kernels_of<F, Element::u16, uint16_t>();
        case Element::u32: return kernels_of<F, Element::u32, uint32_t>();
        case Element::u64: return kernels_of<F, Element::u64, uint64_t>();
        case Element::f32: return kernels_of<F, Element::f32, float>();
        case Element::f64: return kernels_of<F, Element::f64, double>();
        case Element::boolean: return kernels_of<F, Element::boolean, uint8_t>();
        default: return {};
    }
}

template <int F = 0>
NumberKernels kernels_for(Function function, Element element) {
    if constexpr (F == kFunctions)
        return {};
    else
        return static_cast<int>(function) == F ? kernels_as<static_cast<Function>(F)>(element)
                                               : kernels_for<F + 1>(function, element);
}

CalculateKernel calculate_for(Function function, Element element) { return kernels_for(function, element).calculate; }

FoldKernel fold_for(Function function, Element element) { return kernels_for(function, element).fold; }

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
