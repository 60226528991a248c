// All tests of the kernels, one after the other: core_tests [rounds [seed]].
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

void test_kernels(int rounds);
void test_large();
void test_add(int rounds);
void test_calculate(int rounds);
void test_convert(int rounds);
void test_diagonals(int rounds);
void test_directly();
void test_indexing(int rounds);
void test_lookup();
void test_memory();
void test_parallel();
void test_bands(int rounds);
void test_group(int rounds);
void test_interleaved(int rounds);
void test_steps();
void test_pattern(int rounds);
void test_planes();
void test_nonzero(int rounds);
void test_outside(int rounds);
void test_unique(int rounds);
void test_replace(int rounds);
void test_round(int rounds);
void test_rows();
void test_select(int rounds);
void test_tiles();
void test_tiling(int rounds);
void test_translate(int rounds);

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
    if (argc > 2) generator.follow(nullptr, 0, std::strtoull(argv[2], nullptr, 10));
    test_kernels(rounds / 2);
    test_add(rounds);
    test_calculate(rounds);
    test_convert(rounds);
    test_diagonals(rounds);
    test_directly();
    test_indexing(rounds);
    test_lookup();
    test_memory();
    test_parallel();
    test_bands(rounds / 12);
    test_group(rounds);
    test_interleaved(rounds);
    test_steps();
    test_pattern(rounds / 2);
    test_planes();
    test_nonzero(rounds);
    test_outside(rounds);
    test_unique(rounds);
    test_replace(rounds / 20);
    test_round(rounds / 8);
    test_rows();
    test_select(rounds);
    test_tiles();
    test_tiling(rounds / 4);
    test_translate(rounds / 4);
    test_large();
    // The macro itself must be able to fail.
    const int real = failures;
    CHECK(false, "this one is meant to fail");
    if (failures != real + 1) return 2;
    std::printf("%s: %ld checks, %d failures\n", block_kernels().name, checks - 1, real);
    return real ? 1 : 0;
}
