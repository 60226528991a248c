// Calls like one before: found by the types and sizes of their arrays, and by all else that they are given, so that no
// rule is looked at again.
#pragma once

#include "call_key.hpp"

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "copies.hpp"
#include "last_call.hpp"
#include "program.hpp"
#include "transposing.hpp"

namespace wherry::bind {

// Up to `most` calls. They lie in two generations, as those of recent.py, but are let go only where both are large: of
// up to three quarters of `most` that come in turn all stay.
class RecentCalls {
public:
    // Where `strings_alone`, no call is answered whose outputs hold other Python objects.
    RecentCalls(size_t most, bool strings_alone);

    // The outputs of the program for a call like one before, as a tuple, or as the list that the program made; None
    // where there is none, or it refuses. The only one is written to `out` if that is not None.
    nanobind::object run(nanobind::handle given, nanobind::handle out);

    // Arrays that all outputs go to, if what makes these can write them there.
    struct Outs {
        std::span<PyObject* const> arrays;
        bool are_written = false;
    };

    // The only output, or all in a tuple, or in the list that the program made; None where there are none, or they were
    // written to `outs`. A Direct that answers is told.
    nanobind::object outputs_for(CallKey& arguments, LastCall::Answerer* by = nullptr, Outs* outs = nullptr);

    // Writes all outputs to arrays for them, those of a tuple; false, with nothing written, where it cannot.
    bool write_outputs(CallKey& arguments, nanobind::handle outs);

    // Keeps a function that makes the outputs from these arrays of a call, and from others of the same types and
    // numbers of axes. Of all other arrays among the arguments sizes and elements must be the same. False, and nothing
    // is kept, where these are many. Inputs that are made of other arguments, such as lists, are the same. The elements
    // of the inputs at the places `values` decide as sizes do: a call with others is a new one. Where it `makes_view`,
    // one of an input, the output is a copy of that; where it `refuses_empty`, arrays without elements are not for it.
    // Where it is a Direct it answers every call, and nothing is kept for the sizes of this one.
    bool keep_for_any_sizes(nanobind::handle given, nanobind::object function, nanobind::list inputs, bool makes_view,
                            bool refuses_empty, nanobind::list values);

    // Keeps what runs a call: the `run` of a program whose inputs, in0 and so on, are these arrays of the call. Of all
    // other arrays in it the elements are told from others, since they may have decided what the program does.
    // Where `tensors` tells the name and the sizes of each, and whether it is written, the program gets the arrays,
    // whose elements lie one after another, by these names and in these sizes, and the written ones in a second dict.
    // Where it `is_found_again` the program is a function that finds it, for the arrays of the next call like this.
    // Inputs that are made of arguments, such as lists, are the same the next time: the call is kept with them where it
    // `keeps_made`, and else not at all.
    // Where it `takes_arrays` the program is a function of the arrays in order, which returns the outputs.
    // `out`, if it is not None, is what the call's only output is written to, by a program of the core, or a plan that
    // is found again, which gets it as out0 in a second dict; what another function makes is copied there, if it is not
    // large.
    void keep(nanobind::handle given, nanobind::object program, nanobind::list inputs, nanobind::list tensors,
              bool is_found_again, bool keeps_made, bool takes_arrays, nanobind::handle out);

    // Whether nothing is kept for such a call, and something could be.
    bool lacks_for_any_sizes(nanobind::handle given) const;

    size_t size() const { return young_.size() + old_.size(); }

private:
    // How a program calls an array, and the sizes that it has there.
    struct Tensor {
        nanobind::object name;
        std::vector<npy_intp> sizes;
        bool is_written;
    };
    struct Call {
        // Places among the arrays of the call, in the order of the program's inputs; -1, -2 ... are those of `made`.
        std::vector<int> inputs;
        std::vector<nanobind::object> made;
        std::vector<int> deciding;    // places of arrays whose elements are to be added, to find the call itself
        std::vector<int> values;      // places of arrays whose elements tell whether a call is new
        std::vector<Tensor> tensors;  // one for each input, or none
        nanobind::object program;
        const Program* core = nullptr;          // the program, where it is the core's own
        const Direct* core_function = nullptr;  // the same, of a function for arrays of any sizes,
        const Direct* direct = nullptr;         // which answers every call, whatever came before
        const Copies* copies = nullptr;         // the program, where its outputs are the same at each call
        bool is_found_again = false;            // the program is what finds it
        bool takes_arrays = false;
        bool writes_out = false;  // a plan, which gets `out` as out0 in a second dict
        bool makes_view = false;
        bool refuses_empty = false;
        std::vector<nanobind::object> kept_alive;

        PyObject* input(size_t number, const CallKey& arguments) const {
            const int place = inputs[number];
            return place < 0 ? made[static_cast<size_t>(-1 - place)].ptr() : arguments.array(place);
        }
        void take(nanobind::object made) {
            program = std::move(made);
            core = program_of(program);
            core_function = direct_of(program);
            copies = copies_of(program);
            is_found_again = false;
        }
    };
    struct Seen {
        size_t hash = 0, when = 0;
    };
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

    // What the program of a call like this one makes; None where there is none, or it refuses.
    nanobind::object outputs_like_before(CallKey& arguments, Outs* outs);
    static nanobind::object outputs_of_program(const Call& call, const CallKey& arguments);

    // Writes the outputs to arrays for them; false, with nothing written, where they are to be made first.
    static bool write_outputs(const Call& call, const CallKey& arguments, std::span<PyObject* const> outs);

    // The inputs in order, in `space`, which has room for CallKey::kMostArrays.
    static std::span<PyObject* const> arrays_of(const Call& call, const CallKey& arguments, PyObject** space);

    // What the program makes, a function of the arrays of a call in order; null, with an error set, where it fails.
    static nanobind::object outputs_of_arrays(const Call& call, const CallKey& arguments);

    // The inputs by name, and those that are written.
    static std::pair<nanobind::dict, nanobind::dict> named_arrays(const Call& call, const CallKey& arguments);

    // What a function of Python's makes, which gets the arrays in order, or by name.
    static nanobind::object outputs_of_function(const Call& call, const CallKey& arguments);
    static nanobind::object outputs_by_name(const Call& call, const CallKey& arguments);

    // The call with what is found to run it; null where it was dropped meanwhile.
    Call* found_again(const Call& call, const CallKey& arguments);

    // What is kept for arrays of any sizes makes, where it is to answer: an array, or a tuple of them. That is a call
    // of sizes that are new, or by elements that are many, for which no other is kept. None where there is nothing, or
    // it gives up, in whatever words: who is asked then says why.
    nanobind::object outputs_of_any_sizes(const CallKey& arguments, LastCall::Answerer* by);
    static nanobind::object outputs_of_direct(const Call& call, const CallKey& arguments, LastCall::Answerer* by);

    // What is kept for such arguments of any sizes; null if nothing is.
    const Call* find_for_any_sizes(const CallKey& arguments) const;

    // Whether a call did not come lately: so that it would still be here if it were kept. It did from now on.
    bool is_new(size_t hash);

    static Tensor tensor_of(nanobind::handle told);
    Call* find(const Key& key);
    void drop(const Key& key);
    Call* put(const Key& key, Call call);

    size_t quarter_;
    bool strings_alone_;
    Calls young_, old_;
    Calls any_sizes_;
    std::vector<Seen> seen_;  // calls, each at the place of its hash, so that a new one takes that of another
    size_t asked_ = 0;
};

// Whether outputs are more than the only one.
inline bool are_several(const nanobind::object& outputs) { return is_list_or_tuple(outputs.ptr()); }

}  // namespace wherry::bind
