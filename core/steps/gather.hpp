// Gather over any strides: out[c] = data[c ++ indices[c]].
#pragma once

#include <optional>

#include "columns.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "lookup.hpp"
#include "next_row.hpp"

namespace wherry {

struct GatherStep final : Move {
    Spot out, data, indices;
    Axes<3> axes;  // of the output; operands: out, data (0 along an index axis), indices (0 along a data axis)
    int64_t width;
    int64_t axis_stride;
    IndexRule rule;
    int further_count = 0;  // columns behind the first, which axis_stride and rule.size describe
    Column further[kMaxRank];

    // ("gather", target, data, indices, width, index dtype, out_of_range, negative)
    void check(Fields& fields) override;
    void prepare() override;
    // If it refuses, the output is partly written.
    bool run(char* const* base) const override;

private:
    // One: one tuple of indices for the whole output. Rows: all indices are used for a row of data, then for the next.
    // Turned: the same, where rows go to neighbouring elements of the output. Passes: each block of indices is used for
    // all rows before the next.
    enum class Way { none, one, lookup, rows, turned, passes };
    struct Position {
        char* out;
        const char *data, *indices;
    };
    struct Turned {
        int64_t rows, step;  // of data that go to a row of `out`, and from one to the next
        int64_t out_step;    // from one index to the next
        CopyKernel copy;
        bool stream;
    };
    // Rows that follow each other evenly.
    struct ShortRows {
        DirectGatherKernel kernel = nullptr, by_columns = nullptr;
        IndexAxis row, rows;
    };
    struct One {
        CopyStep copy;
        FillStep zeros;
    };

    int innermost_index_axis() const;
    int64_t reach() const;
    double named_bytes() const;
    int64_t far_bytes() const;
    void prepare_one();
    void prepare_shape(int inner);
    ShortRows prepare_short_rows(int inner) const;
    void prepare_lookup();
    void split_axes(int inner);
    bool are_rows_used_up() const;
    bool are_rows_turned() const;
    void join_passes(int inner);
    void prepare_rows();
    void prepare_all_rows();
    void prepare_turned(int inner);
    void prepare_passes(bool writes_finer, bool reads_finer);

    bool resolve(const char* from, int64_t index_step, int64_t count, int64_t position_step, int64_t* offsets) const;
    int64_t place_of(const char* from, int64_t i) const;
    bool lie_far(const char* from, int64_t count) const;
    bool name_little(const char* from) const;
    bool run_one(const Position& start) const;
    bool run_rows(const Position& start) const;
    bool run_row(const Position& at, int64_t first, int64_t last, const char* streamed) const;
    bool run_short_rows(const Position& start) const;
    bool run_rows_together(const Position& start, int64_t first, int64_t last) const;
    bool run_turned(const Position& start) const;
    bool run_part(const Position& start, int64_t count, bool scattered, bool stream) const;
    bool run_block(const Position& at, int64_t count, bool scattered, bool stream) const;
    int64_t pass_of(int64_t piece, const char* data) const;
    bool run_passes(const Position& start) const;

    Way way_ = Way::none;
    int64_t start_[3];
    int64_t total_bytes_, work_bytes_;        // of `out`, and as many as a copy would move meanwhile
    bool reads_little_;                       // bytes of data, and writes many
    GatherBlock shape_;                       // without addresses, count and passes of a block
    int64_t count_, data_step_, index_step_;  // of the innermost axis of indices
    int64_t block_, blocks_;                  // of its indices
    int64_t apart_;                           // bytes that the parts of data reach over that rows have for themselves
    Axes<3> index_axes_;                      // the others along which the indices change
    ResolveKernel resolve_;
    GatherKernel gather_;
    std::optional<One> one_;
    Lookup lookup_;
    // Rows.
    DirectGatherKernel directly_;  // null where there is none; it needs indices on multiples of their width
    bool each_elsewhere_ = false;  // what an index can name is near, but each row has a part of data for itself
    NextRow<false> next_;
    Turned turned_;
    ShortRows rows_;  // without a kernel where rows are long, or there are others between their elements
    Axes<3> around_;  // the axes of indices but that of short rows
    // Passes.
    Axes<3> passes_;       // axes along which indices are used again
    Axes<1> grid_;         // steps through data of rows that are joined, see join_rows
    int64_t line_passes_;  // that a line of data has elements for, if squares are made of them, otherwise 1
    int64_t pass_piece_, pass_pieces_, per_block_;
};

}  // namespace wherry
