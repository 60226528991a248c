// Rows of interleaved elements that go to several places by turns, as the pixels of each second row and column do: a
// source is then read in order, where a pass for each place would skip most of it, and come back.
#pragma once

#include "../kernels/blocks.hpp"
#include "../layout/numbers.hpp"
#include "stage.hpp"

namespace wherry {

struct Turns {
    static constexpr int kMost = 8;  // places

    int turns = 1;     // rows of a source, each of which has `channels` in turn in each element
    int channels = 1;  // of 1, 2, 4 or 8 bytes, and at most four
    int64_t columns;   // elements of a row
    int64_t bytes;     // of a row of one channel
    PlanesKernel parts;
    int64_t ahead = 0;  // bytes from a row to what is fetched meanwhile; 0: a source is read in order

    int places() const { return turns * channels; }

    // Rows that are parted at once: what is read and what is written stay in the first cache together.
    int64_t rows_at_once() const {
        return most(1, (ahead ? tune::kStageBytes * places() : tune::kTurnBytes) / (bytes * places()));
    }

    // One row of each turn after the other, `rows` times: channel c of turn t goes to to[t * channels + c], where its
    // rows follow each other; from[t] is where those of turn t begin, `step` bytes apart.
    void move(Stage* stages, char* const* to, const char* const* from, int64_t step, int64_t rows) const {
        const bool direct = are_lines(to);
        char* rooms[kMost];
        for (int k = 0; k < places(); ++k) rooms[k] = direct ? to[k] : stages[k].room(to[k]);
        for (int64_t row = 0; row < rows; ++row) {
            for (int t = 0; t < turns; ++t) {
                char** const own = rooms + t * channels;
                const char* const packed = from[t] + row * step;
                fetch(packed);
                // The kernel only reads what is packed when it parts.
                parts({const_cast<char*>(packed), own, columns, direct});
                for (int c = 0; c < channels; ++c) own[c] += bytes;
            }
        }
        for (int k = 0; k < places() && !direct; ++k) stages[k].put(rows * bytes);
    }

    // Whether rows are whole lines of each place: the kernel streams them itself.
    bool are_lines(char* const* to) const {
        intptr_t beside = bytes;
        for (int k = 0; k < places(); ++k) beside |= reinterpret_cast<intptr_t>(to[k]);
        return beside % tune::kLine == 0;
    }

    // What is read in order the hardware fetches by itself, but not always, and not by as far.
    void fetch(const char* row) const {
        for (int64_t line = 0; line < bytes * channels; line += tune::kLine)
            ahead ? __builtin_prefetch(row + ahead + line) : __builtin_prefetch(row + tune::kTurnsAhead + line, 0, 2);
    }

    void finish(Stage* stages) const {
        for (int k = 0; k < places(); ++k) stages[k].finish();
    }
};

}  // namespace wherry
