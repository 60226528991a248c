// Fill: collapse, cut rows into tasks.
#include "fill.hpp"

#include "../tune/machine.hpp"

namespace wherry {

void FillStep::check(Fields& fields) {
    value = fields.bytes(2);
    const Tensor target = fields.target(1, static_cast<int64_t>(value.size()));
    to = spot_of(target);
    share_axes<1>(axes, {&target});
    bytes = bytes_of(target, static_cast<int64_t>(value.size()));
}

void FillStep::prepare() {
    const auto width = static_cast<int64_t>(value.size());
    rows_.prepare(axes, width == 0 ? 1 : most(1, tune::kTaskBytes / width), width);
    if (width == 0) rows_.count = 0;
    stream_ =
        rows_.count * width >= tune::kStreamRow && rows_.step[0] == width && rows_.total_bytes >= machine().stream;
    fill_ = block_kernels().fill(width);
}

void FillStep::write(char* dst) const {
    const auto width = static_cast<int64_t>(value.size());
    // The beginning stays in the cache: nothing that is read needs its room. It is no more than the resident part of
    // other moves is anywhere, since zeros around the cache are packed on their way by some processors.
    const char* const around = dst + (stream_ ? rows_.outer.offset[0] + machine().last / 2 : 0);
    rows_.run({dst}, stream_, [&](char* const* at, int64_t count) {
        fill_(at[0], rows_.step[0], count, value.data(), width, stream_ && at[0] >= around);
    });
}

std::unique_ptr<Move> make_fill() { return std::make_unique_for_overwrite<FillStep>(); }

}  // namespace wherry
