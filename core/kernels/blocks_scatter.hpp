// Which updates of a scatter go to a range of the target, and where.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__AVX512BW__)

// Eight offsets at a time: those in the range are kept, in order.
struct Picker {
    __m512i low, range, base, source, step;
    int64_t kept = 0;

    explicit Picker(const PickBlock& b)
        : low(_mm512_set1_epi64(b.low)),
          range(_mm512_set1_epi64(static_cast<int64_t>(static_cast<uint64_t>(b.high) - static_cast<uint64_t>(b.low)))),
          base(_mm512_set1_epi64(b.base)),
          step(_mm512_set1_epi64(8 * b.step)) {
        const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        source = _mm512_add_epi64(_mm512_set1_epi64(b.source), _mm512_mullo_epi64(lanes, _mm512_set1_epi64(b.step)));
    }

    [[gnu::always_inline]] inline void add(const PickBlock& b, __m512i offset) {
        const __mmask8 good = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(offset, low), range);
        // Whole vectors are stored: compressing stores are slow on many machines.
        _mm512_storeu_si512(b.offsets + kept, _mm512_maskz_compress_epi64(good, _mm512_add_epi64(offset, base)));
        _mm512_storeu_si512(b.sources + kept, _mm512_maskz_compress_epi64(good, source));
        source = _mm512_add_epi64(source, step);
        kept += __builtin_popcount(good);
    }
};

[[gnu::always_inline]] inline __m512i load_indices(const int64_t* p) { return _mm512_loadu_si512(p); }
[[gnu::always_inline]] inline __m512i load_indices(const int32_t* p) {
    return _mm512_maskz_cvtepi32_epi64(255, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}

#endif

// No branch depends on the offsets.
int64_t pick(const PickBlock& b) {
    const uint64_t range = static_cast<uint64_t>(b.high) - static_cast<uint64_t>(b.low);
    int64_t kept = 0, i = 0;
#if defined(__AVX512BW__)
    Picker picker(b);
    for (; i + 8 <= b.count; i += 8) picker.add(b, _mm512_loadu_si512(b.offsets + i));
    kept = picker.kept;
#endif
    for (; i < b.count; ++i) {
        const uint64_t offset = static_cast<uint64_t>(b.offsets[i]);  // kBadOffset among them: sums may go around
        b.offsets[kept] = static_cast<int64_t>(offset + static_cast<uint64_t>(b.base));
        b.sources[kept] = b.source + i * b.step;
        kept += static_cast<int64_t>(offset - static_cast<uint64_t>(b.low) < range);
    }
    return kept;
}

// A register holds the index from here on: the compiler may not load it again.
#if defined(__AVX512BW__)
[[gnu::always_inline]] inline __m512i settled(__m512i value) {
    __asm__ volatile("" : "+v"(value));
    return value;
}
#endif

template <class Index>
int64_t pick_directly(const IndexRule& rule, const char* indices, int64_t axis_stride, const PickBlock& b) {
#if defined(__AVX512BW__)
    int64_t i = 0;
    const Index* index = reinterpret_cast<const Index*>(indices);
    const __m512i size = _mm512_set1_epi64(rule.size), stride = _mm512_set1_epi64(axis_stride);
    const __m512i added = _mm512_set1_epi64(rule.negative == Negative::from_end ? rule.size : 0);
    Picker picker(b);
    __mmask8 outside = 0;
    for (; i + 8 <= b.count; i += 8) {
        const __m512i given = settled(load_indices(index + i));
        const __m512i at = _mm512_mask_add_epi64(given, _mm512_movepi64_mask(given), given, added);
        outside = _kor_mask8(outside, _mm512_cmpge_epu64_mask(at, size));
        picker.add(b, _mm512_mullo_epi64(at, stride));
    }
    if (outside) return -1;
    PickBlock rest = b;
    rest.count = b.count - i;
    rest.source += i * b.step;
    rest.offsets += picker.kept;
    rest.sources += picker.kept;
    if (resolve<Index>(rule, indices + i * static_cast<int64_t>(sizeof(Index)), sizeof(Index), rest.count, axis_stride,
                       0, rest.offsets))
        return -1;
    return picker.kept + pick(rest);
#else
    if (resolve<Index>(rule, indices, sizeof(Index), b.count, axis_stride, 0, b.offsets)) return -1;
    return pick(b);
#endif
}

DirectPickKernel pick_directly_for(IndexType type) {
    return for_index(type, []<class Index>(Index) -> DirectPickKernel {
        if constexpr (is_direct<Index>)
            return pick_directly<Index>;
        else
            return nullptr;
    });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
