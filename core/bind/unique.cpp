// The different values of a vector.
#include <nanobind/nanobind.h>
#include <string.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "../steps/unique.hpp"
#include "direct.hpp"
#include "fields.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "results.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr int64_t kFewBytes = 4096;
constexpr int64_t kFewElements = 128;  // whose results are found before they are written

nb::object new_integers(int64_t count) {
    nb::object made = nb::steal(new_array(PyArray_DescrFromType(NPY_INT64), 1, &count));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

char* bytes_of(nb::handle array) { return PyArray_BYTES(reinterpret_cast<PyArrayObject*>(array.ptr())); }
int64_t* integers_of(nb::handle array) { return reinterpret_cast<int64_t*>(bytes_of(array)); }

Element known_element(int64_t element) {
    require(element >= 0 && element < kElements, "element must be 0..14");
    const Element type = static_cast<Element>(element);
    require(UniqueSearch::has_keys(type), "elements must be bool, integers, float32 or float64");
    return type;
}

// A search through a vector that outlives it, with the memory that it takes.
class Search {
public:
    Search(nb::handle data, Element type, bool nan_differ)
        : vector_(checked(data, type)),
          count_(sizes(vector_)[0]),
          search_(PyArray_BYTES(vector_), count_, type, nan_differ, [this](int64_t bytes) { return space(bytes); }) {
        if (!without_gil(bytes(), [&] { values_ = search_.look(); })) throw nb::python_error();
    }
    Search(const Search&) = delete;

    int64_t count() const { return count_; }
    int64_t values() const { return values_; }
    int64_t bytes() const { return count_ * static_cast<int64_t>(sizeof(int64_t)); }  // of the largest result

    void write(const UniqueResults& results, bool ascending) {
        if (!without_gil(bytes(), [&] { search_.write(results, ascending); })) throw nb::python_error();
    }

private:
    static PyArrayObject* checked(nb::handle data, Element type) {
        PyArrayObject* vector = as_array(data, "data");
        require(PyArray_NDIM(vector) == 1 && PyArray_IS_C_CONTIGUOUS(vector), "data must be a vector without gaps");
        require(PyArray_ITEMSIZE(vector) == width_of(type), "an element has another width");
        return vector;
    }

    char* space(int64_t wanted) {
        const int64_t rounded = (wanted + 63) / 64 * 64;
        if (rounded <= kFewBytes - taken_) return few_ + std::exchange(taken_, taken_ + rounded);
        kept_.push_back(new_memory(wanted));
        if (!kept_.back()) throw std::bad_alloc();
        return kept_.back().get();
    }

    std::vector<Memory> kept_;
    alignas(64) char few_[kFewBytes];  // for a vector of few elements, of which each allocation would be a good part
    int64_t taken_ = 0;
    PyArrayObject* vector_;
    int64_t count_, values_ = 0;
    UniqueSearch search_;
};

struct Found {
    explicit Found(Search& search, bool ascending)
        : first(new_integers(search.values())),
          inverse(new_integers(search.count())),
          counts(new_integers(search.values())) {
        search.write({integers_of(first), integers_of(counts), integers_of(inverse)}, ascending);
    }
    nb::object first, inverse, counts;
};

// First places, inverse and counts of the different elements.
nb::object unique(nb::handle data, int64_t element, bool nan_differ, bool ascending) {
    Search search(data, known_element(element), nan_differ);
    const Found made(search, ascending);
    return nb::make_tuple(made.first, made.inverse, made.counts);
}

// Whether an object is a vector of so many elements in this processor's order, without gaps, that may be written.
bool is_vector(PyObject* object, int type, int64_t size) {
    PyArrayObject* array = exact_array(object);
    return array && PyArray_TYPE(array) == type && PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == size &&
           PyArray_ISCARRAY(array);
}

class FindingUnique final : public Direct {
public:
    FindingUnique(int64_t element, bool nan_differ, bool ascending)
        : type_(known_element(element)), nan_differ_(nan_differ), ascending_(ascending) {}

    nb::object output(std::span<PyObject* const> arrays) const override {
        const nb::object vector = vector_of(arrays);
        Search search(vector, type_, nan_differ_);
        const Found made(search, ascending_);
        return nb::make_tuple(slices_at(vector, made.first, 0), made.first, made.inverse, made.counts);
    }

    // Few: once they are found nothing can fail, and no other thread has run.
    bool write_outputs(std::span<PyObject* const> arrays, std::span<PyObject* const> outs) const override {
        const nb::object vector = vector_of(arrays);
        PyArrayObject* const data = as_array(vector, "data");
        if (PyArray_DIM(data, 0) > kFewElements || outs.size() != 4 || !are_apart(arrays, outs)) return false;
        Search search(vector, type_, nan_differ_);
        const int64_t values = search.values(), lengths[] = {values, values, search.count(), values};
        for (size_t k = 0; k < outs.size(); ++k)
            if (!is_vector(outs[k], k == 0 ? PyArray_TYPE(data) : NPY_INT64, lengths[k])) return false;
        int64_t first[kFewElements], inverse[kFewElements], counts[kFewElements];
        search.write({first, counts, inverse}, ascending_);
        const int64_t width = PyArray_ITEMSIZE(data);
        for (int64_t v = 0; v < values; ++v)
            memcpy(bytes_of(outs[0]) + v * width, PyArray_BYTES(data) + first[v] * width, static_cast<size_t>(width));
        std::copy_n(first, values, integers_of(outs[1]));
        std::copy_n(inverse, search.count(), integers_of(outs[2]));
        std::copy_n(counts, values, integers_of(outs[3]));
        return true;
    }

private:
    static nb::object vector_of(std::span<PyObject* const> arrays) {
        require(arrays.size() == 1, "data is needed");
        return as_vector(as_array(arrays[0], "data"));
    }

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
