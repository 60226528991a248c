// The table is made once, by the rule for indices; each thread then looks up its share.
#include "lookup.hpp"

#include <atomic>
#include <cstring>

#include "../parallel.hpp"

namespace wherry {
namespace {

constexpr int kValues = 256;  // that an index can have

struct Table {
    alignas(64) char slots[kValues * kLookupBytes] = {};
    bool any_bad;

    Table(const GatherJob& job, int64_t bytes) {
        uint8_t values[kValues];
        for (int k = 0; k < kValues; ++k) values[k] = static_cast<uint8_t>(k);
        int64_t offsets[kValues];
        any_bad = block_kernels().resolve(job.rule, reinterpret_cast<const char*>(values), 1, kValues, job.axis_stride,
                                          0, offsets);
        for (int k = 0; k < kValues; ++k)
            if (offsets[k] != kBadOffset)
                std::memcpy(slots + k * lookup_slot(bytes), job.data + offsets[k], static_cast<size_t>(bytes));
    }
};

}  // namespace

bool is_lookup(const GatherJob& job, int64_t count, int64_t bytes) {
    return index_width(job.rule.kind) == 1 && job.further_count == 0 && bytes <= kLookupBytes &&
           count >= tune::kLeastLookup;
}

bool look_up(const GatherJob& job, int64_t count, int64_t bytes, bool stream) {
    const BlockKernels& kernels = block_kernels();
    const Table table(job, bytes);
    const bool check = table.any_bad && job.rule.out_of_range == OutOfRange::raise;
    std::atomic<bool> refused{false};
    for_ranges((count + tune::kLookupIndices - 1) / tune::kLookupIndices, count * bytes,
               [&](int64_t begin, int64_t end) {
                   const int64_t first = begin * tune::kLookupIndices,
                                 until = end * tune::kLookupIndices < count ? end * tune::kLookupIndices : count;
                   const char* indices = job.indices + first;
                   // A bad index that is written after this look finds zeros in the table.
                   if (check && kernels.any_outside(job.rule, indices, 1, until - first)) {
                       refused.store(true, std::memory_order_relaxed);
                       return;
                   }
                   kernels.look_up({job.out + first * bytes, indices, until - first, table.slots, bytes, stream});
               });
    return !refused.load();
}

}  // namespace wherry
