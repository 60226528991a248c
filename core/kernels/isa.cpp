// The one place that chooses an instruction set.
#include "isa.hpp"

#include <cstdlib>
#include <cstring>

#ifdef WHERRY_X86
#include <cpuid.h>
#endif

namespace wherry {
namespace {

#ifdef WHERRY_AVX512
// Made here: what is compiled for an instruction set must not run before it is known that the machine has it.
BlockKernels with_bytes() {
    BlockKernels made = avx512::kernels;
    made.name = "avx512vbmi";
    made.look_up = avx512vbmi::kernels.look_up;
    made.look_up_bytes = avx512vbmi::kernels.look_up_bytes;
    made.copy = avx512vbmi::kernels.copy;
    made.patterns = avx512vbmi::kernels.patterns;
    made.planes = avx512vbmi::kernels.planes;
    made.fill = avx512vbmi::kernels.fill;
    made.move = avx512vbmi::kernels.move;
    return made;
}

const BlockKernels kAvx512Vbmi = with_bytes();
#endif

// The tables of this build, each of which needs what those before it need, and how many of them the machine has.
#if defined(WHERRY_X86)
constexpr const BlockKernels* kTables[] = {
    &scalar::kernels,
    &avx2::kernels,
#ifdef WHERRY_AVX512
    &avx512::kernels,
    &kAvx512Vbmi,
#endif
};

// Not every compiler's builtin knows this one.
bool has_f16c() {
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

// (The builtin takes literals only.)
size_t supported() {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && has_f16c();
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    [[maybe_unused]] const bool vbmi = avx512 && __builtin_cpu_supports("avx512vbmi");
    size_t count = size_t{1} + avx2;
#ifdef WHERRY_AVX512
    count += avx512;
    count += vbmi;
#endif
    return count;
}
#elif defined(WHERRY_NEON)
constexpr const BlockKernels* kTables[] = {&scalar::kernels, &neon::kernels};

size_t supported() { return 2; }  // every such machine has NEON
#else
constexpr const BlockKernels* kTables[] = {&scalar::kernels};

size_t supported() { return 1; }
#endif

const BlockKernels& choose() {
    const auto tables = block_tables();
    const char* wanted = std::getenv("WHERRY_ISA");
    if (!wanted || !*wanted) return *tables.back();
    // The one that is named, or the next lower that the machine has.
    size_t named = 0;
    for (size_t k = 0; k < std::size(kTables); ++k)
        if (!std::strcmp(wanted, kTables[k]->name)) named = k;
    return named < tables.size() ? *tables[named] : *tables.back();
}

}  // namespace

std::span<const BlockKernels* const> block_tables() {
    static const size_t count = supported();
    return {kTables, count};
}

const BlockKernels& block_kernels() {
    static const BlockKernels& chosen = choose();
    return chosen;
}

}  // namespace wherry
