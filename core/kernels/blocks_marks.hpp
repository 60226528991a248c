// Elements that are not zero: as bytes, and as positions.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <class T>
int64_t mark_block(const MarkBlock& b) {
    const char* const data = b.data;
    const int64_t step = b.step, count = b.count;
    char* const marks = b.marks;
    const T counted = static_cast<T>(b.mask);
    int32_t found = 0;
    T value;
    if (step == static_cast<int64_t>(sizeof(T))) prefetch_page_ahead(data, count * step);
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
