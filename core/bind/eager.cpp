#include "eager.hpp"

#include <algorithm>

#include "../steps/step.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

std::vector<size_t> positions(nb::handle list, size_t below) {
    std::vector<size_t> found;
    for (nb::handle each : list) {
        found.push_back(nb::cast<size_t>(each));
        require(found.back() < below, "there is no such tensor");
    }
    return found;
}

}  // namespace

EagerRun::EagerRun(nb::object declared, nb::list constants, size_t tensors, nb::list steps, nb::list outputs,
                   int64_t most_bytes, int64_t most_values, Patience patience)
    : declared_kept_(std::move(declared)),
      declared_(nb::cast<const Declared*>(declared_kept_)),
      tensors_(tensors),
      most_{most_bytes, most_values},
      patience_(patience),
      seen_(patience.seen) {
    for (nb::handle each : constants) constants_.push_back(nb::borrow(each));
    require(constants_.size() + declared_->inputs() <= tensors && patience.seen > 0, "there are too few tensors");
    for (nb::handle each : steps) {
        const nb::tuple parts = nb::cast<nb::tuple>(each);
        require(parts.size() == 5, "a step has five parts");
        Step step{nb::borrow(parts[0]),         direct_of(parts[0]),      positions(parts[1], tensors),
                  positions(parts[2], tensors), nb::cast<bool>(parts[3]), nb::cast<bool>(parts[4])};
        most_reads_ = std::max(most_reads_, step.reads.size());
        steps_.push_back(std::move(step));
    }
    for (nb::handle each : outputs) {
        const nb::tuple parts = nb::cast<nb::tuple>(each);
        require(parts.size() == 3, "an output has three parts");
        outputs_.push_back({nb::borrow(parts[0]), nb::cast<size_t>(parts[1]), nb::cast<bool>(parts[2])});
        require(outputs_.back().place < tensors, "there is no such tensor");
    }
}

bool EagerRun::Left::take(PyArrayObject* made, const Step& step) {
    if (step.makes) bytes -= PyArray_NBYTES(made);
    if (step.decides) values -= PyArray_SIZE(made);
    return bytes >= 0 && values >= 0;
}

bool EagerRun::came_often(uint64_t number) {
    Seen& seen = seen_[number % seen_.size()];
    if (seen.number != number) seen = {number, 0};
    if (++seen.times <= patience_.runs) return false;
    seen.times = 0;
    return true;
}

nb::object EagerRun::run_new(nb::handle arrays) {
    Tensors inputs;
    std::optional<uint64_t> number;
    inputs.reserve(declared_->inputs());
    if (!declared_->take(arrays, inputs, number)) return nb::none();
    if (number && plans_ && came_often(*number)) return nb::none();
    if (to_wait_ > 0) {
        --to_wait_;
        return nb::none();
    }
    nb::object made = run_on(inputs);
    waits_ = made.is_none() ? std::min(2 * waits_ + 1, patience_.most_waits) : 0;
    to_wait_ = waits_;
    if (!made.is_none()) std::swap(taken_, inputs);  // whose end may run anything: not before all is whole
    return made;
}

nb::object EagerRun::run(nb::handle arrays) const {
    Tensors inputs;
    std::optional<uint64_t> number;
    return declared_->take(arrays, inputs, number) ? run_on(inputs) : nb::none();
}

nb::object EagerRun::run_on(const Tensors& inputs) const {
    Tensors tensors;
    tensors.reserve(tensors_);
    tensors.insert(tensors.end(), constants_.begin(), constants_.end());
    tensors.insert(tensors.end(), inputs.begin(), inputs.end());
    tensors.resize(tensors_);
    std::vector<PyObject*> arrays(most_reads_);
    Left left = most_;
    try {
        for (const Step& step : steps_) {
            for (size_t k = 0; k < step.reads.size(); ++k) arrays[k] = tensors[step.reads[k]].ptr();
            if (!keep(step, call(step, arrays.data()), tensors, left)) return nb::none();
        }
        return outputs(tensors, left);
    } catch (nb::python_error& error) {
        error.restore();
        if (!is_refusal()) throw nb::python_error();
        PyErr_Clear();  // the planner refuses it too, or knows better
    } catch (const std::exception&) {
    }
    return nb::none();
}

nb::object EagerRun::call(const Step& step, PyObject* const* arrays) const {
    if (step.direct) return step.direct->output({arrays, step.reads.size()});
    nb::object made = nb::steal(PyObject_Vectorcall(step.call.ptr(), arrays, step.reads.size(), nullptr));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

// Puts what a step made where later ones read it; false where that is not what it should be, or too much.
bool EagerRun::keep(const Step& step, nb::object made, Tensors& tensors, Left& left) {
    if (step.writes.size() == 1) {
        PyArrayObject* array = exact_array(made.ptr());
        tensors[step.writes[0]] = std::move(made);
        return array && left.take(array, step);
    }
    if (!PyTuple_CheckExact(made.ptr()) || PyTuple_GET_SIZE(made.ptr()) != static_cast<Py_ssize_t>(step.writes.size()))
        return false;
    for (size_t k = 0; k < step.writes.size(); ++k) {
        PyObject* part = PyTuple_GET_ITEM(made.ptr(), static_cast<Py_ssize_t>(k));
        tensors[step.writes[k]] = nb::borrow(part);
        if (!exact_array(part) || !left.take(exact_array(part), step)) return false;
    }
    return true;
}

nb::object EagerRun::outputs(const Tensors& tensors, Left left) const {
    nb::dict made;
    for (const Output& output : outputs_) {
        nb::object found = tensors[output.place];
        PyArrayObject* array = exact_array(found.ptr());
        if (!array) return nb::none();
        if (!output.is_new) {
            left.bytes -= PyArray_NBYTES(array);
            if (left.bytes < 0 || !is_plain(array)) return nb::none();
            found = copied_to_new(array);
        }
        if (PyDict_SetItem(made.ptr(), output.name.ptr(), found.ptr()) < 0) throw nb::python_error();
    }
    return made;
}

nb::object EagerRun::taken() const {
    if (taken_.empty()) return nb::none();
    nb::list listed;
    for (const nb::object& each : taken_) listed.append(each);
    return listed;
}

EagerRun* eager_of(nb::handle object) { return object.is_none() ? nullptr : nb::cast<EagerRun*>(object); }

void add_eager(nb::module_& m) {
    nb::class_<EagerRun>(m, "EagerRun", "A graph node by node on arrays, without a plan.")
        .def(
            "__init__",
            [](EagerRun* self, nb::object declared, nb::list constants, size_t tensors, nb::list steps,
               nb::list outputs, int64_t most_bytes, int64_t most_values, uint64_t runs, uint64_t most_waits,
               size_t seen) {
                new (self) EagerRun(std::move(declared), constants, tensors, steps, outputs, most_bytes, most_values,
                                    {runs, most_waits, seen});
            },
            nb::arg("declared"), nb::arg("constants"), nb::arg("tensors"), nb::arg("steps"), nb::arg("outputs"),
            nb::arg("most_bytes"), nb::arg("most_values"), nb::arg("runs"), nb::arg("most_waits"), nb::arg("seen"))
        .def("run", &EagerRun::run, nb::arg("arrays").none(),
             "Outputs by name; None where the planner is to decide, or refuse.")
        .def("plans_what_comes_again", &EagerRun::plans_what_comes_again, nb::arg("does"),
             "Sets whether sizes and values that came `runs` times are left to a plan.")
        .def("taken", &EagerRun::taken, "The arrays of the last run that RecentPrograms left to it, or None.")
        .def("forget", &EagerRun::forget, "From now on there is no such run.");
}

}  // namespace wherry::bind
