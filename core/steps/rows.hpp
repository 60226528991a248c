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

// Calls body(offsets, first, size) for each piece. `stream`: the body writes around the cache and leaves it to this to
// wait.
template <int N, class Body>
void for_row_pieces(const Axes<N>& outer, int64_t count, int64_t piece, int64_t total_bytes, bool stream, Body&& body) {
    for_ranges(RowPieces<N>::tasks(outer, count, piece), total_bytes, [&](int64_t begin, int64_t end) {
        RowPieces<N> at(outer, count, piece, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) body(at.offset(), at.first(), at.size());
        if (stream) settle_streams();
    });
}

}  // namespace wherry
