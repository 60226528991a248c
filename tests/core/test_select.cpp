// Elements from one of two views by a view of bytes, against a plain choice.
#include "../../core/parallel.hpp"
#include "../../core/steps/select.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void test_choice() {
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const int64_t width = random_width();
    const View x = make_view(sizes, width, kSometimes), y = make_view(sizes, width, kSometimes),
               condition = make_view(sizes, 1, kSometimes), out = make_view(sizes, width, kNever);
    for_positions(sizes, [&](const auto& p) { *condition.at(p) &= static_cast<char>(generator() & generator()); });
    std::vector<char> expected(out.memory.get(), out.memory.get() + out.bytes);
    for_positions(sizes, [&](const auto& p) {
        std::memcpy(expected.data() + (out.at(p) - out.memory.get()), *condition.at(p) ? x.at(p) : y.at(p),
                    static_cast<size_t>(width));
    });
    SelectJob job{out.memory.get() + out.start,
                  condition.memory.get() + condition.start,
                  x.memory.get() + x.start,
                  y.memory.get() + y.start,
                  width,
                  {}};
    for (size_t a = 0; a < sizes.size(); ++a)
        job.axes.add(sizes[a], {out.strides[a], condition.strides[a], x.strides[a], y.strides[a]});
    select(job);
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
