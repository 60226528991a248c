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

    // A view.
    nanobind::object output(std::span<PyObject* const> arrays) const override;
    nanobind::object new_output(std::span<PyObject* const> arrays) const override;

private:
    PyArrayObject* checked(std::span<PyObject* const> arrays) const;

    int ndim_;
    std::array<npy_intp, NPY_MAXDIMS> perm_;
};

}  // namespace wherry::bind
