// Functions of arrays of any sizes that the core makes at once: no plan, and nothing kept for sizes.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry::bind {

class Direct {
public:
    virtual ~Direct() = default;

    // How many arrays it takes.
    virtual size_t arrays() const = 0;

    // A new array; None where a plan is to decide: there is much to move, or something is wrong with the arrays.
    virtual nanobind::object made_of(PyObject* const* arrays) const = 0;
};

}  // namespace wherry::bind
