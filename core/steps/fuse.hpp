// Steps that are better run together.
#pragma once

#include <vector>

#include "step.hpp"

namespace wherry {

using Steps = std::vector<std::unique_ptr<Step>>;

// Steps that are checked and not prepared yet, in their order: copies and fills that do not depend on each other become
// one step, and so does a copy with the scatter to it, where that pays.
Steps fuse(Steps steps);

}  // namespace wherry
