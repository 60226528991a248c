// Copies slice by slice. A padded image, the parts of a join and the channels of an image share lines of memory: those
// are moved once, not once for each copy.
#include "group.hpp"

#include <algorithm>

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "copy.hpp"

namespace wherry {
namespace {

constexpr int kMostChannels = 4;

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
void merge_alike(GroupedCopy* copies, int count) {
    Axes<2> merged = copies[0].axes;
    merge_neighbours(merged);
    for (int c = 1; c < count; ++c) {
        Axes<2> other = copies[c].axes;
        merge_neighbours(other);
        bool alike = other.ndim == merged.ndim;
        for (int a = 0; alike && a < other.ndim; ++a) alike = other.size[a] == merged.size[a];
        if (!alike) return;
    }
    for (int c = 0; c < count; ++c) merge_neighbours(copies[c].axes);
}

// Whether the copies are the channels of elements that lie together on one side, dst (0) or src (1), and in dense
// planes on the other; orders them.
bool are_channels(GroupedCopy* copies, int count, int side) {
    const auto offset = [side](const GroupedCopy& c) { return side == 0 ? c.to_offset : c.from_offset; };
    const int64_t width = copies[0].width;
    if (count < 2 || count > kMostChannels || width > 8 || (width & (width - 1))) return false;
    for (int c = 0; c < count; ++c) {
        const Axes<2>& axes = copies[c].axes;
        const int last = axes.ndim - 1;
        if (copies[c].width != width || axes.ndim != copies[0].axes.ndim) return false;
        if (axes.stride[last][side] != count * width || axes.stride[last][1 - side] != width) return false;
        if (side == 0 ? copies[c].to != copies[0].to : copies[c].from != copies[0].from) return false;
        for (int a = 0; a < axes.ndim; ++a)
            if (axes.size[a] != copies[0].axes.size[a] || axes.stride[a][side] != copies[0].axes.stride[a][side])
                return false;
    }
    std::sort(copies, copies + count, [&](const auto& a, const auto& b) { return offset(a) < offset(b); });
    for (int c = 1; c < count; ++c)
        if (offset(copies[c]) != offset(copies[c - 1]) + width) return false;
    return true;
}

struct Ends {
    char* dst;
    char* src;
};

// Where one copy's part of a slice begins.
Ends ends_of(const GroupedCopy& copy, const Slices& slices, int64_t number, int64_t first, char* const* base) {
    Axes<2> outer;
    for (int a = 0; a < slices.depth; ++a) outer.add(copy.axes.size[a], copy.axes.stride[a]);
    const Outer<2> at(outer, number);
    const int64_t (&step)[2] = copy.axes.stride[slices.depth];
    return {base[copy.to] + copy.to_offset + at.offset[0] + first * step[0],
            base[copy.from] + copy.from_offset + at.offset[1] + first * step[1]};
}

void move_channels(const Ends* ends, int count, int64_t width, int64_t positions, const Slices& slices) {
    const bool join = slices.channels == Slices::Channels::joined;
    char* planes[kMostChannels];
    for (int c = 0; c < count; ++c) planes[c] = join ? ends[c].src : ends[c].dst;
    block_kernels().planes({join ? ends[0].dst : ends[0].src, planes, positions, count, width, join});
}

}  // namespace

bool apart(const Box& a, const Box& b) {
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

void prepare(GroupedCopy& copy) {
    turn_forwards(copy.axes);
    order_by_writes(copy.axes);
    copy.to_offset += copy.axes.offset[0];
    copy.from_offset += copy.axes.offset[1];
    copy.axes.offset[0] = copy.axes.offset[1] = 0;
}

Slices slices_of(GroupedCopy* copies, int count) {
    Slices slices;
    bool shares = false;
    for (int c = 0; c < count; ++c) {
        if (copies[c].axes.empty || copies[c].axes.ndim == 0) return slices;
        slices.bytes += copies[c].bytes();
        shares |= shares_lines(copies[c]);
    }
    if (slices.bytes < tune::kGroupBytes || !shares) return slices;
    merge_alike(copies, count);
    int64_t position = slices.bytes, outer = 1;  // bytes for one position of the axes so far
    const Axes<2>& axes = copies[0].axes;
    for (int depth = 0; depth < axes.ndim; ++depth) {
        for (int c = 1; c < count; ++c)
            if (copies[c].axes.ndim <= depth || copies[c].axes.size[depth] != axes.size[depth]) return slices;
        position /= axes.size[depth];
        if (position <= tune::kMostSliceBytes) {
            slices.depth = depth;
            slices.piece = position >= tune::kSliceBytes ? 1 : tune::kSliceBytes / (position > 0 ? position : 1);
            slices.count = outer * pieces(axes.size[depth], slices.piece);
        }
        if (position <= tune::kSliceBytes) break;
        outer *= axes.size[depth];
    }
    if (slices.depth == axes.ndim - 1) {
        if (are_channels(copies, count, 0)) slices.channels = Slices::Channels::joined;
        if (are_channels(copies, count, 1)) slices.channels = Slices::Channels::split;
    }
    return slices;
}

void copy_together(const GroupedCopy* copies, int count, const Slices& slices, char* const* base) {
    const int64_t size = copies[0].axes.size[slices.depth], cuts = pieces(size, slices.piece);
    for_ranges(slices.count, slices.bytes, [&](int64_t begin, int64_t end) {
        for (int64_t slice = begin; slice < end; ++slice) {
            const int64_t first = slice % cuts * slices.piece, part = least(slices.piece, size - first);
            Ends channels[kMostChannels];
            for (int c = 0; c < count; ++c) {
                const GroupedCopy& copied = copies[c];
                const Ends ends = ends_of(copied, slices, slice / cuts, first, base);
                if (slices.channels != Slices::Channels::no) {
                    channels[c] = ends;
                    continue;
                }
                Axes<2> rest;
                rest.add(part, copied.axes.stride[slices.depth]);
                for (int a = slices.depth + 1; a < copied.axes.ndim; ++a)
                    rest.add(copied.axes.size[a], copied.axes.stride[a]);
                copy(ends.dst, ends.src, rest, copied.width, slices.bytes);
            }
            if (slices.channels != Slices::Channels::no) move_channels(channels, count, copies[0].width, part, slices);
        }
    });
}

}  // namespace wherry
