#include "last_call.hpp"

#include <algorithm>
#include <utility>

#include "packed_strings.hpp"
#include "results.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr Py_ssize_t kMostEntries = 16;  // of a list

PyArrayObject* array_of(PyObject* object) { return reinterpret_cast<PyArrayObject*>(object); }
PyObject* element_type(PyObject* array) { return reinterpret_cast<PyObject*>(PyArray_DESCR(array_of(array))); }

// Whether an object means the same at any time.
bool is_constant(PyObject* object) {
    return object == Py_None || PyBool_Check(object) || PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
           PyUnicode_CheckExact(object) || PyType_Check(object) ||
           (PyArray_DescrCheck(object) && !PyDataType_HASFIELDS(reinterpret_cast<PyArray_Descr*>(object)));
}

// Whether a tuple has the same objects as a list or another tuple.
bool has_entries(PyObject* tuple, PyObject* sequence) {
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    return count == PySequence_Fast_GET_SIZE(sequence) &&
           std::equal(PySequence_Fast_ITEMS(tuple), PySequence_Fast_ITEMS(tuple) + count,
                      PySequence_Fast_ITEMS(sequence));
}

}  // namespace

bool LastCall::read(PyObject* given, Argument& argument) {
    argument.same = nb::borrow(given);
    if (is_constant(given)) return true;
    if (PyArray_CheckExact(given)) {
        argument.same = nb::borrow(element_type(given));
        argument.ndim = PyArray_NDIM(array_of(given));
        // Each array of strings has a dtype of its own, a record's fields may get other names, and what objects are
        // their type does not tell.
        return !holds_objects(given) && !holds_strings(PyArray_DESCR(array_of(given))) &&
               !PyDataType_HASFIELDS(PyArray_DESCR(array_of(given)));
    }
    if (!is_list_or_tuple(given) || PySequence_Fast_GET_SIZE(given) > kMostEntries) return false;
    argument.sequence = Py_TYPE(given);
    argument.same = nb::steal(PySequence_Tuple(given));
    if (!argument.same.is_valid()) throw nb::python_error();
    PyObject** const entries = PySequence_Fast_ITEMS(argument.same.ptr());
    return std::all_of(entries, entries + PyTuple_GET_SIZE(argument.same.ptr()), is_constant);
}

bool LastCall::is_same(PyObject* given, const Argument& argument) {
    if (argument.sequence) return Py_TYPE(given) == argument.sequence && has_entries(argument.same.ptr(), given);
    if (argument.ndim < 0) return given == argument.same.ptr();
    return PyArray_CheckExact(given) && element_type(given) == argument.same.ptr() &&
           PyArray_NDIM(array_of(given)) == argument.ndim;
}

bool LastCall::is_like(PyObject* const* given, Py_ssize_t count, PyObject* names) const {
    if (!by_.function.is_valid() || count != count_ || !names != !names_.is_valid()) return false;
    if (names != names_.ptr() && !has_entries(names_.ptr(), names)) return false;
    for (const Argument& argument : arguments_)
        if (!is_same(*given++, argument)) return false;
    return true;
}

nb::object LastCall::answer(PyObject* const* given, Py_ssize_t count, PyObject* names) const {
    if (!is_like(given, count, names)) return nb::none();
    PyObject* arrays[kMost];
    for (size_t k = 0; k < by_.inputs.size(); ++k) {
        arrays[k] = given[inputs_[k]];
        if (by_.refuses_empty && PyArray_SIZE(array_of(arrays[k])) == 0) return nb::none();
    }
    const nb::object function = by_.function;  // what runs may keep another call
    return output_of(*direct_of(function), {arrays, by_.inputs.size()}, out_ < 0 ? nullptr : given[out_]);
}

void LastCall::keep(PyObject* const* given, Py_ssize_t count, PyObject* names, const CallKey& key, const Answerer& by) {
    const Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
    if (all > kMost || by.inputs.size() > kMost) return;
    LastCall made;
    made.arguments_.resize(static_cast<size_t>(all));
    for (Py_ssize_t k = 0; k < all; ++k)
        if (!read(given[k], made.arguments_[static_cast<size_t>(k)])) return;
    // Twice among them: which of the two it is cannot be told.
    const auto place_of = [&](PyObject* array) {
        const auto found = std::find(given, given + all, array);
        const bool is_once = found != given + all && std::find(found + 1, given + all, array) == given + all;
        return is_once ? found - given : Py_ssize_t{-1};
    };
    for (size_t k = 0; k < by.inputs.size(); ++k) {
        if (by.inputs[k] < 0) return;  // made of an argument, which is not the same the next time
        if ((made.inputs_[k] = place_of(key.array(by.inputs[k]))) < 0) return;
    }
    if (key.out() >= 0 && (made.out_ = place_of(key.array(key.out()))) < 0) return;
    made.by_ = by;
    made.names_ = nb::borrow(names);
    made.count_ = count;
    std::swap(*this, made);  // what was kept ends behind that: its end may run anything
}

}  // namespace wherry::bind
