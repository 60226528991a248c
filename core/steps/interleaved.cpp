// Rows that several copies share. A copy by itself reads its part of each row, and skips the others: what the hardware
// has begun to fetch behind it is not wanted, and is fetched again for the next copy.
#include "interleaved.hpp"

#include <algorithm>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "stage.hpp"

namespace wherry {

// Takes the copy apart into the rows that all have and what is its own of each. False if it has no such rows.
bool InterleavedStep::place(const GroupedCopy& copy, Side side) {
    Axes<2> axes = copy.axes;
    merge_neighbours(axes);
    Part part{copy.to, copy.from, {}, 1, {0, 0}, take_run(axes, copy.width)};
    order_by(axes, side);
    if (parts_.empty()) {
        // Rows are those of the first copy, but for an axis of runs.
        outer_ = axes.ndim;
        if (outer_ > 0 && axes.stride[outer_ - 1][side] == part.bytes) --outer_;
        if (outer_ == 0 || outer_ > kMostOuter) return false;
        std::copy_n(axes.size, outer_, size_);
    }
    if (part.bytes < tune::kStreamRun || axes.ndim < outer_ || axes.ndim > outer_ + 1) return false;
    for (int a = 0; a < outer_; ++a) {
        if (axes.size[a] != size_[a] || axes.stride[a][side] <= 0) return false;
        if (!parts_.empty() && axes.stride[a][side] != parts_[0].step[a][side]) return false;
        std::copy_n(axes.stride[a], 2, part.step[a]);
    }
    if (axes.ndim > outer_) {
        part.runs = axes.size[outer_];
        std::copy_n(axes.stride[outer_], 2, part.run_step);
        if (part.run_step[side] < 0) return false;
    }
    parts_.push_back(part);
    return true;
}

bool InterleavedStep::join_along(const std::vector<GroupedCopy>& copies, Side side) {
    parts_.clear();
    side_ = side;
    const auto spot = [side](const GroupedCopy& copy) { return side == kDst ? copy.to : copy.from; };
    for (const GroupedCopy& copy : copies)
        if (spot(copy).buffer != spot(copies[0]).buffer || copy.from.buffer == kNoBuffer || copy.axes.empty ||
            !place(copy, side))
            return false;
    std::sort(parts_.begin(), parts_.end(),
              [side](const Part& a, const Part& b) { return a.at(side).offset < b.at(side).offset; });
    const int64_t row = parts_[0].step[outer_ - 1][side], begin = parts_[0].at(side).offset;
    // More sources at a time than the hardware follows are fetched, which pays where their runs are short.
    const int64_t longest = side == kDst && parts_.size() > tune::kFollowedSources ? tune::kCopiedRunBytes : INT64_MAX;
    return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.bytes < longest &&
               part.at(side).offset + (part.runs - 1) * part.run_step[side] + part.bytes <= begin + row;
    });
}

bool InterleavedStep::join(const std::vector<GroupedCopy>& copies, int64_t stream_bytes) {
    if (copies.size() < 2 || copies.size() > kMostRowParts) return false;
    for (const GroupedCopy& copy : copies) total_bytes_ += copy.bytes();
    stream_ = total_bytes_ >= stream_bytes;
    return (join_along(copies, kSrc) || join_along(copies, kDst)) &&
           (rows() >= kLeastRows || total_bytes_ < machine().wake);
}

int64_t InterleavedStep::rows() const {
    int64_t count = 1;
    for (int a = 0; a < outer_; ++a) count *= size_[a];
    return count;
}

// How many rows ahead their parts are fetched: a row at least of more sources than the hardware follows. Those that lie
// in the same places of huge pages, as large arrays do, may keep each other waiting.
int64_t InterleavedStep::rows_ahead() const {
    if (side_ == kSrc) return 0;
    const int64_t least_ahead = parts_.size() > tune::kFollowedSources ? 1 : 0;
    return most(least_ahead, machine().rows_ahead(parts_[0].step[outer_ - 1][kDst]));
}

// Rows of one position of the axes around the finest one.
void InterleavedStep::move(char* const* base, int64_t around, int64_t first, int64_t rows) const {
    RowPart moved[kMostRowParts];
    const int64_t ahead = rows_ahead();
    for (size_t k = 0; k < parts_.size(); ++k) {
        const Part& part = parts_[k];
        const int64_t* const row = part.step[outer_ - 1];
        int64_t to = first * row[kDst], from = first * row[kSrc];
        for (int64_t a = outer_ - 2, rest = around; a >= 0; rest /= size_[a--]) {
            to += rest % size_[a] * part.step[a][kDst];
            from += rest % size_[a] * part.step[a][kSrc];
        }
        moved[k] = {part.to.in(base) + to, part.from.in(base) + from, row[kDst],  row[kSrc],        part.runs,
                    part.run_step[kDst],   part.run_step[kSrc],       part.bytes, ahead * row[kSrc]};
    }
    block_kernels().move_row_parts(moved, static_cast<int64_t>(parts_.size()), rows, side_ == kDst, stream_);
}

bool InterleavedStep::run(char* const* base) const {
    const int64_t size = size_[outer_ - 1];
    for_ranges(rows(), total_bytes_, [&](int64_t begin, int64_t end) {
        for (int64_t rows; begin < end; begin += rows) {
            rows = least(end - begin, size - begin % size);
            move(base, begin / size, begin % size, rows);
        }
        if (stream_) settle_streams();
    });
    return true;
}

}  // namespace wherry
