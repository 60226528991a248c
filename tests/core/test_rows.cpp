// Short rows from each of which the same elements are taken, in memory of exactly the bytes that they reach over.
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// out[p, i] = data[p, places[i]]: rows of `size` elements that lie `gap` bytes apart.
void take(int64_t passes, int64_t size, int64_t count, int64_t width, int64_t gap, bool stream) {
    const int64_t row = size * width, data_pass = row + gap, taken = count * width, out_pass = taken + gap;
    const Memory data = take_memory((passes - 1) * data_pass + row);
    fill_randomly(data.get(), (passes - 1) * data_pass + row);
    Vector<int64_t> offsets(static_cast<size_t>(count));
    for (int64_t& offset : offsets) offset = between(0, size - 1) * width;
    constexpr int64_t beside = 64;  // bytes that stay as they are, at least
    Vector<char> out(static_cast<size_t>(3 * beside + (passes - 1) * out_pass + taken), '\x55'), expected = out;
    // Half of those that are streamed begin with a line.
    const int64_t into_line = stream && between(0, 1) ? -reinterpret_cast<intptr_t>(out.data()) & 63 : between(0, 63);
    const int64_t before = beside + into_line;
    for (int64_t p = 0; p < passes; ++p)
        for (int64_t i = 0; i < count; ++i)
            copy_bytes(expected.data() + before + p * out_pass + i * width,
                       data.get() + p * data_pass + offsets[static_cast<size_t>(i)], width);
    GatherBlock block{};
    block.out = out.data() + before;
    block.data = data.get();
    block.offsets = offsets.data();
    block.count = count;
    block.out_step = block.bytes = width;
    block.passes = passes;
    block.out_pass = out_pass;
    block.data_pass = data_pass;
    block.axis_bytes = row;
    block.stream = stream;
    block_kernels().gather(width)(block);
    called();
    CHECK(out == expected, "the same elements of every row");
}

const Fuzzed fuzzed_rows("short rows", [] {
    const int64_t width = one_of<int64_t>({1, 2, 4, 8, 16});
    take(size_to(40), size_to(300 / width), size_to(300), width, one_of<int64_t>({0, 1, 64}), between(0, 1) == 1);
});

}  // namespace

void test_rows() {
    for (int64_t width : {1, 2, 4, 8, 16})
        for (int64_t size : {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100})
            for (int64_t count : {1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 64, 100, 257})
                for (int64_t gap : {0, 3, 64})
                    for (bool stream : {false, true}) take(between(2, 20), size, count, width, gap, stream);
}
