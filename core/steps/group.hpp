// Copies that write different parts of the same places, such as the parts of a Concat or the edges of a padded image.
#pragma once

#include <optional>
#include <vector>

#include "copy.hpp"
#include "turns.hpp"

namespace wherry {

constexpr int kNoBuffer = -1;  // what is read lies in the step itself

// A copy in a group; a fill is one that reads one element again and again, from a value of the group's own.
struct GroupedCopy {
    Spot to, from;
    int64_t width;
    Axes<2> axes;

    int64_t bytes() const { return axes.count() * width; }
    // The axes in the order in which dst is written: before a copy joins a group.
    void order();
};

// The values of the fills among the copies of a group.
class Values {
public:
    Spot add(const std::string& value) {
        const auto offset = static_cast<int64_t>(all_.size());
        all_ += value;
        return {kNoBuffer, offset};
    }
    const char* at(const Spot& from, char* const* base) const {
        return from.buffer == kNoBuffer ? all_.data() + from.offset : from.in(base);
    }

private:
    std::string all_;
};

// One operand of a copy: where its first element lies in its buffer, and how its axes step.
struct Box {
    int64_t offset;
    Axes<1> axes;
    int64_t width;
};

// Whether no byte of a is one of b, as far as it can be told: both must be boxes in one grid of axes that nest.
bool are_apart(const Box& a, const Box& b);

// Copies that are apart from each other, none of which reads what another writes: slice by slice of axes that they
// share, so that each slice is in the cache while all of them read and write there; or, along the last axis, as the
// channels of elements that lie together, whose rows may take turns.
struct GroupStep final : Step {
    std::vector<GroupedCopy> copies;
    Values values;
    // Decided by `join`.
    enum class Channels { no, joined, split, turns } channels = Channels::no;
    int depth = -1;  // the axis that is cut; those before it are walked

    // False where the copies had better run by themselves. May order the copies, and merge their axes.
    bool join();
    void prepare() override;
    bool run(char* const* base) const override;

private:
    struct Ends {
        char* dst;
        const char* src;
    };
    // What one copy moves for each slice, and for the last one, which may be shorter.
    struct Part {
        CopyStep slice, last;
    };

    bool are_channels(int side);
    bool are_turns();
    bool run_turns(char* const* base) const;
    Ends ends_of(const GroupedCopy& copy, int64_t number, int64_t first, char* const* base) const;
    void move_channels(const Ends* ends, int64_t positions) const;

    std::vector<Part> parts_;
    PlanesKernel planes_;
    Turns turns_;
    bool stream_ = false;
    int64_t total_bytes_ = 0;
    int64_t piece_ = 0;   // positions of the axis that is cut
    int64_t slices_ = 0;  // all of them
};

}  // namespace wherry
