// Gathers of short runs by indices of 8 bits: by a table of all values that an index can have.
#pragma once

#include "../kernels/blocks.hpp"

namespace wherry {

// A packed row of `count` runs, by indices that lie one after another.
struct Lookup {
    IndexRule rule;
    int64_t axis_stride, count, bytes;
    bool stream;

    // True if a table pays.
    static bool pays(const IndexRule& rule, int64_t count, int64_t bytes);

    void prepare();
    // False if `raise` met a bad index; the output is then partly written.
    bool run(char* out, const char* data, const char* indices) const;

private:
    struct Table;

    ResolveKernel resolve_;
    OutsideKernel any_outside_;
    LookupKernel look_up_;
};
}  // namespace wherry
