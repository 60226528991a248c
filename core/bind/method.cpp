// Methods written in Python that a function of the core may answer first. A call with one argument then costs no frame
// of Python's, nor a look at each default of the other arguments.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <structmember.h>

#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

struct Method {
    // clang-format off
    PyObject_HEAD
        // clang-format on
        vectorcallfunc call;
    PyObject* function;   // what it is in Python
    PyObject* attribute;  // the name under which an object has the function to ask first
    PyObject* parameter;  // the name of its one argument
};

Method* method(PyObject* self) { return reinterpret_cast<Method*>(self); }

// The answer of the function that is asked first; null without an error where there is no such function.
PyObject* ask(const Method* self, PyObject* owner, PyObject* argument) {
    PyObject* first = PyObject_GetAttr(owner, self->attribute);
    if (!first) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
        return nullptr;
    }
    PyObject* answer = PyObject_CallOneArg(first, argument);
    Py_DECREF(first);
    return answer;
}

PyObject* call_method(PyObject* object, PyObject* const* args, size_t flags, PyObject* names) {
    const Method* self = method(object);
    const bool is_named = names && PyTuple_GET_SIZE(names) == 1 && PyTuple_GET_ITEM(names, 0) == self->parameter;
    if (PyVectorcall_NARGS(flags) == (is_named ? 1 : 2) && (!names || is_named)) {
        PyObject* answer = ask(self, args[0], args[1]);
        if (answer != Py_None && (answer || PyErr_Occurred())) return answer;
        Py_XDECREF(answer);
    }
    return PyObject_Vectorcall(self->function, args, flags, names);
}

PyObject* bind_method(PyObject* self, PyObject* owner, PyObject*) {
    return owner ? PyMethod_New(self, owner) : Py_NewRef(self);
}

// Whatever is asked of the method is asked of its function: its name, its module, whether it is abstract.
PyObject* get_method_attribute(PyObject* self, PyObject* name) {
    PyObject* found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Clear();
    return PyObject_GetAttr(method(self)->function, name);
}

PyObject* get_doc(PyObject* self, void*) { return PyObject_GetAttrString(method(self)->function, "__doc__"); }

void delete_method(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    Py_XDECREF(method(self)->function);
    Py_XDECREF(method(self)->attribute);
    Py_XDECREF(method(self)->parameter);
    type->tp_free(self);
    Py_DECREF(type);
}

PyMemberDef kMethodMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Method, call), READONLY, nullptr},
    {"__wrapped__", T_OBJECT_EX, offsetof(Method, function), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef kProperties[] = {{"__doc__", get_doc, nullptr, nullptr, nullptr},
                             {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot kMethodSlots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(delete_method)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind_method)},
    {Py_tp_getattro, reinterpret_cast<void*>(get_method_attribute)},
    {Py_tp_getset, kProperties},
    {Py_tp_members, kMethodMembers},
    {0, nullptr},
};

PyType_Spec kMethodSpec = {
    "wherry._core.Method", sizeof(Method), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    kMethodSlots};

nb::object make_method(nb::handle type, nb::object function, nb::str attribute) {
    const nb::object code = function.attr("__code__");
    if (nb::cast<int>(code.attr("co_argcount")) < 2) throw nb::value_error("a method with one argument is needed");
    nb::object parameter = code.attr("co_varnames")[1];
    auto* made = PyObject_New(Method, reinterpret_cast<PyTypeObject*>(type.ptr()));
    if (!made) throw nb::python_error();
    made->call = call_method;
    made->function = function.release().ptr();
    made->attribute = attribute.release().ptr();
    PyUnicode_InternInPlace(&made->attribute);
    made->parameter = parameter.release().ptr();
    return nb::steal(reinterpret_cast<PyObject*>(made));
}

}  // namespace

void add_method(nb::module_& m) {
    const nb::object type = nb::steal(PyType_FromSpec(&kMethodSpec));
    if (!type.is_valid()) throw nb::python_error();
    m.def(
        "asks_first",
        [type](nb::str attribute) {
            return nb::cpp_function(
                [type, attribute](nb::object function) { return make_method(type, function, attribute); });
        },
        nb::arg("attribute"),
        "A decorator: a method whose call with its first argument alone is one of what its object has as `attribute`, "
        "and\n"
        "its own only where that returns None.");
}

}  // namespace wherry::bind
