// Copies that fill rows together, such as the middle and the edges of a padded image: row by row, in the order of
// memory.
#pragma once

#include <vector>

#include "../tune/machine.hpp"
#include "group.hpp"

namespace wherry {

constexpr int kMostOuter = 4;

// What one copy writes of a row, for the rows of a band.
struct BandPart {
    Spot from;         // what it reads for the band's first row
    int64_t column;    // bytes from the beginning of the row
    int64_t row_step;  // that src goes from row to row
    int64_t outer_step[kMostOuter];
    CopyBlock block;  // its sizes and steps but for the number of rows
    bool run;         // a row is one run: rows are the block's columns
    CopyKernel copy;
};

// Rows that are made of the same parts.
struct Band {
    int64_t first, size;
    size_t part, end;  // of the list of parts
};

// Copies that are apart from each other, none of which reads what another writes.
struct BandStep final : Step {
    std::vector<Band> bands;
    std::vector<BandPart> parts;
    Values values;
    bool staged = false;  // rows leave the cache as whole lines, see stage.hpp
    Spot to;              // where the first row begins
    int64_t row_step = 0;
    int outer = 0;  // axes with such rows at each of their positions
    int64_t outer_size[kMostOuter], outer_step[kMostOuter];

    // False where the copies had better go another way. From `stream_bytes` on they go around the cache.
    bool join(const std::vector<GroupedCopy>& copies, int64_t stream_bytes = machine().stream);
    void prepare() override;
    bool run(char* const* base) const override;

private:
    // One copy's place among the rows.
    struct Placed {
        BandPart part;
        int64_t first, size, bytes;  // rows, and bytes for each
    };
    class Walk;

    bool lay_out(const std::vector<GroupedCopy>& copies, int64_t step);
    bool place(const GroupedCopy& copy, Placed& placed) const;
    bool cut(const std::vector<Placed>& placed);
    bool goes_directly() const;
    void become_run(BandPart& part);
    void stream_rows(const Band& band, int64_t first, int64_t rows, const int64_t* at, char* dst,
                     char* const* base) const;
    const char* source_of(const BandPart& part, int64_t first, const int64_t* at, char* const* base) const;
    void copy_rows(const Band& band, int64_t first, int64_t rows, const int64_t* at, char* dst,
                   char* const* base) const;

    int64_t total_bytes_ = 0;
    bool direct_ = false;  // streamed rows do not go by way of the stage
    int64_t piece_ = 0;    // rows at once
    int64_t pieces_ = 0;   // such pieces for one outer position
};

}  // namespace wherry
