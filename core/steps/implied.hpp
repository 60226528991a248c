// Checks of indices that gathers behind them imply: these refuse the same indices, but have written some by then.
#pragma once

#include <vector>

#include "fuse.hpp"

namespace wherry {

// Steps that do where nobody sees what a run that refuses has written.
struct Needed {
    std::vector<const Step*> steps;
    int64_t spared = 0;  // bytes of indices that are looked at once less
};

// Of steps that are fused and not prepared yet.
Needed without_implied(const Steps& steps);

}  // namespace wherry
