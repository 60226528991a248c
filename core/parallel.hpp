// Splitting work over threads: ranges of tasks, by the bytes they move.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace wherry {

// 0 goes back to the default: OMP_NUM_THREADS, or the cores that the process may use.
void set_num_threads(int n);
int get_num_threads();

using RangeFunction = void (*)(void* context, int64_t begin, int64_t end);

// How tasks are dealt out: each thread has a part of its own, the same each time, in many small ranges, so that one
// that is held up leaves the rest to the others; or in one range for each thread, where a range costs something of its
// own.
enum class Ranges { many, one_each };

// Long work that may be given up: between ranges the calling thread asks, every few milliseconds, whether to go on.
// What is left is then not done. One of a thread is in force at a time, the innermost.
class Watch {
public:
    Watch(bool (*goes_on)(void*), void* context);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    bool gave_up() const { return given_up_.load(std::memory_order_relaxed); }
    // Only on the thread that made it.
    bool ask();

private:
    bool (*goes_on_)(void*);
    void* context_;
    Watch* outer_;
    std::atomic<bool> given_up_{false};
    std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

// Whether the work of this thread is given up: what it has made is then not to be used.
bool is_given_up();

namespace detail {
// Tasks in ranges, whose lengths differ by one at most, and these in parts: one for each thread, or one for all.
struct Shares {
    Shares(int64_t tasks, int64_t most, int parts)
        : count(most < tasks ? most
                : tasks > 0  ? tasks
                             : 1),
          length(tasks / count),
          longer(tasks % count),
          parts(parts) {}

    // The first task of a range. Of one part the longer ranges come first, so that the last ones are short; of several
    // they are spread, or one part would have them all.
    int64_t begin(int64_t range) const {
        const int64_t before = range < longer ? range : longer;
        return range * length + (parts == 1 ? before : range * longer / count);
    }
    // The first range of a part.
    int64_t first_of(int part) const { return part * count / parts; }

    int64_t count;
    int64_t length, longer;  // so many ranges have one task more
    int parts;
};

// What moves of so many bytes are dealt out in.
Shares shares_of(int64_t tasks, int threads, int64_t bytes, Ranges ranges);
// Whether moves of so many bytes are cut into ranges for a watch.
bool is_watched(int64_t bytes);
int threads_for(int64_t tasks, int64_t bytes);
void run_ranges(int64_t tasks, int threads, int64_t bytes, Ranges ranges, RangeFunction function, void* context);
}  // namespace detail

// What tells how moves would do with more cores than there are: while one is in force, what this thread would share
// with others it does alone, range by range, as these are dealt out to so many threads, and keeps the time of each. One
// of a thread is in force at a time, the innermost.
class Record {
public:
    struct Job {
        int threads;
        double whole;                 // seconds, with what it takes to time them
        std::vector<double> seconds;  // of each range
    };

    Record();
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    void run(int threads, const detail::Shares& shares, RangeFunction function, void* context);
    // What runs inside a range shares nothing.
    bool is_inside() const { return is_inside_; }

    std::vector<Job> jobs;

private:
    Record* outer_;
    bool is_inside_ = false;
};

// Calls body(begin, end) for ranges that cover [0, tasks); ranges may run at the same time.
template <class Body>
inline void for_ranges(int64_t tasks, int64_t bytes, Body&& body, Ranges ranges = Ranges::many) {
    const int threads = detail::threads_for(tasks, bytes);
    if (threads <= 1 && !detail::is_watched(bytes)) {
        body(int64_t{0}, tasks);
        return;
    }
    detail::run_ranges(
        tasks, threads, bytes, ranges,
        [](void* context, int64_t begin, int64_t end) { (*static_cast<Body*>(context))(begin, end); }, &body);
}

}  // namespace wherry
