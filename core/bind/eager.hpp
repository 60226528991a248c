// Eager runs: a graph node by node on arrays, without a plan; for small data whose sizes change at every run.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "declared.hpp"
#include "direct.hpp"

namespace wherry::bind {

// What makes a run worth a plan: that the same sizes and values came so often, or that as many runs before this one
// gave up. All are numbers of runs.
struct Patience {
    uint64_t runs, most_waits;
    size_t seen;  // places for the numbers of what came
};

class EagerRun {
public:
    // constants: arrays. steps: (function, positions of what it reads, of what it makes, whether that is new arrays,
    // whether that decides sizes); tensors are counted from the constants on, then inputs, then what steps make.
    // outputs: (name, position, whether it is a new array by itself). `most_bytes` may be made, and `most_values` of
    // what decides.
    EagerRun(nanobind::object declared, nanobind::list constants, size_t tensors, nanobind::list steps,
             nanobind::list outputs, int64_t most_bytes, int64_t most_values, Patience patience);

    // Outputs by name, where the sizes and values are new; None where they are to be planned, or something is refused.
    nanobind::object run_new(nanobind::handle arrays);

    // The same whatever came before.
    nanobind::object run(nanobind::handle arrays) const;

    // Whether runs that come again are planned: where their plan has a program of the core.
    void plans_what_comes_again(bool does) { plans_ = does; }

    // The arrays of the last run that made its outputs; None where there was none since they were forgotten.
    nanobind::object taken() const;
    void forget() { const Tensors dropped = std::exchange(taken_, {}); }  // whose end may run anything

private:
    using Tensors = std::vector<nanobind::object>;
    struct Step {
        nanobind::object call;
        const Direct* direct;  // the same, where it is the core's
        std::vector<size_t> reads, writes;
        bool makes, decides;
    };
    struct Output {
        nanobind::object name;
        size_t place;
        bool is_new;
    };
    struct Left {
        int64_t bytes, values;
        bool take(PyArrayObject* made, const Step& step);
    };

    bool came_often(uint64_t number);
    nanobind::object run_on(const Tensors& inputs) const;
    nanobind::object call(const Step& step, PyObject* const* arrays) const;
    static bool keep(const Step& step, nanobind::object made, Tensors& tensors, Left& left);
    nanobind::object outputs(const Tensors& tensors, Left left) const;

    nanobind::object declared_kept_;
    const Declared* declared_;
    Tensors constants_;
    size_t tensors_;
    std::vector<Step> steps_;
    size_t most_reads_ = 0;  // of one step
    std::vector<Output> outputs_;
    Left most_;
    Patience patience_;
    bool plans_ = true;
    struct Seen {
        uint64_t number = 0, times = 0;
    };
    std::vector<Seen> seen_;
    uint64_t to_wait_ = 0, waits_ = 0;
    Tensors taken_;
};

// Null for None.
EagerRun* eager_of(nanobind::handle object);

}  // namespace wherry::bind
