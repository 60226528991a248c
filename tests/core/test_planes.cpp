// Copies of short rows whose elements are channels that lie together in src: each becomes a row of its own in dst; and
// back.
#include "../../core/tune/machine.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// A copy to `shift` bytes in `out`, around the cache and within it.
void check_copies(const Vector<char>& out, int64_t shift, const Vector<char>& src, const Axes<2>& axes, int64_t width,
                  const Vector<char>& expected, const char* what) {
    for (const int64_t beside : {machine().stream, int64_t{0}}) {
        Vector<char> made = out;
        copy(made.data() + shift, src.data(), axes, width, beside);
        CHECK(made == expected, what);
    }
}

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
    check_copies(out, shift, src, axes, width, expected, "channels become rows");
}

const Fuzzed fuzzed_planes("channels into planes", [] {
    part(between(2, 5), size_to(100), size_to(300), one_of<int64_t>({1, 2, 4, 8}), between(0, 70), between(0, 70),
         between(0, 63));
});

// dst[t, k, i, r, c] = src[i, r, t, c, k]: what lies between two rows of one place goes to other places.
void take_turns(int64_t turns, int64_t channels, int64_t images, int64_t rows, int64_t columns, int64_t width,
                int64_t skip, int64_t shift) {
    const int64_t dst_row = columns * width, src_row = columns * channels * width + skip;
    Vector<char> src(static_cast<size_t>(images * rows * turns * src_row));
    fill_randomly(src.data(), static_cast<int64_t>(src.size()));
    Vector<char> out(static_cast<size_t>(images * rows * turns * channels * dst_row + shift), '\x55'), expected = out;
    for (int64_t t = 0; t < turns; ++t)
        for (int64_t k = 0; k < channels; ++k)
            for (int64_t i = 0; i < images * rows; ++i)
                for (int64_t c = 0; c < columns; ++c)
                    copy_bytes(expected.data() + shift + ((t * channels + k) * images * rows + i) * dst_row + c * width,
                               src.data() + (i * turns + t) * src_row + (c * channels + k) * width, width);
    Axes<2> axes;
    axes.add(turns, {channels * images * rows * dst_row, src_row});
    axes.add(channels, {images * rows * dst_row, width});
    axes.add(images, {rows * dst_row, rows * turns * src_row});
    axes.add(rows, {dst_row, turns * src_row});
    axes.add(columns, {width, channels * width});
    check_copies(out, shift, src, axes, width, expected, "rows by turns");
}

const Fuzzed fuzzed_turns("rows by turns", [] {
    take_turns(between(1, 5), between(2, 5), between(1, 3), size_to(40), size_to(300),
               one_of<int64_t>({1, 2, 4, 8, 16}), one_of<int64_t>({0, 0, 3, 64}), between(0, 63));
});

// dst[i, t, c, k] = src[t, k, i, c], short rows that follow each other, `gap` bytes apart.
void join_rows(int64_t channels, int64_t turns, int64_t rows, int64_t columns, int64_t width, int64_t gap,
               int64_t shift) {
    const int64_t dst_row = columns * channels * width + gap, plane = rows * columns * width;
    Vector<char> src(static_cast<size_t>(turns * channels * plane));
    fill_randomly(src.data(), static_cast<int64_t>(src.size()));
    Vector<char> out(static_cast<size_t>(rows * turns * dst_row + shift), '\x55'), expected = out;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t t = 0; t < turns; ++t)
            for (int64_t c = 0; c < columns; ++c)
                for (int64_t k = 0; k < channels; ++k)
                    copy_bytes(expected.data() + shift + (i * turns + t) * dst_row + (c * channels + k) * width,
                               src.data() + (t * channels + k) * plane + (i * columns + c) * width, width);
    Axes<2> axes;
    axes.add(rows, {turns * dst_row, columns * width});
    axes.add(turns, {dst_row, channels * plane});
    axes.add(columns, {channels * width, width});
    axes.add(channels, {width, plane});
    check_copies(out, shift, src, axes, width, expected, "rows that are joined");
}

const Fuzzed fuzzed_joins("rows that are joined", [] {
    join_rows(between(2, 5), between(1, 4), size_to(40), size_to(300), one_of<int64_t>({1, 2, 4, 8, 16}),
              one_of<int64_t>({0, 0, 5}), between(0, 63));
});

// The same as of planes by one call of the kernel, or back: all lie `shift` bytes beside a line.
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
