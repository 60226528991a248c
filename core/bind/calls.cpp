// Calls like one before: found by the types and sizes of their arrays, and by all else that they are given, so that no
// rule is looked at again.
#include <nanobind/nanobind.h>
#include <string.h>
#include <structmember.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../steps/step.hpp"
#include "limits.hpp"
#include "module.hpp"
#include "numpy.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr size_t kMostBytes = 2048;  // of what stands for the arguments of a call: longer ones are not kept
constexpr int kMostArrays = 32;
constexpr size_t kSeen = 4096;             // calls of which it is known when they came
constexpr npy_intp kMostCopied = 1 << 20;  // bytes of a view from which a plan copies it
constexpr int kMostLevels = 4;             // of lists and dicts in each other

// What a call is given, as bytes: equal ones stand for arguments that mean the same. Element types and Python's types
// are told by their addresses, of which a call that is kept holds the objects. No code of a caller's runs.
class Arguments {
public:
    // Whether arrays count with their sizes, or with the number of their axes alone.
    enum class Arrays : bool { with_sizes, of_any_sizes };

    explicit Arguments(PyObject* given, Arrays arrays = Arrays::with_sizes)
        : of_any_sizes_(arrays == Arrays::of_any_sizes) {
        is_known_ = add(given, 0);
    }

    // The same as a tuple of the arguments by position, and behind them a dict of those by name but for `out`.
    Arguments(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject* out,
              Arrays arrays = Arrays::with_sizes)
        : of_any_sizes_(arrays == Arrays::of_any_sizes) {
        const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
        bool has_out = false;
        for (Py_ssize_t k = 0; k < named; ++k) has_out |= PyTuple_GET_ITEM(names, k) == out;
        is_known_ = put('(', count + 1);
        for (Py_ssize_t k = 0; k < count && is_known_; ++k) is_known_ = add(given[k], 1);
        is_known_ = is_known_ && put('{', named - has_out);
        for (Py_ssize_t k = 0; k < named && is_known_; ++k) {
            PyObject* name = PyTuple_GET_ITEM(names, k);
            if (name == out)
                is_known_ = given[count + k] == Py_None;
            else
                is_known_ = add_text(name) && add(given[count + k], 2);
        }
    }

    // False if there is something in the arguments that may mean something else the next time.
    bool is_known() const { return is_known_; }
    std::string_view key() const { return {bytes_, count_}; }
    int arrays() const { return arrays_; }
    PyObject* array(int place) const { return array_[place]; }
    int times(int place) const { return times_[place]; }  // that it is among the arguments
    const std::vector<PyObject*>& told_by_address() const { return told_by_address_; }

    // Also the elements of an array; false if they are scattered, or too many.
    bool add_elements(int place) {
        auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
        return PyArray_IS_C_CONTIGUOUS(array) && !PyDataType_REFCHK(PyArray_DESCR(array)) &&
               put(PyArray_BYTES(array), static_cast<size_t>(PyArray_NBYTES(array)));
    }

private:
    bool put(const void* bytes, size_t count) {
        if (count > kMostBytes - count_) return false;
        if (count) memcpy(bytes_ + count_, bytes, count);
        count_ += count;
        return true;
    }
    template <class T>
    bool put(char kind, const T& value) {
        return put(&kind, 1) && put(&value, sizeof(T));
    }

    bool add(PyObject* value, int level) {
        if (PyArray_CheckExact(value)) return add_array(value);
        if (value == Py_None || PyBool_Check(value)) return put(value == Py_None ? 'n' : 'b', value == Py_True);
        if (PyLong_CheckExact(value)) return add_integer(value);
        if (PyFloat_CheckExact(value)) return put('f', PyFloat_AS_DOUBLE(value));
        if (PyUnicode_CheckExact(value)) return add_text(value);
        if (PyType_Check(value)) return add_address('t', value);
        if (PyArray_DescrCheck(value) && !PyDataType_HASFIELDS(reinterpret_cast<PyArray_Descr*>(value)))
            return add_address('d', value);
        if (PyArray_IsScalar(value, Number) || PyArray_IsScalar(value, Bool)) return add_scalar(value);
        return level < kMostLevels && add_all(value, level + 1);
    }

    bool add_all(PyObject* value, int level) {
        const bool is_list = PyList_CheckExact(value);
        if (is_list || PyTuple_CheckExact(value)) {
            const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
            if (!put(is_list ? '[' : '(', count)) return false;
            for (Py_ssize_t k = 0; k < count; ++k)
                if (!add(PySequence_Fast_GET_ITEM(value, k), level)) return false;
            return true;
        }
        if (!PyDict_CheckExact(value) || !put('{', PyDict_GET_SIZE(value))) return false;
        PyObject *name, *item;
        for (Py_ssize_t k = 0; PyDict_Next(value, &k, &name, &item);)
            if (!add(name, level) || !add(item, level)) return false;
        return true;
    }

    bool add_integer(PyObject* value) {
        int beyond = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &beyond);
        return !beyond && put('i', number);
    }

    // A number of NumPy; one of a class of somebody's own may mean anything.
    bool add_scalar(PyObject* value) {
        if (Py_TYPE(value)->tp_flags & Py_TPFLAGS_HEAPTYPE) return false;
        char bytes[2 * sizeof(npy_longdouble)] = {};
        PyArray_ScalarAsCtype(value, bytes);
        return put('g', Py_TYPE(value)) && put(bytes, sizeof bytes);
    }

    bool add_text(PyObject* value) {
        Py_ssize_t count = 0;
        const char* text = PyUnicode_AsUTF8AndSize(value, &count);
        if (!text) PyErr_Clear();  // lone surrogates
        return text && put('s', count) && put(text, static_cast<size_t>(count));
    }

    bool add_address(char kind, PyObject* value) {
        told_by_address_.push_back(value);
        return put(kind, value);
    }

    bool add_array(PyObject* value) {
        auto* array = reinterpret_cast<PyArrayObject*>(value);
        for (int place = 0; place < arrays_; ++place)
            if (array_[place] == value) {
                ++times_[place];
                return put('=', place);
            }
        if (arrays_ == kMostArrays || PyDataType_HASFIELDS(PyArray_DESCR(array))) return false;
        times_[arrays_] = 1;
        array_[arrays_++] = value;
        const size_t ndim = static_cast<size_t>(PyArray_NDIM(array));
        return add_address('a', reinterpret_cast<PyObject*>(PyArray_DESCR(array))) &&
               (of_any_sizes_ ? put('?', ndim) : put('r', ndim)) && (of_any_sizes_ || add_sizes(array, ndim));
    }

    bool add_sizes(PyArrayObject* array, size_t ndim) {
        return put(PyArray_DIMS(array), ndim * sizeof(npy_intp)) &&
               put(PyArray_STRIDES(array), ndim * sizeof(npy_intp));
    }

    bool is_known_;
    const bool of_any_sizes_;
    char bytes_[kMostBytes];
    size_t count_ = 0;
    int arrays_ = 0;
    PyObject* array_[kMostArrays];
    int times_[kMostArrays];
    std::vector<PyObject*> told_by_address_;
};

// Up to `most` calls. They lie in two generations, as those of recent.py, but are let go only where both are large: of
// up to three quarters of `most` that come in turn all stay.
class RecentCalls {
public:
    explicit RecentCalls(size_t most) : quarter_(most / 4) { require(most > 3, "at least four calls must be kept"); }

    // The outputs of the program for a call like one before, as a tuple, or as the list that the program made; None
    // where there is none, or it refuses.
    nb::object run(nb::handle given) {
        Arguments arguments(given.ptr());
        nb::object found = outputs_for(arguments);
        if (found.is_none() && is_new(arguments))
            found = of_any_sizes(Arguments(given.ptr(), Arguments::Arrays::of_any_sizes));
        if (PyArray_CheckExact(found.ptr())) return nb::make_tuple(found);
        return PyDict_CheckExact(found.ptr()) ? outputs_of(found) : found;
    }

    // The outputs as the program returns them: by name, or as a list.
    nb::object outputs_for(Arguments& arguments) {
        if (!limits_are_default()) return none_or_error();
        const Call* found = arguments.is_known() ? find(arguments.key()) : nullptr;
        if (found && !found->deciding.empty()) {
            for (int place : found->deciding)
                if (!arguments.add_elements(place)) return nb::none();
            found = find(arguments.key());
        }
        if (!found || !found->program.is_valid()) return nb::none();
        nb::dict arrays, written;
        for (size_t k = 0; k < found->inputs.size(); ++k) {
            PyObject* array = arguments.array(found->inputs[k]);
            const bool is_tensor = !found->tensors.empty();
            const nb::object input = is_tensor ? as_tensor(array, found->tensors[k].sizes) : nb::borrow(array);
            PyObject* to = is_tensor && found->tensors[k].is_written ? written.ptr() : arrays.ptr();
            if (PyDict_SetItem(to, is_tensor ? found->tensors[k].name.ptr() : name(k), input.ptr()) < 0)
                throw nb::python_error();
        }
        const nb::object program = found->program;  // what runs may drop the call
        return found->tensors.empty() ? program(arrays) : program(arrays, written);
    }

    // Whether a call did not come lately: so that it would still be here if it were kept. It did from now on.
    bool is_new(const Arguments& arguments) {
        if (any_sizes_.empty() || !arguments.is_known() || !limits_are_default()) return false;
        const size_t hash = Hash()(arguments.key());
        Seen& seen = seen_[hash % seen_.size()];
        const Seen before = std::exchange(seen, Seen{hash, ++asked_});
        return before.hash != hash || asked_ - before.when > 3 * quarter_;
    }

    // What a function that takes arrays of any sizes makes: an array, or a tuple of them; None where there is none, or
    // it gives up, in whatever words: who is asked then says why.
    nb::object of_any_sizes(const Arguments& arguments) {
        if (!arguments.is_known()) return nb::none();
        const auto found = any_sizes_.find(arguments.key());
        if (found == any_sizes_.end()) return nb::none();
        PyObject* arrays[kMostArrays];
        for (size_t k = 0; k < found->second.inputs.size(); ++k) arrays[k] = arguments.array(found->second.inputs[k]);
        const nb::object function = found->second.program;  // what runs may drop the call
        const bool makes_view = found->second.makes_view;
        nb::object made = nb::steal(PyObject_Vectorcall(function.ptr(), arrays, found->second.inputs.size(), nullptr));
        if (made.is_valid()) return makes_view ? copied(made) : made;
        if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
        PyErr_Clear();
        return nb::none();
    }

    // Keeps a function that makes the outputs from these arrays of a call, and from others of the same types and
    // numbers of axes. False, and nothing is kept, where other arrays are among the arguments.
    // Where it `makes_view`, one of an input, the output is a copy of that.
    bool keep_for_any_sizes(nb::handle given, nb::object function, nb::list inputs, bool makes_view) {
        Arguments arguments(given.ptr(), Arguments::Arrays::of_any_sizes);
        if (!arguments.is_known()) return false;
        Call call;
        call.makes_view = makes_view;
        std::vector<int> times(static_cast<size_t>(arguments.arrays()));  // that an array is an input
        for (nb::handle input : inputs) {
            int place = 0;
            while (place < arguments.arrays() && arguments.array(place) != input.ptr()) ++place;
            if (place == arguments.arrays()) return false;
            ++times[static_cast<size_t>(place)];
            call.inputs.push_back(place);
        }
        for (int place = 0; place < arguments.arrays(); ++place)
            if (times[static_cast<size_t>(place)] != arguments.times(place)) return false;
        for (PyObject* object : arguments.told_by_address()) call.kept_alive.push_back(nb::borrow(object));
        call.program = std::move(function);
        if (any_sizes_.size() >= quarter_) {
            const Calls dropped =
                std::move(any_sizes_);  // whose end may run anything: not before the store is whole again
            any_sizes_ = Calls();
        }
        any_sizes_.insert_or_assign(std::string(arguments.key()), std::move(call));
        seen_.resize(kSeen);
        is_new(Arguments(given.ptr()));
        return true;
    }

    // Keeps what runs a call: the `run` of a program whose inputs, in0 and so on, are these arrays of the call. Of all
    // other arrays in it the elements are told from others, since they may have decided what the program does.
    // Where `tensors` tells the name and the sizes of each, and whether it is written, the program gets the arrays,
    // whose elements lie one after another, by these names and in these sizes, and the written ones in a second dict.
    void keep(nb::handle given, nb::object program, nb::list inputs, nb::list tensors) {
        Arguments arguments(given.ptr());
        if (!arguments.is_known()) return;
        Call call;
        for (nb::handle each : tensors) call.tensors.push_back(tensor_of(each));
        require(call.tensors.empty() || call.tensors.size() == nb::len(inputs), "one tensor for each input is needed");
        std::vector<int> times(static_cast<size_t>(arguments.arrays()));  // that an array is an input
        for (nb::handle input : inputs) {
            int place = 0;
            while (place < arguments.arrays() && arguments.array(place) != input.ptr()) ++place;
            if (place == arguments.arrays()) return;  // made of an argument
            ++times[static_cast<size_t>(place)];
            call.inputs.push_back(place);
        }
        for (int place = 0; place < arguments.arrays(); ++place) {
            const int found = times[static_cast<size_t>(place)];
            if (!found) call.deciding.push_back(place);
            // Once as an input and once as what decides: which of the two is which cannot be told.
            if (found && found != arguments.times(place)) return;
        }
        for (PyObject* object : arguments.told_by_address()) call.kept_alive.push_back(nb::borrow(object));
        if (!call.deciding.empty()) {
            put(arguments.key(), call);
            for (int place : call.deciding)
                if (!arguments.add_elements(place)) return;
            call.deciding.clear();
        }
        call.program = std::move(program);
        put(arguments.key(), std::move(call));
    }

    bool has_for_any_sizes(nb::handle given) const {
        const Arguments arguments(given.ptr(), Arguments::Arrays::of_any_sizes);
        return arguments.is_known() && any_sizes_.find(arguments.key()) != any_sizes_.end();
    }

    size_t size() const { return young_.size() + old_.size(); }

private:
    // How a program calls an array, and the sizes that it has there.
    struct Tensor {
        nb::object name;
        std::vector<npy_intp> sizes;
        bool is_written;
    };
    struct Call {
        std::vector<int> inputs;      // places among the arrays of the call, in the order of the program's inputs
        std::vector<int> deciding;    // places of arrays whose elements are to be added, to find the call itself
        std::vector<Tensor> tensors;  // one for each input, or none
        nb::object program;
        bool makes_view = false;
        std::vector<nb::object> kept_alive;
    };
    struct Seen {
        size_t hash = 0, when = 0;
    };

    static Tensor tensor_of(nb::handle told) {
        const auto told_of = nb::cast<nb::tuple>(told);
        Tensor tensor{nb::borrow(told_of[0]), {}, nb::cast<bool>(told_of[2])};
        for (nb::handle size : nb::cast<nb::tuple>(told_of[1])) tensor.sizes.push_back(nb::cast<int64_t>(size));
        return tensor;
    }

    // An array in other sizes, as many elements as before.
    static nb::object as_tensor(PyObject* object, const std::vector<npy_intp>& sizes) {
        auto* array = reinterpret_cast<PyArrayObject*>(object);
        const int ndim = static_cast<int>(sizes.size());
        if (PyArray_NDIM(array) == ndim && std::equal(sizes.begin(), sizes.end(), PyArray_DIMS(array)))
            return nb::borrow(object);
        PyArray_Dims other{const_cast<npy_intp*>(sizes.data()), ndim};
        nb::object made = nb::steal(PyArray_Newshape(array, &other, NPY_CORDER));
        if (!made.is_valid()) throw nb::python_error();
        return made;
    }

    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using Calls = std::unordered_map<std::string, Call, Hash, std::equal_to<>>;

    const Call* find(std::string_view key) {
        auto found = young_.find(key);
        if (found != young_.end()) return &found->second;
        found = old_.find(key);
        if (found == old_.end()) return nullptr;
        Call call = std::move(found->second);
        old_.erase(found);
        return put(key, std::move(call));
    }

    const Call* put(std::string_view key, Call call) {
        if (young_.size() >= quarter_ && size() >= 3 * quarter_ && young_.find(key) == young_.end()) {
            const Calls dropped = std::move(old_);  // whose end may run anything: not before the store is whole again
            old_ = std::move(young_);
            young_ = Calls();
            return put(key, std::move(call));
        }
        return &(young_.insert_or_assign(std::string(key), std::move(call)).first->second);
    }

    // in0, in1 ...
    static PyObject* name(size_t number) {
        static std::vector<PyObject*> names;
        while (names.size() <= number) {
            PyObject* made = PyUnicode_FromFormat("in%zu", names.size());
            if (!made) throw nb::python_error();
            PyUnicode_InternInPlace(&made);
            names.push_back(made);
        }
        return names[number];
    }

    static nb::object outputs_of(const nb::object& found) {
        nb::object outputs = nb::steal(PyTuple_New(PyDict_GET_SIZE(found.ptr())));
        if (!outputs.is_valid()) throw nb::python_error();
        PyObject *key, *value;
        Py_ssize_t number = 0;
        for (Py_ssize_t k = 0; PyDict_Next(found.ptr(), &k, &key, &value);)
            PyTuple_SET_ITEM(outputs.ptr(), number++, Py_NewRef(value));
        return outputs;
    }

    // The elements of a view in a new array, in row-major order; None where they are many, or in several arrays.
    static nb::object copied(const nb::object& view) {
        auto* array = reinterpret_cast<PyArrayObject*>(view.ptr());
        if (!PyArray_CheckExact(view.ptr()) || PyArray_NBYTES(array) > kMostCopied) return nb::none();
        nb::object made = nb::steal(PyArray_NewCopy(array, NPY_CORDER));
        if (!made.is_valid()) throw nb::python_error();
        return made;
    }

    // False, with or without an error, where other limits are in force: a plan is made then.
    static bool limits_are_default() {
        if (!limits_watched) return true;
        const Limits* known = limits();
        return known && are_in_force(known->defaults);
    }

    static nb::object none_or_error() {
        if (PyErr_Occurred()) throw nb::python_error();
        return nb::none();
    }

    size_t quarter_;
    Calls young_, old_;
    Calls any_sizes_;
    std::vector<Seen> seen_;  // calls, each at the place of its hash, so that a new one takes that of another
    size_t asked_ = 0;
};

// A function of one result written in Python, whose calls like one before are answered by what is kept. Such a call
// costs no frame of Python's, nor a dict of its arguments.
struct Answering {
    // clang-format off
    PyObject_HEAD
        // clang-format on
        vectorcallfunc call;
    PyObject* calls;     // a RecentCalls
    PyObject* function;  // what it is in Python
    PyObject* out;       // the name of an argument: a call that gives it anything but None is the function's own
};

Answering* answering(PyObject* self) { return reinterpret_cast<Answering*>(self); }

// The first output of the program for a call like one before; null, with or without an error, where there is none.
PyObject* first_output(const Answering* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
    try {
        Arguments arguments(given, count, names, self->out);
        if (!arguments.is_known()) return nullptr;
        RecentCalls* calls = nb::inst_ptr<RecentCalls>(self->calls);
        nb::object outputs = calls->outputs_for(arguments);
        if (outputs.is_none() && calls->is_new(arguments)) {
            outputs = calls->of_any_sizes({given, count, names, self->out, Arguments::Arrays::of_any_sizes});
            if (PyArray_CheckExact(outputs.ptr())) return outputs.release().ptr();
            if (PyTuple_CheckExact(outputs.ptr()) && PyTuple_GET_SIZE(outputs.ptr()))
                return Py_NewRef(PyTuple_GET_ITEM(outputs.ptr(), 0));
            return nullptr;
        }
        PyObject *name, *value;
        Py_ssize_t place = 0;
        if (!PyDict_CheckExact(outputs.ptr()) || !PyDict_Next(outputs.ptr(), &place, &name, &value)) return nullptr;
        return Py_NewRef(value);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    }
    return nullptr;
}

PyObject* call_answering(PyObject* object, PyObject* const* given, size_t flags, PyObject* names) {
    const Answering* self = answering(object);
    PyObject* found = first_output(self, given, PyVectorcall_NARGS(flags), names);
    if (found || PyErr_Occurred()) return found;
    return PyObject_Vectorcall(self->function, given, flags, names);
}

void delete_answering(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    Py_XDECREF(answering(self)->calls);
    Py_XDECREF(answering(self)->function);
    Py_XDECREF(answering(self)->out);
    type->tp_free(self);
    Py_DECREF(type);
}

PyMemberDef kMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Answering, call), READONLY, nullptr},
    {"__wrapped__", T_OBJECT_EX, offsetof(Answering, function), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot kSlots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(delete_answering)},
    {Py_tp_members, kMembers},
    {0, nullptr},
};

PyType_Spec kSpec = {"wherry._core.Answering", sizeof(Answering), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

nb::object make_answering(nb::handle type, nb::object calls, nb::object function) {
    auto* made = PyObject_New(Answering, reinterpret_cast<PyTypeObject*>(type.ptr()));
    if (!made) throw nb::python_error();
    made->call = call_answering;
    made->calls = calls.release().ptr();
    made->function = function.release().ptr();
    made->out = PyUnicode_InternFromString("out");
    return nb::steal(reinterpret_cast<PyObject*>(made));
}

}  // namespace

void add_calls(nb::module_& m) {
    const nb::object type = nb::steal(PyType_FromSpec(&kSpec));
    if (!type.is_valid()) throw nb::python_error();
    nb::class_<RecentCalls>(m, "RecentCalls", "The programs of calls that ran last, up to `most`, by their arguments.")
        .def(nb::init<size_t>(), nb::arg("most"))
        .def(
            "answers",
            [type](nb::object self, nb::object function) {
                return make_answering(type, std::move(self), std::move(function));
            },
            nb::arg("function"),
            "A decorator: a function of one result, whose calls like one that was kept are answered without it. What "
            "is\n"
            "kept of a call are its arguments by position, and behind them a dict of those by name but for `out`.")
        .def("run", &RecentCalls::run, nb::arg("arguments").none(),
             "The outputs of the program for a call like one before; None if there is none, or it refuses.")
        .def("keep", &RecentCalls::keep, nb::arg("arguments"), nb::arg("program"), nb::arg("inputs"),
             nb::arg("tensors") = nb::list(),
             "Keeps the `run` of a program whose inputs are these arrays of the arguments.")
        .def("keep_for_any_sizes", &RecentCalls::keep_for_any_sizes, nb::arg("arguments"), nb::arg("function"),
             nb::arg("inputs"), nb::arg("makes_view"),
             "Keeps what makes the outputs from these arrays of the arguments, and from others of other sizes. It\n"
             "answers a call whose sizes are new; the next one like that is not answered.")
        .def("has_for_any_sizes", &RecentCalls::has_for_any_sizes, nb::arg("arguments"),
             "Whether something is kept for such arguments, whatever the sizes of arrays are.")
        .def("__len__", &RecentCalls::size);
}

}  // namespace wherry::bind
