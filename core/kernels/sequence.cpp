// Sequence: cut into tasks, hand blocks to the inner loops.
#include "sequence.hpp"

#include "../parallel.hpp"
#include "blocks.hpp"
#include "copy.hpp"
#include "numbers.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

constexpr int64_t kTask = 16 * 1024;  // elements

}  // namespace

void write_sequence(const SequenceJob& job) {
    if (job.count == 0) return;
    const int64_t bytes = job.count * job.width;
    const bool stream = bytes >= kStreamCopyBytes && job.out_step == job.width;
    const BlockKernels& kernels = block_kernels();
    for_ranges(pieces(job.count, kTask), bytes, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * kTask, last = least(end * kTask, job.count);
        kernels.sequence({job, first, last, stream});
        if (stream) settle_streams();
    });
}

}  // namespace wherry
