// The table for AVX512VBMI: the loops that shuffle bytes, and others of their files; all else is of AVX-512.
#include "blocks.hpp"

#include <string.h>

#include <type_traits>

// Each uses those before it.
// clang-format off
#include "blocks_vector.hpp"
#include "blocks_transpose.hpp"
#include "blocks_channels.hpp"
#include "blocks_steps.hpp"
#include "blocks_copy.hpp"
#include "blocks_lookup.hpp"
// clang-format on

namespace wherry::avx512vbmi {
namespace {

BlockKernels with_bytes() {
    BlockKernels made = avx512::kernels;
    made.name = "avx512vbmi";
    made.look_up = look_up_for;
    made.look_up_bytes = look_up_block<1, 2, look_up_bytes>;
    made.copy = copy_for;
    made.planes = planes_for;
    made.fill = fill_for;
    made.move = move_bytes;
    return made;
}

}  // namespace

extern const BlockKernels kernels = with_bytes();

}  // namespace wherry::avx512vbmi
