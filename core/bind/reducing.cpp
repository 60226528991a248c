// Sums, products and extremes along axes as a function of an array of any sizes, which makes its result.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../steps/step.hpp"
#include "direct.hpp"
#include "fields.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// What a reduction is told: two tensors, then the function and the element type.
class Reduction final : public Fields {
public:
    Reduction(const Tensor& target, const Tensor& source, int64_t function, int64_t element)
        : tensors_{target, source}, numbers_{function, element} {}

    bool has(int place) const override { return place >= 1 && place <= 4; }
    Tensor tensor(int place, int64_t) override { return tensors_[place - 1]; }
    Tensor target(int place, int64_t) override { return tensors_[place - 1]; }
    int64_t integer(int place) override { return numbers_[place - 3]; }
    std::string bytes(int) override { throw std::invalid_argument("a reduction has no such field"); }
    IndexType index_type(int) override { throw std::invalid_argument("a reduction has no such field"); }

private:
    Tensor tensors_[2];
    int64_t numbers_[2];
};

class Reducing final : public Direct {
public:
    // Without a list of axes all are reduced. `of_none` is what there is of no elements.
    Reducing(nb::object axes, bool keeps_axes, int64_t function, int64_t element, nb::bytes of_none)
        : is_of_all_(axes.is_none()),
          keeps_axes_(keeps_axes),
          function_(function),
          element_(element),
          of_none_(of_none.c_str(), of_none.size()) {
        require(element >= 0 && element < kElements, "element must be 0..14");
        require(of_none_.size() == static_cast<size_t>(width_of(static_cast<Element>(element))),
                "of_none must be one element");
        if (!is_of_all_)
            for (nb::handle axis : nb::borrow<nb::list>(axes)) axes_.push_back(nb::cast<int64_t>(axis));
    }

    // None also where an axis is not there, or named twice.
    nb::object output(std::span<PyObject* const> arrays) const override {
        require(arrays.size() == 1, "one array is reduced");
        PyArrayObject* data = as_array(arrays[0], "data");
        const int ndim = PyArray_NDIM(data);
        std::array<bool, NPY_MAXDIMS> goes{};
        if (PyArray_NBYTES(data) > kMostDirect || !find_axes(ndim, goes)) return nb::none();
        require(PyArray_ITEMSIZE(data) == static_cast<npy_intp>(of_none_.size()), "an element has another width");
        std::array<int64_t, NPY_MAXDIMS> kept, steps;
        int count = 0;
        int64_t step = PyArray_ITEMSIZE(data), made_bytes = step;
        for (int a = ndim - 1; a >= 0; --a) {
            const size_t at = static_cast<size_t>(a);
            steps[at] = goes[at] ? 0 : step;
            if (!goes[at]) step *= sizes(data)[a];
        }
        for (int a = 0; a < ndim; ++a)
            if (!goes[static_cast<size_t>(a)] || keeps_axes_)
                kept[static_cast<size_t>(count++)] = goes[static_cast<size_t>(a)] ? 1 : sizes(data)[a];
        for (int a = 0; a < count; ++a)
            if (__builtin_mul_overflow(made_bytes, kept[static_cast<size_t>(a)], &made_bytes)) return nb::none();
        if (made_bytes > kMostDirect) return nb::none();
        PyArray_Descr* descr = PyArray_DESCR(data);
        Py_INCREF(descr);
        nb::object made = nb::steal(new_array(descr, count, kept.data()));
        if (!made.is_valid()) throw nb::python_error();
        char* const to = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(made.ptr()));
        for (int64_t place = 0; place < made_bytes; place += static_cast<int64_t>(of_none_.size()))
            std::copy(of_none_.begin(), of_none_.end(), to + place);
        Reduction fields({0, 0, ndim, sizes(data), steps.data()}, {1, 0, ndim, sizes(data), byte_strides(data)},
                         function_, element_);
        const std::unique_ptr<Move> move = make_move("reduce");
        move->check(fields);
        move->prepare();
        char* const base[] = {to, PyArray_BYTES(data)};
        if (!without_gil(move->bytes, [&] { move->run(base); })) throw nb::python_error();
        return made;
    }

private:
    bool find_axes(int ndim, std::array<bool, NPY_MAXDIMS>& goes) const {
        if (is_of_all_) std::fill(goes.begin(), goes.begin() + ndim, true);
        for (int64_t axis : axes_) {
            if (axis < -ndim || axis >= ndim) return false;
            if (std::exchange(goes[static_cast<size_t>(axis < 0 ? axis + ndim : axis)], true)) return false;
        }
        return true;
    }

    bool is_of_all_, keeps_axes_;
    int64_t function_, element_;
    std::string of_none_;
    std::vector<int64_t> axes_;
};

}  // namespace

void add_reducing(nb::module_& m) {
    nb::class_<Reducing, Direct>(m, "Reducing", "Sums, products or extremes along axes of arrays of any sizes.")
        .def(nb::init<nb::object, bool, int64_t, int64_t, nb::bytes>(), nb::arg("axes").none(), nb::arg("keeps_axes"),
             nb::arg("function"), nb::arg("element"), nb::arg("of_none"));
}

}  // namespace wherry::bind
