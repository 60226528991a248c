// The loops that shuffle bytes, and others of their files, for AVX512VBMI; isa.cpp puts them into AVX-512's table.
#include "blocks.hpp"

#include <string.h>

#include <type_traits>

// Each uses those before it.
// clang-format off
#include "blocks_vector.hpp"
#include "blocks_squares.hpp"
#include "blocks_transpose.hpp"
#include "blocks_channels.hpp"
#include "blocks_steps.hpp"
#include "blocks_copy.hpp"
#include "blocks_pattern.hpp"
#include "blocks_lookup.hpp"
// clang-format on

namespace wherry::avx512vbmi {

// constinit: nothing of this file runs when the library is loaded, on machines that may lack its instructions.
extern constinit const ByteKernels kernels = {
    look_up_for, look_up_block<1, 2, look_up_bytes>, copy_for, patterns_for, planes_for, fill_for, move_bytes,
};

}  // namespace wherry::avx512vbmi
