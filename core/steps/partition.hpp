// Updates of a scatter parted by where in the target they go, so that each part of it is in the cache while it is
// written: chunks of consecutive updates become pairs of an offset and an update, which lie by buckets, and in order in
// each; then each bucket takes those of all chunks, one chunk after the other. That is the order of the updates.
#pragma once

#include <cstdint>
#include <memory>

#include "../kept.hpp"
#include "../tune/thresholds.hpp"

namespace wherry {

constexpr int64_t kPairOffset = sizeof(uint32_t);  // bytes of a pair before its update

// Applies `count` pairs, in order, to what lies at their offsets from `target`.
using PairsKernel = void (*)(char* target, const char* pairs, int64_t count);

// `count` updates, `update_step` bytes apart, become pairs at `pairs`, those of a bucket from starts[bucket] on.
// Offsets beyond all buckets go to one behind them, which is never applied.
struct PartedChunk {
    const char* updates;
    int64_t update_step, count;
    const uint32_t* offsets;
    int shift;
    uint32_t buckets;
    const uint32_t* starts;
    char* pairs;
};
using PartKernel = void (*)(const PartedChunk& chunk);

// How updates are parted.
struct Partition {
    int64_t low;          // the least offset
    int64_t buckets = 0;  // none where updates are not parted
    int shift;            // bucket k takes offsets from low + (k << shift) on
    int64_t pair;         // bytes
    int64_t together;     // updates whose pairs wait at the same time
    int64_t chunk;        // updates of a chunk
    bool is_dense;        // most lines of a bucket are written to
    PartKernel part;
    PairsKernel apply;

    // For `count` updates of `width` bytes to offsets low..high-1.
    void prepare(int64_t low, int64_t high, int64_t count, int64_t width, PairsKernel apply);
};

// Room for the pairs that wait, or none where memory is short.
class Pairs {
public:
    explicit Pairs(const Partition& partition);

    explicit operator bool() const { return pairs_ && starts_; }
    char* of_chunk(int64_t chunk) const { return pairs_.get() + chunk * chunk_bytes_; }
    // Where in a chunk the pairs of each bucket begin, and behind them those that are left out.
    uint32_t* starts(int64_t chunk) const { return starts_.get() + chunk * starts_each_; }

private:
    int64_t chunk_bytes_, starts_each_;
    KeptMemory pairs_;
    std::unique_ptr<uint32_t[]> starts_;
};

}  // namespace wherry
