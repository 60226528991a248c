// The inner loops, as a table of functions: one table for each instruction set, chosen at run time.
// Included by files that are compiled for several instruction sets: no standard library in here.
#pragma once

#include <stdint.h>

#include "../tune/thresholds.hpp"
#include "calculation.hpp"
#include "dispatch.hpp"
#include "element.hpp"
#include "index.hpp"

namespace wherry {

constexpr int64_t kBadOffset = INT64_MIN;  // stands for an index that is out of range
constexpr int64_t kPickRoom = 8;           // numbers that a pick may write and not count
constexpr int64_t kLocateRoom = 16;        // the same of a search for marks

// `count` indices times `passes` positions: out[i, p] = data[offsets[i], p], each a run of `bytes`.
struct GatherBlock {
    char* out;
    const char* data;
    const int64_t* offsets;
    int64_t count, out_step;
    int64_t passes, out_pass, data_pass;
    int64_t bytes;
    bool any_bad;            // some offset is kBadOffset: those runs become zeros
    bool stream;             // write around the cache
    bool scattered;          // the offsets reach further than the cache: fetch ahead,
    bool into_first;         // into the first cache, not the second
    bool far;                // no cache keeps data
    int64_t streamed_ahead;  // bytes of scattered runs that are fetched ahead, if they are streamed
    int64_t fetched;         // bytes, from its first on, of each run that is fetched; none where a cache keeps all
    int64_t axis_bytes;      // of the axis that the offsets reach over if it is dense, else 0
};

constexpr int64_t kLookupBytes = 8;  // of the longest run that a table of slots holds
constexpr int lookup_slot(int64_t bytes) { return bytes <= 4 ? 4 : 8; }

// out[i] = table[indices[i]], each a run of known bytes: indices of 8 bits, a table of 256 slots in private memory; or
// single bytes by indices of 16 bits, of a table of 65536.
struct LookupBlock {
    char* out;
    const char* indices;
    int64_t count;
    const char* table;
    bool stream;
};

// An axis of indices: how many there are, and the bytes from one to the next, from where a run is written to where the
// next one is, and the same of what is read.
struct IndexAxis {
    int64_t count = 1;
    int64_t written = 0, read = 0, index = 0;
};

// out[r, i] = data[indices[r, i] * axis_stride + r * rows.read + i * row.read], each a run of known bytes.
struct DirectBlock {
    char* out;
    const char *data, *indices;  // each index lies on a multiple of its width
    int64_t axis_stride;
    IndexAxis row, rows = {};
    bool scattered = false, into_first = false;  // as for a GatherBlock, only of one row
};

// Of `count` offsets those in low..high-1 are kept, in place and in order, and `base` is added to them. Offset i has
// the source `source + i * step`; both arrays have room for kPickRoom more than `count`.
struct PickBlock {
    int64_t* offsets;
    int64_t* sources;
    int64_t count;
    int64_t low, high, base;
    int64_t source, step;
};

// dst[i, j] = src[i, j] for a block of two axes, each a run of `bytes`; j is the one that dst steps finely.
struct CopyBlock {
    char* dst;
    const char* src;
    int64_t rows, dst_row, src_row;
    int64_t columns, dst_column, src_column;
    int64_t bytes;
    bool stream;
    int64_t fetch = tune::kCopiedRunBytes;  // bytes of the longest runs fetched ahead; 0: nor are columns of squares
    bool far = false;                       // src comes from memory, though dst is a stage, or is moved in its order
    int64_t written_ahead = 0;              // bytes ahead of which rows of dst are fetched that squares write; 0: none
};

// What one of several copies moves of a row that they have in common: `runs` of `bytes`.
struct RowPart {
    char* dst;
    const char* src;
    int64_t dst_row, src_row;
    int64_t runs, dst_run, src_run;
    int64_t bytes;
    int64_t ahead;  // bytes from a streamed run in src to the one that is fetched meanwhile; 0: none
};

constexpr int kMostRowParts = 32;

// Where a tile's elements come from: columns that are `offsets` from src, each of `rows` elements one after another.
struct TileSource {
    const char* src;
    const int64_t* offsets;
    int64_t rows, columns;
};

struct WaitingTile;

// Whether tiles of such elements are made of squares in registers; other runs are placed one by one.
[[gnu::always_inline]] constexpr bool has_squares(int64_t bytes) {
    return bytes <= tune::kMostSquareElement && (bytes & (bytes - 1)) == 0;
}

// dst[i, j] = src[i, j] for a tile: the elements of a row, which are runs of `bytes`, follow each other in dst, and
// those of a column in src.
struct TileBlock {
    char* dst;                   // where the first of them goes, without what stays out
    const int64_t* row_offsets;  // of dst
    TileSource from;
    TileSource next;  // the tile that follows, whose lines are fetched meanwhile; no columns: there is none
    int64_t ahead;    // but for these bytes of each column, which are fetched ahead of squares; 0: the next tile's are
    int64_t bytes;
    int64_t skip, tail;  // bytes of the first and of the last run of each row that stay out
    int64_t more;        // columns that follow: each row goes on to the end of the line where its last run ends
    bool goes_on;        // and begins where the tile before, which did so, ended
    bool stream;
    bool whole_lines;       // row_offsets are multiples of a line
    int64_t written_ahead;  // as a CopyBlock's
    int64_t rows_of_set;    // that one set of the first cache has room for a line of
    WaitingTile* waiting;   // the tile before, whose place it takes, see BlockKernels::tiles_wait; null: none waits
};

// A streamed tile that was put together in the second cache. Its rows leave, around it, while those of the next tile
// are put together, so that reading and writing share the time.
struct WaitingTile {
    char* rooms[2];  // for tiles by turns: each begins with a line, and has `bytes` bytes
    int64_t bytes;
    TileBlock tile = {};  // in the first room; no rows: none waits
    int64_t pitch = 0;    // bytes in the room from a row to the next
    int64_t row = 0;      // rows that have left,
    int64_t part = 0;     // and bytes of the one behind them
};

// dst[g] = src[g] for groups of `bytes`, which is a vector at least. Each vector of a group has its bytes from
// `windows` places, `from[k]` behind src, where a vector can be read: byte i of the k-th one, or unit, is the one at
// places[k][i]. The last vector ends with the group. Those that another window has are not in the mask, and their
// places lie nowhere.
struct PatternBlock {
    char* dst;
    const char* src;
    int64_t groups, dst_step, src_step;
    int64_t bytes, windows;
    const int64_t* from;
    const uint8_t* places;  // begin with a line
    const uint64_t* masks;
    uint64_t readable = ~uint64_t{0};  // units of the only window of all, if a vector cannot be read there
};

// By value: behind a reference the compiler would read the block again after each store.
using PatternKernel = void (*)(PatternBlock block);

constexpr uint8_t kNowhere = 0x80;  // a place that no vector has, in each of its bytes

// The bytes of a vector, and of the units that it takes from anywhere.
struct PatternKernels {
    int64_t vector, unit;
    PatternKernel (*of)(int64_t windows);
    PatternKernel of_less;  // where less than a vector can be read; null where there is no instruction for that
};

// What is parted into planes and joined from them.
constexpr int64_t kMostPlanes = 4;
constexpr bool has_planes(int64_t width, int64_t channels) {
    return width <= 8 && (width & (width - 1)) == 0 && channels >= 2 && channels <= kMostPlanes;
}

// `count` positions of 2 to 4 channels, elements of 1, 2, 4 or 8 bytes: together in `packed`, each for itself in
// planes[k]. A join reads the planes, a split writes them.
struct PlanesBlock {
    char* packed;
    char* const* planes;
    int64_t count;
    bool stream;
};

// out[i] = condition[i] ? x[i] : y[i], elements of `width` bytes, conditions of one.
struct SelectBlock {
    char* out;
    const char *condition, *x, *y;
    int64_t count, out_step, condition_step, x_step, y_step;
    int64_t width;
    bool stream;
    bool by_parts;  // streamed as several parts by turns
};

// out[i] = data[i] as another type.
struct ConvertBlock {
    char* out;
    const char* data;
    int64_t count, out_step, data_step;
    bool stream;
    bool by_parts;  // streamed as several parts by turns
};

// A float type of at most 8 bits, an element of which is a byte: the bits of the fraction, then those of the exponent,
// then the sign. The codes are those of the positive numbers.
struct FewBits {
    uint8_t fraction;           // bits
    uint8_t bias;               // of the exponent
    uint8_t greatest;           // the code of the greatest finite number
    uint8_t beyond;             // what greater ones become, and infinity
    uint8_t nan, negative_nan;  // what NaN becomes
    uint8_t sign;               // the bit; codes have no others from there on
    bool has_negative_zero;
};

// Elements first..last-1 of a range: out[i] = start + i * delta, where start and delta are elements.
struct RangeBlock {
    char* out;  // where element 0 lies
    int64_t out_step, first, last;
    const char *start, *delta;
    bool stream;
};

// marks[i] = 1 where element i has one of the bits of `mask`, else 0. Fewer than 2^31 elements.
struct MarkBlock {
    const char* data;
    int64_t step, count;
    uint64_t mask;
    char* marks;  // private memory
};

// Turns `count` indices into byte offsets (index * axis_stride + position * step) in private memory, reading each index
// once. True if some index is bad (raise and zero only): its offset is kBadOffset.
using ResolveKernel = bool (*)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count,
                               int64_t axis_stride, int64_t step, int64_t* offsets);
// True if some index lies outside the axis; out_of_range is taken as `raise`.
using OutsideKernel = bool (*)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count);
// `resolve` and `pick` at once, of indices that lie one after another; -1 if an index is out of range.
using DirectPickKernel = int64_t (*)(const IndexRule& rule, const char* indices, int64_t axis_stride,
                                     const PickBlock& block);
// For one pass, without keeping offsets. Moves the runs of the leading indices that lie on the axis, one row after the
// other, and returns how many they are. `dense`: neighbours on the axis touch each other, and so do those of a row in
// `out` and their indices; a row has its data in one place.
using DirectGatherKernel = int64_t (*)(const IndexRule& rule, const DirectBlock& block);
using GatherKernel = void (*)(const GatherBlock& block);
using LookupKernel = void (*)(const LookupBlock& block);
// The kernels below do not order what they stream before what follows: see stage.hpp.
using CopyKernel = void (*)(const CopyBlock& block);
using TileKernel = void (*)(const TileBlock& block);
using SelectKernel = void (*)(const SelectBlock& block);
using ConvertKernel = void (*)(const ConvertBlock& block);
using RoundKernel = void (*)(const ConvertBlock& block, const FewBits& to);
// out[i] = function(a[i], b[i]), dense rows; `out` may be an operand of its width. A function of one element reads `a`.
using CalculateKernel = void (*)(char* out, const char* a, const char* b, int64_t count);
// *out = function of all elements of a dense row of at least one, in any order.
using FoldKernel = void (*)(char* out, const char* from, int64_t count);
using RangeKernel = void (*)(const RangeBlock& block);
using PlanesKernel = void (*)(const PlanesBlock& block);
// Returns how many elements are marked.
using MarkKernel = int64_t (*)(const MarkBlock& block);
// `count` elements of `width` bytes, all equal to *value.
using FillKernel = void (*)(char* dst, int64_t dst_stride, int64_t count, const char* value, int64_t width,
                            bool stream);  // only without gaps

// The kernels of an instruction set. Most are compiled for each type of indices, or each width, that they know: a step
// asks for the one of its own when it is prepared, and calls that.
struct BlockKernels {
    const char* name;
    ResolveKernel (*resolve)(IndexType type);
    OutsideKernel (*any_outside)(IndexType type);
    DirectPickKernel (*pick_directly)(IndexType type);                                 // null for most types
    DirectGatherKernel (*gather_directly)(IndexType type, int64_t bytes, bool dense);  // null for most
    GatherKernel (*gather)(int64_t bytes);
    // Runs of at most kLookupBytes. `by_four_bits`: those whose indices have equal lower bits are the same.
    LookupKernel (*look_up)(int64_t bytes, bool by_four_bits);
    LookupKernel look_up_bytes;  // by indices of 16 bits
    CopyKernel (*copy)(int64_t bytes);
    const PatternKernels* (*patterns)(int64_t bytes);  // of runs of so many; null where there are none
    TileKernel (*tile)(int64_t bytes);
    bool (*tiles_wait)(int64_t bytes);  // whether streamed tiles of these are faster if they wait,
    void (*leave)(WaitingTile& tile);   // the last of which is sent on its way by this
    SelectKernel (*select)(int64_t width);
    ConvertKernel (*convert)(Element from, Element to, Beyond rule);   // null for are_same_bits
    ConvertKernel (*convert_to_odd)(Element from);                     // numbers of 32 and 64 bits to bfloat16
    RoundKernel (*round)(Element from);                                // numbers of 16 bits and more; null for others
    CalculateKernel (*calculate)(Function function, Element element);  // see can_calculate
    FoldKernel (*fold)(Function function, Element element);  // of sums, products and extremes; null for others
    RangeKernel (*range)(Element element);                   // see has_range
    PlanesKernel (*planes)(int64_t width, int64_t channels, bool join);  // null for others than a PlanesBlock's
    MarkKernel (*mark)(int64_t width);                                   // 1, 2, 4 or 8
    FillKernel (*fill)(int64_t width);
    // Offsets to places, see PickBlock; returns how many are kept.
    int64_t (*pick)(const PickBlock& block);
    // The positions of marks of 1, in order; returns how many. Both arrays are private memory, `positions` has room for
    // kLocateRoom more than `count`.
    int64_t (*locate)(const char* marks, int64_t count, int32_t* positions);
    void (*move)(char* dst, const char* src, int64_t bytes, bool stream);
    void (*stream_parts)(char* dst, const char* src, int64_t bytes);  // the same of a long run, see side_by_side
    // So many rows of all parts, row by row. `join`: parts follow each other in dst, not in src.
    void (*move_row_parts)(const RowPart* parts, int64_t count, int64_t rows, bool join, bool stream);
};

// Those of a set that has more instructions than another for bytes alone: they replace the other's.
struct ByteKernels {
    LookupKernel (*look_up)(int64_t bytes, bool by_four_bits);
    LookupKernel look_up_bytes;
    CopyKernel (*copy)(int64_t bytes);
    const PatternKernels* (*patterns)(int64_t bytes);
    PlanesKernel (*planes)(int64_t width, int64_t channels, bool join);
    FillKernel (*fill)(int64_t width);
    void (*move)(char* dst, const char* src, int64_t bytes, bool stream);
};

// The table for this machine, or the one that the environment variable WHERRY_ISA names.
const BlockKernels& block_kernels();

namespace scalar {
extern const BlockKernels kernels;
}
namespace avx2 {
extern const BlockKernels kernels;
}
namespace avx512 {
extern const BlockKernels kernels;
}
namespace avx512vbmi {
extern const ByteKernels kernels;
}
namespace neon {
extern const BlockKernels kernels;
}

}  // namespace wherry
