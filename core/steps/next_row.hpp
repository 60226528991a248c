// Rows of an indexed tensor that are used one after the other, most lines of each: a row is fetched while the one
// before it is used. Where indices name its lines in any order, the hardware's own fetching does not find out what
// comes next.
#pragma once

#include "../layout/numbers.hpp"
#include "../tune/machine.hpp"
#include "../tune/thresholds.hpp"

namespace wherry {

template <bool IsWritten>
struct NextRow {
    int64_t step = 0, lines = 0;  // to it, and of it; no lines where fetching would not pay

    // Whether most lines of each of `rows` are used, and no core's cache keeps all of them until they are used again.
    static bool are_used_up(int64_t row, int64_t row_step, int64_t rows, int64_t count, int64_t width) {
        return width <= tune::kLine && row > 0 && magnitude(row_step) >= row && row / tune::kLine <= count &&
               rows * row >= machine().far;
    }

    // The same where they come from so far that a row is fetched while the one before it is used.
    static bool are_fetched(int64_t row, int64_t row_step, int64_t rows, int64_t count, int64_t width) {
        return are_used_up(row, row_step, rows, count, width) && rows * row >= machine().fetch_rows;
    }

    // `rows` of so many bytes, in each of which `count` elements of `width` bytes are used.
    void prepare(int64_t row, int64_t row_step, int64_t rows, int64_t count, int64_t width) {
        step = row_step;
        lines = are_fetched(row, row_step, rows, count, width) && row <= machine().far ? row / tune::kLine : 0;
    }

    // The share of elements first..end-1 of a row.
    void fetch(const char* row, int64_t first, int64_t end, int64_t count) const {
        if (lines == 0) return;
        for (int64_t line = first * lines / count; line < end * lines / count; ++line)
            __builtin_prefetch(row + step + line * tune::kLine, IsWritten, 2);
    }
};

}  // namespace wherry
