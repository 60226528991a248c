// The different values of a vector.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "../steps/unique.hpp"
#include "direct.hpp"
#include "fields.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr int64_t kFewBytes = 4096;

nb::object new_integers(int64_t count) {
    nb::object made = nb::steal(new_array(PyArray_DescrFromType(NPY_INT64), 1, &count));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

int64_t* integers_of(const nb::object& array) {
    return static_cast<int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
}

struct Found {
    nb::object first, inverse, counts;
};

Element known_element(int64_t element) {
    require(element >= 0 && element < kElements, "element must be 0..14");
    const Element type = static_cast<Element>(element);
    require(UniqueSearch::has_keys(type), "elements must be bool, integers, float32 or float64");
    return type;
}

Found found(nb::handle data, Element type, bool nan_differ, bool ascending) {
    PyArrayObject* vector = as_array(data, "data");
    require(PyArray_NDIM(vector) == 1 && PyArray_IS_C_CONTIGUOUS(vector), "data must be a vector without gaps");
    require(PyArray_ITEMSIZE(vector) == width_of(type), "an element has another width");
    const int64_t count = sizes(vector)[0];
    std::vector<Memory> kept;
    alignas(64) char few[kFewBytes];  // for a vector of few elements, of which each allocation would be a good part
    int64_t taken = 0;
    const auto space = [&](int64_t wanted) {
        const int64_t rounded = (wanted + 63) / 64 * 64;
        if (rounded <= kFewBytes - taken) return few + std::exchange(taken, taken + rounded);
        kept.push_back(new_memory(wanted));
        if (!kept.back()) throw std::bad_alloc();
        return kept.back().get();
    };
    UniqueSearch search(PyArray_BYTES(vector), count, type, nan_differ, space);
    const int64_t bytes = count * static_cast<int64_t>(sizeof(int64_t));
    int64_t values = 0;
    if (!without_gil(bytes, [&] { values = search.look(); })) throw nb::python_error();
    const nb::object first = new_integers(values), inverse = new_integers(count), counts = new_integers(values);
    const UniqueResults results{integers_of(first), integers_of(counts), integers_of(inverse)};
    if (!without_gil(bytes, [&] { search.write(results, ascending); })) throw nb::python_error();
    return {first, inverse, counts};
}

// First places, inverse and counts of the different elements.
nb::object unique(nb::handle data, int64_t element, bool nan_differ, bool ascending) {
    const Found made = found(data, known_element(element), nan_differ, ascending);
    return nb::make_tuple(made.first, made.inverse, made.counts);
}

class FindingUnique final : public Direct {
public:
    FindingUnique(int64_t element, bool nan_differ, bool ascending)
        : type_(known_element(element)), nan_differ_(nan_differ), ascending_(ascending) {}

    nb::object output(std::span<PyObject* const> arrays) const override {
        require(arrays.size() == 1, "data is needed");
        const nb::object vector = as_vector(as_array(arrays[0], "data"));
        const Found made = found(vector, type_, nan_differ_, ascending_);
        return nb::make_tuple(slices_at(vector, made.first, 0), made.first, made.inverse, made.counts);
    }

private:
    Element type_;
    bool nan_differ_, ascending_;
};

// Whether all objects are strings; and whether each of their characters takes one byte.
bool are_strings(PyObject* const* words, int64_t count, bool& are_narrow) {
    are_narrow = true;
    for (int64_t k = 0; k < count; ++k) {
        if (!words[k] || !PyUnicode_CheckExact(words[k])) return false;
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(words[k]) < 0) throw nb::python_error();
#endif
        are_narrow &= PyUnicode_KIND(words[k]) == PyUnicode_1BYTE_KIND;
    }
    return true;
}

// Strings by number, each once, found by their hashes, which Python keeps in them.
class Different {
public:
    explicit Different(int64_t most) {
        size_t slots = 2;
        while (slots < 2 * static_cast<size_t>(most)) slots *= 2;
        slots_.assign(slots, -1);
    }

    int64_t number_of(PyObject* word) {
        const auto hash = static_cast<size_t>(PyObject_Hash(word));
        for (size_t at = hash;; ++at) {
            int64_t& slot = slots_[at & (slots_.size() - 1)];
            if (slot < 0) {
                slot = count();
                words_.push_back(word);
                return slot;
            }
            PyObject* const other = words_[static_cast<size_t>(slot)];
            if (word == other || PyUnicode_Compare(word, other) == 0) return slot;
        }
    }

    int64_t count() const { return static_cast<int64_t>(words_.size()); }
    PyObject* word(int64_t number) const { return words_[static_cast<size_t>(number)]; }

private:
    std::vector<int64_t> slots_;  // of a number each, or of -1
    std::vector<PyObject*> words_;
};

// The first characters of a string, as a number of the same order: eight that take a byte each, or three of any.
uint64_t begin_of(PyObject* word, bool is_narrow) {
    const int kind = PyUnicode_KIND(word), bits = is_narrow ? 8 : 21;
    const void* const data = PyUnicode_DATA(word);
    const Py_ssize_t length = PyUnicode_GET_LENGTH(word);
    uint64_t begin = 0;
    for (int k = 0; k < (is_narrow ? 8 : 3); ++k)
        begin = begin << bits | (k < length ? PyUnicode_READ(kind, data, k) : 0);
    return begin;
}

// The numbers of strings in ascending order. How they begin tells most of them apart.
std::vector<int64_t> in_order(const Different& different, bool are_narrow) {
    struct Word {
        uint64_t begin;
        int64_t number;
    };
    std::vector<Word> words;
    for (int64_t v = 0; v < different.count(); ++v) words.push_back({begin_of(different.word(v), are_narrow), v});
    const auto is_less = [&](const Word& a, const Word& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        return PyUnicode_Compare(different.word(a.number), different.word(b.number)) < 0;
    };
    if (!std::is_sorted(words.begin(), words.end(), is_less)) std::sort(words.begin(), words.end(), is_less);
    std::vector<int64_t> ordered;
    for (const Word& word : words) ordered.push_back(word.number);
    return ordered;
}

// First places, inverse and counts of the different strings, in ascending order; None if some element is no string.
nb::object unique_strings(nb::handle data) {
    PyArrayObject* vector = exact_array(data.ptr());
    require(vector && PyArray_TYPE(vector) == NPY_OBJECT && PyArray_NDIM(vector) == 1 && PyArray_ISCARRAY_RO(vector),
            "data must be a vector of objects without gaps");
    const int64_t count = sizes(vector)[0];
    auto* const words = static_cast<PyObject* const*>(PyArray_DATA(vector));
    const nb::object inverse = new_integers(count);  // from here on nothing runs that could let a string go
    int64_t* const numbers = integers_of(inverse);
    bool are_narrow;
    if (!are_strings(words, count, are_narrow)) return nb::none();
    Different different(count);
    std::vector<int64_t> places, times;  // of each number
    for (int64_t k = 0; k < count; ++k) {
        numbers[k] = different.number_of(words[k]);
        if (static_cast<size_t>(numbers[k]) == places.size()) places.push_back(k), times.push_back(0);
        ++times[static_cast<size_t>(numbers[k])];
    }
    const std::vector<int64_t> ordered = in_order(different, are_narrow);
    const nb::object first = new_integers(different.count()), counts = new_integers(different.count());
    std::vector<int64_t> rank(ordered.size());
    for (size_t v = 0; v < ordered.size(); ++v) {
        const auto number = static_cast<size_t>(ordered[v]);
        rank[number] = static_cast<int64_t>(v);
        integers_of(first)[v] = places[number];
        integers_of(counts)[v] = times[number];
    }
    for (int64_t k = 0; k < count; ++k) numbers[k] = rank[static_cast<size_t>(numbers[k])];
    return nb::make_tuple(first, inverse, counts);
}

}  // namespace

void add_unique(nb::module_& m) {
    m.def("unique", &unique, nb::arg("data"), nb::arg("element"), nb::arg("nan_differ"), nb::arg("ascending"),
          "(first places, inverse, counts) of the different elements of a vector, in ascending order or in that of\n"
          "their first places; elements are numbered as for scatter_into. NaN are one value, or differ from each "
          "other.");
    nb::class_<FindingUnique, Direct>(m, "FindingUnique", "The different elements of an array of any sizes.")
        .def(nb::init<int64_t, bool, bool>(), nb::arg("element"), nb::arg("nan_differ"), nb::arg("ascending"));
    m.def("unique_strings", &unique_strings, nb::arg("data"),
          "The same of a vector of strings of Python, in ascending order; None if it has other objects.");
}

}  // namespace wherry::bind
