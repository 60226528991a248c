// Inputs for compilers without libFuzzer: the files that are named, or random ones, the same for a seed on every
// machine. It takes these of libFuzzer's arguments: -seed=, -max_total_time=, -artifact_prefix=, files, folders.
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace {

constexpr size_t kMostBytes = 1024;
constexpr unsigned kSeconds = 60;  // that an input may take, also at the lowest priority on a busy machine

std::vector<uint8_t> input;
std::string prefix = "./";

// Writes the input that killed the process; sanitizers call it, and so do signals.
void keep_input() {
    const std::string path = prefix + "crash-core";
    if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
        std::fwrite(input.data(), 1, input.size(), file);
        std::fclose(file);
    }
    std::fprintf(stderr, "the input is in %s\n", path.c_str());
}

void at_signal(int number) {
    keep_input();
    signal(number, SIG_DFL);
    raise(number);
}

void run() {
    alarm(kSeconds);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    alarm(0);
}

void run_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    input.assign(std::istreambuf_iterator<char>(file), {});
    run();
}

void run_all(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return run_file(path);
    for (const auto& entry : std::filesystem::directory_iterator(path)) run_file(entry.path());
}

void run_random(uint64_t seed, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    std::mt19937_64 random(seed);
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
        input.resize(random() % kMostBytes + 1);
        for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
        run();
    }
}

}  // namespace

int main(int argc, char** argv) {
    uint64_t seed = 1;
    double seconds = 0;
    std::vector<std::string> paths;
    for (int k = 1; k < argc; ++k) {
        const std::string argument = argv[k];
        const std::string value = argument.substr(argument.find('=') + 1);
        if (argument.starts_with("-seed=")) seed = std::stoull(value);
        if (argument.starts_with("-max_total_time=")) seconds = std::stod(value);
        if (argument.starts_with("-artifact_prefix=")) prefix = value;
        if (!argument.starts_with("-")) paths.push_back(argument);
    }
    __sanitizer_set_death_callback(keep_input);
    signal(SIGABRT, at_signal);
    signal(SIGALRM, at_signal);
    for (const std::string& path : paths) run_all(path);
    run_random(seed, seconds);
}
