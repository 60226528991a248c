// The check of indices before anything is written: all of them against the rule, as if it were `raise`.
#pragma once

#include "../kernels/blocks.hpp"
#include "step.hpp"

namespace wherry {

// The first bad index, in row-major order.
struct BadIndex {
    bool found;
    int64_t position;
    int64_t value;  // the bits of a uint64 if that is the type
};

struct CheckStep final : Move {
    Spot indices;
    IndexRule rule;
    Axes<1> axes;  // in their own order, which axes of size 1 do not change

    // ("check", indices, index dtype, size, negative)
    void check(Fields& fields) override;
    void prepare() override;
    // False if some index is bad.
    bool run(char* const* base) const override;
    bool only_reads() const override { return true; }
    // To be asked after `run` said false: it looks at one index after the other.
    BadIndex first_bad(char* const* base) const;

private:
    bool always_ = true;  // there is no index to look at, or no value of its type is bad
    Axes<1> rows_;
    int64_t count_, step_;  // of a row
    int64_t block_, blocks_, total_bytes_;
    OutsideKernel any_outside_;
};

// Whether results of so many bytes are sooner made elsewhere and copied than their indices are checked.
inline bool are_sooner_copied(int64_t results, int64_t indices) {
    return results <= tune::kCopiedResult && results <= indices / tune::kIndicesOverElements;
}

// An index of that type; a uint64 as its bits.
int64_t read_index(IndexType type, const char* p);

}  // namespace wherry
