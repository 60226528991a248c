// Calculations over any strides, one and several at once, and divisions of integers, against single ones.
#include <cmath>
#include <limits>
#include <type_traits>

#include "../../core/kernels/calculation.hpp"
#include "../../core/parallel.hpp"
#include "../../core/steps/reduce.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

constexpr Element kCalculated[] = {Element::i8,  Element::i16, Element::i32,    Element::i64,
                                   Element::u8,  Element::u16, Element::u32,    Element::u64,
                                   Element::f32, Element::f64, Element::boolean};

template <class T>
T number_at(const char* place) {
    T value;
    std::memcpy(&value, place, sizeof(T));
    return value;
}

template <class T>
void put(char* place, T value) {
    std::memcpy(place, &value, sizeof(T));
}

template <class T>
T arithmetic(Function f, T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        switch (f) {
            case Function::add: return a + b;
            case Function::subtract: return a - b;
            case Function::multiply: return a * b;
            case Function::divide: return a / b;
            case Function::minimum: return a < b ? a : b;
            case Function::maximum: return a > b ? a : b;
            case Function::raise_to: return a < b ? b : a;
            case Function::lower_to: return a > b ? b : a;
            case Function::negative: return -a;
            case Function::absolute: return std::fabs(a);
            default: return static_cast<T>((a > 0) - (a < 0));
        }
    } else {
        using Wide = std::make_unsigned_t<T>;
        const auto x = static_cast<uint64_t>(static_cast<Wide>(a)), y = static_cast<uint64_t>(static_cast<Wide>(b));
        switch (f) {
            case Function::add: return static_cast<T>(x + y);
            case Function::subtract: return static_cast<T>(x - y);
            case Function::multiply: return static_cast<T>(x * y);
            case Function::conjunction: return static_cast<T>(x & y);
            case Function::disjunction: return static_cast<T>(x | y);
            case Function::exclusive: return static_cast<T>(x ^ y);
            case Function::minimum: return a < b ? a : b;
            case Function::maximum: return a > b ? a : b;
            case Function::raise_to: return a < b ? b : a;
            case Function::lower_to: return a > b ? b : a;
            case Function::negative: return static_cast<T>(uint64_t{0} - x);
            case Function::absolute: return a < 0 ? static_cast<T>(uint64_t{0} - x) : a;
            case Function::inverse: return static_cast<T>(~x);
            case Function::logical_and: return static_cast<T>(x != 0 && y != 0);
            case Function::logical_or: return static_cast<T>(x != 0 || y != 0);
            case Function::logical_xor: return static_cast<T>((x != 0) != (y != 0));
            case Function::logical_not: return static_cast<T>(x == 0);
            default: return static_cast<T>((a > 0) - (a < 0));
        }
    }
}

template <class T>
bool relation(Function f, T a, T b) {
    switch (f) {
        case Function::equal: return a == b;
        case Function::not_equal: return a != b;
        case Function::less: return a < b;
        case Function::less_or_equal: return a <= b;
        case Function::greater: return a > b;
        default: return a >= b;
    }
}

// Writes what one function makes of two elements.
template <class T>
void calculate_one(Function f, char* out, const char* first, const char* second) {
    const T a = number_at<T>(first), b = number_at<T>(second);
    if (is_relation(f))
        *out = relation(f, a, b);
    else
        put(out, arithmetic(f, a, b));
}

template <>
void calculate_one<Boolean>(Function f, char* out, const char* first, const char* second) {
    const uint8_t a = *first != 0, b = *second != 0;
    if (is_relation(f))
        *out = relation(f, a, b);
    else
        *out = f == Function::inverse ? !a : static_cast<char>(arithmetic(f, a, b));
}

void calculate_one(Function f, Element element, char* out, const char* first, const char* second) {
    for_element(element, [&]<class T>(TypeOf<T>) {
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, Boolean>) calculate_one<T>(f, out, first, second);
    });
}

// Floats that are numbers, so that no NaN has another payload.
void fill(const View& view, Element element) {
    if (element != Element::f32 && element != Element::f64) return;
    for_positions(view.sizes, [&](const auto& p) {
        const auto number = static_cast<double>(between(-60, 60)) + 0.5;
        if (element == Element::f32)
            put(view.at(p), static_cast<float>(number));
        else
            put(view.at(p), number);
    });
}

Function some_function(Element element) {
    Function f;
    do f = static_cast<Function>(between(0, kFunctions - 1));
    while (!can_calculate(f, element));
    return f;
}

void test_one_function() {
    const Element element = kCalculated[between(0, std::ssize(kCalculated) - 1)];
    const Function f = some_function(element);
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const int64_t width = width_of(element), result = width_of_result(f, element);
    const View a = make_view(sizes, width, kSometimes), b = make_view(sizes, width, kSometimes),
               out = make_view(sizes, result, kNever);
    fill(a, element), fill(b, element);
    Vector<char> expected(out.memory.get(), out.memory.get() + out.bytes);
    for_positions(sizes, [&](const auto& p) {
        calculate_one(f, element, expected.data() + (out.at(p) - out.memory.get()), a.at(p), b.at(p));
    });
    const int64_t function = static_cast<int64_t>(f), one = 1, none = 0;
    Told({one, function, element, out, none, a, none, b, none}).run("calculate");
    CHECK(std::equal(expected.begin(), expected.end(), out.memory.get()), "calculations");
}

// Three functions, the second of what the first makes, which is held; the third of both.
void test_joined() {
    const Element element = kCalculated[between(0, 7)];
    const auto sizes = random_sizes(static_cast<int>(between(0, 3)), 5000);
    const int64_t width = width_of(element);
    const View a = make_view(sizes, width, kSometimes), b = make_view(sizes, width, kSometimes),
               out = make_view(sizes, width, kNever), less = make_view(sizes, 1, kNever);
    Vector<char> expected(out.memory.get(), out.memory.get() + out.bytes);
    Vector<char> expected_less(less.memory.get(), less.memory.get() + less.bytes);
    for_positions(sizes, [&](const auto& p) {
        char made[8], then[8];
        calculate_one(Function::add, element, made, a.at(p), b.at(p));
        calculate_one(Function::multiply, element, then, made, a.at(p));
        calculate_one(Function::less, element, expected_less.data() + (less.at(p) - less.memory.get()), made, then);
        calculate_one(Function::maximum, element, expected.data() + (out.at(p) - out.memory.get()), then, made);
    });
    const auto number = [](Function f) { return static_cast<int64_t>(f); };
    const int64_t count = 4, none = 0, sum = 0, product = 3;
    Told({count,   number(Function::add),      element, nullptr, sum,     a,       none,    b,
          none,    number(Function::multiply), element, nullptr, product, nullptr, sum,     a,
          none,    number(Function::less),     element, less,    none,    nullptr, sum,     nullptr,
          product, number(Function::maximum),  element, out,     none,    nullptr, product, nullptr,
          sum})
        .run("calculate");
    CHECK(std::equal(expected.begin(), expected.end(), out.memory.get()), "joined calculations");
    CHECK(std::equal(expected_less.begin(), expected_less.end(), less.memory.get()), "a relation among calculations");
}

template <class T>
T divide(int division, T a, T b) {
    if (b == 0) return division < 2 ? T{0} : a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
        return division < 2 ? arithmetic<T>(Function::negative, a, a) : T{0};
    const T remainder = static_cast<T>(a % b);
    const bool down = division % 2 && remainder != 0 && (remainder < 0) != (b < 0);
    return division < 2 ? static_cast<T>(a / b - down) : static_cast<T>(down ? remainder + b : remainder);
}

void test_division() {
    const Element element = kCalculated[between(0, 7)];
    const int64_t division = between(0, 3), width = width_of(element);
    const auto sizes = random_sizes(static_cast<int>(between(0, 3)), 3000);
    const View a = make_view(sizes, width, kSometimes), b = make_view(sizes, width, kSometimes),
               out = make_view(sizes, width, kNever);
    Vector<char> expected(out.memory.get(), out.memory.get() + out.bytes);
    const int64_t refuse = 0, take = 1;
    bool is_defined = true;
    for_positions(sizes, [&](const auto& p) {
        for_element(element, [&]<class T>(TypeOf<T>) {
            if constexpr (std::is_integral_v<T>) {
                if (between(0, 1000) == 0) put(b.at(p), T{0});
            }
        });
    });
    for_positions(sizes, [&](const auto& p) {
        for_element(element, [&]<class T>(TypeOf<T>) {
            if constexpr (std::is_integral_v<T>) {
                const T x = number_at<T>(a.at(p)), y = number_at<T>(b.at(p));
                put(expected.data() + (out.at(p) - out.memory.get()), divide(static_cast<int>(division), x, y));
                is_defined &=
                    y != 0 && !(std::is_signed_v<T> && y == static_cast<T>(-1) && x == std::numeric_limits<T>::min());
            }
        });
    });
    CHECK(Told({a, b, element, refuse, refuse}).run("divisible") == is_defined, "whether a quotient is defined");
    CHECK(Told({a, b, element, take, take}).run("divisible"), "all quotients are taken");
    Told({out, a, b, element, division}).run("divide");
    CHECK(std::equal(expected.begin(), expected.end(), out.memory.get()), "quotients");
}

const Fuzzed fuzzed_calculation("calculate", test_one_function);
const Fuzzed fuzzed_joined("joined", test_joined);
const Fuzzed fuzzed_division("divide", test_division);

}  // namespace

void test_calculate(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_one_function();
        test_joined();
        test_division();
    }
    set_num_threads(0);
}
