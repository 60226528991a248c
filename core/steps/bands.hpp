// Copies that fill rows together, such as the middle and the edges of a padded image: row by row, in the order of
// memory.
#pragma once

#include <cstddef>
#include <vector>

#include "../kernels/blocks.hpp"
#include "copy.hpp"
#include "group.hpp"

namespace wherry {

constexpr int kMostOuter = 4;

// What one copy writes of a row, for the rows of a band.
struct BandPart {
    int from;
    int64_t from_offset;  // of what it reads for the band's first row
    int64_t column;       // bytes from the beginning of the row
    int64_t row_step;     // that src goes from row to row
    int64_t outer_step[kMostOuter];
    CopyBlock block;  // its sizes and steps but for the number of rows
    bool run;         // a row is one run: rows are the block's columns
};

// Rows that are made of the same parts.
struct Band {
    int64_t first, size;
    std::size_t part, end;  // of the list of parts
};

struct Bands {
    std::vector<Band> bands;  // none where the copies had better go another way
    std::vector<BandPart> parts;
    int to = 0;
    int64_t low = 0, step = 0;  // where the first row begins, and the bytes of each
    int outer = 0;              // axes with such rows at each of their positions
    int64_t outer_size[kMostOuter], outer_step[kMostOuter];
    bool staged = false;                       // rows leave the cache as whole lines, see stage.hpp
    int64_t bytes = 0, piece = 0, pieces = 0;  // of all; rows at once; such pieces for one outer position
};

// Copies that are apart from each other, none of which reads what another writes. From `stream_bytes` on they go around
// the cache.
Bands bands_of(const GroupedCopy* copies, int count, int64_t stream_bytes = tune::kStreamBytes);
void copy_bands(const Bands& bands, char* const* base);

}  // namespace wherry
