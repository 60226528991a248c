// Copy over any strides.
#pragma once

#include "../kernels/blocks.hpp"
#include "pattern.hpp"
#include "step.hpp"
#include "tiling.hpp"

namespace wherry {

struct CopyStep final : Move {
    Spot to, from;
    int64_t width;
    Axes<2> axes;               // operands: to, from
    int64_t beside = 0;         // bytes of the copies around it, if they are more: they share the cache,
    int64_t woken = 0;          // and these bytes are worth more than one thread, if they run one after another
    bool is_rewritten = false;  // elements of dst are written again soon, which the cache had better still have

    // ("copy", target, source, width)
    void check(Fields& fields) override;
    void prepare() override;
    bool run(char* const* base) const override {
        move(to.in(base), from.in(base));
        return true;
    }
    void move(char* dst, const char* src) const;

private:
    enum class Way { none, run, channels, planes, joins, tiles, permutation, pattern };
    void move_run(char* dst, const char* src) const;
    void move_channels(char* dst, const char* src) const;
    void move_planes(char* dst, const char* src) const;
    void move_joins(char* dst, const char* src) const;
    void move_tiles(char* dst, const char* src) const;
    int longer_than(int other) const;
    bool follows_source(int64_t run) const;
    void choose_axes(int64_t run);
    void choose_tiles(int64_t run);
    bool choose_channels();
    bool may_follow_pattern() const;
    bool parts_channels() const;
    bool joins_channels() const;
    bool are_in_one_set() const;
    bool are_short_planes() const;
    bool are_short_joins() const;
    int64_t shared_bytes() const { return total_bytes_ < woken ? woken : total_bytes_; }

    Way way_ = Way::none;
    bool stream_ = false;
    int64_t resident_;    // bytes of dst that are not streamed
    bool alike_ = false;  // from one address to itself it moves nothing
    bool joins_ = false;  // channels are joined, not parted
    bool lines_ = false;  // tiles begin with lines of dst
    int64_t total_bytes_;
    int64_t start_[2];  // of the first element of each operand in the order of writing
    CopyBlock shape_;   // the two axes of the tiles, without addresses
    Axes<2> outer_;     // the others
    int64_t tile_rows_, tile_columns_, down_;
    CopyKernel copy_;
    PlanesKernel planes_;
    std::shared_ptr<const Tiling> tiling_;    // of a permutation; copies of the step share it,
    std::shared_ptr<const Pattern> pattern_;  // and this
};

}  // namespace wherry
