// The one place that chooses an instruction set.
#include <cstdlib>
#include <cstring>

#include "blocks.hpp"

namespace wherry {
namespace {

const BlockKernels& choose() {
#ifdef WHERRY_X86
    const char* wanted = std::getenv("WHERRY_ISA");
    const auto allowed = [wanted](const char* name) { return !wanted || !*wanted || !std::strcmp(wanted, name); };
    __builtin_cpu_init();
    if (allowed("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return avx512::kernels;
    if ((allowed("avx2") || allowed("avx512")) && __builtin_cpu_supports("avx2")) return avx2::kernels;
#endif
    return scalar::kernels;
}

}  // namespace

const BlockKernels& block_kernels() {
    static const BlockKernels& chosen = choose();
    return chosen;
}

}  // namespace wherry
