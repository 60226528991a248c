#include "answering.hpp"

#include <structmember.h>

#include <algorithm>
#include <new>

#include "call_key.hpp"
#include "limits.hpp"
#include "passing.hpp"
#include "recent_calls.hpp"
#include "results.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

struct Answering {
    // clang-format off
    PyObject_HEAD
        // clang-format on
        vectorcallfunc call;
    PyObject* calls;         // a RecentCalls
    PyObject* function;      // what it is in Python
    PyObject* passing;       // a Passing, or None
    PyObject* results;       // list, a class of tuples, or None
    PyObject* out;           // the name of the argument that the result goes to
    PyObject* weak_objects;  // references to it that do not keep it
    LastCall* last;
};

Answering* answering(PyObject* self) { return reinterpret_cast<Answering*>(self); }

// A tuple of a class that adds names alone, as its __new__ would make it.
PyObject* as_tuple_of(PyTypeObject* type, PyObject* outputs) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(outputs);
    PyObject* const made = type->tp_alloc(type, count);
    for (Py_ssize_t k = 0; made && k < count; ++k)
        PyTuple_SET_ITEM(made, k, Py_NewRef(PySequence_Fast_GET_ITEM(outputs, k)));
    return made;
}

// Outputs as the function returns them; null, with or without an error, where they are not as many as it returns.
PyObject* as_results(const Answering* self, nb::object outputs) {
    const bool are_all = are_several(outputs);
    if (self->results == Py_None) {
        if (!are_all) return outputs.release().ptr();
        const bool has_first = PyTuple_CheckExact(outputs.ptr()) && PyTuple_GET_SIZE(outputs.ptr()) > 0;
        return has_first ? Py_NewRef(PyTuple_GET_ITEM(outputs.ptr(), 0)) : nullptr;
    }
    if (!are_all) outputs = nb::make_tuple(outputs);
    auto* type = reinterpret_cast<PyTypeObject*>(self->results);
    if (type == &PyList_Type) return PySequence_List(outputs.ptr());
    return as_tuple_of(type, outputs.ptr());
}

// All results, written to the arrays of `out`, as the function returns them.
PyObject* answer_into(const Answering* self, const Passing& passing, PyObject* const* values, PyObject* out) {
    const nb::object outs = nb::steal(PySequence_Tuple(out));  // no other thread changes it meanwhile
    if (!outs.is_valid()) throw nb::python_error();
    PyObject** const entries = PySequence_Fast_ITEMS(outs.ptr());
    if (self->results == Py_None || !std::all_of(entries, entries + nb::len(outs), may_take_result)) return nullptr;
    CallKey arguments(passing, values, nullptr);
    const bool are_written = nb::inst_ptr<RecentCalls>(self->calls)->write_outputs(arguments, outs);
    return are_written ? as_results(self, outs) : nullptr;
}

// What the function returns for a call like one before; null, with or without an error, where there is no such call.
PyObject* answer(const Answering* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
    const auto answered = [&](CallKey& arguments) -> PyObject* {
        LastCall::Answerer by;
        nb::object outputs = nb::inst_ptr<RecentCalls>(self->calls)->outputs_for(arguments, &by);
        if (by.function.is_valid()) self->last->keep(given, count, names, arguments, by);
        return outputs.is_none() ? nullptr : as_results(self, std::move(outputs));
    };
    try {
        if (!are_default()) return nullptr;
        nb::object outputs = self->last->answer(given, count, names);
        if (!outputs.is_none()) return as_results(self, std::move(outputs));
        if (self->passing == Py_None) {
            CallKey arguments(given, count, names, self->out);
            return answered(arguments);
        }
        const Passing& passing = *nb::inst_ptr<Passing>(self->passing);
        PyObject* values[Passing::kMost];
        if (!passing.bind(given, count, names, values)) return nullptr;
        PyObject* out = passing.out(values);
        if (out && is_list_or_tuple(out)) return answer_into(self, passing, values, out);
        CallKey arguments(passing, values, out);
        return answered(arguments);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    }
    return nullptr;
}

PyObject* call_answering(PyObject* object, PyObject* const* given, size_t flags, PyObject* names) {
    const Answering* self = answering(object);
    PyObject* found = answer(self, given, PyVectorcall_NARGS(flags), names);
    if (found || PyErr_Occurred()) return found;
    return PyObject_Vectorcall(self->function, given, flags, names);
}

// As a function of Python's is bound.
PyObject* bind_answering(PyObject* self, PyObject* owner, PyObject*) {
    return owner ? PyMethod_New(self, owner) : Py_NewRef(self);
}

// Whatever is asked of it is asked of its function, which has a name, a module and a text of its own.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    const bool is_types_own = PyUnicode_CompareWithASCIIString(name, "__doc__") == 0 ||
                              PyUnicode_CompareWithASCIIString(name, "__module__") == 0;
    PyObject* found = is_types_own ? nullptr : PyObject_GenericGetAttr(self, name);
    if (found || (!is_types_own && !PyErr_ExceptionMatches(PyExc_AttributeError))) return found;
    PyErr_Clear();
    return PyObject_GetAttr(answering(self)->function, name);
}

PyObject* represent(PyObject* self) { return PyObject_Repr(answering(self)->function); }

// As a function of Python's is pickled: by its name, under which its module has it.
PyObject* reduce(PyObject* self, PyObject*) {
    return PyObject_GetAttrString(answering(self)->function, "__qualname__");
}

void delete_answering(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    if (answering(self)->weak_objects) PyObject_ClearWeakRefs(self);
    delete answering(self)->last;
    for (PyObject* held : {answering(self)->calls, answering(self)->function, answering(self)->passing,
                           answering(self)->results, answering(self)->out})
        Py_XDECREF(held);
    type->tp_free(self);
    Py_DECREF(type);
}

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Answering, call), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Answering, weak_objects), READONLY, nullptr},
    {"__wrapped__", T_OBJECT_EX, offsetof(Answering, function), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyMethodDef kMethods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyType_Slot kSlots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(delete_answering)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind_answering)},
    {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
    {Py_tp_repr, reinterpret_cast<void*>(represent)},
    {Py_tp_members, kMembers},
    {Py_tp_methods, kMethods},
    {0, nullptr},
};

PyType_Spec kSpec = {
    "wherry._core.Answering", sizeof(Answering), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    kSlots};

// Its type, made when it is first needed, for the life of the process.
PyTypeObject* answering_type() {
    static PyObject* type = nullptr;
    if (!type && !(type = PyType_FromSpec(&kSpec))) throw nb::python_error();
    return reinterpret_cast<PyTypeObject*>(type);
}

}  // namespace

nb::object make_answering(nb::object calls, nb::object function, nb::object passing, nb::object results) {
    auto* made = PyObject_New(Answering, answering_type());
    if (!made) throw nb::python_error();
    made->call = call_answering;
    made->calls = calls.release().ptr();
    made->function = function.release().ptr();
    made->passing = passing.release().ptr();
    made->results = results.release().ptr();
    made->out = PyUnicode_InternFromString("out");
    made->weak_objects = nullptr;
    made->last = new LastCall;
    return nb::steal(reinterpret_cast<PyObject*>(made));
}

}  // namespace wherry::bind
