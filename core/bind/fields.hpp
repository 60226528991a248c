// Fields of moves, from what Python gives.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include "../steps/step.hpp"

namespace wherry::bind {

PyArrayObject* as_array(nanobind::handle object, const char* name);

int64_t integer_of(nanobind::handle given);

// Of an array of indices, or of its dtype.
IndexType index_type_of(nanobind::handle given);

// Of a bytes object, or of an array with one element.
std::string bytes_of_element(nanobind::handle given);

// What a primitive is given: an object of Python, or a number that it knows by itself.
struct Argument {
    Argument(nanobind::handle object) : object(object), number(0) {}
    Argument(int64_t number) : number(number) {}

    nanobind::handle object;
    int64_t number;
};

// The arguments of a primitive, in the order of the move's fields. Each array is a buffer of its own; sizes and strides
// are read while Python's lock is held, so that no other thread gives the array another shape meanwhile.
class Arguments final : public Fields {
public:
    template <size_t N>
    explicit Arguments(const Argument (&values)[N]) : values_(values) {
        static_assert(N < kPlaces);
    }

    bool has(int place) const override { return !at(place).object.is_none(); }
    Tensor tensor(int place, int64_t width) override;
    Tensor target(int place, int64_t width) override;
    int64_t integer(int place) override {
        const Argument& given = at(place);
        return given.object.is_valid() ? integer_of(given.object) : given.number;
    }
    std::string bytes(int place) override { return bytes_of_element(at(place).object); }
    IndexType index_type(int place) override { return index_type_of(at(place).object); }

    // Checks, prepares and runs the move; false if it refuses.
    bool run(Move& move);
    // Where the arrays begin: for what the move answers afterwards.
    char* const* base() const { return base_; }

private:
    static constexpr int kPlaces = 11;

    // Fields are counted from 1: a program has the name of the move before them.
    const Argument& at(int place) const { return values_[place - 1]; }

    const Argument* const values_;
    char* base_[kPlaces];
};

}  // namespace wherry::bind
