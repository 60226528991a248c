// Short rows from each of which the same elements are taken: channels of pixels, columns of a narrow table.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// While a row is used, the one a page ahead is fetched: the hardware's own fetching ends with the page.
[[gnu::always_inline]] inline void prefetch_row(const char* data, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) prefetch_far(data + tune::kPageAhead + k);
}

// Count 0: as many as there are.
template <int Width, int Count>
void gather_short_rows_of(const GatherBlock& b) {
    const int64_t passes = b.passes, count = Count ? Count : b.count, row = b.axis_bytes, step = b.out_step;
    const int64_t out_pass = b.out_pass, data_pass = b.data_pass;
    const int64_t* offsets = b.offsets;
    int64_t few[Count + 1];
    for (int64_t i = 0; i < Count; ++i) few[i] = offsets[i];
    char* out = b.out;
    const char* data = b.data;
    for (int64_t p = 0; p < passes; ++p, out += out_pass, data += data_pass) {
        prefetch_row(data, row);
        // Not unrolled, it takes half as long again where it happens to lie badly.
#pragma GCC unroll 4
        for (int64_t i = 0; i < count; ++i) move_fixed<Width>(out + i * step, data + (Count ? few[i] : offsets[i]));
    }
}

template <int Width>
void gather_short_rows(const GatherBlock& b) {
    const GatherKernel few = for_width<1, 2, 3, 4>(
        b.count, [](auto count) -> GatherKernel { return gather_short_rows_of<Width, count.value>; });
    few ? few(b) : gather_short_rows_of<Width, 0>(b);
}

#if defined(__AVX512BW__)

// Rows of up to 64 elements of 4 bytes, from which every pass takes the same ones, such as channels of pixels: the row
// in up to four registers, 16 elements by three instructions.
struct RowLookup {
    static constexpr int64_t kElements = 64, kMost = 256;  // of a row, and taken from it
    __m512i places[kMost / 16];
    __mmask16 upper[kMost / 16];  // those in the second half of the row
    __mmask16 part[4];            // what there is of the row
    int64_t count;

    // False if some place lies outside the row.
    bool prepare(const GatherBlock& b) {
        const int64_t size = b.axis_bytes / 4;
        if (size > kElements || b.count > kMost) return false;
        alignas(64) int32_t at[kMost] = {};
        for (int64_t i = 0; i < b.count; ++i) {
            if (b.offsets[i] < 0 || b.offsets[i] >= b.axis_bytes) return false;
            at[i] = static_cast<int32_t>(b.offsets[i] / 4);
        }
        count = b.count;
        for (int64_t k = 0; k * 16 < count; ++k) {
            places[k] = _mm512_load_si512(at + k * 16);
            upper[k] = _mm512_test_epi32_mask(places[k], _mm512_set1_epi32(32));
        }
        for (int64_t k = 0; k < 4; ++k) {
            const int64_t rest = size - k * 16;
            part[k] = static_cast<__mmask16>(rest >= 16 ? 0xffff : rest > 0 ? (1 << rest) - 1 : 0);
        }
        return true;
    }
    // Vectors that the row fills: 1, 2 or 4. Stream: what is taken of it is whole lines.
    template <int Vectors, bool Stream>
    [[gnu::always_inline]] inline void move(char* out, const char* data) const {
        __m512i row[Vectors];
        for (int k = 0; k < Vectors; ++k) row[k] = _mm512_maskz_loadu_epi32(part[k], data + k * 64);
        for (int64_t k = 0; k * 16 < count; ++k) {
            __m512i found;
            if (Vectors == 1) found = _mm512_maskz_permutexvar_epi32(0xffff, places[k], row[0]);
            if (Vectors >= 2) found = _mm512_permutex2var_epi32(row[0], places[k], row[Vectors > 1]);
            if (Vectors == 4)
                found = _mm512_mask_blend_epi32(
                    upper[k], found, _mm512_permutex2var_epi32(row[Vectors / 2], places[k], row[Vectors - 1]));
            const int64_t rest = count - k * 16;
            if (Stream)
                stream_vector(out + k * 64, found);
            else if (rest >= 16)
                _mm512_storeu_si512(out + k * 64, found);
            else
                _mm512_mask_storeu_epi32(out + k * 64, static_cast<__mmask16>((1 << rest) - 1), found);
        }
    }
    template <int Vectors, bool Stream>
    void move_rows(const GatherBlock& b) const {
        const int64_t passes = b.passes, out_pass = b.out_pass, data_pass = b.data_pass, row = b.axis_bytes;
        char* out = b.out;
        const char* data = b.data;
        for (int64_t p = 0; p < passes; ++p, out += out_pass, data += data_pass) {
            prefetch_row(data, row);
            move<Vectors, Stream>(out, data);
        }
    }
    template <int Vectors>
    void move_all(const GatherBlock& b) const {
        const int64_t bytes = count * 4;
        if (b.stream && are_lines(b.out, b.out_pass | bytes)) {
            move_rows<Vectors, true>(b);
            return stream_fence();
        }
        if (!b.stream || b.out_pass != bytes) return move_rows<Vectors, false>(b);
        alignas(64) char stage[tune::kRowStageBytes];
        const int64_t most_rows = tune::kRowStageBytes / bytes;
        GatherBlock part = b;
        part.out = stage;
        StreamedRuns runs(b.out);
        for (int64_t p = 0; p < b.passes; p += most_rows, part.data += most_rows * b.data_pass) {
            part.passes = least(most_rows, b.passes - p);
            move_rows<Vectors, false>(part);
            runs.put(stage, part.passes * bytes);
        }
        runs.finish();
        stream_fence();
    }
};

// True if it was such a block.
template <int Width>
bool look_up_rows(const GatherBlock& b) {
    RowLookup lookup;
    if (Width != 4 || b.out_step != 4 || b.count < 8 || b.passes < 8 || !lookup.prepare(b)) return false;
    if (b.axis_bytes <= 64)
        lookup.move_all<1>(b);
    else if (b.axis_bytes <= 128)
        lookup.move_all<2>(b);
    else
        lookup.move_all<4>(b);
    return true;
}

#elif defined(WHERRY_NEON)

// A row in so many registers, and any 16 bytes of it.
template <int Registers>
[[gnu::always_inline]] inline auto load_row(const uint8_t* row) {
    if constexpr (Registers == 1) return vld1q_u8(row);
    if constexpr (Registers == 2) return vld1q_u8_x2(row);
    if constexpr (Registers == 3) return vld1q_u8_x3(row);
    if constexpr (Registers == 4) return vld1q_u8_x4(row);
}
[[gnu::always_inline]] inline uint8x16_t take(uint8x16_t row, uint8x16_t at) { return vqtbl1q_u8(row, at); }
[[gnu::always_inline]] inline uint8x16_t take(uint8x16x2_t row, uint8x16_t at) { return vqtbl2q_u8(row, at); }
[[gnu::always_inline]] inline uint8x16_t take(uint8x16x3_t row, uint8x16_t at) { return vqtbl3q_u8(row, at); }
[[gnu::always_inline]] inline uint8x16_t take(uint8x16x4_t row, uint8x16_t at) { return vqtbl4q_u8(row, at); }

// Rows of up to 64 bytes, from which every pass takes the same elements, such as channels of pixels: the row in up to
// four registers, of which one instruction takes 16 bytes.
struct RowLookup {
    static constexpr int64_t kMost = 256;       // bytes that are taken from a row
    static constexpr int64_t kLeastPasses = 8;  // are worth the search for the places
    uint8_t places[kMost];                      // of each byte that is taken
    int64_t last;    // of what is taken: the last 16 bytes begin here, perhaps within those before
    int64_t passes;  // whose registers end within the last row

    // False if some place lies outside the row, or there is less than a vector to take.
    template <int Width>
    bool prepare(const GatherBlock& b) {
        const int64_t row = b.axis_bytes, taken = b.count * Width;
        if (row > 64 || taken < 16 || taken > kMost || b.data_pass < row) return false;
        for (int64_t i = 0; i < b.count; ++i)
            if (b.offsets[i] < 0 || b.offsets[i] > row - Width) return false;
        last = taken - 16;
        for (int64_t i = 0; i < b.count; ++i)
            for (int64_t k = 0; k < Width; ++k) places[i * Width + k] = static_cast<uint8_t>(b.offsets[i] + k);
        const int64_t beyond = -row & 15;  // the row, of registers that are read whole
        passes = b.passes - (beyond + b.data_pass - 1) / b.data_pass;
        return passes >= kLeastPasses;
    }
    template <int Registers>
    void move_all(const GatherBlock& b) const {
        const int64_t out_pass = b.out_pass, data_pass = b.data_pass, end = last, count = passes;
        char* out = b.out;
        const char* data = b.data;
        for (int64_t p = 0; p < count; ++p, out += out_pass, data += data_pass) {
            prefetch_far(data + tune::kPageAhead);
            const auto row = load_row<Registers>(reinterpret_cast<const uint8_t*>(data));
            for (int64_t k = 0; k < end; k += 16) store(out + k, take(row, vld1q_u8(places + k)));
            store(out + end, take(row, vld1q_u8(places + end)));
        }
    }
    void move_all(const GatherBlock& b) const {
        switch ((b.axis_bytes + 15) / 16) {
            case 1: return move_all<1>(b);
            case 2: return move_all<2>(b);
            case 3: return move_all<3>(b);
            default: return move_all<4>(b);
        }
    }
};

// True if it was such a block.
template <int Width>
bool look_up_rows(const GatherBlock& b) {
    RowLookup lookup;
    if (Width > 8 || b.out_step != Width || !lookup.prepare<Width>(b)) return false;
    lookup.move_all(b);
    GatherBlock rest = b;
    rest.passes -= lookup.passes;
    rest.out += lookup.passes * b.out_pass;
    rest.data += lookup.passes * b.data_pass;
    gather_short_rows<Width>(rest);
    return true;
}

#else

template <int Width>
bool look_up_rows(const GatherBlock&) {
    return false;
}

#endif

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
