// Rows of any strides, cut into pieces for the threads.
#pragma once

#include "../layout/iterate.hpp"
#include "../parallel.hpp"
#include "numbers.hpp"
#include "stage.hpp"

namespace wherry {

// Calls body(offsets, first, n) for positions first..first+n-1 of each of the rows that `outer` walks, `piece` of their
// `count` positions at once; offsets are those of the row, one for each operand. `stream`: the body writes around the
// cache and leaves it to this to wait.
template <int N, class Body>
void for_row_pieces(const Axes<N>& outer, int64_t count, int64_t piece, int64_t total_bytes, bool stream, Body&& body) {
    const int64_t per_row = pieces(count, piece);
    for_ranges(outer.count() * per_row, total_bytes, [&](int64_t begin, int64_t end) {
        Outer<N> at(outer, begin / per_row);
        int64_t inside = begin % per_row;
        for (int64_t task = begin; task < end; ++task) {
            const int64_t first = inside * piece;
            body(at.offset, first, least(piece, count - first));
            if (++inside == per_row) {
                inside = 0;
                at.next();
            }
        }
        if (stream) settle_streams();
    });
}

}  // namespace wherry
