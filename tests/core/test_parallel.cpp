// The pool of threads: every task once, whoever calls and how many at once.
#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "../../core/parallel.hpp"
#include "../../core/tune/thresholds.hpp"
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

// The greatest part of all tasks that one of some threads takes, as long as tasks take equally long: of one part for
// all each thread takes another range when it is done with its last.
int64_t greatest_part(const detail::Shares& shares, int threads) {
    std::vector<int64_t> parts(static_cast<size_t>(threads));
    if (shares.parts > 1) {
        for (int k = 0; k < shares.parts; ++k)
            parts[static_cast<size_t>(k)] = shares.begin(shares.first_of(k + 1)) - shares.begin(shares.first_of(k));
        return *std::max_element(parts.begin(), parts.end());
    }
    for (int64_t range = 0; range < shares.count; ++range)
        *std::min_element(parts.begin(), parts.end()) += shares.begin(range + 1) - shares.begin(range);
    return *std::max_element(parts.begin(), parts.end());
}

// What up to 64 threads get of moves of 1 kB to 100 MB, by the code that deals out the ranges.
void shares_are_equal() {
    for (int wanted = 2; wanted <= 64; ++wanted) {
        set_num_threads(wanted);
        for (int64_t bytes = 1000; bytes <= 100'000'000; bytes = bytes * 3 / 2)
            for (int64_t task : {tune::kThinTaskBytes, tune::kTaskBytes}) {
                const int64_t tasks = (bytes + task - 1) / task;
                const int threads = detail::threads_for(tasks, bytes);
                CHECK(threads >= 1 && threads <= wanted && threads <= tasks, "no thread without a task");
                for (const auto& [ranges, parts] :
                     {std::pair{Ranges::many, threads}, std::pair{Ranges::many, 1},
                      std::pair{Ranges::one_each, threads}, std::pair{Ranges::one_each, 1}}) {
                    detail::Shares shares = detail::shares_of(tasks, threads, bytes, ranges);
                    shares.parts = parts;
                    CHECK(shares.begin(0) == 0 && shares.begin(shares.count) == tasks, "the ranges cover the tasks");
                    CHECK(shares.count <= int64_t{8} * threads, "what threads do one after another does not grow");
                    const int64_t part = greatest_part(shares, threads);
                    CHECK(part <= tasks / threads + 1 + shares.length, "no part is larger by more than one range");
                    if (tasks >= 32 * threads)
                        CHECK(10 * part * threads <= 11 * tasks, "parts of many tasks are equal");
                    if (shares.parts > 1 && shares.count % shares.parts == 0)
                        CHECK(part <= tasks / threads + 1, "no thread's own part is larger by more than one task");
                }
            }
    }
}

}  // namespace

void test_parallel() {
    shares_are_equal();
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
