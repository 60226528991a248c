// Conversions: strided views against elements one by one, and 16-bit floats against half.hpp.
#include "../../core/steps/half.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

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
    ConvertBlock block{start, data.memory.get(), count,      memory.width, data.width, to,
                       from,  memory.width,      data.width, true};
    block_kernels().convert(block);
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

void test_sixteen_bits() {
    bool equal = true;
    for (uint32_t high = 0; high < 65536; ++high) {
        const auto bits = static_cast<uint16_t>(high);
        float value, expected = static_cast<float>(Half{bits});
        convert_one(reinterpret_cast<char*>(&value), reinterpret_cast<const char*>(&bits), Element::f16, Element::f32);
        equal &= bits_of_float(value) == bits_of_float(expected);
        for (uint32_t low : {0x0000u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0xffffu}) {
            const float number = float_of_bits(high << 16 | low);
            if (number != number) continue;  // other payloads
            uint16_t half, brain;
            convert_one(reinterpret_cast<char*>(&half), reinterpret_cast<const char*>(&number), Element::f32,
                        Element::f16);
            convert_one(reinterpret_cast<char*>(&brain), reinterpret_cast<const char*>(&number), Element::f32,
                        Element::bf16);
            equal &= half == Half::rounded(number).bits && brain == BFloat16::rounded(number).bits;
        }
    }
    CHECK(equal, "16-bit floats");
}

const Fuzzed fuzzed_convert("convert", test_one_pair);

}  // namespace

void test_convert(int rounds) {
    test_sixteen_bits();
    for (int from = 0; from < kElements; ++from) {
        for (int to = 0; to < kElements; ++to) {
            const auto source = static_cast<Element>(from), target = static_cast<Element>(to);
            if (!can_convert(source, target)) continue;
            for (int i = 0; i < rounds / 100; ++i) test_views(source, target), test_streamed(source, target);
        }
    }
}
