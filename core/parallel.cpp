// Threads by OpenMP where it was found; alone otherwise, for little work, and in a forked child.
#include "parallel.hpp"

#include <atomic>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define WHERRY_HAS_FORK 1
#endif

namespace wherry {
namespace {

// Below this, waking a thread costs more than it saves.
constexpr int64_t kParallelBytes = 256 * 1024;

std::atomic<int> wanted_threads{0};
std::atomic<bool> forked{false};

#ifdef WHERRY_HAS_FORK
// GNU OpenMP keeps its thread pool in the parent and waits for it for ever in a child.
const int fork_handler = pthread_atfork(nullptr, nullptr, [] { forked.store(true); });
#endif

}  // namespace

void set_num_threads(int n) { wanted_threads.store(n); }

int get_num_threads() {
#ifdef _OPENMP
    if (forked.load(std::memory_order_relaxed)) return 1;
    const int wanted = wanted_threads.load(std::memory_order_relaxed);
    return wanted > 0 ? wanted : omp_get_max_threads();
#else
    return 1;
#endif
}

namespace detail {

int threads_for(int64_t tasks, int64_t bytes) {
    if (bytes < kParallelBytes || tasks < 2) return 1;
#ifdef _OPENMP
    if (omp_in_parallel()) return 1;
#endif
    const int64_t by_bytes = bytes / (kParallelBytes / 2);
    int64_t threads = get_num_threads();
    if (threads > by_bytes) threads = by_bytes;
    if (threads > tasks) threads = tasks;
    return static_cast<int>(threads);
}

void run_ranges(int64_t tasks, int threads, RangeFunction function, void* context) {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    {
        // The runtime may give fewer threads than asked for.
        const int64_t team = omp_get_num_threads(), me = omp_get_thread_num();
        const int64_t share = tasks / team, rest = tasks % team;
        const int64_t begin = me * share + (me < rest ? me : rest);
        const int64_t end = begin + share + (me < rest ? 1 : 0);
        if (begin < end) function(context, begin, end);
    }
#else
    (void)threads;
    function(context, 0, tasks);
#endif
}

}  // namespace detail
}  // namespace wherry
