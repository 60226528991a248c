// What memory safety needs of the arguments, in few words: the callers in Python have checked the same with good ones.
#include "fields.hpp"

namespace nb = nanobind;

namespace wherry::bind {

PyArrayObject* as_array(nb::handle object, const char* name) {
    if (!PyArray_Check(object.ptr())) throw nb::type_error((std::string(name) + " must be a NumPy array").c_str());
    auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
    if (!is_plain(array)) throw nb::type_error((std::string(name) + " must not hold Python objects").c_str());
    return array;
}

int64_t integer_of(nb::handle given) {
    int64_t value;
    if (PyLong_CheckExact(given.ptr())) {  // without nanobind's longer way
        int overflow = 0;
        value = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
        if (!overflow) return value;
    }
    if (!nb::try_cast(given, value)) throw nb::type_error("an integer is needed");
    return value;
}

IndexType index_type_of(nb::handle given) {
    PyObject* object = given.ptr();
    IndexType type;
    if (PyArray_Check(object))
        object = reinterpret_cast<PyObject*>(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(object)));
    if (!PyArray_DescrCheck(object) || !index_type(reinterpret_cast<PyArray_Descr*>(object), type))
        throw nb::type_error("indices must have a native integer type");
    return type;
}

std::string bytes_of_element(nb::handle given) {
    if (PyBytes_Check(given.ptr()))
        return {PyBytes_AS_STRING(given.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(given.ptr()))};
    PyArrayObject* array = as_array(given, "a value");
    require(PyArray_SIZE(array) == 1, "a value must have one element");
    return {PyArray_BYTES(array), static_cast<size_t>(PyArray_ITEMSIZE(array))};
}

Tensor Arguments::tensor(int place, int64_t width) {
    PyArrayObject* array = as_array(at(place).object, "a tensor");
    require(PyArray_ITEMSIZE(array) == width, "an element has another width");
    base_[place] = PyArray_BYTES(array);
    return {place, 0, PyArray_NDIM(array), sizes(array), byte_strides(array)};
}

Tensor Arguments::target(int place, int64_t width) {
    const Tensor found = tensor(place, width);
    require(PyArray_ISWRITEABLE(reinterpret_cast<PyArrayObject*>(at(place).object.ptr())),
            "what is written is read-only");
    return found;
}

bool Arguments::run(Move& move) {
    move.check(*this);
    move.prepare();
    bool fine = true;
    if (!without_gil(move.bytes, [&] { fine = move.run(base_); })) throw nanobind::python_error();
    return fine;
}

}  // namespace wherry::bind
