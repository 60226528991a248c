// Gathers of short runs by indices of 8 bits: by a table of all values that an index can have.
#pragma once

#include "gather.hpp"

namespace wherry {

// True if a packed row of `count` runs is to be made so, by indices that lie one after another.
bool is_lookup(const GatherJob& job, int64_t count, int64_t bytes);

// False if `raise` met a bad index; the output is then partly written.
bool look_up(const GatherJob& job, int64_t count, int64_t bytes, bool stream);

}  // namespace wherry
