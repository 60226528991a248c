// Fusion: by bands of rows, else by slices, else as the steps are.
#include "fuse.hpp"

#include "bands.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "group.hpp"
#include "replace.hpp"

namespace wherry {
namespace {

constexpr size_t kMostGrouped = 32;

bool as_grouped(const Step& step, Values& values, GroupedCopy& copy) {
    if (const auto* copied = dynamic_cast<const CopyStep*>(&step)) {
        copy = {copied->to, copied->from, copied->width, copied->axes};
    } else if (const auto* filled = dynamic_cast<const FillStep*>(&step)) {
        copy = {filled->to, values.add(filled->value), static_cast<int64_t>(filled->value.size()), {}};
        copy.axes.empty = filled->axes.empty;
        for (int a = 0; a < filled->axes.ndim; ++a) copy.axes.add(filled->axes.size[a], {filled->axes.stride[a][0], 0});
    } else {
        return false;
    }
    copy.order();
    return true;
}

Box written_by(const GroupedCopy& copy) {
    Box box{copy.to.offset, {}, copy.width};
    box.axes.empty = copy.axes.empty;
    for (int a = 0; a < copy.axes.ndim; ++a) box.axes.add(copy.axes.size[a], {copy.axes.stride[a][0]});
    return box;
}

// Whether it does not matter which of the two comes first, or whether they run at the same time.
bool are_independent(const GroupedCopy& a, const GroupedCopy& b) {
    if (a.to.buffer == b.from.buffer || b.to.buffer == a.from.buffer) return false;
    return a.to.buffer != b.to.buffer || are_apart(written_by(a), written_by(b));
}

// The copies from steps[first] on that are independent of each other.
std::vector<GroupedCopy> group_from(const Steps& steps, size_t first, Values& values) {
    std::vector<GroupedCopy> group;
    for (size_t next = first; next < steps.size() && group.size() < kMostGrouped; ++next) {
        GroupedCopy copy;
        if (!as_grouped(*steps[next], values, copy)) break;
        bool joins = true;
        for (const GroupedCopy& other : group) joins = joins && are_independent(copy, other);
        if (!joins) break;
        group.push_back(copy);
    }
    return group;
}

// One step for the group; null if its copies had better run by themselves.
std::unique_ptr<Step> join(std::vector<GroupedCopy> group, Values values) {
    if (group.size() < 2) return nullptr;
    auto bands = std::make_unique<BandStep>();
    if (bands->join(group)) {
        bands->values = std::move(values);
        return bands;
    }
    auto slices = std::make_unique<GroupStep>();
    slices->copies = std::move(group);
    slices->values = std::move(values);
    if (!slices->join()) return nullptr;
    return slices;
}

Steps group_copies(Steps steps) {
    Steps grouped;
    for (size_t first = 0; first < steps.size();) {
        Values values;
        const std::vector<GroupedCopy> group = group_from(steps, first, values);
        const size_t next = first + (group.empty() ? 1 : group.size());
        int64_t written = 0;
        for (const GroupedCopy& copy : group) written += copy.bytes();
        if (std::unique_ptr<Step> joined = join(group, std::move(values))) {
            for (; first < next; ++first) joined->bytes = sum_of_bytes(joined->bytes, steps[first]->bytes);
            grouped.push_back(std::move(joined));
        }
        for (; first < next; ++first) {
            if (auto* copied = dynamic_cast<CopyStep*>(steps[first].get())) copied->beside = copied->woken = written;
            grouped.push_back(std::move(steps[first]));
        }
    }
    return grouped;
}

// A copy that a scatter to it follows may write only what that leaves: see replace.hpp.
Steps join_scatters(Steps steps) {
    Steps joined;
    for (std::unique_ptr<Step>& step : steps) {
        const auto* scattered = dynamic_cast<const ScatterStep*>(step.get());
        auto* const copied = joined.empty() ? nullptr : dynamic_cast<CopyStep*>(joined.back().get());
        std::unique_ptr<Step> replaced = scattered && copied ? as_replace(*copied, *scattered) : nullptr;
        if (replaced) {
            joined.back() = std::move(replaced);
            continue;
        }
        if (scattered && copied) copied->is_rewritten = scattered->target.buffer == copied->to.buffer;
        joined.push_back(std::move(step));
    }
    return joined;
}

}  // namespace

Steps fuse(Steps steps) { return join_scatters(group_copies(std::move(steps))); }

}  // namespace wherry
