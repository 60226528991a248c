// Gather and scatter in their uniform form: the indices of coordinate c name the last axes of data or target.
#include "indexing.hpp"

#include <vector>

#include "../steps/nonzero.hpp"
#include "../steps/scatter.hpp"
#include "arguments.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

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

nb::object check_indices_of(nb::handle indices_object, int64_t size, int negative) {
    PyArrayObject* indices = as_array(indices_object, "indices");
    require(size >= 0, "size must not be negative");
    const IndexRule rule = rule_for(indices, size, 0, negative);
    IndexArray array;
    describe_indices(array, indices, rule);
    BadIndex bad{};
    without_gil(PyArray_NBYTES(indices), [&] { bad = check_indices(array); });
    if (!bad.found) return nb::none();
    if (rule.kind == IndexKind::u64) return nb::make_tuple(bad.position, static_cast<uint64_t>(bad.value));
    return nb::make_tuple(bad.position, bad.value);
}

// The columns of indices over the last axes of `indexed`, data or target, whose other axes are those of `all`.
int columns_of(PyArrayObject* indexed, PyArrayObject* indices, PyArrayObject* all, const IndexRule& rule,
               Column* columns) {
    const int ndim = PyArray_NDIM(all);
    require(PyArray_NDIM(indices) == ndim + 1, "indices must have one axis more, the columns");
    const int64_t count = sizes(indices)[ndim];
    require(PyArray_NDIM(indexed) == ndim + count, "there must be one column for each indexed axis");
    for (int a = 0; a < ndim; ++a) {
        require(sizes(indices)[a] == sizes(all)[a], "indices have the wrong sizes");
        require(sizes(indexed)[a] == sizes(all)[a], "data or target has the wrong sizes");
    }
    const bool needs_element = rule.out_of_range == OutOfRange::clamp || rule.out_of_range == OutOfRange::wrap;
    for (int c = 0; c < count; ++c) {
        columns[c] = {step_along(indices, ndim) * c, step_along(indexed, ndim + c), sizes(indexed)[ndim + c]};
        require(!needs_element || columns[c].size > 0 || PyArray_SIZE(all) == 0,
                "an indexed axis has size 0: no index can name an element of it");
    }
    return static_cast<int>(count);
}

void require_whole(bool whole) {
    if (whole) return;
    set_changed_error();
    throw nb::python_error();
}

void gather_into(nb::handle data_object, nb::handle indices_object, nb::handle out_object, int out_of_range,
                 int negative) {
    PyArrayObject* data = as_array(data_object, "data");
    PyArrayObject* indices = as_array(indices_object, "indices");
    PyArrayObject* out = as_array(out_object, "out");
    require(PyArray_ITEMSIZE(data) == PyArray_ITEMSIZE(out), "out has another element width than data");
    require(PyArray_ISWRITEABLE(out), "out is read-only");
    GatherJob job;
    job.rule = rule_for(indices, 0, out_of_range, negative);
    Column columns[kMaxRank];
    const int count = columns_of(data, indices, out, job.rule, columns);
    require(count > 0, "indices have no column; that is a copy");
    job.out = PyArray_BYTES(out);
    job.data = PyArray_BYTES(data);
    job.indices = PyArray_BYTES(indices);
    job.width = PyArray_ITEMSIZE(data);
    job.axis_stride = columns[0].axis_stride;
    job.rule.size = columns[0].size;
    job.further_count = count - 1;
    for (int c = 1; c < count; ++c) job.further[c - 1] = columns[c];
    for (int a = 0; a < PyArray_NDIM(out); ++a)
        job.axes.add(sizes(out)[a], {byte_strides(out)[a], byte_strides(data)[a], byte_strides(indices)[a]});
    bool whole = true;
    without_gil(PyArray_NBYTES(out), [&] { whole = gather(job); });
    require_whole(whole);
}

void scatter_into(nb::handle target_object, nb::handle indices_object, nb::handle updates_object, int reduction,
                  int out_of_range, int negative, int element, int nan) {
    PyArrayObject* target = as_array(target_object, "target");
    PyArrayObject* indices = as_array(indices_object, "indices");
    PyArrayObject* updates = as_array(updates_object, "updates");
    require(PyArray_ITEMSIZE(target) == PyArray_ITEMSIZE(updates), "updates have another element width than target");
    require(PyArray_ISWRITEABLE(target), "target is read-only");
    require(reduction >= 0 && reduction <= static_cast<int>(Reduction::max), "reduction must be 0..5");
    require(nan >= 0 && nan <= static_cast<int>(NanRule::data), "nan must be 0..2");
    ScatterJob job;
    job.reduction = static_cast<Reduction>(reduction);
    job.nan = static_cast<NanRule>(nan);
    job.element = Element::u8;
    if (job.reduction != Reduction::none) {
        require(element >= 0 && element <= static_cast<int>(Element::c128), "element must be 0..14");
        job.element = static_cast<Element>(element);
        require(width_of(job.element) == PyArray_ITEMSIZE(target), "element has another width than target");
        require(has_arithmetic(job.reduction, job.element), "the reduction has no meaning for the element type");
    }
    job.rule = rule_for(indices, 0, out_of_range, negative);
    job.column_count = columns_of(target, indices, updates, job.rule, job.column);
    job.target = PyArray_BYTES(target);
    job.updates = PyArray_BYTES(updates);
    job.indices = PyArray_BYTES(indices);
    job.width = PyArray_ITEMSIZE(target);
    for (int a = 0; a < PyArray_NDIM(updates); ++a)
        job.axes.add(sizes(updates)[a], {byte_strides(target)[a], byte_strides(updates)[a], byte_strides(indices)[a]});
    bool whole = true;
    without_gil(PyArray_NBYTES(updates), [&] { whole = scatter(job); });
    require_whole(whole);
}

// The elements of an array that are not zero: how many, and where. It keeps the array.
class NonZero {
public:
    NonZero(nb::handle data, uint64_t mask) : data_(nb::borrow(data)), search_(described(data, mask)) {
        PyArrayObject* array = as_array(data, "data");
        sizes_.assign(sizes(array), sizes(array) + PyArray_NDIM(array));
        without_gil(PyArray_NBYTES(array), [&] { count_ = search_.look(); });
    }

    int64_t count() const { return count_; }

    nb::object positions() const {
        npy_intp found = count_;
        nb::object result = nb::steal(PyArray_SimpleNew(1, &found, NPY_INT64));
        if (!result.is_valid()) throw nb::python_error();
        const int64_t all = INT64_MAX;
        write({PyArray_BYTES(reinterpret_cast<PyArrayObject*>(result.ptr())), 8, 0, 8, 1, &all});
        return result;
    }

    void coordinates(nb::handle out_object) const {
        PyArrayObject* out = as_array(out_object, "out");
        const int ndim = static_cast<int>(sizes_.size());
        require(PyArray_NDIM(out) == 2 && sizes(out)[0] == ndim && sizes(out)[1] == count_,
                "out must have a row for each axis, with a column for each element that is not zero");
        require(PyArray_ITEMSIZE(out) == 4 || PyArray_ITEMSIZE(out) == 8, "coordinates must have 4 or 8 bytes");
        require(PyArray_ISWRITEABLE(out), "out is read-only");
        write({PyArray_BYTES(out), PyArray_ITEMSIZE(out), byte_strides(out)[0], byte_strides(out)[1], ndim,
               sizes_.data()});
    }

private:
    static NonZeroData described(nb::handle data_object, uint64_t mask) {
        PyArrayObject* data = as_array(data_object, "data");
        NonZeroData given{PyArray_BYTES(data), {}, PyArray_ITEMSIZE(data), mask};
        require(given.width == 1 || given.width == 2 || given.width == 4 || given.width == 8,
                "elements must have 1, 2, 4 or 8 bytes");
        for (int a = 0; a < PyArray_NDIM(data); ++a) given.axes.add(sizes(data)[a], {byte_strides(data)[a]});
        return given;
    }

    void write(const Coordinates& to) const {
        without_gil(count_ * to.width, [&] { search_.write(to); });
    }

    nb::object data_;
    NonZeroSearch search_;
    std::vector<int64_t> sizes_;
    int64_t count_ = 0;
};

}  // namespace

void add_indexing(nb::module_& m) {
    m.def(
        "gather_into", &gather_into, nb::arg("data"), nb::arg("indices"), nb::arg("out"), nb::arg("out_of_range"),
        nb::arg("negative"),
        "out[c] = data[c ++ indices[c]]: data has the axes of out and then the indexed ones, indices the axes of out\n"
        "and then one column for each indexed axis. Axes that repeat have stride 0.\n\n"
        "out_of_range: 0 raise (IndexError with out partly written: check first), 1 clamp, 2 zero, 3 wrap;\n"
        "negative: 0 from_end, 1 invalid.");
    m.def("scatter_into", &scatter_into, nb::arg("target"), nb::arg("indices"), nb::arg("updates"),
          nb::arg("reduction"), nb::arg("out_of_range"), nb::arg("negative"), nb::arg("element"), nb::arg("nan"),
          "target[c ++ indices[c]] = reduction(target[c ++ indices[c]], updates[c]), in row-major order of c.\n\n"
          "Sizes as for gather_into, with updates for out. out_of_range: 0 raise (IndexError with the other updates\n"
          "applied: check first), 1 clamp, 2 skip, 3 wrap; reduction: 0 none, 1 add, 2 sub, 3 mul, 4 min, 5 max;\n"
          "element: the place of the type in wherry.moves.ARITHMETIC; nan: 0 propagate, 1 update, 2 data.");
    nb::class_<NonZero>(m, "NonZero", "The elements of an array that have one of the bits of `mask`.")
        .def(nb::init<nb::handle, uint64_t>(), nb::arg("data"), nb::arg("mask"))
        .def_prop_ro("count", &NonZero::count, "How many there are.")
        .def("positions", &NonZero::positions, "Where they lie in row-major order, as int64.")
        .def("coordinates", &NonZero::coordinates, nb::arg("out"),
             "Writes the coordinates of each as a column of out, which has one column for each and elements of 4 or 8\n"
             "bytes.");
    m.def("check_indices", &check_indices_of, nb::arg("indices"), nb::arg("size"), nb::arg("negative"),
          "None if every index lies on an axis of that size, else (flat position, value) of the first bad one.");
}

}  // namespace wherry::bind
