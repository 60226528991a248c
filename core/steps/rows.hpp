// Rows of any strides, cut into pieces for the threads.
#pragma once

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "stage.hpp"

namespace wherry {

// One piece after the other: positions first()..first()+size()-1 of the row at `offset`, one for each operand. There
// are `count` positions in each of the rows that `outer` walks, `piece` of them at once.
template <int N>
class RowPieces {
public:
    RowPieces(const Axes<N>& outer, int64_t count, int64_t piece, int64_t start)
        : count_(count),
          piece_(piece),
          per_row_(pieces(count, piece)),
          at_(outer, start / per_row_),
          inside_(start % per_row_) {}

    static int64_t tasks(const Axes<N>& outer, int64_t count, int64_t piece) {
        return outer.count() * pieces(count, piece);
    }

    const int64_t* offset() const { return at_.offset; }
    int64_t first() const { return inside_ * piece_; }
    int64_t size() const { return least(piece_, count_ - first()); }

    void next() {
        if (++inside_ < per_row_) return;
        inside_ = 0;
        at_.next();
    }

private:
    int64_t count_, piece_, per_row_;
    Outer<N> at_;
    int64_t inside_;
};

// A move of elements that do not depend on each other, as rows along the axis that operand 0 steps most finely.
template <int N>
struct Rows {
    Axes<N> outer;
    int64_t count, step[N];  // of a row; a count of 0: there are no elements
    int64_t piece;           // positions for one task
    int64_t total_bytes;

    // `bytes`: of one element, where threads are chosen by what they move.
    void prepare(const Axes<N>& axes, int64_t most, int64_t bytes) {
        outer = axes;
        piece = most;
        count = axes.empty ? 0 : 1;
        for (int k = 0; k < N; ++k) step[k] = 0;
        if (axes.empty) return;
        collapse(outer);
        total_bytes = outer.count() * bytes;
        if (outer.ndim == 0) return;
        const int fine = outer.ndim - 1;
        count = outer.size[fine];
        for (int k = 0; k < N; ++k) step[k] = outer.stride[fine][k];
        outer.remove(fine);
    }

    // Calls body(at, size) for each piece, where its first elements lie and how many there are. `stream`: the body
    // writes around the cache, and its last writes are waited for here.
    template <class Body>
    void run(char* const (&start)[N], bool stream, Body&& body) const {
        if (count == 0) return;
        for_ranges(RowPieces<N>::tasks(outer, count, piece), total_bytes, [&](int64_t begin, int64_t end) {
            RowPieces<N> at(outer, count, piece, begin);
            for (int64_t task = begin; task < end; ++task, at.next()) {
                char* first[N];
                for (int k = 0; k < N; ++k)
                    first[k] = start[k] + outer.offset[k] + at.offset()[k] + at.first() * step[k];
                body(first, at.size());
            }
            if (stream) settle_streams();
        });
    }
};

}  // namespace wherry
