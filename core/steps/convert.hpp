// Rows of elements that become others, by a kernel that takes a ConvertBlock.
#pragma once

#include "../kernels/blocks.hpp"
#include "../tune/machine.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {

class ConvertedRows {
public:
    // axes: of target and source, in this order.
    void prepare(const Axes<2>& axes, int64_t out_width, int64_t data_width) {
        rows_.prepare(axes, tune::kTaskElements, most(out_width, data_width), {out_width, data_width}, true);
        row_ = {};
        row_.out_step = rows_.step[0];
        row_.data_step = rows_.step[1];
        row_.stream = machine().is_streamed(axes.count() * out_width, axes.count_of(1) * data_width) &&
                      rows_.count * out_width >= tune::kStreamRow && row_.out_step == out_width && rows_.is_in_place();
        row_.by_parts = row_.stream && out_width + data_width >= tune::kPartsElement &&
                        rows_.count * out_width >= machine().side_by_side_element;
    }

    // Calls kernel(block) for each piece.
    template <class Kernel>
    void run(char* out, char* data, Kernel&& kernel) const {
        rows_.run({out, data}, row_.stream, [&](char* const* at, int64_t count) {
            ConvertBlock block = row_;
            block.out = at[0];
            block.data = at[1];
            block.count = count;
            kernel(block);
        });
    }

private:
    ElementRows<2> rows_;
    ConvertBlock row_;  // without its addresses
};

}  // namespace wherry
