// Where the bytes of a vector are not zero.
#pragma once

#include <cstdint>
#include <vector>

namespace wherry {

// Looks twice at a vector of bytes: how many positions there are, then which.
class Marked {
public:
    explicit Marked(int64_t count);

    // Returns how many bytes are not zero.
    int64_t look(const char* marks);

    // Writes so many positions, in order; where marks have changed since the look, others, or 0.
    void positions(const char* marks, int64_t* out) const;

private:
    int64_t count_;
    std::vector<int64_t> begin_;  // how many lie before each piece
};

}  // namespace wherry
