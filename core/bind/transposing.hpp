// A permutation of axes as a function: a view of an array, or a new array, of any sizes.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <array>

namespace wherry::bind {

class Transposing {
public:
    explicit Transposing(nanobind::list perm);

    // The array with its axes in that order.
    nanobind::object view(nanobind::handle object) const;

    // The same elements in a new array; None where they are many: those are worth a plan.
    nanobind::object copied(nanobind::handle object) const;

private:
    PyArrayObject* checked(nanobind::handle object) const;

    int ndim_;
    std::array<npy_intp, NPY_MAXDIMS> perm_;
};

}  // namespace wherry::bind
