// Diagonals of matrices filled, and what lies beside them copied, row by row in one pass.
#pragma once

#include "../layout/collapse.hpp"

namespace wherry {

// out[.., y, x] = value if (begin <= x - y < end) != inverted else data[.., y, x]. Begin and end are at least -rows and
// at most columns.
struct DiagonalsJob {
    char* out;
    const char* data;  // null: what is there stays
    const char* value;
    int64_t width;
    int64_t begin, end;
    bool inverted;
    int64_t rows, columns;
    int64_t row_step[2], column_step[2];  // of out, data
    Axes<2> batch;                        // operands: out, data
};

void fill_diagonals(DiagonalsJob& job);

}  // namespace wherry
