// Loops that copy, also from places in any order, and that only read: compiled when the benchmark begins, for the machine it runs on.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { VECTOR = 64, PAGE = 4096 };
typedef uint64_t vector __attribute__((vector_size(VECTOR), aligned(1), may_alias));

// One register a step; the compiler must not see a memcpy in it.
void copy_vectors(char *to, const char *from, size_t bytes) {
    size_t at = 0;
    for (; at + VECTOR <= bytes; at += VECTOR) {
        *(vector *)(to + at) = *(const vector *)(from + at);
        __asm__ volatile("" ::: "memory");
    }
    memcpy(to + at, from + at, bytes - at);
}

#if defined(__x86_64__)
static void stream(char *to, vector value) {
#if defined(__AVX512F__)
    _mm512_stream_si512((__m512i *)to, (__m512i)value);
#else
    __m128i parts[VECTOR / 16];
    memcpy(parts, &value, VECTOR);
    for (int part = 0; part < VECTOR / 16; part++) _mm_stream_si128((__m128i *)to + part, parts[part]);
#endif
}

// Whole lines around the cache; `to` is aligned to a line.
void copy_streaming(char *to, const char *from, size_t bytes) {
    size_t at = 0;
    for (; at + VECTOR <= bytes; at += VECTOR) {
        _mm_prefetch(from + at + 2048, _MM_HINT_T0);
        stream(to + at, *(const vector *)(from + at));
    }
    memcpy(to + at, from + at, bytes - at);
    _mm_sfence();
}

void copy_string(char *to, const char *from, size_t bytes) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}
#endif

// What is read and goes nowhere.
void read_only(char *to, const char *from, size_t bytes) {
    vector sum = {0};
    for (size_t at = 0; at + VECTOR <= bytes; at += VECTOR) {
        __builtin_prefetch(from + at + PAGE, 0, 2);
        sum ^= *(const vector *)(from + at);
    }
    __asm__ volatile("" ::"m"(sum) : "memory");
    (void)to;
}

// Into the second cache, as wherry's kernels do.
static inline void fetch(const char *place, size_t bytes) {
    __builtin_prefetch(place, 0, 2);
    for (size_t line = VECTOR; line < bytes + VECTOR - 1; line += VECTOR)
        __builtin_prefetch(place + (line < bytes ? line : bytes - 1), 0, 2);
}

// One part from each place to its target, without targets to the next place, in this order; the parts `ahead` of it are on
// their way. Nothing is checked.
static inline void copy_each(char *result, const char *from, const int64_t *places, const int64_t *targets, size_t count,
                             size_t bytes, size_t ahead, int streams) {
    for (size_t part = 0; part < count; part++) {
        if (part + ahead < count) fetch(from + places[part + ahead], bytes);
        char *to = result + (targets ? (size_t)targets[part] : part * bytes);
        const char *at = from + places[part];
#if defined(__x86_64__)
        if (streams) {
            for (size_t byte = 0; byte < bytes; byte += VECTOR) stream(to + byte, *(const vector *)(at + byte));
            continue;
        }
#endif
        if (bytes % VECTOR == 0)
            for (size_t byte = 0; byte < bytes; byte += VECTOR) *(vector *)(to + byte) = *(const vector *)(at + byte);
        else
            memcpy(to, at, bytes);
    }
}

// The same, written for the usual widths; `streams` where parts are whole lines of an aligned `to`.
static void copy_some(char *to, const char *from, const int64_t *places, const int64_t *targets, size_t count,
                      size_t bytes, size_t ahead, int streams) {
    switch (bytes) {
        case 1: copy_each(to, from, places, targets, count, 1, ahead, 0); break;
        case 4: copy_each(to, from, places, targets, count, 4, ahead, 0); break;
        case 8: copy_each(to, from, places, targets, count, 8, ahead, 0); break;
        case 16: copy_each(to, from, places, targets, count, 16, ahead, 0); break;
        case 256: copy_each(to, from, places, targets, count, 256, ahead, streams); break;
        case 512: copy_each(to, from, places, targets, count, 512, ahead, streams); break;
        default: copy_each(to, from, places, targets, count, bytes, ahead, streams);
    }
#if defined(__x86_64__)
    if (streams) _mm_sfence();
#endif
}

// The same by so many threads, of which each has the places from one cut to the next.
void copy_ordered(char *to, const char *from, const int64_t *places, const int64_t *targets, const size_t *cuts,
                  int threads, size_t bytes, size_t ahead, int streams) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int number = 0; number < threads; number++) {
        size_t begin = cuts[number];
        char *first = targets ? to : to + begin * bytes;
        const int64_t *own = targets ? targets + begin : NULL;
        copy_some(first, from, places + begin, own, cuts[number + 1] - begin, bytes, ahead, streams);
    }
}

typedef void loop(char *to, const char *from, size_t bytes);

// Bytes from `begin` to `end` are copied by a thread, and those from `more` to `last` only read.
struct part {
    size_t begin, end, more, last;
};

// Each part by a thread of its own.
void copy_parts(char *to, const char *from, const struct part *parts, int count, loop *copy, loop *read) {
#pragma omp parallel for num_threads(count) schedule(static, 1)
    for (int number = 0; number < count; number++) {
        struct part each = parts[number];
        copy(to + each.begin, from + each.begin, each.end - each.begin);
        if (each.last > each.more) read(to, from + each.more, each.last - each.more);
    }
}
