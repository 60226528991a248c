// A pool of threads for moves. The caller works too and never waits for a thread that has not begun: on a busy machine
// that one may not get a core for several milliseconds, which the barrier of an OpenMP team waits for.
#include "parallel.hpp"

#include "layout/numbers.hpp"
#include "tune/machine.hpp"
#include "tune/thresholds.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#define WHERRY_POSIX 1
#endif
#ifdef __linux__
#include <sched.h>
#include <time.h>
#endif

namespace wherry {
namespace {

// Moves of fewer bytes are not shared. (A fuzzer's moves are all small: it sets another number.)
#ifdef WHERRY_PARALLEL_BYTES
int64_t parallel_bytes() { return WHERRY_PARALLEL_BYTES; }
#else
int64_t parallel_bytes() { return machine().wake; }
#endif
constexpr int64_t kRangesEach = 8;  // ranges for each thread, so that none waits long for another
constexpr int kCaller = 0;          // the caller's number among the threads of a job; helpers count from 1
constexpr int kMostHelpers = 1023;
constexpr int kApart = 7;  // helpers that are kept off the caller's core

std::atomic<int> wanted_threads{0};
thread_local Watch* watching = nullptr;
thread_local Record* recording = nullptr;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

struct Job {
    RangeFunction function;
    void* context;
    detail::Shares shares;
    int threads;
    Watch* watch;
};

// The range of a part that is taken next, and whether its helper may be looking at the job, in a line of their own. The
// latter is a hint only: what holds is the pool's count.
struct alignas(tune::kLine) Next {
    std::atomic<int64_t> range{0};
    std::atomic<bool> is_active{false};
};

void deal_out(const Job& job, Next* next) {
    for (int k = 0; k < job.shares.parts; ++k) next[k].range.store(job.shares.first_of(k), std::memory_order_relaxed);
}

// Takes the ranges of the thread's own part and then what others have left of theirs, until none is left or the job is
// given up.
void take_ranges(const Job& job, Next* next, int own) {
    const int parts = job.shares.parts;
    for (int k = 0; k < parts; ++k) {
        const int whose = (own + k) % parts;
        const int64_t end = job.shares.first_of(whose + 1);
        std::atomic<int64_t>& first = next[whose].range;
        while (first.load(std::memory_order_relaxed) < end) {
            if (job.watch && (own == kCaller ? job.watch->ask() : job.watch->gave_up())) return;
            const int64_t range = first.fetch_add(1, std::memory_order_relaxed);
            if (range >= end) break;
            job.function(job.context, job.shares.begin(range), job.shares.begin(range + 1));
        }
    }
}

class Pool {
public:
    // False if the pool is busy: the caller then does all the work itself.
    bool run(const Job& job) {
        if (busy_.exchange(true, std::memory_order_acquire)) return false;
        start_threads(job.threads - 1);
        job_ = job;
        deal_out(job, next_);
        turn_.fetch_add(1);  // odd: open
        if (asleep_.load() > 0) {
            keep_apart();
            turn_.notify_all();
        }
        take_ranges(job, next_, kCaller);
        turn_.fetch_add(1);
        wait_for_helpers();
        busy_.store(false, std::memory_order_release);
        return true;
    }

private:
    // A helper counts itself in before it compares the turn, and the caller closes the turn before it reads the count:
    // the job stays valid until every helper that works on it has counted itself out.
    void help(uint32_t turn, int own) {
        active_.fetch_add(1);
        next_[own].is_active.store(true, std::memory_order_relaxed);
        if (turn_.load() == turn && own < job_.threads) take_ranges(job_, next_, own);
        next_[own].is_active.store(false, std::memory_order_relaxed);
        active_.fetch_sub(1);
        active_.notify_one();
    }

    void wait_for_helpers() {
        if (are_done_soon()) return;
        fetch_helpers();
        for (int count; (count = active_.load()) != 0;) active_.wait(count);
        if (are_fetched_.exchange(false)) keep_apart();
    }

    bool are_done_soon() {
        for (int spins = 0; spins < tune::kSpins; ++spins) {
            if (active_.load() == 0) return true;
            pause();
        }
        return false;
    }

    void live(int own) {
        uint32_t seen = 0;
        for (;;) {
            uint32_t turn = turn_.load();
            const int most_spins = are_fetched_.load() ? 0 : tune::kHelperSpins;  // the caller needs its core
            for (int spins = 0; spins < most_spins && (turn == seen || turn % 2 == 0); ++spins) {
                pause();
                turn = turn_.load();
            }
            if (turn == seen || turn % 2 == 0) {
                asleep_.fetch_add(1);
                turn_.wait(turn);
                asleep_.fetch_sub(1);
                continue;
            }
            seen = turn;
            help(turn, own);
        }
    }

#ifdef __linux__
    // The caller's core and the others that it may use; false if there are none, or so many helpers that the machine
    // has an idle core anyway.
    bool read_cores(cpu_set_t& here, cpu_set_t& others) const {
        if (threads_ > kApart) return false;
        const int core = sched_getcpu();
        if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof(others), &others) != 0) return false;
        CPU_ZERO(&here);
        CPU_SET(core, &here);
        CPU_CLR(core, &others);
        return CPU_COUNT(&others) > 0;
    }

    // Nanoseconds that a helper has run.
    int64_t time_of(int helper) const {
        clockid_t clock;
        timespec time;
        if (pthread_getcpuclockid(handles_[helper], &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
        return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
#endif

    // Linux may wake a thread on the core of the thread that wakes it, where it waits until that one is done, some
    // milliseconds at worst: helpers are bound to the other cores.
    void keep_apart() {
#ifdef __linux__
        cpu_set_t here, others;
        if (!read_cores(here, others)) return;
        for (int k = 0; k < threads_; ++k) pthread_setaffinity_np(handles_[k], sizeof(others), &others);
#endif
    }

    // A thread of another library that looks for work on a helper's core leaves it none until the next tick of the
    // scheduler, 4 ms at worst. While the caller has nothing to do but wait, a helper that stands still goes on on the
    // caller's core.
    void fetch_helpers() {
#ifdef __linux__
        cpu_set_t here, others;
        if (!read_cores(here, others)) return;
        int64_t before[kApart];
        for (int look = 0; look < tune::kLooks && !are_fetched_.load(); ++look) {
            for (int k = 0; k < threads_; ++k) before[k] = time_of(k);
            if (are_done_soon()) return;
            for (int k = 0; k < threads_; ++k) {
                if (!next_[k + 1].is_active.load(std::memory_order_relaxed) || time_of(k) != before[k]) continue;
                are_fetched_.store(true);
                pthread_setaffinity_np(handles_[k], sizeof(here), &here);
            }
        }
#endif
    }

    void start_threads(int count) {
        if (threads_ >= count) return;
#ifdef WHERRY_POSIX
        // The pool's threads take no signals: those are for the application's own threads.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
#endif
        try {
            for (; threads_ < count; ++threads_) {
                std::thread thread([this, own = threads_ + 1] { live(own); });
                if (threads_ < kApart) handles_[threads_] = thread.native_handle();
                thread.detach();
            }
        } catch (const std::system_error&) {  // the system allows no more threads: the pool does with those it has
        }
#ifdef WHERRY_POSIX
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
#endif
    }

    std::atomic<bool> busy_{false};
    // What many threads look at and what they change lie in lines of their own: helpers without work read the turn all
    // the time.
    alignas(tune::kLine) std::atomic<uint32_t> turn_{0};  // odd while a job is open
    alignas(tune::kLine) std::atomic<int> active_{0};     // helpers that may be looking at the job
    std::atomic<int> asleep_{0};
    std::atomic<bool> are_fetched_{false};  // helpers, to the core of the caller
    Next next_[kMostHelpers + 1];
    alignas(tune::kLine) Job job_{nullptr, nullptr, {1, 1, 1}, 1, nullptr};
    int threads_ = 0;
    std::thread::native_handle_type handles_[kApart];
};

// Never destroyed: threads sleep in it until the process ends.
alignas(Pool) char pool_memory[sizeof(Pool)];
Pool* pool = new (pool_memory) Pool;

#ifdef WHERRY_POSIX
// A forked child has none of its parent's threads; it gets its own.
const int fork_handler = pthread_atfork(nullptr, nullptr, [] { pool = new (pool_memory) Pool; });
#endif

int default_threads() {
    if (const char* text = std::getenv("OMP_NUM_THREADS")) {
        const int threads = std::atoi(text);
        if (threads > 0) return threads;
    }
    return static_cast<int>(machine().cores);
}

}  // namespace

void set_num_threads(int n) { wanted_threads.store(n); }

int get_num_threads() {
    const int wanted = wanted_threads.load(std::memory_order_relaxed);
    if (wanted > 0) return wanted;
    static const int otherwise = default_threads();
    return otherwise;
}

Watch::Watch(bool (*goes_on)(void*), void* context) : goes_on_(goes_on), context_(context), outer_(watching) {
    watching = this;
}

Watch::~Watch() { watching = outer_; }

bool Watch::ask() {
    if (gave_up()) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(tune::kAskMilliseconds)) return false;
    if (!goes_on_(context_)) given_up_.store(true, std::memory_order_relaxed);
    asked_ = std::chrono::steady_clock::now();
    return gave_up();
}

bool is_given_up() { return watching && watching->gave_up(); }

Record::Record() : outer_(recording) { recording = this; }

Record::~Record() { recording = outer_; }

void Record::run(int threads, const detail::Shares& shares, RangeFunction function, void* context) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    Job job{threads, 0, {}};
    is_inside_ = true;
    const auto first = Clock::now();
    for (int64_t range = 0; range < shares.count; ++range) {
        const auto begin = Clock::now();
        function(context, shares.begin(range), shares.begin(range + 1));
        job.seconds.push_back(since(begin));
    }
    job.whole = since(first);
    is_inside_ = false;
    jobs.push_back(std::move(job));
}

namespace detail {

bool is_watched(int64_t bytes) { return watching && bytes > tune::kAskBytes; }

int threads_for(int64_t tasks, int64_t bytes) {
    const int64_t parallel = parallel_bytes();
    if (bytes < parallel || tasks < 2) return 1;
    const int64_t by_bytes = bytes / most(1, parallel / 2);
    int64_t threads = get_num_threads();
    if (threads > by_bytes) threads = by_bytes;
    if (threads > tasks) threads = tasks;
    return static_cast<int>(threads < kMostHelpers ? threads : kMostHelpers + 1);
}

Shares shares_of(int64_t tasks, int threads, int64_t bytes, Ranges ranges) {
    int64_t count = ranges == Ranges::many ? threads * kRangesEach : threads;
    if (ranges == Ranges::many && is_watched(bytes)) count = most(count, bytes / tune::kAskBytes);
    return {tasks, count, bytes <= machine().parted ? threads : 1};
}

void run_ranges(int64_t tasks, int threads, int64_t bytes, Ranges ranges, RangeFunction function, void* context) {
    if (threads > 1 && recording && !recording->is_inside()) {
        recording->run(threads, shares_of(tasks, threads, bytes, ranges), function, context);
        return;
    }
    if (threads > 1 && !recording &&
        pool->run({function, context, shares_of(tasks, threads, bytes, ranges), threads, watching}))
        return;
    const bool is_asked = ranges == Ranges::many && watching;
    const Shares shares = is_asked ? shares_of(tasks, 1, bytes, ranges) : Shares{tasks, 1, 1};
    Next next;
    take_ranges({function, context, shares, 1, watching}, &next, kCaller);
}

}  // namespace detail
}  // namespace wherry
