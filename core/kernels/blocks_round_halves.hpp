// Floats as ones of at most 8 bits by way of the machine's float16, of which a vector holds twice as many.

#if defined(__F16C__)

namespace wherry::WHERRY_ISA_NAME {
namespace {

constexpr int kHalfBias = 15, kHalfFraction = 10;  // of float16: of the exponent, and bits
constexpr int16_t kHalfInfinity = 0x7c00;

// Floats times this have, as float16, the exponents that the other type has, and so its codes in their upper bits.
float scale_to_halves(const FewBits& to) { return 1.0f / static_cast<float>(1 << (kHalfBias - to.bias)); }

// Sixteen floats times `scale`, as float16 rounded to odd: the last bit is 1 where what is lost is not 0, so that what
// is rounded once more is rounded as the floats would be.
#if defined(__AVX512F__)
[[gnu::always_inline]] inline void sixteen_halves(char* out, const char* data, float scale) {
    const __m512 given = _mm512_mul_ps(_mm512_loadu_ps(data), _mm512_set1_ps(scale));
    const __m256i halves = _mm512_maskz_cvtps_ph(0xffff, given, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const __m512i back = _mm512_castps_si512(_mm512_maskz_cvtph_ps(0xffff, halves));
    const __mmask16 loses = _mm512_cmpneq_epi32_mask(_mm512_castps_si512(given), back);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_or_si256(halves, _mm256_maskz_set1_epi16(loses, 1)));
}
#else
[[gnu::always_inline]] inline void sixteen_halves(char* out, const char* data, float scale) {
    constexpr int rounding = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    const auto eight = [=](int64_t k) {
        return _mm256_mul_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(data + k * kVector)),
                             _mm256_set1_ps(scale));
    };
    const auto keeps = [](__m256 floats, __m128i halves) {
        return _mm256_cmpeq_epi32(_mm256_castps_si256(floats), _mm256_castps_si256(_mm256_cvtph_ps(halves)));
    };
    const __m256 first = eight(0), second = eight(1);
    const __m128i lower = _mm256_cvtps_ph(first, rounding), upper = _mm256_cvtps_ph(second, rounding);
    const __m256i both = _mm256_packs_epi32(keeps(first, lower), keeps(second, upper));
    const __m256i last = _mm256_andnot_si256(_mm256_permute4x64_epi64(both, 0xd8), _mm256_set1_epi16(1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_or_si256(_mm256_set_m128i(upper, lower), last));
}
#endif

using HalvesRun = void (*)(char* __restrict out, const char* __restrict data, int64_t count, const FewBits& to);

// The upper bits of float16, rounded: half of the last place is added, or just less to an even code. `Plain` types have
// the sign of every number in the upper bit.
template <int Fraction, bool Plain>
void codes_of_halves(char* __restrict out, const char* __restrict data, int64_t count, const FewBits& few) {
    constexpr int lost = kHalfFraction - Fraction;
    uint8_t* __restrict to = reinterpret_cast<uint8_t*>(out);
    const typename Loose<int16_t>::type* __restrict from = reinterpret_cast<const typename Loose<int16_t>::type*>(data);
    const int16_t greatest = few.greatest, beyond = few.beyond, nan = few.nan, negative_nan = few.negative_nan,
                  sign = few.sign, sign_of_zero = few.has_negative_zero ? few.sign : 0;
    for (int64_t i = 0; i < count; ++i) {
        const int16_t bits = from[i], size = bits & 0x7fff;
        const uint16_t more = static_cast<uint16_t>(size + ((1 << (lost - 1)) - 1) + (size >> lost & 1));
        const int16_t rounded = static_cast<int16_t>(more >> lost), code = rounded > greatest ? beyond : rounded;
        if constexpr (Plain) {
            to[i] = static_cast<uint8_t>((size > kHalfInfinity ? nan : code) | (bits >> 8 & 0x80));
        } else {
            const int16_t own_sign = code ? sign : sign_of_zero;
            const int16_t number = bits < 0 ? code | own_sign : code, not_a_number = bits < 0 ? negative_nan : nan;
            to[i] = static_cast<uint8_t>(size > kHalfInfinity ? not_a_number : number);
        }
    }
}

template <int Fraction>
HalvesRun halves_run(const FewBits& to) {
    const bool plain = to.has_negative_zero && to.sign == 0x80 && to.negative_nan == (to.nan | to.sign);
    return plain ? codes_of_halves<Fraction, true> : codes_of_halves<Fraction, false>;
}

// Null for types with more exponents than float16, and those of no fraction.
HalvesRun halves_run_for(const FewBits& to) {
    constexpr int last_exponent = kHalfInfinity >> kHalfFraction;
    if (to.bias > kHalfBias || to.greatest >> to.fraction >= last_exponent) return nullptr;
    switch (to.fraction) {
        case 1: return halves_run<1>(to);
        case 2: return halves_run<2>(to);
        case 3: return halves_run<3>(to);
        default: return nullptr;
    }
}

// Of floats, which hold the numbers or are rounded to odd.
[[gnu::always_inline]] inline void round_by_halves(char* out, const char* data, int64_t count, const FewBits& to,
                                                   HalvesRun of_halves, float scale) {
    constexpr int64_t piece = tune::kFloatStage / kHalves * kHalves;
    alignas(64) char halves[piece * 2], rest[kHalves * 4] = {};
    for (int64_t i = 0; i < count; i += piece) {
        const int64_t part = least(piece, count - i), whole = part / kHalves * kHalves;
        for (int64_t k = 0; k < whole; k += kHalves) sixteen_halves(halves + k * 2, data + (i + k) * 4, scale);
        if (whole < part) {
            memcpy(rest, data + (i + whole) * 4, static_cast<size_t>(part - whole) * 4);
            sixteen_halves(halves + whole * 2, rest, scale);
        }
        of_halves(out + i, halves, part, to);
    }
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME

#endif
