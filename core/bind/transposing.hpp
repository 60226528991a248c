// A permutation of axes as a function: a view of an array, or a new array, of any sizes.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <array>

#include "direct.hpp"

namespace wherry::bind {

class Transposing final : public Direct {
public:
    explicit Transposing(nanobind::list perm);

    // The array with its axes in that order.
    nanobind::object view(nanobind::handle object) const;

    size_t arrays() const override { return 1; }

    // The same elements in a new array; None where they are many: those are worth a plan.
    nanobind::object made_of(PyObject* const* arrays) const override;

private:
    PyArrayObject* checked(nanobind::handle object) const;

    int ndim_;
    std::array<npy_intp, NPY_MAXDIMS> perm_;
};

}  // namespace wherry::bind
