#include "call_key.hpp"

#include <string.h>

#include <algorithm>
#include <functional>

#include "direct.hpp"
#include "packed_strings.hpp"

namespace wherry::bind {
namespace {

constexpr int kMostLevels = 4;                 // of lists and dicts in each other
constexpr size_t kMixes = 0x9E3779B97F4A7C15;  // hashes of parts, to one of all

constexpr npy_intp kMostDeciding = 128;  // bytes of elements that decide what is done where sizes may be any

// Whether the elements of an array are few, and lie one after another. Those of a condition are not: what follows from
// them is as soon found again as what was planned for them is done.
bool are_few(PyArrayObject* array) {
    return PyArray_NBYTES(array) <= kMostDeciding && PyArray_IS_C_CONTIGUOUS(array) && !PyArray_ISBOOL(array) &&
           !PyDataType_REFCHK(PyArray_DESCR(array));
}

std::string_view elements_of(PyArrayObject* array) {
    return {PyArray_BYTES(array), static_cast<size_t>(PyArray_NBYTES(array))};
}

}  // namespace

size_t hash_of(std::string_view bytes) { return std::hash<std::string_view>()(bytes); }

CallKey::CallKey(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject* out) {
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    PyObject* to = nullptr;
    for (Py_ssize_t k = 0; k < named; ++k)
        if (PyTuple_GET_ITEM(names, k) == out) to = given[count + k];
    is_known_ = put('(', count + 1);
    for (Py_ssize_t k = 0; k < count && is_known_; ++k) is_known_ = add(given[k], 1);
    is_known_ = is_known_ && put('{', named - (to != nullptr));
    for (Py_ssize_t k = 0; k < named && is_known_; ++k) {
        PyObject* name = PyTuple_GET_ITEM(names, k);
        is_known_ = name == out || (add_text(name) && add(given[count + k], 2));
    }
    is_known_ = is_known_ && add_out(to) && add_sizes();
}

CallKey::CallKey(const Passing& passing, PyObject* const* values, PyObject* out) {
    is_known_ = true;
    for (const Passing::Piece& piece : passing.pieces())
        is_known_ =
            is_known_ && put(piece.before.data(), piece.before.size()) && add(values[piece.parameter], piece.level);
    is_known_ = is_known_ && put(passing.end().data(), passing.end().size()) && add_out(out) && add_sizes();
}

std::string CallKey::bytes_with(const std::vector<int>& places) const {
    std::string found(bytes_, without_sizes_);
    for (int place : places) {
        auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
        if (!are_few(array)) return {};
        found.append(reinterpret_cast<const char*>(PyArray_DIMS(array)),
                     static_cast<size_t>(PyArray_NDIM(array)) * sizeof(npy_intp));
        found += elements_of(array);
    }
    return found;
}

size_t CallKey::hash_with(const std::vector<int>& places) const {
    size_t found = hash_;
    for (int place : places) {
        auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
        if (are_few(array)) found = found * kMixes + hash_of(elements_of(array));
    }
    return found;
}

bool CallKey::has_few(const std::vector<int>& places) const {
    return std::ranges::all_of(places,
                               [this](int place) { return are_few(reinterpret_cast<PyArrayObject*>(array_[place])); });
}

bool CallKey::are_answered_as_soon(const std::vector<int>& places) const {
    npy_intp bytes = 0;
    for (int place = 0; place < arrays_; ++place)
        bytes += PyArray_NBYTES(reinterpret_cast<PyArrayObject*>(array_[place]));
    return bytes <= kMostDirect / 4 && std::ranges::any_of(places, [this](int place) {
               return PyArray_ISBOOL(reinterpret_cast<PyArrayObject*>(array_[place]));
           });
}

bool CallKey::add_elements(int place) {
    auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
    const size_t first = count_;
    if (!PyArray_IS_C_CONTIGUOUS(array) || PyDataType_REFCHK(PyArray_DESCR(array)) ||
        !put(PyArray_BYTES(array), static_cast<size_t>(PyArray_NBYTES(array))))
        return false;
    hash_ = hash_ * kMixes + hash_of({bytes_ + first, count_ - first});
    return true;
}

bool CallKey::put(const void* bytes, size_t count) {
    if (count > kMostBytes - count_) return false;
    if (count) memcpy(bytes_ + count_, bytes, count);
    count_ += count;
    return true;
}

bool CallKey::add(PyObject* value, int level) {
    if (PyArray_CheckExact(value)) return add_array(value);
    if (value == Py_None || PyBool_Check(value)) return put(value == Py_None ? 'n' : 'b', value == Py_True);
    if (PyLong_CheckExact(value)) return add_integer(value);
    if (PyFloat_CheckExact(value)) return put('f', PyFloat_AS_DOUBLE(value));
    if (PyUnicode_CheckExact(value)) return add_text(value);
    if (PyType_Check(value)) return add_address('t', value);
    if (PyArray_DescrCheck(value) && !PyDataType_HASFIELDS(reinterpret_cast<PyArray_Descr*>(value)))
        return add_address('d', value);
    if (PyArray_IsScalar(value, Number) || PyArray_IsScalar(value, Bool)) return add_scalar(value);
    return level < kMostLevels && add_all(value, level + 1);
}

bool CallKey::add_all(PyObject* value, int level) {
    const bool is_list = PyList_CheckExact(value);
    if (is_list || PyTuple_CheckExact(value)) {
        const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
        if (!put(is_list ? '[' : '(', count)) return false;
        for (Py_ssize_t k = 0; k < count; ++k)
            if (!add(PySequence_Fast_GET_ITEM(value, k), level)) return false;
        return true;
    }
    if (!PyDict_CheckExact(value) || !put('{', PyDict_GET_SIZE(value))) return false;
    PyObject *name, *item;
    for (Py_ssize_t k = 0; PyDict_Next(value, &k, &name, &item);)
        if (!add(name, level) || !add(item, level)) return false;
    return true;
}

bool CallKey::add_integer(PyObject* value) {
    int beyond = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
    return !beyond && put('i', number);
}

// A number of NumPy; one of a class of somebody's own may mean anything.
bool CallKey::add_scalar(PyObject* value) {
    if (Py_TYPE(value)->tp_flags & Py_TPFLAGS_HEAPTYPE) return false;
    char bytes[2 * sizeof(npy_longdouble)] = {};
    PyArray_ScalarAsCtype(value, bytes);
    return put('g', Py_TYPE(value)) && put(bytes, sizeof bytes);
}

bool CallKey::add_text(PyObject* value) {
    if (PyUnicode_CHECK_INTERNED(value)) return add_address('u', value);
    Py_ssize_t count = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value, &count);
    if (!text) PyErr_Clear();  // lone surrogates
    return text && put('s', count) && put(text, static_cast<size_t>(count));
}

bool CallKey::add_address(char kind, PyObject* value) {
    if (!put(kind, value)) return false;
    told_by_address_[told_count_++] = value;
    return true;
}

// The fields of a record, and of those within it, may get other names, which are another tuple then.
bool CallKey::add_names(PyArray_Descr* descr) {
    if (PyDataType_HASSUBARRAY(descr)) return add_names(PyDataType_SUBARRAY(descr)->base);
    if (!PyDataType_HASFIELDS(descr)) return !holds_strings(descr);
    PyObject* names = PyDataType_NAMES(descr);
    if (!add_address('N', names)) return false;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k)
        if (!add_names(type_of_field(field_of(descr, k)))) return false;
    return true;
}

// Each array of strings has a dtype of its own, which holds the strings: its key is what makes it equal to others.
bool CallKey::add_element_type(PyArray_Descr* descr) {
    if (PyDataType_HASFIELDS(descr) && !add_names(descr)) return false;
    if (!holds_strings(descr)) return add_address('a', reinterpret_cast<PyObject*>(descr));
    PyObject* missing = string_dtype(descr)->na_object;
    return put('v', string_dtype(descr)->coerce) && (missing ? add_address('m', missing) : put('m', missing));
}

bool CallKey::add_array(PyObject* value) {
    auto* array = reinterpret_cast<PyArrayObject*>(value);
    for (int place = 0; place < arrays_; ++place)
        if (array_[place] == value) {
            ++times_[place];
            return put('=', place);
        }
    if (arrays_ == kMostArrays) return false;
    times_[arrays_] = 1;
    array_[arrays_++] = value;
    return add_element_type(PyArray_DESCR(array)) && put('r', PyArray_NDIM(array));
}

// One of the arguments again would be read and written.
bool CallKey::add_out(PyObject* out) {
    without_sizes_ = count_;
    hash_without_sizes_ = hash_of({bytes_, count_});
    if (!out || out == Py_None) return true;
    out_ = arrays_;
    return PyArray_CheckExact(out) && put("o", 1) && add_array(out) && arrays_ > out_;
}

bool CallKey::add_sizes() {
    for (int place = 0; place < arrays_; ++place) {
        auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
        const size_t bytes = static_cast<size_t>(PyArray_NDIM(array)) * sizeof(npy_intp);
        if (!put(PyArray_DIMS(array), bytes) || !put(PyArray_STRIDES(array), bytes)) return false;
    }
    hash_ = hash_without_sizes_ * kMixes + hash_of({bytes_ + without_sizes_, count_ - without_sizes_});
    return true;
}

}  // namespace wherry::bind
