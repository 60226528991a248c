// The last call that a Direct answered: the next one like it is answered without a look at what is kept.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <vector>

#include "call_key.hpp"
#include "direct.hpp"

namespace wherry::bind {

class LastCall {
public:
    // A Direct, and which arrays of a call it takes, by their places in its key.
    struct Answerer {
        nanobind::object function;
        std::vector<int> inputs;
        bool refuses_empty = false;  // arrays without elements are not for it
    };

    // What is made for a call like the last one: its arrays have the same types and numbers of axes, and all else is
    // the same. None where it is not like that, or is not answered.
    nanobind::object answer(PyObject* const* given, Py_ssize_t count, PyObject* names) const;

    // Keeps what answered a call. Nothing is kept where some argument may mean something else the next time.
    void keep(PyObject* const* given, Py_ssize_t count, PyObject* names, const CallKey& key, const Answerer& by);

private:
    static constexpr Py_ssize_t kMost = 8;  // arguments

    // An array of such elements and so many axes, a list or tuple of these constants, or a constant.
    struct Argument {
        nanobind::object same;
        int ndim = -1;
        PyTypeObject* sequence = nullptr;
    };
    static bool read(PyObject* given, Argument& argument);
    static bool is_same(PyObject* given, const Argument& argument);
    bool is_like(PyObject* const* given, Py_ssize_t count, PyObject* names) const;

    Answerer by_;
    nanobind::object names_;  // null where all were given by position
    Py_ssize_t count_ = 0;    // of those by position
    std::vector<Argument> arguments_;
    std::array<Py_ssize_t, kMost> inputs_{};
    Py_ssize_t out_ = -1;  // of the array that the output goes to
};

}  // namespace wherry::bind
