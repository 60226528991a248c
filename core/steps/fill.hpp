// One element to every place.
#pragma once

#include "../kernels/blocks.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {

struct FillStep final : Move {
    Spot to;
    std::string value;
    Axes<1> axes;

    // ("fill", target, value)
    void check(Fields& fields) override;
    void prepare() override;
    bool run(char* const* base) const override {
        write(to.in(base));
        return true;
    }
    void write(char* dst) const;

private:
    Rows<1> rows_;
    bool stream_;
    FillKernel fill_;
};

}  // namespace wherry
