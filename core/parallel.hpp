// Splitting work over threads: ranges of tasks, by the bytes they move.
#pragma once

#include <cstdint>

namespace wherry {

// 0 goes back to the default: OMP_NUM_THREADS, or the cores that the process may use.
void set_num_threads(int n);
int get_num_threads();

using RangeFunction = void (*)(void* context, int64_t begin, int64_t end);

// How tasks are dealt out: in many small ranges, so that a thread that is held up leaves the rest to the others, or in
// one range for each thread, where a range costs something of its own.
enum class Ranges { many, one_each };

namespace detail {
int threads_for(int64_t tasks, int64_t bytes);
void run_ranges(int64_t tasks, int threads, Ranges ranges, RangeFunction function, void* context);
}  // namespace detail

// Calls body(begin, end) for ranges that cover [0, tasks); ranges may run at the same time.
template <class Body>
inline void for_ranges(int64_t tasks, int64_t bytes, Body&& body, Ranges ranges = Ranges::many) {
    const int threads = detail::threads_for(tasks, bytes);
    if (threads <= 1) {
        body(int64_t{0}, tasks);
        return;
    }
    detail::run_ranges(
        tasks, threads, ranges,
        [](void* context, int64_t begin, int64_t end) { (*static_cast<Body*>(context))(begin, end); }, &body);
}

}  // namespace wherry
