// Limits in force: a context variable of Python, which is asked only once there are other limits than the default ones.
#include "limits.hpp"

namespace wherry::bind {

bool limits_watched = false;

const Limits* limits() {
    static Limits l{};
    if (l.allows) return &l;
    PyObject* module = PyImport_ImportModule("wherry.limits");
    if (!module) return nullptr;
    l.current = PyObject_GetAttrString(module, "IN_FORCE");
    l.defaults = l.current ? PyObject_GetAttrString(module, "DEFAULT") : nullptr;
    l.allows = l.defaults ? PyObject_GetAttrString(module, "allows") : nullptr;
    Py_DECREF(module);
    return l.allows ? &l : nullptr;
}

void watch_limits() { limits_watched = true; }

bool are_default() {
    if (!limits_watched) return true;
    const Limits* known = limits();
    return known && are_in_force(known->defaults);
}

bool are_in_force(PyObject* given) {
    if (!limits_watched) return true;
    const Limits* l = limits();
    PyObject* now = nullptr;
    if (!l || PyContextVar_Get(l->current, nullptr, &now) < 0) return false;
    const bool same = now == given;
    Py_XDECREF(now);
    return same;
}

}  // namespace wherry::bind
