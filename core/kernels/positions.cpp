// NonZero: each thread counts pieces of the tensor, and then writes what it found of each where that belongs.
#include "positions.hpp"

#include <cstring>

#include "../layout/iterate.hpp"
#include "../parallel.hpp"
#include "blocks.hpp"
#include "numbers.hpp"

namespace wherry {
namespace {

constexpr int64_t kPiece = 32 * 1024;  // elements
constexpr int64_t kBlock = 4096;       // elements whose marks are looked at together, in the cache

// Marks of `count` elements from position `first` on; returns how many are set.
int64_t read_marks(const NonZeroData& data, int64_t first, int64_t count, char* marks) {
    Axes<1> outer = data.axes;
    const int last = outer.ndim - 1;
    const int64_t size = last < 0 ? 1 : outer.size[last], step = last < 0 ? data.width : outer.stride[last][0];
    if (last >= 0) outer.remove(last);
    Outer<1> row(outer, first / size);
    int64_t found = 0;
    for (int64_t at = first % size; count > 0; at = 0, row.next()) {
        const int64_t inside = least(size - at, count);
        found += block_kernels().mark(
            {data.start + row.offset[0] + at * step, step, inside, data.width, data.mask, marks});
        marks += inside;
        count -= inside;
    }
    return found;
}

// Writes position - `begin` of each, or the same number for all, at steps of `step` bytes.
template <class T>
void write_inside(char* out, int64_t step, const int64_t* positions, int64_t count, int64_t begin) {
    for (int64_t n = 0; n < count; ++n) {
        const T value = static_cast<T>(positions[n] - begin);
        std::memcpy(out + n * step, &value, sizeof(T));
    }
}

template <class T>
void write_same(char* out, int64_t step, int64_t count, int64_t number) {
    const T value = static_cast<T>(number);
    for (int64_t n = 0; n < count; ++n) std::memcpy(out + n * step, &value, sizeof(T));
}

// The coordinates of `count` positions in order, as entries from `first` on.
template <class T>
void write_coordinates(const Coordinates& to, int64_t first, const int64_t* positions, int64_t count) {
    const int last = to.ndim - 1;
    char* out = to.out + first * to.entry_step;
    for (int64_t n = 0; n < count;) {
        int64_t row = positions[n] / to.sizes[last];
        const int64_t begin = row * to.sizes[last], end = begin + to.sizes[last];
        int64_t same = n + 1;
        while (same < count && positions[same] < end) ++same;
        char* entry = out + n * to.entry_step;
        write_inside<T>(entry + last * to.axis_step, to.entry_step, positions + n, same - n, begin);
        for (int a = last - 1; a >= 0; --a) {
            write_same<T>(entry + a * to.axis_step, to.entry_step, same - n, row % to.sizes[a]);
            row /= to.sizes[a];
        }
        n = same;
    }
}

void write_any(const Coordinates& to, int64_t first, const int64_t* positions, int64_t count) {
    if (to.ndim == 0) return;
    return to.width == 4 ? write_coordinates<int32_t>(to, first, positions, count)
                         : write_coordinates<int64_t>(to, first, positions, count);
}

}  // namespace

NonZeroSearch::NonZeroSearch(const NonZeroData& data)
    : data_(data), count_(data.axes.count()), begin_(static_cast<size_t>(pieces(count_, kPiece)) + 1) {
    merge_neighbours(data_.axes);
}

int64_t NonZeroSearch::look() {
    for_ranges(pieces(count_, kPiece), count_ * data_.width, [&](int64_t from, int64_t to) {
        char marks[kBlock];
        for (int64_t k = from; k < to; ++k) {
            const int64_t end = least((k + 1) * kPiece, count_);
            int64_t& found = begin_[static_cast<size_t>(k) + 1] = 0;
            for (int64_t first = k * kPiece; first < end; first += kBlock)
                found += read_marks(data_, first, least(kBlock, end - first), marks);
        }
    });
    for (size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    return begin_.back();
}

void NonZeroSearch::write(const Coordinates& to) const {
    const int64_t bytes = count_ * data_.width + begin_.back() * to.width * to.ndim;
    for_ranges(pieces(count_, kPiece), bytes, [&](int64_t from, int64_t until) {
        char marks[kBlock];
        int64_t positions[kBlock + kPickRoom];
        for (int64_t k = from; k < until; ++k) {
            const int64_t end = least((k + 1) * kPiece, count_);
            int64_t entry = begin_[static_cast<size_t>(k)], room = begin_[static_cast<size_t>(k) + 1] - entry;
            for (int64_t first = k * kPiece; first < end && room > 0; first += kBlock) {
                const int64_t count = least(kBlock, end - first);
                read_marks(data_, first, count, marks);
                const int64_t found = least(room, block_kernels().locate(marks, count, first, positions));
                write_any(to, entry, positions, found);
                entry += found;
                room -= found;
            }
            for (positions[0] = 0; room > 0; --room, ++entry) write_any(to, entry, positions, 1);
        }
    });
}

}  // namespace wherry
