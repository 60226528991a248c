// A scatter to a copy in one pass against the two one after the other; and what is not of its kind.
#include "../../core/steps/replace.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

void test_replace(int rounds);

namespace {

// Rows of a tensor, `gap` bytes apart.
struct Rows {
    int64_t count, bytes, step;
    Vector<char> memory;

    Rows(int64_t count, int64_t bytes, int64_t gap)
        : count(count), bytes(bytes), step(bytes + gap), memory(static_cast<size_t>((count - 1) * step + bytes)) {
        fill_randomly(memory.data(), static_cast<int64_t>(memory.size()));
    }
};

struct Both {
    Rows target, data, updates;
    std::vector<int64_t> indices;
    int64_t width;
    CopyStep copied;
    ScatterStep scatter;  // buffers: target, data, updates, indices

    Both(int64_t rows, int64_t elements, int64_t width, int64_t count, bool gaps)
        : target(rows, elements * width, gaps && between(0, 1) ? width * between(1, 9) : 0),
          data(rows, elements * width, gaps && between(0, 1) ? between(1, 99) : 0),
          updates(count, elements * width, gaps && between(0, 1) ? between(1, 99) : 0),
          width(width) {
        for (int64_t i = 0; i < count; ++i) indices.push_back(between(-rows, rows - 1));
        copied.to = {0, 0}, copied.from = {1, 0};
        copied.width = width;
        copied.axes.add(rows, {target.step, data.step});
        copied.axes.add(elements, {width, width});
        scatter.target = {0, 0}, scatter.updates = {2, 0}, scatter.indices = {3, 0};
        scatter.element = Element::u8;
        scatter.nan = NanRule::propagate;
        scatter.axes.add(count, {0, updates.step, 8});
        scatter.axes.add(elements, {width, width, 0});
        scatter.width = width;
        scatter.rule = {0, OutOfRange::raise, Negative::from_end, IndexType::i64};
        scatter.column_count = 1;
        scatter.column[0] = {0, target.step, rows};
        scatter.reduction = Reduction::none;
    }

    std::unique_ptr<ReplaceStep> as_one() const { return as_replace(copied, scatter); }

    template <class Prepared>
    bool run(Prepared& step) {
        return run_at(step, {target.memory.data(), data.memory.data(), updates.memory.data(),
                             reinterpret_cast<const char*>(indices.data())});
    }

    Vector<char> one_after_the_other(bool& whole) {
        const Vector<char> before = target.memory;
        CopyStep first = copied;
        ScatterStep second = scatter;
        run(first);
        whole = run(second);
        const Vector<char> after = target.memory;
        std::copy(before.begin(), before.end(), target.memory.begin());
        return after;
    }
};

void test_rows() {
    const int64_t width = one_of<int64_t>({1, 4, 16}), elements = between(64 / width, 600 / width);
    const int64_t rows = 1024 * 1024 / (width * elements) + between(1, 500);
    Both both(rows, elements, width, between(rows / 16 + 1, 2 * rows), true);
    both.scatter.rule.out_of_range = one_of({OutOfRange::raise, OutOfRange::clamp, OutOfRange::zero, OutOfRange::wrap});
    if (between(0, 1))
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<size_t>(between(0, static_cast<int64_t>(both.indices.size()) - 1));
            both.indices[at] = one_of<int64_t>({rows, -rows - 1, INT64_MIN, INT64_MAX, rows + 7});
        }
    bool whole;
    const auto expected = both.one_after_the_other(whole);
    const auto one = both.as_one();
    CHECK(one != nullptr, "rows that are replaced");
    if (!one) return;
    CHECK(both.run(*one) == whole, "whether all indices are good");
    CHECK(both.target.memory == expected, "replaced rows");
}

// The pass by itself, however few the rows, whatever the type of the indices.
void test_pass() {
    const int64_t rows = size_to(60), bytes = size_to(200), count = size_to(100);
    Rows target(rows, bytes, between(0, 9)), data(rows, bytes, between(0, 9)), updates(count, bytes, between(0, 9));
    const IndexRule rule{rows, static_cast<OutOfRange>(between(0, 3)), static_cast<Negative>(between(0, 1)),
                         static_cast<IndexType>(between(0, 7))};
    const View indices = make_view({count}, index_width(rule.type), kSometimes);
    Vector<char> expected = target.memory;
    for (int64_t r = 0; r < rows; ++r)
        copy_bytes(&expected[static_cast<size_t>(r * target.step)], &data.memory[static_cast<size_t>(r * data.step)],
                   bytes);
    for (int64_t i = 0; i < count; ++i) put_index(rule.type, indices.at({i}), random_index(rows, between(0, 1)));
    bool whole = true;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t at = place(index_at(rule.type, indices.at({i})), rule);
        whole &= at >= 0 || rule.out_of_range != OutOfRange::raise;
        if (at >= 0)
            copy_bytes(&expected[static_cast<size_t>(at * target.step)],
                       &updates.memory[static_cast<size_t>(i * updates.step)], bytes);
    }
    ReplaceStep step;
    step.target = {0, 0}, step.data = {1, 0}, step.updates = {2, 0}, step.indices = {3, indices.start};
    step.rows = rows, step.row_bytes = bytes, step.count = count;
    step.target_step = target.step, step.data_step = data.step;
    step.update_step = updates.step, step.index_step = indices.strides[0];
    step.rule = rule;
    const bool done =
        run_at(step, {target.memory.data(), data.memory.data(), updates.memory.data(), indices.memory.get()});
    CHECK(done == whole, "whether all indices are good");
    CHECK(target.memory == expected, "replaced rows");
}

void test_other_kinds() {
    const auto refuses = [](auto change, const char* what) {
        Both both(20000, 32, 4, 9000, false);
        CHECK(both.as_one() != nullptr, "before the change");
        change(both);
        CHECK(both.as_one() == nullptr, what);
    };
    refuses([](Both& b) { b.scatter.reduction = Reduction::add; }, "a reduction");
    refuses([](Both& b) { b.scatter.column_count = 2; }, "tuples of indices");
    refuses([](Both& b) { b.scatter.column[0].size = 10000; }, "a scatter to a part");
    refuses([](Both& b) { b.copied.axes.size[0] = 10000; }, "a copy of a part");
    refuses([](Both& b) { b.scatter.target.offset += 128; }, "another beginning");
    refuses([](Both& b) { b.scatter.axes.stride[1][1] = 8; }, "updates that are not dense");
    refuses([](Both& b) { b.scatter.axes.size[0] = 1000; }, "few updates");
    refuses([](Both& b) { b.scatter.axes.size[1] = 8; }, "parts of rows");
    refuses([](Both& b) { b.copied.axes.stride[0][0] = 256; }, "rows elsewhere");
}

const Fuzzed fuzzed_pass("replace", test_pass);

}  // namespace

void test_replace(int rounds) {
    for (int i = 0; i < rounds; ++i) test_rows();
    for (int i = 0; i < 20 * rounds; ++i) test_pass();
    test_other_kinds();
}
