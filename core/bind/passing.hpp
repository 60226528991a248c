// A function that passes its parameters on to another one: what that is given, told from the arguments of a call.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace wherry::bind {

class Passing {
public:
    static constexpr int kMost = 16;  // parameters of a function

    // `given` is a tuple of what is passed on, with `places` where the parameters stand; parameters from `positional`
    // on are given by name alone. The parameter `out` is not passed on.
    Passing(nanobind::tuple names, int positional, nanobind::dict defaults, nanobind::tuple places,
            nanobind::tuple given);

    // The values of all parameters in order, borrowed; false where the function is to be called, which then also says
    // what is wrong with the arguments.
    bool bind(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject** values) const;

    // Of these values the one of the parameter `out`; null where there is none.
    PyObject* out(PyObject* const* values) const { return out_ < 0 ? nullptr : values[out_]; }

    // The bytes of what is passed on, as CallKey writes them, in pieces: each is written before a parameter.
    struct Piece {
        std::string before;
        int parameter;
        int level;
    };
    const std::vector<Piece>& pieces() const { return pieces_; }
    const std::string& end() const { return text_; }

private:
    void add(PyObject* value, int level);
    void add_count(char kind, Py_ssize_t count);

    std::vector<PyObject*> names_, defaults_;  // those of the function, which outlives this
    nanobind::tuple names_kept_, places_, given_;
    nanobind::dict defaults_kept_;
    Py_ssize_t positional_;
    int out_ = -1;
    std::vector<Piece> pieces_;
    std::string text_;  // behind the last piece
};

}  // namespace wherry::bind
