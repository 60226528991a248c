// Rows that several copies fill together. Each row is put together in the cache and leaves it as whole lines: a line
// that is written in parts, some of them around the cache, costs several accesses to memory.
#include "bands.hpp"

#include <algorithm>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

constexpr int64_t kLeastDirectBytes = 128;  // of a row, on average, for each run and each element beside them

bool is_fill(const BandPart& part) { return part.from.buffer == kNoBuffer; }

}  // namespace

// False if the copy does not write a box of rows.
bool BandStep::place(const GroupedCopy& copy, Placed& placed) const {
    const int64_t step = row_step, at = copy.to.offset - to.offset;
    const Axes<2>& axes = copy.axes;
    int a = 0;
    for (; a < axes.ndim && axes.stride[a][0] > step; ++a) {
        if (a >= outer || axes.size[a] != outer_size[a] || axes.stride[a][0] != outer_step[a]) return false;
        placed.part.outer_step[a] = axes.stride[a][1];
    }
    if (a != outer) return false;
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
bool BandStep::cut(const std::vector<Placed>& placed) {
    std::vector<int64_t> cuts;
    for (const Placed& each : placed) cuts.insert(cuts.end(), {each.first, each.first + each.size});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool shared = false;
    for (size_t k = 0; k + 1 < cuts.size(); ++k) {
        Band band{cuts[k], cuts[k + 1] - cuts[k], parts.size(), 0};
        int64_t filled = 0;
        for (const Placed& each : placed) {
            if (each.first > band.first || each.first + each.size <= band.first) continue;
            parts.push_back(each.part);
            parts.back().from.offset += (band.first - each.first) * each.part.row_step;
            filled += each.bytes;
        }
        band.end = parts.size();
        if (filled != row_step) return false;
        shared |= band.end - band.part > 1;
        bands.push_back(band);
    }
    return shared && cuts.front() == 0;
}

// Whether the copies fill rows that begin `step` bytes after each other.
bool BandStep::lay_out(const std::vector<GroupedCopy>& copies, int64_t step) {
    bands.clear();
    parts.clear();
    row_step = step;
    to = copies[0].to;
    outer = 0;
    const Axes<2>& axes = copies[0].axes;
    for (; outer < axes.ndim && axes.stride[outer][0] > step; ++outer) {
        if (outer == kMostOuter) return false;
        outer_size[outer] = axes.size[outer];
        outer_step[outer] = axes.stride[outer][0];
    }
    for (const GroupedCopy& copy : copies) to.offset = least(to.offset, copy.to.offset);
    std::vector<Placed> placed(copies.size());
    for (size_t c = 0; c < copies.size(); ++c)
        if (!place(copies[c], placed[c])) return false;
    return cut(placed);
}

bool BandStep::join(const std::vector<GroupedCopy>& copies, int64_t stream_bytes) {
    std::vector<int64_t> steps;
    total_bytes_ = 0;
    for (const GroupedCopy& copy : copies) {
        const Axes<2>& axes = copy.axes;
        if (axes.empty || copy.to.buffer != copies[0].to.buffer || copy.width != copies[0].width) return false;
        total_bytes_ += copy.bytes();
        for (int a = 0; a < axes.ndim; ++a)
            if (axes.stride[a][0] >= tune::kLeastBandRow && axes.stride[a][0] <= tune::kMostBandRow)
                steps.push_back(axes.stride[a][0]);
    }
    if (total_bytes_ < machine().group) return false;
    staged = total_bytes_ >= stream_bytes;
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (int64_t step : steps)
        if (lay_out(copies, step)) return true;
    return false;
}

void BandStep::prepare() {
    direct_ = staged && goes_directly();
    piece_ = most(1, (!staged ? tune::kBandBytes : direct_ ? tune::kTaskBytes : tune::kBandStage) / row_step);
    pieces_ = 0;
    for (const Band& band : bands) {
        pieces_ += pieces(band.size, piece_);
        const auto first = parts.begin() + static_cast<std::ptrdiff_t>(band.part);
        const auto end = parts.begin() + static_cast<std::ptrdiff_t>(band.end);
        if (direct_) std::sort(first, end, [](const auto& a, const auto& b) { return a.column < b.column; });
    }
    for (BandPart& part : parts) {
        if (direct_ && is_fill(part)) become_run(part);
        part.copy = block_kernels().copy(part.block.bytes);
        part.block.far = staged && total_bytes_ >= machine().last;
    }
}

// Whether rows are runs and few elements beside them, which are put together in a register on their way.
bool BandStep::goes_directly() const {
    for (const Band& band : bands) {
        int64_t puts = 0;
        for (size_t p = band.part; p < band.end; ++p) {
            const CopyBlock& block = parts[p].block;
            if (block.columns > 1 && block.dst_column != block.bytes) return false;
            puts += is_fill(parts[p]) ? 1 : block.columns;
        }
        if (band.end - band.part > kMostRowParts || puts > row_step / kLeastDirectBytes) return false;
    }
    return true;
}

// Elements that are filled in are written as those of a run of them.
void BandStep::become_run(BandPart& part) {
    const CopyBlock& block = part.block;
    const char* const value = values.at(part.from, nullptr);
    std::string run;
    for (int64_t k = 0; k < block.columns; ++k) run.append(value, static_cast<size_t>(block.bytes));
    part.from = values.add(run);
    part.run = true;
    part.block.bytes *= block.columns;
    part.block.columns = 1;
}

const char* BandStep::source_of(const BandPart& part, int64_t first, const int64_t* at, char* const* base) const {
    const char* src = values.at(part.from, base) + first * part.row_step;
    for (int a = 0; a < outer; ++a) src += at[a] * part.outer_step[a];
    return src;
}

// The same around the cache.
void BandStep::stream_rows(const Band& band, int64_t first, int64_t rows, const int64_t* at, char* dst,
                           char* const* base) const {
    RowPart moved[kMostRowParts];
    const int64_t ahead = machine().rows_ahead(row_step);
    for (size_t p = band.part; p < band.end; ++p) {
        const BandPart& part = parts[p];
        const CopyBlock& block = part.block;
        moved[p - band.part] = {dst + part.column,
                                source_of(part, first, at, base),
                                row_step,
                                part.row_step,
                                block.columns,
                                block.dst_column,
                                block.src_column,
                                block.bytes,
                                ahead * part.row_step};
    }
    block_kernels().move_row_parts(moved, static_cast<int64_t>(band.end - band.part), rows, true, true);
}

// `rows` of a band from its row `first` on, at dst.
void BandStep::copy_rows(const Band& band, int64_t first, int64_t rows, const int64_t* at, char* dst,
                         char* const* base) const {
    for (size_t p = band.part; p < band.end; ++p) {
        const BandPart& part = parts[p];
        CopyBlock block = part.block;
        block.dst = dst + part.column;
        block.src = source_of(part, first, at, base);
        block.rows = part.run ? 1 : rows;
        block.dst_row = row_step;
        block.src_row = part.row_step;
        if (part.run) {
            block.columns = rows;
            block.dst_column = row_step;
            block.src_column = part.row_step;
        }
        part.copy(block);
    }
}

// One piece of rows after the other.
class BandStep::Walk {
public:
    Walk(const BandStep& step, int64_t start) : step_(step) {
        int64_t inside = start % step.pieces_, rest = start / step.pieces_;
        for (int a = step.outer - 1; a >= 0; --a) {
            at[a] = rest % step.outer_size[a];
            rest /= step.outer_size[a];
        }
        for (; inside >= pieces(band().size, step.piece_); ++band_) inside -= pieces(band().size, step.piece_);
        first = inside * step.piece_;
    }

    const Band& band() const { return step_.bands[band_]; }
    int64_t rows() const { return least(step_.piece_, band().size - first); }

    int64_t offset() const {
        int64_t offset = (band().first + first) * step_.row_step;
        for (int a = 0; a < step_.outer; ++a) offset += at[a] * step_.outer_step[a];
        return offset;
    }

    void next() {
        first += step_.piece_;
        if (first < band().size) return;
        first = 0;
        if (++band_ < step_.bands.size()) return;
        band_ = 0;
        for (int a = step_.outer - 1; a >= 0; --a) {
            if (++at[a] < step_.outer_size[a]) return;
            at[a] = 0;
        }
    }

    int64_t at[kMostOuter] = {};
    int64_t first = 0;  // row of the band

private:
    const BandStep& step_;
    size_t band_ = 0;
};

bool BandStep::run(char* const* base) const {
    int64_t outer_count = 1;
    for (int a = 0; a < outer; ++a) outer_count *= outer_size[a];
    char* const start = to.in(base);
    for_ranges(outer_count * pieces_, total_bytes_, [&](int64_t begin, int64_t end) {
        Stage stage;
        Walk walk(*this, begin);
        for (int64_t piece = begin; piece < end; ++piece, walk.next()) {
            char* const dst = start + walk.offset();
            const int64_t rows = walk.rows();
            if (direct_) {
                stream_rows(walk.band(), walk.first, rows, walk.at, dst, base);
                continue;
            }
            copy_rows(walk.band(), walk.first, rows, walk.at, staged ? stage.room(dst) : dst, base);
            if (staged) stage.put(rows * row_step);
        }
        if (staged) stage.finish();
    });
    return true;
}

}  // namespace wherry
