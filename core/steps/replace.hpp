// A scatter to a copy in one pass: each row of the target comes from the data, or from the last update that names it.
// The copy writes no row that the scatter would write again.
#pragma once

#include <optional>

#include "scatter.hpp"

namespace wherry {

// Rows of `bytes` bytes; row r of the target begins at target + r * target_step.
struct ReplaceJob {
    char* target;
    const char *data, *updates, *indices;
    int64_t rows, bytes;
    int64_t target_step, data_step;
    int64_t count;  // of updates
    int64_t update_step, index_step;
    IndexRule rule;  // its size is `rows`; `zero` leaves an update out
};

// What a copy of all elements of the target, followed by a scatter, does; nothing where they are not of this kind, or
// one pass would not pay. The job's pointers are those of the scatter and of the copy's source `data`; no two of the
// tensors share memory.
std::optional<ReplaceJob> as_replace(char* target, const char* data, Axes<2> copied, const ScatterJob& scatter);

// False if `raise` met a bad index: that update is left out, the others are applied.
bool replace(const ReplaceJob& job);

}  // namespace wherry
