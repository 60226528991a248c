#include "implied.hpp"

#include "check.hpp"
#include "gather.hpp"

namespace wherry {
namespace {

// The axes of operand `which` along which it moves.
template <int N>
Axes<1> steps_of(const Axes<N>& axes, int which) {
    Axes<1> found;
    for (int a = 0; a < axes.ndim; ++a)
        if (axes.size[a] > 1 && axes.stride[a][which] != 0) found.add(axes.size[a], {axes.stride[a][which]});
    return found;
}

bool are_same(const Axes<1>& a, const Axes<1>& b) {
    bool same = a.ndim == b.ndim;
    for (int k = 0; same && k < a.ndim; ++k) same = a.size[k] == b.size[k] && a.stride[k][0] == b.stride[k][0];
    return same;
}

// Whether a gather looks at all indices of a check, by the same rule.
bool implies(const GatherStep& gather, const CheckStep& check) {
    if (gather.rule.out_of_range != OutOfRange::raise || gather.rule.type != check.rule.type ||
        gather.rule.negative != check.rule.negative || gather.axes.empty || gather.width == 0 || check.rule.size == 0 ||
        gather.indices.buffer != check.indices.buffer || !are_same(steps_of(gather.axes, 2), steps_of(check.axes, 0)))
        return false;
    const int64_t start = check.indices.offset - gather.indices.offset;
    if (start == 0 && gather.rule.size == check.rule.size) return true;
    for (int c = 0; c < gather.further_count; ++c)
        if (gather.further[c].start == start && gather.further[c].size == check.rule.size) return true;
    return false;
}

// Whether a gather behind it does what the check at a place does, on the same indices.
bool is_implied(const CheckStep& check, const Steps& steps, size_t place) {
    for (size_t k = place + 1; k < steps.size(); ++k) {
        if (dynamic_cast<const CheckStep*>(steps[k].get())) continue;
        const auto* gather = dynamic_cast<const GatherStep*>(steps[k].get());
        if (!gather) return false;
        if (implies(*gather, check)) return true;
        if (gather->out.buffer == check.indices.buffer) return false;
    }
    return false;
}

}  // namespace

Needed without_implied(const Steps& steps) {
    Needed needed;
    for (size_t k = 0; k < steps.size(); ++k) {
        const auto* check = dynamic_cast<const CheckStep*>(steps[k].get());
        if (check && is_implied(*check, steps, k))
            needed.spared = sum_of_bytes(needed.spared, check->bytes);
        else
            needed.steps.push_back(steps[k].get());
    }
    return needed;
}

}  // namespace wherry
