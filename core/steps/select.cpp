// Select: collapse, cut rows into tasks, hand blocks to the inner loops.
#include "select.hpp"

#include "../kernels/blocks.hpp"
#include "copy.hpp"
#include "rows.hpp"

namespace wherry {
namespace {}  // namespace

// `axes` is used up.
void select(SelectJob& job) {
    Axes<4>& axes = job.axes;
    if (axes.empty || job.width == 0) return;
    collapse(axes);
    SelectBlock row{};
    row.width = job.width;
    row.count = 1;
    const int64_t total_bytes = axes.count() * job.width;
    if (axes.ndim > 0) {
        const int fine = axes.ndim - 1;
        const int64_t (&step)[4] = axes.stride[fine];
        row.count = axes.size[fine];
        row.out_step = step[0];
        row.condition_step = step[1];
        row.x_step = step[2];
        row.y_step = step[3];
        axes.remove(fine);
    }
    row.stream = total_bytes >= tune::kStreamBytes && row.count * row.width >= tune::kStreamRow;
    const int64_t piece = job.width >= tune::kTaskBytes ? 1 : tune::kTaskBytes / job.width;
    const BlockKernels& kernels = block_kernels();
    for_row_pieces(axes, row.count, piece, total_bytes, row.stream,
                   [&](const int64_t* at, int64_t first, int64_t count) {
                       SelectBlock block = row;
                       block.count = count;
                       block.out = job.out + axes.offset[0] + at[0] + first * row.out_step;
                       block.condition = job.condition + axes.offset[1] + at[1] + first * row.condition_step;
                       block.x = job.x + axes.offset[2] + at[2] + first * row.x_step;
                       block.y = job.y + axes.offset[3] + at[3] + first * row.y_step;
                       kernels.select(block);
                   });
}

}  // namespace wherry
