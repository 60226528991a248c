// Elements that are not zero: any view, width and mask against a naive walk, and a tensor that changes between looks.
#include "../../core/steps/nonzero.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

void test_nonzero(int rounds);

namespace {

using Entries = Vector<Sizes>;

NonZeroData data_of(const View& v, uint64_t mask) {
    NonZeroData data{v.memory.get() + v.start, {}, v.width, mask};
    for (size_t a = 0; a < v.sizes.size(); ++a) data.axes.add(v.sizes[a], {v.strides[a]});
    return data;
}

uint64_t bits_at(const View& v, const Sizes& position) {
    uint64_t bits = 0;
    for (int64_t k = 0; k < v.width; ++k) bits |= uint64_t{static_cast<unsigned char>(v.at(position)[k])} << (8 * k);
    return bits;
}

// One in `apart` elements keeps its bits, some others keep only those outside the mask.
void thin_out(const View& v, uint64_t mask, int64_t apart) {
    for_positions(v.sizes, [&](const auto& p) {
        if (between(1, apart) == 1) return;
        const uint64_t bits = between(0, 2) == 0 ? bits_at(v, p) & ~mask : 0;
        for (int64_t k = 0; k < v.width; ++k) v.at(p)[k] = static_cast<char>(bits >> (8 * k));
    });
}

Entries entries_of(const View& v, uint64_t mask) {
    Entries all;
    for_positions(v.sizes, [&](const auto& p) {
        if (bits_at(v, p) & mask) all.push_back(p);
    });
    return all;
}

Coordinates coordinates_of(const View& out, const Sizes& sizes) {
    return {out.memory.get() + out.start,   out.width,   out.strides[0], out.strides[1],
            static_cast<int>(sizes.size()), sizes.data()};
}

int64_t number_at(const View& v, const Sizes& position) {
    const uint64_t bits = bits_at(v, position);
    return v.width == 4 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
}

void test_view(int64_t most) {
    const auto sizes = random_sizes(static_cast<int>(between(1, 4)), most);
    const View v = make_view(sizes, one_of<int64_t>({1, 2, 4, 8}), kSometimes);
    const uint64_t all = ~uint64_t{0} >> (64 - 8 * v.width), mask = between(0, 1) ? all : all >> 1;
    thin_out(v, mask, one_of<int64_t>({1, 2, 10, 1000}));
    const Entries expected = entries_of(v, mask);
    const auto count = static_cast<int64_t>(expected.size()), ndim = static_cast<int64_t>(sizes.size());

    NonZeroSearch search(data_of(v, mask));
    CHECK(search.look() == count, "how many are not zero");
    const View out = make_view({ndim, count}, one_of<int64_t>({4, 8}), kNever);
    const auto before = gaps(out);
    search.write(coordinates_of(out, sizes));
    called();
    bool equal = true;
    for (int64_t n = 0; n < count; ++n)
        for (int64_t a = 0; a < ndim; ++a)
            equal &= number_at(out, {a, n}) == expected[static_cast<size_t>(n)][static_cast<size_t>(a)];
    CHECK(equal, "coordinates");
    CHECK(gaps(out) == before, "coordinates leave the gaps alone");

    // Exact memory: a sanitizer sees an entry too many.
    for (int64_t k = 0; k < v.bytes; ++k) v.memory[k] = between(0, 1) ? static_cast<char>(generator()) : 0;
    search.write(coordinates_of(out, sizes));
    called();
    for (int64_t n = 0; n < count; ++n)
        for (int64_t a = 0; a < ndim; ++a) {
            const int64_t number = number_at(out, {a, n});
            equal &= 0 <= number && number < sizes[static_cast<size_t>(a)];
        }
    CHECK(equal, "coordinates of data that changed lie inside");
}

// The kernels alone: marks of elements `step` bytes apart, and the positions of those that are set.
void test_marks(int64_t count, int64_t width, int64_t step) {
    const Memory data = take_memory((count - 1) * step + width), marks = take_memory(count);
    const uint64_t all = ~uint64_t{0} >> (64 - 8 * width), mask = between(0, 1) ? all : uint64_t{1} << (8 * width - 2);
    const int64_t apart = one_of<int64_t>({1, 2, 10, 200});
    Vector<char> expected;
    Vector<int32_t> positions(static_cast<size_t>(count + kLocateRoom)), places;
    std::memset(data.get(), 0, static_cast<size_t>((count - 1) * step + width));
    for (int64_t i = 0; i < count; ++i) {
        const uint64_t bits = between(1, apart) == 1 ? uint64_t{1} << between(0, 8 * width - 1) : 0;
        copy_bytes(data.get() + i * step, &bits, width);
        expected.push_back((bits & mask) != 0);
        if (bits & mask) places.push_back(static_cast<int32_t>(i));
    }
    const auto found = static_cast<int64_t>(places.size());
    CHECK(block_kernels().mark(width)({data.get(), step, count, mask, marks.get()}) == found, "how many are marked");
    CHECK(std::memcmp(marks.get(), expected.data(), expected.size()) == 0, "marks");
    CHECK(block_kernels().locate(marks.get(), count, positions.data()) == found, "how many are located");
    positions.resize(places.size());
    CHECK(positions == places, "positions");
}

const Fuzzed fuzzed_nonzero("nonzero", [] { test_view(2000); });

}  // namespace

void test_nonzero(int rounds) {
    for (int64_t width : {1, 2, 4, 8})
        for (int64_t count = 1; count < 200; ++count)
            for (int64_t step : {width, width + 1}) test_marks(count, width, step);
    for (int i = 0; i < rounds; ++i) test_view(2000);
    for (int i = 0; i < rounds / 50; ++i) test_view(200000);
}
