// Which updates of a scatter go to a range of the target, and where.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__AVX512BW__)

// Eight offsets at a time: those in the range are kept, in order.
struct Picker {
    static constexpr int64_t kAtOnce = 8;

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
    [[gnu::always_inline]] inline void add(const PickBlock& b, int64_t first) {
        add(b, _mm512_loadu_si512(b.offsets + first));
    }
};

[[gnu::always_inline]] inline __m512i load_indices(const int64_t* p) { return _mm512_loadu_si512(p); }
[[gnu::always_inline]] inline __m512i load_indices(const int32_t* p) {
    return _mm512_maskz_cvtepi32_epi64(255, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}

#elif defined(__AVX2__)

// Of four elements the halves of those that a mask keeps, in order; what lies behind them does not matter.
struct KeptHalves {
    alignas(32) int32_t of[16][8];

    constexpr KeptHalves() : of() {
        for (int mask = 0; mask < 16; ++mask)
            for (int k = 0, kept = 0; k < 4; ++k)
                if (mask >> k & 1) of[mask][kept++] = 2 * k, of[mask][kept++] = 2 * k + 1;
    }
};
constexpr KeptHalves kKeptHalves;

// The same of four; numbers without a sign are compared as the machine does, with one.
struct Picker {
    static constexpr int64_t kAtOnce = 4;

    __m256i low, range, base, source, step;
    int64_t kept = 0;

    explicit Picker(const PickBlock& b)
        : low(_mm256_set1_epi64x(b.low ^ INT64_MIN)),
          range(_mm256_set1_epi64x(static_cast<int64_t>(static_cast<uint64_t>(b.high) - static_cast<uint64_t>(b.low)) ^
                                   INT64_MIN)),
          base(_mm256_set1_epi64x(b.base)),
          source(_mm256_setr_epi64x(b.source, sum(b.source, b.step, 1), sum(b.source, b.step, 2),
                                    sum(b.source, b.step, 3))),
          step(_mm256_set1_epi64x(sum(0, b.step, 4))) {}

    // Steps beyond the last update may go around.
    static int64_t sum(int64_t a, int64_t step, uint64_t times) {
        return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(step) * times);
    }

    [[gnu::always_inline]] inline void add(const PickBlock& b, int64_t first) {
        const __m256i offset = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b.offsets + first));
        const __m256i is_good = _mm256_cmpgt_epi64(range, _mm256_sub_epi64(offset, low));
        const int good = _mm256_movemask_pd(_mm256_castsi256_pd(is_good));
        const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(kKeptHalves.of[good]));
        store_kept(b.offsets, _mm256_add_epi64(offset, base), halves);
        store_kept(b.sources, source, halves);
        source = _mm256_add_epi64(source, step);
        kept += __builtin_popcount(static_cast<unsigned>(good));
    }

    [[gnu::always_inline]] inline void store_kept(int64_t* to, __m256i four, __m256i halves) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + kept), _mm256_permutevar8x32_epi32(four, halves));
    }
};

#endif

// No branch depends on the offsets.
int64_t pick(const PickBlock& block) {
    const PickBlock b = block;  // no store changes it
    const uint64_t range = static_cast<uint64_t>(b.high) - static_cast<uint64_t>(b.low);
    int64_t kept = 0, i = 0;
#if defined(__AVX2__)
    Picker picker(b);
    for (; i + Picker::kAtOnce <= b.count; i += Picker::kAtOnce) picker.add(b, i);
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
