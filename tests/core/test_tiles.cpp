// Gathers of rows that are written transposed, in memory of exactly the bytes that they reach over.
#include "../../core/kernels/gather.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void gather_rows(int64_t rows, int64_t columns, int64_t count, int64_t width, OutOfRange rule) {
    std::vector<char> data(static_cast<size_t>(rows * columns * width));
    for (char& byte : data) byte = static_cast<char>(generator());
    std::vector<int64_t> indices(static_cast<size_t>(count));
    for (int64_t& index : indices) index = between(rule == OutOfRange::zero ? -rows - 1 : -rows, rows - 1);
    std::vector<char> out(static_cast<size_t>(columns * count * width), '\x55'), expected = out;
    for (int64_t c = 0; c < columns; ++c)
        for (int64_t i = 0; i < count; ++i) {
            const int64_t index = indices[static_cast<size_t>(i)], row = index < 0 ? index + rows : index;
            char* to = expected.data() + (c * count + i) * width;
            if (row < 0)
                std::memset(to, 0, static_cast<size_t>(width));
            else
                std::memcpy(to, data.data() + (row * columns + c) * width, static_cast<size_t>(width));
        }
    GatherJob job;
    job.out = out.data();
    job.data = data.data();
    job.indices = reinterpret_cast<const char*>(indices.data());
    job.axes.add(count, {width, 0, 8});
    job.axes.add(columns, {count * width, width, 0});
    job.width = width;
    job.axis_stride = columns * width;
    job.rule = {rows, rule, Negative::from_end, IndexKind::i64};
    CHECK(gather(job), "every index is on the axis");
    CHECK(out == expected, "rows become columns");
}

}  // namespace

void test_tiles() {
    for (int64_t width : {1, 2, 4, 8, 16})
        for (OutOfRange rule : {OutOfRange::raise, OutOfRange::zero}) {
            for (int64_t columns : {1, 3, 4, 15, 16, 17, 33, 64, 100})
                for (int64_t count : {1, 2, 8, 15, 16, 17, 63, 64, 65, 300})
                    gather_rows(between(1, 50), columns, count, width, rule);
            gather_rows(700, 9000, 6'000'000 / 900 / width, width, rule);  // streamed
        }
}
