// GatherND as a function of arrays of any sizes: slices of data at tuples of indices.
#include <nanobind/nanobind.h>

#include "../steps/gather.hpp"
#include "direct.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

class GatheringTuples final : public Direct {
public:
    // A tuple has `least` indices at least. `general` is asked where data is not packed, or nothing is to be moved.
    GatheringTuples(int least, int out_of_range, int negative, nb::object general)
        : least_(least), general_(std::move(general)) {
        require(out_of_range >= 0 && out_of_range <= 3 && negative >= 0 && negative <= 1, "an index has no such rule");
        rule_ = {0, static_cast<OutOfRange>(out_of_range), static_cast<Negative>(negative), IndexType::i64};
    }

    nb::object output(std::span<PyObject* const> arrays) const override {
        require(arrays.size() == 2, "data and indices are needed");
        PyArrayObject *data = exact_array(arrays[0]), *indices = exact_array(arrays[1]);
        IndexRule rule = rule_;
        if (!data || !indices || !is_plain(data) || !index_type(indices, rule.type) || PyArray_NDIM(indices) == 0)
            return nb::none();
        const int rows = PyArray_NDIM(indices) - 1, ndim = PyArray_NDIM(data);
        const int64_t length = PyArray_DIM(indices, rows);
        const bool has_place = length >= std::max(1, least_) && length <= ndim && rows + ndim <= NPY_MAXDIMS;
        if (!has_place || PyArray_SIZE(data) == 0 || !PyArray_IS_C_CONTIGUOUS(data) || !PyArray_ISALIGNED(indices))
            return general_(nb::handle(arrays[0]), nb::handle(arrays[1]));
        const int behind = ndim - static_cast<int>(length);
        int64_t made[NPY_MAXDIMS];
        std::copy(sizes(indices), sizes(indices) + rows, made);
        std::copy(sizes(data) + length, sizes(data) + ndim, made + rows);
        double bytes = static_cast<double>(PyArray_ITEMSIZE(data));
        for (int a = 0; a < rows + behind; ++a) bytes *= static_cast<double>(made[a]);
        if (bytes == 0) return general_(nb::handle(arrays[0]), nb::handle(arrays[1]));
        if (bytes > static_cast<double>(kMostDirect)) return nb::none();
        nb::object out = new_packed(PyArray_DESCR(data), rows + behind, made);
        return gather(reinterpret_cast<PyArrayObject*>(out.ptr()), data, indices, rule) ? out : nb::none();
    }

private:
    // False where some index is bad.
    static bool gather(PyArrayObject* out, PyArrayObject* data, PyArrayObject* indices, const IndexRule& rule) {
        const int rows = PyArray_NDIM(indices) - 1, length = static_cast<int>(PyArray_DIM(indices, rows));
        GatherStep step;
        step.out = {0, 0}, step.data = {1, 0}, step.indices = {2, 0};
        step.width = PyArray_ITEMSIZE(data);
        step.rule = rule;
        step.rule.size = PyArray_DIM(data, 0);
        step.axis_stride = step_along(data, 0);
        step.further_count = length - 1;
        for (int c = 1; c < length; ++c)
            step.further[c - 1] = {c * step_along(indices, rows), step_along(data, c), PyArray_DIM(data, c)};
        for (int a = 0; a < PyArray_NDIM(out); ++a) {
            const int64_t from = a < rows ? 0 : byte_strides(data)[a - rows + length];
            step.axes.add(sizes(out)[a], {byte_strides(out)[a], from, a < rows ? byte_strides(indices)[a] : 0});
        }
        step.bytes = PyArray_NBYTES(out);
        step.prepare();
        char* const base[] = {PyArray_BYTES(out), PyArray_BYTES(data), PyArray_BYTES(indices)};
        bool fine = true;
        if (!without_gil(step.bytes, [&] { fine = step.run(base); })) throw nb::python_error();
        return fine;
    }

    int least_;
    IndexRule rule_;
    nb::object general_;
};

}  // namespace

void add_tuples(nb::module_& m) {
    nb::class_<GatheringTuples, Direct>(m, "GatheringTuples", "Slices of data at tuples of indices.")
        .def(nb::init<int, int, int, nb::object>(), nb::arg("least"), nb::arg("out_of_range"), nb::arg("negative"),
             nb::arg("general"));
}

}  // namespace wherry::bind
