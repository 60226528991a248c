// Unique: values that lie close together are counted in a table; all others are parted by samples of them, and the
// parts, none of which shares a value with another, are sorted on their own.
#include "unique.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/thresholds.hpp"

namespace wherry {
namespace {

constexpr uint64_t kNaN = ~uint64_t{0};  // beyond the keys of all other floats
constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;
constexpr int kParts = 256;
constexpr int kSamples = 16 * kParts;

size_t at(int64_t place) { return static_cast<size_t>(place); }

template <class T>
T element_at(const char* data, int64_t place) {
    T value;
    std::memcpy(&value, data + place * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
}

// Numbers that sort as those they are made of.
template <class T>
struct IntegerKey {
    static uint64_t of(const char* data, int64_t place) {
        const T value = element_at<T>(data, place);
        if constexpr (T(-1) < T(0))
            return static_cast<uint64_t>(static_cast<int64_t>(value)) ^ (uint64_t{1} << 63);
        else
            return value;
    }
};

struct BoolKey {
    static uint64_t of(const char* data, int64_t place) { return data[place] != 0; }
};

// Bits of floats sort as they do once those of negative ones are turned round; the two zeros are one value.
template <class Bits>
struct FloatKey {
    static uint64_t of(const char* data, int64_t place) {
        constexpr Bits kSign = Bits(1) << (8 * sizeof(Bits) - 1);
        constexpr Bits kInfinity = sizeof(Bits) == 4 ? Bits(0x7f800000) : static_cast<Bits>(0x7ff0000000000000);
        const Bits bits = element_at<Bits>(data, place), size = bits & ~kSign;
        if (size > kInfinity) return kNaN;
        if (size == 0) return kSign;
        return static_cast<Bits>(bits & kSign ? ~bits : bits | kSign);
    }
};

struct Range {
    uint64_t low = ~uint64_t{0}, high = 0;
    bool ascends = true;
};

template <class Key>
void read(const char* data, int64_t from, int64_t to, uint64_t* keys, Range& range) {
    Range found;
    for (int64_t k = from; k < to; ++k) {
        const uint64_t key = keys[k] = Key::of(data, k);
        found.low = std::min(found.low, key);
        found.ascends &= found.high <= key;
        found.high = std::max(found.high, key);
    }
    range = found;
}

using Read = void (*)(const char*, int64_t, int64_t, uint64_t*, Range&);

// By number of the element type.
constexpr Read kRead[kElements] = {
    read<IntegerKey<int8_t>>,
    read<IntegerKey<int16_t>>,
    read<IntegerKey<int32_t>>,
    read<IntegerKey<int64_t>>,
    read<IntegerKey<uint8_t>>,
    read<IntegerKey<uint16_t>>,
    read<IntegerKey<uint32_t>>,
    read<IntegerKey<uint64_t>>,
    nullptr,
    nullptr,
    read<FloatKey<uint32_t>>,
    read<FloatKey<uint64_t>>,
    read<BoolKey>,
    nullptr,
    nullptr,
};

// Which part a key belongs to: so many of the kParts - 1 bounds are less. Without branches, of which each would be
// foreseen in half of the cases.
int part_of(uint64_t key, const uint64_t* bounds) {
    int found = 0;
    for (int step = kParts / 2; step > 0; step /= 2) found += step * (bounds[found + step - 1] < key);
    return found;
}

// The part of each key, and how many keys go to each. Nothing is read again through what bytes may have been written
// to.
void find_parts(const uint64_t* keys, int64_t from, int64_t to, const uint64_t* bounds, uint8_t* parts,
                int64_t* counts) {
    int64_t found[kParts] = {};
    uint64_t limits[kParts];
    std::copy(bounds, bounds + kParts, limits);
    for (int64_t k = from; k < to; ++k) {
        const int part = part_of(keys[k], limits);
        parts[k] = static_cast<uint8_t>(part);
        ++found[part];
    }
    std::copy(found, found + kParts, counts);
}

void move_to_parts(const uint64_t* keys, int64_t from, int64_t to, const uint8_t* parts, const int64_t* places,
                   UniqueEntry* entries) {
    int64_t next[kParts];
    std::copy(places, places + kParts, next);
    for (int64_t k = from; k < to; ++k) entries[next[parts[k]]++] = {keys[k], k};
}

}  // namespace

UniqueSearch::UniqueSearch(const char* data, int64_t count, Element element, bool nan_differ, Space space)
    : data_(data), count_(count), element_(element), nan_differ_(nan_differ), space_(space) {}

bool UniqueSearch::has_keys(Element element) { return kRead[static_cast<int>(element)] != nullptr; }

int64_t UniqueSearch::look() {
    if (count_ == 0) return 0;
    read_keys();
    if (is_given_up()) return 0;
    if (is_narrow()) {
        count_in_tables();
    } else {
        entries_ = reinterpret_cast<Entry*>(space_(count_ * static_cast<int64_t>(sizeof(Entry))));
        ascends_ || count_ < tune::kUniqueAtOnce ? part_as_they_are() : part_by_samples();
        if (is_given_up()) return 0;
        sort_parts();
    }
    return found_;
}

void UniqueSearch::write(const UniqueResults& results, bool ascending) {
    if (found_ == 0) return;
    if (ascending) {
        write_values(results);
    } else {
        const UniqueResults values{integers(found_), integers(found_), nullptr};
        write_values(values);
        order_by_place(values, results);
    }
    if (!is_given_up()) write_inverse(results.inverse);
}

int64_t* UniqueSearch::integers(int64_t count) {
    return reinterpret_cast<int64_t*>(space_(count * static_cast<int64_t>(sizeof(int64_t))));
}

void UniqueSearch::read_keys() {
    keys_ = reinterpret_cast<uint64_t*>(space_(count_ * static_cast<int64_t>(sizeof(uint64_t))));
    std::vector<Range> ranges(at(pieces(count_, tune::kUniquePiece)));
    const int64_t bytes = count_ * static_cast<int64_t>(sizeof(uint64_t));
    for_ranges(static_cast<int64_t>(ranges.size()), bytes, [&](int64_t from, int64_t to) {
        for (int64_t k = from; k < to; ++k)
            kRead[static_cast<int>(element_)](data_, k * tune::kUniquePiece,
                                              least((k + 1) * tune::kUniquePiece, count_), keys_, ranges[at(k)]);
    });
    low_ = ranges[0].low, high_ = ranges[0].low;
    ascends_ = true;
    for (const Range& range : ranges) {
        ascends_ &= range.ascends && high_ <= range.low;
        low_ = std::min(low_, range.low);
        high_ = std::max(high_, range.high);
    }
}

// Whether a table with a place for each key from the least to the greatest is no larger than the vector.
bool UniqueSearch::is_narrow() const {
    const bool has_several_nan = nan_differ_ && high_ == kNaN && !is_whole(element_);
    return !has_several_nan && high_ - low_ < static_cast<uint64_t>(count_);
}

// Threads have tables of their own where these are small beside the vector.
void UniqueSearch::count_in_tables() {
    range_ = static_cast<int64_t>(high_ - low_) + 1;
    const int64_t most_tables =
        range_ <= tune::kUniqueTable ? tune::kTasks : least(get_num_threads(), most(1, count_ / (2 * range_)));
    tables_ = least(most_tables, pieces(count_, 4 * tune::kUniquePiece));
    const int64_t piece = pieces(count_, tables_);
    table_first_ = integers(tables_ * range_);
    table_counts_ = integers(tables_ * range_);
    for_ranges(tables_, tables_ > 1 ? count_ * int64_t{8} : 0, [&](int64_t from, int64_t to) {
        for (int64_t table = from; table < to; ++table) {
            int64_t *firsts = table_first_ + table * range_, *counts = table_counts_ + table * range_;
            std::fill_n(counts, range_, 0);
            for (int64_t k = table * piece; k < least((table + 1) * piece, count_); ++k) {
                const uint64_t key = keys_[k] - low_;
                if (counts[key]++ == 0) firsts[key] = k;
            }
        }
    });
    if (is_given_up()) return;
    rank_.resize(at(range_));
    for (int64_t key = 0; key < range_; ++key) {
        rank_[at(key)] = found_;
        int64_t table = 0;
        while (table < tables_ && table_counts_[table * range_ + key] == 0) ++table;
        found_ += table < tables_;
    }
}

// One part of few elements; or, of those that ascend, parts that begin with a new value.
void UniqueSearch::part_as_they_are() {
    other_ = ascends_ ? entries_ : reinterpret_cast<Entry*>(space_(count_ * static_cast<int64_t>(sizeof(Entry))));
    begin_ = {0};
    if (ascends_)
        for (int64_t part = 1; part < pieces(count_, tune::kUniquePiece); ++part) {
            const uint64_t* place = keys_ + part * tune::kUniquePiece;
            const int64_t begin = std::lower_bound<const uint64_t*>(keys_, place, *place) - keys_;
            if (begin > begin_.back()) begin_.push_back(begin);
        }
    begin_.push_back(count_);
    for_ranges(pieces(count_, tune::kUniquePiece), count_ * static_cast<int64_t>(sizeof(Entry)),
               [&](int64_t from, int64_t to) {
                   for (int64_t k = from * tune::kUniquePiece; k < least(to * tune::kUniquePiece, count_); ++k)
                       entries_[k] = {keys_[k], k};
               });
}

// Parts of about equal size, in the order of their keys; in each the elements keep their order.
void UniqueSearch::part_by_samples() {
    const int64_t bytes = count_ * static_cast<int64_t>(sizeof(Entry));
    other_ = reinterpret_cast<Entry*>(space_(bytes));
    std::vector<uint64_t> samples(kSamples);
    for (int64_t k = 0; k < kSamples; ++k)
        samples[at(k)] = keys_[count_ / kSamples * k + count_ % kSamples * k / kSamples];
    std::sort(samples.begin(), samples.end());
    uint64_t bounds[kParts] = {};
    for (size_t k = 0; k + 1 < kParts; ++k) bounds[k] = samples[(k + 1) * (kSamples / kParts)];
    const int64_t rows = least(4 * tune::kTasks, pieces(count_, tune::kUniquePiece)), row = pieces(count_, rows);
    std::vector<int64_t> places(at(rows * kParts));  // first how many of a row go to a part, then where the next goes
    auto* parts = reinterpret_cast<uint8_t*>(space_(count_));
    for_ranges(rows, bytes, [&](int64_t from, int64_t to) {
        for (; from < to; ++from)
            find_parts(keys_, from * row, least((from + 1) * row, count_), bounds, parts, &places[at(from * kParts)]);
    });
    if (is_given_up()) return;
    begin_.assign(kParts + 1, 0);
    int64_t place = 0;
    for (int64_t part = 0; part < kParts; ++part) {
        begin_[at(part)] = place;
        for (int64_t k = 0; k < rows; ++k) place += std::exchange(places[at(k * kParts + part)], place);
    }
    begin_.back() = place;
    for_ranges(rows, bytes, [&](int64_t from, int64_t to) {
        for (; from < to; ++from)
            move_to_parts(keys_, from * row, least((from + 1) * row, count_), parts, &places[at(from * kParts)],
                          entries_);
    });
}

// Whether an entry that is none of the first of its part has another value than the one before.
bool UniqueSearch::begins(const Entry* entry) const {
    return entry[0].key != entry[-1].key || (nan_differ_ && entry->key == kNaN && !is_whole(element_));
}

void UniqueSearch::sort_parts() {
    const int64_t parts = static_cast<int64_t>(begin_.size()) - 1;
    values_.assign(at(parts + 1), 0);
    const int64_t bytes = count_ * static_cast<int64_t>(sizeof(Entry));
    for_ranges(parts, bytes, [&](int64_t from, int64_t to) {
        for (int64_t part = from; part < to; ++part) {
            const int64_t begin = begin_[at(part)], end = begin_[at(part + 1)];
            sort(entries_ + begin, other_ + begin, end - begin, false);
            int64_t values = begin < end;
            for (int64_t k = begin + 1; k < end; ++k) values += begins(&entries_[k]);
            values_[at(part + 1)] = values;
        }
    });
    if (is_given_up()) return;
    for (int64_t part = 0; part < parts; ++part) values_[at(part + 1)] += values_[at(part)];
    found_ = values_.back();
}

// First places and counts in ascending order.
void UniqueSearch::write_values(const UniqueResults& values) {
    if (!rank_.empty()) {
        for (int64_t key = 0; key < range_; ++key) {
            int64_t first = -1, sum = 0;
            for (int64_t place = key; place < tables_ * range_; place += range_) {
                if (table_counts_[place] == 0) continue;
                if (first < 0) first = table_first_[place];
                sum += table_counts_[place];
            }
            if (first < 0) continue;
            values.first[rank_[at(key)]] = first;
            values.counts[rank_[at(key)]] = sum;
        }
        return;
    }
    const int64_t parts = static_cast<int64_t>(begin_.size()) - 1;
    for_ranges(parts, count_ * static_cast<int64_t>(sizeof(Entry)), [&](int64_t from, int64_t to) {
        for (int64_t part = from; part < to; ++part) {
            const int64_t end = begin_[at(part + 1)];
            int64_t value = values_[at(part)];
            for (int64_t k = begin_[at(part)], next; k < end; k = next) {
                for (next = k + 1; next < end && !begins(&entries_[next]);) ++next;
                values.first[value] = entries_[k].place;
                values.counts[value++] = next - k;
            }
        }
    });
}

// By the upper bits in which keys differ, and so on within those that share them; equal keys stay in their order. What
// is sorted lies where it was, or in `other`.
void UniqueSearch::sort(Entry* entries, Entry* other, int64_t count, bool to_other) {
    uint64_t low = ~uint64_t{0}, high = 0;
    bool sorted = true;
    for (int64_t k = 0; k < count; ++k) {
        sorted &= k == 0 || entries[k - 1].key <= entries[k].key;
        low = std::min(low, entries[k].key);
        high = std::max(high, entries[k].key);
    }
    if (!sorted && count <= tune::kUniqueInserted) insert(entries, count);
    if (sorted || count <= tune::kUniqueInserted) {
        if (to_other) std::copy(entries, entries + count, other);
        return;
    }
    const int bits = static_cast<int>(std::bit_width(high - low));
    const int digit_bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(count / tune::kUniqueTogether)));
    const int shift = bits - std::min({bits, digit_bits, kDigitBits});
    int64_t places[kDigits + 1] = {};  // first how many have a digit, then where the next goes
    const auto digit = [&](const Entry& entry) { return (entry.key - low) >> shift; };
    for (int64_t k = 0; k < count; ++k) ++places[digit(entries[k])];
    const int64_t digits = static_cast<int64_t>((high - low) >> shift) + 1;
    int64_t place = 0;
    for (int64_t k = 0; k < digits; ++k) place += std::exchange(places[k], place);
    for (int64_t k = 0; k < count; ++k) other[places[digit(entries[k])]++] = entries[k];
    for (int64_t k = 0, begin = 0; k < digits; begin = places[k++])
        if (begin < places[k]) sort(other + begin, entries + begin, places[k] - begin, !to_other);
}

void UniqueSearch::insert(Entry* entries, int64_t count) {
    for (int64_t k = 1; k < count; ++k) {
        const Entry entry = entries[k];
        int64_t place = k;
        for (; place > 0 && entries[place - 1].key > entry.key; --place) entries[place] = entries[place - 1];
        entries[place] = entry;
    }
}

// A bit for each element that is the first of its value: a value's number is how many are set before its own.
void UniqueSearch::order_by_place(const UniqueResults& values, const UniqueResults& ordered) {
    constexpr int64_t kBits = 64;
    const int64_t words = pieces(count_, kBits);
    auto* const marks = reinterpret_cast<uint64_t*>(space_(words * static_cast<int64_t>(sizeof(uint64_t))));
    std::fill_n(marks, words, 0);
    int64_t* const before = integers(words);
    number_ = integers(found_);
    const int64_t bytes = found_ * int64_t{8}, tasks = pieces(found_, tune::kUniquePiece);
    const auto for_values = [&](auto&& body) {
        for_ranges(tasks, bytes, [&](int64_t from, int64_t to) {
            for (int64_t value = from * tune::kUniquePiece; value < least(to * tune::kUniquePiece, found_); ++value)
                body(value, values.first[value]);
        });
    };
    for_values([&](int64_t, int64_t place) {
        std::atomic_ref(marks[place / kBits]).fetch_or(uint64_t{1} << (place % kBits), std::memory_order_relaxed);
    });
    if (is_given_up()) return;
    for (int64_t word = 0, sum = 0; word < words; ++word) {
        before[word] = sum;
        sum += std::popcount(marks[word]);
    }
    for_values([&](int64_t value, int64_t place) {
        const uint64_t below = (uint64_t{1} << (place % kBits)) - 1;
        const int64_t number = before[place / kBits] + std::popcount(marks[place / kBits] & below);
        number_[value] = number;
        ordered.first[number] = place;
        ordered.counts[number] = values.counts[value];
    });
}

void UniqueSearch::write_inverse(int64_t* inverse) const {
    if (!rank_.empty()) {
        std::vector<int64_t> numbers(rank_.size());
        for (size_t k = 0; k < rank_.size(); ++k) numbers[k] = rank_[k] < found_ ? number(rank_[k]) : 0;
        for_ranges(pieces(count_, tune::kUniquePiece), count_ * int64_t{8}, [&](int64_t from, int64_t to) {
            for (int64_t k = from * tune::kUniquePiece; k < least(to * tune::kUniquePiece, count_); ++k)
                inverse[k] = numbers[at(static_cast<int64_t>(keys_[k] - low_))];
        });
        return;
    }
    const int64_t parts = static_cast<int64_t>(begin_.size()) - 1;
    for_ranges(parts, count_ * int64_t{8}, [&](int64_t from, int64_t to) {
        for (int64_t part = from; part < to; ++part) {
            int64_t value = values_[at(part)] - 1;
            for (int64_t k = begin_[at(part)]; k < begin_[at(part + 1)]; ++k) {
                value += k == begin_[at(part)] || begins(&entries_[k]);
                inverse[entries_[k].place] = number(value);
            }
        }
    });
}

}  // namespace wherry
