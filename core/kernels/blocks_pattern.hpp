// Groups of vectors, each of which is put together from the bytes of a few places: short rows in another order, some of
// their elements, or the same ones several times.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__AVX512BW__)

// Bytes where there is an instruction for them, else pairs of bytes.
struct WidePlaces {
    static constexpr int64_t vector = 64;
    using Row = __m512i;
    [[gnu::always_inline]] static inline Row load_places(const uint8_t* places) { return _mm512_load_si512(places); }
    [[gnu::always_inline]] static inline Row permuted(const Row& from, const Row& at, uint64_t mask) {
#if defined(__AVX512VBMI__)
        return _mm512_maskz_permutexvar_epi8(mask, at, from);
#else
        return _mm512_maskz_permutexvar_epi16(static_cast<__mmask32>(mask), at, from);
#endif
    }
    [[gnu::always_inline]] static inline Row take(const char* src, const uint8_t* places, uint64_t mask) {
        return permuted(_mm512_loadu_si512(src), load_places(places), mask);
    }
    [[gnu::always_inline]] static inline Row take_all(const char* src, const uint8_t* places) {
        return take(src, places, ~uint64_t{0});
    }
    // What the mask has not is not read.
    [[gnu::always_inline]] static inline Row load_part(const char* src, uint64_t readable) {
#if defined(__AVX512VBMI__)
        return _mm512_maskz_loadu_epi8(readable, src);
#else
        return _mm512_maskz_loadu_epi16(static_cast<__mmask32>(readable), src);
#endif
    }
    [[gnu::always_inline]] static inline Row add(Row row, const char* src, const uint8_t* places, uint64_t mask) {
        const Row from = _mm512_loadu_si512(src), at = _mm512_load_si512(places);
#if defined(__AVX512VBMI__)
        return _mm512_mask_permutexvar_epi8(row, mask, at, from);
#else
        return _mm512_mask_permutexvar_epi16(row, static_cast<__mmask32>(mask), at, from);
#endif
    }
    [[gnu::always_inline]] static inline void put(char* dst, Row row) { _mm512_storeu_si512(dst, row); }
};

#endif

#if defined(WHERRY_SHUFFLES)

// Places that lie nowhere make a byte 0.
struct NarrowPlaces {
    static constexpr int64_t vector = 16;
#if defined(WHERRY_NEON)
    using Row = uint8x16_t;
    [[gnu::always_inline]] static inline Row take_all(const char* src, const uint8_t* places) {
        return vqtbl1q_u8(load<Row>(src), vld1q_u8(places));
    }
    [[gnu::always_inline]] static inline Row add(Row row, const char* src, const uint8_t* places, uint64_t) {
        return vorrq_u8(row, take_all(src, places));
    }
    [[gnu::always_inline]] static inline void put(char* dst, Row row) { store(dst, row); }
#else
    using Row = __m128i;
    [[gnu::always_inline]] static inline Row take_all(const char* src, const uint8_t* places) {
        return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src)),
                                _mm_load_si128(reinterpret_cast<const __m128i*>(places)));
    }
    [[gnu::always_inline]] static inline Row add(Row row, const char* src, const uint8_t* places, uint64_t) {
        return _mm_or_si128(row, take_all(src, places));
    }
    [[gnu::always_inline]] static inline void put(char* dst, Row row) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(dst), row);
    }
#endif
    [[gnu::always_inline]] static inline Row take(const char* src, const uint8_t* places, uint64_t) {
        return take_all(src, places);
    }
};

// Groups of one vector, which all are the same permutation of a window.
template <class Places>
void move_same_pattern(const PatternBlock b) {
    const typename Places::Row places = Places::load_places(b.places);
    const char* src = b.src + b.from[0];
    char* dst = b.dst;
    for (int64_t g = 0; g < b.groups; ++g, src += b.src_step, dst += b.dst_step)
        Places::put(dst, Places::permuted(Places::load_part(src, b.readable), places, ~uint64_t{0}));
}

// Windows 0: as many as the block says.
template <class Places, int Windows>
void move_pattern(const PatternBlock b) {
    if constexpr (Windows == 1 && Places::vector == tune::kLine)
        if (b.bytes == Places::vector) return move_same_pattern<Places>(b);
    constexpr int64_t vector = Places::vector;
    const int64_t windows = Windows ? Windows : b.windows, last = b.bytes - vector, groups = b.groups;
    const char* src = b.src;
    char* dst = b.dst;
    for (int64_t g = 0; g < groups; ++g, src += b.src_step, dst += b.dst_step) {
        const int64_t* from = b.from;
        const uint8_t* places = b.places;
        const uint64_t* masks = b.masks;
        for (int64_t at = 0; at < b.bytes; at += vector) {
            typename Places::Row row;
            if constexpr (Windows == 1)
                row = Places::take_all(src + from[0], places);
            else
                row = Places::take(src + from[0], places, masks[0]);
#pragma GCC unroll 4
            for (int64_t k = 1; k < windows; ++k) row = Places::add(row, src + from[k], places + k * vector, masks[k]);
            Places::put(dst + least(at, last), row);
            from += windows, places += windows * vector, masks += windows;
        }
    }
}

// All vectors of a group from one window, of which less than a vector can be read.
template <class Places>
void move_pattern_of_less(const PatternBlock b) {
    const int64_t last = b.bytes - Places::vector, from = b.from[0];
    if (last == 0) return move_same_pattern<Places>(b);
    const char* src = b.src;
    char* dst = b.dst;
    for (int64_t g = 0; g < b.groups; ++g, src += b.src_step, dst += b.dst_step) {
        const typename Places::Row row = Places::load_part(src + from, b.readable);
        for (int64_t at = 0; at < b.bytes; at += Places::vector)
            Places::put(dst + least(at, last), Places::permuted(row, Places::load_places(b.places + at), ~uint64_t{0}));
    }
}

template <class Places>
PatternKernel pattern_of(int64_t windows) {
    const PatternKernel few =
        for_width<1, 2, 3, 4>(windows, [](auto count) -> PatternKernel { return move_pattern<Places, count.value>; });
    return few ? few : move_pattern<Places, 0>;
}

#if defined(__AVX512VBMI__)
constexpr PatternKernels kPatterns = {WidePlaces::vector, 1, pattern_of<WidePlaces>, move_pattern_of_less<WidePlaces>};
#elif defined(__AVX512BW__)
constexpr PatternKernels kPatterns = {WidePlaces::vector, 2, pattern_of<WidePlaces>, move_pattern_of_less<WidePlaces>};
#else
constexpr PatternKernels kPatterns = {NarrowPlaces::vector, 1, pattern_of<NarrowPlaces>, nullptr};
#endif

// Of elements of so many bytes.
const PatternKernels* patterns_for([[maybe_unused]] int64_t bytes) {
#if defined(__AVX512BW__) && !defined(__AVX512VBMI__)
    static constexpr PatternKernels of_bytes = {NarrowPlaces::vector, 1, pattern_of<NarrowPlaces>, nullptr};
    if (bytes % kPatterns.unit != 0) return &of_bytes;
#endif
    return &kPatterns;
}

#else

const PatternKernels* patterns_for(int64_t) { return nullptr; }

#endif

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
