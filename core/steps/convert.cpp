// Convert: collapse, cut rows into tasks, hand blocks to the inner loops.
#include "convert.hpp"

#include "../kernels/blocks.hpp"
#include "copy.hpp"
#include "rows.hpp"

namespace wherry {
namespace {

// Integers of one width, which wrap around, are the same bits.
bool same_bits(Element from, Element to) {
    return from <= Element::u64 && to <= Element::u64 && width_of(from) == width_of(to);
}

}  // namespace

// `axes` is used up.
void convert(ConvertJob& job) {
    Axes<2>& axes = job.axes;
    if (same_bits(job.from, job.to)) return copy(job.out, job.data, axes, width_of(job.to));
    if (axes.empty) return;
    collapse(axes);
    ConvertBlock row{};
    row.to = job.to;
    row.from = job.from;
    row.out_width = width_of(job.to);
    row.data_width = width_of(job.from);
    row.count = 1;
    const int64_t width = row.out_width;
    const int64_t total_bytes = axes.count() * (width > row.data_width ? width : row.data_width);
    const bool large = axes.count() * width >= tune::kStreamBytes;
    if (axes.ndim > 0) {
        const int fine = axes.ndim - 1;
        row.count = axes.size[fine];
        row.out_step = axes.stride[fine][0];
        row.data_step = axes.stride[fine][1];
        axes.remove(fine);
    }
    row.stream = large && row.count * width >= tune::kStreamRow && row.out_step == width;
    char* const out = job.out + axes.offset[0];
    const char* const data = job.data + axes.offset[1];
    const BlockKernels& kernels = block_kernels();
    for_row_pieces(axes, row.count, tune::kTaskElements, total_bytes, row.stream,
                   [&](const int64_t* at, int64_t first, int64_t count) {
                       ConvertBlock block = row;
                       block.count = count;
                       block.out = out + at[0] + first * row.out_step;
                       block.data = data + at[1] + first * row.data_step;
                       kernels.convert(block);
                   });
}

}  // namespace wherry
