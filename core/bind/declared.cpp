#include "declared.hpp"

#include <string.h>

#include "../steps/step.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// A number that is another for almost every other content; nothing but speed depends on it.
class Digest {
public:
    void add(uint64_t word) {
        value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;
        value_ ^= value_ >> 32;
    }
    void add(const char* bytes, int64_t count) {
        for (; count >= 8; bytes += 8, count -= 8) add(word(bytes, 8));
        if (count > 0) add(word(bytes, static_cast<size_t>(count)));
    }
    uint64_t value() const {
        uint64_t mixed = (value_ ^ value_ >> 33) * 0xFF51AFD7ED558CCDu;
        mixed = (mixed ^ mixed >> 33) * 0xC4CEB9FE1A85EC53u;
        return mixed ^ mixed >> 33;
    }

private:
    static uint64_t word(const char* bytes, size_t count) {
        uint64_t found = 0;
        memcpy(&found, bytes, count);
        return found;
    }

    uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace

Declared::Declared(nb::list inputs, int64_t most, nb::dict defaults) : most_(most) {
    for (nb::handle description : inputs) {
        const nb::tuple parts = nb::cast<nb::tuple>(description);
        require(parts.size() == 4, "an input has four parts");
        Input input{nb::borrow(parts[0]), nb::borrow(parts[1]), !parts[2].is_none(), {}, nb::cast<bool>(parts[3]), {}};
        require(PyArray_DescrCheck(input.dtype.ptr()), "a dtype is needed");
        if (input.has_ndim)
            for (nb::handle size : parts[2]) input.sizes.push_back(nb::cast<int64_t>(size));
        if (defaults.contains(input.name)) input.otherwise = defaults[input.name];
        inputs_.push_back(std::move(input));
    }
}

bool Declared::take(nb::handle arrays, std::vector<nb::object>& taken, std::optional<uint64_t>& number) const {
    if (!PyDict_CheckExact(arrays.ptr())) return false;
    Py_ssize_t left = PyDict_GET_SIZE(arrays.ptr());
    Digest digest;
    int64_t bytes_left = most_;
    for (const Input& input : inputs_) {
        nb::object given = nb::borrow(PyDict_GetItemWithError(arrays.ptr(), input.name.ptr()));
        if (!given.is_valid() && PyErr_Occurred()) throw nb::python_error();
        left -= given.is_valid();
        if (!given.is_valid()) given = input.otherwise;
        if (!given.is_valid() || !PyArray_CheckExact(given.ptr())) return false;
        auto* array = reinterpret_cast<PyArrayObject*>(given.ptr());
        if (!fits(array, input)) return false;
        digest.add(static_cast<uint64_t>(PyArray_NDIM(array)));
        for (int a = 0; a < PyArray_NDIM(array); ++a) digest.add(static_cast<uint64_t>(sizes(array)[a]));
        if (input.decides) {
            // Programs are kept for values that lie together.
            bytes_left -= PyArray_IS_C_CONTIGUOUS(array) ? PyArray_NBYTES(array) : most_ + 1;
            if (bytes_left >= 0) digest.add(PyArray_BYTES(array), PyArray_NBYTES(array));
        }
        taken.push_back(std::move(given));
    }
    number.reset();
    if (bytes_left >= 0) number = digest.value();
    return left == 0;
}

bool Declared::fits(PyArrayObject* array, const Input& input) {
    auto* wanted = reinterpret_cast<PyArray_Descr*>(input.dtype.ptr());
    if (PyArray_DESCR(array) != wanted && !PyArray_EquivTypes(PyArray_DESCR(array), wanted)) return false;
    if (!input.has_ndim) return true;
    if (PyArray_NDIM(array) != static_cast<int>(input.sizes.size())) return false;
    for (size_t a = 0; a < input.sizes.size(); ++a)
        if (input.sizes[a] >= 0 && input.sizes[a] != sizes(array)[a]) return false;
    return true;
}

void add_declared(nb::module_& m) {
    nb::class_<Declared>(m, "Declared", "The declared inputs of a model.")
        .def(nb::init<nb::list, int64_t, nb::dict>(), nb::arg("inputs"), nb::arg("most"),
             nb::arg("defaults") = nb::dict())
        .def(
            "take",
            [](const Declared& self, nb::handle arrays) -> nb::object {
                std::vector<nb::object> taken;
                std::optional<uint64_t> number;
                if (!self.take(arrays, taken, number)) return nb::none();
                nb::list listed;
                for (nb::object& each : taken) listed.append(std::move(each));
                return nb::make_tuple(listed, number ? nb::object(nb::int_(*number)) : nb::none());
            },
            nb::arg("arrays").none(),
            "The arrays in order and a number for their sizes and values (or None); None if they do not fit.");
}

}  // namespace wherry::bind
