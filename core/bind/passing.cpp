#include "passing.hpp"

#include <algorithm>

#include "../steps/step.hpp"
#include "call_key.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {

Passing::Passing(nb::tuple names, int positional, nb::dict defaults, nb::tuple places, nb::tuple given)
    : names_kept_(names), places_(places), given_(given), defaults_kept_(defaults), positional_(positional) {
    require(names.size() <= kMost && names.size() == places.size(), "there is a place for each of up to 16 parameters");
    require(positional >= 0 && static_cast<size_t>(positional) <= names.size(), "there are too few parameters");
    for (nb::handle name : names) {
        require(PyUnicode_CheckExact(name.ptr()) && PyUnicode_CHECK_INTERNED(name.ptr()), "a name is not interned");
        if (PyUnicode_CompareWithASCIIString(name.ptr(), "out") == 0) out_ = static_cast<int>(names_.size());
        names_.push_back(name.ptr());
        defaults_.push_back(PyDict_GetItem(defaults.ptr(), name.ptr()));
    }
    add(given.ptr(), 0);
}

bool Passing::bind(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject** values) const {
    if (count > positional_) return false;
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0, all = static_cast<Py_ssize_t>(names_.size());
    std::copy(given, given + count, values);
    std::copy(defaults_.begin() + count, defaults_.end(), values + count);
    for (Py_ssize_t k = 0; k < named; ++k) {
        PyObject* name = PyTuple_GET_ITEM(names, k);
        Py_ssize_t place = count;
        while (place < all && names_[static_cast<size_t>(place)] != name) ++place;
        if (place == all) return false;  // unknown, or given by position too, or no name of a program's text
        values[place] = given[count + k];
    }
    for (Py_ssize_t place = count; place < all; ++place)
        if (!values[place]) return false;
    return true;
}

void Passing::add(PyObject* value, int level) {
    for (size_t k = 0; k < places_.size(); ++k) {
        if (nb::handle(places_[k]).ptr() != value) continue;
        pieces_.push_back({std::move(text_), static_cast<int>(k), level});
        text_.clear();
        return;
    }
    if (is_list_or_tuple(value)) {
        add_count(PyList_CheckExact(value) ? '[' : '(', PySequence_Fast_GET_SIZE(value));
        for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(value); ++k)
            add(PySequence_Fast_GET_ITEM(value, k), level + 1);
    } else if (PyDict_CheckExact(value)) {
        add_count('{', PyDict_GET_SIZE(value));
        PyObject *name, *item;
        for (Py_ssize_t k = 0; PyDict_Next(value, &k, &name, &item);) {
            add(name, level + 1);
            add(item, level + 1);
        }
    } else {
        const CallKey constant(value, level);
        require(constant.is_known(), "what is passed on cannot be told from something else");
        text_ += constant.key().bytes;
    }
}

void Passing::add_count(char kind, Py_ssize_t count) {
    text_ += kind;
    text_.append(reinterpret_cast<const char*>(&count), sizeof count);
}

void add_passing(nb::module_& m) {
    nb::class_<Passing>(m, "Passing", "What a function passes on of its parameters.")
        .def(nb::init<nb::tuple, int, nb::dict, nb::tuple, nb::tuple>(), nb::arg("names"), nb::arg("positional"),
             nb::arg("defaults"), nb::arg("places"), nb::arg("given"));
}

}  // namespace wherry::bind
