// Copies slice by slice. A padded image, the parts of a Concat and the channels of an image share lines of memory:
// those are moved once, not once for each copy.
#include "group.hpp"

#include <algorithm>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

// One axis of the grid that both boxes lie in: the byte step, and the positions of each box.
struct GridAxis {
    int64_t step, first[2], size[2];
};

// The axes of both boxes, the longest step first; the bytes of an element are the last. False if they do not nest.
bool grid_of(const Box& a, const Box& b, GridAxis* grid, int& ndim) {
    ndim = 0;
    const Box* const boxes[2] = {&a, &b};
    for (int side = 0; side < 2; ++side) {
        const Axes<1>& axes = boxes[side]->axes;
        for (int k = 0; k < axes.ndim; ++k) {
            int at = 0;
            while (at < ndim && grid[at].step > axes.stride[k][0]) ++at;
            if (at == ndim || grid[at].step != axes.stride[k][0]) {
                for (int move = ndim++; move > at; --move) grid[move] = grid[move - 1];
                grid[at] = {axes.stride[k][0], {0, 0}, {1, 1}};
            }
            if (axes.stride[k][0] < boxes[side]->width || grid[at].size[side] != 1) return false;
            grid[at].size[side] = axes.size[k];
        }
    }
    if (ndim == 0 || grid[ndim - 1].step > 1) grid[ndim++] = {1, {0, 0}, {a.width, b.width}};
    return true;
}

// Runs shorter than a line, or elements with others between them: what one copy leaves of a line, another one takes.
bool shares_lines(const GroupedCopy& copy) {
    const int last = copy.axes.ndim - 1;
    const int64_t (&step)[2] = copy.axes.stride[last];
    if (step[0] == copy.width && (step[1] == copy.width || step[1] == 0))
        return copy.axes.size[last] * copy.width < tune::kLine;
    return step[0] < tune::kLine && step[1] < tune::kLine && step[1] > -tune::kLine;
}

// Fewer axes, where all copies merge alike.
void merge_alike(std::vector<GroupedCopy>& copies) {
    Axes<2> merged = copies[0].axes;
    merge_neighbours(merged);
    for (const GroupedCopy& copy : copies) {
        Axes<2> other = copy.axes;
        merge_neighbours(other);
        bool alike = other.ndim == merged.ndim;
        for (int a = 0; alike && a < other.ndim; ++a) alike = other.size[a] == merged.size[a];
        if (!alike) return;
    }
    for (GroupedCopy& copy : copies) merge_neighbours(copy.axes);
}

}  // namespace

bool are_apart(const Box& a, const Box& b) {
    if (a.axes.empty || b.axes.empty) return true;
    if (a.width != b.width) return false;
    GridAxis grid[2 * kMaxRank + 1];
    int ndim;
    if (!grid_of(a, b, grid, ndim)) return false;
    bool separate = false;
    for (int side = 0; side < 2; ++side) {
        int64_t rest = side == 0 ? a.offset : b.offset;
        for (int k = 0; k < ndim; ++k) {
            grid[k].first[side] = rest / grid[k].step;
            rest %= grid[k].step;
            // An axis must not reach into the next position of the one before: coordinates would not be unique.
            if (k > 0 && grid[k].first[side] + grid[k].size[side] > grid[k - 1].step / grid[k].step) return false;
        }
    }
    for (int k = 0; k < ndim; ++k)
        separate |= grid[k].first[0] >= grid[k].first[1] + grid[k].size[1] ||
                    grid[k].first[1] >= grid[k].first[0] + grid[k].size[0];
    return separate;
}

void GroupedCopy::order() {
    turn_forwards(axes);
    order_by_writes(axes);
    to.offset += axes.offset[0];
    from.offset += axes.offset[1];
    axes.offset[0] = axes.offset[1] = 0;
}

// Whether the copies are the channels of elements that lie together on one side, dst (0) or src (1), and in dense
// planes on the other; orders them.
bool GroupStep::are_channels(int side) {
    const auto spot = [side](const GroupedCopy& c) { return side == 0 ? c.to : c.from; };
    const GroupedCopy& first = copies[0];
    const int64_t width = first.width, count = static_cast<int64_t>(copies.size());
    if (!has_planes(width, count)) return false;
    for (const GroupedCopy& copy : copies) {
        const Axes<2>& axes = copy.axes;
        const int last = axes.ndim - 1;
        if (copy.width != width || axes.ndim != first.axes.ndim || spot(copy).buffer != spot(first).buffer)
            return false;
        if (axes.stride[last][side] != count * width || axes.stride[last][1 - side] != width) return false;
        for (int a = 0; a < axes.ndim; ++a)
            if (axes.size[a] != first.axes.size[a] || axes.stride[a][side] != first.axes.stride[a][side]) return false;
    }
    std::sort(copies.begin(), copies.end(),
              [&](const auto& a, const auto& b) { return spot(a).offset < spot(b).offset; });
    for (size_t c = 1; c < copies.size(); ++c)
        if (spot(copies[c]).offset != spot(copies[c - 1]).offset + width) return false;
    return true;
}

// Whether the copies part rows of src, several for each position of the axis before the last, into channels; orders
// them: each second row and column of an image is one of four.
bool GroupStep::are_turns() {
    const GroupedCopy& first = copies[0];
    const Axes<2>& axes = first.axes;
    const int last = axes.ndim - 1;
    const int64_t width = first.width, count = static_cast<int64_t>(copies.size());
    if (last < 1 || count > Turns::kMost) return false;
    const int64_t channels = axes.stride[last][1] / width;
    if (!has_planes(width, channels) || axes.stride[last][1] != channels * width || axes.stride[last][0] != width ||
        count % channels || count == channels)
        return false;
    for (const GroupedCopy& copy : copies) {
        if (copy.width != width || copy.axes.ndim != axes.ndim || copy.from.buffer != first.from.buffer) return false;
        for (int a = 0; a < axes.ndim; ++a)
            if (copy.axes.size[a] != axes.size[a] || copy.axes.stride[a][1] != axes.stride[a][1]) return false;
        if (copy.axes.stride[last][0] != width) return false;
    }
    turns_ = {static_cast<int>(count / channels), static_cast<int>(channels), axes.size[last], axes.size[last] * width,
              block_kernels().planes(width, channels, false)};
    if (turns_.bytes > tune::kMostStageBytes) return false;
    std::sort(copies.begin(), copies.end(), [](const auto& a, const auto& b) { return a.from.offset < b.from.offset; });
    for (int64_t k = 0; k < count; ++k) {
        const GroupedCopy &own = copies[static_cast<size_t>(k)],
                          &row = copies[static_cast<size_t>(k / channels * channels)];
        if (own.from.offset != row.from.offset + k % channels * width || own.axes.stride[last - 1][0] != turns_.bytes)
            return false;
    }
    return true;
}

bool GroupStep::join() {
    bool shares = false;
    for (const GroupedCopy& copy : copies) {
        if (copy.axes.empty || copy.axes.ndim == 0) return false;
        total_bytes_ += copy.bytes();
        shares |= shares_lines(copy);
    }
    // Few bytes stay in the cache anyway: they gain where channels are joined or parted, element by element.
    const bool is_small = total_bytes_ < machine().group;
    if (!shares || total_bytes_ < tune::kPatternCopy || (is_small && copies.size() > kMostPlanes)) return false;
    merge_alike(copies);
    if (total_bytes_ >= machine().stream && are_turns()) {
        channels = Channels::turns;
        depth = copies[0].axes.ndim - 2;
        return true;
    }
    int64_t position = total_bytes_, outer = 1;  // bytes for one position of the axes so far
    const Axes<2>& axes = copies[0].axes;
    for (int at = 0; at < axes.ndim; ++at) {
        for (const GroupedCopy& copy : copies)
            if (copy.axes.ndim <= at || copy.axes.size[at] != axes.size[at]) return !is_small && depth >= 0;
        position /= axes.size[at];
        if (position <= machine().slices) {
            depth = at;
            piece_ = position >= tune::kSliceBytes ? 1 : tune::kSliceBytes / most(position, 1);
            slices_ = outer * pieces(axes.size[at], piece_);
        }
        if (position <= tune::kSliceBytes) break;
        outer *= axes.size[at];
    }
    if (depth == axes.ndim - 1) {
        if (are_channels(0)) channels = Channels::joined;
        if (are_channels(1)) channels = Channels::split;
    }
    if (channels != Channels::no && piece_ > tune::kLine) {  // pieces of planes end with lines
        const int64_t size = axes.size[depth], around = slices_ / pieces(size, piece_);
        piece_ = piece_ / tune::kLine * tune::kLine;
        slices_ = around * pieces(size, piece_);
    }
    return is_small ? channels != Channels::no : depth >= 0;
}

void GroupStep::prepare() {
    if (channels == Channels::turns) return;
    if (channels != Channels::no) {
        stream_ = total_bytes_ >= machine().stream;
        planes_ =
            block_kernels().planes(copies[0].width, static_cast<int64_t>(copies.size()), channels == Channels::joined);
        return;
    }
    parts_.resize(copies.size());
    for (size_t c = 0; c < copies.size(); ++c) {
        const GroupedCopy& copy = copies[c];
        const int64_t size = copy.axes.size[depth], rest = size % piece_;
        const auto prepare_part = [&](CopyStep& step, int64_t positions) {
            step.width = copy.width;
            step.beside = total_bytes_;
            step.axes.add(positions, copy.axes.stride[depth]);
            for (int a = depth + 1; a < copy.axes.ndim; ++a) step.axes.add(copy.axes.size[a], copy.axes.stride[a]);
            step.prepare();
        };
        prepare_part(parts_[c].slice, piece_);
        prepare_part(parts_[c].last, rest == 0 ? piece_ : rest);
    }
}

// Where one copy's part of a slice begins.
GroupStep::Ends GroupStep::ends_of(const GroupedCopy& copy, int64_t number, int64_t first, char* const* base) const {
    int64_t to = copy.to.offset + first * copy.axes.stride[depth][0], from = first * copy.axes.stride[depth][1];
    for (int a = depth - 1; a >= 0; --a) {
        const int64_t at = number % copy.axes.size[a];
        number /= copy.axes.size[a];
        to += at * copy.axes.stride[a][0];
        from += at * copy.axes.stride[a][1];
    }
    return {base[copy.to.buffer] + to, values.at(copy.from, base) + from};
}

void GroupStep::move_channels(const Ends* ends, int64_t positions) const {
    const bool join = channels == Channels::joined;
    char* planes[kMostPlanes];
    // The kernel only reads the planes when it joins, and `packed` when it splits.
    for (size_t c = 0; c < copies.size(); ++c) planes[c] = join ? const_cast<char*>(ends[c].src) : ends[c].dst;
    char* const packed = join ? ends[0].dst : const_cast<char*>(ends[0].src);
    planes_({packed, planes, positions, stream_});
}

bool GroupStep::run_turns(char* const* base) const {
    const Axes<2>& axes = copies[0].axes;
    const int64_t count = axes.size[depth], step = axes.stride[depth][1], piece = turns_.rows_at_once();
    int64_t around = 1;
    for (int a = 0; a < depth; ++a) around *= axes.size[a];
    const int64_t per_row = pieces(count, piece);
    for_ranges(around * per_row, total_bytes_, [&](int64_t begin, int64_t end) {
        Stage stages[Turns::kMost];
        for (int64_t task = begin; task < end; ++task) {
            const int64_t first = task % per_row * piece;
            char* to[Turns::kMost];
            const char* from[Turns::kMost];
            for (int k = 0; k < turns_.places(); ++k) {
                const Ends ends = ends_of(copies[static_cast<size_t>(k)], task / per_row, first, base);
                to[k] = ends.dst;
                if (k % turns_.channels == 0) from[k / turns_.channels] = ends.src;
            }
            turns_.move(stages, to, from, step, least(piece, count - first));
        }
        turns_.finish(stages);
    });
    return true;
}

bool GroupStep::run(char* const* base) const {
    if (channels == Channels::turns) return run_turns(base);
    const int64_t size = copies[0].axes.size[depth], cuts = pieces(size, piece_);
    for_ranges(slices_, total_bytes_, [&](int64_t begin, int64_t end) {
        for (int64_t slice = begin; slice < end; ++slice) {
            const int64_t number = slice / cuts, first = slice % cuts * piece_, part = least(piece_, size - first);
            Ends planes[kMostPlanes];
            for (size_t c = 0; c < copies.size(); ++c) {
                const Ends ends = ends_of(copies[c], number, first, base);
                if (channels != Channels::no)
                    planes[c] = ends;
                else
                    (part == piece_ ? parts_[c].slice : parts_[c].last).move(ends.dst, ends.src);
            }
            if (channels != Channels::no) move_channels(planes, part);
        }
        if (stream_) settle_streams();
    });
    return true;
}

}  // namespace wherry
