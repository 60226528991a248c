// Reads the machine. On Linux sysfs names the caches of each core and who shares them, and the control groups how much
// of the cores the process gets; elsewhere, and for what is not told, the numbers of a common core are taken.
#include "machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#ifdef __linux__
#include <sched.h>
#include <unistd.h>
#endif

namespace wherry {
namespace {

constexpr int64_t kKilo = 1024, kMega = kKilo * kKilo;

// A virtual machine is told of the last cache of its host, and not who else shares it: 480 MB for two cores, say. And
// what is copied is there twice, as source and as destination. So half of it is believed, and no more for each core
// than few processors have.
constexpr int64_t kShareOfLast = 2;
constexpr int64_t kMostLastOfCore = 8 * kMega;

constexpr Setting kSettings[] = {
    {"first", &Machine::first},
    {"second", &Machine::second},
    {"whole", &Machine::whole},
    {"last", &Machine::last},
    {"page", &Machine::page},
    {"cores", &Machine::cores},
    {"stream", &Machine::stream},
    {"stream-dense", &Machine::stream_dense},
    {"stream-runs", &Machine::stream_runs},
    {"stream-long", &Machine::stream_long},
    {"stream-far", &Machine::stream_far},
    {"resident", &Machine::resident},
    {"crowded", &Machine::crowded},
    {"far", &Machine::far},
    {"far-element", &Machine::far_element},
    {"fetch", &Machine::fetch},
    {"fetch-rows", &Machine::fetch_rows},
    {"fetch-second", &Machine::fetch_second},
    {"fetch-second-element", &Machine::fetch_second_element},
    {"fetch-second-streamed", &Machine::fetch_second_streamed},
    {"fetch-streamed", &Machine::fetch_streamed},
    {"fetch-written", &Machine::fetch_written},
    {"fetch-parts", &Machine::fetch_parts},
    {"fetch-columns", &Machine::fetch_columns},
    {"tile-row", &Machine::tile_row},
    {"tile-far-row", &Machine::tile_far_row},
    {"tile-column", &Machine::tile_column},
    {"block", &Machine::block},
    {"group", &Machine::group},
    {"slices", &Machine::slices},
    {"replace", &Machine::replace},
    {"partition", &Machine::partition},
    {"partition-few", &Machine::partition_few},
    {"partition-one", &Machine::partition_one},
    {"tiled", &Machine::tiled},
    {"kept", &Machine::kept},
    {"parted", &Machine::parted},
    {"side-by-side", &Machine::side_by_side},
    {"side-by-side-element", &Machine::side_by_side_element},
    {"wake", &Machine::wake},
};

// `48K`: a number with K, M or G behind it or none; 0 if it is something else.
int64_t number_in(std::string_view text) {
    constexpr std::string_view units = "KMG";
    int64_t unit = 1;
    if (!text.empty()) {
        const size_t power = units.find(text.back());
        if (power != units.npos) {
            unit = int64_t{1} << (10 * (power + 1));
            text.remove_suffix(1);
        }
    }
    int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || number > (INT64_MAX / unit - 9) / 10) return 0;
        number = number * 10 + (c - '0');
    }
    return number * unit;
}

[[maybe_unused]] std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

#ifdef __linux__

// The cores in a list such as `0-7,16-23`.
int64_t cores_in(std::string_view list) {
    int64_t count = 0;
    while (!list.empty()) {
        const std::string_view part = list.substr(0, list.find(','));
        const size_t dash = part.find('-');
        count += dash == part.npos ? 1 : number_in(part.substr(dash + 1)) - number_in(part.substr(0, dash)) + 1;
        list.remove_prefix(std::min(list.size(), part.size() + 1));
    }
    return count;
}

// The cores that the control group at `path` gets the time of, or all.
int64_t cores_of_group(const std::string& path) {
    const std::string line = line_of(path + "/cpu.max");  // `200000 100000`, or `max 100000`
    const size_t blank = line.find(' ');
    if (blank == line.npos) return INT64_MAX;
    const int64_t quota = number_in(std::string_view(line).substr(0, blank)),
                  period = number_in(std::string_view(line).substr(blank + 1));
    return quota > 0 && period > 0 ? (quota + period - 1) / period : INT64_MAX;
}

// The process's group is bound by those around it.
int64_t cores_of_groups() {
    std::ifstream file("/proc/self/cgroup");
    int64_t cores = INT64_MAX;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("0::")) continue;
        for (std::string group = line.substr(3);; group.resize(group.rfind('/'))) {
            cores = std::min(cores, cores_of_group("/sys/fs/cgroup" + group));
            if (group.find('/') == group.npos) break;
        }
    }
    return cores;
}

void read_cores(Machine& m) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) m.cores = CPU_COUNT(&allowed);
    m.cores = std::max<int64_t>(1, std::min(m.cores, cores_of_groups()));
}

void read_caches(Machine& m) {
    const int core = sched_getcpu();
    const std::string caches = "/sys/devices/system/cpu/cpu" + std::to_string(std::max(core, 0)) + "/cache/index";
    int64_t last_level = 0;
    for (int k = 0;; ++k) {
        const std::string cache = caches + std::to_string(k) + '/', type = line_of(cache + "type");
        if (type.empty()) break;
        const int64_t level = number_in(line_of(cache + "level")), size = number_in(line_of(cache + "size"));
        if (type == "Instruction" || size == 0) continue;
        if (level == 1) m.first = size;
        if (level == 2) m.second = size;
        if (level <= last_level) continue;
        // One for each group of cores that shares it, of as many groups as the process's cores are.
        const int64_t sharing = std::max<int64_t>(1, cores_in(line_of(cache + "shared_cpu_list")));
        last_level = level;
        m.whole = size * ((m.cores + sharing - 1) / sharing);
    }
}

void read_hardware(Machine& m) {
    read_cores(m);
    read_caches(m);
    if (const long page = sysconf(_SC_PAGESIZE); page > 0) m.page = page;
    m.last = std::max(std::min(m.whole / kShareOfLast, m.cores * kMostLastOfCore), m.second);
}

#else

void read_hardware(Machine& m) { m.cores = std::max(1u, std::thread::hardware_concurrency()); }

#endif

void set(Machine& m, std::string_view given) {
    while (!given.empty()) {
        const std::string_view part = given.substr(0, given.find(','));
        const size_t equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        const auto* found = std::ranges::find(kSettings, name, &Setting::name);
        const int64_t value = equals == part.npos ? 0 : number_in(part.substr(equals + 1));
        if (found == std::end(kSettings) || value <= 0)
            throw std::invalid_argument("WHERRY_TUNE: '" + std::string(part) +
                                        "' is no setting; write NAME=NUMBER, with K, M or G behind the number, and "
                                        "commas between settings (docs/benchmark.md lists the names)");
        m.*found->value = value;
        given.remove_prefix(std::min(given.size(), part.size() + 1));
    }
}

// How well the hardware follows what it is given is told by nothing but who made it, and when.
enum class Maker { other, intel, amd_zen3, amd_zen4, amd_zen5 };

Maker maker() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_is("intel")) return Maker::intel;
    if (!__builtin_cpu_is("amd")) return Maker::other;
    unsigned signature = 0, rest = 0;
    __get_cpuid(1, &signature, &rest, &rest, &rest);
    const unsigned family = (signature >> 8 & 15) + (signature >> 20 & 255);
    if (family >= 0x1A) return Maker::amd_zen5;
    return __builtin_cpu_supports("avx512f") ? Maker::amd_zen4 : Maker::amd_zen3;  // or one before it
#else
    return Maker::other;
#endif
}

// Measured as parts and multiples of caches: docs/benchmark.md, "What each way gains".
void derive(Machine& m) {
    const Maker made_by = maker();
    const bool is_zen3 = made_by == Maker::amd_zen3, is_zen5 = made_by == Maker::amd_zen5;
    const bool is_older = is_zen3 || made_by == Maker::amd_zen4, is_amd = is_older || is_zen5;
    // A last cache that is told with so little belongs to these cores and few others.
    const bool is_own = m.whole <= kShareOfLast * m.last;
    m.stream = m.last;
    m.stream_runs = m.last / 16 * 13;
    m.stream_far = is_zen5 && is_own ? m.whole / 8 * 3 : m.last / 2;
    m.resident = is_own ? m.whole / 4 * 3 : m.last / 2;  // what is only written is there once
    m.crowded = m.last / 4;
    m.far = m.second;
    // What many of these share lies as far from each as memory does, and is as fast as others leave it.
    const bool is_far = made_by == Maker::intel && !is_own;
    // Of a Zen 3 other machines may have the other cores that share it.
    m.stream_dense = is_zen3 ? m.last / 4 * 3 : is_own ? m.whole / 4 * 3 : is_far ? m.last / 2 : m.last;
    m.stream_long = is_far ? m.last / 2 : m.stream_runs;
    m.far_element = std::max(4 * m.second, is_zen5 ? m.last / 8 * 5 : 0);
    m.fetch = is_amd ? 8 * kKilo : tune::kFetchedRunBytes;
    m.fetch_rows = is_zen5 ? m.last : m.second;
    // Some processors read runs from the second cache at less than half their speed at times, as if they fetched on
    // behind each; others have few places in which lines wait on their way to the first one.
    m.fetch_second = is_zen5 ? 4 * m.fetch : made_by == Maker::intel ? tune::kFetchedRunBytes : 1;
    // Streamed stores wait in the same places of some.
    m.fetch_second_streamed = made_by == Maker::intel ? 1 : m.fetch_second;
    m.fetch_streamed = (made_by == Maker::intel ? 4 : 2) * tune::kRunBytesAhead;
    m.fetch_second_element = is_zen5 ? 2 * tune::kLine : 1;
    // Stores leave a core in order. Where many rows are written by turns, some processors begin to fetch the line of
    // one when that of the store before it is there.
    m.fetch_written = made_by == Maker::intel ? 2 * tune::kLine : 1;
    // Some read sources by turns at less than half their speed where these lie in the same places of huge pages.
    m.fetch_parts = is_zen5 ? 8 * kKilo : 1;
    // Elsewhere the next tile as a whole: on a Zen 4 and a Zen 5 that is the better one.
    m.fetch_columns = made_by == Maker::intel ? 2 * tune::kLine : 1;
    // Nothing is known that would tell why: measured on a Zen 3, a Zen 4 and a Zen 5, see docs/benchmark.md.
    m.tile_row = is_zen3 ? 5 * tune::kLine : is_amd ? 2 * tune::kLine : tune::kTiledRow;
    m.tile_far_row = is_older ? 6 * tune::kLine : tune::kTiledFarRow;
    m.tile_column = is_zen5 ? 2 * tune::kPage : 1;
    m.block = m.second / 4;
    m.group = m.second / 2;
    m.slices = 2 * m.second;
    m.replace = 2 * m.second;
    m.partition = 2 * m.second;
    // A core of a Zen 5 waits for so many scattered stores at once that to part them first hardly gains for any target.
    m.partition_few = is_zen5 ? INT64_MAX : m.last;
    // One of a Zen 3 takes nearly as long to part them as to apply them.
    m.partition_one = is_zen3 ? INT64_MAX : m.partition_few;
    m.tiled = m.first / 2;
    m.kept = std::max(64 * kMega, 2 * m.last);
    // In a loop over the same tensors each core finds its own part of them in its own caches, or at least not in those
    // of another. What no cache holds is faster in order where threads that are near each other share pages: but not on
    // a Zen 4.
    m.parted = is_older ? INT64_MAX : std::max(m.cores * m.second, m.last);
    // The hardware of these fetches each of four streams as far ahead as a single one. Not tried on others.
    m.side_by_side = is_zen3 || made_by == Maker::intel ? 256 * kKilo : INT64_MAX;
    // Tried on processors of Intel alone.
    m.side_by_side_element = made_by == Maker::intel ? m.side_by_side : INT64_MAX;
    m.wake = 256 * kKilo;
}

}  // namespace

std::span<const Setting> settings() { return kSettings; }

Machine read_machine(const char* settings) {
    Machine m{};
    m.first = 32 * kKilo, m.second = 512 * kKilo, m.whole = m.last = 32 * kMega, m.page = 4 * kKilo, m.cores = 1;
    read_hardware(m);
    set(m, settings);
    derive(m);
    set(m, settings);
    return m;
}

const Machine& machine() {
    static const Machine read = [] {
        const char* settings = std::getenv("WHERRY_TUNE");
        return read_machine(settings ? settings : "");
    }();
    return read;
}

}  // namespace wherry
