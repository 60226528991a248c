// Rows of elements a few apart, such as one channel of an image, and rows backwards: shuffles instead of single moves.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(WHERRY_SHUFFLES)

// Shuffles of 1 and 2 byte elements over more than 16 bytes need instructions that few machines have.
template <int Width>
constexpr int kStepBytes = Width <= 2 ? 16 : static_cast<int>(kVector);

#if defined(WHERRY_NEON)
template <int Width>
constexpr int kLeastStepBytes = 16;  // which its tables are made of
#else
template <int Width>
constexpr int kLeastStepBytes = Width == 1 ? 8 : 16;
#endif

template <int Width, int Bytes>
struct Lanes {
    static constexpr int count = Bytes / Width;
    using Lane = typename LaneOf<Width>::type;
    typedef Lane Row __attribute__((vector_size(Bytes)));
    typedef Lane RowAnywhere __attribute__((vector_size(Bytes), aligned(1), may_alias));
    using All = typename Count_<count>::type;

    [[gnu::always_inline]] static inline Row load(const char* src) {
        return *reinterpret_cast<const RowAnywhere*>(src);
    }
    [[gnu::always_inline]] static inline void store(char* dst, const Row& row) {
        *reinterpret_cast<RowAnywhere*>(dst) = row;
    }
    // Stream: around the cache, where there is an instruction for that.
    template <bool Stream>
    [[gnu::always_inline]] static inline void put(char* dst, const Row& row) {
        if constexpr (Stream)
            stream_vector(dst, row);
        else
            store(dst, row);
    }
};

// Every Step-th element of Step vectors as one vector. Lanes that the second vector of a pair has count on from there.
template <int Width, int Step, int Bytes = kStepBytes<Width>>
struct Pick : Lanes<Width, Bytes> {
    using Base = Lanes<Width, Bytes>;
    using typename Base::Row;
    static constexpr int lanes = Base::count;

    static constexpr int of_pair(int lane, int first) {
        const int at = lane * Step - first * lanes;
        return at < 0 || at >= 2 * lanes ? -1 : at;
    }
#if defined(WHERRY_NEON)
    // Three vectors, or four, are one table, of which an instruction takes any bytes.
    template <int... I>
    [[gnu::always_inline]] static inline Row looked_up(const char* src, Numbers<I...>) {
        const uint8_t* bytes = reinterpret_cast<const uint8_t*>(src);
        const uint8x16_t from{(I / Width * Width * Step + I % Width)...};
        if constexpr (Step == 3)
            return reinterpret_cast<Row>(vqtbl3q_u8(vld1q_u8_x3(bytes), from));
        else
            return reinterpret_cast<Row>(vqtbl4q_u8(vld1q_u8_x4(bytes), from));
    }
#endif
    template <int... I>
    [[gnu::always_inline]] static inline Row shuffle(const char* src, Numbers<I...>) {
#if defined(WHERRY_NEON)
        if constexpr (Step > 2) return looked_up(src, typename Count_<16>::type{});
#endif
        const Row low = __builtin_shufflevector(Base::load(src), Base::load(src + Bytes), of_pair(I, 0)...);
        if constexpr (Step == 2) {
            return low;
        } else {
            const Row high = __builtin_shufflevector(Base::load(src + 2 * Bytes), Base::load(src + (Step - 1) * Bytes),
                                                     of_pair(I, 2)...);
            return __builtin_shufflevector(low, high, (I * Step < 2 * lanes ? I : lanes + I)...);
        }
    }
    // Returns how many are done, all but one where some vector fits and they need not be whole; what is read never goes
    // beyond the last element.
    template <bool Stream>
    static int64_t move(char* dst, const char* src, int64_t count) {
        int64_t at = 0;
        for (; at + lanes < count; at += lanes)
            Base::template put<Stream>(dst + at * Width, shuffle(src + at * Step * Width, typename Base::All{}));
        // Of 8 bytes single moves are as fast.
        if (Stream || Width == 8) return at;
        if (const int64_t last = count - 1 - lanes; last >= 0) {
            Base::store(dst + last * Width, shuffle(src + last * Step * Width, typename Base::All{}));
            return count - 1;
        }
        if constexpr (Bytes > kLeastStepBytes<Width>)
            return Pick<Width, Step, kLeastStepBytes<Width>>::template move<false>(dst, src, count);
        return at;
    }
};

template <int Width, int Bytes = static_cast<int>(kVector)>
struct Backwards : Lanes<Width, Bytes> {
    using Base = Lanes<Width, Bytes>;
    using typename Base::Row;
    static constexpr int lanes = Base::count;

    template <int... I>
    [[gnu::always_inline]] static inline Row turned(const Row& row, Numbers<I...>) {
        return __builtin_shufflevector(row, row, (lanes - 1 - I)...);
    }
    // Those from `at` on.
    [[gnu::always_inline]] static inline Row vector(const char* src, int64_t at) {
        return turned(Base::load(src - (at + lanes - 1) * Width), typename Base::All{});
    }
    // Returns how many are done, all where some vector fits and they need not be whole.
    template <bool Stream>
    static int64_t move(char* dst, const char* src, int64_t count) {
        int64_t at = 0;
        for (; at + lanes <= count; at += lanes) Base::template put<Stream>(dst + at * Width, vector(src, at));
        if (Stream) return at;
        if (const int64_t last = count - lanes; last >= 0) {
            Base::store(dst + last * Width, vector(src, last));
            return count;
        }
        if constexpr (Bytes > 8 && Bytes > 2 * Width)
            return Backwards<Width, Bytes / 2>::template move<false>(dst, src, count);
        return at;
    }
};

// The first elements of a dense row from elements `step` apart; returns how many, 0 where there is no short way.
template <int Width, bool Stream = false>
[[gnu::always_inline]] inline int64_t pick_row(char* dst, const char* src, int64_t step, int64_t count) {
    switch (step) {
        case -1: return Backwards<Width>::template move<Stream>(dst, src, count);
        case 2: return Pick<Width, 2>::template move<Stream>(dst, src, count);
        default: break;
    }
    // Of 8 bytes single moves are faster, but for what leaves by vectors.
    if constexpr (Width < 8 || Stream) {
        if (step == 3) return Pick<Width, 3>::template move<Stream>(dst, src, count);
        if (step == 4) return Pick<Width, 4>::template move<Stream>(dst, src, count);
    }
    return 0;
}

#if defined(__AVX512BW__)

// The elements of one vector to every Step-th place of Step vectors; what lies between is not touched.
template <int Width, int Step>
struct Spread : Lanes<Width, 16> {
    using Base = Lanes<Width, 16>;
    using typename Base::Row;
    static constexpr int lanes = Base::count;

    static constexpr int from(int vector, int lane) {
        const int at = vector * lanes + lane;
        return at % Step ? -1 : at / Step;
    }
    template <int Vector, int... I>
    [[gnu::always_inline]] static inline void store_part(char* dst, const Row& row, Numbers<I...>) {
        constexpr uint64_t bits = Width == 8 ? 255 : (uint64_t{1} << Width) - 1;
        constexpr uint64_t mask = ((from(Vector, I) < 0 ? 0 : bits << (I * Width)) | ...);
        const Row spread = __builtin_shufflevector(row, row, from(Vector, I)...);
        _mm_mask_storeu_epi8(dst + Vector * 16, static_cast<__mmask16>(mask), reinterpret_cast<__m128i>(spread));
    }
    template <int... Vector>
    [[gnu::always_inline]] static inline void store_all(char* dst, const Row& row, Numbers<Vector...>) {
        (store_part<Vector>(dst, row, typename Base::All{}), ...);
    }
    static int64_t move(char* dst, const char* src, int64_t count) {
        int64_t at = 0;
        for (; at + lanes <= count; at += lanes)
            store_all(dst + at * Step * Width, Base::load(src + at * Width), typename Count_<Step>::type{});
        return at;
    }
};

// A dense row to the first of elements `step` apart; returns how many.
template <int Width>
[[gnu::always_inline]] inline int64_t spread_row(char* dst, const char* src, int64_t step, int64_t count) {
    if constexpr (Width <= 2) {
        switch (step) {
            case 2: return Spread<Width, 2>::move(dst, src, count);
            case 3: return Spread<Width, 3>::move(dst, src, count);
            case 4: return Spread<Width, 4>::move(dst, src, count);
            default: break;
        }
    }
    return 0;
}

#else

template <int Width>
inline int64_t spread_row(char*, const char*, int64_t, int64_t) {
    return 0;
}

#endif

#else

template <int Width, bool Stream = false>
inline int64_t pick_row(char*, const char*, int64_t, int64_t) {
    return 0;
}
template <int Width>
inline int64_t spread_row(char*, const char*, int64_t, int64_t) {
    return 0;
}

#endif

// One row of elements from any step to any step.
template <int Width>
void move_row(char* dst, int64_t dst_step, const char* src, int64_t src_step, int64_t count) {
    int64_t at = 0;
    if constexpr (Width <= 8) {
        if (dst_step == Width && src_step % Width == 0) at = pick_row<Width>(dst, src, src_step / Width, count);
        if (src_step == Width && dst_step % Width == 0) at = spread_row<Width>(dst, src, dst_step / Width, count);
    }
    for (; at < count; ++at) move_fixed<Width>(dst + at * dst_step, src + at * src_step);
}

// Whole lines of a dense row, which begins with one; returns how many elements they hold.
template <int Width>
[[gnu::always_inline]] inline int64_t stream_lines(char* dst, const char* src, int64_t src_step, int64_t count) {
    if constexpr (Width <= 8 && kStreamsVectors) {
        constexpr int64_t line = 64 / Width;
        if (src_step % Width == 0)
            return pick_row<Width, true>(dst, src, src_step / Width, (count - 1) / line * line + 1);
    }
    return 0;
}

// A dense row of a large destination is put together in the cache, and streamed.
template <int Width>
void stage_row(StreamedRuns& runs, const char* src, int64_t src_step, int64_t count) {
    alignas(64) char stage[tune::kRowStageBytes];
    constexpr int64_t piece = tune::kRowStageBytes / Width;
    for (int64_t at = 0; at < count; at += piece) {
        const int64_t part = least(piece, count - at);
        move_row<Width>(stage, Width, src + at * src_step, src_step, part);
        runs.put(stage, part * Width);
    }
}

// A dense row of a large destination: its whole lines as they are picked.
template <int Width>
void stream_row(StreamedRuns& runs, const char* src, int64_t src_step, int64_t count) {
    const int64_t to_line = runs.bytes_to_line();
    if (to_line % Width == 0 && count > to_line / Width) {
        const int64_t head = to_line / Width;
        stage_row<Width>(runs, src, src_step, head);
        src += head * src_step, count -= head;
        const int64_t whole =
            runs.put_lines([&](char* dst) { return stream_lines<Width>(dst, src, src_step, count) * Width; }) / Width;
        src += whole * src_step, count -= whole;
    }
    stage_row<Width>(runs, src, src_step, count);
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
