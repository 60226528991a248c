// Copies that fill rows together: images with mirrored, repeated or filled edges, straight to memory and by the stage.
#include "../../core/parallel.hpp"
#include "../../core/steps/bands.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// Along one axis of the target: `size` positions from `first` on show those of the source from `from` on.
struct Run {
    int64_t first, size, from, step;
};

// The runs of an axis of `size` positions with so many before and behind them: mirrored, or the last ones repeated.
std::vector<Run> runs_of(int64_t size, int64_t before, int64_t behind, bool mirror) {
    std::vector<Run> runs{{before, size, 0, 1}};
    if (before > 0) runs.push_back({0, before, mirror ? before - 1 : 0, mirror ? -1 : 0});
    if (behind > 0) runs.push_back({before + size, behind, size - 1, mirror ? -1 : 0});
    return runs;
}

constexpr int64_t kGuard = 64;

void test_image(int64_t width, int64_t columns, bool gaps, int64_t stream_bytes) {
    const int64_t edge[4] = {between(0, 5), between(0, 5), between(0, 9), between(1, 9)};
    const int64_t rows = between(6, 40), across = columns + edge[2] + edge[3], down = rows + edge[0] + edge[1];
    const int64_t step = across * width, image = down * step, apart = image + (gaps ? between(1, 3) * width : 0);
    const int64_t images = 300000 / image + 2, shift = between(0, 63), own = between(0, 63);
    const bool mirror = between(0, 1), filled = between(0, 1);
    std::vector<char> source(static_cast<size_t>(own + images * rows * columns * width));
    fill_randomly(source.data(), static_cast<int64_t>(source.size()));
    std::vector<char> value(static_cast<size_t>(width), 'v');
    std::vector<char> target(static_cast<size_t>(2 * kGuard + shift + images * apart), '?');
    std::vector<char> expected = target;
    char* const base[2] = {target.data(), source.data()};
    std::vector<GroupedCopy> copies;
    Values values;
    const Spot filling = values.add({value.begin(), value.end()});
    for (const Run& r : runs_of(rows, edge[0], edge[1], mirror)) {
        for (const Run& c : runs_of(columns, edge[2], edge[3], mirror)) {
            const bool fills = filled && (r.step != 1 || c.step != 1);
            const int64_t to = kGuard + shift + r.first * step + c.first * width;
            const int64_t from = own + (r.from * columns + c.from) * width;
            GroupedCopy copy{{0, to}, fills ? filling : Spot{1, from}, width, {}};
            const int64_t steps[3] = {rows * columns * width, r.step * columns * width, c.step * width};
            copy.axes.add(images, {apart, fills ? 0 : steps[0]});
            copy.axes.add(r.size, {step, fills ? 0 : steps[1]});
            copy.axes.add(c.size, {width, fills ? 0 : steps[2]});
            for (int64_t n = 0; n < images; ++n)
                for (int64_t i = 0; i < r.size; ++i)
                    for (int64_t j = 0; j < c.size; ++j)
                        copy_bytes(
                            expected.data() + to + n * apart + i * step + j * width,
                            fills ? value.data() : source.data() + from + n * steps[0] + i * steps[1] + j * steps[2],
                            width);
            copy.order();
            copies.push_back(copy);
        }
    }
    std::shuffle(copies.begin(), copies.end(), generator);
    BandStep bands;
    bands.values = values;
    CHECK(bands.join(copies, stream_bytes) && bands.row_step == step, "rows are seen");
    CHECK(bands.staged == (stream_bytes == 0), "large ones stream");
    bands.prepare();
    called(bands.run(base));
    CHECK(target == expected, "rows are complete, and nothing besides is written");
}

// A hole in the rows must not be filled with what is on the stage.
void test_hole() {
    std::vector<GroupedCopy> copies;
    for (int64_t part : {0, 1}) {
        GroupedCopy copy{{0, part * 600}, {1, part * 500}, 4, {}};
        copy.axes.add(1000, {1000, 1000});
        copy.axes.add(part == 0 ? 125 : 100, {4, 4});
        copy.order();
        copies.push_back(copy);
    }
    CHECK(!BandStep().join(copies, 0), "rows with holes are no bands");
}

}  // namespace

void test_bands(int rounds) {
    test_hole();
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        for (int64_t width : {1, 2, 4, 8, 16})
            test_image(width, between(128 / width + 1, i % 4 ? 700 / width : 6000 / width), i % 2,
                       i % 5 < 3 ? 0 : INT64_MAX);
    }
    set_num_threads(0);
}
