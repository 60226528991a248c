// Runs of elements as another type by AVX-512's own instructions.

#if defined(__AVX512DQ__)

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Integers of 32 bits rounded towards zero; where the float is another number, its last bit becomes 1.
template <Element From>
[[gnu::always_inline]] inline __m512i integers_to_nearly(__m512i given) {
    constexpr int rounding = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    const __m512 floats = From == Element::i32 ? _mm512_maskz_cvt_roundepi32_ps(0xffff, given, rounding)
                                               : _mm512_maskz_cvt_roundepu32_ps(0xffff, given, rounding);
    const __m512i back =
        From == Element::i32 ? _mm512_maskz_cvttps_epi32(0xffff, floats) : _mm512_maskz_cvttps_epu32(0xffff, floats);
    const __m512i bits = _mm512_castps_si512(floats);
    return _mm512_mask_or_epi32(bits, _mm512_cmpneq_epi32_mask(given, back), bits, _mm512_set1_epi32(1));
}

// A vector of integers, of 64 bits in the same way.
template <Element From>
[[gnu::always_inline]] inline bool integers_to_floats(char* out, const char* data) {
    const __m512i given = _mm512_loadu_si512(data);
    if constexpr (width_of(From) == 4) {
        _mm512_storeu_si512(out, integers_to_nearly<From>(given));
    } else {
        constexpr int rounding = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        const __m256 floats = From == Element::i64 ? _mm512_cvt_roundepi64_ps(given, rounding)
                                                   : _mm512_cvt_roundepu64_ps(given, rounding);
        const __m512i back = From == Element::i64 ? _mm512_cvttps_epi64(floats) : _mm512_cvttps_epu64(floats);
        const __m256i bits = _mm256_castps_si256(floats);
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out),
            _mm256_mask_or_epi32(bits, _mm512_cmpneq_epi64_mask(given, back), bits, _mm256_set1_epi32(1)));
    }
    return true;
}

constexpr int64_t kSixteen = 16;  // elements that are floats in one vector

[[gnu::always_inline]] inline __m512i in_one(__m256i first, __m256i second) {
    return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(first), second, 1);
}

[[gnu::always_inline]] inline __m256i nearly_of(__m512d given) {
    const __m512i all = _mm512_castpd_si512(given), lost = _mm512_set1_epi64(kLostBits);
    const __m512i carried = _mm512_add_epi64(_mm512_and_si512(all, lost), lost);
    constexpr int first_or_second_without_third = 0x54;
    const __m512i kept = _mm512_ternarylogic_epi64(all, carried, lost, first_or_second_without_third);
    return _mm256_castps_si256(_mm512_maskz_cvtpd_ps(0xff, _mm512_castsi512_pd(kept)));
}

// Doubles as `nearly` has them. False if some element is NaN, whose payload the machine would change.
[[gnu::always_inline]] inline bool doubles_to_floats(char* out, const char* data) {
    const __m512i floats = in_one(nearly_of(_mm512_loadu_pd(data)), nearly_of(_mm512_loadu_pd(data + kVector)));
    if (_mm512_cmp_ps_mask(_mm512_castsi512_ps(floats), _mm512_castsi512_ps(floats), _CMP_UNORD_Q)) return false;
    _mm512_storeu_si512(out, floats);
    return true;
}

// What `nearly` keeps of doubles, as floats behind whose last kept bit others may follow. Beyond the greatest float
// they are that, which becomes infinity as it is rounded to 16 bits.
[[gnu::always_inline]] inline __m256i kept_of(__m512d given) {
    const __m512i all = _mm512_castpd_si512(given);
    const __mmask8 loses = _mm512_test_epi64_mask(all, _mm512_set1_epi64(kLostBits));
    const __m512i kept = _mm512_mask_or_epi64(all, loses, all, _mm512_set1_epi64(kLostBits + 1));
    constexpr int rounding = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return _mm256_castps_si256(_mm512_maskz_cvt_roundpd_ps(0xff, _mm512_castsi512_pd(kept), rounding));
}

// Sixteen numbers as floats that are rounded to 16 bits as the numbers would be.
template <Element From>
[[gnu::always_inline]] inline __m512i sixteen_floats(const char* data) {
    if constexpr (From == Element::f64) {
        return in_one(kept_of(_mm512_loadu_pd(data)), kept_of(_mm512_loadu_pd(data + kVector)));
    } else if constexpr (width_of(From) == 4) {
        return integers_to_nearly<From>(_mm512_loadu_si512(data));
    } else {
        __m512i whole;
        if constexpr (width_of(From) == 2) {
            const __m256i given = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
            whole = is_signed(From) ? _mm512_maskz_cvtepi16_epi32(0xffff, given)
                                    : _mm512_maskz_cvtepu16_epi32(0xffff, given);
        } else {
            const __m128i given = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
            whole =
                is_signed(From) ? _mm512_maskz_cvtepi8_epi32(0xffff, given) : _mm512_maskz_cvtepu8_epi32(0xffff, given);
        }
        return _mm512_castps_si512(_mm512_maskz_cvtepi32_ps(0xffff, whole));
    }
}

// Floats, none of them NaN, so that their upper 16 bits are the nearest bfloat16: half of the last place is added, or
// just less to an even number.
[[gnu::always_inline]] inline __m512i rounded_to_upper(__m512i floats) {
    const __m512i last = _mm512_and_si512(_mm512_maskz_srli_epi32(0xffff, floats, 16), _mm512_set1_epi32(1));
    return _mm512_add_epi32(floats, _mm512_add_epi32(last, _mm512_set1_epi32(0x7fff)));
}

// The places of every second of so many elements in two vectors, the second element first.
template <int Count>
struct Odd {
    alignas(64) uint16_t place[Count];

    constexpr Odd() : place() {
        for (int i = 0; i < Count; ++i) place[i] = static_cast<uint16_t>(2 * i + 1);
    }
};

// The upper 16 bits of each of twice sixteen floats.
[[gnu::always_inline]] inline __m512i upper_halves(__m512i first, __m512i second) {
    static constexpr Odd<32> odd;
    return _mm512_maskz_permutex2var_epi16(~__mmask32{0}, first, _mm512_load_si512(odd.place), second);
}

// False, with nothing written, if some element is NaN, whose payload the machine would change.
template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_halves(char* out, const char* data) {
    const __m512i first = sixteen_floats<From>(data), second = sixteen_floats<From>(data + kSixteen * width_of(From));
    if (From == Element::f64 &&
        _mm512_cmp_ps_mask(_mm512_castsi512_ps(first), _mm512_castsi512_ps(second), _CMP_UNORD_Q))
        return false;
    if constexpr (To == Element::f16) {
        constexpr int rounding = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        __m256i* const to = reinterpret_cast<__m256i*>(out);
        _mm256_storeu_si256(to, _mm512_maskz_cvtps_ph(0xffff, _mm512_castsi512_ps(first), rounding));
        _mm256_storeu_si256(to + 1, _mm512_maskz_cvtps_ph(0xffff, _mm512_castsi512_ps(second), rounding));
    } else if constexpr (width_of(From) == 1) {  // bfloat16 holds them
        _mm512_storeu_si512(out, upper_halves(first, second));
    } else {
        _mm512_storeu_si512(out, upper_halves(rounded_to_upper(first), rounded_to_upper(second)));
    }
    return true;
}

template <Element From>
void convert_wide_to_floats(char* out, const char* data, int64_t count) {
    if constexpr (From == Element::f64)
        convert_vectors<From, 4, kSixteen, doubles_to_floats, convert_to_floats<From>>(out, data, count);
    else
        convert_vectors<From, 4, kVector / width_of(From), integers_to_floats<From>, convert_to_floats<From>>(out, data,
                                                                                                              count);
}

template <Element From, Element To>
void convert_rounded(char* out, const char* data, int64_t count) {
    convert_vectors<From, 2, 2 * kSixteen, vector_to_halves<From, To>, convert_run<From, To, Beyond::wraps>>(out, data,
                                                                                                             count);
}

// Sixteen floats, or bfloat16 as floats.
template <Element From>
[[gnu::always_inline]] inline __m512 sixteen_as_floats(const char* data) {
    if constexpr (From == Element::f32) return _mm512_loadu_ps(data);
    const __m256i upper = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
    return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, _mm512_maskz_cvtepu16_epi32(0xffff, upper), 16));
}

// Floats truncated to 64 bits, of which the lower 32 are kept.
[[gnu::always_inline]] inline __m512i lower_words_of(__m512 given) {
    const __m256 first = _mm512_maskz_extractf32x8_ps(0xff, given, 0),
                 second = _mm512_maskz_extractf32x8_ps(0xff, given, 1);
    return in_one(_mm512_maskz_cvtepi64_epi32(0xff, _mm512_maskz_cvttps_epi64(0xff, first)),
                  _mm512_maskz_cvtepi64_epi32(0xff, _mm512_maskz_cvttps_epi64(0xff, second)));
}

// As the machine does it: what an int32 does not hold is the least of them, whose upper bits are dropped. Where uint32
// is wanted, it says that some number must be truncated to more bits.
template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_integers(char* out, const char* data) {
    __m512i whole;
    if constexpr (From != Element::f64) {
        const __m512 floats = sixteen_as_floats<From>(data);
        whole = _mm512_maskz_cvttps_epi32(0xffff, floats);
        if (To == Element::u32 && _mm512_cmpeq_epi32_mask(whole, _mm512_set1_epi32(INT32_MIN)))
            whole = lower_words_of(floats);
    } else {
        const __m256i first = _mm512_maskz_cvttpd_epi32(0xff, _mm512_loadu_pd(data)),
                      second = _mm512_maskz_cvttpd_epi32(0xff, _mm512_loadu_pd(data + kVector));
        whole = in_one(first, second);
    }
    if constexpr (width_of(To) == 4)
        _mm512_storeu_si512(out, whole);
    else if constexpr (width_of(To) == 2)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_maskz_cvtepi32_epi16(0xffff, whole));
    else
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_maskz_cvtepi32_epi8(0xffff, whole));
    return true;
}

// To 32 bits: the nearest of their numbers, and 0 of NaN.
template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_nearest_integers(char* out, const char* data) {
    const __m512 floats = sixteen_as_floats<From>(data);
    __m512i whole;
    // The machine makes the greatest uint32 of what is too large, and so of what is negative; but the least int32.
    if constexpr (To == Element::u32) {
        whole = _mm512_maskz_cvttps_epu32(0xffff, _mm512_maskz_max_ps(0xffff, floats, _mm512_setzero_ps()));
    } else {
        const __mmask16 numbers = _mm512_cmp_ps_mask(floats, floats, _CMP_ORD_Q),
                        beyond = _mm512_cmp_ps_mask(floats, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ);
        whole = _mm512_mask_mov_epi32(_mm512_maskz_cvttps_epi32(numbers, floats), beyond, _mm512_set1_epi32(INT32_MAX));
    }
    _mm512_storeu_si512(out, whole);
    return true;
}

template <Element From, Element To, Beyond Rule>
void convert_to_integers(char* out, const char* data, int64_t count) {
    constexpr auto vector = Rule == Beyond::wraps ? vector_to_integers<From, To> : vector_to_nearest_integers<From, To>;
    convert_vectors<From, width_of(To), kSixteen, vector, convert_run<From, To, Rule>>(out, data, count);
}

// Which pairs have a kernel of these.
constexpr bool has_own_run(Element from, Element to, Beyond rule) {
    if (rule == Beyond::saturates)
        return (from == Element::f32 || from == Element::bf16) && (to == Element::i32 || to == Element::u32);
    const bool halves = to == Element::f16 || to == Element::bf16, wholes = to <= Element::u16 && width_of(to) <= 4;
    if (from == Element::f64) return halves || wholes;
    if (from == Element::f32 || from == Element::bf16) return wholes || to == Element::u32;
    return halves && is_whole(from) && from != Element::boolean && width_of(from) <= 4;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME

#endif
