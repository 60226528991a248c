// Copies that run slice by slice: boxes that make up one target, and channels.
#include <numeric>

#include "../../core/parallel.hpp"
#include "../../core/steps/group.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// A copy of a whole view into a box of the target, whose buffer has number 0.
GroupedCopy copy_into(const View& target, const Sizes& first, const View& source, int number) {
    GroupedCopy copy{{0, target.at(first) - target.memory.get()}, {number, source.start}, target.width, {}};
    for (size_t a = 0; a < source.sizes.size(); ++a)
        copy.axes.add(source.sizes[a], {target.strides[a], source.strides[a]});
    copy.order();
    return copy;
}

Box box_of(const GroupedCopy& copy) {
    Box box{copy.to.offset, {}, copy.width};
    box.axes.empty = copy.axes.empty;
    for (int a = 0; a < copy.axes.ndim; ++a) box.axes.add(copy.axes.size[a], {copy.axes.stride[a][0]});
    return box;
}

// A target cut into boxes, each from a source of its own; strides of any kind.
void test_boxes(int64_t budget) {
    const View target = make_view(random_sizes(static_cast<int>(between(1, 4)), budget), random_width(), kNever);
    const size_t ndim = target.sizes.size();
    Sizes cuts[4], parts;
    for (size_t a = 0; a < ndim; ++a) {
        cuts[a] = {0};
        if (target.sizes[a] > 1 && between(0, 1)) cuts[a].push_back(between(1, target.sizes[a] - 1));
        cuts[a].push_back(target.sizes[a]);
    }
    for (size_t a = 0; a < ndim; ++a) parts.push_back(static_cast<int64_t>(cuts[a].size()) - 1);
    const auto before = gaps(target);
    Vector<char> expected(target.memory.get(), target.memory.get() + target.bytes);
    Vector<View> sources;
    std::vector<GroupedCopy> copies;
    for_positions(parts, [&](const auto& part) {
        Sizes first, sizes;
        for (size_t a = 0; a < ndim; ++a) {
            const auto at = cuts[a].begin() + part[a];
            first.push_back(at[0]);
            sizes.push_back(at[1] - at[0]);
        }
        if (std::count(target.sizes.begin(), target.sizes.end(), 0)) return;
        sources.push_back(make_view(sizes, target.width, kSometimes));
        const View& source = sources.back();
        copies.push_back(copy_into(target, first, source, static_cast<int>(sources.size())));
        for_positions(sizes, [&](const auto& p) {
            Sizes to = p;
            for (size_t a = 0; a < ndim; ++a) to[a] += first[a];
            copy_bytes(expected.data() + (target.at(to) - target.memory.get()), source.at(p), target.width);
        });
    });
    for (const GroupedCopy& copy : copies)
        CHECK(!are_apart(box_of(copy), box_of(copy)), "a box is not apart from itself");
    GroupStep group;
    group.copies = copies;
    if (copies.empty() || !group.join()) return;
    group.prepare();
    Vector<char*> base{target.memory.get()};
    for (const View& source : sources) base.push_back(source.memory.get());
    called(group.run(base.data()));
    CHECK(std::equal(expected.begin(), expected.end(), target.memory.get()), "copies together make up the target");
    CHECK(gaps(target) == before, "copies together leave the gaps alone");
}

// Two boxes in a grid, against all their bytes.
void test_apart() {
    const int64_t width = one_of<int64_t>({1, 4, 12});
    int64_t sizes[3], steps[4] = {0, 0, 0, width};
    for (int a = 2; a >= 0; --a) {
        sizes[a] = between(1, 6);
        steps[a] = a == 2 ? width * between(1, 3) : steps[a + 1] * (sizes[a + 1] + between(0, 2));
    }
    Box boxes[2];
    Vector<bool> taken[2];
    bool strays = false, seen[3] = {};  // axes that one of the boxes tells of
    for (int side = 0; side < 2; ++side) {
        Box& box = boxes[side];
        box.width = width;
        int64_t size[3], first[3];
        box.offset = steps[2] > width && between(0, 1) ? between(0, steps[2] - width) : 0;
        strays |= box.offset % width != 0;
        for (int a = 0; a < 3; ++a) {
            size[a] = between(1, sizes[a]);
            first[a] = between(0, sizes[a] - size[a]);
            box.offset += first[a] * steps[a];
            box.axes.add(size[a], {steps[a]});
            seen[a] |= size[a] > 1;
        }
        taken[side].resize(static_cast<size_t>(steps[0] * sizes[0]));
        for (int64_t i = 0; i < size[0]; ++i)
            for (int64_t j = 0; j < size[1]; ++j)
                for (int64_t k = 0; k < size[2]; ++k)
                    for (int64_t b = 0; b < width; ++b)
                        taken[side][static_cast<size_t>(box.offset + i * steps[0] + j * steps[1] + k * steps[2] + b)] =
                            true;
    }
    bool meet = false;
    for (size_t b = 0; b < taken[0].size(); ++b) meet |= taken[0][b] && taken[1][b];
    const bool found = are_apart(boxes[0], boxes[1]);
    CHECK(!(found && meet), "boxes that meet are not apart");
    if (!strays && seen[0] && seen[1] && seen[2] && steps[1] != steps[2] && steps[0] != steps[1])
        CHECK(found == !meet, "boxes of one grid are told apart");
}

// Planes of elements to elements of several channels, and back; exact memory, any alignment.
void test_channels(int64_t width, int channels, int64_t count, bool join) {
    std::vector<std::vector<char>> memory;
    const int64_t shift = between(0, 63);
    memory.emplace_back(static_cast<size_t>(shift + count * channels * width));
    std::iota(memory[0].begin(), memory[0].end(), '\0');
    std::vector<GroupedCopy> copies;
    for (int k = 0; k < channels; ++k) {
        const int64_t own = between(0, 63);
        memory.emplace_back(static_cast<size_t>(own + count * width));
        std::iota(memory.back().begin(), memory.back().end(), static_cast<char>(100 * k));
        GroupedCopy copy{{0, shift + k * width}, {k + 1, own}, width, {}};
        copy.axes.add(count, {channels * width, width});
        if (!join) copy = {{k + 1, own}, {0, shift + k * width}, width, {}};
        if (!join) copy.axes.add(count, {width, channels * width});
        copy.order();
        copies.push_back(copy);
    }
    std::shuffle(copies.begin(), copies.end(), generator);
    auto expected = memory;
    std::vector<char*> base;
    for (auto& each : memory) base.push_back(each.data());
    for (const GroupedCopy& c : copies)
        for (int64_t i = 0; i < count; ++i)
            copy_bytes(expected[static_cast<size_t>(c.to.buffer)].data() + c.to.offset + i * c.axes.stride[0][0],
                       memory[static_cast<size_t>(c.from.buffer)].data() + c.from.offset + i * c.axes.stride[0][1],
                       width);
    GroupStep group;
    group.copies = copies;
    const bool joined = group.join();
    CHECK(joined && group.depth == 0 && group.channels != GroupStep::Channels::no, "channels are seen");
    if (!joined) return;
    group.prepare();
    called(group.run(base.data()));
    CHECK(memory == expected, "channels go where they belong");
}

const Fuzzed fuzzed_boxes("boxes", [] { test_boxes(200000); });
const Fuzzed fuzzed_apart("apart", test_apart);

}  // namespace

void test_group(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_apart();
        if (i % 8 == 0) test_boxes(200000);
    }
    for (int64_t width : {1, 2, 4, 8})
        for (int channels : {2, 3, 4})
            for (bool join : {false, true})
                for (int64_t extra : {0, 1, 15, 63, 64, 65})
                    test_channels(width, channels, 300000 / width + extra, join);
    set_num_threads(0);
}
