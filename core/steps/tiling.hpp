// The tiles of a permutation of axes: how far each walks along dst and along src, and in which order they follow.
#pragma once

#include <vector>

#include "../kernels/blocks.hpp"
#include "../layout/collapse.hpp"

namespace wherry {

// The positions along the axes that lie dense in one operand, its own: a row of dst, or a column of src. They are cut
// into pieces, all of which but the first begin with a line of that operand.
struct Walk {
    int64_t total, piece;          // positions in all, and of a tile
    int64_t inner;                 // positions of all axes but the last
    int64_t step;                  // bytes of the other operand from one position of the last axis to the next
    std::vector<int64_t> offsets;  // bytes of the other operand, of the first positions
    int axis;                      // of the loops, from one piece to the next; -1 if there is one piece
};

// The axis along which rows follow each other in dst, if there is one.
struct RowsAfter {
    int64_t size = 0;   // 0: there is none
    int64_t inner = 0;  // rows of a tile from one to the one that follows it; all of them, if that is in another tile,
    int64_t bytes = 0;  // of src, from a row to the one that follows it
    int loop = -1;      // of the loops, which goes from one to the next; -1: both are in one tile
};

class Tiling {
public:
    // Tiles of runs of `run` bytes. False if these axes are better moved without.
    bool prepare(const Axes<2>& axes, int64_t run, bool stream);
    void move(char* dst, const char* src) const;

private:
    struct Sides;
    struct Apart;
    class Tiles;
    bool plain_tiles_pay(int64_t column_bytes, const Apart& apart) const;
    void find_lines(const Axes<2>& axes, const Sides& sides);
    void walk(const Axes<2>& axes, const Sides& sides, const Apart& apart);
    int64_t row_piece(const Apart& apart, bool cut, bool are_long) const;
    int64_t column_piece() const;
    void order_loops(const Axes<2>& axes, const bool* taken, int64_t row_bytes, bool along_dst);

    Axes<2> loops_;  // from tile to tile; those over pieces have strides of 0
    Walk columns_, rows_;
    int64_t run_, total_bytes_;
    int64_t ahead_;               // bytes of a TileBlock
    bool stream_, wait_;          // rows of dst leave around the cache, and wait for those of the next tile
    bool dst_lines_, src_lines_;  // rows of dst, and columns of src, lie whole lines apart
    bool follow_;                 // rows of dst follow each other: whole ones leave together where they share lines
    RowsAfter after_;
    TileKernel kernel_;
};

}  // namespace wherry
