// NonZero: each thread counts pieces of the tensor, and then writes what it found of each where that belongs.
#include "nonzero.hpp"

#include <cstring>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

// Positions in order: base + each of these numbers.
struct Positions {
    int64_t base;
    int32_t number[tune::kMarks + kLocateRoom];
    int64_t count;

    // The end of those from n on that lie before `end`.
    int64_t until(int64_t n, int64_t end) const {
        if (base + number[count - 1] < end) return count;
        while (base + number[n] < end) ++n;
        return n;
    }
};

// Coordinates on an axis of `size` with so many positions `behind` each of its own. There is a division only where a
// row begins.
template <class T>
void find_coordinates(const Positions& at, int64_t size, int64_t behind, T* out) {
    const int64_t run = behind == 1 ? size : behind;
    for (int64_t n = 0; n < at.count;) {
        const int64_t row = (at.base + at.number[n]) / run, end = at.until(n, (row + 1) * run);
        if (behind == 1)
            for (const int64_t inside = at.base - row * run; n < end; ++n)
                out[n] = static_cast<T>(inside + at.number[n]);
        else
            for (const T same = static_cast<T>(row % size); n < end; ++n) out[n] = same;
    }
}

template <class T>
void write_as(const Coordinates& to, int64_t first, const Positions& at, bool stream) {
    alignas(64) T coordinates[tune::kMarks];
    char* out = to.out + first * to.entry_step;
    for (int64_t a = to.ndim - 1, behind = 1; a >= 0; behind *= to.sizes[a--]) {
        find_coordinates(at, to.sizes[a], behind, coordinates);
        char* row = out + a * to.axis_step;
        if (to.entry_step == to.width)
            block_kernels().move(row, reinterpret_cast<const char*>(coordinates), at.count * to.width, stream);
        else
            for (int64_t n = 0; n < at.count; ++n) std::memcpy(row + n * to.entry_step, coordinates + n, sizeof(T));
    }
}

// The coordinates of positions, as entries from `first` on.
void write_entries(const Coordinates& to, int64_t first, const Positions& at, bool stream) {
    to.width == 4 ? write_as<int32_t>(to, first, at, stream) : write_as<int64_t>(to, first, at, stream);
}

}  // namespace

NonZeroSearch::NonZeroSearch(const NonZeroData& data)
    : mark_(block_kernels().mark(data.width)),
      data_(data),
      step_(data.width),
      count_(data.axes.count()),
      begin_(static_cast<size_t>(pieces(count_, tune::kSearchElements)) + 1) {
    Axes<1>& axes = data_.axes;
    merge_neighbours(axes);
    if (axes.ndim == 0) return;
    row_ = axes.size[axes.ndim - 1];
    step_ = axes.stride[axes.ndim - 1][0];
    axes.remove(axes.ndim - 1);
}

int64_t NonZeroSearch::mark(int64_t first, int64_t count, char* marks) const {
    Outer<1> row(data_.axes, first / row_);
    int64_t found = 0;
    for (int64_t at = first % row_; count > 0; at = 0, row.next()) {
        const int64_t inside = least(row_ - at, count);
        const char* start = data_.start + row.offset[0] + at * step_;
        found += mark_({start, step_, inside, data_.mask, marks});
        marks += inside;
        count -= inside;
    }
    return found;
}

int64_t NonZeroSearch::look() {
    for_ranges(pieces(count_, tune::kSearchElements), count_ * data_.width, [&](int64_t from, int64_t to) {
        char marks[tune::kMarks];
        for (int64_t k = from; k < to; ++k) {
            const int64_t end = least((k + 1) * tune::kSearchElements, count_);
            int64_t& found = begin_[static_cast<size_t>(k) + 1] = 0;
            for (int64_t first = k * tune::kSearchElements; first < end; first += tune::kMarks)
                found += mark(first, least(tune::kMarks, end - first), marks);
        }
    });
    for (size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    return begin_.back();
}

void NonZeroSearch::write(const Coordinates& to) const {
    const int64_t written = begin_.back() * to.width * to.ndim;
    const bool stream = written >= machine().stream_far;
    for_ranges(pieces(count_, tune::kSearchElements), count_ * data_.width + written, [&](int64_t from, int64_t until) {
        char marks[tune::kMarks];
        Positions at;
        for (int64_t k = from; k < until; ++k) {
            const int64_t end = least((k + 1) * tune::kSearchElements, count_);
            int64_t entry = begin_[static_cast<size_t>(k)], room = begin_[static_cast<size_t>(k) + 1] - entry;
            for (at.base = k * tune::kSearchElements; at.base < end && room > 0; at.base += tune::kMarks) {
                const int64_t count = least(tune::kMarks, end - at.base);
                mark(at.base, count, marks);
                at.count = least(room, block_kernels().locate(marks, count, at.number));
                if (at.count > 0) write_entries(to, entry, at, stream);
                entry += at.count;
                room -= at.count;
            }
            at.base = at.number[0] = 0;
            at.count = 1;
            for (; room > 0; --room, ++entry) write_entries(to, entry, at, false);
        }
        if (stream) settle_streams();
    });
}

}  // namespace wherry
