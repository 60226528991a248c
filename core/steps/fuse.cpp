// Fusion: by rows that are read or written in order, by bands of rows, else by slices, else as the steps are.
#include "fuse.hpp"

#include <algorithm>

#include "bands.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "group.hpp"
#include "interleaved.hpp"
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

// Whether it writes every byte from its first to its last: it shares rows with no other.
bool writes_range(const GroupedCopy& copy) {
    int64_t reach = copy.width;
    for (int a = copy.axes.ndim - 1; a >= 0; --a) {
        if (copy.axes.stride[a][0] != reach) return false;
        reach *= copy.axes.size[a];
    }
    return !copy.axes.empty;
}

// Null if the copies do not fill rows together. Rows along several axes are seen as those of one, unless some copy has
// gaps between them where others have none.
std::unique_ptr<Step> as_bands(const std::vector<GroupedCopy>& group, const Values& values) {
    if (group.size() < 2) return nullptr;
    std::vector<GroupedCopy> merged = group;
    for (GroupedCopy& copy : merged) merge_neighbours(copy.axes);
    bool alike = true;
    for (const GroupedCopy& copy : merged) alike &= copy.axes.ndim == merged[0].axes.ndim;
    auto bands = std::make_unique<BandStep>();
    if (!bands->join(merged) && (alike || !bands->join(group))) return nullptr;
    bands->values = values;
    return bands;
}

// Null if they had better run by themselves.
std::unique_ptr<Step> as_slices(const std::vector<GroupedCopy>& group, const Values& values) {
    auto slices = std::make_unique<GroupStep>();
    slices->copies = group;
    slices->values = values;
    if (group.size() < 2 || !slices->join()) return nullptr;
    return slices;
}

// One step for the copies of a group, or for some of them; the others are `left`, by their places in it. Null if all
// had better run by themselves.
std::unique_ptr<Step> join(const std::vector<GroupedCopy>& group, const Values& values, std::vector<size_t>& left) {
    if (auto interleaved = std::make_unique<InterleavedStep>(); interleaved->join(group)) return interleaved;
    if (std::unique_ptr<Step> bands = as_bands(group, values)) return bands;
    std::vector<GroupedCopy> rest;
    for (size_t k = 0; k < group.size(); ++k)
        if (writes_range(group[k]))
            left.push_back(k);
        else
            rest.push_back(group[k]);
    if (!left.empty())
        if (std::unique_ptr<Step> bands = as_bands(rest, values)) return bands;
    left.clear();
    return as_slices(group, values);
}

Steps group_copies(Steps steps) {
    Steps grouped;
    for (size_t first = 0; first < steps.size();) {
        Values values;
        const std::vector<GroupedCopy> group = group_from(steps, first, values);
        const size_t next = first + (group.empty() ? 1 : group.size());
        int64_t written = 0;
        for (const GroupedCopy& copy : group) written += copy.bytes();
        std::vector<size_t> left;
        std::unique_ptr<Step> joined = join(group, values, left);
        for (size_t k = 0; first < next; ++first, ++k) {
            if (joined && std::find(left.begin(), left.end(), k) == left.end()) {
                joined->bytes = sum_of_bytes(joined->bytes, steps[first]->bytes);
                continue;
            }
            if (auto* copied = dynamic_cast<CopyStep*>(steps[first].get())) copied->beside = copied->woken = written;
            grouped.push_back(std::move(steps[first]));
        }
        if (joined) grouped.push_back(std::move(joined));
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
