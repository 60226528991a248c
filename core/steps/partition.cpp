// Partition: chunks are parted at the same time, then buckets are applied at the same time.
#include "partition.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "scatter.hpp"

namespace wherry {
namespace {

constexpr uint32_t kLeftOut = UINT32_MAX;  // beyond all buckets
constexpr int64_t kMostStarts = tune::kPartitionBuckets + 1;

uint32_t bucket_of(uint32_t offset, int shift, uint32_t buckets) {
    const uint32_t bucket = offset >> shift;
    return bucket < buckets ? bucket : buckets;
}

// Places are counted a block ahead of what is stored there: a core waits to load a count behind a store to an address
// that it does not know yet.
template <int Width>
void part_fixed(const PartedChunk& chunk) {
    const PartedChunk c = chunk;  // no store changes it: the compiler need not read it again
    uint32_t next[kMostStarts];
    std::memcpy(next, c.starts, (c.buckets + 1) * sizeof(uint32_t));
    const char* update = c.updates;
    uint32_t places[tune::kQueueIndices];
    for (int64_t first = 0; first < c.count; first += tune::kQueueIndices) {
        const int64_t count = least(tune::kQueueIndices, c.count - first);
        const uint32_t* const offsets = c.offsets + first;
        for (int64_t i = 0; i < count; ++i) places[i] = next[bucket_of(offsets[i], c.shift, c.buckets)]++;
        for (int64_t i = 0; i < count; ++i, update += c.update_step) {
            char pair[kPairOffset + Width];
            std::memcpy(pair, offsets + i, kPairOffset);
            std::memcpy(pair + kPairOffset, update, Width);
            std::memcpy(c.pairs + int64_t{places[i]} * (kPairOffset + Width), pair, sizeof(pair));
        }
    }
}

PartKernel part_for(int64_t width) {
    return for_element_width(width, [](auto fixed) -> PartKernel { return part_fixed<fixed.value>; });
}

}  // namespace

void Partition::prepare(int64_t first, int64_t end, int64_t count, int64_t width, PairsKernel kernel) {
    const int64_t span = end - first;
    buckets = 0;
    low = first, apply = kernel, part = part_for(width);
    if (!part || !apply || span < machine().partition || span > INT32_MAX) return;
    const int64_t bytes = most(machine().second / 4, pieces(span, tune::kPartitionBuckets));
    shift = std::bit_width(static_cast<uint64_t>(bytes - 1));
    buckets = pieces(span, int64_t{1} << shift);
    pair = kPairOffset + width;
    chunk = tune::kPartitionChunk;
    const int64_t waiting = least(most(span, 8 * machine().second), tune::kPartitionBytes) / (pair * chunk);
    together = least(count, most(waiting, 1) * chunk);
    is_dense = together >= span / tune::kLine;
}

Pairs::Pairs(const Partition& p)
    : chunk_bytes_(p.chunk * p.pair),
      starts_each_(p.buckets + 1),
      pairs_(new_memory(p.together * p.pair)),
      // Zeros: a chunk that was never parted has no pairs.
      starts_(new (std::nothrow) uint32_t[static_cast<size_t>(pieces(p.together, p.chunk) * starts_each_)]()) {}

// The offsets of updates first..first+count-1, from the least one on, and how many there are for each bucket; true if
// some update is to be left out.
bool ScatterStep::count_buckets(const char* from, int64_t first, int64_t count, char* pairs, uint32_t* offsets,
                                uint32_t* counts) const {
    constexpr int64_t block = tune::kQueueIndices;
    const int64_t low = partition_.low;
    const auto buckets = static_cast<uint32_t>(partition_.buckets);
    const int shift = partition_.shift;
    int64_t found[block];
    bool any_left_out = false;
    for (int64_t done = 0; done < count; done += block) {
        const int64_t part = least(block, count - done);
        const bool left_out = resolve(from + (first + done) * whole_.index_step, whole_.index_step, part, found);
        add_positions(whole_.grid, first + done, part, found, left_out);
        any_left_out |= left_out;
        // Where pairs will go is asked for now: soon they are written, in no order.
        for (int64_t at = 0; at < part * partition_.pair; at += tune::kLine)
            __builtin_prefetch(pairs + done * partition_.pair + at, 1, 3);
        if (left_out)
            for (int64_t i = 0; i < part; ++i)
                if (found[i] == kBadOffset) found[i] = low + kLeftOut;
        for (int64_t i = 0; i < part; ++i) {
            const auto offset = static_cast<uint32_t>(found[i] - low);
            offsets[done + i] = offset;
            ++counts[bucket_of(offset, shift, buckets)];
        }
    }
    return any_left_out;
}

// True if some update of the chunk is to be left out.
bool ScatterStep::part_chunk(const Position& start, int64_t first, int64_t count, char* pairs, uint32_t* starts) const {
    uint32_t offsets[tune::kPartitionChunk], counts[kMostStarts] = {};
    const bool left_out = count_buckets(start.indices, first, count, pairs, offsets, counts);
    uint32_t sum = 0;
    for (int64_t b = 0; b <= partition_.buckets; ++b) {
        starts[b] = sum;
        sum += counts[b];
    }
    partition_.part({start.updates + first * whole_.update_step, whole_.update_step, count, offsets, partition_.shift,
                     static_cast<uint32_t>(partition_.buckets), starts, pairs});
    return left_out;
}

// What all chunks have for a bucket, in their order.
void ScatterStep::apply_bucket(char* target, const Pairs& pairs, int64_t chunks, int64_t bucket) const {
    char* const to = target + partition_.low;
    if (partition_.is_dense)
        for (int64_t at = 0; at < int64_t{1} << partition_.shift; at += tune::kLine)
            __builtin_prefetch(to + (bucket << partition_.shift) + at, 1, 2);
    for (int64_t c = 0; c < chunks; ++c) {
        const uint32_t* const starts = pairs.starts(c) + bucket;
        partition_.apply(to, pairs.of_chunk(c) + starts[0] * partition_.pair, starts[1] - starts[0]);
    }
}

bool ScatterStep::run_partition(const Position& at, const Pairs& pairs) const {
    std::atomic<bool> whole{true};
    const Position start{at.target + whole_.passes.offset[0], at.updates + whole_.passes.offset[1], at.indices};
    const int64_t chunk = partition_.chunk;
    for (int64_t first = 0; first < whole_.count; first += partition_.together) {
        const int64_t count = least(partition_.together, whole_.count - first), chunks = pieces(count, chunk);
        const int64_t bytes = most(work_bytes_, count * partition_.pair);  // of all, so that a watch is asked
        for_ranges(chunks, bytes, [&](int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c)
                if (part_chunk(start, first + c * chunk, least(chunk, count - c * chunk), pairs.of_chunk(c),
                               pairs.starts(c)) &&
                    rule.out_of_range == OutOfRange::raise)
                    whole.store(false, std::memory_order_relaxed);
        });
        if (is_given_up()) break;
        for_ranges(partition_.buckets, bytes, [&](int64_t begin, int64_t end) {
            for (int64_t b = begin; b < end; ++b) apply_bucket(start.target, pairs, chunks, b);
        });
    }
    return whole.load();
}

}  // namespace wherry
