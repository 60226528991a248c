// The module wherry._core: primitives over NumPy arrays. They check what memory safety needs, in few words;
// the callers in Python have checked the same with good ones.
#define WHERRY_IMPORTS_NUMPY
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <string>

#include "../kernels/copy.hpp"
#include "../kernels/gather.hpp"
#include "../parallel.hpp"
#include "views.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

PyArrayObject* as_array(nb::handle object, const char* name) {
    if (!PyArray_Check(object.ptr())) throw nb::type_error((std::string(name) + " must be a NumPy array").c_str());
    auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!is_plain(array)) throw nb::type_error((std::string(name) + " must not hold Python objects").c_str());
    return array;
}

void require(bool fine, const char* text) {
    if (!fine) throw nb::value_error(text);
}

IndexRule rule_for(PyArrayObject* indices, int64_t size, int out_of_range, int negative) {
    IndexRule rule{};
    if (!index_kind(indices, rule.kind)) throw nb::type_error("indices must have a native integer type");
    require(out_of_range >= 0 && out_of_range <= 3, "out_of_range must be 0..3");
    require(negative == 0 || negative == 1, "negative must be 0 or 1");
    rule.size = size;
    rule.out_of_range = static_cast<OutOfRange>(out_of_range);
    rule.negative = static_cast<Negative>(negative);
    return rule;
}

// None, or (position, value).
nb::object found(const BadIndex& bad, IndexKind kind) {
    if (!bad.found) return nb::none();
    if (kind == IndexKind::u64) return nb::make_tuple(bad.position, static_cast<uint64_t>(bad.value));
    return nb::make_tuple(bad.position, bad.value);
}

BadIndex check(PyArrayObject* indices, const IndexRule& rule) {
    IndexArray array;
    describe_indices(array, indices, rule);
    BadIndex bad{};
    without_gil(PyArray_SIZE(indices) * 8, [&] { bad = check_indices(array); });
    return bad;
}

nb::object check_indices_of(nb::handle indices_object, int64_t size, int negative) {
    PyArrayObject* indices = as_array(indices_object, "indices");
    require(size >= 0, "size must not be negative");
    const IndexRule rule = rule_for(indices, size, 0, negative);
    return found(check(indices, rule), rule.kind);
}

nb::object gather_into(nb::handle data_object, nb::handle indices_object, nb::handle out_object, int axis,
                       int batch_dims, int out_of_range, int negative) {
    PyArrayObject* data = as_array(data_object, "data");
    PyArrayObject* indices = as_array(indices_object, "indices");
    PyArrayObject* out = as_array(out_object, "out");
    const int data_ndim = PyArray_NDIM(data), index_ndim = PyArray_NDIM(indices);
    require(axis >= 0 && axis < data_ndim, "axis is not an axis of data");
    require(batch_dims >= 0 && batch_dims <= axis && batch_dims <= index_ndim, "batch_dims is out of range");
    require(PyArray_NDIM(out) == data_ndim - 1 + index_ndim - batch_dims, "out has the wrong rank");
    require(PyArray_ITEMSIZE(data) == PyArray_ITEMSIZE(out), "out has another element width than data");
    require(PyArray_ISWRITEABLE(out), "out is read-only");
    const IndexRule rule = rule_for(indices, sizes(data)[axis], out_of_range, negative);

    GatherJob job;
    job.out = PyArray_BYTES(out);
    job.data = PyArray_BYTES(data);
    job.indices = PyArray_BYTES(indices);
    job.width = PyArray_ITEMSIZE(data);
    job.axis_stride = byte_strides(data)[axis];
    job.rule = rule;
    int to = 0;
    const auto add = [&](int64_t size, int64_t data_stride, int64_t index_stride) {
        require(sizes(out)[to] == size, "out has the wrong sizes");
        job.axes.add(size, {byte_strides(out)[to], data_stride, index_stride});
        ++to;
    };
    for (int a = 0; a < axis; ++a) {
        const bool batch = a < batch_dims;
        require(!batch || sizes(data)[a] == sizes(indices)[a], "data and indices differ in a batch size");
        add(sizes(data)[a], byte_strides(data)[a], batch ? byte_strides(indices)[a] : 0);
    }
    for (int a = batch_dims; a < index_ndim; ++a) add(sizes(indices)[a], 0, byte_strides(indices)[a]);
    for (int a = axis + 1; a < data_ndim; ++a) add(sizes(data)[a], byte_strides(data)[a], 0);

    if (rule.out_of_range == OutOfRange::raise) {
        const BadIndex bad = check(indices, rule);
        if (bad.found) return found(bad, rule.kind);
    } else if (rule.out_of_range != OutOfRange::zero) {
        require(rule.size > 0 || PyArray_SIZE(indices) == 0, "the axis has size 0: no index can be taken from it");
    }
    bool whole = true;
    without_gil(PyArray_NBYTES(out), [&] { whole = gather(job); });
    // Only if another thread has changed the indices since the check.
    require(whole, "indices changed while they were used");
    return nb::none();
}

void copy_arrays(nb::handle src_object, nb::handle dst_object) {
    PyArrayObject* src = as_array(src_object, "src");
    PyArrayObject* dst = as_array(dst_object, "dst");
    const int ndim = PyArray_NDIM(src);
    require(ndim == PyArray_NDIM(dst), "src and dst differ in rank");
    require(PyArray_ITEMSIZE(src) == PyArray_ITEMSIZE(dst), "src and dst differ in element width");
    require(PyArray_ISWRITEABLE(dst), "dst is read-only");
    Axes<2> axes;
    bool same = PyArray_BYTES(src) == PyArray_BYTES(dst);
    for (int a = 0; a < ndim; ++a) {
        require(sizes(src)[a] == sizes(dst)[a], "src and dst differ in sizes");
        same &= byte_strides(src)[a] == byte_strides(dst)[a];
        axes.add(sizes(src)[a], {byte_strides(dst)[a], byte_strides(src)[a]});
    }
    if (same) return;
    char* to = PyArray_BYTES(dst);
    const char* from = PyArray_BYTES(src);
    const int64_t width = PyArray_ITEMSIZE(src);
    without_gil(PyArray_NBYTES(dst), [&] { copy(to, from, axes, width); });
}

void fill_array(nb::handle dst_object, nb::handle value_object) {
    PyArrayObject* dst = as_array(dst_object, "dst");
    PyArrayObject* value = as_array(value_object, "value");
    require(PyArray_SIZE(value) == 1, "value must have one element");
    require(PyArray_ITEMSIZE(value) == PyArray_ITEMSIZE(dst), "value and dst differ in element width");
    require(PyArray_ISWRITEABLE(dst), "dst is read-only");
    Axes<1> axes;
    for (int a = 0; a < PyArray_NDIM(dst); ++a) axes.add(sizes(dst)[a], {byte_strides(dst)[a]});
    char* to = PyArray_BYTES(dst);
    // The value may be an element of dst itself.
    const std::string element(PyArray_BYTES(value), static_cast<size_t>(PyArray_ITEMSIZE(value)));
    without_gil(PyArray_NBYTES(dst), [&] { fill(to, axes, element.data(), static_cast<int64_t>(element.size())); });
}

bool import_numpy() { return PyArray_ImportNumPyAPI() == 0; }

}  // namespace
}  // namespace wherry::bind

NB_MODULE(_core, m) {
    using namespace wherry::bind;
    if (!import_numpy()) throw nb::python_error();
    m.doc() = "Moves of tensor data over strided memory. Arrays are NumPy arrays; strides may be any.";

    PyObject* name = PyUnicode_FromString("wherry");
    PyObject* gather = PyCFunction_NewEx(&gather_method, nullptr, name);
    Py_XDECREF(name);
    if (!gather) throw nb::python_error();
    m.attr("gather") = nb::steal(gather);

    m.def("gather_into", &gather_into, nb::arg("data"), nb::arg("indices"), nb::arg("out"), nb::arg("axis"),
          nb::arg("batch_dims"), nb::arg("out_of_range"), nb::arg("negative"),
          "Gathers into out; returns None, or (flat position, value) of the first bad index, out being as it was.\n\n"
          "out_of_range: 0 raise, 1 clamp, 2 zero, 3 wrap; negative: 0 from_end, 1 invalid.");
    m.def("copy", &copy_arrays, nb::arg("src"), nb::arg("dst"),
          "Copies src to dst: same sizes, same element width, any strides. Overlap is the caller's duty.");
    m.def("fill", &fill_array, nb::arg("dst"), nb::arg("value"),
          "Fills dst with the one element of value, an array of the same element width.");
    m.def("check_indices", &check_indices_of, nb::arg("indices"), nb::arg("size"), nb::arg("negative"),
          "None if every index lies on an axis of that size, else (flat position, value) of the first bad one.");
    m.def("memory_of", &memory_of, nb::arg("array"),
          "The memory under an array, from its lowest element to its highest, as a vector of elements.");
    m.def("view", &view, nb::arg("vector"), nb::arg("sizes"), nb::arg("strides"), nb::arg("offset"),
          "An array over a vector of elements, strides and offset in elements; ValueError if it would leave it.");
    m.def("set_num_threads", &wherry::set_num_threads, nb::arg("n"),
          "Threads for large moves; 0 goes back to the default (OMP_NUM_THREADS, or the cores).");
    m.def("get_num_threads", &wherry::get_num_threads, "Threads that a large move may use.");
    m.def(
        "isa", [] { return wherry::block_kernels().name; },
        "The instruction set in use: scalar, avx2 or avx512. WHERRY_ISA in the environment chooses one.");
}
