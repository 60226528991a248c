#include "copies.hpp"

#include <utility>

#include "../steps/step.hpp"
#include "module.hpp"
#include "results.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

PyArrayObject* checked_array(PyObject* object) {
    require(PyArray_Check(object), "results and what is written are arrays");
    return reinterpret_cast<PyArrayObject*>(object);
}

void put_copy(PyArrayObject* from, nb::dict& made, PyObject* name) {
    const nb::object copy = nb::steal(PyArray_NewCopy(from, NPY_CORDER));
    if (!copy.is_valid() || PyDict_SetItem(made.ptr(), name, copy.ptr()) < 0) throw nb::python_error();
}

}  // namespace

Copies::Copies(nb::dict results) : results_(std::move(results)), in_order_(nb::tuple(results_.values())) {}

nb::dict Copies::operator()(nb::handle, nb::object written) const {
    const bool makes = written.is_none();
    nb::dict made = makes ? nb::dict() : nb::cast<nb::dict>(written);
    PyObject *name, *result;
    for (Py_ssize_t k = 0; PyDict_Next(results_.ptr(), &k, &name, &result);) {
        PyArrayObject* const from = checked_array(result);
        if (makes)
            put_copy(from, made, name);
        else if (PyArray_CopyInto(checked_array(nb::object(made[name]).ptr()), from) < 0)
            throw nb::python_error();
    }
    return made;
}

bool Copies::write(std::span<PyObject* const> outs) const {
    return write_results({PySequence_Fast_ITEMS(in_order_.ptr()), nb::len(in_order_)}, outs);
}

const Copies* copies_of(nb::handle object) {
    return nb::isinstance<Copies>(object) ? nb::inst_ptr<Copies>(object) : nullptr;
}

}  // namespace wherry::bind
