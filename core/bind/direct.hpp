// Functions of arrays of any sizes that the core answers at once: no plan, and nothing kept for sizes.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <span>

namespace wherry::bind {

constexpr npy_intp kMostDirect = 1 << 22;  // bytes of what is made, as in engine/shortcut.py

class Direct {
public:
    virtual ~Direct() = default;

    // The output, which may be a view of an input; None where a plan is to decide: there is much to move, or something
    // is wrong with the arrays.
    virtual nanobind::object output(std::span<PyObject* const> arrays) const = 0;

    // The same as a new array.
    virtual nanobind::object new_output(std::span<PyObject* const> arrays) const { return output(arrays); }

    // Whether it can write to an array that is given for the output; and `out` with the output, or None.
    virtual bool has_output_to() const { return false; }
    virtual nanobind::object output_to(std::span<PyObject* const>, PyObject* /* out */) const {
        return nanobind::none();
    }

    // Writes several outputs to arrays for them, which may take results. Where it is false, or throws, nothing is
    // written, and the outputs are to be made first.
    virtual bool write_outputs(std::span<PyObject* const>, std::span<PyObject* const> /* outs */) const {
        return false;
    }
};

// The output, in a new array or in `out`, if that is not null.
inline nanobind::object output_of(const Direct& direct, std::span<PyObject* const> arrays, PyObject* out) {
    return out ? direct.output_to(arrays, out) : direct.new_output(arrays);
}

// Null for anything else.
const Direct* direct_of(nanobind::handle object);

// Whether the error that is set is one by which a function refuses arrays: not one that a signal's handler raised.
bool is_refusal();

// The array that an object is; null if it is anything else, or of a class of somebody's own.
inline PyArrayObject* exact_array(PyObject* object) {
    return PyArray_CheckExact(object) ? reinterpret_cast<PyArrayObject*>(object) : nullptr;
}

// Sizes, or bounds, of axes.
struct Numbers {
    int count = 0;
    int64_t at[NPY_MAXDIMS];
};

// What an operator is told by numbers: known ones, or the entries of an input.
class Entries {
public:
    // None; the position of an input; or a list of numbers.
    explicit Entries(nanobind::handle told);

    bool are_given() const { return place_ >= 0 || are_known_; }

    // False where they are not given, or are no few integers of 64 bits in a vector.
    bool read(std::span<PyObject* const> arrays, Numbers& to) const;

private:
    int64_t place_ = -1;
    bool are_known_ = false;
    Numbers known_;
};

// A new packed array of any content; errors are thrown.
nanobind::object new_packed(PyArray_Descr* descr, int ndim, const int64_t* sizes);

// A new packed array of plain elements, which begin at `from` and lie at these strides.
nanobind::object copied_to_new(PyArray_Descr* descr, int ndim, const int64_t* sizes, const int64_t* strides,
                               const char* from);

inline nanobind::object copied_to_new(PyArrayObject* array) {
    return copied_to_new(PyArray_DESCR(array), PyArray_NDIM(array), sizes(array), byte_strides(array),
                         PyArray_BYTES(array));
}

// A view of plain elements of `owner`.
nanobind::object view_of(PyArrayObject* owner, int ndim, const int64_t* sizes, const int64_t* strides, char* start);

// All elements in row-major order: the array itself, a view of it, or a new one.
nanobind::object as_vector(PyArrayObject* array);

// wherry.gather along an axis.
nanobind::object slices_at(nanobind::handle data, nanobind::handle places, int axis);

}  // namespace wherry::bind
