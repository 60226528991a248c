// The inner loops. Compiled once for each instruction set into the namespace WHERRY_ISA_NAME.
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
#include "blocks_tiles.hpp"
#include "blocks_rows.hpp"
#include "blocks_gather.hpp"
#include "blocks_index.hpp"
#include "blocks_lookup.hpp"
#include "blocks_scatter.hpp"
#include "blocks_select.hpp"
#include "blocks_numbers.hpp"
#include "blocks_convert_runs.hpp"
#include "blocks_convert_avx2.hpp"
#include "blocks_convert_avx512.hpp"
#include "blocks_convert.hpp"
#include "blocks_round_halves.hpp"
#include "blocks_round.hpp"
#include "blocks_calculate.hpp"
#include "blocks_range.hpp"
#include "blocks_marks.hpp"
// clang-format on

#define WHERRY_TEXT_(x) #x
#define WHERRY_TEXT(x) WHERRY_TEXT_(x)

namespace wherry::WHERRY_ISA_NAME {

// constinit: nothing of this file runs when the library is loaded, on machines that may lack its instructions.
extern constinit const BlockKernels kernels = {
    WHERRY_TEXT(WHERRY_ISA_NAME),
    resolve_for,
    any_outside_for,
    pick_directly_for,
    gather_directly_for,
    gather_for,
    look_up_for,
    look_up_block<1, 2, look_up_bytes>,
    copy_for,
    patterns_for,
    tile_for,
    tiles_wait,
    leave,
    select_for,
    convert_for,
    convert_to_odd_for,
    round_for,
    calculate_for,
    fold_for,
    range_for,
    planes_for,
    mark_for,
    fill_for,
    pick,
    locate,
    move_bytes,
    stream_parts,
    move_row_parts,
};

}  // namespace wherry::WHERRY_ISA_NAME
