// Copy and fill: collapse, cut into tasks, hand blocks to the inner loops.
#include "copy.hpp"

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "rows.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

constexpr int kMostPlanes = 4;

void copy_dense(char* dst, const char* src, int64_t bytes, bool stream) {
    const BlockKernels& kernels = block_kernels();
    for_ranges(pieces(bytes, tune::kTaskBytes), bytes, [&](int64_t begin, int64_t end) {
        const int64_t from = begin * tune::kTaskBytes, to = least(end * tune::kTaskBytes, bytes);
        kernels.move(dst + from, src + from, to - from, stream);
        if (stream) settle_streams();
    });
}

// Whether src has two to four channels together that become rows of dst, each row short and dense.
bool are_short_planes(const CopyBlock& shape, bool stream) {
    const bool together = shape.src_row == shape.bytes && shape.src_column == shape.rows * shape.bytes;
    const bool known = shape.bytes <= 8 && (shape.bytes & (shape.bytes - 1)) == 0;
    return stream && known && together && shape.rows >= 2 && shape.rows <= kMostPlanes &&
           shape.dst_column == shape.bytes && shape.columns * shape.bytes <= tune::kMostStageBytes;
}

// The rows of a channel follow each other in dst: several are put together, and leave by whole lines.
void copy_short_planes(char* dst, const char* src, const Axes<2>& rows, const CopyBlock& shape, int64_t total_bytes) {
    const BlockKernels& kernels = block_kernels();
    const int64_t bytes = shape.columns * shape.bytes, row = bytes * shape.rows;
    const int last = rows.ndim - 1;
    const bool follow = last >= 0 && rows.stride[last][0] == bytes;
    const int64_t count = follow ? rows.size[last] : 1, step = follow ? rows.stride[last][1] : 0;
    Axes<2> outer = rows;
    if (follow) outer.remove(last);
    const int64_t piece = most(1, tune::kStageBytes / bytes), ahead = most(1, tune::kPlanesAhead / row) * step;
    for_ranges(RowPieces<2>::tasks(outer, count, piece), total_bytes, [&](int64_t begin, int64_t end) {
        Stage stages[kMostPlanes];
        RowPieces<2> at(outer, count, piece, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) {
            const int64_t first = at.first(), part = at.size();
            char* planes[kMostPlanes];
            for (int k = 0; k < shape.rows; ++k)
                planes[k] = stages[k].room(dst + at.offset()[0] + first * bytes + k * shape.dst_row);
            // The kernel only reads `packed`, as it parts.
            char* packed = const_cast<char*>(src) + at.offset()[1] + first * step;
            for (int64_t r = 0; r < part; ++r, packed += step) {
                for (int64_t line = 0; line < row; line += 64) __builtin_prefetch(packed + ahead + line);
                kernels.planes({packed, planes, shape.columns, static_cast<int>(shape.rows), shape.bytes, false});
                for (int k = 0; k < shape.rows; ++k) planes[k] += bytes;
            }
            for (int k = 0; k < shape.rows; ++k) stages[k].put(part * bytes);
        }
        for (int k = 0; k < shape.rows; ++k) stages[k].finish();
    });
}

}  // namespace

void copy(char* dst, const char* src, Axes<2>& axes, int64_t width, int64_t all_bytes) {
    if (axes.empty || width == 0) return;
    collapse(axes);
    dst += axes.offset[0];
    src += axes.offset[1];
    const int64_t run = take_run(axes, width);
    const int64_t total_bytes = axes.count() * run;
    bool stream = most(total_bytes, all_bytes) >= tune::kStreamBytes;
    if (axes.ndim == 0) return copy_dense(dst, src, run, stream);

    // The block: the axis that dst steps finely, and the one that src steps finely (or the next outer one).
    const int fine = axes.ndim - 1;
    int other = -1;
    for (int a = 0; a < axes.ndim; ++a) {
        if (a == fine) continue;
        if (other < 0 || magnitude(axes.stride[a][1]) <= magnitude(axes.stride[other][1])) other = a;
    }
    if (other >= 0 && magnitude(axes.stride[other][1]) >= magnitude(axes.stride[fine][1])) other = fine - 1;

    CopyBlock shape{};
    shape.columns = axes.size[fine];
    shape.dst_column = axes.stride[fine][0];
    shape.src_column = axes.stride[fine][1];
    shape.rows = other < 0 ? 1 : axes.size[other];
    shape.dst_row = other < 0 ? 0 : axes.stride[other][0];
    shape.src_row = other < 0 ? 0 : axes.stride[other][1];
    shape.bytes = run;

    // Tiles: a few lines of dst wide, and longer along the axis that src steps finely, if there is one.
    const bool transposes = magnitude(shape.src_row) < magnitude(shape.src_column);
    const bool bytes = run == 1 && shape.rows >= tune::kByteRows && shape.columns >= tune::kStreamByteColumns;
    // Rows of dst that lie a multiple of this step apart share one set of the first cache: they, and matrices of bytes,
    // go around the cache earlier.
    stream |=
        transposes && (bytes || shape.dst_row % tune::kFirstCacheStep == 0) && total_bytes >= tune::kStreamCrowded;
    shape.stream = stream;
    int64_t tile_rows, tile_columns, lead = 0;
    if (transposes) {
        // Short rows of src, such as the channels of a pixel, become longer runs of dst.
        tile_columns = most(
            tune::kLeastTile,
            (stream && shape.rows * run <= tune::kShortRowBytes ? tune::kStreamTileRowBytes : tune::kTileRowBytes) /
                run);
        if (bytes) tile_columns = tune::kByteColumns;
        // Nothing has fetched the first lines of a walk along a row of src, so walks are long. Those along bytes, which
        // take more columns at once, are shorter.
        tile_rows = run == 1 ? tune::kByteTileRows : most(tune::kLeastTile, tune::kTileBytes / run);
        // Few rows or columns, such as the channels of an image: longer tiles.
        if (shape.rows * run < 64) tile_columns = most(tile_columns, tune::kThinTaskBytes / (shape.rows * run));
        if (shape.columns * run < 64) tile_rows = most(tile_rows, tune::kThinTaskBytes / (shape.columns * run));
        // The first tile is a little wider, so that all others begin with a line of dst.
        const int64_t before = -reinterpret_cast<intptr_t>(dst) & 63;
        if (before % run == 0) lead = before / run;
    } else {
        tile_columns = least(shape.columns, most(1, tune::kTaskBytes / run));
        tile_rows = most(1, tune::kTaskBytes / (tile_columns * run));
    }
    if (are_short_planes(shape, stream)) {
        Axes<2> rows = axes;
        rows.remove(fine);
        rows.remove(other);
        return copy_short_planes(dst, src, rows, shape, total_bytes);
    }
    const int64_t across = most(1, pieces(shape.columns - lead, tile_columns));
    const int64_t down = pieces(shape.rows, tile_rows);

    Axes<2> outer = axes;
    outer.remove(fine);
    if (other >= 0) outer.remove(other);
    const int64_t per_block = across * down;
    const BlockKernels& kernels = block_kernels();
    for_ranges(outer.count() * per_block, total_bytes, [&](int64_t begin, int64_t end) {
        Outer<2> at(outer, begin / per_block);
        int64_t inside = begin % per_block;
        for (int64_t task = begin; task < end; ++task) {
            const int64_t row = inside / across * tile_rows, tile = inside % across;
            const int64_t column = tile == 0 ? 0 : lead + tile * tile_columns;
            CopyBlock block = shape;
            block.rows = least(tile_rows, shape.rows - row);
            block.columns = least(lead + (tile + 1) * tile_columns, shape.columns) - column;
            block.dst = dst + at.offset[0] + row * shape.dst_row + column * shape.dst_column;
            block.src = src + at.offset[1] + row * shape.src_row + column * shape.src_column;
            kernels.copy(block);
            if (++inside == per_block) {
                inside = 0;
                at.next();
            }
        }
        if (stream) settle_streams();
    });
}

void fill(char* dst, Axes<1>& axes, const char* value, int64_t width) {
    if (axes.empty || width == 0) return;
    collapse(axes);
    dst += axes.offset[0];
    const int fine = axes.ndim - 1;
    const int64_t count = fine < 0 ? 1 : axes.size[fine];
    const int64_t step = fine < 0 ? width : axes.stride[fine][0];
    const int64_t total_bytes = axes.count() * width;
    const int64_t piece = width >= tune::kTaskBytes ? 1 : tune::kTaskBytes / width;
    Axes<1> outer = axes;
    if (fine >= 0) outer.remove(fine);
    const BlockKernels& kernels = block_kernels();
    for_row_pieces(outer, count, piece, total_bytes, false, [&](const int64_t* at, int64_t first, int64_t part) {
        kernels.fill(dst + at[0] + first * step, step, part, value, width);
    });
}

}  // namespace wherry
