// Copies that take their bytes from a few close places in an order that comes again and again: short rows that are
// turned, repeated, backwards, or of which some elements are taken. Whole vectors are put together of what lies close
// in src, where other ways move element by element.
#pragma once

#include <memory>
#include <new>
#include <vector>

#include "../kernels/blocks.hpp"
#include "../layout/collapse.hpp"

namespace wherry {

class Pattern {
public:
    // Runs of `run` bytes. False if these axes are better moved in another way; `has_tiles`: squares are one.
    bool prepare(const Axes<2>& axes, int64_t run, bool stream, bool has_tiles);

    // `shared`: the bytes by which threads are chosen.
    void move(char* dst, const char* src, int64_t shared) const;

private:
    struct alignas(tune::kLine) Line {
        uint8_t bytes[tune::kLine];
    };
    // What a vector reads from one place, and which of its units come from there.
    struct Window {
        int64_t from;
        uint64_t mask;
    };
    using Sources = std::vector<int64_t>;

    void choose_period(const Axes<2>& axes, int64_t run);
    bool choose_group();
    void take_together(int64_t periods);
    int64_t whole_periods() const;
    void follow_whole(const Axes<2>& axes, int64_t run, int64_t periods);
    Sources sources_of(const Axes<2>& axes, int64_t run) const;
    bool find_windows(const Sources& sources, int64_t most_windows);
    void keep(const Sources& sources, const std::vector<Window>& found, const std::vector<size_t>& ends);
    const int64_t* units_of(const Sources& sources, int64_t vector) const;
    int64_t group_bytes() const { return together_ * period_bytes_; }
    bool writes_behind() const { return group_bytes() < kernels_->vector; }  // a group, where the next one begins
    bool has_vector() const { return high_ - low_ >= kernels_->vector; }     // to be read of src for a group

    const PatternKernels* kernels_;
    PatternKernel kernel_;
    bool stream_;
    Axes<2> outer_;                   // from one row of periods to the next
    int dense_;                       // axes of a period, the last ones
    int64_t periods_, period_bytes_;  // of a row, which lie one after the other in dst
    int64_t source_step_;             // bytes of src from one to the next
    int64_t together_;                // periods of a group, which is the same for all
    int64_t low_, high_;              // bytes of src behind a group's first element: those of all lie between
    int64_t windows_;                 // of each vector
    std::vector<int64_t> from_;       // see PatternBlock
    std::vector<uint64_t> masks_;
    std::vector<Line> places_;
};

}  // namespace wherry
