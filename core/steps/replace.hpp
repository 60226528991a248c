// A scatter to a copy in one pass: each row of the target comes from the data, or from the last update that names it.
// The copy writes no row that the scatter would write again.
#pragma once

#include "copy.hpp"
#include "scatter.hpp"

namespace wherry {

// Rows of `row_bytes` bytes; row r of the target begins r * target_step behind its first.
struct ReplaceStep final : Step {
    Spot target, data, updates, indices;
    int64_t rows, row_bytes;
    int64_t target_step, data_step;
    int64_t count;  // of updates
    int64_t update_step, index_step;
    IndexRule rule;  // its size is `rows`; `zero` leaves an update out

    void prepare() override;
    // If it refuses, updates with bad indices are left out, and the others are applied.
    bool run(char* const* base) const override;

private:
    ResolveKernel resolve_;
    GatherKernel gather_;
    GatherBlock shape_;  // of rows that are moved at once, without addresses and their number

    bool join_indices(const Axes<3>& axes);
    bool note(const char* from, int64_t begin, int64_t end, int32_t* last) const;
    void move_rows(char* const* base, int64_t begin, int64_t end, const int32_t* last) const;
    friend std::unique_ptr<ReplaceStep> as_replace(const CopyStep& copy, const ScatterStep& scatter);
};

// What a copy of all elements of the target, followed by a scatter, does; null where they are not of this kind, or one
// pass would not pay. No two of the tensors but the target share memory. Neither step is prepared yet.
std::unique_ptr<ReplaceStep> as_replace(const CopyStep& copy, const ScatterStep& scatter);

}  // namespace wherry
