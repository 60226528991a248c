// Square tiles of 1, 2, 4, 8 and 16 byte elements, transposed in registers.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <int Width>
struct LaneOf;
// clang-format off
template <> struct LaneOf<1> { using type = int8_t; };
template <> struct LaneOf<2> { using type = int16_t; };
template <> struct LaneOf<4> { using type = int32_t; };
template <> struct LaneOf<8> { using type = int64_t; };
// clang-format on

// Numbers for the shuffles: 0..Side-1.
template <int... I>
struct Numbers {};
template <int Count, int... I>
struct Count_ : Count_<Count - 1, Count - 1, I...> {};
template <int... I>
struct Count_<0, I...> {
    using type = Numbers<I...>;
};

// A tile has as many rows as elements in a row; a row is one vector. Wider ones would need more registers
// than there are.
template <int Width>
struct Tile {
#if defined(__AVX512BW__)
    static constexpr int bytes = Width == 1 ? 16 : 64;
#elif defined(__AVX2__)
    static constexpr int bytes = Width <= 2 ? 16 : 32;
#else
    static constexpr int bytes = 16;
#endif
    static constexpr int side = bytes / Width;
    using Lane = typename LaneOf<Width>::type;
    typedef Lane Row __attribute__((vector_size(bytes), aligned(1), may_alias));

    // Interleaves two rows: the lower halves give one row, the upper halves the other.
    template <int... I>
    [[gnu::always_inline]] static inline void interleave(const Row& a, const Row& b, Row& low, Row& high,
                                                         Numbers<I...>) {
        low = __builtin_shufflevector(a, b, (I / 2 + I % 2 * side)...);
        high = __builtin_shufflevector(a, b, (side / 2 + I / 2 + I % 2 * side)...);
    }

    // log2(side) times the same perfect shuffle is a transpose.
    [[gnu::always_inline]] static inline void transpose(Row (&rows)[side]) {
        using All = typename Count_<side>::type;
        Row other[side];
#pragma GCC unroll 8
        for (int step = 1; step < side; step *= 2) {
#pragma GCC unroll 32
            for (int i = 0; i < side / 2; ++i)
                interleave(rows[i], rows[i + side / 2], other[2 * i], other[2 * i + 1], All{});
#pragma GCC unroll 32
            for (int i = 0; i < side; ++i) rows[i] = other[i];
        }
    }

    template <bool Stream>
    [[gnu::always_inline]] static inline void store(char* dst, const Row& row) {
#if defined(__AVX512BW__)
        if constexpr (Stream && bytes == 64) {
            _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), reinterpret_cast<__m512i>(row));
            return;
        }
#endif
        *reinterpret_cast<Row*>(dst) = row;
    }

    [[gnu::always_inline]] static inline void store_part(char* dst, const Row& row, int64_t part) {
#if defined(__AVX512BW__)
        if constexpr (bytes == 64) {
            _mm512_mask_storeu_epi8(dst, ~uint64_t{0} >> (64 - part), reinterpret_cast<__m512i>(row));
            return;
        }
#endif
        char whole[bytes];
        *reinterpret_cast<Row*>(whole) = row;
        move_run(dst, whole, part);
    }

    template <bool Stream>
    [[gnu::always_inline]] static inline void move(char* dst, int64_t dst_row, const char* src, int64_t src_column) {
        Row rows[side];
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) rows[i] = *reinterpret_cast<const Row*>(src + i * src_column);
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store<Stream>(dst + i * dst_row, rows[i]);
    }

    // Fewer columns than a tile has.
    static void move_part(char* dst, int64_t dst_row, const char* src, int64_t src_column, int64_t columns) {
        Row rows[side] = {};
        for (int64_t i = 0; i < columns; ++i) rows[i] = *reinterpret_cast<const Row*>(src + i * src_column);
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store_part(dst + i * dst_row, rows[i], columns * Width);
    }
};

// How far ahead the source is fetched: it is read in many thin streams, which the hardware loses.
constexpr int64_t kTransposeAhead = 256;

// One column of tiles, along the axis that is dense in src; the last tile may do some rows again.
template <int Width, bool Stream>
void transpose_strip(const CopyBlock& b, int64_t from, int64_t columns) {
    constexpr int64_t side = Tile<Width>::side;
    char* dst = b.dst + from * Width;
    for (int64_t at = 0; at < b.rows; at += side) {
        const int64_t i = least(at, b.rows - side);
        const char* src = b.src + from * b.src_column + i * Width;
        for (int64_t k = 0; k < columns; ++k) prefetch(src + k * b.src_column + kTransposeAhead);
        if (columns == side)
            Tile<Width>::template move<Stream>(dst + i * b.dst_row, b.dst_row, src, b.src_column);
        else
            Tile<Width>::move_part(dst + i * b.dst_row, b.dst_row, src, b.src_column, columns);
    }
}

// True if it was a block that tiles can move: dst dense along its columns, src along its rows.
// 4096 x 4096 floats in 2.9 instead of 15 ms, NCHW to NHWC in 0.9 instead of 5.8.
template <int Width>
bool transpose_block(const CopyBlock& b) {
    constexpr int64_t side = Tile<Width>::side;
    if (b.dst_column != Width || b.src_row != Width || b.rows < side) return false;
    // Whole lines of dst are streamed; the columns before the first of them come first.
    const int64_t before = -reinterpret_cast<intptr_t>(b.dst) & 63;
    const bool stream = b.stream && Tile<Width>::bytes == 64 && b.dst_row % 64 == 0 && before % Width == 0;
    int64_t column = 0;
    if (stream && before > 0) {
        column = least(before / Width, b.columns);
        transpose_strip<Width, false>(b, 0, column);
    }
    for (; column + side <= b.columns; column += side) {
        if (stream)
            transpose_strip<Width, true>(b, column, side);
        else
            transpose_strip<Width, false>(b, column, side);
    }
    if (column < b.columns) transpose_strip<Width, false>(b, column, b.columns - column);
    if (stream) stream_fence();
    return true;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
