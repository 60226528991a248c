// Elements from one of two views by a view of bytes, against a plain choice.
#include "../../core/parallel.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void test_choice() {
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const int64_t width = random_width();
    const View x = make_view(sizes, width, kSometimes), y = make_view(sizes, width, kSometimes),
               condition = make_view(sizes, 1, kSometimes), out = make_view(sizes, width, kNever);
    for_positions(sizes, [&](const auto& p) { *condition.at(p) &= static_cast<char>(generator() & generator()); });
    Vector<char> expected(out.memory.get(), out.memory.get() + out.bytes);
    for_positions(sizes, [&](const auto& p) {
        copy_bytes(expected.data() + (out.at(p) - out.memory.get()), *condition.at(p) ? x.at(p) : y.at(p), width);
    });
    Told({out, condition, x, y, width}).run("select");
    CHECK(std::equal(expected.begin(), expected.end(), out.memory.get()), "choices");
}

const Fuzzed fuzzed_choice("select", test_choice);

}  // namespace

void test_select(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_choice();
    }
    set_num_threads(0);
}
