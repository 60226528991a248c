// What other files of the binding know of programs: they run one on arrays in order.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

namespace wherry::bind {

constexpr int kMaxBuffers = 64;

// Arrays in the order of a program's buffers, which a run keeps alive.
class Held {
public:
    Held() = default;
    Held(const Held&) = delete;
    ~Held() {
        for (int k = 0; k < count_; ++k) Py_DECREF(objects_[k]);
    }

    void add(PyObject* given) {
        Py_INCREF(given);
        add_new(given);
    }
    void add_new(PyObject* made) { objects_[count_++] = made; }

    int count() const { return count_; }
    PyObject* object(int place) const { return objects_[place]; }
    // To be asked for its type first: a caller may give anything.
    PyArrayObject* operator[](int place) const { return reinterpret_cast<PyArrayObject*>(objects_[place]); }

private:
    PyObject* objects_[kMaxBuffers];
    int count_ = 0;
};

class Program;

// The program that an object is; null if it is none.
const Program* program_of(nanobind::handle object);

// Runs a program on arrays in the order of its inputs; outputs come behind them: new ones, or those that are there if
// it writes in place. False where the arrays are others than planned for, or a move refused.
bool run_in_order(const Program& program, Held& held, bool in_place = false);

}  // namespace wherry::bind
