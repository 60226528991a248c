// Reshape, Expand, Slice and Range as functions of arrays of any sizes, whose sizes and bounds are inputs too.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>

#include "../kernels/blocks.hpp"
#include "../steps/reduce.hpp"
#include "../steps/step.hpp"
#include "direct.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// The bytes of an array; negative where a size is, or there are more of them than a call makes.
int64_t few_bytes(const Numbers& numbers, int64_t width) {
    int64_t bytes = width;
    bool fits = true;
    for (int a = 0; a < numbers.count; ++a) {
        fits &= numbers.at[a] >= 0 && numbers.at[a] <= kMostDirect;
        bytes = fits ? std::min(bytes * numbers.at[a], 2 * kMostDirect) : 0;
    }
    return fits && bytes <= kMostDirect ? bytes : -1;
}

// The sizes are those of an input, one of which may be what remains.
class Reshaping final : public Direct {
public:
    // `copies`: a size of 0 is that of data. `refuses`: what remains of no elements is refused, not left to a plan.
    Reshaping(nb::handle sizes, bool copies, bool refuses) : sizes_(sizes), copies_(copies), refuses_(refuses) {}

    nb::object output(std::span<PyObject* const> arrays) const override {
        PyArrayObject* data = arrays.empty() ? nullptr : exact_array(arrays[0]);
        Numbers sizes;
        if (!data || !sizes_.read(arrays, sizes)) return nb::none();
        bool has_zero = false, has_rest = false;
        for (int a = 0; a < sizes.count; ++a) {
            if (copies_ && sizes.at[a] == 0) {
                if (a >= PyArray_NDIM(data)) return nb::none();
                sizes.at[a] = PyArray_DIM(data, a);
            }
            if (sizes.at[a] < -1) return nb::none();  // NumPy takes any negative number for what remains
            has_zero |= sizes.at[a] == 0;
            has_rest |= sizes.at[a] == -1;
        }
        if (has_rest && PyArray_SIZE(data) == 0 && (has_zero || !refuses_)) return nb::none();
        if (PyArray_NBYTES(data) > kMostDirect && !PyArray_IS_C_CONTIGUOUS(data)) return nb::none();
        PyArray_Dims wanted{reinterpret_cast<npy_intp*>(sizes.at), sizes.count};
        nb::object made = nb::steal(PyArray_Newshape(data, &wanted, NPY_CORDER));
        if (!made.is_valid()) throw nb::python_error();
        return made;
    }

private:
    Entries sizes_;
    bool copies_, refuses_;
};

// Repeated to the sizes that an input has; in two ways where data may have more axes, or larger ones.
class Expanding final : public Direct {
public:
    Expanding(nb::handle sizes, bool two_way) : sizes_(sizes), two_way_(two_way) {}

    nb::object output(std::span<PyObject* const> arrays) const override {
        PyArrayObject* data = arrays.empty() ? nullptr : exact_array(arrays[0]);
        Numbers sizes;
        if (!data || !is_plain(data) || !sizes_.read(arrays, sizes)) return nb::none();
        const int own = PyArray_NDIM(data), missing = own - sizes.count;
        if (missing > 0) {
            if (!two_way_) return nb::none();
            std::copy_backward(sizes.at, sizes.at + sizes.count, sizes.at + own);
            std::fill(sizes.at, sizes.at + missing, 1);
            sizes.count = own;
        }
        int64_t strides[NPY_MAXDIMS];
        for (int a = 0; a < sizes.count; ++a) {
            const int axis = a - (sizes.count - own);
            const int64_t size = axis < 0 ? 1 : PyArray_DIM(data, axis);
            if (two_way_ && sizes.at[a] == 1) sizes.at[a] = size;
            if (size != 1 && size != sizes.at[a]) return nb::none();
            strides[a] = size == 1 ? 0 : PyArray_STRIDE(data, axis);
        }
        if (few_bytes(sizes, PyArray_ITEMSIZE(data)) < 0) return nb::none();
        return copied_to_new(PyArray_DESCR(data), sizes.count, sizes.at, strides, PyArray_BYTES(data));
    }

private:
    Entries sizes_;
    bool two_way_;
};

// First position and number of positions of a range, by the clamp rule of ONNX and OpenVINO; see ops/slice.py.
struct Positions {
    Positions(int64_t start, int64_t end, int64_t step, int64_t size) {
        start += start < 0 ? size : 0;
        end += end < 0 ? size : 0;
        const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
        first = std::min(std::max<int64_t>(start, 0), high);
        const int64_t last = std::min(std::max(end, low), high), span = step > 0 ? last - first : first - last;
        const uint64_t apart = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
        count = span > 0 ? static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / apart) + 1 : 0;
    }

    int64_t first, count;
};

class Slicing final : public Direct {
public:
    // `from_front`: no axis is counted from the last one.
    Slicing(nb::handle starts, nb::handle ends, nb::handle axes, nb::handle steps, bool from_front)
        : starts_(starts), ends_(ends), axes_(axes), steps_(steps), from_front_(from_front) {}

    nb::object output(std::span<PyObject* const> arrays) const override {
        PyArrayObject* data = arrays.empty() ? nullptr : exact_array(arrays[0]);
        Numbers starts, ends, axes, steps;
        if (!data || !starts_.read(arrays, starts) || !ends_.read(arrays, ends) || starts.count != ends.count ||
            !read_or(axes_, arrays, starts.count, axes, [](int k) { return int64_t{k}; }) ||
            !read_or(steps_, arrays, starts.count, steps, [](int) { return int64_t{1}; }))
            return nb::none();
        const int ndim = PyArray_NDIM(data);
        if (ndim == 0) return starts.count ? nb::none() : nb::borrow(arrays[0]);
        int64_t made_sizes[NPY_MAXDIMS], strides[NPY_MAXDIMS];
        bool is_named[NPY_MAXDIMS] = {};
        std::copy(sizes(data), sizes(data) + ndim, made_sizes);
        std::copy(byte_strides(data), byte_strides(data) + ndim, strides);
        char* from = PyArray_BYTES(data);
        for (int k = 0; k < starts.count; ++k) {
            int64_t axis = axes.at[k];
            if (axis < (from_front_ ? 0 : -ndim) || axis >= ndim || steps.at[k] == 0) return nb::none();
            axis += axis < 0 ? ndim : 0;
            if (std::exchange(is_named[axis], true)) return nb::none();
            const Positions found(starts.at[k], ends.at[k], steps.at[k], made_sizes[axis]);
            if (found.count > 0) from += found.first * strides[axis];
            if (found.count > 1) strides[axis] *= steps.at[k];
            made_sizes[axis] = found.count;
        }
        const bool is_empty = std::find(made_sizes, made_sizes + ndim, 0) != made_sizes + ndim;
        return view_of(data, ndim, made_sizes, strides, is_empty ? PyArray_BYTES(data) : from);
    }

private:
    template <class Otherwise>
    static bool read_or(const Entries& entries, std::span<PyObject* const> arrays, int count, Numbers& to,
                        Otherwise otherwise) {
        if (entries.are_given()) return entries.read(arrays, to) && to.count == count;
        to.count = count;
        for (int k = 0; k < count; ++k) to.at[k] = otherwise(k);
        return true;
    }

    Entries starts_, ends_, axes_, steps_;
    bool from_front_;
};

// start, start + delta ... before limit: three inputs of one element each, of a type that has ranges.
class Ranging final : public Direct {
public:
    Ranging(size_t start, size_t limit, size_t delta, int64_t element) : places_{start, limit, delta} {
        require(element >= 0 && element < kElements && has_range(static_cast<Element>(element)),
                "there are no ranges of this type");
        element_ = static_cast<Element>(element);
    }

    nb::object output(std::span<PyObject* const> arrays) const override {
        PyArrayObject* given[3];
        for (int k = 0; k < 3; ++k) {
            if (places_[k] >= arrays.size() || !(given[k] = exact_array(arrays[places_[k]]))) return nb::none();
            if (PyArray_SIZE(given[k]) != 1 || PyArray_ITEMSIZE(given[k]) != width_of(element_)) return nb::none();
        }
        int64_t count = 0;
        if (!count_of(PyArray_BYTES(given[0]), PyArray_BYTES(given[1]), PyArray_BYTES(given[2]), count))
            return nb::none();
        if (count > kMostDirect / width_of(element_)) return nb::none();
        nb::object made = new_packed(PyArray_DESCR(given[0]), 1, &count);
        char* const to = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(made.ptr()));
        if (count > 0)
            block_kernels().range(element_)(
                {to, width_of(element_), 0, count, PyArray_BYTES(given[0]), PyArray_BYTES(given[2]), false});
        return made;
    }

private:
    bool count_of(const char* start, const char* limit, const char* delta, int64_t& count) const {
        return for_element(element_, [&]<class T>(TypeOf<T>) {
            [[maybe_unused]] const T first = load<T>(start), last = load<T>(limit), step = load<T>(delta);
            if constexpr (std::is_integral_v<T>) {
                if (step == 0) return false;
                const bool up = step > 0;
                if (up ? last <= first : last >= first) return true;
                const auto low = static_cast<uint64_t>(up ? first : last),
                           high = static_cast<uint64_t>(up ? last : first);
                const auto by = static_cast<uint64_t>(step);
                count = static_cast<int64_t>(std::min<uint64_t>((high - low - 1) / (up ? by : -by), kMostDirect) + 1);
                return true;
            } else if constexpr (std::is_floating_point_v<T>) {
                const double far = 1e30, one = first, other = last, by = step;  // so far that nothing overflows
                if (!(std::abs(one) < far && std::abs(other) < far && 1 / far < std::abs(by) && std::abs(by) < far))
                    return false;
                const double found = std::ceil(static_cast<double>(static_cast<T>(other - one)) / by);
                if (!(found <= static_cast<double>(kMostDirect))) return false;
                count = found < 0 ? 0 : static_cast<int64_t>(found);
                return true;
            }
            return false;
        });
    }

    size_t places_[3];
    Element element_;
};

}  // namespace

void add_shaping(nb::module_& m) {
    nb::class_<Reshaping, Direct>(m, "Reshaping", "Data in the sizes of an input.")
        .def(nb::init<nb::handle, bool, bool>(), nb::arg("sizes"), nb::arg("copies"), nb::arg("refuses"));
    nb::class_<Expanding, Direct>(m, "Expanding", "Data repeated to the sizes of an input.")
        .def(nb::init<nb::handle, bool>(), nb::arg("sizes"), nb::arg("two_way"));
    nb::class_<Slicing, Direct>(m, "Slicing", "A part of data, by bounds that are known or inputs.")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, bool>(), nb::arg("starts").none(),
             nb::arg("ends").none(), nb::arg("axes").none(), nb::arg("steps").none(), nb::arg("from_front"));
    nb::class_<Ranging, Direct>(m, "Ranging", "Numbers at equal distances, by inputs at these positions.")
        .def(nb::init<size_t, size_t, size_t, int64_t>(), nb::arg("start"), nb::arg("limit"), nb::arg("delta"),
             nb::arg("element"));
}

}  // namespace wherry::bind
