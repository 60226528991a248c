// The module wherry._core: primitives over NumPy arrays. They check what memory safety needs, in few words;
// the callers in Python have checked the same with good ones.
#define WHERRY_IMPORTS_NUMPY
#include "arguments.hpp"

#include <nanobind/nanobind.h>

#include "../parallel.hpp"
#include "../steps/add.hpp"
#include "../steps/convert.hpp"
#include "../steps/copy.hpp"
#include "../steps/diagonals.hpp"
#include "../steps/range.hpp"
#include "../steps/select.hpp"
#include "indexing.hpp"
#include "program.hpp"
#include "views.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

void copy_arrays(nb::handle src_object, nb::handle dst_object) {
    PyArrayObject* src = as_array(src_object, "src");
    PyArrayObject* dst = as_array(dst_object, "dst");
    Axes<2> axes = shared_axes<2>({dst, src}, "src and dst");
    require(PyArray_ITEMSIZE(src) == PyArray_ITEMSIZE(dst), "src and dst differ in element width");
    require(PyArray_ISWRITEABLE(dst), "dst is read-only");
    bool same = PyArray_BYTES(src) == PyArray_BYTES(dst);
    for (int a = 0; a < axes.ndim; ++a) same &= axes.stride[a][0] == axes.stride[a][1];
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

void select_arrays(nb::handle condition_object, nb::handle x_object, nb::handle y_object, nb::handle out_object) {
    PyArrayObject *out = as_array(out_object, "out"), *condition = as_array(condition_object, "condition"),
                  *x = as_array(x_object, "x"), *y = as_array(y_object, "y");
    SelectJob job;
    job.axes = shared_axes<4>({out, condition, x, y}, "operands");
    job.width = PyArray_ITEMSIZE(out);
    require(PyArray_ITEMSIZE(condition) == 1 && PyArray_ITEMSIZE(x) == job.width && PyArray_ITEMSIZE(y) == job.width,
            "an element has another width");
    require(PyArray_ISWRITEABLE(out), "out is read-only");
    job.out = PyArray_BYTES(out);
    job.condition = PyArray_BYTES(condition);
    job.x = PyArray_BYTES(x);
    job.y = PyArray_BYTES(y);
    without_gil(PyArray_NBYTES(out), [&] { select(job); });
}

void add_array(nb::handle target_object, nb::handle source_object, int element) {
    PyArrayObject* target = as_array(target_object, "target");
    const bool zero = source_object.is_none();
    PyArrayObject* source = zero ? target : as_array(source_object, "source");
    AddJob job{PyArray_BYTES(target), zero ? nullptr : PyArray_BYTES(source), element_of(element), {}};
    job.axes = shared_axes<2>({target, source}, "target and source");
    const int64_t width = width_of(job.element);
    require(PyArray_ITEMSIZE(target) == width && PyArray_ITEMSIZE(source) == width, "an element has another width");
    require(PyArray_ISWRITEABLE(target), "target is read-only");
    for (int a = 0; zero && a < job.axes.ndim; ++a) job.axes.stride[a][1] = 0;
    without_gil(PyArray_NBYTES(target), [&] { add(job); });
}

void convert_array(nb::handle data_object, nb::handle out_object, int from, int to) {
    PyArrayObject *data = as_array(data_object, "data"), *out = as_array(out_object, "out");
    ConvertJob job;
    job.from = element_of(from);
    job.to = element_of(to);
    require(can_convert(job.from, job.to), "there is no such conversion");
    require(PyArray_ITEMSIZE(data) == width_of(job.from) && PyArray_ITEMSIZE(out) == width_of(job.to),
            "an element has another width");
    require(PyArray_ISWRITEABLE(out), "out is read-only");
    job.axes = shared_axes<2>({out, data}, "data and out");
    job.out = PyArray_BYTES(out);
    job.data = PyArray_BYTES(data);
    without_gil(PyArray_NBYTES(out), [&] { convert(job); });
}

void fill_diagonals_of(nb::handle out_object, nb::handle data_object, nb::handle value_object, int64_t begin,
                       int64_t end, bool inverted) {
    PyArrayObject *out = as_array(out_object, "out"), *value = as_array(value_object, "value");
    PyArrayObject* data = data_object.is_none() ? out : as_array(data_object, "data");
    const int ndim = PyArray_NDIM(out);
    require(ndim >= 2 && PyArray_NDIM(data) == ndim, "out and data must have one rank, 2 and more");
    require(PyArray_SIZE(value) == 1, "value must have one element");
    require(PyArray_ITEMSIZE(value) == PyArray_ITEMSIZE(out) && PyArray_ITEMSIZE(data) == PyArray_ITEMSIZE(out),
            "an element has another width");
    require(PyArray_ISWRITEABLE(out), "out is read-only");
    for (int a = 0; a < ndim; ++a) require(sizes(data)[a] == sizes(out)[a], "out and data differ in sizes");
    DiagonalsJob job;
    job.width = PyArray_ITEMSIZE(out);
    job.rows = sizes(out)[ndim - 2];
    job.columns = sizes(out)[ndim - 1];
    require(begin >= -job.rows && begin <= end && end <= job.columns, "there are no such diagonals");
    job.begin = begin;
    job.end = end;
    job.inverted = inverted;
    PyArrayObject* const operands[] = {out, data};
    for (int k = 0; k < 2; ++k) {
        job.row_step[k] = byte_strides(operands[k])[ndim - 2];
        job.column_step[k] = byte_strides(operands[k])[ndim - 1];
    }
    for (int a = 0; a < ndim - 2; ++a) job.batch.add(sizes(out)[a], {byte_strides(out)[a], byte_strides(data)[a]});
    job.out = PyArray_BYTES(out);
    job.data = data_object.is_none() ? nullptr : PyArray_BYTES(data);
    const std::string element(PyArray_BYTES(value), static_cast<size_t>(job.width));
    job.value = element.data();
    without_gil(PyArray_NBYTES(out), [&] { fill_diagonals(job); });
}

void write_range_to(nb::handle out_object, const nb::bytes& start, const nb::bytes& delta, int element) {
    PyArrayObject* out = as_array(out_object, "out");
    require(PyArray_NDIM(out) == 1 && PyArray_ISWRITEABLE(out), "out must be a writable vector");
    RangeJob job = range_of(element, start, delta);
    require(PyArray_ITEMSIZE(out) == job.width, "an element has another width");
    job.out = PyArray_BYTES(out);
    job.count = sizes(out)[0];
    job.out_step = byte_strides(out)[0];
    without_gil(PyArray_NBYTES(out), [&] { write_range(job); });
}

bool import_numpy() { return PyArray_ImportNumPyAPI() == 0; }

}  // namespace
}  // namespace wherry::bind

NB_MODULE(_core, m) {
    using namespace wherry::bind;
    if (!import_numpy()) throw nb::python_error();
    nb::set_leak_warnings(false);  // what a module of the user's holds until the interpreter ends is no leak
    m.doc() = "Moves of tensor data over strided memory. Arrays are NumPy arrays; strides may be any.";

    PyObject* name = PyUnicode_FromString("wherry");
    PyObject* gather = PyCFunction_NewEx(&gather_method, nullptr, name);
    Py_XDECREF(name);
    if (!gather) throw nb::python_error();
    m.attr("gather") = nb::steal(gather);

    add_indexing(m);
    add_program(m);
    m.def("copy", &copy_arrays, nb::arg("src"), nb::arg("dst"),
          "Copies src to dst: same sizes, same element width, any strides. Overlap is the caller's duty.");
    m.def("fill", &fill_array, nb::arg("dst"), nb::arg("value"),
          "Fills dst with the one element of value, an array of the same element width.");
    m.def("select", &select_arrays, nb::arg("condition"), nb::arg("x"), nb::arg("y"), nb::arg("out"),
          "out[c] = x[c] if condition[c] else y[c]: equal sizes, any strides; conditions of one byte. Overlap is the\n"
          "caller's duty.");
    m.def("convert", &convert_array, nb::arg("data"), nb::arg("out"), nb::arg("from_element"), nb::arg("to_element"),
          "out[c] = data[c] as another type: equal sizes, any strides; elements are numbered as for scatter_into.\n"
          "Overlap is the caller's duty.");
    m.def("add", &add_array, nb::arg("target"), nb::arg("source").none(), nb::arg("element"),
          "target[c] += source[c], or += 0 without one: equal sizes, any strides; elements are numbered as for\n"
          "scatter_into. Overlap is the caller's duty.");
    m.def("fill_diagonals", &fill_diagonals_of, nb::arg("out"), nb::arg("data").none(), nb::arg("value"),
          nb::arg("begin"), nb::arg("end"), nb::arg("inverted"),
          "out[.., y, x] = value if (begin <= x - y < end) != inverted else data[.., y, x], which None leaves as it\n"
          "is: equal sizes, any strides. Overlap is the caller's duty.");
    m.def("sequence", &write_range_to, nb::arg("out"), nb::arg("start"), nb::arg("delta"), nb::arg("element"),
          "out[n] = start + n * delta, given as the bytes of an integer, float32 or float64; elements are numbered as\n"
          "for scatter_into.");
    m.def("memory_of", &memory_of, nb::arg("array"),
          "The memory under an array, from its lowest element to its highest, as a vector of elements.");
    m.def("view", &view, nb::arg("vector"), nb::arg("sizes"), nb::arg("strides"), nb::arg("offset"),
          "An array over a vector of elements, strides and offset in elements; ValueError if it would leave it.");
    m.def("watch_limits", &wherry::bind::watch_limits, "Lets gather look up which limits are in force.");
    m.def("set_num_threads", &wherry::set_num_threads, nb::arg("n"),
          "Threads for large moves; 0 goes back to the default (OMP_NUM_THREADS, or the cores).");
    m.def("get_num_threads", &wherry::get_num_threads, "Threads that a large move may use.");
    m.def(
        "isa", [] { return wherry::block_kernels().name; },
        "The instruction set in use: scalar, avx2, avx512 or avx512vbmi. WHERRY_ISA in the environment chooses one.");
}
