// Check: whether any index is bad does not depend on their order, so rows of them are looked at in parallel.
#include "check.hpp"

#include <atomic>
#include <cstring>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"

namespace wherry {
namespace {

// True if the axis is so long that no value of the index's type lies outside it.
bool holds_every_value(const IndexRule& rule) {
    const int64_t bits = 8 * index_width(rule.type);
    if (bits > 32) return false;
    if (rule.type >= IndexType::u8) return rule.size >= int64_t{1} << bits;
    return rule.negative == Negative::from_end && rule.size >= int64_t{1} << (bits - 1);
}

}  // namespace

int64_t read_index(IndexType type, const char* p) {
    return for_index(type, [p]<class T>(T value) {
        std::memcpy(&value, p, sizeof(T));
        return static_cast<int64_t>(value);
    });
}

void CheckStep::check(Fields& fields) {
    rule.type = fields.index_type(2);
    rule.size = fields.integer(3);
    require(rule.size >= 0, "a size is negative");
    rule.negative = static_cast<Negative>(fields.integer(4, 0, 1, "a rule for indices is out of range"));
    const Tensor given = fields.tensor(1, index_width(rule.type));
    indices = spot_of(given);
    share_axes<1>(axes, {&given});
    bytes = bytes_of(given, index_width(rule.type));
}

void CheckStep::prepare() {
    rule.out_of_range = OutOfRange::raise;
    always_ = holds_every_value(rule) || axes.empty;
    if (always_) return;
    any_outside_ = block_kernels().any_outside(rule.type);
    rows_ = axes;
    collapse(rows_);
    total_bytes_ = rows_.count() * index_width(rule.type);
    const int fine = rows_.ndim - 1;
    count_ = fine < 0 ? 1 : rows_.size[fine];
    step_ = fine < 0 ? 0 : rows_.stride[fine][0];
    if (fine >= 0) rows_.remove(fine);
    const int64_t share = count_ / tune::kTasks;
    block_ = least(count_, most(tune::kTaskIndices, least(share, tune::kCheckedIndices)));
    blocks_ = pieces(count_, block_);
}

bool CheckStep::run(char* const* base) const {
    if (always_) return true;
    const char* const start = indices.in(base) + rows_.offset[0];
    std::atomic<bool> bad{false};
    for_ranges(rows_.count() * blocks_, total_bytes_, [&](int64_t begin, int64_t end) {
        Outer<1> at(rows_, begin / blocks_);
        int64_t piece = begin % blocks_;
        for (; begin < end && !bad.load(std::memory_order_relaxed); ++begin) {
            const int64_t first = piece * block_;
            if (any_outside_(rule, start + at.offset[0] + first * step_, step_, least(block_, count_ - first)))
                bad.store(true, std::memory_order_relaxed);
            if (++piece == blocks_) {
                piece = 0;
                at.next();
            }
        }
    });
    return !bad.load();
}

BadIndex CheckStep::first_bad(char* const* base) const {
    const int64_t total = axes.count(), width = index_width(rule.type);
    Outer<1> at(axes, 0);
    for (int64_t position = 0; position < total; ++position, at.next()) {
        char value[8];
        const volatile char* shared = indices.in(base) + at.offset[0];
        for (int64_t k = 0; k < width; ++k) value[k] = shared[k];
        if (any_outside_(rule, value, 0, 1)) return {true, position, read_index(rule.type, value)};
    }
    return {false, 0, 0};  // another thread has changed the indices meanwhile
}

std::unique_ptr<Move> make_check() { return std::make_unique_for_overwrite<CheckStep>(); }

}  // namespace wherry
