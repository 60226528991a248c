// The one place that chooses an instruction set.
#include <cstdlib>
#include <cstring>

#ifdef WHERRY_X86
#include <cpuid.h>
#endif

#include "blocks.hpp"

namespace wherry {
namespace {

#ifdef WHERRY_X86
// What a machine must have for each table, the best table first. (The builtin takes literals only.)
struct Level {
    const BlockKernels& kernels;
    bool supported;
};

// Not every compiler's builtin knows this one.
bool has_f16c() {
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

const BlockKernels& choose() {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && has_f16c();
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    const bool vbmi = avx512 && __builtin_cpu_supports("avx512vbmi");
    const Level levels[] = {{avx512vbmi::kernels, vbmi}, {avx512::kernels, avx512}, {avx2::kernels, avx2}};
    const char* wanted = std::getenv("WHERRY_ISA");
    bool reached = !wanted || !*wanted;  // the one that is named, or the next lower that the machine has
    for (const Level& level : levels) {
        reached = reached || !std::strcmp(wanted, level.kernels.name);
        if (reached && level.supported) return level.kernels;
    }
    return scalar::kernels;
}
#else
const BlockKernels& choose() { return scalar::kernels; }
#endif

}  // namespace

const BlockKernels& block_kernels() {
    static const BlockKernels& chosen = choose();
    return chosen;
}

}  // namespace wherry
