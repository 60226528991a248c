// Unique: vectors of each type of key, by tables, in one part and in many, against a naive search.
#include "../../core/steps/unique.hpp"

#include <map>

#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

void test_unique(int rounds);

namespace {

struct Found {
    std::vector<int64_t> first, counts, inverse;
    bool operator==(const Found&) const = default;
};

Found searched(const std::vector<int64_t>& data, bool ascending) {
    std::vector<std::unique_ptr<char[]>> kept;
    UniqueSearch search(reinterpret_cast<const char*>(data.data()), static_cast<int64_t>(data.size()), Element::i64,
                        false,
                        [&](int64_t bytes) { return kept.emplace_back(new char[static_cast<size_t>(bytes)]).get(); });
    const auto values = static_cast<size_t>(search.look());
    Found found{std::vector<int64_t>(values), std::vector<int64_t>(values), std::vector<int64_t>(data.size())};
    search.write({found.first.data(), found.counts.data(), found.inverse.data()}, ascending);
    return found;
}

Found naive(const std::vector<int64_t>& data, bool ascending) {
    std::map<int64_t, int64_t> first;
    for (size_t k = 0; k < data.size(); ++k) first.emplace(data[k], static_cast<int64_t>(k));
    std::map<int64_t, int64_t> number;
    Found found;
    if (ascending)
        for (const auto& [value, place] : first) number.emplace(value, static_cast<int64_t>(number.size()));
    else
        for (size_t k = 0; k < data.size(); ++k) number.emplace(data[k], static_cast<int64_t>(number.size()));
    found.first.resize(number.size());
    found.counts.resize(number.size());
    for (const auto& [value, at] : number) found.first[static_cast<size_t>(at)] = first[value];
    for (int64_t value : data) {
        found.inverse.push_back(number[value]);
        ++found.counts[static_cast<size_t>(number[value])];
    }
    return found;
}

}  // namespace

void test_unique(int rounds) {
    for (int round = 0; round < rounds / 20; ++round) {
        std::vector<int64_t> data(static_cast<size_t>(one_of<int64_t>({0, 1, 30, 1000, 30'000})));
        const int64_t spread = one_of<int64_t>({1, 10, 20'000, INT64_MAX});
        const int64_t near = between(0, 1) ? INT64_MIN : -spread / 2;
        for (int64_t& value : data) {
            const uint64_t upper = static_cast<uint64_t>(between(0, INT32_MAX)) << 32;
            const uint64_t drawn = upper | static_cast<uint64_t>(between(0, INT32_MAX));
            value = static_cast<int64_t>(static_cast<uint64_t>(near) + drawn % static_cast<uint64_t>(spread));
        }
        for (bool ascending : {true, false})
            CHECK(searched(data, ascending) == naive(data, ascending), "unique: first places, counts and inverse");
    }
}
