// Rows that several copies fill together. Each row is put together in the cache and leaves it as whole lines: a line
// that is written in parts, some of them around the cache, costs several accesses to memory.
#include "bands.hpp"

#include <algorithm>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

// One copy's place among the rows.
struct Placed {
    BandPart part;
    int64_t first, size, bytes;  // rows, and bytes for each
};

// False if the copy does not write a box of rows of `bands`.
bool place(const GroupedCopy& copy, const Bands& bands, Placed& placed) {
    const int64_t step = bands.step, at = copy.to_offset - bands.low;
    const Axes<2>& axes = copy.axes;
    int a = 0;
    for (; a < axes.ndim && axes.stride[a][0] > step; ++a) {
        if (a >= bands.outer || axes.size[a] != bands.outer_size[a] || axes.stride[a][0] != bands.outer_step[a])
            return false;
        placed.part.outer_step[a] = axes.stride[a][1];
    }
    if (a != bands.outer) return false;
    placed.first = at / step;
    placed.size = 1;
    placed.part.row_step = 0;
    if (a < axes.ndim && axes.stride[a][0] == step) {
        placed.size = axes.size[a];
        placed.part.row_step = axes.stride[a][1];
        ++a;
    }
    Axes<2> rest;
    for (; a < axes.ndim; ++a) rest.add(axes.size[a], axes.stride[a]);
    merge_neighbours(rest);
    if (rest.ndim > 1) return false;
    const int64_t count = rest.ndim == 1 ? rest.size[0] : 1;
    const int64_t to_step = rest.ndim == 1 ? rest.stride[0][0] : copy.width;
    const int64_t from_step = rest.ndim == 1 ? rest.stride[0][1] : copy.width;
    placed.bytes = count * copy.width;
    placed.part.from = copy.from;
    placed.part.from_offset = copy.from_offset;
    placed.part.column = at % step;
    placed.part.run = to_step == copy.width && from_step == copy.width && placed.bytes > 16;
    CopyBlock& block = placed.part.block;
    block = {};
    block.bytes = placed.part.run ? placed.bytes : copy.width;
    block.columns = placed.part.run ? 1 : count;
    block.dst_column = to_step;
    block.src_column = from_step;
    return placed.part.column + (count - 1) * to_step + copy.width <= step;
}

// Fills in the bands, if each byte of each row is written. The copies are apart: it is enough to count.
bool cut(Bands& bands, const std::vector<Placed>& placed) {
    std::vector<int64_t> cuts;
    for (const Placed& each : placed) cuts.insert(cuts.end(), {each.first, each.first + each.size});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool shared = false;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        Band band{cuts[k], cuts[k + 1] - cuts[k], bands.parts.size(), 0};
        int64_t bytes = 0;
        for (const Placed& each : placed) {
            if (each.first > band.first || each.first + each.size <= band.first) continue;
            bands.parts.push_back(each.part);
            bands.parts.back().from_offset += (band.first - each.first) * each.part.row_step;
            bytes += each.bytes;
        }
        band.end = bands.parts.size();
        if (bytes != bands.step) return false;
        shared |= band.end - band.part > 1;
        bands.bands.push_back(band);
    }
    return shared && cuts.front() == 0;
}

bool lay_out(Bands& bands, const GroupedCopy* copies, int count, int64_t step, int64_t stream_bytes) {
    bands = {};
    bands.step = step;
    bands.to = copies[0].to;
    bands.low = copies[0].to_offset;
    const Axes<2>& axes = copies[0].axes;
    for (; bands.outer < axes.ndim && axes.stride[bands.outer][0] > step; ++bands.outer) {
        if (bands.outer == kMostOuter) return false;
        bands.outer_size[bands.outer] = axes.size[bands.outer];
        bands.outer_step[bands.outer] = axes.stride[bands.outer][0];
    }
    for (int c = 0; c < count; ++c) {
        bands.low = least(bands.low, copies[c].to_offset);
        bands.bytes += copies[c].bytes();
    }
    std::vector<Placed> placed(static_cast<std::size_t>(count));
    for (int c = 0; c < count; ++c)
        if (!place(copies[c], bands, placed[static_cast<std::size_t>(c)])) return false;
    if (!cut(bands, placed)) return false;
    bands.staged = bands.bytes >= stream_bytes;
    bands.piece = most(1, (bands.staged ? tune::kStageBytes : tune::kBandBytes) / step);
    for (const Band& band : bands.bands) bands.pieces += pieces(band.size, bands.piece);
    return true;
}

// `rows` of a band from its row `first` on, at dst.
void copy_rows(const Bands& bands, const Band& band, int64_t first, int64_t rows, const int64_t* at, char* dst,
               char* const* base) {
    const BlockKernels& kernels = block_kernels();
    for (std::size_t p = band.part; p < band.end; ++p) {
        const BandPart& part = bands.parts[p];
        CopyBlock block = part.block;
        block.dst = dst + part.column;
        block.src = base[part.from] + part.from_offset + first * part.row_step;
        for (int a = 0; a < bands.outer; ++a) block.src += at[a] * part.outer_step[a];
        block.rows = part.run ? 1 : rows;
        block.dst_row = bands.step;
        block.src_row = part.row_step;
        if (part.run) {
            block.columns = rows;
            block.dst_column = bands.step;
            block.src_column = part.row_step;
        }
        kernels.copy(block);
    }
}

// One piece of rows after the other.
class Walk {
public:
    Walk(const Bands& bands, int64_t start) : bands_(bands) {
        int64_t inside = start % bands.pieces, rest = start / bands.pieces;
        for (int a = bands.outer - 1; a >= 0; --a) {
            at[a] = rest % bands.outer_size[a];
            rest /= bands.outer_size[a];
        }
        for (; inside >= pieces(band().size, bands.piece); ++band_) inside -= pieces(band().size, bands.piece);
        first = inside * bands.piece;
    }

    const Band& band() const { return bands_.bands[band_]; }
    int64_t rows() const { return least(bands_.piece, band().size - first); }

    int64_t offset() const {
        int64_t offset = bands_.low + (band().first + first) * bands_.step;
        for (int a = 0; a < bands_.outer; ++a) offset += at[a] * bands_.outer_step[a];
        return offset;
    }

    void next() {
        first += bands_.piece;
        if (first < band().size) return;
        first = 0;
        if (++band_ < bands_.bands.size()) return;
        band_ = 0;
        for (int a = bands_.outer - 1; a >= 0; --a) {
            if (++at[a] < bands_.outer_size[a]) return;
            at[a] = 0;
        }
    }

    int64_t at[kMostOuter] = {};
    int64_t first = 0;  // row of the band

private:
    const Bands& bands_;
    std::size_t band_ = 0;
};

}  // namespace

Bands bands_of(const GroupedCopy* copies, int count, int64_t stream_bytes) {
    Bands bands;
    std::vector<int64_t> steps;
    int64_t bytes = 0;
    for (int c = 0; c < count; ++c) {
        const Axes<2>& axes = copies[c].axes;
        if (axes.empty || copies[c].to != copies[0].to || copies[c].width != copies[0].width) return {};
        bytes += copies[c].bytes();
        for (int a = 0; a < axes.ndim; ++a)
            if (axes.stride[a][0] >= tune::kLeastBandRow && axes.stride[a][0] <= tune::kMostBandRow)
                steps.push_back(axes.stride[a][0]);
    }
    if (bytes < tune::kGroupBytes) return {};
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (int64_t step : steps)
        if (lay_out(bands, copies, count, step, stream_bytes)) return bands;
    return {};
}

void copy_bands(const Bands& bands, char* const* base) {
    int64_t outer = 1;
    for (int a = 0; a < bands.outer; ++a) outer *= bands.outer_size[a];
    for_ranges(outer * bands.pieces, bands.bytes, [&](int64_t begin, int64_t end) {
        Stage stage;
        Walk walk(bands, begin);
        for (int64_t piece = begin; piece < end; ++piece, walk.next()) {
            char* const dst = base[bands.to] + walk.offset();
            const int64_t rows = walk.rows();
            copy_rows(bands, walk.band(), walk.first, rows, walk.at, bands.staged ? stage.room(dst) : dst, base);
            if (bands.staged) stage.put(rows * bands.step);
        }
        if (bands.staged) stage.finish();
    });
}

}  // namespace wherry
