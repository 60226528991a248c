// The table is made once, by the rule for indices; each thread then looks up its share.
#include "lookup.hpp"

#include <atomic>
#include <cstring>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"

namespace wherry {
namespace {

constexpr int kValues = 256;  // that an index can have

}  // namespace

struct Lookup::Table {
    alignas(64) char slots[kValues * kLookupBytes] = {};
    bool any_bad;

    Table(const Lookup& lookup, const char* data) {
        uint8_t values[kValues];
        for (int k = 0; k < kValues; ++k) values[k] = static_cast<uint8_t>(k);
        int64_t offsets[kValues];
        any_bad = lookup.resolve_(lookup.rule, reinterpret_cast<const char*>(values), 1, kValues, lookup.axis_stride, 0,
                                  offsets);
        for (int k = 0; k < kValues; ++k)
            if (offsets[k] != kBadOffset)
                std::memcpy(slots + k * lookup_slot(lookup.bytes), data + offsets[k],
                            static_cast<size_t>(lookup.bytes));
    }
};

bool Lookup::pays(const IndexRule& rule, int64_t count, int64_t bytes) {
    return index_width(rule.type) == 1 && bytes <= kLookupBytes && count >= tune::kLeastLookup;
}

void Lookup::prepare() {
    resolve_ = block_kernels().resolve(rule.type);
    any_outside_ = block_kernels().any_outside(rule.type);
    look_up_ = block_kernels().look_up(bytes, false);
}

bool Lookup::run(char* out, const char* data, const char* indices) const {
    const Table table(*this, data);
    const bool check = table.any_bad && rule.out_of_range == OutOfRange::raise;
    const int64_t piece = tune::kLookupIndices;
    std::atomic<bool> refused{false};
    for_ranges(pieces(count, piece), count * bytes, [&](int64_t begin, int64_t end) {
        const int64_t first = begin * piece, until = least(end * piece, count);
        // A bad index that is written after this look finds zeros in the table.
        if (check && any_outside_(rule, indices + first, 1, until - first)) {
            refused.store(true, std::memory_order_relaxed);
            return;
        }
        look_up_({out + first * bytes, indices + first, until - first, table.slots, stream});
    });
    return !refused.load();
}

}  // namespace wherry
