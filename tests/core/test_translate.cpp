// Elements by their codes in a table: codes that are bits, integers that are converted first, and floats rounded to
// odd.
#include "../../core/parallel.hpp"
#include "moves.hpp"

#include <cmath>

using namespace wherry;
using namespace wherry::test;

namespace {

std::string random_table(int64_t bytes) {
    std::string table(static_cast<size_t>(bytes), '\0');
    fill_randomly(table.data(), bytes);
    return table;
}

// The code of an element of 8 or 16 bits in memory.
size_t code_at(const char* at, int64_t width) {
    if (width == 1) return static_cast<uint8_t>(*at);
    uint16_t code;
    std::memcpy(&code, at, sizeof(code));
    return code;
}

void check_translated(const View& out, const View& data, const std::string& table, int64_t width, int64_t code_width,
                      Field from, Field code, Field rule, const View& codes) {
    const auto before = gaps(out);
    Told({out, data, width, table, code_width, from, code, rule}).run("translate");
    bool equal = true;
    for_positions(out.sizes, [&](const auto& p) {
        const size_t at = code_at(codes.at(p), code_width) * static_cast<size_t>(width);
        equal &= equal_bytes(out.at(p), table.data() + at, width);
    });
    CHECK(equal, "translated elements");
    CHECK(gaps(out) == before, "translate leaves the gaps alone");
}

void test_bits() {
    const int64_t code_width = between(1, 2), width = code_width == 1 ? between(1, kLookupBytes) : 1;
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 20000);
    const View data = make_view(sizes, code_width, kSometimes), out = make_view(sizes, width, kNever);
    const std::string table = random_table(width * (int64_t{1} << (8 * code_width)));
    check_translated(out, data, table, width, code_width, nullptr, int64_t{0}, int64_t{0}, data);
}

// Converted by the move of that name, which has tests of its own.
void test_integers() {
    const Element from = one_of({Element::i32, Element::i64, Element::u32, Element::u64, Element::f32, Element::f64}),
                  code = one_of({Element::i8, Element::u8});
    const Beyond beyond = one_of({Beyond::wraps, Beyond::saturates});
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const View data = make_view(sizes, width_of(from), kSometimes), codes = make_view(sizes, 1, kNever),
               out = make_view(sizes, 1, kNever);
    Told({codes, data, from, code, beyond}).find_out("convert");
    check_translated(out, data, random_table(256), 1, 1, from, code, beyond, codes);
}

// By the definition: the bfloat16 towards zero, and its last bit set where that is not the number.
uint16_t odd_of(long double number) {
    if (number != number) return 0x7fff;
    const float nearest = static_cast<float>(number);
    uint32_t bits;
    std::memcpy(&bits, &nearest, sizeof(bits));
    if (std::fabs(static_cast<long double>(nearest)) > std::fabs(number)) --bits;
    float towards_zero;
    bits &= 0xffff0000;
    std::memcpy(&towards_zero, &bits, sizeof(bits));
    return static_cast<uint16_t>(bits >> 16 | (static_cast<long double>(towards_zero) != number));
}

template <class T>
void test_odd(Element from) {
    const auto sizes = random_sizes(static_cast<int>(between(0, 3)), 5000);
    const View data = make_view(sizes, sizeof(T), kSometimes), codes = make_view(sizes, 2, kNever),
               out = make_view(sizes, 1, kNever);
    std::string table = random_table(1 << 16);
    for (size_t code = 0; code < table.size(); ++code)
        if ((code & 0x7fff) > 0x7f80) table[code] = '\1';  // every NaN is one here
    for_positions(sizes, [&](const auto& p) {
        T number;
        std::memcpy(&number, data.at(p), sizeof(T));
        const uint16_t code = odd_of(static_cast<long double>(number));
        copy_bytes(codes.at(p), reinterpret_cast<const char*>(&code), 2);
    });
    check_translated(out, data, table, 1, 2, from, Element::bf16, int64_t{0}, codes);
}

void test_odds() {
    test_odd<float>(Element::f32);
    test_odd<double>(Element::f64);
    test_odd<int32_t>(Element::i32);
    test_odd<uint32_t>(Element::u32);
    test_odd<int64_t>(Element::i64);
    test_odd<uint64_t>(Element::u64);
}

const Fuzzed fuzzed_bits("translate bits", test_bits);
const Fuzzed fuzzed_integers("translate integers", test_integers);
const Fuzzed fuzzed_odds("translate odds", test_odds);

}  // namespace

void test_translate(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_bits();
        test_integers();
        test_odds();
    }
    set_num_threads(0);
}
