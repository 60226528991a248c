// Two to four interleaved channels to planes and back, as in HWC and CHW images: shuffles of 16 bytes, or loads and
// stores that part and join them.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(WHERRY_SHUFFLES)

// Wider vectors where two of them can be shuffled by one instruction.
#if defined(__AVX512VBMI__)
template <int Width>
constexpr int kChannelBytes = 64;
#elif defined(__AVX512BW__)
template <int Width>
constexpr int kChannelBytes = Width == 1 ? 16 : 64;
#else
template <int Width>
constexpr int kChannelBytes = 16;
#endif

#if defined(WHERRY_NEON)

// Instructions that part channels as they load, or join them as they store: one for each width and number of channels.
#define WHERRY_CHANNELS(bits, lanes, count)                                                                        \
    [[gnu::always_inline]] inline auto load_parted(const uint##bits##_t* src, Known<count>) {                      \
        return vld##count##q_u##bits(src);                                                                         \
    }                                                                                                              \
    [[gnu::always_inline]] inline void store_joined(uint##bits##_t* dst, uint##bits##x##lanes##x##count##_t all) { \
        vst##count##q_u##bits(dst, all);                                                                           \
    }
#define WHERRY_CHANNELS_OF(bits, lanes) \
    WHERRY_CHANNELS(bits, lanes, 2) WHERRY_CHANNELS(bits, lanes, 3) WHERRY_CHANNELS(bits, lanes, 4)
WHERRY_CHANNELS_OF(8, 16)
WHERRY_CHANNELS_OF(16, 8)
WHERRY_CHANNELS_OF(32, 4)
WHERRY_CHANNELS_OF(64, 2)

#endif

// One step reads Channels vectors and writes Channels vectors.
template <int Width, int Channels, bool Join, int bytes = kChannelBytes<Width>>
struct Channel {
    static constexpr int lanes = bytes / Width;
    static constexpr int64_t step = lanes;  // positions of all channels
    using Lane = typename LaneOf<Width>::type;
    typedef Lane Row __attribute__((vector_size(bytes)));
    typedef Lane RowAnywhere __attribute__((vector_size(bytes), aligned(1), may_alias));

    // Where lane `lane` of written vector `k` comes from: the number of the read vector, and its lane.
    static constexpr int vector_of(int k, int lane) {
        return Join ? (k * lanes + lane) % Channels : (lane * Channels + k) / lanes;
    }
    static constexpr int lane_of(int k, int lane) {
        return Join ? (k * lanes + lane) / Channels : (lane * Channels + k) % lanes;
    }
    // Of the pair of vectors that begins with `first`; -1: whatever there is.
    static constexpr int in_pair(int k, int lane, int first) {
        const int v = vector_of(k, lane) - first;
        return v < 0 || v > 1 ? -1 : v * lanes + lane_of(k, lane);
    }

    template <int K, int... I>
    [[gnu::always_inline]] static inline Row shuffle(const Row* in, Numbers<I...>) {
        const Row low = __builtin_shufflevector(in[0], in[1], in_pair(K, I, 0)...);
        if constexpr (Channels == 2) {
            return low;
        } else {
            const Row high = __builtin_shufflevector(in[2], in[Channels - 1], in_pair(K, I, 2)...);
            return __builtin_shufflevector(low, high, (vector_of(K, I) < 2 ? I : lanes + I)...);
        }
    }

    template <bool Stream>
    [[gnu::always_inline]] static inline void store(char* dst, Row row) {
#if defined(__AVX512BW__)
        if constexpr (Stream) {
            _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), reinterpret_cast<__m512i>(row));
            return;
        }
#endif
        *reinterpret_cast<RowAnywhere*>(dst) = row;
    }

#if defined(WHERRY_NEON)
    template <bool, int... K>
    [[gnu::always_inline]] static inline void move_all(char* const* dst, const char* const* src, Numbers<K...>) {
        using Word = UnsignedOf<Width>;
        if constexpr (Join) {
            decltype(load_parted(static_cast<const Word*>(nullptr), Known<Channels>{})) all;
            (__builtin_memcpy(&all.val[K], src[K], bytes), ...);
            store_joined(reinterpret_cast<Word*>(dst[0]), all);
        } else {
            const auto all = load_parted(reinterpret_cast<const Word*>(src[0]), Known<Channels>{});
            (__builtin_memcpy(dst[K], &all.val[K], bytes), ...);
        }
    }
#else
    template <bool Stream, int... K>
    [[gnu::always_inline]] static inline void move_all(char* const* dst, const char* const* src, Numbers<K...>) {
        const Row in[Channels] = {*reinterpret_cast<const RowAnywhere*>(src[K])...};
        (store<Stream>(dst[K], shuffle<K>(in, typename Count_<lanes>::type{})), ...);
    }
#endif

    // All of `count` positions. `packed` is where the channels lie together, planes[k] where channel k lies by itself.
    template <bool Stream = false>
    static void move(char* packed, char* const* planes, int64_t count) {
        if constexpr (bytes > 16)
            if (count < step) return Channel<Width, Channels, Join, 16>::move(packed, planes, count);
        int64_t at = 0;
        for (; at + step <= count; at += step) move_step<Stream>(packed, planes, at);
        if (at > 0 && at + 1 < count) return move_step<false>(packed, planes, count - step);  // some of them once more
        for (; at < count; ++at) move_one(packed, planes, at);
    }

    // The same around the cache: vectors that are lines leave as they are, others are put together before.
    static void stream(char* packed, char* const* planes, int64_t count) {
        if constexpr (bytes == 64) {
            intptr_t beside = Join ? reinterpret_cast<intptr_t>(packed) : 0;
            for (int k = 0; !Join && k < Channels; ++k) beside |= reinterpret_cast<intptr_t>(planes[k]);
            if (beside % 64 == 0) return move<true>(packed, planes, count);
        }
        Join ? stream_joined(packed, planes, count) : stream_split(packed, planes, count);
    }

private:
    template <bool Stream>
    [[gnu::always_inline]] static inline void move_step(char* packed, char* const* planes, int64_t at) {
        char* one[Channels];
        char* other[Channels];
        for (int k = 0; k < Channels; ++k) {
            one[k] = packed + at * Channels * Width + k * bytes;
            other[k] = planes[k] + at * Width;
        }
        move_all<Stream>(Join ? one : other, Join ? other : one, typename Count_<Channels>::type{});
    }

    [[gnu::always_inline]] static inline void move_one(char* packed, char* const* planes, int64_t at) {
        for (int k = 0; k < Channels; ++k) {
            char* one = packed + (at * Channels + k) * Width;
            char* other = planes[k] + at * Width;
            move_fixed<Width>(Join ? one : other, Join ? other : one);
        }
    }

    static constexpr int64_t part_bytes = tune::kTurnBytes / Channels / 64 * 64;  // of one channel
    static constexpr int64_t part = part_bytes / Width;

    static void stream_joined(char* packed, char* const* planes, int64_t count) {
        alignas(64) char stage[Channels * part_bytes];
        StreamedRuns run(packed);
        for (int64_t at = 0; at < count; at += part) {
            const int64_t positions = least(part, count - at);
            char* from[Channels];
            for (int k = 0; k < Channels; ++k) from[k] = planes[k] + at * Width;
            move(stage, from, positions);
            run.put(stage, positions * Channels * Width);
        }
        run.finish();
    }

    static void stream_split(char* packed, char* const* planes, int64_t count) {
        alignas(64) char stage[Channels][part_bytes];
        StreamedRuns runs[Channels];
        char* to[Channels];
        for (int k = 0; k < Channels; ++k) runs[k] = StreamedRuns(planes[k]), to[k] = stage[k];
        for (int64_t at = 0; at < count; at += part) {
            const int64_t positions = least(part, count - at);
            move(packed + at * Channels * Width, to, positions);
            for (int k = 0; k < Channels; ++k) runs[k].put(stage[k], positions * Width);
        }
        for (int k = 0; k < Channels; ++k) runs[k].finish();
    }
};

// True if it was such a block.
template <int Width, int Channels>
bool channels_block(const CopyBlock& b) {
    char* planes[Channels];
    if (b.rows == Channels && b.dst_column == Width && b.src_row == Width && b.src_column == Channels * Width) {
        for (int k = 0; k < Channels; ++k) planes[k] = b.dst + k * b.dst_row;
        const auto move =
            b.stream ? Channel<Width, Channels, false>::stream : Channel<Width, Channels, false>::template move<false>;
        move(const_cast<char*>(b.src), planes, b.columns);
        return true;
    }
    if (b.columns == Channels && b.dst_column == Width && b.src_row == Width && b.dst_row == Channels * Width) {
        for (int k = 0; k < Channels; ++k) planes[k] = const_cast<char*>(b.src) + k * b.src_column;
        const auto move =
            b.stream ? Channel<Width, Channels, true>::stream : Channel<Width, Channels, true>::template move<false>;
        move(b.dst, planes, b.rows);
        return true;
    }
    return false;
}

template <int Width>
bool channels_block(const CopyBlock& b) {
    if constexpr (Width > 8)
        return false;
    else
        return channels_block<Width, 2>(b) || channels_block<Width, 3>(b) || channels_block<Width, 4>(b);
}

template <int Width, int Channels, bool Join>
void move_planes(const PlanesBlock& b) {
    using Move = Channel<Width, Channels, Join>;
    b.stream ? Move::stream(b.packed, b.planes, b.count) : Move::move(b.packed, b.planes, b.count);
}

#else

template <int Width>
bool channels_block(const CopyBlock&) {
    return false;
}

template <int Width, int Channels, bool Join>
void move_planes(const PlanesBlock& b) {
    for (int k = 0; k < Channels; ++k) {
        char* one = b.packed + k * Width;
        char* other = b.planes[k];
        for (int64_t at = 0; at < b.count; ++at, one += Channels * Width, other += Width)
            move_fixed<Width>(Join ? one : other, Join ? other : one);
    }
}

#endif

PlanesKernel planes_for(int64_t width, int64_t channels, bool join) {
    return for_width<1, 2, 4, 8>(width, [=](auto bytes) {
        return for_width<2, 3, 4>(channels, [=](auto count) -> PlanesKernel {
            return join ? move_planes<bytes.value, count.value, true> : move_planes<bytes.value, count.value, false>;
        });
    });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
