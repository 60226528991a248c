// Conversions: strided views against elements one by one, and 16-bit floats against half.hpp.
#include "../../core/steps/half.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// Elements without gaps, in memory of exactly their bytes.
View dense(int64_t count, size_t width) {
    View view;
    view.width = static_cast<int64_t>(width);
    view.sizes = {count};
    view.strides = {view.width};
    view.bytes = count * view.width;
    view.memory = take_memory(view.bytes);
    return view;
}

void convert_one(char* out, const char* data, Element from, Element to) {
    const View given = make_view({}, width_of(from), kNever), result = make_view({}, width_of(to), kNever);
    copy_bytes(given.memory.get(), data, given.width);
    Told({result, given, from, to}).find_out("convert");
    copy_bytes(out, result.memory.get(), result.width);
}

bool equal_to_single_ones(const View& out, const View& data, Element from, Element to) {
    bool equal = true;
    for_positions(out.sizes, [&](const auto& p) {
        char expected[8];
        convert_one(expected, data.at(p), from, to);
        equal &= equal_bytes(out.at(p), expected, out.width);
    });
    return equal;
}

void test_views(Element from, Element to) {
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const View data = make_view(sizes, width_of(from), kSometimes), out = make_view(sizes, width_of(to), kNever);
    const auto before = gaps(out);
    Told({out, data, from, to}).run("convert");
    CHECK(equal_to_single_ones(out, data, from, to), "convert");
    CHECK(gaps(out) == before, "convert leaves the gaps alone");
}

// Streamed blocks, which whole moves use only for large outputs: here they are small and unaligned.
void test_streamed(Element from, Element to) {
    if (to <= Element::u64 && from <= Element::u64 && width_of(from) == width_of(to)) return;  // these are copied
    const int64_t count = size_to(3000), before = between(0, 70);
    const View data = make_view({count}, width_of(from), kNever),
               memory = make_view({before + count}, width_of(to), kNever);
    if (data.strides[0] != data.width || memory.strides[0] != memory.width) return;
    char* const start = memory.memory.get() + before * memory.width;
    block_kernels().convert(from, to)({start, data.memory.get(), count, memory.width, data.width, true});
    called();
    bool equal = true;
    for (int64_t i = 0; i < count; ++i) {
        char expected[8];
        convert_one(expected, data.memory.get() + i * data.width, from, to);
        equal &= equal_bytes(start + i * memory.width, expected, memory.width);
    }
    CHECK(equal, "streamed conversion");
}

void test_one_pair() {
    const auto from = static_cast<Element>(between(0, kElements - 1)),
               to = static_cast<Element>(between(0, kElements - 1));
    if (!can_convert(from, to)) return;
    test_views(from, to);
    test_streamed(from, to);
}

// The numbers as another type, `run` of them at a time.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& numbers, size_t run, Element from, Element to) {
    std::vector<To> results(numbers.size());
    for (size_t i = 0; i < numbers.size(); i += run) {
        const auto count = static_cast<int64_t>(std::min(run, numbers.size() - i));
        const View data = dense(count, sizeof(From)), out = dense(count, sizeof(To));
        std::memcpy(data.memory.get(), &numbers[i], static_cast<size_t>(data.bytes));
        Told({out, data, from, to}).run("convert");
        std::memcpy(&results[i], out.memory.get(), static_cast<size_t>(out.bytes));
    }
    return results;
}

constexpr uint32_t kLows[] = {0x0000, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0xffff};
constexpr size_t kBelowVectors = std::size(kLows);  // numbers, fewer than a vector of any instruction set holds

// Every number of 16 bits, and floats around those that round to another one; by vectors, and by what follows them.
void test_sixteen_bits(size_t run) {
    std::vector<uint16_t> halves;
    std::vector<float> floats;
    for (uint32_t high = 0; high < 65536; ++high) {
        halves.push_back(static_cast<uint16_t>(high));
        for (uint32_t low : kLows) floats.push_back(float_of_bits(high << 16 | low));
    }
    const auto widened = converted<float>(halves, run, Element::f16, Element::f32);
    bool equal = true;
    for (size_t i = 0; i < halves.size(); ++i)
        equal &= bits_of_float(widened[i]) == bits_of_float(static_cast<float>(Half{halves[i]}));
    CHECK(equal, "floats of 16-bit floats");
    const auto half = converted<uint16_t>(floats, run, Element::f32, Element::f16);
    const auto brain = converted<uint16_t>(floats, run, Element::f32, Element::bf16);
    equal = true;
    for (size_t i = 0; i < floats.size(); ++i) {
        if (floats[i] != floats[i]) continue;  // other payloads
        equal &= half[i] == Half::rounded(floats[i]).bits && brain[i] == BFloat16::rounded(floats[i]).bits;
    }
    CHECK(equal, "16-bit floats");
}

const Fuzzed fuzzed_convert("convert", test_one_pair);

}  // namespace

void test_convert(int rounds) {
    test_sixteen_bits(kBelowVectors);
    test_sixteen_bits(SIZE_MAX);
    for (int from = 0; from < kElements; ++from) {
        for (int to = 0; to < kElements; ++to) {
            const auto source = static_cast<Element>(from), target = static_cast<Element>(to);
            if (!can_convert(source, target)) continue;
            for (int i = 0; i < rounds / 100; ++i) test_views(source, target), test_streamed(source, target);
        }
    }
}
