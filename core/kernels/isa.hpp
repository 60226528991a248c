// The tables of kernels that can be chosen from.
#pragma once

#include <span>

#include "blocks.hpp"

namespace wherry {

// Those of this build that the machine has, the plainest first.
std::span<const BlockKernels* const> block_tables();

}  // namespace wherry
