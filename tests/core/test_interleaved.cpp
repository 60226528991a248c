// Copies whose rows take turns in memory: parts of rows that go apart, or come together, around the cache.
#include "../../core/parallel.hpp"
#include "../../core/steps/interleaved.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// What lies in one buffer: where the first run begins, and how far apart the positions of each axis are.
struct Place {
    int64_t offset, steps[3];
};

// Matrices of rows of runs in memory of their own, with its axes in any order: its size is added to `bytes`.
Place placed_alone(const int64_t (&sizes)[3], int64_t run, int64_t& bytes) {
    int order[3] = {0, 1, 2};
    std::shuffle(order, order + 3, generator);
    Place place{between(0, 63), {}};
    int64_t reach = run;
    for (int a : order) {
        place.steps[a] = reach + (between(0, 1) ? between(1, 70) : 0);
        reach = place.steps[a] * (sizes[a] - 1) + reach;
    }
    bytes = place.offset + reach;
    return place;
}

// Parts of rows from one buffer to one of each, or back. Runs lie backwards or forwards on the side of their own.
void test_parts(int64_t count, int64_t most, bool join) {
    const int64_t matrices = between(1, 3), rows = between(2, 40);
    int64_t sizes[kMostRowParts][3], runs[kMostRowParts], columns[kMostRowParts];
    const bool lines = between(0, 1);  // in which all parts begin, and have nothing but
    int64_t row = 0;
    for (int64_t k = 0; k < count; ++k) {
        runs[k] = lines ? 64 * between(4, most / 64) : between(256, most);
        sizes[k][0] = matrices, sizes[k][1] = rows, sizes[k][2] = between(0, 1) ? between(1, 5) : 1;
        columns[k] = row += lines || between(0, 1) ? 0 : between(1, 70);
        row += runs[k] * sizes[k][2];
    }
    const int64_t gap = lines ? 0 : between(0, 9), matrix = rows * (row + gap) + gap, begin = between(0, 63);
    std::vector<std::vector<char>> memory(1);
    memory[0].resize(static_cast<size_t>(begin + matrices * matrix));
    std::vector<GroupedCopy> copies;
    for (int64_t k = 0; k < count; ++k) {
        int64_t bytes;
        Place own = placed_alone(sizes[k], runs[k], bytes);
        const Place common{begin + columns[k], {matrix, row + gap, runs[k]}};
        memory.emplace_back(static_cast<size_t>(bytes));
        const bool backwards = join && between(0, 1);
        if (backwards) own.offset += (rows - 1) * own.steps[1], own.steps[1] = -own.steps[1];
        const Place &to = join ? common : own, &from = join ? own : common;
        const int buffer = static_cast<int>(k) + 1;
        GroupedCopy copy{{join ? 0 : buffer, to.offset}, {join ? buffer : 0, from.offset}, 1, {}};
        for (int a = 0; a < 3; ++a) copy.axes.add(sizes[k][a], {to.steps[a], from.steps[a]});
        copy.axes.add(runs[k], {1, 1});
        copy.order();
        copies.push_back(copy);
    }
    for (auto& each : memory) fill_randomly(each.data(), static_cast<int64_t>(each.size()));
    auto expected = memory;
    std::vector<char*> base;
    for (auto& each : memory) base.push_back(each.data());
    for (const GroupedCopy& copy : copies) {
        Axes<2> axes = copy.axes;
        const int64_t run = take_run(axes, 1);
        Sizes shape(axes.size, axes.size + axes.ndim);
        for_positions(shape, [&](const auto& at) {
            int64_t to = copy.to.offset, from = copy.from.offset;
            for (size_t a = 0; a < shape.size(); ++a)
                to += at[a] * axes.stride[a][0], from += at[a] * axes.stride[a][1];
            copy_bytes(expected[static_cast<size_t>(copy.to.buffer)].data() + to,
                       memory[static_cast<size_t>(copy.from.buffer)].data() + from, run);
        });
    }
    std::shuffle(copies.begin(), copies.end(), generator);
    InterleavedStep interleaved;
    const bool joined = interleaved.join(copies, between(0, 1) ? 0 : INT64_MAX);
    // Matrices without gaps are one, which not all of the memories of their own may be.
    CHECK(
        joined || gap == 0 || matrices * rows < InterleavedStep::kLeastRows || (join && count > tune::kFollowedSources),
        "parts of rows are seen");
    if (!joined) return;
    interleaved.prepare();
    called(interleaved.run(base.data()));
    CHECK(memory == expected, "parts go where they belong, and nothing besides is written");
}

// Parts that follow each other as wholes share no rows.
void test_wholes() {
    std::vector<GroupedCopy> copies;
    for (int part : {0, 1}) {
        GroupedCopy copy{{part + 1, 0}, {0, part * 100 * 1024}, 4, {}};
        copy.axes.add(100, {2048, 1024});
        copy.axes.add(256, {4, 4});
        copy.order();
        copies.push_back(copy);
    }
    CHECK(!InterleavedStep().join(copies, 0), "wholes one after the other are no parts of rows");
    copies[1].from.offset = 512;
    CHECK(!InterleavedStep().join(copies, 0), "rows that overlap are no parts of rows");
}

const Fuzzed fuzzed_parts("parts of rows", [] { test_parts(between(2, 5), 700, between(0, 1)); });

}  // namespace

void test_interleaved(int rounds) {
    test_wholes();
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        for (bool join : {false, true}) {
            test_parts(between(2, 6), i % 4 ? 1200 : 5000, join);
            if (i % 4 == 0) test_parts(between(10, kMostRowParts), 600, join);
        }
    }
    set_num_threads(0);
}
