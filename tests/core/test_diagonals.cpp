// Diagonals of matrices, and ranges, against their definitions.
#include "../../core/steps/diagonals.hpp"
#include "../../core/steps/range.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void test_band() {
    const int64_t rows = size_to(40), columns = size_to(90), width = random_width();
    const View data = make_view({between(1, 3), rows, columns}, width, kSometimes);
    const View out = make_view(data.sizes, width, kNever), value = make_view({}, width, kNever);
    const auto before = gaps(out);
    DiagonalsJob job{};
    job.out = out.memory.get() + out.start;
    job.data = data.memory.get() + data.start;
    job.value = value.memory.get();
    job.width = width;
    job.rows = rows;
    job.columns = columns;
    const int64_t begin = job.begin = between(-rows, columns), end = job.end = between(begin, columns);
    job.inverted = between(0, 1) > 0;
    const View* const operands[] = {&out, &data};
    for (int k = 0; k < 2; ++k) {
        job.row_step[k] = operands[k]->strides[1];
        job.column_step[k] = operands[k]->strides[2];
    }
    job.batch.add(data.sizes[0], {out.strides[0], data.strides[0]});
    const bool inverted = job.inverted;
    fill_diagonals(job);
    bool equal = true;
    for_positions(data.sizes, [&](const auto& p) {
        const bool filled = (begin <= p[2] - p[1] && p[2] - p[1] < end) != inverted;
        equal &= std::memcmp(out.at(p), filled ? value.memory.get() : data.at(p), static_cast<size_t>(width)) == 0;
    });
    CHECK(equal, "diagonals");
    CHECK(gaps(out) == before, "diagonals leave the gaps alone");
}

void test_range() {
    const int64_t count = size_to(3000);
    const View out = make_view({count}, 8, kNever);
    const auto before = gaps(out);
    RangeJob job{out.memory.get() + out.start, count, out.strides[0], Element::u64, 8, {}, {}};
    const uint64_t start = generator(), delta = generator();
    std::memcpy(job.start, &start, 8);
    std::memcpy(job.delta, &delta, 8);
    // Streamed too, as whole moves are only if they are large.
    if (out.strides[0] == 8)
        block_kernels().range({job.out, job.out_step, 0, count, job.element, job.width, job.start, job.delta, true});
    else
        write_range(job);
    bool equal = true;
    for (int64_t n = 0; n < count; ++n) {
        const uint64_t expected = start + static_cast<uint64_t>(n) * delta;
        equal &= std::memcmp(out.at({n}), &expected, 8) == 0;
    }
    CHECK(equal, "range");
    CHECK(gaps(out) == before, "a range leaves the gaps alone");
}

const Fuzzed fuzzed_band("diagonals", test_band);
const Fuzzed fuzzed_range("range", test_range);

}  // namespace

void test_diagonals(int rounds) {
    for (int i = 0; i < rounds; ++i) test_band(), test_range();
}
