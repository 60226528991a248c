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

// Rows whose elements are of these widths, and read or written by kernels that take any steps. Rows that are short cost
// more to begin than their elements do: several of them are then one piece, and operands that do not lie packed in it
// are brought together in memory of the thread, from which operand 0, where it is written, goes back.
template <int N>
struct ElementRows {
    int64_t step[N];  // in a piece, as kernels get it
    int64_t count;    // the most elements of a piece that lie in a row

    void prepare(const Axes<N>& axes, int64_t most, int64_t bytes, const int64_t (&widths)[N], bool writes) {
        rows_.prepare(axes, most, bytes);
        columns_ = 1, writes_ = writes, count = rows_.count;
        for (int k = 0; k < N; ++k) step[k] = rows_.step[k];
        bool fits = rows_.count < tune::kShortRow && !rows_.outer.empty && rows_.outer.ndim > 0;
        for (const int64_t width : widths) fits &= width <= kWidest;
        if (fits) join(widths);
    }

    int64_t total_bytes() const { return rows_.total_bytes; }
    // Whether the result of a piece lies where it is to lie in the end.
    bool is_in_place() const { return columns_ == 1 || is_packed_[0]; }

    template <class Body>
    void run(char* const (&start)[N], bool stream, Body&& body) const {
        if (columns_ == 1) return rows_.run(start, stream, body);
        rows_.run(start, stream, [&](char* const* at, int64_t lines) {
            alignas(64) char stages[N][kStageElements * kWidest];
            char* packed[N];
            for (int k = 0; k < N; ++k) {
                packed[k] = is_packed_[k] ? at[k] : stages[k];
                if (!is_packed_[k] && (k > 0 || !writes_)) move(k, stages[k], true, at[k], lines);
            }
            body(packed, lines * columns_);
            if (!is_packed_[0] && writes_) move(0, stages[0], false, at[0], lines);
        });
    }

private:
    static constexpr int64_t kStageElements = tune::kCalculateStage, kWidest = 16;

    void join(const int64_t (&widths)[N]) {
        Axes<N>& outer = rows_.outer;
        const int last = outer.ndim - 1;
        columns_ = rows_.count;
        rows_.count = outer.size[last];
        rows_.piece = kStageElements / columns_;
        count = least(rows_.piece, rows_.count) * columns_;
        for (int k = 0; k < N; ++k) {
            column_step_[k] = rows_.step[k];
            rows_.step[k] = outer.stride[last][k];
            step[k] = width_[k] = widths[k];
            is_packed_[k] = column_step_[k] == widths[k] && rows_.step[k] == columns_ * widths[k];
            copy_[k] = block_kernels().copy(widths[k]);
        }
        outer.remove(last);
    }

    void move(int k, char* stage, bool reads, char* there, int64_t lines) const {
        CopyBlock block{};
        block.rows = lines, block.columns = columns_, block.bytes = width_[k];
        block.dst = reads ? stage : there, block.src = reads ? there : stage;
        (reads ? block.dst_row : block.src_row) = columns_ * width_[k];
        (reads ? block.dst_column : block.src_column) = width_[k];
        (reads ? block.src_row : block.dst_row) = rows_.step[k];
        (reads ? block.src_column : block.dst_column) = column_step_[k];
        copy_[k](block);
    }

    Rows<N> rows_;  // of elements, or of short rows
    int64_t columns_;
    bool writes_;
    int64_t column_step_[N], width_[N];
    bool is_packed_[N];
    CopyKernel copy_[N];
};

}  // namespace wherry
