// Copy: collapse, choose tiles, hand them to the inner loops.
#include "copy.hpp"

#include <utility>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "rows.hpp"
#include "stage.hpp"
#include "turns.hpp"

namespace wherry {
namespace {

// So many rows or columns of few bytes are a tile, which ends with a line, whatever the element.
int64_t thin_tile(int64_t bytes) { return tune::kThinTaskBytes / bytes / tune::kLine * tune::kLine; }

// Whether a tile of so many elements takes less time than it takes to begin one.
bool are_few(int64_t run, int64_t elements) { return elements < (run <= 4 ? 2 : 1) * tune::kFewOfTile; }

// Whether each element of src becomes two of dst at least.
bool reads_little(const Axes<2>& axes) {
    for (int a = 0; a < axes.ndim; ++a)
        if (axes.stride[a][1] == 0 && axes.size[a] > 1) return true;
    return false;
}

}  // namespace

void CopyStep::check(Fields& fields) {
    width = fields.integer(3);
    const Tensor target = fields.target(1, width), source = fields.tensor(2, width);
    to = spot_of(target), from = spot_of(source);
    share_axes<2>(axes, {&target, &source});
    bytes = bytes_of(target, width);
}

void CopyStep::prepare() {
    way_ = Way::none;
    if (axes.empty || width == 0) return;
    outer_ = axes;
    alike_ = true;
    for (int a = 0; a < axes.ndim; ++a) alike_ &= axes.stride[a][0] == axes.stride[a][1];
    collapse(outer_);
    start_[0] = outer_.offset[0], start_[1] = outer_.offset[1];
    const int64_t run = take_run(outer_, width);
    total_bytes_ = outer_.count() * run;
    const int64_t all = most(total_bytes_, beside) / (is_rewritten ? 2 : 1);
    stream_ = outer_.ndim == 0 ? machine().is_streamed(all, all) : all >= machine().runs_streamed(run);
    way_ = Way::run;
    if (outer_.ndim == 0) return;
    Axes<2> all_axes;
    if (total_bytes_ >= tune::kPatternCopy) all_axes = outer_;
    const bool may_permute = total_bytes_ >= machine().tiled && outer_.ndim > 1;
    choose_axes(run);
    if (may_follow_pattern()) {
        const bool has_tiles = shape_.src_row == run && shape_.rows >= tune::kPatternTileRows;
        auto pattern = std::make_shared<Pattern>();
        if (pattern->prepare(all_axes, run, stream_, has_tiles)) {
            pattern_ = std::move(pattern);
            way_ = Way::pattern;
            return;
        }
    }
    if (!stream_ && choose_channels()) return;
    if (may_permute) {
        // Later than without tiles, which put rows of one set together before they write them.
        stream_ |= are_in_one_set() && total_bytes_ >= 2 * machine().crowded;
        auto tiling = std::make_shared<Tiling>();
        if (tiling->prepare(all_axes, run, stream_)) {
            tiling_ = std::move(tiling);
            way_ = Way::permutation;
            return;
        }
    }
    choose_tiles(run);
    if (stream_ && choose_channels()) return;
    way_ = Way::tiles;
    copy_ = block_kernels().copy(run);
}

// The longest axis besides the finest one of dst, if it is much longer than the `other`.
int CopyStep::longer_than(int other) const {
    int longest = other;
    for (int a = outer_.ndim - 2; a >= 0; --a)
        if (outer_.size[a] > outer_.size[longest]) longest = a;
    return outer_.size[longest] >= tune::kLongerAxis * outer_.size[other] ? longest : other;
}

// Whether long runs that do not stay in the caches of a core are moved in the order of src, which the hardware then
// fetches: they are whole lines of dst in any order. Not where written lines are fetched, which wants the order of dst.
bool CopyStep::follows_source(int64_t run) const {
    return !stream_ && run >= tune::kStreamRun && total_bytes_ >= 4 * machine().second &&
           machine().written_ahead() == 0;
}

// A tile has two axes: the one that dst steps finely, and the one that src steps finely, or else the next outer one.
// Where these are short, a tile of a longer one takes less time than many of theirs.
void CopyStep::choose_axes(int64_t run) {
    int fine = outer_.ndim - 1, other = -1;
    for (int a = 0; a < fine; ++a)
        if (other < 0 || magnitude(outer_.stride[a][1]) <= magnitude(outer_.stride[other][1])) other = a;
    if (other >= 0 && magnitude(outer_.stride[other][1]) >= magnitude(outer_.stride[fine][1])) other = fine - 1;
    if (other >= 0 && are_few(run, outer_.size[fine] * outer_.size[other])) other = longer_than(other);
    const bool is_finer = other >= 0 && magnitude(outer_.stride[other][1]) < magnitude(outer_.stride[fine][1]);
    shape_.far = is_finer && follows_source(run);
    if (shape_.far) std::swap(fine, other);

    shape_.bytes = run;
    shape_.columns = outer_.size[fine];
    shape_.dst_column = outer_.stride[fine][0];
    shape_.src_column = outer_.stride[fine][1];
    shape_.rows = other < 0 ? 1 : outer_.size[other];
    shape_.dst_row = other < 0 ? 0 : outer_.stride[other][0];
    shape_.src_row = other < 0 ? 0 : outer_.stride[other][1];
    outer_.remove(most(fine, other));
    if (other >= 0) outer_.remove(least(fine, other));
}

void CopyStep::choose_tiles(int64_t run) {
    // Rows of dst that share a set of the first cache go around the cache earlier, and so do matrices of bytes. Runs
    // have whole lines, which nothing drives out half written.
    lines_ = magnitude(shape_.src_row) < magnitude(shape_.src_column);
    const bool byte_matrix = run == 1 && shape_.rows >= tune::kByteRows && shape_.columns >= tune::kStreamByteColumns;
    stream_ |= lines_ && (byte_matrix || are_in_one_set()) && total_bytes_ >= machine().crowded;
    shape_.stream = stream_;
    shape_.written_ahead = machine().written_ahead();
    if (stream_) shape_.fetch = most(machine().fetch, tune::kCopiedRunBytes);
    // What comes again finds all of it in the first cache, or in the second, where it would be fetched to.
    if (most(total_bytes_, beside) <= machine().first) shape_.fetch = 0;
    resident_ = reads_little(axes) ? machine().resident : 0;
    if (lines_) {
        // A few lines of dst wide, and longer along the axis that src steps finely. Short rows of src, such as the
        // channels of a pixel, become longer runs of dst.
        const bool short_rows = stream_ && shape_.rows * run <= tune::kShortRowBytes;
        tile_columns_ = most(tune::kLeastTile, (short_rows ? tune::kStreamTileRowBytes : tune::kTileRowBytes) / run);
        if (byte_matrix) tile_columns_ = tune::kByteColumns;
        // Nothing has fetched the first lines of a walk along a row of src, so walks are long. Those along bytes, which
        // take more columns at once, are shorter.
        tile_rows_ = run == 1 ? tune::kByteTileRows : most(tune::kLeastTile, tune::kTileBytes / run);
        // Few rows or columns, such as the channels of an image: longer tiles.
        if (shape_.rows * run < tune::kLine) tile_columns_ = most(tile_columns_, thin_tile(shape_.rows * run));
        if (shape_.columns * run < tune::kLine) tile_rows_ = most(tile_rows_, thin_tile(shape_.columns * run));
    } else {
        tile_columns_ = least(shape_.columns, most(1, tune::kTaskBytes / run));
        tile_rows_ = most(1, tune::kTaskBytes / (tile_columns_ * run));
    }
    down_ = pieces(shape_.rows, tile_rows_);
}

// Whether rows of dst lie a multiple of this step apart: elements in one column then share a set of the first cache.
bool CopyStep::are_in_one_set() const {
    return shape_.bytes <= tune::kMostSquareElement && shape_.dst_row % tune::kFirstCacheStep == 0;
}

// Two to four channels, each row of which is short.
bool CopyStep::choose_channels() {
    joins_ = are_short_joins();
    if (!joins_ && !are_short_planes()) return false;
    way_ = !stream_ ? Way::channels : joins_ ? Way::joins : Way::planes;
    planes_ = block_kernels().planes(shape_.bytes, joins_ ? shape_.columns : shape_.rows, joins_);
    return true;
}

// Whether src has two to four channels together that become dense rows of dst.
bool CopyStep::parts_channels() const {
    const CopyBlock& s = shape_;
    return has_planes(s.bytes, s.rows) && s.src_row == s.bytes && s.src_column == s.rows * s.bytes &&
           s.dst_column == s.bytes;
}

// Whether two to four dense rows of src become one of dst, element by element.
bool CopyStep::joins_channels() const {
    const CopyBlock& s = shape_;
    return has_planes(s.bytes, s.columns) && s.dst_column == s.bytes && s.dst_row == s.columns * s.bytes &&
           s.src_row == s.bytes;
}

// Whether runs are short, and neither make nor leave long rows of channels, which have kernels of their own.
bool CopyStep::may_follow_pattern() const {
    const CopyBlock& s = shape_;
    const PatternKernels* kernels = block_kernels().patterns(s.bytes);
    if (!kernels || s.bytes >= tune::kLine || total_bytes_ < tune::kPatternCopy) return false;
    return s.rows * s.columns * s.bytes <= tune::kPatternChannels * kernels->vector ||
           !(joins_channels() || parts_channels());
}

// Whether channels become rows each of which is short. Planes in one set drive each other out of the last cache where
// they take much of it, and had better be streamed.
bool CopyStep::are_short_planes() const {
    return parts_channels() && shape_.columns * shape_.bytes <= tune::kMostStageBytes &&
           (stream_ || !are_in_one_set() || total_bytes_ <= machine().last / 2);
}

// Whether the row that channels become is short, and ends where another one begins, if they are streamed.
bool CopyStep::are_short_joins() const {
    const int64_t row = shape_.rows * shape_.dst_row;
    return joins_channels() && row <= tune::kMostStageBytes &&
           (!stream_ || (outer_.ndim > 0 && outer_.stride[outer_.ndim - 1][0] == row));
}

void CopyStep::move(char* dst, const char* src) const {
    if (way_ == Way::none || (alike_ && dst == src)) return;
    dst += start_[0];
    src += start_[1];
    switch (way_) {
        case Way::none: return;
        case Way::run: return move_run(dst, src);
        case Way::channels: return move_channels(dst, src);
        case Way::planes: return move_planes(dst, src);
        case Way::joins: return move_joins(dst, src);
        case Way::tiles: return move_tiles(dst, src);
        case Way::permutation: return tiling_->move(dst, src);
        case Way::pattern: return pattern_->move(dst, src, shared_bytes());
    }
}

void CopyStep::move_run(char* dst, const char* src) const {
    const BlockKernels& kernels = block_kernels();
    if (total_bytes_ <= tune::kTaskBytes && !stream_) return kernels.move(dst, src, total_bytes_, false);
    for_ranges(pieces(total_bytes_, tune::kTaskBytes), shared_bytes(), [&](int64_t begin, int64_t end) {
        const int64_t first = begin * tune::kTaskBytes, last = least(end * tune::kTaskBytes, total_bytes_);
        if (stream_ && last - first >= machine().side_by_side)
            kernels.stream_parts(dst + first, src + first, last - first);
        else
            kernels.move(dst + first, src + first, last - first, stream_);
        if (stream_) settle_streams();
    });
}

// Rows that stay in the cache go from where they lie to where they belong.
void CopyStep::move_channels(char* dst, const char* src) const {
    const int64_t channels = joins_ ? shape_.columns : shape_.rows, count = joins_ ? shape_.rows : shape_.columns,
                  apart = joins_ ? shape_.src_column : shape_.dst_row;
    for_ranges(outer_.count(), shared_bytes(), [&](int64_t begin, int64_t end) {
        Outer<2> at(outer_, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) {
            char* const to = dst + at.offset[0];
            char* const from = const_cast<char*>(src) + at.offset[1];  // which the kernel only reads
            char* planes[kMostPlanes];
            for (int k = 0; k < channels; ++k) planes[k] = (joins_ ? from : to) + k * apart;
            planes_({joins_ ? to : from, planes, count, false});
        }
    });
}

// The rows of a channel follow each other in dst: several are put together, and leave as whole lines. What lies in src
// between rows of one place goes to others, by turns.
void CopyStep::move_planes(char* dst, const char* src) const {
    Turns turns{1, static_cast<int>(shape_.rows), shape_.columns, shape_.columns * shape_.bytes, planes_};
    Axes<2> outer = outer_;
    const int last = outer_.ndim - 1;
    const bool follow = last >= 0 && outer_.stride[last][0] == turns.bytes;
    const int64_t count = follow ? outer_.size[last] : 1, step = follow ? outer_.stride[last][1] : 0;
    if (follow) outer.remove(last);
    int64_t turn[2] = {0, 0};
    for (int a = outer.ndim - 1; a >= 0 && turns.turns == 1; --a) {
        if (magnitude(outer.stride[a][1]) >= magnitude(step) || outer.size[a] * shape_.rows > Turns::kMost) continue;
        turns.turns = static_cast<int>(outer.size[a]);
        turn[0] = outer.stride[a][0], turn[1] = outer.stride[a][1];
        outer.remove(a);
    }
    if (turns.turns == 1) turns.ahead = most(1, tune::kPlanesAhead / (turns.bytes * turns.channels)) * step;
    const int64_t piece = turns.rows_at_once();
    for_ranges(RowPieces<2>::tasks(outer, count, piece), total_bytes_, [&](int64_t begin, int64_t end) {
        Stage stages[Turns::kMost];
        RowPieces<2> at(outer, count, piece, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) {
            char* to[Turns::kMost];
            const char* from[Turns::kMost];
            for (int t = 0; t < turns.turns; ++t) {
                char* const place = dst + at.offset()[0] + at.first() * turns.bytes + t * turn[0];
                for (int k = 0; k < shape_.rows; ++k) to[t * turns.channels + k] = place + k * shape_.dst_row;
                from[t] = src + at.offset()[1] + at.first() * step + t * turn[1];
            }
            turns.move(stages, to, from, step, at.size());
        }
        turns.finish(stages);
    });
}

// A line of dst in which one row ends and another begins leaves once.
void CopyStep::move_joins(char* dst, const char* src) const {
    const int64_t row = shape_.rows * shape_.dst_row;
    for_ranges(outer_.count(), total_bytes_, [&](int64_t begin, int64_t end) {
        Stage stage;
        Outer<2> at(outer_, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) {
            char* planes[kMostPlanes];
            // The kernel only reads the planes when it joins.
            for (int k = 0; k < shape_.columns; ++k)
                planes[k] = const_cast<char*>(src) + at.offset[1] + k * shape_.src_column;
            planes_({stage.room(dst + at.offset[0]), planes, shape_.rows, false});
            stage.put(row);
        }
        stage.finish();
    });
}

void CopyStep::move_tiles(char* dst, const char* src) const {
    // The first tile is a little wider, so that all others begin with a line of dst.
    const int64_t before = lines_ ? -reinterpret_cast<intptr_t>(dst) & (tune::kLine - 1) : 0;
    const int64_t lead = before % shape_.bytes == 0 ? before / shape_.bytes : 0;
    const int64_t across = most(1, pieces(shape_.columns - lead, tile_columns_)), per_block = across * down_;
    for_ranges(outer_.count() * per_block, shared_bytes(), [&](int64_t begin, int64_t end) {
        Outer<2> at(outer_, begin / per_block);
        int64_t inside = begin % per_block;
        for (int64_t task = begin; task < end; ++task) {
            const int64_t row = inside / across * tile_rows_, tile = inside % across;
            const int64_t column = tile == 0 ? 0 : lead + tile * tile_columns_;
            CopyBlock block = shape_;
            block.rows = least(tile_rows_, shape_.rows - row);
            block.columns = least(lead + (tile + 1) * tile_columns_, shape_.columns) - column;
            block.dst = dst + at.offset[0] + row * shape_.dst_row + column * shape_.dst_column;
            block.src = src + at.offset[1] + row * shape_.src_row + column * shape_.src_column;
            block.stream = stream_ && block.dst - dst >= resident_;
            copy_(block);
            if (++inside == per_block) {
                inside = 0;
                at.next();
            }
        }
        if (stream_) settle_streams();
    });
}

std::unique_ptr<Move> make_copy() { return std::make_unique_for_overwrite<CopyStep>(); }

}  // namespace wherry
