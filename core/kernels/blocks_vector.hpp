// The widest vector of this instruction set, as bytes: loads, stores, streams. No intrinsics but for streams.
#ifdef __SSE2__
#include <immintrin.h>
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

// Whole lines go around the cache, the ends do not. The caller calls stream_fence after its last one.
[[gnu::noinline]] void stream_run(char* dst, const char* src, int64_t bytes) {
#ifdef __SSE2__
    const int64_t head = -reinterpret_cast<intptr_t>(dst) & 63;
    if (bytes < head + 64) return move_run(dst, src, bytes);
    move_run(dst, src, head);
    int64_t at = head;
    for (; at + 64 <= bytes; at += 64) {
#if defined(__AVX512BW__)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + at), _mm512_loadu_si512(src + at));
#elif defined(__AVX2__)
        for (int k = 0; k < 64; k += 32)
            _mm256_stream_si256(reinterpret_cast<__m256i*>(dst + at + k),
                                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + at + k)));
#else
        for (int k = 0; k < 64; k += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(dst + at + k),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + at + k)));
#endif
    }
    move_run(dst + at, src + at, bytes - at);
#else
    move_run(dst, src, bytes);
#endif
}

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Runs that follow each other, as lines that go around the cache: where a run ends within one, the line waits for what
// the next run begins with. Two parts of a line that leave by themselves cost as much as several whole ones.
class StreamedRuns {
public:
    explicit StreamedRuns(char* dst = nullptr) { begin(dst); }

    [[gnu::always_inline]] void put(const char* src, int64_t bytes) {
        if (filled_ > 0) {
            const int64_t part = least(bytes, 64 - filled_);
            move_run(line_ + filled_, src, part);
            src += part, dst_ += part, filled_ += part, bytes -= part;
            if (filled_ < 64) return;
            if (foreign_ > 0)
                move_run(dst_ - 64 + foreign_, line_ + foreign_, 64 - foreign_);
            else
                stream_run(dst_ - 64, line_, 64);
        }
        filled_ = bytes & 63, foreign_ = 0;
        stream_run(dst_, src, bytes - filled_);
        move_run(line_, src + bytes - filled_, filled_);
        dst_ += bytes;
    }
    void put_zeros(int64_t bytes) {
        finish();
        memset(dst_, 0, static_cast<size_t>(bytes));
        begin(dst_ + bytes);
    }
    // To be called before a run that may go elsewhere.
    void go_to(char* dst) {
        if (dst == dst_) return;
        finish();
        begin(dst);
    }
    // To be called after the last run.
    void finish() { move_run(dst_ - filled_ + foreign_, line_ + foreign_, filled_ - foreign_); }

private:
    void begin(char* dst) {
        dst_ = dst;
        filled_ = foreign_ = reinterpret_cast<intptr_t>(dst) & 63;
    }

    alignas(64) char line_[64];
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

[[gnu::always_inline]] inline void prefetch(const char* p) { __builtin_prefetch(p, 0, 3); }

// Indices, and long rows that are computed with, are fetched a page ahead: the hardware's own fetching ends with each
// page. Copies, and conversions other than float32 to float16, gain nothing.
[[gnu::always_inline]] inline void prefetch_page_ahead(const char* p, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) prefetch(p + tune::kPageAhead + k);
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
