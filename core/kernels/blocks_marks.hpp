// Elements that are not zero: as bytes, and as positions.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(WHERRY_NEON)

// Sixteen elements as so many bytes: all bits where one has a bit of the mask.
[[gnu::always_inline]] inline uint8x16_t bytes_of(const char* data, uint8_t mask) {
    return vtstq_u8(load<uint8x16_t>(data), vdupq_n_u8(mask));
}
[[gnu::always_inline]] inline uint8x16_t bytes_of(const char* data, uint16_t mask) {
    const auto of = [=](int k) { return vtstq_u16(load<uint16x8_t>(data + k), vdupq_n_u16(mask)); };
    return vmovn_high_u16(vmovn_u16(of(0)), of(16));
}
[[gnu::always_inline]] inline uint8x16_t bytes_of(const char* data, uint32_t mask) {
    const auto of = [=](int k) { return vtstq_u32(load<uint32x4_t>(data + k), vdupq_n_u32(mask)); };
    const auto eight = [=](int k) { return vmovn_high_u32(vmovn_u32(of(k)), of(k + 16)); };
    return vmovn_high_u16(vmovn_u16(eight(0)), eight(32));
}
[[gnu::always_inline]] inline uint8x16_t bytes_of(const char* data, uint64_t mask) {
    const auto of = [=](int k) { return vtstq_u64(load<uint64x2_t>(data + k), vdupq_n_u64(mask)); };
    const auto four = [=](int k) { return vmovn_high_u64(vmovn_u64(of(k)), of(k + 16)); };
    const auto eight = [=](int k) { return vmovn_high_u32(vmovn_u32(four(k)), four(k + 32)); };
    return vmovn_high_u16(vmovn_u16(eight(0)), eight(64));
}

// A dense row: marked and counted in one pass.
template <class T>
int64_t mark_row(const char* data, T mask, int64_t count, char* marks) {
    const uint8x16_t one = vdupq_n_u8(1);
    int64_t found = 0, i = 0;
    for (; i + 16 <= count; i += 16, data += 16 * sizeof(T)) {
        const uint8x16_t set = vandq_u8(bytes_of(data, mask), one);
        store(marks + i, set);
        found += vaddvq_u8(set);
    }
    T value;
    for (; i < count; ++i, data += sizeof(T)) {
        memcpy(&value, data, sizeof(T));
        marks[i] = (value & mask) != 0;
        found += marks[i];
    }
    return found;
}

#endif

template <class T>
int64_t mark_block(const MarkBlock& b) {
    const char* const data = b.data;
    const int64_t step = b.step, count = b.count;
    char* const marks = b.marks;
    const T counted = static_cast<T>(b.mask);
    int32_t found = 0;
    T value;
    if (step == static_cast<int64_t>(sizeof(T))) prefetch_page_ahead(data, count * step);
#if defined(WHERRY_NEON)
    if (step == static_cast<int64_t>(sizeof(T))) return mark_row<T>(data, counted, count, marks);
#endif
    if (step == static_cast<int64_t>(sizeof(T))) {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, data + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
            marks[i] = (value & counted) != 0;
        }
    } else {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, data + i * step, sizeof(T));
            marks[i] = (value & counted) != 0;
        }
    }
    for (int64_t i = 0; i < count; ++i) found += marks[i];
    return found;
}

constexpr int64_t kMarksAtOnce = 64;  // are skipped together where none is set

#if defined(WHERRY_NEON) || (defined(__AVX2__) && !defined(__AVX512BW__))

// The bits that each byte has set, in order; what lies behind them does not matter.
struct SetBits {
    alignas(64) uint8_t of[256][8];

    constexpr SetBits() : of() {
        for (int byte = 0; byte < 256; ++byte)
            for (int bit = 0, found = 0; bit < 8; ++bit)
                if (byte >> bit & 1) of[byte][found++] = static_cast<uint8_t>(bit);
    }
};
constexpr SetBits kSetBits;

#endif

#if defined(__AVX512BW__)

// Sixteen positions at a time; whole vectors are stored: compressing stores are slow on many machines.
[[gnu::always_inline]] inline int64_t locate_some(const char* marks, int32_t first, int32_t* out) {
    const __m512i bytes = _mm512_loadu_si512(marks), step = _mm512_set1_epi32(16);
    __m512i at = _mm512_add_epi32(_mm512_set1_epi32(first),
                                  _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    uint64_t set = _mm512_test_epi8_mask(bytes, bytes);
    if (set == 0) return 0;
    int64_t found = 0;
    for (int k = 0; k < kMarksAtOnce; k += 16, set >>= 16) {
        _mm512_storeu_si512(out + found, _mm512_maskz_compress_epi32(static_cast<__mmask16>(set), at));
        found += __builtin_popcountll(set & 0xffff);
        at = _mm512_add_epi32(at, step);
    }
    return found;
}

#elif defined(WHERRY_NEON)

// Eight positions at a time, from a table of what eight bits have set.
[[gnu::always_inline]] inline int64_t locate_some(const char* marks, int32_t first, int32_t* out) {
    constexpr uint64_t kEach = 0x0101010101010101;
    const int8x16_t bits = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const auto shifted = [=](int k) { return vshlq_u8(load<uint8x16_t>(marks + 16 * k), bits); };
    // Of marks that are one bit each, eight add up to a byte.
    const uint8x16_t fours = vpaddq_u8(vpaddq_u8(shifted(0), shifted(1)), vpaddq_u8(shifted(2), shifted(3)));
    const uint8x8_t bytes = vget_low_u8(vpaddq_u8(fours, fours));
    const uint64_t set = __builtin_bit_cast(uint64_t, bytes);
    if (set == 0) return 0;
    // Byte k: how many the bytes up to k have set. None is above 64.
    const uint64_t until = __builtin_bit_cast(uint64_t, vcnt_u8(bytes)) * kEach;
    uint32x4_t base = vdupq_n_u32(static_cast<uint32_t>(first));
#pragma GCC unroll 8
    for (int k = 0; k < 64; k += 8) {
        const uint16x8_t found = vmovl_u8(vld1_u8(kSetBits.of[set >> k & 255]));
        char* to = reinterpret_cast<char*>(out + (k ? until >> (k - 8) & 255 : 0));
        store(to, vaddw_u16(base, vget_low_u16(found)));
        store(to + 16, vaddw_high_u16(base, found));
        base = vaddq_u32(base, vdupq_n_u32(8));
    }
    return static_cast<int64_t>(until >> 56);
}

#elif defined(__AVX2__)

// Eight positions at a time, from a table of what eight bits have set.
[[gnu::always_inline]] inline int64_t locate_some(const char* marks, int32_t first, int32_t* out) {
    uint64_t set = 0;
    for (int k = 0; k < kMarksAtOnce; k += 32) {
        const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks + k));
        const __m256i is_set = _mm256_cmpgt_epi8(some, _mm256_setzero_si256());
        set |= uint64_t{static_cast<uint32_t>(_mm256_movemask_epi8(is_set))} << k;
    }
    if (set == 0) return 0;
    const __m256i step = _mm256_set1_epi32(8);
    __m256i base = _mm256_set1_epi32(first);
    int64_t found = 0;
    for (int k = 0; k < kMarksAtOnce; k += 8, set >>= 8) {
        const __m128i bits = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kSetBits.of[set & 255]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + found),
                            _mm256_add_epi32(base, _mm256_cvtepu8_epi32(bits)));
        found += __builtin_popcountll(set & 255);
        base = _mm256_add_epi32(base, step);
    }
    return found;
}

#else

[[gnu::always_inline]] inline int64_t locate_some(const char* marks, int32_t first, int32_t* out) {
    uint64_t any = 0, word;
    for (int64_t i = 0; i < kMarksAtOnce; i += 8) memcpy(&word, marks + i, 8), any |= word;
    if (any == 0) return 0;
    int64_t found = 0;
    for (int32_t i = 0; i < kMarksAtOnce; ++i) out[found] = first + i, found += marks[i];
    return found;
}

#endif

// No branch depends on a single mark.
int64_t locate(const char* marks, int64_t count, int32_t* out) {
    int64_t found = 0;
    int32_t i = 0;
    for (; i + kMarksAtOnce <= count; i += kMarksAtOnce) found += locate_some(marks + i, i, out + found);
    for (; i < count; ++i) out[found] = i, found += marks[i];
    return found;
}

MarkKernel mark_for(int64_t width) {
    return for_width<1, 2, 4, 8>(width, [](auto known) -> MarkKernel { return mark_block<UnsignedOf<known.value>>; });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
