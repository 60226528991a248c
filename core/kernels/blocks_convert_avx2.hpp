// Runs of elements as another type by AVX2's own instructions.

#if defined(__AVX2__) && !defined(__AVX512DQ__)

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Of 32-bit elements in one vector.
constexpr int64_t kEight = 8;

[[gnu::always_inline]] inline __m256i load_whole(const char* data) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
}
[[gnu::always_inline]] inline __m128i load_half(const char* data) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}
[[gnu::always_inline]] inline __m256d load_doubles(const char* data) {
    return _mm256_loadu_pd(reinterpret_cast<const double*>(data));
}
[[gnu::always_inline]] inline void store_whole(char* out, __m256i value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), value);
}

// What `nearly` keeps of doubles, as floats.
[[gnu::always_inline]] inline __m128 nearly_of(__m256d given) {
    const __m256i all = _mm256_castpd_si256(given), lost = _mm256_set1_epi64x(kLostBits);
    const __m256i carried = _mm256_add_epi64(_mm256_and_si256(all, lost), lost);
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(_mm256_andnot_si256(lost, _mm256_or_si256(all, carried))));
}

// Integers of 32 bits as `nearly` has them: of more than 24 the lowest 8 are dropped.
[[gnu::always_inline]] inline __m256i without_low_bits(__m256i given, __m256i is_long) {
    const __m256i low = _mm256_and_si256(_mm256_and_si256(given, is_long), _mm256_set1_epi32(0xff));
    const __m256i none = _mm256_cmpeq_epi32(low, _mm256_setzero_si256());
    return _mm256_or_si256(_mm256_xor_si256(given, low), _mm256_andnot_si256(none, _mm256_set1_epi32(0x100)));
}

[[gnu::always_inline]] inline __m256 nearly_of_signed(__m256i given) {
    const __m256i size = _mm256_xor_si256(given, _mm256_srai_epi32(given, 31));
    return _mm256_cvtepi32_ps(without_low_bits(given, _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0xffffff))));
}

[[gnu::always_inline]] inline __m256 nearly_of_unsigned(__m256i given) {
    const __m256i is_short = _mm256_cmpeq_epi32(_mm256_srli_epi32(given, 24), _mm256_setzero_si256());
    const __m256i kept = without_low_bits(given, _mm256_xor_si256(is_short, _mm256_set1_epi32(-1)));
    const __m256 upper = _mm256_cvtepi32_ps(_mm256_srli_epi32(kept, 16)),
                 lower = _mm256_cvtepi32_ps(_mm256_and_si256(kept, _mm256_set1_epi32(0xffff)));
    return _mm256_add_ps(_mm256_mul_ps(upper, _mm256_set1_ps(0x1p16f)), lower);
}

// Eight numbers as floats that are rounded to 16 bits, or truncated, as the numbers would be.
template <Element From>
[[gnu::always_inline]] inline __m256 eight_floats(const char* data) {
    if constexpr (From == Element::f64) {
        return _mm256_set_m128(nearly_of(load_doubles(data + kVector)), nearly_of(load_doubles(data)));
    } else if constexpr (From == Element::f32) {
        return _mm256_loadu_ps(reinterpret_cast<const float*>(data));
    } else if constexpr (From == Element::f16) {
        return _mm256_cvtph_ps(load_half(data));
    } else if constexpr (From == Element::bf16) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_half(data)), 16));
    } else if constexpr (From == Element::i32) {
        return nearly_of_signed(load_whole(data));
    } else if constexpr (From == Element::u32) {
        return nearly_of_unsigned(load_whole(data));
    } else if constexpr (width_of(From) == 2) {
        const __m128i given = load_half(data);
        return _mm256_cvtepi32_ps(is_signed(From) ? _mm256_cvtepi16_epi32(given) : _mm256_cvtepu16_epi32(given));
    } else {
        const __m128i given = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(data));
        return _mm256_cvtepi32_ps(is_signed(From) ? _mm256_cvtepi8_epi32(given) : _mm256_cvtepu8_epi32(given));
    }
}

// Twice eight elements of 32 bits, whose upper halves are 0, as 16 bits.
[[gnu::always_inline]] inline __m256i packed(__m256i first, __m256i second) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
}

[[gnu::always_inline]] inline __m256i lower_halves(__m256i first, __m256i second) {
    const __m256i lower = _mm256_set1_epi32(0xffff);
    return packed(_mm256_and_si256(first, lower), _mm256_and_si256(second, lower));
}

[[gnu::always_inline]] inline __m256i upper_halves(__m256i first, __m256i second) {
    return packed(_mm256_srli_epi32(first, 16), _mm256_srli_epi32(second, 16));
}

// Floats, none of them NaN, as the nearest bfloat16: what the lower half and half of the last place carry, or just less
// than half to an even number, is added to the upper half.
[[gnu::always_inline]] inline __m256i nearest_brains(__m256 first, __m256 second) {
    const __m256i halves_apart =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const __m256i a = _mm256_shuffle_epi8(_mm256_castps_si256(first), halves_apart),
                  b = _mm256_shuffle_epi8(_mm256_castps_si256(second), halves_apart);
    const __m256i lower = _mm256_unpacklo_epi64(a, b), upper = _mm256_unpackhi_epi64(a, b);
    const __m256i last = _mm256_and_si256(upper, _mm256_set1_epi16(1));
    // An average is half of the sum and one.
    const __m256i half_sum = _mm256_avg_epu16(lower, _mm256_add_epi16(last, _mm256_set1_epi16(0x7ffe)));
    return _mm256_permute4x64_epi64(_mm256_add_epi16(upper, _mm256_srli_epi16(half_sum, 15)), 0xd8);
}

// Floats that lie in the middle of no two, as the nearest bfloat16, in the upper 16 bits.
[[gnu::always_inline]] inline __m256i rounded_without_ties(__m256 given) {
    return _mm256_add_epi32(_mm256_castps_si256(given), _mm256_set1_epi32(0x8000));
}

// Floats, none of them NaN, as the nearest ones of 16 bits. `HasTies`: some may lie in the middle of two.
template <Element To, bool HasTies = true>
[[gnu::always_inline]] inline void store_halves(char* out, __m256 first, __m256 second) {
    if constexpr (To == Element::f16) {
        constexpr int rounding = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        store_whole(out, _mm256_set_m128i(_mm256_cvtps_ph(second, rounding), _mm256_cvtps_ph(first, rounding)));
    } else if constexpr (!HasTies) {
        store_whole(out, upper_halves(rounded_without_ties(first), rounded_without_ties(second)));
    } else {
        store_whole(out, nearest_brains(first, second));
    }
}

// The lower 16 bits of all elements of 32, in any order.
[[gnu::always_inline]] inline __m256i lower_halves_mixed(__m256i first, __m256i second) {
    return _mm256_blend_epi16(first, _mm256_slli_epi32(second, 16), 0xaa);
}

// Doubles as the nearest floats, which have the same nearest 16 bits unless they lie in the middle of two, and the
// doubles do not.
template <Element To>
[[gnu::always_inline]] inline bool doubles_to_halves(char* out, const char* data) {
    const auto four = [=](int64_t k) { return load_doubles(data + k * kVector); };
    const auto eight = [=](int64_t k) {
        return _mm256_set_m128(_mm256_cvtpd_ps(four(k + 1)), _mm256_cvtpd_ps(four(k)));
    };
    const __m256 first = eight(0), second = eight(2);
    // Of the bits that bfloat16 loses the upper one is 1 alone. Of those that float16 loses, more from small numbers,
    // none is 1 below the upper one; doubles without such bits are floats, or too small for float16.
    constexpr bool is_half = To == Element::f16;
    const __m256i lost = lower_halves_mixed(_mm256_castps_si256(first), _mm256_castps_si256(second));
    const auto all = [=] { return _mm256_or_pd(_mm256_or_pd(four(0), four(1)), _mm256_or_pd(four(2), four(3))); };
    __m256i middle = _mm256_setzero_si256();
    if (!is_half || !_mm256_testz_si256(_mm256_castpd_si256(all()), _mm256_set1_epi64x(kLostBits)))
        middle =
            _mm256_cmpeq_epi16(is_half ? _mm256_slli_epi16(lost, 4) : lost, _mm256_set1_epi16(is_half ? 0 : INT16_MIN));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(first, second, _CMP_UNORD_Q));
    if (_mm256_movemask_epi8(_mm256_or_si256(middle, nan))) return false;
    store_halves<To, false>(out, first, second);
    return true;
}

// Four vectors of integers of 32 bits that are floats because they have at most 24, as nearly all do.
template <Element From>
[[gnu::always_inline]] inline bool integers_to_brains(char* out, const char* data) {
    const auto eight = [=](int64_t k) { return load_whole(data + k * kVector); };
    const auto size = [=](int64_t k) { return is_signed(From) ? _mm256_abs_epi32(eight(k)) : eight(k); };
    prefetch_page_ahead(data, 4 * kVector);
    const __m256i sizes = _mm256_or_si256(_mm256_or_si256(size(0), size(1)), _mm256_or_si256(size(2), size(3)));
    if (!_mm256_testz_si256(sizes, _mm256_set1_epi32(~0xffffff))) return false;
    const auto floats = [=](int64_t k) { return _mm256_cvtepi32_ps(eight(k)); };
    store_halves<Element::bf16>(out, floats(0), floats(1));
    store_halves<Element::bf16>(out + kVector, floats(2), floats(3));
    return true;
}

// The upper bits of a 64-bit integer are dropped.
[[gnu::always_inline]] inline __m256i lower_words(__m256i first, __m256i second) {
    const __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xd8);
}

// Four integers of 64 bits as doubles, by numbers whose last places they are.
template <Element From>
struct Longs {
    // What makes none of those below 2^bits negative, if they have a sign.
    static constexpr int64_t least_of(int bits) { return is_signed(From) ? int64_t{1} << bits : 0; }
    // Unsigned integers are held up to 2^52.
    static constexpr int64_t kAdded = least_of(51);

    template <int64_t Added = kAdded>
    [[gnu::always_inline]] static inline __m256i placed(__m256i given) {
        return Added ? _mm256_add_epi64(given, _mm256_set1_epi64x(Added)) : given;
    }
    // Of at most 24 bits, and a sign.
    [[gnu::always_inline]] static inline bool are_short(__m256i a, __m256i b, __m256i c, __m256i d) {
        constexpr int64_t added = least_of(24), beyond = (int64_t{1} << 24) + added;
        const __m256i all = _mm256_or_si256(_mm256_or_si256(placed<added>(a), placed<added>(b)),
                                            _mm256_or_si256(placed<added>(c), placed<added>(d)));
        return _mm256_testz_si256(all, _mm256_set1_epi64x(~(beyond - 1)));
    }
    [[gnu::always_inline]] static inline bool are_held(__m256i first, __m256i second) {
        return _mm256_testz_si256(_mm256_or_si256(placed(first), placed(second)),
                                  _mm256_set1_epi64x(~((int64_t{1} << 52) - 1)));
    }
    [[gnu::always_inline]] static inline __m256d held(__m256i given) {
        const __m256d fractions = _mm256_or_pd(_mm256_castsi256_pd(placed(given)), _mm256_set1_pd(0x1p52));
        return _mm256_sub_pd(fractions, _mm256_set1_pd(0x1p52 + static_cast<double>(kAdded)));
    }
    // Of those that doubles may not hold the lowest 12 bits are dropped; the last that is kept is 1 if one of them was.
    [[gnu::always_inline]] static inline __m256i without_low_bits(__m256i given) {
        const __m256i none = _mm256_setzero_si256();
        const __m256i is_held = _mm256_cmpeq_epi64(_mm256_srli_epi64(placed(given), 52), none);
        const __m256i low = _mm256_andnot_si256(is_held, _mm256_and_si256(given, _mm256_set1_epi64x(0xfff)));
        const __m256i is_whole = _mm256_cmpeq_epi64(low, none);
        return _mm256_or_si256(_mm256_xor_si256(given, low), _mm256_andnot_si256(is_whole, _mm256_set1_epi64x(0x1000)));
    }
    // The nearest doubles to any: the upper and the lower half, each of which a double holds, are added.
    [[gnu::always_inline]] static inline __m256d nearest(__m256i given) {
        constexpr double upper = is_signed(From) ? 0x1p84 + 0x1p63 : 0x1p84, lower = 0x1p52;
        const __m256i low = _mm256_blend_epi32(_mm256_castpd_si256(_mm256_set1_pd(lower)), given, 0x55),
                      high = _mm256_xor_si256(_mm256_srli_epi64(given, 32), _mm256_castpd_si256(_mm256_set1_pd(upper)));
        return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(upper + lower)),
                             _mm256_castsi256_pd(low));
    }
};

// Integers of 64 bits that are floats because they have at most 24, as nearly all do, and by way of doubles any.
template <Element From, Element To>
[[gnu::always_inline]] inline bool longs_to_halves(char* out, const char* data) {
    using All = Longs<From>;
    prefetch_page_ahead(data, 4 * kVector);
    const auto four = [=](int64_t k) { return load_whole(data + k * kVector); };
    const __m256i a = four(0), b = four(1), c = four(2), d = four(3);
    if (All::are_short(a, b, c, d)) {
        store_halves<To>(out, _mm256_cvtepi32_ps(lower_words(a, b)), _mm256_cvtepi32_ps(lower_words(c, d)));
    } else {
        const auto floats = [](__m256i given) { return nearly_of(All::nearest(All::without_low_bits(given))); };
        store_halves<To>(out, _mm256_set_m128(floats(b), floats(a)), _mm256_set_m128(floats(d), floats(c)));
    }
    return true;
}

// False, with nothing written, if some element is NaN, whose payload the machine would change.
template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_halves(char* out, const char* data) {
    if (width_of(From) >= 4) prefetch_page_ahead(data, 2 * kEight * width_of(From));
    if constexpr (From == Element::f64)
        if (doubles_to_halves<To>(out, data)) return true;
    const __m256 first = eight_floats<From>(data), second = eight_floats<From>(data + kEight * width_of(From));
    constexpr bool may_be_nan = From == Element::f64 || From == Element::f32;
    if (may_be_nan && _mm256_movemask_ps(_mm256_cmp_ps(first, second, _CMP_UNORD_Q))) return false;
    store_halves<To>(out, first, second);
    return true;
}

// Where doubles lie in the middle of two floats.
[[gnu::always_inline]] inline __m256i between_floats(__m256d given) {
    constexpr int64_t middle = int64_t{1} << 28, lost = 2 * middle - 1;
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_castpd_si256(given), _mm256_set1_epi64x(lost)),
                              _mm256_set1_epi64x(middle));
}

// Rounded once where doubles hold the integers, as they hold nearly all, and twice else, which is the same unless the
// first time leads to the middle of two floats: then false, with nothing written.
template <Element From>
[[gnu::always_inline]] inline bool longs_to_floats(char* out, const char* data) {
    using All = Longs<From>;
    prefetch_page_ahead(data, 2 * kVector);
    const __m256i first = load_whole(data), second = load_whole(data + kVector);
    __m256d low, high;
    if (All::are_held(first, second)) [[likely]] {
        low = All::held(first), high = All::held(second);
    } else {
        low = All::nearest(first), high = All::nearest(second);
        if (_mm256_movemask_epi8(_mm256_or_si256(between_floats(low), between_floats(high)))) return false;
    }
    _mm256_storeu_ps(reinterpret_cast<float*>(out), _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)));
    return true;
}

// To floats of fewer bits.
template <Element From, Element To>
void convert_rounded(char* out, const char* data, int64_t count) {
    constexpr ConvertRun loop = convert_run<From, To, Beyond::wraps>;
    constexpr bool is_long = is_whole(From) && width_of(From) == 8, is_int = is_whole(From) && width_of(From) == 4;
    if constexpr (To == Element::f32) {
        convert_vectors<From, 4, kEight, longs_to_floats<From>, loop>(out, data, count);
    } else if constexpr (is_long) {
        convert_vectors<From, 2, 2 * kEight, longs_to_halves<From, To>, loop>(out, data, count);
    } else {
        constexpr ConvertRun by_halves = convert_vectors<From, 2, 2 * kEight, vector_to_halves<From, To>, loop>;
        if constexpr (is_int && To == Element::bf16)
            convert_vectors<From, 2, 4 * kEight, integers_to_brains<From>, by_halves>(out, data, count);
        else
            by_halves(out, data, count);
    }
}

// As the machine does it: what an int32 does not hold is the least of them, whose upper bits are dropped.
template <Element From>
[[gnu::always_inline]] inline __m256i eight_wholes(const char* data) {
    if constexpr (From == Element::f64)
        return _mm256_set_m128i(_mm256_cvttpd_epi32(load_doubles(data + kVector)),
                                _mm256_cvttpd_epi32(load_doubles(data)));
    else
        return _mm256_cvttps_epi32(eight_floats<From>(data));
}

// As many as have one vector.
template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_integers(char* out, const char* data) {
    const auto wholes = [=](int64_t k) { return eight_wholes<From>(data + k * kEight * width_of(From)); };
    if constexpr (width_of(To) == 4) {
        store_whole(out, wholes(0));
    } else if constexpr (width_of(To) == 2) {
        store_whole(out, lower_halves(wholes(0), wholes(1)));
    } else {
        const __m256i lower = _mm256_set1_epi32(0xff);
        const __m256i first =
                          _mm256_packus_epi32(_mm256_and_si256(wholes(0), lower), _mm256_and_si256(wholes(1), lower)),
                      second =
                          _mm256_packus_epi32(_mm256_and_si256(wholes(2), lower), _mm256_and_si256(wholes(3), lower));
        store_whole(out, _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second),
                                                     _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
    }
    return true;
}

// What is below 2^51 and added to this has 1 as its last place.
constexpr double kOfWholes = 0x1.8p52;

// Doubles truncated and added to it: the bits of the integer, and those of that number added to them.
[[gnu::always_inline]] inline __m256i short_of(__m256d given) {
    constexpr int rounding = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    return _mm256_castpd_si256(_mm256_add_pd(_mm256_round_pd(given, rounding), _mm256_set1_pd(kOfWholes)));
}

// Whether both hold numbers that `short_of` may be given: below 2^51.
[[gnu::always_inline]] inline bool are_short(__m256d first, __m256d second) {
    const auto is_short = [](__m256d given) {
        const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), given);
        return _mm256_cmp_pd(size, _mm256_set1_pd(0x1p51), _CMP_LT_OQ);
    };
    return _mm256_movemask_pd(_mm256_and_pd(is_short(first), is_short(second))) == 0xf;
}

// Doubles truncated to 64 bits by shifts of their significands: a shift by more bits, or by fewer than none, leaves 0.
// What an int64 does not hold is the least of them; of a uint64 see indefinite_unsigned.
template <bool IsSigned>
[[gnu::always_inline]] inline __m256i long_of(__m256d given) {
    const auto all_of = [](int64_t number) { return _mm256_set1_epi64x(number); };
    constexpr int64_t bits = 52, zero = 1023 + bits, first_beyond = 1023 + 63;
    const __m256i all = _mm256_castpd_si256(given), exponent = _mm256_srli_epi64(_mm256_slli_epi64(all, 1), bits + 1);
    const __m256i fraction = _mm256_and_si256(all, all_of((int64_t{1} << bits) - 1)),
                  significand = _mm256_or_si256(fraction, all_of(int64_t{1} << bits));
    const __m256i size = _mm256_or_si256(_mm256_sllv_epi64(significand, _mm256_sub_epi64(exponent, all_of(zero))),
                                         _mm256_srlv_epi64(significand, _mm256_sub_epi64(all_of(zero), exponent)));
    const __m256i negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), all),
                  whole = _mm256_sub_epi64(_mm256_xor_si256(size, negative), negative);
    const __m256i beyond = _mm256_cmpgt_epi64(exponent, all_of(first_beyond - 1)), least = all_of(INT64_MIN);
    if constexpr (IsSigned) return _mm256_blendv_epi8(whole, least, beyond);
    const __m256i nan = _mm256_castpd_si256(_mm256_cmp_pd(given, given, _CMP_UNORD_Q)),
                  is_least = _mm256_or_si256(_mm256_and_si256(beyond, negative), nan);
    const __m256i held = _mm256_andnot_si256(_mm256_cmpgt_epi64(exponent, all_of(first_beyond)), whole);
    return _mm256_blendv_epi8(held, least, is_least);
}

// Floats truncated to 64 bits, of which the lower 32 are kept, in the same way. The bits of what is too large are 0.
[[gnu::always_inline]] inline __m256i lower_word_of_any(__m256 given) {
    constexpr int32_t bits = 23, zero = 127 + bits;
    const __m256i all = _mm256_castps_si256(given), exponent = _mm256_srli_epi32(_mm256_slli_epi32(all, 1), bits + 1);
    const __m256i fraction = _mm256_and_si256(all, _mm256_set1_epi32((1 << bits) - 1)),
                  significand = _mm256_or_si256(fraction, _mm256_set1_epi32(1 << bits));
    const __m256i left = _mm256_sub_epi32(exponent, _mm256_set1_epi32(zero)),
                  right = _mm256_sub_epi32(_mm256_set1_epi32(zero), exponent);
    const __m256i size = _mm256_or_si256(_mm256_sllv_epi32(significand, left), _mm256_srlv_epi32(significand, right));
    const __m256i negative = _mm256_srai_epi32(all, 31);
    return _mm256_sub_epi32(_mm256_xor_si256(size, negative), negative);
}

// The same, by the machine's instruction unless some float is beyond an int32, of which that makes the least.
[[gnu::always_inline]] inline __m256i lower_word_of(__m256 given) {
    const __m256i whole = _mm256_cvttps_epi32(given);
    const __m256i least = _mm256_cmpeq_epi32(whole, _mm256_set1_epi32(INT32_MIN));
    return _mm256_testz_si256(least, least) ? whole : lower_word_of_any(given);
}

// Eight numbers as doubles.
template <Element From>
[[gnu::always_inline]] inline void eight_doubles(const char* data, __m256d& first, __m256d& second) {
    if constexpr (From == Element::f64) {
        first = load_doubles(data), second = load_doubles(data + kVector);
    } else {
        const __m256 floats = eight_floats<From>(data);
        first = _mm256_cvtps_pd(_mm256_castps256_ps128(floats)),
        second = _mm256_cvtps_pd(_mm256_extractf128_ps(floats, 1));
    }
}

template <Element From, Element To>
[[gnu::always_inline]] inline bool vector_to_long(char* out, const char* data) {
    if constexpr (To == Element::u32 && From != Element::f64) {
        store_whole(out, lower_word_of(eight_floats<From>(data)));
        return true;
    }
    __m256d first, second;
    eight_doubles<From>(data, first, second);
    __m256i low, high;
    if (are_short(first, second)) [[likely]] {
        low = short_of(first), high = short_of(second);
        if constexpr (width_of(To) == 8) {  // the lower words of the number itself are 0
            const __m256i own = _mm256_castpd_si256(_mm256_set1_pd(kOfWholes));
            low = _mm256_sub_epi64(low, own), high = _mm256_sub_epi64(high, own);
        }
    } else {
        low = long_of<To != Element::u64>(first), high = long_of<To != Element::u64>(second);
    }
    if constexpr (width_of(To) == 4) {
        store_whole(out, lower_words(low, high));
    } else {
        store_whole(out, low);
        store_whole(out + kVector, high);
    }
    return true;
}

template <Element From, Element To, Beyond Rule>
void convert_to_integers(char* out, const char* data, int64_t count) {
    constexpr bool is_long = width_of(To) == 8 || To == Element::u32;
    constexpr int64_t some = is_long ? kEight : kVector / width_of(To);
    constexpr auto vector = is_long ? vector_to_long<From, To> : vector_to_integers<From, To>;
    convert_vectors<From, width_of(To), some, vector, convert_run<From, To, Rule>>(out, data, count);
}

// Numbers as `nearly` has them. False if some element is NaN, whose payload the machine would change.
template <Element From>
[[gnu::always_inline]] inline bool vector_to_floats(char* out, const char* data) {
    if (From == Element::f64) prefetch_page_ahead(data, kEight * width_of(From));
    const __m256 floats = eight_floats<From>(data);
    if (From == Element::f64 && _mm256_movemask_ps(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q))) return false;
    _mm256_storeu_ps(reinterpret_cast<float*>(out), floats);
    return true;
}

template <Element From>
void convert_wide_to_floats(char* out, const char* data, int64_t count) {
    if constexpr (From == Element::i64 || From == Element::u64)
        convert_to_floats<From>(out, data, count);
    else
        convert_vectors<From, 4, kEight, vector_to_floats<From>, convert_to_floats<From>>(out, data, count);
}

// Which pairs have a kernel of these.
constexpr bool has_own_run(Element from, Element to, Beyond rule) {
    if (rule == Beyond::saturates) return false;
    const bool halves = to == Element::f16 || to == Element::bf16;
    if (from == Element::f64 && halves) return true;
    if (from == Element::f32 && to == Element::bf16) return true;
    if ((from == Element::i64 || from == Element::u64) && to == Element::f32) return true;
    if (!is_whole(from)) return to <= Element::u64;
    return halves && from != Element::boolean;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME

#endif
