// Checks of arguments that the primitives share: what memory safety needs, in few words.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <string>

#include "../kernels/element.hpp"

namespace wherry::bind {

inline PyArrayObject* as_array(nanobind::handle object, const char* name) {
    if (!PyArray_Check(object.ptr()))
        throw nanobind::type_error((std::string(name) + " must be a NumPy array").c_str());
    auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!is_plain(array)) throw nanobind::type_error((std::string(name) + " must not hold Python objects").c_str());
    return array;
}

inline void require(bool fine, const char* text) {
    if (!fine) throw nanobind::value_error(text);
}

inline Element element_of(int number) {
    require(number >= 0 && number < kElements, "element must be 0..14");
    return static_cast<Element>(number);
}

}  // namespace wherry::bind
