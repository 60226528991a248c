// Small arithmetic on sizes and steps. Not for files that are compiled for several instruction sets: the linker keeps
// one copy of an inline function, and that may be the one for a machine other than this.
#pragma once

#include <cstdint>

namespace wherry {

constexpr int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }
constexpr int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
// Small moves are one piece: they do without the division, which would take as long as all that is decided for them.
constexpr int64_t pieces(int64_t n, int64_t piece) { return n <= piece ? n > 0 : (n + piece - 1) / piece; }

}  // namespace wherry
