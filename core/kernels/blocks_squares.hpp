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
template <> struct LaneOf<16> { using type = int64_t; };  // no shuffle needs to know
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

// The bytes in a row of a tile, which has as many rows as elements in each. Wider ones would need more registers than
// there are. Where lines are no vectors: the bytes in a column, which has several squares.
constexpr int tile_bytes([[maybe_unused]] int width) {
#if defined(__AVX512BW__)
    return width == 1 ? 16 : 64;
#elif defined(__AVX2__) || defined(WHERRY_NEON)
    return width == 16 ? 16 : 64;
#else
    return 16;
#endif
}

// So many elements of 16 bytes from each column, one by one.
template <int Side, class Line, class Column>
[[gnu::always_inline]] inline void move_each(char* dst, Line&& line, Column&& column, int64_t columns) {
    for (int64_t j = 0; j < columns; ++j)
        for (int i = 0; i < Side; ++i) move_fixed<16>(dst + line(i) + j * 16, column(j) + i * 16);
}

// A row is one vector.
template <int Width, int Bytes = tile_bytes(Width)>
struct Tile {
    static constexpr int bytes = Bytes;
    static constexpr int side = bytes / Width, columns = side;
    using Lane = typename LaneOf<Width>::type;
    // In registers and on the stack; and at any address, where it is only read and written: clang forgets that
    // alignment behind pointers and references that are handed on.
    typedef Lane Row __attribute__((vector_size(bytes)));
    typedef Lane RowAnywhere __attribute__((vector_size(bytes), aligned(1), may_alias));

    // A row is so many parts of 16 bytes, in which the processor shuffles faster than across them.
    static constexpr int parts = bytes / 16, side_of_part = side / parts;

    // Interleaves the lower (or upper) halves of all parts of two rows.
    template <int Upper, int... I>
    [[gnu::always_inline]] static inline Row interleave(const Row& a, const Row& b, Numbers<I...>) {
        constexpr int half = side_of_part / 2;
        return __builtin_shufflevector(
            a, b, (I / side_of_part * side_of_part + Upper * half + I % side_of_part / 2 + I % 2 * side)...);
    }

    // The same rows by elements of 8 bytes, of which each part has two: so the compiler finds the shuffle of parts.
    static constexpr int words = bytes / 8;
    typedef int64_t Words __attribute__((vector_size(bytes)));

    // The first (or second) halves of two rows.
    template <int Second, int... I>
    [[gnu::always_inline]] static inline Words halves(const Words& a, const Words& b, Numbers<I...>) {
        return __builtin_shufflevector(a, b, (I + (Second + I * 2 / words) * (words / 2))...);
    }

    // The even (or odd) parts of two rows.
    template <int Odd, int... I>
    [[gnu::always_inline]] static inline Row every_second(const Words& a, const Words& b, Numbers<I...>) {
        return reinterpret_cast<Row>(__builtin_shufflevector(a, b, (I / 2 * 4 + Odd * 2 + I % 2)...));
    }

    // Square parts, each in its place: log2(side_of_part) times the same perfect shuffle is a transpose.
    [[gnu::always_inline]] static inline void transpose_parts(Row* rows) {
        using All = typename Count_<side>::type;
        Row other[side_of_part];
#pragma GCC unroll 8
        for (int step = 1; step < side_of_part; step *= 2) {
#pragma GCC unroll 16
            for (int i = 0; i < side_of_part / 2; ++i) {
                other[2 * i] = interleave<0>(rows[i], rows[i + side_of_part / 2], All{});
                other[2 * i + 1] = interleave<1>(rows[i], rows[i + side_of_part / 2], All{});
            }
#pragma GCC unroll 16
            for (int i = 0; i < side_of_part; ++i) rows[i] = other[i];
        }
    }

    // Almost twice as fast as shuffles of whole rows.
    [[gnu::always_inline]] static inline void transpose(Row (&rows)[side]) {
        using All = typename Count_<words>::type;
        constexpr int next = side_of_part;
#pragma GCC unroll 4
        for (int part = 0; part < parts; ++part)
            if constexpr (next > 1) transpose_parts(rows + part * next);
        if constexpr (parts == 1) return;
#pragma GCC unroll 16
        for (int i = 0; i < next; ++i) {
            Words a = reinterpret_cast<Words>(rows[i]), b = reinterpret_cast<Words>(rows[i + next]);
            if constexpr (parts == 4) {
                const Words c = reinterpret_cast<Words>(rows[i + 2 * next]),
                            d = reinterpret_cast<Words>(rows[i + 3 * next]);
                const Words e = halves<1>(a, b, All{}), f = halves<1>(c, d, All{});
                rows[i + 2 * next] = every_second<0>(e, f, All{});
                rows[i + 3 * next] = every_second<1>(e, f, All{});
                a = halves<0>(a, b, All{}), b = halves<0>(c, d, All{});
            }
            rows[i] = every_second<0>(a, b, All{});
            rows[i + next] = every_second<1>(a, b, All{});
        }
    }

    [[gnu::always_inline]] static inline void store_part(char* dst, const Row& row, int64_t part) {
#if defined(__AVX512BW__)
        if constexpr (bytes == 64) {
            _mm512_mask_storeu_epi8(dst, ~uint64_t{0} >> (64 - part), reinterpret_cast<__m512i>(row));
            return;
        }
#endif
        char whole[64];
        *reinterpret_cast<RowAnywhere*>(whole) = row;
        move_run(dst, whole, part);
    }

    // A row is a line, which can go around the cache.
    static constexpr bool is_line = bytes == 64;

    // What moves fewer rows; `void` if nothing does.
#if defined(__AVX512BW__)
    using Smaller = void;
#else
    using Smaller = std::conditional_t<bytes == 32, Tile<Width, 16>, void>;
#endif

    template <bool Stream>
    [[gnu::always_inline]] static inline void store(char* dst, const Row& row) {
#if defined(__AVX512BW__)
        if constexpr (Stream && is_line)
            return _mm512_stream_si512(reinterpret_cast<__m512i*>(dst), reinterpret_cast<__m512i>(row));
#endif
        *reinterpret_cast<RowAnywhere*>(dst) = row;
    }

    // `column` tells where a column of src begins, `line` how far from dst a row of it.
    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        Row rows[side];
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) rows[i] = *reinterpret_cast<const RowAnywhere*>(column(i));
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store<Stream>(dst + line(i), rows[i]);
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t columns) {
        if constexpr (Width == 16) return move_each<side>(dst, line, column, columns);
        Row rows[side] = {};
        for (int64_t i = 0; i < columns; ++i) rows[i] = *reinterpret_cast<const RowAnywhere*>(column(i));
        transpose(rows);
#pragma GCC unroll 32
        for (int i = 0; i < side; ++i) store_part(dst + line(i), rows[i], columns * Width);
    }
};

#if !defined(__AVX512BW__)

// An element of 16 bytes needs no shuffle: four of them fill a line.
template <int Bytes>
struct Tile<16, Bytes> {
    static constexpr int bytes = 64, side = 4, columns = side;
    static constexpr bool is_line = false;
    using Smaller = void;

    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t columns) {
        move_each<side>(dst, line, column, columns);
    }
    template <bool Stream, class Line, class Column>
    static void move(char* dst, Line&& line, Column&& column) {
        move_part(dst, line, column, side);
    }
};

#endif

#if defined(__AVX2__)

// Squares one below the other in dst, in the parts of vectors of so many bytes, across which nothing is shuffled.
template <int Width, int Bytes>
struct SquaresBelow : Tile<Width, Bytes> {
    using Rows = Tile<Width, Bytes>;
    using typename Rows::Row;
    static constexpr int columns = 16 / Width, side = Bytes / Width;
    static constexpr bool is_line = false;
    using Smaller = std::conditional_t<Bytes == 32, Tile<Width, 16>, SquaresBelow<Width, 32>>;

    // `put` gets 16 bytes for each row.
    template <class Column, class Put>
    [[gnu::always_inline]] static inline void turn(Column&& column, int64_t count, Put&& put) {
        Row rows[columns] = {};
#pragma GCC unroll 16
        for (int k = 0; k < columns; ++k)
            if (k < count) rows[k] = *reinterpret_cast<const typename Rows::RowAnywhere*>(column(k));
        Rows::transpose_parts(rows);
#pragma GCC unroll 16
        for (int i = 0; i < columns; ++i) {
            if constexpr (Bytes == 32) {
                const auto row = reinterpret_cast<__m256i>(rows[i]);
                put(i, _mm256_castsi256_si128(row));
                put(i + columns, _mm256_extracti128_si256(row, 1));
            } else {
                const auto row = reinterpret_cast<__m512i>(rows[i]);
                put(i, _mm512_maskz_extracti32x4_epi32(15, row, 0));
                put(i + columns, _mm512_maskz_extracti32x4_epi32(15, row, 1));
                put(i + 2 * columns, _mm512_maskz_extracti32x4_epi32(15, row, 2));
                put(i + 3 * columns, _mm512_maskz_extracti32x4_epi32(15, row, 3));
            }
        }
    }

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        turn(column, columns,
             [=](int64_t i, __m128i row) { _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + line(i)), row); });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        turn(column, count, [=](int64_t i, __m128i row) {
            char whole[16];
            _mm_storeu_si128(reinterpret_cast<__m128i*>(whole), row);
            move_run(dst + line(i), whole, count * Width);
        });
    }
};

#endif

#if !defined(__AVX512BW__) && (defined(__AVX2__) || defined(WHERRY_NEON))

#if defined(__AVX2__)

template <int Width>
using PartOfLine = std::conditional_t<Width <= 2, SquaresBelow<Width, 32>, Tile<Width, 32>>;

#else

template <int Width>
using PartOfLine = Tile<Width, 16>;

#endif

// As many rows as a line of src has elements, by squares one below the other in dst: no line of src is looked for
// twice, or fetched ahead twice.
template <int Width>
struct Tile<Width, 64> {
    using Part = PartOfLine<Width>;
    static constexpr int bytes = 16, side = 64 / Width, columns = Part::columns < 4 ? 4 : Part::columns;
    static constexpr bool is_line = false;
    using Smaller = std::conditional_t<Part::columns == Part::side, Part, Tile<Width, 16>>;

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
#pragma GCC unroll 2
        for (int j = 0; j < columns; j += Part::columns)
#pragma GCC unroll 4
            for (int i = 0; i < side; i += Part::side)
                Part::template move<Stream>(
                    dst + j * Width, [=](int64_t k) { return line(i + k); },
                    [=](int64_t k) { return column(j + k) + i * Width; });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        for (int j = 0; j < count; j += Part::columns)
            for (int i = 0; i < side; i += Part::side)
                Part::move_part(
                    dst + j * Width, [=](int64_t k) { return line(i + k); },
                    [=](int64_t k) { return column(j + k) + i * Width; }, least(count - j, Part::columns));
    }
};

#endif

// The tile that permutations of several axes are moved by. AVX2: parts of lines but for 8 bytes, since what leaves at
// once waits for the memory; 32 rows of 4 lines are as good as 16, 64 take half as long again.
template <int Width>
struct SquaresOf {
    using narrow = void;  // what moves fewer columns, if it has as many rows
#if defined(__AVX2__) && !defined(__AVX512BW__)
    using type = std::conditional_t<Width <= 4, PartOfLine<Width>, Tile<Width>>;
#else
    using type = Tile<Width>;
#endif
};

#if defined(__AVX512BW__)

// Bytes: four squares beside each other, one in each part of a row, which is a line of dst. Nothing is shuffled across
// parts.
struct ByteSquares : Tile<1, 64> {
    static constexpr int side = 16, columns = 64;

    template <class Column>
    [[gnu::always_inline]] static inline __m128i bytes_of(Column&& column, int64_t k) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(column(k)));
    }

    // `put` gets each row.
    template <class Column, class Put>
    [[gnu::always_inline]] static inline void turn(Column&& column, Put&& put) {
        Row rows[side];
#pragma GCC unroll 16
        for (int k = 0; k < side; ++k) {
            __m512i row = _mm512_maskz_broadcast_i32x4(0xffff, bytes_of(column, k));
            row = _mm512_mask_broadcast_i32x4(row, 0x00f0, bytes_of(column, k + side));
            row = _mm512_mask_broadcast_i32x4(row, 0x0f00, bytes_of(column, k + 2 * side));
            row = _mm512_mask_broadcast_i32x4(row, 0xf000, bytes_of(column, k + 3 * side));
            rows[k] = reinterpret_cast<Row>(row);
        }
        transpose_parts(rows);
#pragma GCC unroll 16
        for (int i = 0; i < side; ++i) put(i, rows[i]);
    }

    template <bool Stream, class Line, class Column>
    [[gnu::always_inline]] static inline void move(char* dst, Line&& line, Column&& column) {
        turn(column, [=](int64_t i, const Row& row) { store<Stream>(dst + line(i), row); });
    }

    // Fewer columns than a tile has.
    template <class Line, class Column>
    static void move_part(char* dst, Line&& line, Column&& column, int64_t count) {
        __m128i parts[columns] = {};
        for (int64_t k = 0; k < count; ++k) parts[k] = bytes_of(column, k);
        turn([&](int64_t k) { return &parts[k]; },
             [=](int64_t i, const Row& row) { store_part(dst + line(i), row, count); });
    }
};

template <>
struct SquaresOf<1> {
    using type = ByteSquares;
    using narrow = SquaresBelow<1, 64>;
};
template <>
struct SquaresOf<2> {
    using type = Tile<2>;
    using narrow = SquaresBelow<2, 64>;
};

#endif

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
