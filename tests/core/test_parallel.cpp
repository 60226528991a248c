// The pool of threads: every task once, whoever calls and how many at once.
#include <atomic>
#include <thread>

#include "../../core/parallel.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

constexpr int64_t kLarge = int64_t{1} << 40;  // bytes that make any number of tasks worth all threads

void covers_once(int64_t tasks, Ranges ranges) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(tasks));
    std::atomic<int> calls{0};
    for_ranges(
        tasks, kLarge,
        [&](int64_t begin, int64_t end) {
            calls.fetch_add(1);
            for (int64_t task = begin; task < end; ++task) seen[static_cast<size_t>(task)].fetch_add(1);
        },
        ranges);
    bool once = true;
    for (const auto& count : seen) once &= count.load() == 1;
    CHECK(once, "each task runs once");
    if (ranges == Ranges::one_each) CHECK(calls.load() <= get_num_threads(), "one range for each thread");
}

void from_several_threads() {
    std::vector<std::thread> callers;
    std::atomic<int64_t> sum{0};
    for (int k = 0; k < 4; ++k)
        callers.emplace_back([&] {
            for (int round = 0; round < 200; ++round)
                for_ranges(100, kLarge, [&](int64_t begin, int64_t end) { sum.fetch_add(end - begin); });
        });
    for (auto& caller : callers) caller.join();
    CHECK(sum.load() == 4 * 200 * 100, "callers do not disturb each other");
}

void nested() {
    std::atomic<int64_t> sum{0};
    for_ranges(10, kLarge, [&](int64_t begin, int64_t end) {
        for (; begin < end; ++begin)
            for_ranges(10, kLarge, [&](int64_t from, int64_t to) { sum.fetch_add(to - from); });
    });
    CHECK(sum.load() == 100, "a move inside a move");
}

}  // namespace

void test_parallel() {
    for (int threads : {1, 2, 3, 9}) {
        set_num_threads(threads);
        for (int64_t tasks : {1, 2, 3, 7, 64, 1000})
            for (Ranges ranges : {Ranges::many, Ranges::one_each}) covers_once(tasks, ranges);
        from_several_threads();
        nested();
    }
    bool idle = true;
    for_ranges(0, 0, [&](int64_t begin, int64_t end) { idle &= begin == end; });
    CHECK(idle, "no task is no work");
}
