// Short runs by indices of 8 bits, by every rule, in memory of exactly the bytes that are read and written.
#include "../../core/parallel.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// What one block writes, for each count around the widths of vectors; the bytes around it stay as they are.
void test_block(int64_t width, int64_t count, bool stream, bool by_four_bits = false) {
    const int64_t slot = lookup_slot(width);
    const Memory indices = take_memory(count), table = take_memory(kLookupBytes * 256);
    fill_randomly(indices.get(), count);
    fill_randomly(table.get(), kLookupBytes * 256);
    for (int64_t k = 16 * slot; by_four_bits && k < 256 * slot; ++k) table[k] = table[k - 16 * slot];
    const int64_t before = between(0, 63), after = between(0, 63);
    Vector<char> out(static_cast<size_t>(before + count * width + after), '\x7f'), expected = out;
    for (int64_t i = 0; i < count; ++i)
        copy_bytes(expected.data() + before + i * width, table.get() + static_cast<uint8_t>(indices[i]) * slot, width);
    block_kernels().look_up(width, by_four_bits)({out.data() + before, indices.get(), count, table.get(), stream});
    called();
    CHECK(out == expected, "a block of lookups");
}

// A whole gather: indices of any value, by the definition of the rule.
void test_rule(IndexRule rule, int64_t width, int64_t count, bool wild) {
    const int64_t axis_stride = (between(0, 1) ? 1 : -1) * (width + between(0, 3));
    const int64_t first = axis_stride < 0 ? -axis_stride * (rule.size - 1) : 0;
    const int64_t reach = (axis_stride < 0 ? -axis_stride : axis_stride) * (rule.size - 1) + width;
    const Memory data = take_memory(reach);
    fill_randomly(data.get(), reach);
    const Memory indices = take_memory(count);
    Vector<char> out(static_cast<size_t>(count * width)), expected;
    bool refused = false;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t near = between(0, rule.size < 127 ? rule.size - 1 : 126);
        const Wide value = put_index(rule.type, indices.get() + i, wild ? static_cast<int64_t>(generator()) : near);
        const int64_t at = place(value, rule);
        refused |= at < 0 && rule.out_of_range == OutOfRange::raise;
        for (int64_t k = 0; k < width; ++k) expected.push_back(at < 0 ? '\0' : data[first + at * axis_stride + k]);
    }
    GatherStep job = make_gather_step();
    job.width = 1;
    job.axis_stride = axis_stride;
    job.rule = rule;
    job.axes.add(count, {width, 0, 1});
    job.axes.add(width, {1, 1, 0});
    CHECK(run_at(job, {out.data(), data.get() + first, indices.get()}) == !refused, "lookups refuse exactly the bad");
    if (!refused) CHECK(out == expected, "lookups");
    if (rule.out_of_range == OutOfRange::raise)
        CHECK(check_row(indices.get(), count, rule) == !refused, "the check alone");
}

const Fuzzed fuzzed_rule("lookup", [] {
    const IndexRule rule{one_of<int64_t>({1, 2, 100, 127, 128, 129, 255, 256, 257, 1000}),
                         static_cast<OutOfRange>(between(0, 3)), static_cast<Negative>(between(0, 1)),
                         one_of({IndexType::i8, IndexType::u8})};
    test_rule(rule, between(1, kLookupBytes), size_to(9000), between(0, 1));
});
const Fuzzed fuzzed_block("blocks of lookups",
                          [] { test_block(between(1, kLookupBytes), size_to(1000), between(0, 1), between(0, 1)); });

}  // namespace

void test_lookup() {
    for (int64_t width = 1; width <= kLookupBytes; ++width) {
        for (int64_t count = 0; count < 140; ++count) test_block(width, count, between(0, 1) == 1);
        for (int64_t count = 0; count < 70; ++count) test_block(width, count, false, true);
        test_block(width, 10'000, true);
        test_block(width, 10'000, true, true);
        for (const int64_t size : {1, 2, 100, 127, 128, 129, 255, 256, 257, 1000})
            for (const OutOfRange out_of_range :
                 {OutOfRange::raise, OutOfRange::clamp, OutOfRange::zero, OutOfRange::wrap})
                for (const IndexType type : {IndexType::i8, IndexType::u8}) {
                    set_num_threads(static_cast<int>(between(1, 3)));
                    const Negative negative = static_cast<Negative>(between(0, 1));
                    test_rule({size, out_of_range, negative, type}, width, between(2000, 9000), between(0, 1) == 1);
                }
    }
    set_num_threads(2);
    test_rule({200, OutOfRange::clamp, Negative::from_end, IndexType::u8}, 3, 500'000, true);
    set_num_threads(0);
}
