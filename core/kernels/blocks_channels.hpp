// Two to four interleaved channels to planes and back, as in HWC and CHW images: shuffles of 16 bytes.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__SSSE3__) || defined(__aarch64__)

// One step reads Channels vectors and writes Channels vectors.
template <int Width, int Channels, bool Join>
struct Channel {
    static constexpr int lanes = 16 / Width;
    static constexpr int64_t step = lanes;  // positions of all channels
    using Lane = typename LaneOf<Width>::type;
    typedef Lane Row __attribute__((vector_size(16), aligned(1), may_alias));

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

    template <int... K>
    [[gnu::always_inline]] static inline void move_all(char* const* dst, const char* const* src, Numbers<K...>) {
        const Row in[Channels] = {*reinterpret_cast<const Row*>(src[K])...};
        ((*reinterpret_cast<Row*>(dst[K]) = shuffle<K>(in, typename Count_<lanes>::type{})), ...);
    }

    // Whole steps of `count` positions; returns how many positions are done.
    static int64_t move(char* dst, int64_t dst_plane, const char* src, int64_t src_plane, int64_t count) {
        int64_t at = 0;
        for (; at + step <= count; at += step) {
            char* to[Channels];
            const char* from[Channels];
            for (int k = 0; k < Channels; ++k) {
                to[k] = dst + (Join ? at * Channels * Width + k * 16 : at * Width + k * dst_plane);
                from[k] = src + (Join ? at * Width + k * src_plane : at * Channels * Width + k * 16);
            }
            move_all(to, from, typename Count_<Channels>::type{});
        }
        return at;
    }
};

// True if it was such a block. 50 MB of RGB bytes to planes in 2 instead of 13 ms.
template <int Width, int Channels>
bool channels_block(const CopyBlock& b) {
    if (b.rows == Channels && b.dst_column == Width && b.src_row == Width && b.src_column == Channels * Width) {
        const int64_t done = Channel<Width, Channels, false>::move(b.dst, b.dst_row, b.src, 0, b.columns);
        for (int64_t i = 0; i < Channels; ++i)
            for (int64_t j = done; j < b.columns; ++j)
                move_fixed<Width>(b.dst + i * b.dst_row + j * Width, b.src + i * Width + j * b.src_column);
        return true;
    }
    if (b.columns == Channels && b.dst_column == Width && b.src_row == Width && b.dst_row == Channels * Width) {
        const int64_t done = Channel<Width, Channels, true>::move(b.dst, 0, b.src, b.src_column, b.rows);
        for (int64_t i = done; i < b.rows; ++i)
            for (int64_t j = 0; j < Channels; ++j)
                move_fixed<Width>(b.dst + i * b.dst_row + j * Width, b.src + i * Width + j * b.src_column);
        return true;
    }
    return false;
}

template <int Width>
bool channels_block(const CopyBlock& b) {
    if constexpr (Width > 4)
        return false;
    else
        return channels_block<Width, 2>(b) || channels_block<Width, 3>(b) || channels_block<Width, 4>(b);
}

#else

template <int Width>
bool channels_block(const CopyBlock&) {
    return false;
}

#endif

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
