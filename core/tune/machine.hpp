// What the machine is like, read once when it is first asked for: caches, pages and cores, and the limits that follow
// from them. What the inner loops are compiled with stands in thresholds.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "thresholds.hpp"

namespace wherry {

struct Machine {
    int64_t first, second;  // bytes of the caches of one core
    int64_t whole;          // bytes of the last cache, as the system tells,
    int64_t last;           // and those that this process may count on
    int64_t page;           // bytes
    int64_t cores;          // that this process may use

    // Streaming: writing whole lines around the cache. It pays for outputs that do not stay in the cache.
    int64_t stream;        // bytes of an output
    int64_t stream_dense;  // bytes that dense elements are copied from, or computed of; see is_streamed
    int64_t stream_runs;   // the same of copies of more than one run, which may read lines before they write parts
    int64_t stream_long;   // the same of runs that are long enough to be streamed one by one,
    int64_t stream_far;    // and of a gather: as much is read from elsewhere as is written
    int64_t resident;      // bytes at the beginning of a streamed output that stay in the cache where little is read
    int64_t crowded;  // bytes of an output whose rows share one set of the first cache, or half of those that tiles
                      // put together before they write them

    int64_t far;           // bytes; runs that lie nearer each other are not fetched ahead,
    int64_t far_element;   // nor single lines, of which a core loads many at a time
    int64_t fetch;         // bytes of the longest runs that are fetched whole where they come from memory
    int64_t fetch_rows;    // bytes of all rows, of which each is fetched while the one before it is used
    int64_t fetch_second;  // bytes from which on scattered runs are fetched into the second cache, not the first,
    int64_t fetch_second_element;   // and so are single lines
    int64_t fetch_second_streamed;  // the same of runs that are streamed,
    int64_t fetch_streamed;         // of which so many bytes are fetched ahead
    int64_t fetch_written;          // bytes ahead of which rows are fetched that squares write, in whole lines;
                                    // short runs that lie apart are as soon as it is a line
    int64_t fetch_parts;    // bytes of rows ahead of which their parts are fetched where they are put together on their
                            // way around the cache; less than a line: they are not
    int64_t fetch_columns;  // bytes ahead of which columns of a tile are fetched while squares are made of them;
                            // less than a line: the next tile is fetched as a whole
    int64_t tile_row;       // bytes of a row of dst in a streamed tile, of elements of 2 bytes and more in whole lines,
    int64_t tile_far_row;   // and of a short row, of any bytes, that is read of columns which lie far apart
    int64_t tile_column;    // bytes of a column of src in a streamed tile that has one line of each row of dst; less
                            // than a line: there are no such tiles
    int64_t block;          // bytes of output that a block with strided writes may touch
    int64_t group;          // bytes of copies that go together,
    int64_t slices;         // and of their slices that stay in the cache
    int64_t replace;        // bytes of a target that is replaced in one pass
    int64_t partition;      // bytes of a target whose updates are parted by where they go,
    int64_t partition_few;  // the same where few threads share them,
    int64_t partition_one;  // and where one has them all
    int64_t tiled;          // bytes of a permutation whose tiles are planned: to plan takes a microsecond or two
    int64_t kept;           // bytes of all buffers that are kept when results are let go
    int64_t parted;         // bytes of a move of which each thread has a part of its own; others are taken in order
    int64_t side_by_side;   // bytes of a dense run around the cache of which a thread copies four parts by turns
    int64_t side_by_side_element;  // the same of a row of elements that are cast or chosen
    int64_t wake;                  // bytes that one core copies in the time that it takes to wake a thread

    // How far ahead rows that squares write are fetched; 0: they are not.
    int64_t written_ahead() const { return fetch_written / tune::kLine * tune::kLine; }

    // How many rows ahead the parts are fetched of rows of so many bytes that are put together; 0: they are not.
    int64_t rows_ahead(int64_t row) const { return fetch_parts < tune::kLine ? 0 : (fetch_parts + row - 1) / row; }

    // How far ahead columns of a tile are fetched, of elements or runs of so many bytes and in whole ones; 0: the next
    // tile is. `cut`: rows are cut where lines begin in each.
    int64_t columns_ahead(int64_t run, bool cut) const {
        if (fetch_columns < tune::kLine || run < (cut ? tune::kLeastAheadCut : tune::kLeastAhead)) return 0;
        return (fetch_columns + run - 1) / run * run;
    }

    // Whether streamed tiles have one line of each row of dst, of elements of `width` bytes. Rows are whole lines,
    // those along one axis have `row` bytes, and elements of a column lie `step` bytes apart in dst.
    bool tiles_are_long(int64_t width, int64_t row, int64_t step) const {
        const bool are_wide = width == tune::kLongTileElement,
                   are_half = 2 * width == tune::kLongTileElement && row >= tune::kLeastLongTileRow;
        return tile_column >= tune::kLine && (are_wide || are_half) && step % tune::kLinesInTurn != 0;
    }

    // The bytes of a copy from which on its runs, of so many bytes, are streamed.
    int64_t runs_streamed(int64_t run) const {
        return run >= tune::kStreamRun ? std::min(stream_long, stream_runs) : stream_runs;
    }

    // Whether dense elements are written around the cache that are computed of so many bytes. That leaves the cache to
    // what is read, and pays as soon as this does not stay there; before, what is in the cache is written much faster.
    // Where more is written than read, it pays as soon as both do not stay there by far.
    bool is_streamed(int64_t written, int64_t read) const {
        return read >= stream_dense || written + read >= stream_dense / 2 * 5;
    }
};

// A number of Machine, and its name in WHERRY_TUNE.
struct Setting {
    const char* name;
    int64_t Machine::* value;
};
std::span<const Setting> settings();

// The hardware as `settings` would have it: `last=16M,cores=4`. What follows from a number that is set follows, unless
// it is set too. Throws std::invalid_argument where a name or a number is none.
Machine read_machine(const char* settings);

// That of the variable WHERRY_TUNE, which is read once.
const Machine& machine();

}  // namespace wherry
