// What updates do to their elements: they replace them, or are combined with them.
#pragma once

#include "../kernels/blocks.hpp"
#include "partition.hpp"

namespace wherry {

enum class Reduction : int { none, add, sub, mul, min, max };
enum class NanRule : int { propagate, update, data };

// Whether the reduction means something for the type: all do but min and max of complex numbers.
bool has_arithmetic(Reduction reduction, Element element);

// `count` updates times `passes` positions, each a run of `bytes`: offsets[i] of target from sources[i] of updates.
struct ScatterBlock {
    char* target;
    const char* updates;
    const int64_t* offsets;
    const int64_t* sources;
    int64_t count;
    int64_t known;  // offsets that there are, `count` and more; none where targets are not to be fetched ahead
    int64_t passes, target_pass, update_pass;
    int64_t bytes;
};

using ScatterKernel = void (*)(const ScatterBlock& block);

// Rows of updates of one element each, with an index beside each: it tells how many times axis_stride further on in the
// target the update goes.
struct NamedUpdates {
    char* target;
    const char *updates, *indices;
    IndexAxis rows, row;
    int64_t axis_stride;
    IndexRule rule;
    bool far;               // elements are fetched ahead
    ResolveKernel resolve;  // for what is out of range
};

// False if some updates were left out.
using NamedKernel = bool (*)(const NamedUpdates& updates);

// The same combination for all ways of a scatter; the last two are null where runs are not single elements, and `named`
// for most types of indices.
struct ScatterKernels {
    ScatterKernel block;
    PairsKernel pairs;
    NamedKernel named;
};

// For runs of so many bytes; null where the reduction has no meaning for the type.
ScatterKernels apply_for(Element element, Reduction reduction, NanRule nan, int64_t bytes, IndexType indices);

}  // namespace wherry
