// Rows of elements a few apart, to and from dense rows, in memory of exactly the bytes that they reach over.
#include <numeric>

#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// A row whose first element lies where its step needs it; `before` bytes make it misaligned.
struct Row {
    Row(int64_t count, int64_t element_step, int64_t element_width, int64_t before) : width(element_width) {
        step = element_step * width;
        const int64_t reach = count ? (count - 1) * (step < 0 ? -step : step) + width : 0;
        bytes = Vector<char>(static_cast<size_t>(before + reach));
        first = before + (step < 0 && count ? -step * (count - 1) : 0);
    }
    char* at(int64_t index) { return bytes.data() + first + index * step; }

    int64_t width, step, first;
    Vector<char> bytes;
};

void copy_row(int64_t count, int64_t width, int64_t to_step, int64_t from_step) {
    Row to(count, to_step, width, between(0, 63)), from(count, from_step, width, between(0, 63));
    std::iota(from.bytes.begin(), from.bytes.end(), static_cast<char>(between(0, 100)));
    std::fill(to.bytes.begin(), to.bytes.end(), '\x7f');
    Vector<char> expected = to.bytes;
    for (int64_t i = 0; i < count; ++i) copy_bytes(expected.data() + to.first + i * to.step, from.at(i), width);
    Axes<2> axes;
    axes.add(count, {to.step, from.step});
    copy(to.bytes.data() + to.first, from.bytes.data() + from.first, axes, width);
    CHECK(to.bytes == expected, "elements go where they belong, and nothing else is touched");
}

const Fuzzed fuzzed_steps("steps", [] {
    const int64_t step = between(1, 5), width = one_of<int64_t>({1, 2, 4, 8, 16});
    copy_row(size_to(500), width, step, between(-5, 5));
});

}  // namespace

void test_steps() {
    for (int64_t width : {1, 2, 4, 8, 16})
        for (int64_t step : {-3, -2, -1, 1, 2, 3, 4, 5})
            for (int64_t count = 0; count < 150; ++count) {
                copy_row(count, width, 1, step);
                if (step > 0) copy_row(count, width, step, 1);
                if (step > 0) copy_row(count, width, step, step > 2 ? step - 1 : -1);
            }
    copy_row(9'000'001, 4, 1, 2);  // streamed
    copy_row(9'000'001, 4, 1, -1);
}
