// Numbers as floats of at most 8 bits, by arithmetic: no table, and no branch.

namespace wherry::WHERRY_ISA_NAME {
namespace {

constexpr uint32_t kFloatSign = 0x80000000, kFloatExponent = 0x7f800000;  // bits of a float
constexpr uint32_t kFloatFraction = 23;                                   // how many it has

// What a FewBits says, as the bits of floats.
struct Rounding {
    uint32_t shift;   // bits of a fraction that are lost
    uint32_t least;   // the exponent of the least normal number: smaller ones have its last place
    uint32_t spacer;  // added to a number's exponent: that of a float whose last place is the number's, once rounded
    uint32_t lift;    // between a code and its places counted from the exponent on
    uint32_t first_beyond, beyond, nan, negative_nan, sign, sign_of_zero;

    explicit Rounding(const FewBits& to) {
        const uint32_t biased = (127u - to.bias) << to.fraction,
                       half = uint32_t{1} << (kFloatFraction - 1 - to.fraction);
        shift = kFloatFraction - to.fraction;
        least = (128u - to.bias) << kFloatFraction;
        spacer = shift << kFloatFraction;
        lift = spacer + biased + (uint32_t{1} << to.fraction);
        // Half a place above the greatest; exactly half goes to the even one of the two.
        first_beyond = ((to.greatest + biased) << shift) + half + (to.greatest & 1 ? 0 : 1);
        beyond = to.beyond, nan = to.nan, negative_nan = to.negative_nan, sign = to.sign;
        sign_of_zero = to.has_negative_zero ? to.sign : 0;
    }

    // A number's places are counted by adding it to a float so large that its own last place is that of the result: the
    // addition rounds, and what it adds to the bits are the places.
    [[gnu::always_inline]] inline uint8_t code_of(uint32_t bits) const {
        const uint32_t size = bits & ~kFloatSign, own = bits & kFloatExponent, exponent = own > least ? own : least;
        const uint32_t sum = same_bits_as<uint32_t>(same_bits_as<float>(size) + same_bits_as<float>(exponent + spacer));
        const uint32_t rounded = sum - exponent + (exponent >> shift) - lift;
        const uint32_t code = size >= first_beyond ? beyond : rounded;
        const uint32_t signed_code = bits & kFloatSign ? code | (code ? sign : sign_of_zero) : code;
        const uint32_t not_a_number = bits & kFloatSign ? negative_nan : nan;
        return static_cast<uint8_t>(size > kFloatExponent ? not_a_number : signed_code);
    }
};

// Of floats, which hold the numbers or are rounded to odd.
[[gnu::always_inline]] inline void round_floats(char* __restrict out, const char* __restrict data, int64_t count,
                                                const Rounding& rounding) {
    uint8_t* __restrict to = reinterpret_cast<uint8_t*>(out);
    const typename Loose<uint32_t>::type* __restrict from =
        reinterpret_cast<const typename Loose<uint32_t>::type*>(data);
    const Rounding r = rounding;  // not to be read again for each vector
    for (int64_t i = 0; i < count; ++i) to[i] = r.code_of(from[i]);
}

// `of_floats` makes codes of floats, which hold the numbers or are rounded to odd.
template <Element From, class Run>
[[gnu::always_inline]] inline void round_rows(Run of_floats, const ConvertBlock& b) {
    convert_rows<1, width_of(From)>(
        [&](char* out, const char* data, int64_t count) __attribute__((noinline)) {
            if constexpr (From == Element::f32)
                of_floats(out, data, count);
            else
                run_by_floats<From, 1>(of_floats, out, data, count);
        },
        b);
}

template <Element From>
void round_block(const ConvertBlock& b, const FewBits& few) {
#if defined(__F16C__)
    if (const HalvesRun of_halves = halves_run_for(few)) {
        if constexpr (From == Element::f16)
            if (few.bias == kHalfBias)
                return convert_rows<1, 2>(
                    [&](char* out, const char* data, int64_t count) { of_halves(out, data, count, few); }, b);
        const float scale = scale_to_halves(few);
        return round_rows<From>([&](char* out, const char* data,
                                    int64_t count) { round_by_halves(out, data, count, few, of_halves, scale); },
                                b);
    }
#endif
    const Rounding rounding(few);
    round_rows<From>([&](char* out, const char* data, int64_t count) { round_floats(out, data, count, rounding); }, b);
}

RoundKernel round_for(Element from) {
    switch (from) {
        case Element::i16: return round_block<Element::i16>;
        case Element::i32: return round_block<Element::i32>;
        case Element::i64: return round_block<Element::i64>;
        case Element::u16: return round_block<Element::u16>;
        case Element::u32: return round_block<Element::u32>;
        case Element::u64: return round_block<Element::u64>;
        case Element::f16: return round_block<Element::f16>;
        case Element::bf16: return round_block<Element::bf16>;
        case Element::f32: return round_block<Element::f32>;
        case Element::f64: return round_block<Element::f64>;
        default: return nullptr;
    }
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
