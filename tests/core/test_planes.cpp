// Copies of short rows whose elements are channels that lie together in src: each becomes a row of its own in dst.
#include "../../core/tune/machine.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// dst[k, r, c] = src[r, c, k], where rows of dst are `gap` bytes apart, and those of src `skip`.
void part(int64_t channels, int64_t rows, int64_t columns, int64_t width, int64_t gap, int64_t skip, int64_t shift) {
    const int64_t dst_row = columns * width + gap, src_row = columns * channels * width + skip;
    Vector<char> src(static_cast<size_t>(rows * src_row));
    fill_randomly(src.data(), static_cast<int64_t>(src.size()));
    Vector<char> out(static_cast<size_t>(channels * rows * dst_row + shift), '\x55'), expected = out;
    for (int64_t k = 0; k < channels; ++k)
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < columns; ++c)
                copy_bytes(expected.data() + shift + (k * rows + r) * dst_row + c * width,
                           src.data() + r * src_row + (c * channels + k) * width, width);
    Axes<2> axes;
    axes.add(channels, {rows * dst_row, width});
    axes.add(rows, {dst_row, src_row});
    axes.add(columns, {width, channels * width});
    copy(out.data() + shift, src.data(), axes, width, machine().stream);
    CHECK(out == expected, "channels become rows");
}

const Fuzzed fuzzed_planes("channels into planes", [] {
    part(between(2, 5), size_to(100), size_to(300), one_of<int64_t>({1, 2, 4, 8}), between(0, 70), between(0, 70),
         between(0, 63));
});

// The same by one call of the kernel, or back: all lie `shift` bytes beside a line.
void around(int64_t channels, int64_t count, int64_t width, bool join, int64_t shift) {
    const int64_t plane = count * width + shift;
    Vector<char> packed(static_cast<size_t>(channels * count * width + shift)),
        planes(static_cast<size_t>(channels * plane));
    fill_randomly(packed.data(), static_cast<int64_t>(packed.size()));
    fill_randomly(planes.data(), static_cast<int64_t>(planes.size()));
    Vector<char> expected = join ? packed : planes;
    char* places[4];
    for (int64_t k = 0; k < channels; ++k) {
        places[k] = planes.data() + k * plane + shift;
        for (int64_t c = 0; c < count; ++c) {
            const int64_t one = shift + (c * channels + k) * width, other = k * plane + shift + c * width;
            join ? copy_bytes(expected.data() + one, planes.data() + other, width)
                 : copy_bytes(expected.data() + other, packed.data() + one, width);
        }
    }
    block_kernels().planes(width, channels, join)({packed.data() + shift, places, count, true});
    called();
    CHECK((join ? packed : planes) == expected, "channels around the cache");
}

const Fuzzed fuzzed_streams("channels around the cache", [] {
    around(between(2, 4), size_to(9000), one_of<int64_t>({1, 2, 4, 8}), between(0, 1) == 1,
           one_of<int64_t>({0, 8, 63}));
});

}  // namespace

void test_planes() {
    for (int64_t width : {1, 2, 4, 8})
        for (int64_t channels : {2, 3, 4})
            for (int64_t count : {1, 63, 64, 1024, 4097})
                for (int64_t shift : {0, 3, 16}) {
                    around(channels, count, width, false, shift);
                    around(channels, count, width, true, shift);
                }
    for (int64_t width : {1, 2, 4, 8})
        for (int64_t channels : {2, 3, 4, 5})
            for (int64_t columns : {1, 2, 15, 16, 17, 63, 64, 65, 300})
                for (int64_t rows : {1, 2, 7, 100}) {
                    part(channels, rows, columns, width, 0, between(1, 70), between(0, 63));
                    part(channels, rows, columns, width, between(1, 70), between(0, 70), between(0, 63));
                }
}
