// The widest vector of this instruction set, as bytes: loads, stores, streams. No intrinsics but for streams.

// What a table may use. On x86 the compiler says it, as it is told by the table's options (__AVX2__ ...). On AArch64
// every table has NEON, which the compiler uses for plain loops and for vectors that are written as such. WHERRY_NEON,
// with which the table `neon` alone is compiled, says that it also has ways of its own: shuffles, and intrinsics where
// the compiler does not find the instruction. `scalar` is left to the compiler on both.
#if defined(WHERRY_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

// The bytes of a vector in any order, by one instruction.
#if defined(__SSSE3__) || defined(WHERRY_NEON)
#define WHERRY_SHUFFLES
#endif

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__AVX512BW__)
constexpr int64_t kVector = 64;
#elif defined(__AVX2__)
constexpr int64_t kVector = 32;
#else
constexpr int64_t kVector = 16;
#endif

template <int Bytes>
struct VectorOf {
    typedef char type __attribute__((vector_size(Bytes), aligned(1), may_alias));
};
using Vector = VectorOf<kVector>::type;

// Elements that lie at any address.
template <class T>
struct Loose {
    typedef T type __attribute__((aligned(1), may_alias));
};

template <int Width>
struct Unsigned;
// clang-format off
template <> struct Unsigned<1> { typedef uint8_t type; };
template <> struct Unsigned<2> { typedef uint16_t type; };
template <> struct Unsigned<4> { typedef uint32_t type; };
template <> struct Unsigned<8> { typedef uint64_t type; };
// clang-format on
template <int Width>
using UnsignedOf = typename Unsigned<Width>::type;

// Bytes of a line that come before an address, and those from one to the first line that begins there or behind it.
[[gnu::always_inline]] inline int64_t bytes_in_line(const char* at) {
    return reinterpret_cast<intptr_t>(at) & (tune::kLine - 1);
}
[[gnu::always_inline]] inline int64_t bytes_to_line(const char* at) {
    return -reinterpret_cast<intptr_t>(at) & (tune::kLine - 1);
}
// Whether all lines begin where they should: the first at `begin`, and others so many bytes further on. `bytes` may be
// several numbers, by `|`.
inline bool are_lines(const char* begin, int64_t bytes) {
    return ((reinterpret_cast<intptr_t>(begin) | bytes) & 63) == 0;
}

// Fixed sizes become single moves.
template <int Bytes>
[[gnu::always_inline]] inline void move_fixed(char* dst, const char* src) {
    __builtin_memcpy(dst, src, Bytes);
}

[[gnu::always_inline]] inline void move_vector(char* dst, const char* src) {
    *reinterpret_cast<Vector*>(dst) = *reinterpret_cast<const Vector*>(src);
}

// Two moves that may overlap cover every length between Half and 2 * Half.
template <int Half>
[[gnu::always_inline]] inline void move_both_ends(char* dst, const char* src, int64_t bytes) {
    using Part = typename VectorOf<Half>::type;
    const Part head = *reinterpret_cast<const Part*>(src), tail = *reinterpret_cast<const Part*>(src + bytes - Half);
    *reinterpret_cast<Part*>(dst) = head;
    *reinterpret_cast<Part*>(dst + bytes - Half) = tail;
}

// So many parts, of which the last ends with the run, and may lie over the one before.
template <int Part, int Parts>
[[gnu::always_inline]] inline void move_in_parts(char* dst, const char* src, int64_t bytes) {
    using Loaded = typename VectorOf<Part>::type;
    const auto begin = [=](int k)
                           __attribute__((always_inline)) { return k + 1 < Parts ? k * int64_t{Part} : bytes - Part; };
    Loaded loaded[Parts];
#pragma GCC unroll 8
    for (int k = 0; k < Parts; ++k) loaded[k] = *reinterpret_cast<const Loaded*>(src + begin(k));
#pragma GCC unroll 8
    for (int k = 0; k < Parts; ++k) *reinterpret_cast<Loaded*>(dst + begin(k)) = loaded[k];
}

// Returns body(Known<Part>{}, Known<Parts>{}) for a run that 2 to 8 such parts cover; null if there are none.
template <class Body>
[[gnu::always_inline]] inline auto for_few_parts(int64_t bytes, Body&& body) {
    const auto of = [&](auto part) {
        return for_width<2, 3, 4, 5, 6, 7, 8>((bytes + part.value - 1) / part.value,
                                              [&](auto parts) { return body(part, parts); });
    };
    using Kernel = decltype(of(Known<8>{}));
    if (bytes <= 8) return Kernel{};
    if (bytes <= 16) return of(Known<8>{});
    if (kVector > 16 && bytes <= 32) return of(Known<16>{});
    if (kVector > 32 && bytes <= 64) return of(Known<(kVector > 32 ? 32 : kVector)>{});
    return of(Known<kVector>{});
}

// Up to a few kilobytes without the call of memcpy.
[[gnu::always_inline]] inline void move_run(char* dst, const char* src, int64_t bytes) {
    if (bytes >= kVector) {
        int64_t at = 0;
        for (; at + kVector <= bytes; at += kVector) move_vector(dst + at, src + at);
        if (at < bytes) move_vector(dst + bytes - kVector, src + bytes - kVector);
        return;
    }
#if defined(__AVX512BW__)
    if (bytes >= 32) return move_both_ends<32>(dst, src, bytes);
#endif
#if defined(__AVX2__)
    if (bytes >= 16) return move_both_ends<16>(dst, src, bytes);
#endif
    if (bytes >= 8) return move_both_ends<8>(dst, src, bytes);
    if (bytes >= 4) {
        const int64_t tail = bytes - 4;
        move_fixed<4>(dst, src);
        move_fixed<4>(dst + tail, src + tail);
        return;
    }
    for (int64_t k = 0; k < bytes; ++k) dst[k] = src[k];
}

// Some lines are loaded before they are stored: a load that lies just before a store in some other page seems to
// overlap with it, and waits.
[[gnu::noinline]] void move_lines(char* dst, const char* src, int64_t bytes) {
    constexpr int some = 256 / kVector;
    int64_t at = bytes_to_line(dst);
    memcpy(dst, src, static_cast<size_t>(at));
    for (; at + 256 <= bytes; at += 256) {
        Vector loaded[some];
#pragma GCC unroll 16
        for (int k = 0; k < some; ++k) loaded[k] = *reinterpret_cast<const Vector*>(src + at + k * kVector);
#pragma GCC unroll 16
        for (int k = 0; k < some; ++k) *reinterpret_cast<Vector*>(dst + at + k * kVector) = loaded[k];
    }
    memcpy(dst + at, src + at, static_cast<size_t>(bytes - at));
}

// memcpy leaves long runs to the processor's own instruction, which on a Zen 3 or 4 takes up to 30 times as long where
// dst lies 1 to 31 bytes behind src, whole pages apart.
[[gnu::always_inline]] inline bool is_just_behind(const char* dst, const char* src) {
    const intptr_t behind = (reinterpret_cast<intptr_t>(dst) - reinterpret_cast<intptr_t>(src)) & (tune::kPage - 1);
    return behind > 0 && behind < tune::kLine;
}

[[gnu::always_inline]] inline void move_long(char* dst, const char* src, int64_t bytes) {
    if (bytes >= tune::kOwnCopy && is_just_behind(dst, src)) return move_lines(dst, src, bytes);
    memcpy(dst, src, static_cast<size_t>(bytes));
}

#if defined(WHERRY_NEON)

// Vectors of intrinsics, at any address.
template <class V>
[[gnu::always_inline]] inline V load(const char* src) {
    V vector;
    __builtin_memcpy(&vector, src, sizeof(V));
    return vector;
}
template <class V>
[[gnu::always_inline]] inline void store(char* dst, V vector) {
    __builtin_memcpy(dst, &vector, sizeof(V));
}

// Half a line, of which the processor is told that it is not needed soon. No intrinsic gives this instruction.
template <class V>
[[gnu::always_inline]] inline void stream_pair(char* dst, V first, V second) {
    struct Half {
        char bytes[32];
    };
    __asm__("stnp %q1, %q2, %0" : "=Q"(*reinterpret_cast<Half*>(dst)) : "w"(first), "w"(second));
}

#endif

// One line goes around the cache, to where a line begins.
[[gnu::always_inline]] inline void stream_line(char* dst, const char* src) {
#if defined(__AVX512BW__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), _mm512_loadu_si512(src));
#elif defined(__AVX2__)
    for (int k = 0; k < 64; k += 32)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(dst + k),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + k)));
#elif defined(__SSE2__)
    for (int k = 0; k < 64; k += 16)
        _mm_stream_si128(reinterpret_cast<__m128i*>(dst + k),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + k)));
#elif defined(WHERRY_NEON)
    stream_pair(dst, load<uint8x16_t>(src), load<uint8x16_t>(src + 16));
    stream_pair(dst + 32, load<uint8x16_t>(src + 32), load<uint8x16_t>(src + 48));
#else
    move_fixed<64>(dst, src);
#endif
}

// The same of one vector. AArch64 has no instruction for fewer than two.
#if defined(__SSE2__)
constexpr bool kStreamsVectors = true;
template <typename Vector>
[[gnu::always_inline]] inline void stream_vector(char* dst, const Vector& vector) {
#if defined(__AVX512BW__)
    if constexpr (sizeof(Vector) == 64)
        return _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), reinterpret_cast<__m512i>(vector));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(Vector) == 32)
        return _mm256_stream_si256(reinterpret_cast<__m256i*>(dst), reinterpret_cast<__m256i>(vector));
#endif
    if constexpr (sizeof(Vector) == 16)
        return _mm_stream_si128(reinterpret_cast<__m128i*>(dst), reinterpret_cast<__m128i>(vector));
}
#else
constexpr bool kStreamsVectors = false;
#endif

// Whole lines go around the cache, the ends do not. The caller calls stream_fence after its last one.
[[gnu::noinline]] void stream_run(char* dst, const char* src, int64_t bytes) {
#if defined(__SSE2__) || defined(WHERRY_NEON)
    const int64_t head = bytes_to_line(dst);
    if (bytes < head + 64) return move_run(dst, src, bytes);
    move_run(dst, src, head);
    int64_t at = head;
    for (; at + 64 <= bytes; at += 64) stream_line(dst + at, src + at);
    move_run(dst + at, src + at, bytes - at);
#else
    move_run(dst, src, bytes);
#endif
}

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

// A line that is put together before it leaves: in a register where parts of one are loaded and stored by a mask, since
// a load of what several stores just wrote waits for all of them.
#if defined(__AVX512BW__)

struct PairNumbers {
    uint16_t of[32];
    constexpr PairNumbers() : of() {
        for (uint16_t i = 0; i < 32; ++i) of[i] = i;
    }
};

class Line {
public:
    // Bytes begin..end-1 of the line, which lie at src. A load by a mask fetches all lines that the vector reaches
    // over, also those of which the mask takes nothing: bytes of one line are loaded from where they lie in it, and
    // then moved by so many places.
    [[gnu::always_inline]] void put(const char* src, int64_t begin, int64_t end) {
        if (begin == end) return;
        const int64_t in_line = bytes_in_line(src), size = end - begin, places = in_line - begin;
        if (in_line + size > 64 || places == 0) {
            bytes_ = _mm512_mask_loadu_epi8(bytes_, between(begin, end), src - begin);
            return;
        }
        const __m512i there = _mm512_maskz_loadu_epi8(between(in_line, in_line + size), src - in_line);
        bytes_ = _mm512_mask_mov_epi8(bytes_, between(begin, end), moved(there, places));
    }
    [[gnu::always_inline]] void stream(char* dst) const {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), bytes_);
    }
    // The same bytes of the line at dst; others are not touched.
    [[gnu::always_inline]] void write(char* dst, int64_t begin, int64_t end) const {
        _mm512_mask_storeu_epi8(dst, between(begin, end), bytes_);
    }

private:
    static __mmask64 between(int64_t begin, int64_t end) {
        return _bzhi_u64(~uint64_t{0}, static_cast<unsigned>(end)) & (~uint64_t{0} << begin);
    }
    // Byte i becomes what byte i + places is.
    [[gnu::always_inline]] static __m512i moved(__m512i line, int64_t places) {
        constexpr __mmask32 all = 0xffffffff;
        alignas(64) static constexpr PairNumbers numbers;
        const __m512i by = _mm512_set1_epi16(static_cast<short>(places >> 1));
        const __m512i from = _mm512_maskz_add_epi16(all, _mm512_load_si512(&numbers), by);
        const __m512i pairs = _mm512_maskz_permutexvar_epi16(all, from, line);
        if (places % 2 == 0) return pairs;
        const __m512i after = _mm512_maskz_add_epi16(all, from, _mm512_set1_epi16(1));
        const __m512i next = _mm512_maskz_permutexvar_epi16(all, after, line);
        return _mm512_or_si512(_mm512_srli_epi16(pairs, 8), _mm512_slli_epi16(next, 8));
    }
    __m512i bytes_ = _mm512_setzero_si512();
};
#else
class Line {
public:
    [[gnu::always_inline]] void put(const char* src, int64_t begin, int64_t end) {
        move_run(bytes_ + begin, src, end - begin);
    }
    [[gnu::always_inline]] void stream(char* dst) const { stream_line(dst, bytes_); }
    [[gnu::always_inline]] void write(char* dst, int64_t begin, int64_t end) const {
        move_run(dst + begin, bytes_ + begin, end - begin);
    }

private:
    alignas(64) char bytes_[64];
};
#endif

alignas(64) const char kZeros[512] = {};

// Runs that follow each other, as lines that go around the cache: where a run ends within one, the line waits for what
// the next run begins with. Two parts of a line that leave by themselves cost as much as several whole ones.
class StreamedRuns {
public:
    explicit StreamedRuns(char* dst = nullptr) { begin(dst); }

    [[gnu::always_inline]] void put(const char* src, int64_t bytes) {
        if (filled_ > 0) {
            const int64_t part = least(bytes, 64 - filled_);
            line_.put(src, filled_, filled_ + part);
            src += part, dst_ += part, filled_ += part, bytes -= part;
            if (filled_ < 64) return;
            foreign_ > 0 ? line_.write(dst_ - 64, foreign_, 64) : line_.stream(dst_ - 64);
        }
        filled_ = bytes & 63, foreign_ = 0;
        for (const char* const end = src + bytes - filled_; src < end; src += 64, dst_ += 64) stream_line(dst_, src);
        line_.put(src, 0, filled_);
        dst_ += filled_;
    }
    int64_t bytes_to_line() const { return -filled_ & 63; }
    // Whole lines that `stream` writes itself, where one begins: it returns how many bytes.
    template <typename Stream>
    [[gnu::always_inline]] int64_t put_lines(Stream&& stream) {
        const int64_t bytes = stream(dst_);
        dst_ += bytes;
        return bytes;
    }
    void put_zeros(int64_t bytes) {
        constexpr int64_t some = sizeof(kZeros);
        for (; bytes > 0; bytes -= some) put(kZeros, least(bytes, some));
    }
    // To be called before a run that may go elsewhere.
    void go_to(char* dst) {
        if (dst == dst_) return;
        finish();
        begin(dst);
    }
    // To be called after the last run. A store of nothing would bring its line into the cache.
    void finish() {
        if (filled_ > foreign_) line_.write(dst_ - filled_, foreign_, filled_);
    }

private:
    void begin(char* dst) {
        dst_ = dst;
        filled_ = foreign_ = bytes_in_line(dst);
    }

    Line line_;
    char* dst_;        // where the next byte belongs
    int64_t filled_;   // bytes of its line that come before it
    int64_t foreign_;  // of these, before the first of ours
};

// Streamed bytes are ordered before what this thread does next.
inline void stream_fence() {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

// What is used soon goes into the first cache.
[[gnu::always_inline]] inline void prefetch(const char* p) { __builtin_prefetch(p, 0, 3); }

// What comes from memory, and is used later, goes into the second: a line on its way to the first one holds one of the
// few places there that loads wait in.
[[gnu::always_inline]] inline void prefetch_far(const char* p) { __builtin_prefetch(p, 0, 2); }

// Into one of them: what indices name goes where the processor is better with it, see Machine::fetch_second.
[[gnu::always_inline]] inline void prefetch_into(const char* p, bool into_first) {
    into_first ? prefetch(p) : prefetch_far(p);
}

// What is written soon comes into the first cache, for this core alone.
[[gnu::always_inline]] inline void prefetch_written(const char* p) { __builtin_prefetch(p, 1, 3); }

// Indices, and long rows that are computed with, are fetched a page ahead: the hardware's own fetching ends with each
// page. Copies, and conversions other than to floats of 16 bits or fewer and of long integers, gain nothing.
[[gnu::always_inline]] inline void prefetch_page_ahead(const char* p, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) prefetch_far(p + tune::kPageAhead + k);
}

// Runs on their way to the second cache piece by piece, some pages before they are copied: the hardware begins anew
// with each run, and takes several pages of it until it is far enough ahead. Backwards: runs are read from their ends.
template <bool Backwards>
class Further {
public:
    // Each run is `step` bytes further on than the one before it.
    Further(int64_t bytes, int64_t step)
        : bytes_(bytes),
          step_(step),
          ahead_(tune::kFetchedFurther % bytes),
          runs_(tune::kFetchedFurther / bytes * step) {}

    // While so many bytes from byte `at` of a run are copied.
    [[gnu::always_inline]] void fetch(const char* run, int64_t at, int64_t size) const {
        const char* const begin = run + runs_;
        const int64_t place = at + ahead_, in_this = least(size, most(bytes_ - place, 0));
        lines(begin, place, in_this);
        lines(begin + step_, place + in_this - bytes_, size - in_this);
    }

private:
    // Also the last one of a run that does not begin with a line.
    [[gnu::always_inline]] static void lines(const char* run, int64_t at, int64_t size) {
        constexpr int64_t sign = Backwards ? -1 : 1;
        if (size == 0) return;
        for (int64_t k = 0; k < size; k += 64) prefetch_far(run + sign * (at + k));
        prefetch_far(run + sign * (at + size - 1));
    }

    const int64_t bytes_, step_, ahead_, runs_;
};

// A long run that is streamed so.
[[gnu::always_inline]] inline void put_further(StreamedRuns& runs, const char* run, int64_t bytes,
                                               const Further<false>& further) {
    for (int64_t at = 0; at < bytes; at += tune::kFetchedPiece) {
        const int64_t piece = least(tune::kFetchedPiece, bytes - at);
        further.fetch(run, at, piece);
        runs.put(run + at, piece);
    }
}

// Whether that pays for runs of at least so many bytes.
inline bool fetches_further(int64_t bytes, int64_t fetched, int64_t from) {
    return bytes >= from && bytes <= tune::most_fetched(fetched);
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
