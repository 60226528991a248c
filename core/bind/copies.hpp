// Outputs that are the same at each call: new ones, or copied to what is to be written.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <span>

namespace wherry::bind {

class Copies {
public:
    explicit Copies(nanobind::dict results);

    // By their names. Whatever is `written`, a dict, takes them as NumPy assigns them; None for new ones.
    nanobind::dict operator()(nanobind::handle arrays, nanobind::object written) const;

    // To arrays in the order of the results; false, with nothing written, where these do not take them.
    bool write(std::span<PyObject* const> outs) const;

private:
    nanobind::dict results_;
    nanobind::object in_order_;  // a tuple of the same
};

// Null for anything else.
const Copies* copies_of(nanobind::handle object);

}  // namespace wherry::bind
