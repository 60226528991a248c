// Numbers as floats of few bits, against the definition: the nearest of all codes, by their numbers.
#include "../../core/parallel.hpp"
#include "../../core/steps/half.hpp"
#include "moves.hpp"

#include <cmath>

using namespace wherry;
using namespace wherry::test;

namespace {

// A type with some bits of fraction and of exponent, a sign above them, and codes beyond the greatest that mean
// anything.
FewBits random_format() {
    const auto fraction = static_cast<uint8_t>(between(1, 5)),
               exponent = static_cast<uint8_t>(between(2, 7 - fraction));
    const int codes = 1 << (fraction + exponent);
    const auto any = [] { return static_cast<uint8_t>(between(0, 255)); };
    FewBits format{};
    format.fraction = fraction;
    format.greatest = static_cast<uint8_t>(between(codes / 2, codes - 1));
    const int least_bias = (format.greatest >> fraction) - 104 - fraction;  // for numbers below 2^104
    format.bias = static_cast<uint8_t>(between(std::max(0, least_bias), 60));
    format.sign = static_cast<uint8_t>(codes);
    format.beyond = any(), format.nan = any(), format.negative_nan = any();
    format.has_negative_zero = between(0, 1) == 1;
    return format;
}

std::string bytes_of(const FewBits& f) {
    std::string bytes;
    for (const int byte : {int{f.fraction}, int{f.bias}, int{f.greatest}, int{f.beyond}, int{f.nan},
                           int{f.negative_nan}, int{f.sign}, int{f.has_negative_zero}})
        bytes.push_back(static_cast<char>(byte));
    return bytes;
}

long double number_of(const FewBits& f, int code) {
    const int exponent = code >> f.fraction, places = code & ((1 << f.fraction) - 1), one = 1 << f.fraction;
    const int last = (exponent == 0 ? 1 : exponent) - f.bias - f.fraction;
    return std::ldexp(static_cast<long double>(exponent == 0 ? places : one + places), last);
}

uint8_t code_of(const FewBits& f, long double number) {
    if (number != number) return std::signbit(number) ? f.negative_nan : f.nan;
    const long double size = std::fabs(number);
    int code = 0;
    while (code <= f.greatest && number_of(f, code + 1) <= size) ++code;
    if (code <= f.greatest) {
        const long double below = size - number_of(f, code), above = number_of(f, code + 1) - size;
        if (above < below || (above == below && code % 2 == 1)) ++code;
    }
    if (code > f.greatest) code = f.beyond;
    return std::signbit(number) && (code != 0 || f.has_negative_zero) ? static_cast<uint8_t>(code | f.sign)
                                                                      : static_cast<uint8_t>(code);
}

// Half of them near what the type holds, and exactly between.
template <class T>
T random_number(const FewBits& f) {
    if (between(0, 1) == 0) {
        T any;
        fill_randomly(reinterpret_cast<char*>(&any), sizeof(T));
        return any;
    }
    const auto code = static_cast<int>(between(0, f.greatest));
    const long double between_two = (number_of(f, code) + number_of(f, code + between(0, 1))) / 2;
    const long double sign = between(0, 1) == 0 ? 1 : -1;
    const long double nudge = std::ldexp(static_cast<long double>(between(-1, 1)), static_cast<int>(between(-60, -20)));
    const long double near = sign * between_two * (1 + nudge);
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(near);
    else
        return static_cast<T>(static_cast<int64_t>(std::fmod(near, 0x1p62L)));
}

template <class T, class Number>
void test_source(Element from, Number&& number) {
    const FewBits format = random_format();
    const auto sizes = random_sizes(static_cast<int>(between(0, 3)), 3000);
    const View data = make_view(sizes, sizeof(T), kSometimes), out = make_view(sizes, 1, kNever);
    for_positions(sizes, [&](const auto& p) {
        T element;
        if constexpr (sizeof(T) > 2)
            element = random_number<T>(format);
        else
            fill_randomly(reinterpret_cast<char*>(&element), sizeof(T));
        copy_bytes(data.at(p), reinterpret_cast<const char*>(&element), sizeof(T));
    });
    const auto before = gaps(out);
    Told({out, data, from, bytes_of(format)}).run("round");
    bool equal = true;
    for_positions(sizes, [&](const auto& p) {
        T element;
        std::memcpy(&element, data.at(p), sizeof(T));
        equal &= static_cast<uint8_t>(*out.at(p)) == code_of(format, number(element));
    });
    CHECK(equal, "rounded elements");
    CHECK(gaps(out) == before, "rounding leaves the gaps alone");
}

void test_one() {
    const auto same = [](auto number) { return static_cast<long double>(number); };
    test_source<float>(Element::f32, same);
    test_source<double>(Element::f64, same);
    test_source<int16_t>(Element::i16, same);
    test_source<uint16_t>(Element::u16, same);
    test_source<int32_t>(Element::i32, same);
    test_source<uint32_t>(Element::u32, same);
    test_source<int64_t>(Element::i64, same);
    test_source<uint64_t>(Element::u64, same);
    test_source<uint16_t>(Element::f16,
                          [](uint16_t bits) { return static_cast<long double>(static_cast<float>(Half{bits})); });
    test_source<uint16_t>(Element::bf16,
                          [](uint16_t bits) { return static_cast<long double>(static_cast<float>(BFloat16{bits})); });
}

const Fuzzed fuzzed("round", test_one);

void test_refusals() {
    const View data = make_view({3}, 4, kNever), out = make_view({3}, 1, kNever);
    const FewBits fine{3, 7, 0x7e, 0x7f, 0x7f, 0xff, 0x80, true};
    FewBits wide = fine, low = fine, great = fine;
    wide.fraction = 7, low.bias = 128, great.fraction = 1, great.greatest = 255, great.bias = 0;
    for (const FewBits& bad : {wide, low, great}) {
        bool refused = false;
        try {
            Told({out, data, Element::f32, bytes_of(bad)}).run("round");
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused, "a format that floats do not hold is refused");
    }
    Told({out, data, Element::f32, bytes_of(fine)}).run("round");
}

}  // namespace

void test_round(int rounds) {
    test_refusals();
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_one();
    }
    set_num_threads(0);
}
