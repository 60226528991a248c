// Whether offsets leave the cache.
#pragma once

#include <algorithm>

#include "../kernels/blocks.hpp"
#include "../layout/numbers.hpp"
#include "../tune/machine.hpp"
#include "../tune/thresholds.hpp"

namespace wherry {

// By a few of them: sorted indices stay near, whatever the size of the axis. `offset` tells one of `count`.
template <class Offset>
bool lie_far_by(int64_t count, int64_t far, Offset offset) {
    int64_t low = INT64_MAX / 2, high = INT64_MIN / 2;
    for (int64_t k = 0; k <= tune::kFarSamples; ++k) {
        const int64_t v = offset((count - 1) * k / tune::kFarSamples);
        if (v == kBadOffset) continue;
        low = least(low, v);
        high = most(high, v);
    }
    return high - low >= far;
}

// Whether runs of so many bytes are read from so few places that they stay in the cache, wherever they lie: of a few
// offsets, spread evenly, most are there again.
template <class Offset>
bool name_few_by(int64_t count, int64_t run, Offset offset) {
    constexpr int64_t samples = tune::kRepeatSamples;
    if (count < samples || run > machine().second / (2 * samples)) return false;
    int64_t taken[samples];
    for (int64_t k = 0; k < samples; ++k) taken[k] = offset(count / samples * k);
    std::sort(taken, taken + samples);
    int64_t alone = 0;
    for (int64_t k = 0; k < samples; ++k)
        alone += (k == 0 || taken[k] != taken[k - 1]) && (k == samples - 1 || taken[k] != taken[k + 1]);
    return 2 * alone < samples;
}

// How much of each scattered run is fetched ahead, of data that reaches over so many bytes: the hardware follows a run
// whose beginning it has seen, but on some machines late.
inline int64_t bytes_to_fetch(int64_t run, int64_t reach) {
    const bool whole = run <= tune::most_fetched(machine().fetch) && reach >= machine().last;
    return whole ? run : least(run, tune::kFetchedRunBytes);
}

// Whether scattered runs of so many bytes are fetched into the first cache.
inline bool goes_into_first(int64_t run, bool stream) {
    if (run <= tune::kLine) return run < machine().fetch_second_element;
    return run < (stream ? machine().fetch_second_streamed : machine().fetch_second);
}

}  // namespace wherry
