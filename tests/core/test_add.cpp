// Sums of whole numbers and bools over any strides against single ones. (Floats: test_add.py, against NumPy.)
#include "../../core/parallel.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

constexpr Element kWhole[] = {Element::i8,  Element::i16, Element::i32, Element::i64,    Element::u8,
                              Element::u16, Element::u32, Element::u64, Element::boolean};

void add_bytes(const Element element, char* target, const char* source, int64_t width) {
    if (element == Element::boolean) {
        *target = *target != 0 || *source != 0;
        return;
    }
    uint64_t sum = 0, more = 0;
    copy_bytes(&sum, target, width);
    copy_bytes(&more, source, width);
    sum += more;
    copy_bytes(target, &sum, width);
}

void test_sum() {
    const Element element = kWhole[between(0, 8)];
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 5000);
    const int64_t width = width_of(element);
    const View source = make_view(sizes, width, kSometimes), target = make_view(sizes, width, kNever);
    if (element == Element::boolean)
        for (const View* v : {&source, &target}) for_positions(sizes, [&](const auto& p) { *v->at(p) &= 1; });
    Vector<char> expected(target.memory.get(), target.memory.get() + target.bytes);
    for_positions(sizes, [&](const auto& p) {
        add_bytes(element, expected.data() + (target.at(p) - target.memory.get()), source.at(p), width);
    });
    Told({target, source, element}).run("add");
    CHECK(std::equal(expected.begin(), expected.end(), target.memory.get()), "sums");
}

const Fuzzed fuzzed_sum("add", test_sum);

}  // namespace

void test_add(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_sum();
    }
    set_num_threads(0);
}
