// One block of resolved indices: elements or runs to their places.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Bad offsets read zeros, a vector at most; choosing an address costs no mispredicted branch.
template <bool Zeros>
[[gnu::always_inline]] inline const char* source(const char* data, int64_t offset) {
    return Zeros && offset == kBadOffset ? kZeros : data + offset;
}

// A load that misses the cache blocks the instructions behind it, a prefetch does not: offsets are prefetched
// tune::kGatherAhead at a time before the first of them is used.
template <bool Zeros, class Prefetch>
[[gnu::always_inline]] inline void prefetch_offsets(const char* data, const int64_t* offsets, int64_t count,
                                                    Prefetch prefetch) {
    for (int64_t i = 0; i < count; ++i) prefetch(source<Zeros>(data, offsets[i]));
}

#if defined(__AVX512BW__)
// Elements of 4 or 8 bytes, so many steps of Scale bytes further on.
template <int Width, int Scale>
[[gnu::always_inline]] inline void load_eight(char* out, const char* data, __m512i at) {
    if constexpr (Width == 8)
        _mm512_storeu_si512(out, _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 255, at, data, Scale));
    else
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), 255, at, data, Scale));
}
#endif

template <int Width, bool Zeros>
[[gnu::always_inline]] inline void near_elements(char* out, int64_t step, const char* data, const int64_t* offsets,
                                                 int64_t count) {
#pragma GCC unroll 4
    for (int64_t i = 0; i < count; ++i, out += step) move_fixed<Width>(out, source<Zeros>(data, offsets[i]));
}

template <int Width, bool Zeros>
[[gnu::always_inline]] inline void elements(char* out, int64_t step, const char* data, const int64_t* offsets,
                                            int64_t count) {
    int64_t i = 0;
#if defined(__AVX512BW__)
    if constexpr (!Zeros && (Width == 4 || Width == 8))
        if (step == Width)
            for (; i + 8 <= count; i += 8) load_eight<Width, 1>(out + i * Width, data, _mm512_loadu_si512(offsets + i));
#endif
    near_elements<Width, Zeros>(out + i * step, step, data, offsets + i, count - i);
}

// Elements that may lie in two lines have the second fetched, too.
template <int Width>
[[gnu::always_inline]] inline void fetch_element(const char* element, bool into_first) {
    prefetch_into(element, into_first);
    if (Width > 16 || (Width & (Width - 1)) != 0) prefetch_into(element + Width - 1, into_first);
}

// Far offsets within one pass: the next ones are fetched while these are used.
template <int Width, bool Zeros>
void gather_scattered(const GatherBlock& b) {
    const auto fetch = [into_first = b.into_first](const char* p) { fetch_element<Width>(p, into_first); };
    for (int64_t p = 0; p < b.passes; ++p) {
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * b.data_pass;
        prefetch_offsets<Zeros>(data, b.offsets, least(b.count, tune::kGatherAhead), fetch);
        for (int64_t i = 0; i < b.count; i += tune::kGatherAhead) {
            const int64_t rest = b.count - i, next = rest - tune::kGatherAhead;
            if (next > 0)
                prefetch_offsets<Zeros>(data, b.offsets + i + tune::kGatherAhead, least(next, tune::kGatherAhead),
                                        fetch);
            elements<Width, Zeros>(out + i * b.out_step, b.out_step, data, b.offsets + i,
                                   least(rest, tune::kGatherAhead));
        }
    }
}

// Near offsets: the data of the next pass is fetched meanwhile, by lines where most are needed. Single loads are faster
// than vectors of them.
template <int Width, bool Zeros>
void gather_near(const GatherBlock& b) {
    const int64_t lines = b.axis_bytes / 64;
    const bool fetches = b.fetched > 0, by_lines = lines > 0 && lines <= b.count;
    const auto fetch = [into_first = !b.far](const char* p) { prefetch_into(p, into_first); };
    for (int64_t p = 0; p < b.passes; ++p) {
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * b.data_pass;
        const char* next = data + b.data_pass;
        int64_t line = 0;
        for (int64_t i = 0; i < b.count;) {
            const int64_t count = least(b.count - i, tune::kGatherAhead), until = (i + count) * lines / b.count;
            if (fetches && by_lines)
                for (; line < until; ++line) fetch(next + line * 64);
            else if (fetches)
                prefetch_offsets<Zeros>(next, b.offsets + i, count, fetch);
            near_elements<Width, Zeros>(out + i * b.out_step, b.out_step, data, b.offsets + i, count);
            i += count;
        }
    }
}

// As many passes as a tile has rows, each the next element of the same runs: a tile of runs, transposed in registers.
template <int Width, bool Zeros, bool Stream, class Square>
void gather_tiles(char* out, int64_t out_pass, const char* data, const int64_t* offsets, int64_t count) {
    constexpr int64_t side = Square::columns;
    const auto line = [=](int64_t k) { return k * out_pass; };
    for (int64_t i = 0; i < count; i += side) {
        const auto run = [=](int64_t k) { return source<Zeros>(data, offsets[i + k]); };
        const int64_t part = least(count - i, side);
        for (int64_t k = 0; k < part; ++k) prefetch_far(run(k) + tune::kTransposeAhead);
        if (part == side)
            Square::template move<Stream>(out + i * Width, line, run);
        else
            Square::move_part(out + i * Width, line, run, part);
    }
}

// True if it was such a block: indices dense in the output, passes dense in the data, as in the gather of a matrix's
// rows that is written transposed.
template <int Width, bool Zeros, class Square = Tile<Width>>
bool gather_transposed(const GatherBlock& b) {
    constexpr int64_t side = Square::side;
    if (b.out_step != Width || b.data_pass != Width) return false;
    if (b.passes < side || b.count < Square::columns) {
        using Smaller = typename Square::Smaller;
        if constexpr (!std::is_void_v<Smaller>) return gather_transposed<Width, Zeros, Smaller>(b);
        return false;
    }
    const int64_t row_bytes = b.count * Width;
    const bool stream = b.stream && side * row_bytes <= tune::kTransposeStage;
    const bool direct = b.stream && streams_lines<Tile<Width>>(b.out, b.out_pass);
    alignas(64) char stage[tune::kTransposeStage];
    for (int64_t at = 0; at < b.passes; at += side) {
        const int64_t p = least(at, b.passes - side);  // the last tiles may do some passes again
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * Width;
        if (direct) {
            gather_tiles<Width, Zeros, true, Square>(out, b.out_pass, data, b.offsets, b.count);
            continue;
        }
        if (!stream) {
            gather_tiles<Width, Zeros, false, Square>(out, b.out_pass, data, b.offsets, b.count);
            continue;
        }
        gather_tiles<Width, Zeros, false, Square>(stage, row_bytes, data, b.offsets, b.count);
        for (int64_t k = 0; k < side; ++k) stream_run(out + k * b.out_pass, stage + k * row_bytes, row_bytes);
    }
    if (stream || direct) stream_fence();
    return true;
}

template <int Width, bool Zeros>
void gather_elements(const GatherBlock& b) {
    if (gather_transposed<Width, Zeros>(b)) return;
    if (!Zeros && b.axis_bytes > 0 && b.axis_bytes <= tune::kShortSourceRow && b.passes > 1) {
        if (!look_up_rows<Width>(b)) gather_short_rows<Width>(b);
        return;
    }
    if (b.scattered) return gather_scattered<Width, Zeros>(b);
    gather_near<Width, Zeros>(b);
}

// How many scattered runs are fetched ahead.
inline int64_t runs_ahead(const GatherBlock& b, bool stream) {
    const int64_t ahead = (stream ? b.streamed_ahead : tune::kRunBytesAhead) / b.bytes;
    return ahead < tune::kLeastRunsAhead ? tune::kLeastRunsAhead : least(ahead, tune::kMostRunsAhead);
}

// Calls f with the place of so many lines, one behind the other.
template <int Lines, class F>
[[gnu::always_inline]] inline void for_some_lines(int64_t at, F&& f) {
#pragma GCC unroll 8
    for (int k = 0; k < Lines; ++k) f(at + k * 64);
}

// The same of all lines that begin within so many bytes, eight at a time: while a core waits for one line it looks on
// over some hundred instructions, and the fewer of them a line takes, the more runs it finds. (f is to be inlined
// always: GCC drops a function that does nothing but fetch.)
template <class F>
[[gnu::always_inline]] inline void for_lines(int64_t bytes, F&& f) {
    int64_t at = 0;
    for (; at + 8 * 64 <= bytes; at += 8 * 64) for_some_lines<8>(at, f);
    if (at + 4 * 64 <= bytes) {
        for_some_lines<4>(at, f);
        at += 4 * 64;
    }
    for (; at < bytes; at += 64) f(at);
}

// All lines, also the last one of a run that does not begin with a line.
[[gnu::always_inline]] inline void fetch_run(const char* data, int64_t bytes, bool into_first) {
    for_lines(bytes, [=](int64_t k) __attribute__((always_inline)) { prefetch_into(data + k, into_first); });
    prefetch_into(data + bytes - 1, into_first);
}

// The runs of one pass that are long, and are streamed.
template <bool Zeros>
void move_long_runs(char* out, const char* data, const GatherBlock& b) {
    const int64_t* const end = b.offsets + b.count;
    StreamedRuns runs(out);
    for (const int64_t* offset = b.offsets; offset < end; ++offset, out += b.out_step) {
        runs.go_to(out);
        if (Zeros && *offset == kBadOffset) {
            runs.put_zeros(b.bytes);
            continue;
        }
        const bool is_next_known = offset + 1 < end && (!Zeros || offset[1] != kBadOffset);
        const Further<false> further(b.bytes, is_next_known ? offset[1] - *offset : 0);
        put_further(runs, data + *offset, b.bytes, further);
    }
    runs.finish();
}

// Bytes of the longest runs that are fetched as a whole.
constexpr int64_t kFetchedWhole = kVector > 16 ? 8192 : 128;

// A run that is whole lines, and goes to where one begins.
template <bool Zeros>
[[gnu::always_inline]] inline void stream_whole_run(char* out, const char* data, int64_t offset, int64_t bytes) {
    if (Zeros && offset == kBadOffset)
        for_lines(bytes, [=](int64_t k) __attribute__((always_inline)) { stream_line(out + k, kZeros); });
    else
        for_lines(bytes, [=](int64_t k) __attribute__((always_inline)) { stream_line(out + k, data + offset + k); });
}

// The runs of one pass, with those behind them on their way if they are scattered.
template <bool Zeros, bool Stream>
void move_runs(char* out, const char* data, const GatherBlock& b) {
    const int64_t *offsets = b.offsets, *const end = offsets + b.count;
    const int64_t bytes = b.bytes, step = b.out_step;
    // Of longer runs, only the beginning is fetched.
    const int64_t fetched = !b.scattered ? 0 : least(b.fetched, bytes > kFetchedWhole ? tune::kFetchedRunBytes : bytes);
    const int64_t* next = offsets;
    const auto fetch = [=, into_first = b.into_first](int64_t offset) __attribute__((always_inline)) {
        if (fetched > 0 && (!Zeros || offset != kBadOffset)) fetch_run(data + offset, fetched, into_first);
    };
    for (const int64_t* until = offsets + least(runs_ahead(b, Stream), b.count); next < until; ++next) fetch(*next);
    if (Stream && are_lines(out, step | bytes)) {
        for (; offsets < end; ++offsets, out += step) {
            if (next < end) fetch(*next++);
            stream_whole_run<Zeros>(out, data, *offsets, bytes);
        }
        return;
    }
    if (Stream && step == bytes) {
        StreamedRuns runs(out);
        for (; offsets < end; ++offsets) {
            if (next < end) fetch(*next++);
            if (Zeros && *offsets == kBadOffset)
                runs.put_zeros(bytes);
            else
                runs.put(data + *offsets, bytes);
        }
        return runs.finish();
    }
    const bool whole_lines = bytes % 64 == 0;
    for (; offsets < end; ++offsets, out += step) {
        if (next < end) fetch(*next++);
        if (Zeros && *offsets == kBadOffset)
            memset(out, 0, static_cast<size_t>(bytes));
        else if (Stream)
            stream_run(out, data + *offsets, bytes);
        else if (bytes > kShortRun)
            move_long(out, data + *offsets, bytes);
        else if (whole_lines)
            for_lines(bytes, [=, from = data + *offsets](int64_t k)
                                 __attribute__((always_inline)) { move_fixed<64>(out + k, from + k); });
        else
            move_run(out, data + *offsets, bytes);
    }
}

template <bool Zeros, bool Stream>
void gather_runs(const GatherBlock& b) {
    const bool are_long = Stream && b.scattered && b.bytes >= tune::kLongRun && b.fetched == b.bytes;
    for (int64_t p = 0; p < b.passes; ++p) {
        char* const out = b.out + p * b.out_pass;
        const char* const data = b.data + p * b.data_pass;
        are_long ? move_long_runs<Zeros>(out, data, b) : move_runs<Zeros, Stream>(out, data, b);
    }
    if (Stream) stream_fence();
}

template <int Width>
void gather_element_block(const GatherBlock& b) {
    b.any_bad ? gather_elements<Width, true>(b) : gather_elements<Width, false>(b);
}

void gather_run_block(const GatherBlock& b) {
    const bool stream = b.stream && b.bytes >= (b.out_step == b.bytes ? tune::kStreamFollowingRun : tune::kStreamRun);
    if (b.any_bad) return stream ? gather_runs<true, true>(b) : gather_runs<true, false>(b);
    stream ? gather_runs<false, true>(b) : gather_runs<false, false>(b);
}

// Near runs, each by move(out, data).
template <class Move>
[[gnu::always_inline]] inline void gather_near_runs(const GatherBlock& b, Move&& move) {
    if (b.any_bad || b.scattered || b.stream) return gather_run_block(b);
    const int64_t step = b.out_step;
    for (int64_t p = 0; p < b.passes; ++p) {
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * b.data_pass;
        const int64_t* offset = b.offsets;
        for (int64_t i = 0; i < b.count; ++i, out += step) move(out, data + offset[i]);
    }
}

template <int Part, int Parts>
void gather_in_parts(const GatherBlock& b) {
    gather_near_runs(b, [bytes = b.bytes](char* out, const char* data)
                            __attribute__((always_inline)) { move_in_parts<Part, Parts>(out, data, bytes); });
}

GatherKernel gather_for(int64_t bytes) {
    if (const auto kernel =
            for_element_width(bytes, [](auto width) -> GatherKernel { return gather_element_block<width.value>; }))
        return kernel;
    const auto kernel = for_few_parts(
        bytes, [](auto part, auto parts) -> GatherKernel { return gather_in_parts<part.value, parts.value>; });
    return kernel ? kernel : gather_run_block;
}

#if defined(__AVX512BW__)
// Elements of so many bytes from so many elements further on. Those of one or two bytes are parts of four, which lie
// within the table: `last` is where the last four bytes begin.
template <int Width>
[[gnu::always_inline]] inline void load_together(char* out, const char* data, __m512i at, int64_t last) {
    constexpr __mmask8 all = 255;
    if constexpr (Width >= 4) {
        load_eight<Width, Width>(out, data, at);
    } else {
        const __m512i offset = _mm512_maskz_slli_epi64(all, at, Width - 1);
        const __m512i from = _mm512_maskz_min_epi64(all, _mm512_and_si512(offset, _mm512_set1_epi64(~int64_t{3})),
                                                    _mm512_set1_epi64(last));
        const __m512i bits = _mm512_maskz_slli_epi64(all, _mm512_maskz_sub_epi64(all, offset, from), 3);
        const __m256i loaded = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), all, from, data, 1);
        const __m256i moved = _mm256_maskz_srlv_epi32(all, loaded, _mm512_maskz_cvtepi64_epi32(all, bits));
        if constexpr (Width == 2) _mm256_mask_cvtepi32_storeu_epi16(out, all, moved);
        if constexpr (Width == 1) _mm256_mask_cvtepi32_storeu_epi8(out, all, moved);
    }
}
#endif

// Elements that indices of a row name, and where they go. Loops have it by value: behind a reference the compiler would
// read it again after each store.
template <class Index, int Width, bool Dense>
struct Named {
    Named(const IndexRule& rule, const DirectBlock& b)
        : size(rule.size),
          added(rule.negative == Negative::from_end ? size : 0),
          stride(Dense ? Width : b.axis_stride),
          step(Dense ? 0 : b.row.read),
          out_step(Dense ? Width : b.row.written),
          index_step(Dense ? static_cast<int64_t>(sizeof(Index)) : b.row.index),
          count(b.row.count),
          into_first(b.into_first),
          indices(b.indices),
          data(b.data),
          out(b.out) {}

    [[gnu::always_inline]] void go_on(const IndexAxis& rows, int64_t count = 1) {
        indices += count * rows.index, data += count * rows.read, out += count * rows.written;
    }

    // Each index is read once: the atomic load keeps the compiler from reading it again. Plain ones count from the
    // beginning.
    template <bool Plain = false>
    [[gnu::always_inline]] int64_t place(int64_t i) const {
        const int64_t at = __atomic_load_n(reinterpret_cast<const Index*>(indices + i * index_step), __ATOMIC_RELAXED);
        return Plain ? at : at + ((at >> 63) & added);
    }

    // Fetches so many elements, whose indices are read for this alone, and not checked. Should one be bad, or another
    // thread change it before it is used, a line is fetched that nobody needs; to fetch is harmless, whatever the
    // place.
    [[gnu::always_inline]] void fetch(int64_t first) const {
        fetch_indices(first);
#pragma GCC unroll 8
        for (int64_t i = first; i < first + kTogether; ++i) {
            const uint64_t offset = static_cast<uint64_t>(place(i)) * static_cast<uint64_t>(stride);
            const uint64_t element = reinterpret_cast<uintptr_t>(data + i * step) + offset;
            fetch_element<Width>(reinterpret_cast<const char*>(element), into_first);
        }
    }
    [[gnu::always_inline]] void fetch_indices(int64_t first) const {
        prefetch_far(indices + first * index_step + tune::kPageAhead);
    }

    // Element i, whose index counts from `from`; false if that is bad, or not plain.
    template <bool Plain>
    [[gnu::always_inline]] bool move(int64_t i, const char* from) const {
        const int64_t at = place<Plain>(i);
        if (__builtin_expect(static_cast<uint64_t>(at) >= static_cast<uint64_t>(size), 0)) return false;
        move_fixed<Width>(out + i * out_step, from + at * stride);
        return true;
    }

    static constexpr int64_t kTogether = 8;

#if defined(__AVX512BW__)
    static constexpr bool kByVectors = Dense && Width <= 8 && (Width & (Width - 1)) == 0;

    // So many elements, loaded by a vector of indices; false, and none of them, if one is bad.
    [[gnu::always_inline]] bool move_together(int64_t first) const {
        typedef Index Values __attribute__((vector_size(kTogether * sizeof(Index))));
        typedef int64_t Places __attribute__((vector_size(64)));
        Values values;
        memcpy(&values, indices + first * index_step, sizeof(values));
        __asm__ volatile("" : "+v"(values));
        Places at = __builtin_convertvector(values, Places);
        at += (at < 0) & added;
        const __m512i checked = reinterpret_cast<__m512i>(at);
        if (_mm512_cmpge_epu64_mask(checked, _mm512_set1_epi64(size)) != 0) return false;
        load_together<Width>(out + first * Width, data, checked, size * Width - 4);
        return true;
    }
#else
    static constexpr bool kByVectors = false;
    bool move_together(int64_t) const { return false; }
#endif

    const int64_t size, added, stride, step, out_step, index_step, count;
    const bool into_first;
    const char* indices;
    const char* data;
    char* out;
};

// From one on to the last: how many are moved, or come before an index that is bad, or not plain.
template <bool Plain, class Index, int Width, bool Dense>
[[gnu::always_inline]] inline int64_t move_near(const Named<Index, Width, Dense> named, int64_t i) {
    constexpr int64_t part = named.kTogether;
    const char* from = named.data + i * named.step;
    for (; i + part <= named.count; i += part) {
        named.fetch_indices(i);
#pragma GCC unroll 8
        for (int64_t k = 0; k < part; ++k, from += named.step)
            if (!named.template move<Plain>(i + k, from)) return i + k;
    }
    for (; i < named.count; ++i, from += named.step)
        if (!named.template move<Plain>(i, from)) return i;
    return named.count;
}

// The same of places far from each other: elements are fetched long before they are moved. Those of the last few
// indices are left.
template <class Index, int Width, bool Dense>
[[gnu::always_inline]] inline int64_t move_ahead(const Named<Index, Width, Dense> named) {
    constexpr int64_t ahead = Width > 16 ? tune::kNamedRunsAhead : tune::kNamedAhead, part = named.kTogether;
    const bool by_vectors = named.kByVectors && named.size * Width >= 4;
    const int64_t count = named.count;
    for (int64_t i = 0; i < least(ahead, count - part + 1); i += part) named.fetch(i);
    const char* from = named.data;
    for (int64_t i = 0; i + part <= count; i += part) {
        if (i + ahead + part <= count) named.fetch(i + ahead);
        if (by_vectors) {
            if (!named.move_together(i)) return i;
            continue;
        }
#pragma GCC unroll 8
        for (int64_t k = 0; k < part; ++k, from += named.step)
            if (!named.template move<false>(i + k, from)) return i + k;
    }
    return count / part * part;
}

// Near places of rows, from an index of the first of them on: the same of all.
template <bool Plain, class Index, int Width, bool Dense>
[[gnu::always_inline]] inline int64_t move_rows(Named<Index, Width, Dense> named, const IndexAxis rows, int64_t first) {
    for (int64_t row = 0; row < rows.count; ++row, named.go_on(rows), first = 0) {
        const int64_t end = move_near<Plain>(named, first);
        if (end < named.count) return row * named.count + end;
    }
    return rows.count * named.count;
}

// Apart from the plain ones and those fetched ahead, which have all registers for themselves.
template <class Index, int Width, bool Dense>
[[gnu::noinline]] int64_t move_rest(const IndexRule& rule, const DirectBlock& b, int64_t done) {
    Named<Index, Width, Dense> named(rule, b);
    IndexAxis rows = b.rows;
    const int64_t before = done / named.count;
    named.go_on(rows, before);
    rows.count -= before;
    return before * named.count + move_rows<false>(named, rows, done - before * named.count);
}

template <class Index, int Width, bool Dense>
int64_t directly(const IndexRule& rule, const DirectBlock& b) {
    const Named<Index, Width, Dense> named(rule, b);
    const int64_t done = b.scattered ? move_ahead(named) : move_rows<true>(named, b.rows, 0);
    return done < b.rows.count * b.row.count ? move_rest<Index, Width, Dense>(rule, b, done) : done;
}

// The common case, a packed table and a packed result, is dense: it has no strides to multiply with.
DirectGatherKernel gather_directly_for(IndexType type, int64_t bytes, bool dense) {
    return for_index(type, [=]<class Index>(Index) -> DirectGatherKernel {
        if constexpr (is_direct<Index>)
            return for_width<1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64>(bytes, [=](auto width) -> DirectGatherKernel {
                return dense ? directly<Index, width.value, true> : directly<Index, width.value, false>;
            });
        else
            return nullptr;
    });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
