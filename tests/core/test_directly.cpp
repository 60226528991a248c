// The short way of a gather: near and far places, any count, up to the first bad index and no further.
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

constexpr std::initializer_list<int64_t> kWidths = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64};

void test_run(int64_t width, int64_t count, IndexType type, bool scattered, bool dense, bool bad) {
    const int64_t size = between(1, 40), out_step = width + (dense ? 0 : between(0, 3));
    const int64_t axis_stride = dense ? width : (between(0, 1) ? 1 : -1) * (width + between(0, 2));
    const int64_t step = dense ? 0 : between(0, 2) * size * (axis_stride < 0 ? -axis_stride : axis_stride);
    const int64_t first = axis_stride < 0 ? -axis_stride * (size - 1) : 0;
    const int64_t reach = (axis_stride < 0 ? -axis_stride : axis_stride) * (size - 1) + width;
    const int64_t data_bytes = reach + (count > 0 ? step * (count - 1) : 0);
    const Memory data = take_memory(data_bytes);
    fill_randomly(data.get(), data_bytes);
    const IndexRule rule{size, OutOfRange::raise, static_cast<Negative>(between(0, 1)), type};
    const int64_t index_bytes = index_width(type), wrong = bad && count > 0 ? between(0, count - 1) : count;
    const Memory indices = take_memory(count * index_bytes);
    Vector<int64_t> places;
    for (int64_t i = 0; i < count; ++i) {
        int64_t v = between(rule.negative == Negative::from_end ? -size : 0, size - 1);
        if (i == wrong) v = one_of<int64_t>({size, -size - 1, INT32_MAX, INT32_MIN});
        places.push_back(place(put_index(type, indices.get() + i * index_bytes, v), rule));
    }
    const int64_t before = between(0, 63), bytes = before + (count ? (count - 1) * out_step + width : 0);
    Vector<char> out(static_cast<size_t>(bytes), '\x7f'), expected = out;
    const DirectGatherKernel gather = block_kernels().gather_directly(type, width, dense);
    const int64_t done = gather(rule, {out.data() + before,
                                       data.get() + first,
                                       indices.get(),
                                       axis_stride,
                                       {count, out_step, step, index_bytes},
                                       {},
                                       scattered,
                                       between(0, 1) == 1});
    called(done == count);
    CHECK(done == wrong, "up to the first bad index");
    for (int64_t i = 0; i < wrong; ++i)
        copy_bytes(expected.data() + before + i * out_step,
                   data.get() + first + places[static_cast<size_t>(i)] * axis_stride + i * step, width);
    CHECK(out == expected, "runs go where they belong, and nothing else is touched");
}

const Fuzzed fuzzed_directly("gather directly", [] {
    const int64_t width = one_of(kWidths), count = size_to(700);
    const IndexType type = one_of({IndexType::i32, IndexType::i64});
    test_run(width, count, type, between(0, 1), between(0, 1), between(0, 1));
});

// Vectors that load elements are not seen by AddressSanitizer: a table fills a page, and those around it are forbidden.
void test_ends_of_memory(int64_t width, IndexType type) {
    constexpr int64_t page = 64 * 1024, count = 400;
    const Fenced fenced(page);
    char* const table = fenced.bytes(page);
    fill_randomly(table, page);
    for (int64_t part = 0; part < 4; ++part) {  // elements before the end, also where no four bytes are aligned
        const int64_t bytes = page - part, size = bytes / width, index_bytes = index_width(type);
        const char* const data = part % 2 ? table + page - size * width : table;
        const IndexRule rule{size, OutOfRange::raise, Negative::from_end, type};
        Vector<char> indices(static_cast<size_t>(count * index_bytes)), out(static_cast<size_t>(count * width));
        Vector<int64_t> places;
        for (int64_t i = 0; i < count; ++i) {
            const int64_t v = i % 2 ? size - 1 - between(0, 3) : between(0, 3) - (i % 4 ? 0 : size);
            places.push_back(place(put_index(type, indices.data() + i * index_bytes, v), rule));
        }
        const DirectGatherKernel gather = block_kernels().gather_directly(type, width, true);
        const DirectBlock block{out.data(), data, indices.data(), width, {count, width, 0, index_bytes}, {}, true};
        CHECK(gather(rule, block) == count, "all of them");
        for (int64_t i = 0; i < count; ++i)
            CHECK(std::memcmp(out.data() + i * width, data + places[static_cast<size_t>(i)] * width,
                              static_cast<size_t>(width)) == 0,
                  "elements at both ends");
    }
}

}  // namespace

void test_directly() {
    for (const int64_t width : kWidths)
        for (const IndexType type : {IndexType::i32, IndexType::i64}) test_ends_of_memory(width, type);
    for (const int64_t width : kWidths)
        for (int64_t count = 0; count < 700; count += count < 40 ? 1 : between(1, 40))
            for (const IndexType type : {IndexType::i32, IndexType::i64})
                for (int flags = 0; flags < 8; ++flags) test_run(width, count, type, flags & 1, flags & 2, flags & 4);
}
