#include "recent_calls.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "../steps/step.hpp"
#include "../tune/thresholds.hpp"
#include "limits.hpp"
#include "results.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr size_t kSeen = 4096;  // calls of which it is known when they came

// An array in other sizes, as many elements as before.
nb::object as_tensor(PyObject* object, const std::vector<npy_intp>& sizes) {
    auto* array = reinterpret_cast<PyArrayObject*>(object);
    const int ndim = static_cast<int>(sizes.size());
    if (PyArray_NDIM(array) == ndim && std::equal(sizes.begin(), sizes.end(), PyArray_DIMS(array)))
        return nb::borrow(object);
    PyArray_Dims other{const_cast<npy_intp*>(sizes.data()), ndim};
    nb::object made = nb::steal(PyArray_Newshape(array, &other, NPY_CORDER));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

// in0, in1 ...
PyObject* name(size_t number) {
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
nb::object outputs_of(const nb::object& found) {
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
nb::object copied(const nb::object& view) {
    PyArrayObject* array = exact_array(view.ptr());
    if (!array || PyArray_NBYTES(array) > kMostDirect || !is_plain(array)) return nb::none();
    return copied_to_new(array);
}

nb::object none_or_error() {
    if (PyErr_Occurred()) throw nb::python_error();
    return nb::none();
}

PyObject* out_of(const CallKey& arguments) { return arguments.out() < 0 ? nullptr : arguments.array(arguments.out()); }

// Whether a result is made elsewhere and copied to `out`: a large one is better made where it goes.
bool takes_copy(PyObject* out) {
    return PyArray_NBYTES(reinterpret_cast<PyArrayObject*>(out)) <= tune::kCopiedResult && may_take_result(out);
}

// `out`, with the only output in it; None where it cannot take that.
nb::object written(const nb::object& outputs, PyObject* out) {
    const bool has_first = PyTuple_CheckExact(outputs.ptr()) && PyTuple_GET_SIZE(outputs.ptr()) > 0;
    PyObject* const result = has_first ? PyTuple_GET_ITEM(outputs.ptr(), 0) : outputs.ptr();
    return write_results({&result, 1}, {&out, 1}) ? nb::borrow(out) : nb::none();
}

// Objects that are looked at before they are moved: ten microseconds, where a plan takes two hundred.
constexpr npy_intp kMostLookedAt = 8192;

// Whether all objects that are read are strings, as a look at few of them tells.
bool reads_strings(const CallKey& arguments) {
    for (int k = 0; k < arguments.arrays(); ++k) {
        PyObject* const array = arguments.array(k);
        if (k == arguments.out() || !holds_objects(array)) continue;
        if (PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array)) > kMostLookedAt) return false;
        if (!hold_strings(array)) return false;
    }
    return true;
}

}  // namespace

RecentCalls::RecentCalls(size_t most, bool strings_alone) : quarter_(most / 4), strings_alone_(strings_alone) {
    require(most > 3, "at least four calls must be kept");
}

nb::object RecentCalls::run(nb::handle given, nb::handle out) {
    CallKey arguments(given.ptr(), 0, out.ptr());
    const nb::object found = outputs_for(arguments);
    return found.is_none() || are_several(found) ? found : nb::make_tuple(found);
}

bool RecentCalls::write_outputs(CallKey& arguments, nb::handle given) {
    Outs outs{{PySequence_Fast_ITEMS(given.ptr()), nb::len(given)}};
    const nb::object outputs = outputs_for(arguments, nullptr, &outs);
    return outs.are_written || write_results(outputs, given);
}

nb::object RecentCalls::outputs_for(CallKey& arguments, LastCall::Answerer* by, Outs* outs) {
    if (!arguments.is_known()) return nb::none();
    if (!are_default()) return none_or_error();  // a plan is made where other limits are in force
    PyObject* const out = out_of(arguments);
    // What was moved there could not be taken back.
    if (strings_alone_ && out && holds_objects(out) && !reads_strings(arguments)) return nb::none();
    nb::object found = outputs_like_before(arguments, outs);
    if (outs && outs->are_written) return nb::none();
    if (found.is_none()) found = outputs_of_any_sizes(arguments, by);
    return strings_alone_ && !hold_strings(found.ptr()) ? nb::none() : found;
}

bool RecentCalls::keep_for_any_sizes(nb::handle given, nb::object function, nb::list inputs, bool makes_view,
                                     bool refuses_empty, nb::list values) {
    const CallKey arguments(given.ptr());
    if (!arguments.is_known()) return false;
    Call call;
    call.makes_view = makes_view;
    call.refuses_empty = refuses_empty;
    std::vector<int> times(static_cast<size_t>(arguments.arrays()));  // that an array is an input
    for (nb::handle input : inputs) {
        int place = 0;
        while (place < arguments.arrays() && arguments.array(place) != input.ptr()) ++place;
        if (place < arguments.arrays())
            ++times[static_cast<size_t>(place)];
        else
            call.made.push_back(nb::borrow(input));
        call.inputs.push_back(place < arguments.arrays() ? place : -static_cast<int>(call.made.size()));
    }
    for (nb::handle value : values) {
        const int place = call.inputs.at(nb::cast<size_t>(value));
        if (place >= 0) call.values.push_back(place);
    }
    Call by_elements;
    for (int place = 0; place < arguments.arrays(); ++place) {
        const int found = times[static_cast<size_t>(place)];
        if (!found) by_elements.deciding.push_back(place);
        if (found && found != arguments.times(place)) return false;
    }
    call.values.insert(call.values.end(), by_elements.deciding.begin(), by_elements.deciding.end());
    const std::string bytes = arguments.bytes_with(by_elements.deciding);
    if (bytes.empty() || call.inputs.size() > CallKey::kMostArrays) return false;
    for (PyObject* object : arguments.told_by_address()) call.kept_alive.push_back(nb::borrow(object));
    const bool is_direct = call.values.empty() && makes_view == nb::isinstance<Transposing>(function);
    call.core_function = direct_of(function);
    call.direct = is_direct ? call.core_function : nullptr;
    if (call.direct) drop(arguments.key());
    call.program = std::move(function);
    seen_.resize(kSeen);
    is_new(arguments.hash_with(call.values));
    Calls dropped;  // whose end may run anything: not before the store is whole again
    if (any_sizes_.size() >= quarter_) std::swap(dropped, any_sizes_);
    if (!by_elements.deciding.empty()) {
        by_elements.kept_alive = call.kept_alive;
        any_sizes_.insert_or_assign(StoredKey(arguments.key_of_any_sizes()), std::move(by_elements));
    }
    any_sizes_.insert_or_assign(StoredKey({bytes, hash_of(bytes)}), std::move(call));
    return true;
}

void RecentCalls::keep(nb::handle given, nb::object program, nb::list inputs, nb::list tensors, bool is_found_again,
                       bool keeps_made, bool takes_arrays, nb::handle out) {
    CallKey arguments(given.ptr(), 0, out.ptr());
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
        if (!found && place != arguments.out()) call.deciding.push_back(place);
        // Once as an input and once as what decides: which of the two is which cannot be told.
        if (found && found != arguments.times(place)) return;
    }
    if (is_found_again && arguments.are_answered_as_soon(call.deciding)) return;
    for (PyObject* object : arguments.told_by_address()) call.kept_alive.push_back(nb::borrow(object));
    if (!call.deciding.empty()) {
        put(arguments.key(), call);
        for (int place : call.deciding)
            if (!arguments.add_elements(place)) return;
        call.deciding.clear();
    }
    call.take(std::move(program));
    call.is_found_again = is_found_again;
    call.writes_out = is_found_again && arguments.out() >= 0;
    call.takes_arrays = takes_arrays && call.inputs.size() <= CallKey::kMostArrays;
    put(arguments.key(), std::move(call));
}

bool RecentCalls::lacks_for_any_sizes(nb::handle given) const {
    const CallKey arguments(given.ptr());
    return arguments.is_known() && !find_for_any_sizes(arguments);
}

const RecentCalls::Call* RecentCalls::find_for_any_sizes(const CallKey& arguments) const {
    auto found = any_sizes_.find(arguments.key_of_any_sizes());
    if (found == any_sizes_.end() || found->second.deciding.empty())
        return found == any_sizes_.end() ? nullptr : &found->second;
    const std::string bytes = arguments.bytes_with(found->second.deciding);
    found = any_sizes_.find(Key{bytes, hash_of(bytes)});
    return found == any_sizes_.end() ? nullptr : &found->second;
}

nb::object RecentCalls::outputs_like_before(CallKey& arguments, Outs* outs) {
    Call* found = find(arguments.key());
    if (found && !found->deciding.empty()) {
        for (int place : found->deciding)
            if (!arguments.add_elements(place)) return nb::none();
        found = find(arguments.key());
    }
    if (found && found->is_found_again) found = found_again(*found, arguments);
    if (!found || !found->program.is_valid()) return nb::none();
    if (outs && (outs->are_written = write_outputs(*found, arguments, outs->arrays))) return nb::none();
    return found->core ? outputs_of_program(*found, arguments) : outputs_of_function(*found, arguments);
}

bool RecentCalls::write_outputs(const Call& call, const CallKey& arguments, std::span<PyObject* const> outs) {
    if (call.copies) return call.copies->write(outs);
    if (!call.core_function || !call.takes_arrays) return false;
    const nb::object function = call.program;  // what runs may drop the call
    PyObject* space[CallKey::kMostArrays];
    try {
        return direct_of(function)->write_outputs(arrays_of(call, arguments, space), outs);
    } catch (const std::exception&) {
        return false;  // what makes them says why
    }
}

std::span<PyObject* const> RecentCalls::arrays_of(const Call& call, const CallKey& arguments, PyObject** space) {
    for (size_t k = 0; k < call.inputs.size(); ++k) space[k] = call.input(k, arguments);
    return {space, call.inputs.size()};
}

RecentCalls::Call* RecentCalls::found_again(const Call& call, const CallKey& arguments) {
    const nb::object finder = call.program;  // what runs may drop the call
    const nb::object program = finder(named_arrays(call, arguments).first);
    Call* again = find(arguments.key());
    if (again) again->take(program);
    return again;
}

nb::object RecentCalls::outputs_of_program(const Call& call, const CallKey& arguments) {
    const nb::object owner = call.program;  // what runs may drop the call
    const Program& program = *call.core;
    Held held;
    for (size_t k = 0; k < call.inputs.size(); ++k) held.add(call.input(k, arguments));
    const int inputs = held.count();
    const bool in_place = arguments.out() >= 0;
    if (in_place) held.add(arguments.array(arguments.out()));
    if (!run_in_order(program, held, in_place)) return nb::none();
    if (held.count() == inputs + 1) return nb::borrow(held.object(inputs));
    nb::object outputs = nb::steal(PyTuple_New(held.count() - inputs));
    if (!outputs.is_valid()) throw nb::python_error();
    for (int k = inputs; k < held.count(); ++k) PyTuple_SET_ITEM(outputs.ptr(), k - inputs, Py_NewRef(held.object(k)));
    return outputs;
}

nb::object RecentCalls::outputs_of_arrays(const Call& call, const CallKey& arguments) {
    const nb::object function = call.program;  // what runs may drop the call
    const std::vector<nb::object> made_of_arguments = call.made;
    PyObject* space[CallKey::kMostArrays];
    const std::span<PyObject* const> arrays = arrays_of(call, arguments, space);
    if (!call.core_function)
        return nb::steal(PyObject_Vectorcall(function.ptr(), arrays.data(), arrays.size(), nullptr));
    try {
        return call.core_function->output(arrays);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    }
    return nb::object();
}

nb::object RecentCalls::outputs_of_function(const Call& call, const CallKey& arguments) {
    PyObject* const out = out_of(arguments);
    if (call.writes_out) return may_take_result(out) ? outputs_by_name(call, arguments) : nb::none();
    if (out && !takes_copy(out)) return nb::none();
    nb::object outputs = call.takes_arrays ? outputs_of_arrays(call, arguments) : outputs_by_name(call, arguments);
    if (!outputs.is_valid() && PyErr_ExceptionMatches(PyExc_MemoryError)) {
        PyErr_Clear();  // the function itself says how much was needed
        return nb::none();
    }
    if (!outputs.is_valid()) throw nb::python_error();
    return out ? written(outputs, out) : outputs;
}

nb::object RecentCalls::outputs_by_name(const Call& call, const CallKey& arguments) {
    const nb::object program = call.program;  // what runs may drop the call
    const bool writes = !call.tensors.empty() || call.writes_out;
    const auto [arrays, written] = named_arrays(call, arguments);
    const nb::object made = writes ? program(arrays, written) : program(arrays);
    return PyDict_CheckExact(made.ptr()) ? outputs_of(made) : made;
}

std::pair<nb::dict, nb::dict> RecentCalls::named_arrays(const Call& call, const CallKey& arguments) {
    nb::dict arrays, written;
    for (size_t k = 0; k < call.inputs.size(); ++k) {
        PyObject* array = call.input(k, arguments);
        const bool is_tensor = !call.tensors.empty();
        const nb::object input = is_tensor ? as_tensor(array, call.tensors[k].sizes) : nb::borrow(array);
        PyObject* to = is_tensor && call.tensors[k].is_written ? written.ptr() : arrays.ptr();
        if (PyDict_SetItem(to, is_tensor ? call.tensors[k].name.ptr() : name(k), input.ptr()) < 0)
            throw nb::python_error();
    }
    if (call.writes_out && PyDict_SetItemString(written.ptr(), "out0", out_of(arguments)) < 0) throw nb::python_error();
    return {arrays, written};
}

nb::object RecentCalls::outputs_of_any_sizes(const CallKey& arguments, LastCall::Answerer* by) {
    const Call* found = find_for_any_sizes(arguments);
    PyObject* const out = out_of(arguments);
    if (!found) return nb::none();
    const Call& call = *found;
    for (size_t k = 0; call.refuses_empty && k < call.inputs.size(); ++k)
        if (PyArray_SIZE(reinterpret_cast<PyArrayObject*>(call.input(k, arguments))) == 0) return nb::none();
    if (call.direct && (!out || call.direct->has_output_to())) return outputs_of_direct(call, arguments, by);
    if (out && !takes_copy(out)) return nb::none();
    if (arguments.has_few(call.values) && !is_new(arguments.hash_with(call.values))) return nb::none();
    const bool makes_view = call.makes_view;
    const nb::object made = outputs_of_arrays(call, arguments);
    if (made.is_valid() && out) return written(made, out);
    if (made.is_valid()) return makes_view ? copied(made) : made;
    if (!is_refusal()) throw nb::python_error();
    PyErr_Clear();
    return nb::none();
}

nb::object RecentCalls::outputs_of_direct(const Call& call, const CallKey& arguments, LastCall::Answerer* by) {
    const nb::object function = call.program;  // what runs may drop the call
    if (by) *by = {function, call.inputs, call.refuses_empty};
    PyObject* space[CallKey::kMostArrays];
    return output_of(*direct_of(function), arrays_of(call, arguments, space), out_of(arguments));
}

bool RecentCalls::is_new(size_t hash) {
    Seen& seen = seen_[hash % seen_.size()];
    const Seen before = std::exchange(seen, Seen{hash, ++asked_});
    return before.hash != hash || asked_ - before.when > 3 * quarter_;
}

RecentCalls::Tensor RecentCalls::tensor_of(nb::handle told) {
    const auto told_of = nb::cast<nb::tuple>(told);
    Tensor tensor{nb::borrow(told_of[0]), {}, nb::cast<bool>(told_of[2])};
    for (nb::handle size : nb::cast<nb::tuple>(told_of[1])) tensor.sizes.push_back(nb::cast<int64_t>(size));
    return tensor;
}

RecentCalls::Call* RecentCalls::find(const Key& key) {
    auto found = young_.find(key);
    if (found != young_.end()) return &found->second;
    found = old_.find(key);
    if (found == old_.end()) return nullptr;
    Call call = std::move(found->second);
    old_.erase(found);
    return put(key, std::move(call));
}

void RecentCalls::drop(const Key& key) {
    for (Calls* calls : {&young_, &old_}) {
        const auto found = calls->find(key);
        if (found == calls->end()) continue;
        const Call dropped = std::move(found->second);  // whose end may run anything: not before the store is whole
        calls->erase(found);
    }
}

RecentCalls::Call* RecentCalls::put(const Key& key, Call call) {
    if (young_.size() >= quarter_ && size() >= 3 * quarter_ && young_.find(key) == young_.end()) {
        const Calls dropped = std::move(old_);  // whose end may run anything: not before the store is whole again
        old_ = std::move(young_);
        young_ = Calls();
        return put(key, std::move(call));
    }
    return &(young_.insert_or_assign(StoredKey(key), std::move(call)).first->second);
}

}  // namespace wherry::bind
