// Copies that write different parts of the same places, such as the parts of a join or the edges of a padded image.
#pragma once

#include "../layout/collapse.hpp"

namespace wherry {

// Ends are buffers by number, and bytes from their beginnings.
struct GroupedCopy {
    int to, from;
    int64_t to_offset, from_offset;
    int64_t width;
    Axes<2> axes;

    int64_t bytes() const { return axes.count() * width; }
};

// One operand of a copy: where its first element lies in its buffer, and how its axes step.
struct Box {
    int64_t offset;
    Axes<1> axes;
    int64_t width;
};

// Whether no byte of a is one of b, as far as it can be told: both must be boxes in one grid of axes that nest.
bool apart(const Box& a, const Box& b);

// The axes in the order in which dst is written. Before a copy joins a group.
void prepare(GroupedCopy& copy);

// How copies go together: slice by slice of axes that they share, so that each slice is in the cache while all of them
// read and write there; or, along the last axis, as the channels of elements that lie together.
struct Slices {
    int depth = -1;     // the axis that is cut; those before it are walked
    int64_t piece = 0;  // positions of it
    int64_t count = 0;
    int64_t bytes = 0;  // of the whole group
    enum class Channels { no, joined, split } channels = Channels::no;
};

// depth -1 where the copies had better run by themselves. May order the copies, and merge their axes.
Slices slices_of(GroupedCopy* copies, int count);

// Copies that are apart from each other, none of which reads what another writes.
void copy_together(const GroupedCopy* copies, int count, const Slices& slices, char* const* base);

}  // namespace wherry
