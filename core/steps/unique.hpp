// The different values of a vector of numbers: where each lies first, how often it is there, and which one lies where.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "../kernels/element.hpp"

namespace wherry {

// An element of the vector while it is sorted.
struct UniqueEntry {
    uint64_t key;
    int64_t place;
};

// What is found: of each value the first place and how often it is there, of each element the number of its value.
struct UniqueResults {
    int64_t *first, *counts, *inverse;
};

// Looks once at a vector, whose elements it keeps as keys: what is found is the same for every number of threads, and
// stays whole where another thread writes to the vector meanwhile.
class UniqueSearch {
public:
    // All NaN are one value, or, if they differ, each is one of its own, in their order behind all others.
    // Space gives memory of so many bytes that outlives the search; it may throw.
    using Space = std::function<char*(int64_t)>;
    UniqueSearch(const char* data, int64_t count, Element element, bool nan_differ, Space space);

    static bool has_keys(Element element);

    // How many values there are.
    int64_t look();
    // Writes what was found, the values in ascending order or in that of their first places. Once only.
    void write(const UniqueResults& results, bool ascending);

private:
    using Entry = UniqueEntry;

    void read_keys();
    bool is_narrow() const;
    void count_in_tables();
    void part_as_they_are();
    void part_by_samples();
    void sort_parts();
    void write_values(const UniqueResults& values);
    void order_by_place(const UniqueResults& values, const UniqueResults& ordered);
    void write_inverse(int64_t* inverse) const;
    int64_t number(int64_t value) const { return number_ ? number_[value] : value; }
    int64_t* integers(int64_t count);
    bool begins(const Entry* entry) const;
    static void sort(Entry* entries, Entry* other, int64_t count, bool to_other);
    static void insert(Entry* entries, int64_t count);

    const char* data_;
    int64_t count_;
    Element element_;
    bool nan_differ_;
    Space space_;
    uint64_t* keys_ = nullptr;        // which sort as the elements do
    uint64_t low_ = 0, high_ = 0;     // the least and the greatest of them
    bool ascends_ = false;            // as they lie
    int64_t found_ = 0;               // values
    int64_t tables_ = 0, range_ = 0;  // tables with a place for each key from low_ to high_,
    int64_t *table_first_ = nullptr,
            *table_counts_ = nullptr;              // where these are few: of each its first place and count
    std::vector<int64_t> rank_;                    // and its number among the values
    Entry *entries_ = nullptr, *other_ = nullptr;  // else sorted by keys, in parts
    std::vector<int64_t> begin_;                   // where each part begins
    std::vector<int64_t> values_;                  // how many values come before each part
    int64_t* number_ = nullptr;                    // of each value, where they are in the order of their places
};

}  // namespace wherry
