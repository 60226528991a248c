// Copies whose rows take turns in memory, on the side that they have in common: the parts of a Split, or of a Concat.
#pragma once

#include <vector>

#include "../tune/machine.hpp"
#include "group.hpp"

namespace wherry {

// Copies that are apart from each other, none of which reads what another writes, of long runs: row by row, so that
// the rows of all of them are read, or written, once, in order.
struct InterleavedStep final : Step {
    static constexpr int kMostOuter = 4;
    static constexpr int64_t kLeastRows = 16;  // of fewer, each is much of what a thread moves

    // False where the copies had better go another way. From `stream_bytes` on they go around the cache.
    bool join(const std::vector<GroupedCopy>& copies, int64_t stream_bytes = machine().runs_streamed(tune::kStreamRun));
    void prepare() override {}
    bool run(char* const* base) const override;

private:
    enum Side { kDst, kSrc };

    // What one copy moves of each row.
    struct Part {
        Spot to, from;
        int64_t step[kMostOuter][2];  // of its rows
        int64_t runs, run_step[2];
        int64_t bytes;

        const Spot& at(Side side) const { return side == kDst ? to : from; }
    };

    bool join_along(const std::vector<GroupedCopy>& copies, Side side);
    bool place(const GroupedCopy& copy, Side side);
    int64_t rows() const;
    int64_t rows_ahead() const;
    void move(char* const* base, int64_t around, int64_t first, int64_t rows) const;

    std::vector<Part> parts_;  // in the order of memory
    Side side_ = kSrc;
    int outer_ = 0;  // axes of rows, the finest one last
    int64_t size_[kMostOuter];
    int64_t total_bytes_ = 0;
    bool stream_ = false;
};

}  // namespace wherry
