// wherry.gather: the common case from arguments to result in about a tenth of a microsecond.
// Calls that are unusual or wrong go to wherry.functions.gather_general, which raises the errors.
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include "../kept.hpp"
#include "../steps/check.hpp"
#include "../steps/gather.hpp"
#include "../tune/machine.hpp"
#include "direct.hpp"
#include "extent.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "packed_strings.hpp"
#include "references.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

enum Parameter { kData, kIndices, kAxis, kBatchDims, kOutOfRange, kNegative, kOut, kArguments };
constexpr const char* kNames[kArguments] = {"data", "indices", "axis", "batch_dims", "out_of_range", "negative", "out"};
constexpr int kPositional = 3;

// Strings that stay for the life of the process; interned, so that most comparisons are of pointers.
struct Words {
    PyObject* arguments[kArguments];
    PyObject* out_of_range[4];
    PyObject* negative[2];
    PyObject *zero, *general;
};

const Words* words() {
    static Words w{};
    static bool ready = false;
    if (ready) return &w;
    const char* policies[4] = {"raise", "clamp", "zero", "wrap"};
    const char* negatives[2] = {"from_end", "invalid"};
    for (int i = 0; i < kArguments; ++i)
        if (!(w.arguments[i] = PyUnicode_InternFromString(kNames[i]))) return nullptr;
    for (int i = 0; i < 4; ++i)
        if (!(w.out_of_range[i] = PyUnicode_InternFromString(policies[i]))) return nullptr;
    for (int i = 0; i < 2; ++i)
        if (!(w.negative[i] = PyUnicode_InternFromString(negatives[i]))) return nullptr;
    if (!(w.zero = PyLong_FromLong(0))) return nullptr;
    ready = true;
    return &w;
}

bool same_text(PyObject* a, PyObject* b) {
    return a == b ||
           (PyUnicode_Check(a) && PyUnicode_GET_LENGTH(a) == PyUnicode_GET_LENGTH(b) && PyUnicode_Compare(a, b) == 0);
}

int find_word(PyObject* word, PyObject* const* all, int count) {
    for (int i = 0; i < count; ++i)
        if (word == all[i]) return i;
    for (int i = 0; i < count; ++i)
        if (same_text(word, all[i])) return i;
    return -1;
}

// The arguments by position and by name, borrowed; absent ones stay null.
bool parse(PyObject* const* args, Py_ssize_t nargs, PyObject* names, const Words& w, PyObject** values) {
    if (nargs > kPositional) {
        PyErr_Format(PyExc_TypeError, "gather() takes at most 3 positional arguments, %zd given", nargs);
        return false;
    }
    for (Py_ssize_t i = 0; i < nargs; ++i) values[i] = args[i];
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t i = 0; i < named; ++i) {
        PyObject* name = PyTuple_GET_ITEM(names, i);
        const int which = find_word(name, w.arguments, kArguments);
        if (which < 0) {
            PyErr_Format(PyExc_TypeError, "gather() got an unexpected keyword argument '%U'", name);
            return false;
        }
        if (values[which]) {
            PyErr_Format(PyExc_TypeError, "gather() got multiple values for argument '%U'", name);
            return false;
        }
        values[which] = args[nargs + i];
    }
    for (int i = 0; i < 2; ++i) {
        if (values[i]) continue;
        PyErr_Format(PyExc_TypeError, "gather() missing required argument: '%s'", kNames[i]);
        return false;
    }
    return true;
}

// Results of fewer bytes are within every default limit: wherry.limits.ALWAYS_ALLOWED.
constexpr int64_t kAlwaysAllowed = 1 << 24;

// Whether a result of so many bytes, made of so many, is within the limits in force.
template <class Given>
bool within_limits(int64_t bytes, const Given& given) {
    if (!limits_watched && bytes < kAlwaysAllowed) return true;
    const Limits* l = limits();
    PyObject* now = nullptr;
    if (!l || PyContextVar_Get(l->current, nullptr, &now) < 0) return false;
    const bool usual = now == l->defaults;
    Py_XDECREF(now);
    if (usual && bytes < kAlwaysAllowed) return true;
    PyObject* answer =
        PyObject_CallFunction(l->allows, "LL", static_cast<long long>(bytes), static_cast<long long>(given()));
    const bool allowed = answer == Py_True;
    Py_XDECREF(answer);
    return allowed;
}

PyObject* general(PyObject* const* values, const Words& w) {
    static PyObject* function = nullptr;
    if (!function) {
        PyObject* module = PyImport_ImportModule("wherry.functions");
        if (!module) return nullptr;
        PyObject* found = PyObject_GetAttrString(module, "gather_general");
        Py_DECREF(module);
        if (!found) return nullptr;
        function = found;
    }
    const auto given = [&](int which, PyObject* otherwise) { return values[which] ? values[which] : otherwise; };
    PyObject* call[kArguments] = {values[kData],
                                  values[kIndices],
                                  given(kAxis, w.zero),
                                  given(kBatchDims, w.zero),
                                  given(kOutOfRange, w.out_of_range[0]),
                                  given(kNegative, w.negative[0]),
                                  given(kOut, Py_None)};
    return PyObject_Vectorcall(function, call, kArguments, nullptr);
}

// An exact int that fits; anything else is for the general function.
bool small_int(PyObject* object, int& value) {
    if (!object) {
        value = 0;
        return true;
    }
    if (!PyLong_CheckExact(object)) return false;
    int overflow = 0;
    const long v = PyLong_AsLongAndOverflow(object, &overflow);
    if (overflow || v < -NPY_MAXDIMS || v > NPY_MAXDIMS) return false;
    value = static_cast<int>(v);
    return true;
}

// True if every index lies on the axis. The sizes and strides of the array are copied: once the GIL is gone, Python
// code may give it another shape.
bool all_on_axis(PyArrayObject* indices, const IndexRule& rule) {
    CheckStep step;
    step.indices = {0, 0};
    step.rule = rule;
    for (int a = 0; a < PyArray_NDIM(indices); ++a) step.axes.add(sizes(indices)[a], {byte_strides(indices)[a]});
    step.prepare();
    char* const base[] = {PyArray_BYTES(indices)};
    bool fine = true;
    return without_gil(PyArray_NBYTES(indices), [&] { fine = step.run(base); }) && fine;
}

// An ordinary call: its arrays, its rule, and the axes of its result with the byte steps through both arrays.
struct Call {
    PyArrayObject *data, *indices;
    IndexRule rule;
    int axis, batch_dims;
    int ndim = 0;
    npy_intp dims[NPY_MAXDIMS];
    int64_t data_strides[NPY_MAXDIMS], index_strides[NPY_MAXDIMS];
    int64_t bytes;

    void add(int64_t size, int64_t data_stride, int64_t index_stride) {
        dims[ndim] = size;
        data_strides[ndim] = data_stride;
        index_strides[ndim] = index_stride;
        ++ndim;
    }
};

// False where the call is not ordinary, here and below.
bool read_arrays(PyObject* data, PyObject* indices, Call& call) {
    if (!PyArray_CheckExact(data) || !PyArray_CheckExact(indices)) return false;
    call.data = reinterpret_cast<PyArrayObject*>(data);
    call.indices = reinterpret_cast<PyArrayObject*>(indices);
    return PyArray_ITEMSIZE(call.data) != 0 && index_type(call.indices, call.rule.type) &&
           PyArray_ISALIGNED(call.indices);
}

bool read_arguments(PyObject* const* values, const Words& w, Call& call) {
    if (!read_arrays(values[kData], values[kIndices], call)) return false;
    int policy = 0, negative = 0;
    if (!small_int(values[kAxis], call.axis) || !small_int(values[kBatchDims], call.batch_dims)) return false;
    if (values[kOutOfRange] && (policy = find_word(values[kOutOfRange], w.out_of_range, 4)) < 0) return false;
    if (values[kNegative] && (negative = find_word(values[kNegative], w.negative, 2)) < 0) return false;
    call.rule.out_of_range = static_cast<OutOfRange>(policy);
    call.rule.negative = static_cast<Negative>(negative);
    return true;
}

bool read_axes(Call& call) {
    PyArrayObject *data = call.data, *indices = call.indices;
    const int data_ndim = PyArray_NDIM(data), index_ndim = PyArray_NDIM(indices), batch_dims = call.batch_dims;
    if (call.axis < 0) call.axis += data_ndim;
    const int axis = call.axis;
    if (axis < 0 || axis >= data_ndim || batch_dims < 0 || batch_dims > axis || batch_dims > index_ndim) return false;
    if (data_ndim - 1 + index_ndim - batch_dims > NPY_MAXDIMS) return false;
    call.rule.size = sizes(data)[axis];
    if (call.rule.size == 0) return false;
    for (int a = 0; a < axis; ++a) {
        const bool batch = a < batch_dims;
        if (batch && sizes(data)[a] != sizes(indices)[a]) return false;
        call.add(sizes(data)[a], byte_strides(data)[a], batch ? byte_strides(indices)[a] : 0);
    }
    for (int a = batch_dims; a < index_ndim; ++a) call.add(sizes(indices)[a], 0, byte_strides(indices)[a]);
    for (int a = axis + 1; a < data_ndim; ++a) call.add(sizes(data)[a], byte_strides(data)[a], 0);
    call.bytes = PyArray_ITEMSIZE(data);
    bool fits = true;
    for (int a = 0; a < call.ndim; ++a) fits &= !__builtin_mul_overflow(call.bytes, call.dims[a], &call.bytes);
    return fits;
}

// The array that is given for the result; null if it does not fit.
PyArrayObject* given_out(PyObject* given, const Call& call) {
    if (!PyArray_CheckExact(given)) return nullptr;
    auto* out = reinterpret_cast<PyArrayObject*>(given);
    if (PyArray_NDIM(out) != call.ndim || !PyArray_ISWRITEABLE(out)) return nullptr;
    for (int a = 0; a < call.ndim; ++a)
        if (PyArray_DIM(out, a) != call.dims[a]) return nullptr;
    if (!are_equivalent(PyArray_DESCR(out), PyArray_DESCR(call.data))) return nullptr;
    const Extent written = extent(out);
    if (may_overlap(written, extent(call.data)) || may_overlap(written, extent(call.indices))) return nullptr;
    if (!surely_distinct(out)) return nullptr;
    Py_INCREF(out);
    return out;
}

// A new array for the result; null if it is beyond the limits, or there is no memory.
PyArrayObject* new_out(const Call& call) {
    const auto given_bytes = [&] {
        const Extent read = extent(call.data), picked = extent(call.indices);
        return (read.end - read.begin) + (picked.end - picked.begin);
    };
    if (!within_limits(call.bytes, given_bytes)) return nullptr;
    PyArray_Descr* descr = PyArray_DESCR(call.data);
    Py_INCREF(descr);
    PyObject* made = new_array(descr, call.ndim, call.dims);
    if (!made) PyErr_Clear();  // of no memory the general function says how much was needed
    return reinterpret_cast<PyArrayObject*>(made);
}

// Few packed slices out of data that is near, one after another: to choose a way would take as long as they do. False
// where they are not such, or where some index is bad.
bool gather_few(const Call& call, PyArrayObject* out, char* to) {
    if (call.bytes > tune::kFewBytes || call.batch_dims > 0 || !PyArray_IS_C_CONTIGUOUS(call.data) ||
        !PyArray_IS_C_CONTIGUOUS(call.indices) || !PyArray_IS_C_CONTIGUOUS(out))
        return false;
    // Counted here: NumPy has functions for it, whose calls are a part of so small a one that can be seen.
    int64_t around = 1, slice = PyArray_ITEMSIZE(call.data), count = 1;
    for (int a = 0; a < call.axis; ++a) around *= sizes(call.data)[a];
    for (int a = call.axis + 1; a < PyArray_NDIM(call.data); ++a) slice *= sizes(call.data)[a];
    for (int a = 0; a < PyArray_NDIM(call.indices); ++a) count *= sizes(call.indices)[a];
    if (around != 1 || slice == 0 || slice * call.rule.size > machine().far) return false;
    const char *data = PyArray_BYTES(call.data), *indices = PyArray_BYTES(call.indices);
    const IndexRule& rule = call.rule;
    if (const DirectGatherKernel kernel = block_kernels().gather_directly(rule.type, slice, true))
        return kernel(rule, {to, data, indices, slice, {count, slice, 0, index_width(rule.type)}}) == count;
    int64_t offsets[tune::kFewIndices];
    if (count > tune::kFewIndices) return false;
    if (block_kernels().resolve(rule.type)(rule, indices, index_width(rule.type), count, slice, 0, offsets))
        return false;
    GatherBlock block{};
    block.out = to;
    block.data = data;
    block.offsets = offsets;
    block.count = count;
    block.out_step = block.bytes = slice;
    block.passes = 1;
    block.axis_bytes = slice * rule.size;
    block_kernels().gather(slice)(block);
    return true;
}

// Elements with the strides of `out` from `to` on.
bool gather_to(const Call& call, PyArrayObject* out, char* to) {
    if (gather_few(call, out, to)) return true;
    char* const base[] = {to, PyArray_BYTES(call.data), PyArray_BYTES(call.indices)};
    GatherStep step;
    step.out = {0, 0}, step.data = {1, 0}, step.indices = {2, 0};
    step.rule = call.rule;
    step.width = PyArray_ITEMSIZE(call.data);
    step.axis_stride = step_along(call.data, call.axis);
    const int64_t* strides = byte_strides(out);
    for (int a = 0; a < call.ndim; ++a)
        step.axes.add(call.dims[a], {strides[a], call.data_strides[a], call.index_strides[a]});
    step.prepare();
    // No other code may let an object go before it is counted; strings are locked.
    if (!is_plain(call.data)) return step.run(base);
    bool fine = true;
    return without_gil(call.bytes, [&] { fine = step.run(base); }) && fine;
}

// Whether the elements are sooner copied than their indices are checked; without elements nothing else looks at these.
bool is_copied(const Call& call, PyArrayObject* out) {
    return call.bytes > 0 && are_sooner_copied(call.bytes, PyArray_NBYTES(call.indices)) &&
           PyArray_IS_C_CONTIGUOUS(out);
}

// To other memory first, which no bad index spoils.
bool gather_by_copy(const Call& call, PyArrayObject* out) {
    const KeptMemory made = new_memory(call.bytes);
    if (!made || !gather_to(call, out, made.get())) return false;
    block_kernels().move(PyArray_BYTES(out), made.get(), call.bytes, false);
    return true;
}

// A new array, of data that holds strings of NumPy's own; null where `ordinary` is.
PyArrayObject* gather_strings(const Call& call) {
    PyArrayObject* made = new_out(call);
    if (!made) return nullptr;
    Unowned unowned(made);
    StringSources sources;
    sources.add(PyArray_DESCR(call.data));
    if (sources.run({made}, call.bytes, [&] { return gather_to(call, made, PyArray_BYTES(made)); })) {
        unowned.keep();
        return made;
    }
    unowned.clear();
    Py_DECREF(made);
    return nullptr;
}

// A new array, of data that holds references to Python objects; null where `ordinary` is.
PyArrayObject* gather_references(const Call& call) {
    // A zero element is an object that the core does not know.
    if (call.rule.out_of_range == OutOfRange::zero) return nullptr;
    if (holds_strings(PyArray_DESCR(call.data))) return gather_strings(call);
    const References references(PyArray_DESCR(call.data));
    if (!references.are_known()) return nullptr;
    PyArrayObject* made = new_out(call);
    if (!made) return nullptr;
    Uncounted uncounted(references, PyArray_BYTES(made), call.bytes);
    if (gather_to(call, made, PyArray_BYTES(made))) {
        uncounted.count();
        return made;
    }
    uncounted.clear();
    Py_DECREF(made);
    return nullptr;
}

// The same with an array that is given for the result: it gets what is in a new one, and lets go what it held. Strings
// are copied, as each array has storage of its own for them.
PyObject* gather_references(const Call& call, PyObject* given) {
    if (!given) return reinterpret_cast<PyObject*>(gather_references(call));
    PyArrayObject* out = given_out(given, call);
    PyArrayObject* made = out && PyArray_IS_C_CONTIGUOUS(out) ? gather_references(call) : nullptr;
    bool fine = made != nullptr;
    if (made && holds_strings(PyArray_DESCR(out)))
        fine = PyArray_CopyInto(out, made) >= 0;
    else if (made)
        exchange(PyArray_BYTES(out), PyArray_BYTES(made), call.bytes);
    Py_XDECREF(made);
    if (fine) return given;
    Py_XDECREF(out);
    return nullptr;
}

// The result of a call that is read, in a new array if none is `given`.
PyObject* gathered(const Call& call, PyObject* given) {
    if (call.bytes > 0 && !is_plain(call.data)) return gather_references(call, given);
    PyArrayObject* out = given ? given_out(given, call) : new_out(call);
    if (!out) return nullptr;
    // An array that is given must be as before if an index is bad, and without results no index is looked at.
    const bool may_raise = call.rule.out_of_range == OutOfRange::raise,
               by_copy = may_raise && given && is_copied(call, out);
    const bool checks = may_raise && !by_copy && (given || call.bytes == 0);
    const bool on_axis = !checks || all_on_axis(call.indices, call.rule);
    if (on_axis && (by_copy ? gather_by_copy(call, out) : gather_to(call, out, PyArray_BYTES(out))))
        return reinterpret_cast<PyObject*>(out);
    Py_DECREF(out);
    if (given && checks && on_axis && !PyErr_Occurred()) set_changed_error();
    return nullptr;
}

// The result if the call is an ordinary one. Null without an exception: the general function is to see it.
PyObject* ordinary(PyObject* const* values, const Words& w) {
    Call call;
    if (!read_arguments(values, w, call) || !read_axes(call)) return nullptr;
    return gathered(call, values[kOut] == Py_None ? nullptr : values[kOut]);
}

// A gather whose axis and rule are known, as a function.
class Gathering final : public Direct {
public:
    Gathering(int axis, int batch_dims, nb::str out_of_range, nb::str negative) : axis_(axis), batch_dims_(batch_dims) {
        const Words* w = words();
        if (!w) throw nb::python_error();
        const int policy = find_word(out_of_range.ptr(), w->out_of_range, 4);
        const int below = find_word(negative.ptr(), w->negative, 2);
        if (policy < 0 || below < 0) throw nb::value_error("an index has no such rule");
        rule_ = {0, static_cast<OutOfRange>(policy), static_cast<Negative>(below), IndexType::i64};
    }

    nb::object output(std::span<PyObject* const> arrays) const override { return gathered_of(arrays, nullptr); }
    bool has_output_to() const override { return true; }
    nb::object output_to(std::span<PyObject* const> arrays, PyObject* out) const override {
        return gathered_of(arrays, out);
    }

private:
    nb::object gathered_of(std::span<PyObject* const> arrays, PyObject* out) const {
        require(arrays.size() == 2, "data and indices are needed");
        Call call;
        call.rule = rule_;
        call.axis = axis_;
        call.batch_dims = batch_dims_;
        if (!read_arrays(arrays[0], arrays[1], call) || !read_axes(call) || (!out && call.bytes > kMostDirect))
            return nb::none();
        nb::object made = nb::steal(gathered(call, out));
        if (made.is_valid()) return made;
        if (PyErr_Occurred()) throw nb::python_error();
        return nb::none();
    }

    int axis_, batch_dims_;
    IndexRule rule_;
};

// As an ordinary call, or as the general function makes it.
PyObject* any_gather(PyObject* const* values, const Words& w) {
    PyObject* result = ordinary(values, w);
    return result || PyErr_Occurred() ? result : general(values, w);
}

PyObject* gather_call(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* names) {
    const Words* w = words();
    if (!w) return nullptr;
    PyObject* values[kArguments] = {};
    if (!parse(args, nargs, names, *w, values)) return nullptr;
    PyObject* made = nullptr;  // of a list
    if (!PyArray_CheckExact(values[kIndices])) {
        made = integers(values[kIndices]);
        if (!made && PyErr_Occurred()) return nullptr;
        if (made) values[kIndices] = made;
    }
    PyObject* result = any_gather(values, *w);
    Py_XDECREF(made);
    return result;
}

const char kDoc[] =
    R"doc(gather(data, indices, axis=0, *, batch_dims=0, out_of_range='raise', negative='from_end', out=None)
--

Takes the slices of data that the indices name along one axis, and puts them where the indices stand.

The result has the sizes data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis + 1:].

>>> import numpy as np
>>> import wherry as wh
>>> wh.gather(np.array([10, 20, 30]), [2, -1])
array([30, 30])
>>> wh.gather(np.array([10, 20, 30]), [1, 7], out_of_range="zero")
array([20,  0])

Args:
    data: The array to take from, with any strides and any element type; elements are moved as bytes.
    indices: Integers of any type and shape.
    axis: The axis of data that the indices count along; -1 is the last one.
    batch_dims: So many leading axes of data and indices go together, one by one.
    out_of_range: What an index beyond the axis does: "raise" an IndexError, "clamp" to the nearest
        end, give a "zero" element, or "wrap" around.
    negative: "from_end": -1 is the last position. "invalid": a negative index is out of range.
    out: An array for the result, of its sizes and type and with any strides; it is returned. When an
        error is raised it is as it was before.

Raises:
    IndexError: An index is out of range and out_of_range is "raise".
    ValueError: The sizes do not fit together, or a word is not one of those above.
    TypeError: An argument has a wrong type.
)doc";

}  // namespace

PyMethodDef gather_method = {"gather", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(gather_call)),
                             METH_FASTCALL | METH_KEYWORDS, kDoc};

nb::object slices_at(nb::handle data, nb::handle places, int axis) {
    const nb::int_ number(axis);
    PyObject* const values[kArguments] = {data.ptr(), places.ptr(), number.ptr()};
    const Words* w = words();
    nb::object made = nb::steal(w ? any_gather(values, *w) : nullptr);
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

void add_gathering(nb::module_& m) {
    nb::class_<Gathering, Direct>(m, "Gathering", "A gather along one axis.")
        .def(nb::init<int, int, nb::str, nb::str>(), nb::arg("axis"), nb::arg("batch_dims"), nb::arg("out_of_range"),
             nb::arg("negative"));
}

}  // namespace wherry::bind
