// The declared inputs of a model, and what tells one set of arrays for them from another.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

namespace wherry::bind {

class Declared {
public:
    // inputs: (name, dtype, sizes, whether its values decide sizes); a size that is not known is -1, and sizes are None
    // where not even their number is. `most`: the most bytes of values that are told from others. defaults: a dict of
    // arrays for inputs that are not given.
    Declared(nanobind::list inputs, int64_t most, nanobind::dict defaults);

    // Appends the arrays in the order of the inputs; false for arrays that are not as declared. The number stands for
    // their sizes and values; there is none where these are too many or scattered.
    bool take(nanobind::handle arrays, std::vector<nanobind::object>& taken, std::optional<uint64_t>& number) const;

    size_t inputs() const { return inputs_.size(); }

private:
    struct Input {
        nanobind::object name, dtype;
        bool has_ndim;
        std::vector<int64_t> sizes;
        bool decides;
        nanobind::object otherwise;  // its default; null without one
    };

    static bool fits(PyArrayObject* array, const Input& input);

    std::vector<Input> inputs_;
    int64_t most_;
};

}  // namespace wherry::bind
