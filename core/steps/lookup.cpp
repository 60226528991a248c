// The table is made once, by the rule for indices; each thread then looks up its share.
#include "lookup.hpp"

#include <atomic>
#include <cstring>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"

namespace wherry {
namespace {

constexpr int kValues = 256;  // that an index can have

struct Table {
    alignas(64) char slots[kValues * kLookupBytes] = {};
    bool any_bad;

    Table(const Lookup& lookup, const char* data) {
        uint8_t values[kValues];
        for (int k = 0; k < kValues; ++k) values[k] = static_cast<uint8_t>(k);
        int64_t offsets[kValues];
        any_bad = block_kernels().resolve(lookup.rule, reinterpret_cast<const char*>(values), 1, kValues,
                                          lookup.axis_stride, 0, offsets);
        for (int k = 0; k < kValues; ++k)
            if (offsets[k] != kBadOffset)
                std::memcpy(slots + k * lookup_slot(lookup.bytes), data + offsets[k],
                            static_cast<size_t>(lookup.bytes));
    }
};

}  // namespace

bool is_lookup(const Lookup& lookup) {
    return index_width(lookup.rule.type) == 1 && lookup.bytes <= kLookupBytes && lookup.count >= tune::kLeastLookup;
}

bool look_up(const Lookup& lookup, char* out, const char* data, const char* indices) {
    const BlockKernels& kernels = block_kernels();
    const Table table(lookup, data);
    const bool check = table.any_bad && lookup.rule.out_of_range == OutOfRange::raise;
    const int64_t count = lookup.count, piece = tune::kLookupIndices;
    std::atomic<bool> refused{false};
    for_ranges(pieces(count, piece), count * lookup.bytes, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * piece, until = least(end * piece, count);
        // A bad index that is written after this look finds zeros in the table.
        if (check && kernels.any_outside(lookup.rule, indices + first, 1, until - first)) {
            refused.store(true, std::memory_order_relaxed);
            return;
        }
        kernels.look_up(
            {out + first * lookup.bytes, indices + first, until - first, table.slots, lookup.bytes, lookup.stream});
    });
    return !refused.load();
}

}  // namespace wherry
