// Runs, strided blocks and fills.

namespace wherry::WHERRY_ISA_NAME {
namespace {

void move_bytes(char* dst, const char* src, int64_t bytes, bool stream) {
    if (!stream) {
        memcpy(dst, src, static_cast<size_t>(bytes));
        return;
    }
    stream_run(dst, src, bytes);
}

template <int Width>
void fill_fixed(char* dst, int64_t stride, int64_t count, const char* value) {
    char element[Width];
    memcpy(element, value, Width);
    if (stride == Width) {
        for (int64_t i = 0; i < count; ++i) memcpy(dst + i * Width, element, Width);
    } else {
        for (int64_t i = 0; i < count; ++i) memcpy(dst + i * stride, element, Width);
    }
}

// Runs longer than these are left to memcpy, or stream.
constexpr int64_t kShortRun = kVector > 16 ? 8192 : 128, kStreamRun = 256;

// A few columns of many rows, such as the edge of an image, are moved column by column: a loop for each row would cost
// more than what it moves. So many rows at once as stay in the first cache.
constexpr int64_t kNarrow = 8, kNarrowRows = 64;

template <int Width>
void copy_narrow(const CopyBlock& b) {
    for (int64_t i = 0; i < b.rows; i += kNarrowRows) {
        const int64_t rows = least(kNarrowRows, b.rows - i);
        for (int64_t j = 0; j < b.columns; ++j) {
            char* dst = b.dst + i * b.dst_row + j * b.dst_column;
            const char* src = b.src + i * b.src_row + j * b.src_column;
            for (int64_t k = 0; k < rows; ++k) move_fixed<Width>(dst + k * b.dst_row, src + k * b.src_row);
        }
    }
}

template <int Width>
void copy_fixed(const CopyBlock& b) {
    if (channels_block<Width>(b) || transpose_block<Width>(b)) return;
    if (b.columns <= kNarrow && b.columns < b.rows) return copy_narrow<Width>(b);
    const bool stream = b.stream && b.dst_column == Width && b.columns * Width >= kStreamRun && b.src_column != 0;
    for (int64_t i = 0; i < b.rows; ++i) {
        char* dst = b.dst + i * b.dst_row;
        const char* src = b.src + i * b.src_row;
        if (b.src_column == 0) {
            fill_fixed<Width>(dst, b.dst_column, b.columns, src);
        } else {
            if (stream)
                stream_row<Width>(dst, src, b.src_column, b.columns);
            else
                move_row<Width>(dst, b.dst_column, src, b.src_column, b.columns);
        }
    }
}

// Short runs: the hardware does not see where the next one is, not even in dense rows that do not begin with a line
// (1024 images of 112 rows of 448 bytes, padded: 4.3 to 2.6 ms by one thread).
constexpr int64_t kFetchedRun = 1024, kFetchAhead = 8;

void copy_block(const CopyBlock& b) {
    switch (b.bytes) {
        case 1: return copy_fixed<1>(b);
        case 2: return copy_fixed<2>(b);
        case 4: return copy_fixed<4>(b);
        case 8: return copy_fixed<8>(b);
        case 16: return copy_fixed<16>(b);
        default: break;
    }
    const bool stream = b.stream && b.bytes >= kStreamRun;
    const int64_t fetched = b.bytes <= kFetchedRun ? b.bytes : 0;
    for (int64_t i = 0; i < b.rows; ++i) {
        for (int64_t j = 0; j < b.columns; ++j) {
            char* dst = b.dst + i * b.dst_row + j * b.dst_column;
            const char* src = b.src + i * b.src_row + j * b.src_column;
            for (int64_t k = 0; k < fetched; k += 64) prefetch(src + kFetchAhead * b.src_column + k);
            if (stream)
                stream_run(dst, src, b.bytes);
            else if (b.bytes <= kShortRun)
                move_run(dst, src, b.bytes);
            else
                memcpy(dst, src, static_cast<size_t>(b.bytes));
        }
    }
}

constexpr int64_t kPattern = 1024;

void fill_elements(char* dst, int64_t stride, int64_t count, const char* value, int64_t width) {
    switch (width) {
        case 1: return fill_fixed<1>(dst, stride, count, value);
        case 2: return fill_fixed<2>(dst, stride, count, value);
        case 4: return fill_fixed<4>(dst, stride, count, value);
        case 8: return fill_fixed<8>(dst, stride, count, value);
        case 16: return fill_fixed<16>(dst, stride, count, value);
        default: break;
    }
    if (stride != width || width > kPattern / 2) {
        for (int64_t i = 0; i < count; ++i) move_run(dst + i * stride, value, width);
        return;
    }
    // Many elements at once: 50 MB of 3-byte elements in 2 instead of 25 ms.
    char pattern[kPattern];
    const int64_t elements = least(count, kPattern / width), bytes = count * width;
    for (int64_t i = 0; i < elements; ++i) move_run(pattern + i * width, value, width);
    for (int64_t at = 0; at < bytes; at += elements * width)
        move_run(dst + at, pattern, least(elements * width, bytes - at));
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
