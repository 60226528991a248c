// Range: cut into tasks, hand blocks to the inner loops.
#include "range.hpp"

#include "../kernels/blocks.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "stage.hpp"

namespace wherry {

void write_range(const RangeJob& job) {
    if (job.count == 0) return;
    const int64_t bytes = job.count * job.width;
    const bool stream = bytes >= tune::kStreamBytes && job.out_step == job.width;
    const BlockKernels& kernels = block_kernels();
    for_ranges(pieces(job.count, tune::kTaskElements), bytes, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * tune::kTaskElements, last = least(end * tune::kTaskElements, job.count);
        kernels.range({job.out, job.out_step, first, last, job.element, job.width, job.start, job.delta, stream});
        if (stream) settle_streams();
    });
}

}  // namespace wherry
