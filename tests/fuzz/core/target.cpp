// The kernels under a fuzzer. An input is a row of choices: which of the tests' cases comes next, on which instruction
// set and how many threads, its sizes, strides, offsets, widths and indices; a case draws them by `between`. What a
// case compares with is its naive loop; every buffer is exactly as long as the view in it.
//
// libFuzzer calls LLVMFuzzerTestOneInput; where the compiler has no libFuzzer, standalone.cpp does.
#include <string_view>

#include "../../../core/parallel.hpp"
#include "../../core/support.hpp"

// What the machine has is asked as ever, under another name: here each case chooses its own instruction set.
#define block_kernels best_kernels
#include "../../../core/kernels/isa.cpp"
#undef block_kernels

using namespace wherry::test;

namespace {

using wherry::BlockKernels;

constexpr size_t kSeedBytes = 2;
// Elements of an operand, whose product a gather's result may have: mostly few, now and then more than a vector holds.
constexpr int64_t kMostElements[] = {4, 4, 8, 8, 16, 16, 40, 130};
constexpr int kOneIn = 1000;  // cases use several threads: to wake them, and their spinning, takes as long as a hundred

std::vector<const BlockKernels*> tables_of_this_machine() {
    std::vector<const BlockKernels*> found;
    for (const BlockKernels* table : wherry::block_tables()) {
        found.push_back(table);
        if (table == &wherry::best_kernels()) break;
    }
    return found;
}

const BlockKernels* chosen = &wherry::scalar::kernels;

struct Counts {
    long inputs = 0, cases = 0;
    ~Counts() {
        std::printf("%ld inputs, %ld cases, %ld calls of kernels done, %ld refused, %ld checks\n", inputs, cases,
                    calls.done, calls.refused, checks);
    }
} counts;

const std::vector<OneCase>& sorted_cases() {
    static const std::vector<OneCase> sorted = [] {
        std::vector<OneCase> all = one_cases();
        std::sort(all.begin(), all.end(), [](const OneCase& a, const OneCase& b) {
            return std::string_view(a.name) < std::string_view(b.name);
        });
        return all;
    }();
    return sorted;
}

void run_case() {
    static const std::vector<const BlockKernels*> tables = tables_of_this_machine();
    const OneCase& next = sorted_cases()[static_cast<size_t>(between(0, static_cast<int64_t>(one_cases().size()) - 1))];
    chosen = tables[static_cast<size_t>(between(0, static_cast<int64_t>(tables.size()) - 1))];
    most_elements = kMostElements[between(0, std::size(kMostElements) - 1)];
    wherry::set_num_threads(between(1, kOneIn) == 1 ? static_cast<int>(between(2, 4)) : 1);
    next.run();
    ++counts.cases;
    if (failures == 0) return;
    std::printf("%s on %s\n", next.name, chosen->name);
    std::fflush(stdout);
    std::abort();
}

}  // namespace

const BlockKernels& wherry::block_kernels() { return *chosen; }

// A case lives for microseconds: what the steps allocate is kept cheap, and in the cache. (Views lie in an arena.)
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
    return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=1:max_malloc_fill_size=0:"
           "detect_leaks=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    if (size <= kSeedBytes) return 0;
    ++counts.inputs;
    generator.follow(bytes + kSeedBytes, size - kSeedBytes, bytes[0] | uint64_t{bytes[1]} << 8);
    while (generator.has_bytes()) run_case();
    return 0;
}
