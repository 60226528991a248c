// Calls like one before: found by the types and sizes of their arrays, and by all else that they are given, so that no
// rule is looked at again.
#include <nanobind/nanobind.h>
#include <string.h>
#include <structmember.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../steps/step.hpp"
#include "limits.hpp"
#include "module.hpp"
#include "numpy.hpp"
#include "packed_strings.hpp"
#include "program.hpp"
#include "transposing.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr size_t kMostBytes = 2048;  // of what stands for the arguments of a call: longer ones are not kept
constexpr int kMostArrays = 32;
constexpr size_t kSeen = 4096;                 // calls of which it is known when they came
constexpr npy_intp kMostCopied = 1 << 20;      // bytes of a view from which a plan copies it
constexpr int kMostLevels = 4;                 // of lists and dicts in each other
constexpr size_t kMixes = 0x9E3779B97F4A7C15;  // hashes of parts, to one of all

// Bytes, whose hash is known.
struct Key {
    std::string_view bytes;
    size_t hash;
};

size_t hash_of(std::string_view bytes) { return std::hash<std::string_view>()(bytes); }

// What a call is given, as bytes: equal ones stand for arguments that mean the same. Element types, Python's types and
// the names that it keeps once are told by their addresses, of which a call that is kept holds the objects. No code of
// a caller's runs. The sizes and strides of arrays come behind all else, which is what is known where they may be any.
class Arguments {
public:
    explicit Arguments(PyObject* given) { is_known_ = add(given, 0) && add_sizes(); }

    // The same as a tuple of the arguments by position, and behind them a dict of those by name but for `out`.
    Arguments(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject* out) {
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
        is_known_ = is_known_ && add_sizes();
    }

    // False if there is something in the arguments that may mean something else the next time.
    bool is_known() const { return is_known_; }
    Key key() const { return {{bytes_, count_}, hash_}; }
    // Without the sizes of arrays: the numbers of their axes alone.
    Key key_of_any_sizes() const { return {{bytes_, without_sizes_}, hash_without_sizes_}; }
    int arrays() const { return arrays_; }
    PyObject* array(int place) const { return array_[place]; }
    int times(int place) const { return times_[place]; }  // that it is among the arguments
    std::span<PyObject* const> told_by_address() const { return {told_by_address_, told_count_}; }

    // Also the elements of an array; false if they are scattered, or too many.
    bool add_elements(int place) {
        auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
        const size_t first = count_;
        if (!PyArray_IS_C_CONTIGUOUS(array) || PyDataType_REFCHK(PyArray_DESCR(array)) ||
            !put(PyArray_BYTES(array), static_cast<size_t>(PyArray_NBYTES(array))))
            return false;
        hash_ = hash_ * kMixes + hash_of({bytes_ + first, count_ - first});
        return true;
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
        if (PyUnicode_CHECK_INTERNED(value)) return add_address('u', value);
        Py_ssize_t count = 0;
        const char* text = PyUnicode_AsUTF8AndSize(value, &count);
        if (!text) PyErr_Clear();  // lone surrogates
        return text && put('s', count) && put(text, static_cast<size_t>(count));
    }

    bool add_address(char kind, PyObject* value) {
        if (!put(kind, value)) return false;
        told_by_address_[told_count_++] = value;
        return true;
    }

    // Each array of strings has a dtype of its own, which has the strings: it is told by what makes it equal to others.
    bool add_element_type(PyArray_Descr* descr) {
        if (!holds_strings(descr)) return add_address('a', reinterpret_cast<PyObject*>(descr));
        PyObject* missing = string_dtype(descr)->na_object;
        return put('v', string_dtype(descr)->coerce) && (missing ? add_address('m', missing) : put('m', missing));
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
        return add_element_type(PyArray_DESCR(array)) && put('r', PyArray_NDIM(array));
    }

    bool add_sizes() {
        without_sizes_ = count_;
        hash_without_sizes_ = hash_of({bytes_, count_});
        for (int place = 0; place < arrays_; ++place) {
            auto* array = reinterpret_cast<PyArrayObject*>(array_[place]);
            const size_t bytes = static_cast<size_t>(PyArray_NDIM(array)) * sizeof(npy_intp);
            if (!put(PyArray_DIMS(array), bytes) || !put(PyArray_STRIDES(array), bytes)) return false;
        }
        hash_ = hash_without_sizes_ * kMixes + hash_of({bytes_ + without_sizes_, count_ - without_sizes_});
        return true;
    }

    bool is_known_;
    char bytes_[kMostBytes];
    size_t count_ = 0, without_sizes_ = 0;
    size_t hash_ = 0, hash_without_sizes_ = 0;
    int arrays_ = 0;
    PyObject* array_[kMostArrays];
    int times_[kMostArrays];
    PyObject* told_by_address_[kMostBytes / (1 + sizeof(PyObject*))];
    size_t told_count_ = 0;
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
        const nb::object found = outputs_for(arguments);
        return found.is_none() || are_several(found) ? found : nb::make_tuple(found);
    }

    static bool are_several(const nb::object& outputs) {
        return PyTuple_CheckExact(outputs.ptr()) || PyList_CheckExact(outputs.ptr());
    }

    // The only output, or all in a tuple, or in the list that the program made.
    nb::object outputs_for(Arguments& arguments) {
        if (!arguments.is_known()) return nb::none();
        if (!limits_are_default()) return none_or_error();
        nb::object found = outputs_like_before(arguments);
        return found.is_none() ? outputs_of_any_sizes(arguments) : found;
    }

    // Keeps a function that makes the outputs from these arrays of a call, and from others of the same types and
    // numbers of axes. False, and nothing is kept, where other arrays are among the arguments.
    // Where it `makes_view`, one of an input, the output is a copy of that; where it `refuses_empty`, arrays without
    // elements are not for it.
    bool keep_for_any_sizes(nb::handle given, nb::object function, nb::list inputs, bool makes_view,
                            bool refuses_empty) {
        const Arguments arguments(given.ptr());
        if (!arguments.is_known()) return false;
        Call call;
        call.makes_view = makes_view;
        call.refuses_empty = refuses_empty;
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
        if (nb::isinstance<Transposing>(function)) call.transposing = nb::inst_ptr<Transposing>(function);
        call.program = std::move(function);
        if (any_sizes_.size() >= quarter_) {
            const Calls dropped =
                std::move(any_sizes_);  // whose end may run anything: not before the store is whole again
            any_sizes_ = Calls();
        }
        any_sizes_.insert_or_assign(StoredKey(arguments.key_of_any_sizes()), std::move(call));
        seen_.resize(kSeen);
        is_new(arguments.key().hash);
        return true;
    }

    // Keeps what runs a call: the `run` of a program whose inputs, in0 and so on, are these arrays of the call. Of all
    // other arrays in it the elements are told from others, since they may have decided what the program does.
    // Where `tensors` tells the name and the sizes of each, and whether it is written, the program gets the arrays,
    // whose elements lie one after another, by these names and in these sizes, and the written ones in a second dict.
    // Where it `is_found_again` the program is a function that finds it, for the arrays of the next call like this.
    // Inputs that are made of arguments, such as lists, are the same the next time: the call is kept with them where it
    // `keeps_made`, and else not at all.
    void keep(nb::handle given, nb::object program, nb::list inputs, nb::list tensors, bool is_found_again,
              bool keeps_made) {
        Arguments arguments(given.ptr());
        if (!arguments.is_known()) return;
        Call call;
        for (nb::handle each : tensors) call.tensors.push_back(tensor_of(each));
        require(call.tensors.empty() || call.tensors.size() == nb::len(inputs), "one tensor for each input is needed");
        std::vector<int> times(static_cast<size_t>(arguments.arrays()));  // that an array is an input
        for (nb::handle input : inputs) {
            int place = 0;
            while (place < arguments.arrays() && arguments.array(place) != input.ptr()) ++place;
            if (place < arguments.arrays()) {
                ++times[static_cast<size_t>(place)];
                call.inputs.push_back(place);
            } else if (keeps_made) {
                call.made.push_back(nb::borrow(input));
                call.inputs.push_back(-static_cast<int>(call.made.size()));
            } else {
                return;
            }
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
        call.take(std::move(program));
        call.is_found_again = is_found_again;
        put(arguments.key(), std::move(call));
    }

    bool has_for_any_sizes(nb::handle given) const {
        const Arguments arguments(given.ptr());
        return arguments.is_known() && any_sizes_.find(arguments.key_of_any_sizes()) != any_sizes_.end();
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
        // Places among the arrays of the call, in the order of the program's inputs; -1, -2 ... are those of `made`.
        std::vector<int> inputs;
        std::vector<nb::object> made;
        std::vector<int> deciding;    // places of arrays whose elements are to be added, to find the call itself
        std::vector<Tensor> tensors;  // one for each input, or none
        nb::object program;
        const Program* core = nullptr;             // the program, where it is the core's own
        const Transposing* transposing = nullptr;  // the same, of a function for arrays of any sizes
        bool is_found_again = false;               // the program is what finds it
        bool makes_view = false;
        bool refuses_empty = false;
        std::vector<nb::object> kept_alive;

        PyObject* input(size_t number, const Arguments& arguments) const {
            const int place = inputs[number];
            return place < 0 ? made[static_cast<size_t>(-1 - place)].ptr() : arguments.array(place);
        }
        void take(nb::object made) {
            program = std::move(made);
            core = program_of(program);
            is_found_again = false;
        }
    };
    struct Seen {
        size_t hash = 0, when = 0;
    };

    // What the program of a call like this one makes; None where there is none, or it refuses.
    nb::object outputs_like_before(Arguments& arguments) {
        Call* found = find(arguments.key());
        if (found && !found->deciding.empty()) {
            for (int place : found->deciding)
                if (!arguments.add_elements(place)) return nb::none();
            found = find(arguments.key());
        }
        if (!found || !found->program.is_valid()) return nb::none();
        if (!found->core) return outputs_of_function(*found, arguments);
        const nb::object owner = found->program;  // what runs may drop the call
        Held held;
        for (size_t k = 0; k < found->inputs.size(); ++k) held.add(found->input(k, arguments));
        const int inputs = held.count();
        if (!run_in_order(*found->core, held)) return nb::none();
        if (held.count() == inputs + 1) return nb::borrow(held.object(inputs));
        nb::object outputs = nb::steal(PyTuple_New(held.count() - inputs));
        if (!outputs.is_valid()) throw nb::python_error();
        for (int k = inputs; k < held.count(); ++k)
            PyTuple_SET_ITEM(outputs.ptr(), k - inputs, Py_NewRef(held.object(k)));
        return outputs;
    }

    // What a function of Python's makes.
    nb::object outputs_of_function(Call& found, const Arguments& arguments) {
        nb::dict arrays, written;
        for (size_t k = 0; k < found.inputs.size(); ++k) {
            PyObject* array = found.input(k, arguments);
            const bool is_tensor = !found.tensors.empty();
            const nb::object input = is_tensor ? as_tensor(array, found.tensors[k].sizes) : nb::borrow(array);
            PyObject* to = is_tensor && found.tensors[k].is_written ? written.ptr() : arrays.ptr();
            if (PyDict_SetItem(to, is_tensor ? found.tensors[k].name.ptr() : name(k), input.ptr()) < 0)
                throw nb::python_error();
        }
        nb::object program = found.program;  // what runs may drop the call
        const bool has_tensors = !found.tensors.empty();
        if (found.is_found_again) {
            program = program(arrays);
            if (Call* again = find(arguments.key())) again->take(program);
        }
        const nb::object made = program_of(program) ? program.attr("run")(arrays)
                                : has_tensors       ? program(arrays, written)
                                                    : program(arrays);
        return PyDict_CheckExact(made.ptr()) ? outputs_of(made) : made;
    }

    // What is kept for arrays of any sizes makes, where it is to answer: an array, or a tuple of them. None where there
    // is nothing, or it gives up, in whatever words: who is asked then says why.
    nb::object outputs_of_any_sizes(const Arguments& arguments) {
        const auto found = any_sizes_.find(arguments.key_of_any_sizes());
        if (found == any_sizes_.end()) return nb::none();
        const Call& call = found->second;
        for (size_t k = 0; call.refuses_empty && k < call.inputs.size(); ++k)
            if (PyArray_SIZE(reinterpret_cast<PyArrayObject*>(arguments.array(call.inputs[k]))) == 0) return nb::none();
        const nb::object function = call.program;  // what runs may drop the call
        if (call.transposing) return call.transposing->copied(arguments.array(call.inputs[0]));
        if (!is_new(arguments.key().hash)) return nb::none();
        PyObject* arrays[kMostArrays];
        for (size_t k = 0; k < call.inputs.size(); ++k) arrays[k] = arguments.array(call.inputs[k]);
        const bool makes_view = call.makes_view;
        nb::object made = nb::steal(PyObject_Vectorcall(function.ptr(), arrays, call.inputs.size(), nullptr));
        if (made.is_valid()) return makes_view ? copied(made) : made;
        if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
        PyErr_Clear();
        return nb::none();
    }

    // Whether a call did not come lately: so that it would still be here if it were kept. It did from now on.
    bool is_new(size_t hash) {
        Seen& seen = seen_[hash % seen_.size()];
        const Seen before = std::exchange(seen, Seen{hash, ++asked_});
        return before.hash != hash || asked_ - before.when > 3 * quarter_;
    }

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

    struct StoredKey {
        explicit StoredKey(const Key& key) : bytes(key.bytes), hash(key.hash) {}
        std::string bytes;
        size_t hash;
    };
    struct Hash {
        using is_transparent = void;
        template <class Any>
        size_t operator()(const Any& key) const {
            return key.hash;
        }
    };
    struct Equal {
        using is_transparent = void;
        template <class First, class Second>
        bool operator()(const First& first, const Second& second) const {
            return first.bytes == second.bytes;
        }
    };
    using Calls = std::unordered_map<StoredKey, Call, Hash, Equal>;

    Call* find(const Key& key) {
        auto found = young_.find(key);
        if (found != young_.end()) return &found->second;
        found = old_.find(key);
        if (found == old_.end()) return nullptr;
        Call call = std::move(found->second);
        old_.erase(found);
        return put(key, std::move(call));
    }

    Call* put(const Key& key, Call call) {
        if (young_.size() >= quarter_ && size() >= 3 * quarter_ && young_.find(key) == young_.end()) {
            const Calls dropped = std::move(old_);  // whose end may run anything: not before the store is whole again
            old_ = std::move(young_);
            young_ = Calls();
            return put(key, std::move(call));
        }
        return &(young_.insert_or_assign(StoredKey(key), std::move(call)).first->second);
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

    // The only one of a dict, or all in a tuple.
    static nb::object outputs_of(const nb::object& found) {
        nb::object outputs = nb::steal(PyTuple_New(PyDict_GET_SIZE(found.ptr())));
        if (!outputs.is_valid()) throw nb::python_error();
        PyObject *key, *value;
        Py_ssize_t number = 0;
        if (PyDict_GET_SIZE(found.ptr()) == 1) {
            PyDict_Next(found.ptr(), &number, &key, &value);
            return nb::borrow(value);
        }
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
        nb::object outputs = nb::inst_ptr<RecentCalls>(self->calls)->outputs_for(arguments);
        if (outputs.is_none()) return nullptr;
        if (!RecentCalls::are_several(outputs)) return outputs.release().ptr();
        const bool has_first = PyTuple_CheckExact(outputs.ptr()) && PyTuple_GET_SIZE(outputs.ptr()) > 0;
        return has_first ? Py_NewRef(PyTuple_GET_ITEM(outputs.ptr(), 0)) : nullptr;
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
        .def(
            "keep", &RecentCalls::keep, nb::arg("arguments"), nb::arg("program"), nb::arg("inputs"),
            nb::arg("tensors") = nb::list(), nb::arg("is_found_again") = false, nb::arg("keeps_made") = false,
            "Keeps a program whose inputs are these arrays of the arguments, or a function of Python's, or what finds\n"
            "either for the arrays of the next call.")
        .def("keep_for_any_sizes", &RecentCalls::keep_for_any_sizes, nb::arg("arguments"), nb::arg("function"),
             nb::arg("inputs"), nb::arg("makes_view"), nb::arg("refuses_empty") = false,
             "Keeps what makes the outputs from these arrays of the arguments, and from others of other sizes. It\n"
             "answers a call whose sizes are new; the next one like that is not answered.")
        .def("has_for_any_sizes", &RecentCalls::has_for_any_sizes, nb::arg("arguments"),
             "Whether something is kept for such arguments, whatever the sizes of arrays are.")
        .def("__len__", &RecentCalls::size);
}

}  // namespace wherry::bind
