// Conversions: strided views against elements one by one, and 16-bit floats against half.hpp.
#include "../../core/steps/half.hpp"
#include "moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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

void convert_one(char* out, const char* data, Element from, Element to, Beyond beyond) {
    const View given = make_view({}, width_of(from), kNever), result = make_view({}, width_of(to), kNever);
    copy_bytes(given.memory.get(), data, given.width);
    Told({result, given, from, to, beyond}).find_out("convert");
    copy_bytes(out, result.memory.get(), result.width);
}

bool equal_to_single_ones(const View& out, const View& data, Element from, Element to, Beyond beyond) {
    bool equal = true;
    for_positions(out.sizes, [&](const auto& p) {
        char expected[8];
        convert_one(expected, data.at(p), from, to, beyond);
        equal &= equal_bytes(out.at(p), expected, out.width);
    });
    return equal;
}

void test_views(Element from, Element to, Beyond beyond) {
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const View data = make_view(sizes, width_of(from), kSometimes), out = make_view(sizes, width_of(to), kNever);
    const auto before = gaps(out);
    Told({out, data, from, to, beyond}).run("convert");
    CHECK(equal_to_single_ones(out, data, from, to, beyond), "convert");
    CHECK(gaps(out) == before, "convert leaves the gaps alone");
}

// Streamed blocks, which whole moves use only for large outputs: here they are small and unaligned.
void test_streamed(Element from, Element to, Beyond beyond) {
    if (are_same_bits(from, to, beyond)) return;  // these are copied
    const int64_t count = size_to(3000), before = between(0, 70);
    const View data = make_view({count}, width_of(from), kNever),
               memory = make_view({before + count}, width_of(to), kNever);
    if (data.strides[0] != data.width || memory.strides[0] != memory.width) return;
    char* const start = memory.memory.get() + before * memory.width;
    block_kernels().convert(
        from, to, beyond)({start, data.memory.get(), count, memory.width, data.width, true, between(0, 1) == 1});
    called();
    bool equal = true;
    for (int64_t i = 0; i < count; ++i) {
        char expected[8];
        convert_one(expected, data.memory.get() + i * data.width, from, to, beyond);
        equal &= equal_bytes(start + i * memory.width, expected, memory.width);
    }
    CHECK(equal, "streamed conversion");
}

void test_one_pair() {
    const auto from = static_cast<Element>(between(0, kElements - 1)),
               to = static_cast<Element>(between(0, kElements - 1));
    const auto beyond = static_cast<Beyond>(between(0, 1));
    if (!can_convert(from, to)) return;
    test_views(from, to, beyond);
    test_streamed(from, to, beyond);
}

// The numbers as another type, `run` of them at a time.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& numbers, size_t run, Element from, Element to,
                          Beyond beyond = Beyond::wraps) {
    std::vector<To> results(numbers.size());
    for (size_t i = 0; i < numbers.size(); i += run) {
        const auto count = static_cast<int64_t>(std::min(run, numbers.size() - i));
        const View data = dense(count, sizeof(From)), out = dense(count, sizeof(To));
        std::memcpy(data.memory.get(), &numbers[i], static_cast<size_t>(data.bytes));
        Told({out, data, from, to, beyond}).run("convert");
        std::memcpy(&results[i], out.memory.get(), static_cast<size_t>(out.bytes));
    }
    return results;
}

// A float as an integer of so many bits, by the words of Beyond, in quadruple precision, which holds all numbers.
Wide whole_of(double number, bool is_signed, int bits, Beyond beyond) {
    const Wide end = Wide{1} << (bits - is_signed), least = is_signed ? -end : 0;
    const long double size = number;
    if (beyond == Beyond::saturates) {
        if (!(size == size)) return 0;
        if (size >= static_cast<long double>(end)) return end - 1;
        return size <= static_cast<long double>(least) ? least : static_cast<Wide>(size);
    }
    const int held = bits == 64 || (bits == 32 && !is_signed) ? 64 : 32;
    const bool is_lone = bits == 64 && !is_signed;
    const long double half = std::ldexp(1.0L, held - 1);
    if (size >= -half && size < (is_lone ? 2 * half : half)) return static_cast<Wide>(size);
    return is_lone && size >= 2 * half ? 0 : -(Wide{1} << (held - 1));
}

// Floats of every size, as many as fill vectors.
void test_wholes() {
    std::vector<double> numbers = {0.0, -0.0, 0.5, -0.5, -0.9, INFINITY, -INFINITY, NAN};
    for (int power = 0; power < 70; ++power)
        for (double part : {1.0, 1.25, 1.999})
            for (double sign : {1.0, -1.0}) numbers.push_back(std::ldexp(sign * part, power));
    for (int power : {7, 8, 15, 16, 31, 32, 53})
        for (double sign : {1.0, -1.0})
            for (double step : {-1.0, -0.5, 0.5, 1.0}) numbers.push_back(sign * std::ldexp(1.0, power) + step);
    std::vector<float> floats(numbers.begin(), numbers.end());
    bool equal = true;
    for (int to = 0; to <= static_cast<int>(Element::u64); ++to) {
        const auto element = static_cast<Element>(to);
        const int bits = static_cast<int>(8 * width_of(element));
        for (Beyond beyond : {Beyond::wraps, Beyond::saturates}) {
            const auto compare = [&](const auto& source, Element from) {
                const auto size = static_cast<int64_t>(source.size());
                const View data = dense(size, sizeof(source[0])), out = dense(size, static_cast<size_t>(bits / 8));
                std::memcpy(data.memory.get(), source.data(), static_cast<size_t>(data.bytes));
                Told({out, data, from, element, beyond}).run("convert");
                for (size_t i = 0; i < source.size(); ++i) {
                    const auto expected = static_cast<uint64_t>(whole_of(source[i], is_signed(element), bits, beyond));
                    uint64_t found = 0;
                    std::memcpy(&found, out.memory.get() + i * static_cast<size_t>(out.width),
                                static_cast<size_t>(out.width));
                    equal &= found == (bits == 64 ? expected : expected & ((uint64_t{1} << bits) - 1));
                }
            };
            compare(floats, Element::f32);
            compare(numbers, Element::f64);
        }
    }
    CHECK(equal, "floats as integers");
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

// The nearest number of so many bits, an even one in the middle of two.
template <class Long>
float nearest_of(Long number, int digits) {
    const bool is_negative = number < 0;
    const auto size = is_negative ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    const int lost = std::max(0, static_cast<int>(std::bit_width(size)) - digits);
    const uint64_t kept = size >> lost, rest = size - (kept << lost), middle = lost ? uint64_t{1} << (lost - 1) : 1;
    const auto rounded = static_cast<float>(kept + (rest > middle || (rest == middle && kept % 2 != 0)));
    return std::ldexp(is_negative ? -rounded : rounded, lost);
}

// Integers in the middle of two floats of 24, 11 or 8 bits, and around it, of any size; by vectors, and by what follows
// them.
template <class Long>
void test_long_integers(Element from, size_t run) {
    std::vector<Long> numbers;  // short ones side by side, which vectors make in another way
    for (const int digits : {8, 11, 24}) {
        for (int bits = digits; bits < std::numeric_limits<Long>::digits; ++bits) {
            const Long last = Long{1} << (bits - digits);  // the first bit that floats of this size lose
            for (Long k = 0; k < 8; ++k) {
                const Long number = (Long{1} << bits) + k * last;
                for (const Long near : {number - 1, number, number + 1}) numbers.push_back(near);
            }
        }
    }
    for (const Long edge : {std::numeric_limits<Long>::min(), std::numeric_limits<Long>::max(), Long{0}, Long{1}})
        numbers.push_back(edge);
    const size_t positive = numbers.size();
    for (size_t i = 0; i < positive; ++i)
        if (numbers[i] > 0) numbers.push_back(static_cast<Long>(0 - numbers[i]));
    const auto floats = converted<float>(numbers, run, from, Element::f32);
    const auto half = converted<uint16_t>(numbers, run, from, Element::f16);
    const auto brain = converted<uint16_t>(numbers, run, from, Element::bf16);
    bool equal = true;
    for (size_t i = 0; i < numbers.size(); ++i) {
        equal &= floats[i] == nearest_of(numbers[i], 24);
        equal &= half[i] == Half::rounded(nearest_of(numbers[i], 11)).bits;
        equal &= brain[i] == BFloat16::rounded(nearest_of(numbers[i], 8)).bits;
    }
    CHECK(equal, "floats of integers of 64 bits");
}

const Fuzzed fuzzed_convert("convert", test_one_pair);

}  // namespace

void test_convert(int rounds) {
    test_sixteen_bits(kBelowVectors);
    test_sixteen_bits(SIZE_MAX);
    test_wholes();
    for (const size_t run : {kBelowVectors, SIZE_MAX}) {
        test_long_integers<int64_t>(Element::i64, run);
        test_long_integers<uint64_t>(Element::u64, run);
    }
    for (int from = 0; from < kElements; ++from) {
        for (int to = 0; to < kElements; ++to) {
            const auto source = static_cast<Element>(from), target = static_cast<Element>(to);
            if (!can_convert(source, target)) continue;
            for (int i = 0; i < (rounds + 99) / 100; ++i) {
                for (Beyond beyond : {Beyond::wraps, Beyond::saturates})
                    test_views(source, target, beyond), test_streamed(source, target, beyond);
            }
        }
    }
}
