#include "pattern.hpp"

#include <string.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "rows.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

enum Operand { kDst, kSrc };

// So many windows for each vector are faster than to move rows of dst on their own.
int64_t most_windows(const Axes<2>& axes, int64_t run, int64_t vector, bool has_tiles) {
    const int fine = axes.ndim - 1;
    const int64_t row = run * axes.size[fine], step = axes.stride[fine][kSrc];
    if (step == 0 && row >= tune::kPatternStill) return 0;
    const int64_t of_vector = step == -run && row > tune::kPatternBackwards ? 2 : tune::kMostPatternWindows;
    const int64_t of_row =
        has_tiles || row > tune::kPatternRowApart ? tune::kPatternRow / row : tune::kMostPatternWindows;
    return least(least(of_row, most(1, tune::kPatternRuns / run)) * vector / tune::kLine, of_vector);
}

// At least so many windows has the first vector, all of which is of one row where that is long.
int64_t fewest_windows(const Axes<2>& axes, int64_t run, int64_t vector) {
    const int fine = axes.ndim - 1;
    const int64_t step = magnitude(axes.stride[fine][kSrc]);
    if (run * axes.size[fine] < vector || step == 0) return 1;
    return pieces(vector / run, (vector - 1) / step + 1);
}

}  // namespace

bool Pattern::prepare(const Axes<2>& axes, int64_t run, bool stream, bool has_tiles) {
    int64_t bits = run;
    for (int a = 0; a < axes.ndim; ++a) bits |= axes.stride[a][kSrc];
    kernels_ = block_kernels().patterns(bits & -bits);
    if (!kernels_) return false;
    stream_ = stream;
    const int64_t windows = most_windows(axes, run, kernels_->vector, has_tiles);
    choose_period(axes, run);
    const int64_t whole = whole_periods();
    // To look for the places takes as long as to move some elements for each of them.
    const bool found = windows >= fewest_windows(axes, run, kernels_->vector) && choose_group() &&
                       axes.count() * kernels_->unit >= tune::kPatternGroups * group_bytes() &&
                       find_windows(sources_of(axes, run), windows);
    if (whole == 0 || (found && windows_ == 1)) return found;
    follow_whole(axes, run, whole);
    return true;
}

// The axes that lie dense in dst, as many as are not too long. Its periods follow each other along the next one.
void Pattern::choose_period(const Axes<2>& axes, int64_t run) {
    period_bytes_ = run;
    low_ = 0, high_ = run;
    int a = axes.ndim - 1;
    const auto goes_on = [&] { return a >= 0 && axes.stride[a][kDst] == period_bytes_; };
    for (; goes_on() && period_bytes_ * axes.size[a] <= tune::kMostPatternPeriod; --a) {
        period_bytes_ *= axes.size[a];
        (axes.stride[a][kSrc] < 0 ? low_ : high_) += axes.stride[a][kSrc] * (axes.size[a] - 1);
    }
    dense_ = axes.ndim - 1 - a;
    const bool follow = goes_on();
    periods_ = follow ? axes.size[a] : 1, source_step_ = follow ? axes.stride[a][kSrc] : 0;
    outer_ = axes;
    outer_.ndim = follow ? a : a + 1;
}

void Pattern::take_together(int64_t periods) {
    together_ = periods;
    (source_step_ < 0 ? low_ : high_) += source_step_ * (periods - 1);
}

// So many periods that vectors fit, and that src has room for one, if there are as many.
bool Pattern::choose_group() {
    const int64_t vector = kernels_->vector, step = magnitude(source_step_);
    const int64_t fitting = vector / std::gcd(vector, period_bytes_);
    const bool lacks = step && !kernels_->of_less && !has_vector();
    const int64_t lacking = lacks ? pieces(vector - (high_ - low_), step) : 0;
    const int64_t wanted = most(pieces(tune::kLeastPatternGroup, period_bytes_), lacking + 1);
    const int64_t whole = pieces(wanted, fitting) * fitting;
    const int64_t together = whole * period_bytes_ <= tune::kWholePatternGroup ? whole : wanted;
    take_together(least(least(together, most(1, tune::kMostPatternGroup / period_bytes_)), periods_));
    return group_bytes() >= vector && (has_vector() || kernels_->of_less);
}

// So many periods of a vector or less have all their places in one; 0 if those are none, or few in all. Shorter ones
// that fill a vector are moved in other ways.
int64_t Pattern::whole_periods() const {
    const int64_t vector = kernels_->vector, step = magnitude(source_step_), reach = high_ - low_;
    const bool may_fill = vector % period_bytes_ == 0 && period_bytes_ < tune::kWholePeriod;
    if (!kernels_->of_less || may_fill || step == 0 || reach > vector) return 0;
    const int64_t fitting = least(vector / period_bytes_, (vector - reach) / step + 1);
    const bool pays =
        fitting > 1 && fitting * period_bytes_ >= vector / 4 * 3 && periods_ >= tune::kPatternGroups * fitting;
    return pays ? fitting : 0;
}

// Groups of less than a vector, each of which writes behind itself what the next one writes over.
void Pattern::follow_whole(const Axes<2>& axes, int64_t run, int64_t periods) {
    choose_period(axes, run);
    take_together(periods);
    Sources sources = sources_of(axes, run);
    sources.resize(static_cast<size_t>(kernels_->vector / kernels_->unit), low_);
    windows_ = 1;
    from_.clear(), masks_.clear();
    keep(sources, {{low_, ~uint64_t{0} >> (64 - sources.size())}}, {1});
}

// Where each unit of a group lies in src.
Pattern::Sources Pattern::sources_of(const Axes<2>& axes, int64_t run) const {
    Sources sources;
    sources.reserve(static_cast<size_t>(group_bytes() / kernels_->unit));
    for (int64_t at = 0; at < run; at += kernels_->unit) sources.push_back(at);
    const auto repeat = [&](int64_t step, int64_t count) {
        const size_t inner = sources.size();
        for (int64_t i = 1; i < count; ++i)
            for (size_t k = 0; k < inner; ++k) sources.push_back(sources[k] + i * step);
    };
    for (int k = 1; k <= dense_; ++k) repeat(axes.stride[axes.ndim - k][kSrc], axes.size[axes.ndim - k]);
    repeat(source_step_, together_);
    return sources;
}

// Those of a vector, the last of which ends with the group.
const int64_t* Pattern::units_of(const Sources& sources, int64_t vector) const {
    const int64_t lanes = kernels_->vector / kernels_->unit;
    return sources.data() + least(vector * lanes, static_cast<int64_t>(sources.size()) - lanes);
}

// Covers the places of each vector by as few windows as can be; false if some vector needs more.
bool Pattern::find_windows(const Sources& sources, int64_t most_windows) {
    const int64_t reach = kernels_->vector - kernels_->unit, lanes = kernels_->vector / kernels_->unit,
                  vectors = pieces(group_bytes(), kernels_->vector);
    std::vector<Window> found;
    std::vector<size_t> ends;
    windows_ = 1;
    for (int64_t v = 0; v < vectors; ++v) {
        const int64_t* const units = units_of(sources, v);
        const size_t before = found.size();
        for (uint64_t left = ~uint64_t{0} >> (64 - lanes); left; left &= ~found.back().mask) {
            int64_t first = INT64_MAX;
            for (uint64_t rest = left; rest; rest &= rest - 1) first = least(first, units[std::countr_zero(rest)]);
            Window window{has_vector() ? least(first, high_ - kernels_->vector) : low_, 0};
            for (int64_t i = 0; i < lanes; ++i) window.mask |= uint64_t{units[i] <= window.from + reach} << i;
            window.mask &= left;
            found.push_back(window);
        }
        ends.push_back(found.size());
        windows_ = most(windows_, static_cast<int64_t>(found.size() - before));
        if (windows_ > most_windows || windows_ * vectors > tune::kMostPatternSteps) return false;
    }
    keep(sources, found, ends);
    return true;
}

// As the kernel reads them: as many for each vector. One that a vector does not need reads what another one reads.
void Pattern::keep(const Sources& sources, const std::vector<Window>& found, const std::vector<size_t>& ends) {
    const int64_t vector = kernels_->vector, unit = kernels_->unit;
    const size_t steps = ends.size() * static_cast<size_t>(windows_);
    kernel_ = has_vector() ? kernels_->of(windows_) : kernels_->of_less;
    places_.resize((steps * static_cast<size_t>(vector) + tune::kLine - 1) / tune::kLine);
    auto* places = reinterpret_cast<uint8_t*>(places_.data());
    memset(places, kNowhere, places_.size() * sizeof(Line));
    size_t next = 0;
    for (size_t v = 0; v < ends.size(); ++v) {
        const int64_t* const units = units_of(sources, static_cast<int64_t>(v));
        for (int64_t k = 0; k < windows_; ++k, places += vector) {
            const Window window = next < ends[v] ? found[next++] : Window{found[next - 1].from, 0};
            from_.push_back(window.from), masks_.push_back(window.mask);
            for (uint64_t rest = window.mask; rest; rest &= rest - 1) {
                const int i = std::countr_zero(rest);
                places[i * unit] = static_cast<uint8_t>((units[i] - window.from) / unit);
                memset(places + i * unit + 1, 0, static_cast<size_t>(unit - 1));
            }
        }
    }
}

void Pattern::move(char* dst, const char* src, int64_t shared) const {
    const int64_t bytes = group_bytes(), groups = periods_ / together_, rest = periods_ % together_;
    const int64_t piece = most(1, tune::kTaskBytes / bytes), some = most(1, tune::kStageBytes / bytes);
    PatternBlock block{nullptr,
                       src,
                       1,
                       bytes,
                       together_ * source_step_,
                       most(bytes, kernels_->vector),
                       windows_,
                       from_.data(),
                       reinterpret_cast<const uint8_t*>(places_.data()),
                       masks_.data()};
    if (!has_vector()) block.readable = ~(~uint64_t{0} << (high_ - low_) / kernels_->unit);
    for_ranges(RowPieces<2>::tasks(outer_, groups, piece), shared, [&](int64_t begin, int64_t end) {
        Stage stage;
        alignas(tune::kLine) char last[tune::kMostPatternGroup];
        PatternBlock part = block;
        RowPieces<2> at(outer_, groups, piece, begin);
        for (int64_t task = begin; task < end; ++task, at.next()) {
            char* to = dst + at.offset()[0] + at.first() * bytes;
            part.src = src + at.offset()[1] + at.first() * block.src_step;
            // The last so many of a group are put together, behind some of those before them, in private memory.
            const auto move_aside = [&](int64_t periods) {
                part.groups = 1, part.dst = last;
                part.src -= (together_ - periods) * source_step_;
                kernel_(part);
                const int64_t some_bytes = periods * period_bytes_;
                memcpy(stream_ ? stage.room(to) : to, last + bytes - some_bytes, static_cast<size_t>(some_bytes));
                if (stream_) stage.put(some_bytes);
                to += some_bytes, part.src += together_ * source_step_;
            };
            for (int64_t left = at.size() - writes_behind(); left > 0; left -= part.groups) {
                part.groups = stream_ ? least(some, left) : left;
                part.dst = stream_ ? stage.room(to) : to;
                kernel_(part);
                if (stream_) stage.put(part.groups * bytes);
                to += part.groups * bytes, part.src += part.groups * block.src_step;
            }
            if (writes_behind()) move_aside(together_);
            if (rest > 0 && at.first() + at.size() == groups) move_aside(rest);
        }
        if (stream_) stage.finish();
    });
}

}  // namespace wherry
