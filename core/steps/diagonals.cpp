// Diagonals of matrices filled, and what lies beside them copied, row by row in one pass:
// out[.., y, x] = value if (begin <= x - y < end) != inverted else data[.., y, x]
#include <utility>

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"
#include "step.hpp"

namespace wherry {
namespace {

int64_t within(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

struct DiagonalsStep final : Move {
    Spot out, data;
    bool has_data;  // otherwise what is there stays
    std::string value;
    int64_t rows, columns;
    int64_t begin, end;  // at least -rows, at most columns
    bool inverted;
    int64_t row_step[2], column_step[2];  // of out, data
    Axes<2> batch;                        // operands: out, data

    // ("diagonals", target, source or None, value, begin, end, inverted)
    void check(Fields& fields) override;
    void prepare() override;
    bool run(char* const* base) const override;

private:
    bool empty_, stream_;
    bool dense_[2];  // rows of out, and of data, follow each other without gaps
    int64_t total_bytes_;
    FillKernel fill_;
    CopyKernel copy_;

    int64_t width() const { return static_cast<int64_t>(value.size()); }
    int64_t alike(int64_t y, bool& inside) const;
    void write_row(char* to, const char* from, int64_t y) const;
    void write_part(char* to, const char* from, int64_t first, int64_t last, bool fill) const;
    void fill_run(char* to, int64_t count) const;
    void copy_run(char* to, const char* from, int64_t count) const;
};

void DiagonalsStep::check(Fields& fields) {
    value = fields.bytes(3);
    has_data = fields.has(2);
    const Tensor target = fields.target(1, width()), source = has_data ? fields.tensor(2, width()) : target;
    out = spot_of(target), data = spot_of(source);
    const int row = target.ndim - 2;
    require(row >= 0 && source.ndim == target.ndim, "the tensors must have one rank, 2 or more");
    for (int a = 0; a < target.ndim; ++a) require(source.sizes[a] == target.sizes[a], "the tensors differ in sizes");
    rows = target.sizes[row], columns = target.sizes[row + 1];
    begin = fields.integer(4), end = fields.integer(5), inverted = fields.integer(6) != 0;
    require(begin >= -rows && begin <= end && end <= columns, "there are no such diagonals");
    const Tensor* const operands[] = {&target, &source};
    for (int k = 0; k < 2; ++k) {
        row_step[k] = operands[k]->step(row);
        column_step[k] = operands[k]->step(row + 1);
    }
    for (int a = 0; a < row; ++a) batch.add(target.sizes[a], {target.strides[a], source.strides[a]});
    bytes = bytes_of(target, width());
}

void DiagonalsStep::prepare() {
    empty_ = batch.empty || rows == 0 || columns == 0 || width() == 0;
    if (empty_) return;
    collapse(batch);
    // The finer axis of out becomes that of the columns.
    if (rows > 1 && columns > 1 && magnitude(column_step[0]) > magnitude(row_step[0])) {
        std::swap(rows, columns);
        std::swap(row_step, column_step);
        begin = 1 - std::exchange(end, 1 - begin);
    }
    total_bytes_ = batch.count() * rows * columns * width();
    for (int k = 0; k < 2; ++k) column_step[k] = columns == 1 ? width() : column_step[k];
    for (int k = 0; k < 2; ++k) dense_[k] = column_step[k] == width() && row_step[k] == columns * width();
    stream_ = total_bytes_ >= machine().stream && column_step[0] == width() && has_data;
    fill_ = block_kernels().fill(width());
    copy_ = block_kernels().copy(width());
}

bool DiagonalsStep::run(char* const* base) const {
    if (empty_) return true;
    char* const to = out.in(base) + batch.offset[0];
    const char* const from = data.in(base) + batch.offset[1];
    for_ranges(batch.count() * rows, total_bytes_, [&](int64_t first, int64_t last) {
        Outer<2> at(batch, first / rows);
        int64_t y = first % rows;
        for (int64_t row = first, count; row < last; row += count) {
            char* const dst = to + at.offset[0] + y * row_step[0];
            const char* const src = from + at.offset[1] + y * row_step[1];
            bool inside = false;
            count = least(alike(y, inside), least(rows - y, last - row));
            const bool fill = inside != inverted, together = dense_[0] && (fill || dense_[1]);
            if (count > 0 && together) {
                write_part(dst, src, 0, count * columns, fill);
            } else {
                count = 1;
                write_row(dst, src, y);
            }
            if ((y += count) == rows) {
                y = 0;
                at.next();
            }
        }
        if (stream_) settle_streams();
    });
    return true;
}

// The rows from y on that lie wholly inside the diagonals, or beside them; 0 if row y has parts of both.
int64_t DiagonalsStep::alike(int64_t y, bool& inside) const {
    inside = y + begin <= 0 && y + end >= columns;
    if (inside) return 1 - begin - y;
    if (y + end <= 0) return 1 - end - y;
    return y + begin >= columns ? rows - y : 0;
}

// Each row is data, value, data, or the other way round.
void DiagonalsStep::write_row(char* to, const char* from, int64_t y) const {
    const int64_t first = within(y + begin, 0, columns), last = within(y + end, first, columns);
    write_part(to, from, 0, first, inverted);
    write_part(to, from, first, last, !inverted);
    write_part(to, from, last, columns, inverted);
}

void DiagonalsStep::write_part(char* to, const char* from, int64_t first, int64_t last, bool fill) const {
    if (first >= last) return;
    char* const dst = to + first * column_step[0];
    if (fill) return fill_run(dst, last - first);
    if (has_data) copy_run(dst, from + first * column_step[1], last - first);
}

void DiagonalsStep::fill_run(char* to, int64_t count) const {
    fill_(to, column_step[0], count, value.data(), width(), stream_ && count * width() >= tune::kStreamRun);
}

void DiagonalsStep::copy_run(char* to, const char* from, int64_t count) const {
    if (column_step[0] == width() && column_step[1] == width())
        return block_kernels().move(to, from, count * width(), stream_);
    CopyBlock block{};
    block.dst = to;
    block.src = from;
    block.rows = 1;
    block.columns = count;
    block.dst_column = column_step[0];
    block.src_column = column_step[1];
    block.bytes = width();
    copy_(block);
}

}  // namespace

std::unique_ptr<Move> make_diagonals() { return std::make_unique_for_overwrite<DiagonalsStep>(); }

}  // namespace wherry
