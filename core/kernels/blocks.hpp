// The inner loops, as a table of functions: one table for each instruction set, chosen at run time.
// Included by files that are compiled for several instruction sets: no standard library in here.
#pragma once

#include <stdint.h>

#include "../tune/thresholds.hpp"
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
    bool any_bad;        // some offset is kBadOffset: those runs become zeros
    bool stream;         // write around the cache
    bool scattered;      // the offsets reach further than the cache: fetch ahead
    int64_t axis_bytes;  // of the axis that the offsets reach over if it is dense, else 0
};

constexpr int64_t kLookupBytes = 8;  // of the longest run that a table of slots holds
constexpr int lookup_slot(int64_t bytes) { return bytes <= 4 ? 4 : 8; }

// out[i] = table[indices[i]], each a run of `bytes`: indices of 8 bits, a table of 256 slots in private memory.
struct LookupBlock {
    char* out;
    const char* indices;
    int64_t count;
    const char* table;
    int64_t bytes;
    bool stream;
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
};

// `count` positions of 2 to 4 channels, elements of 1, 2, 4 or 8 bytes: together in `packed`, each for itself in
// planes[k]. A join reads the planes, a split writes them.
struct PlanesBlock {
    char* packed;
    char* const* planes;
    int64_t count;
    int channels;
    int64_t width;
    bool join;
};

// out[i] = condition[i] ? x[i] : y[i], elements of `width` bytes, conditions of one.
struct SelectBlock {
    char* out;
    const char *condition, *x, *y;
    int64_t count, out_step, condition_step, x_step, y_step;
    int64_t width;
    bool stream;
};

// out[i] = data[i] as another type: see can_convert. Not integers of one width, which are copied.
struct ConvertBlock {
    char* out;
    const char* data;
    int64_t count, out_step, data_step;
    Element to, from;
    int64_t out_width, data_width;
    bool stream;
};

// Elements first..last-1 of a range: out[i] = start + i * delta, where start and delta are elements.
struct RangeBlock {
    char* out;  // where element 0 lies
    int64_t out_step, first, last;
    Element element;
    int64_t width;
    const char *start, *delta;
    bool stream;
};

// marks[i] = 1 where element i of `width` bytes has one of the bits of `mask`, else 0. Fewer than 2^31 elements.
struct MarkBlock {
    const char* data;
    int64_t step, count;
    int64_t width;  // 1, 2, 4 or 8
    uint64_t mask;
    char* marks;  // private memory
};

struct BlockKernels {
    const char* name;
    // Turns `count` indices into byte offsets (index * axis_stride + position * step) in private memory,
    // reading each index once. True if some index is bad (raise and zero only): its offset is kBadOffset.
    bool (*resolve)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count,
                    int64_t axis_stride, int64_t step, int64_t* offsets);
    // True if some index lies outside the axis; out_of_range is taken as `raise`.
    bool (*any_outside)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count);
    // Offsets to places, see PickBlock; returns how many are kept.
    int64_t (*pick)(const PickBlock& block);
    // `resolve` and `pick` at once; -1 if an index is out of range, or of a type that it is not made for.
    int64_t (*pick_directly)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t axis_stride,
                             const PickBlock& block);
    void (*gather)(const GatherBlock& block);
    // For one pass, without keeping offsets. Moves the runs of the leading indices that lie on the axis and returns how
    // many they are; 0 also for indices and widths that it is not made for.
    int64_t (*gather_directly)(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t axis_stride,
                               int64_t step, const GatherBlock& block);
    void (*look_up)(const LookupBlock& block);
    // The kernels below do not order what they stream before what follows: see stage.hpp.
    void (*copy)(const CopyBlock& block);
    void (*select)(const SelectBlock& block);
    void (*convert)(const ConvertBlock& block);
    void (*range)(const RangeBlock& block);
    void (*move)(char* dst, const char* src, int64_t bytes, bool stream);
    void (*planes)(const PlanesBlock& block);
    // Returns how many elements are marked.
    int64_t (*mark)(const MarkBlock& block);
    // The positions of marks of 1, in order; returns how many. Both arrays are private memory, `positions` has room for
    // kLocateRoom more than `count`.
    int64_t (*locate)(const char* marks, int64_t count, int32_t* positions);
    // `count` elements of `width` bytes, all equal to *value.
    void (*fill)(char* dst, int64_t dst_stride, int64_t count, const char* value, int64_t width);
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
extern const BlockKernels kernels;
}

}  // namespace wherry
