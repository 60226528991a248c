// Diagonals of matrices, and ranges, against their definitions.
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void test_band() {
    const int64_t rows = size_to(40), columns = size_to(90, rows), width = random_width();
    const View data = make_view({between(1, 3), rows, columns}, width, kSometimes);
    const View out = make_view(data.sizes, width, kNever), value = make_view({}, width, kNever);
    const auto before = gaps(out);
    const int64_t begin = between(-rows, columns), end = between(begin, columns);
    const bool inverted = between(0, 1) > 0;
    const std::string element(value.memory.get(), static_cast<size_t>(width));
    Told({out, data, element, begin, end, int64_t{inverted}}).run("diagonals");
    bool equal = true;
    for_positions(data.sizes, [&](const auto& p) {
        const bool filled = (begin <= p[2] - p[1] && p[2] - p[1] < end) != inverted;
        equal &= equal_bytes(out.at(p), filled ? value.memory.get() : data.at(p), width);
    });
    CHECK(equal, "diagonals");
    CHECK(gaps(out) == before, "diagonals leave the gaps alone");
}

void test_range() {
    const int64_t count = size_to(3000);
    const View out = make_view({count}, 8, kNever);
    const auto before = gaps(out);
    const uint64_t start = generator(), delta = generator();
    const std::string first(reinterpret_cast<const char*>(&start), 8), by(reinterpret_cast<const char*>(&delta), 8);
    // Streamed too, as whole moves are only if they are large.
    if (out.strides[0] == 8) {
        block_kernels().range(Element::u64)({out.at({0}), 8, 0, count, first.data(), by.data(), true});
        called();
    } else {
        Told({out, first, by, Element::u64}).run("range");
    }
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
