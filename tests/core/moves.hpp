// Moves by addresses: the steps as the tests of the core run them.
#pragma once

#include <initializer_list>

#include "../../core/steps/check.hpp"
#include "../../core/steps/copy.hpp"
#include "../../core/steps/fill.hpp"
#include "../../core/steps/gather.hpp"
#include "../../core/steps/scatter.hpp"
#include "support.hpp"

namespace wherry::test {

constexpr size_t kMostBuffers = 4;

// Prepares a step and runs it where each of its buffers begins.
template <class Prepared>
bool run_at(Prepared& step, std::initializer_list<const char*> starts) {
    char* base[kMostBuffers];
    char** next = base;
    for (const char* start : starts) *next++ = const_cast<char*>(start);
    step.prepare();
    return called(step.run(base));
}

inline void copy(char* dst, const char* src, const Axes<2>& axes, int64_t width, int64_t beside = 0) {
    CopyStep step;
    step.to = {0, 0}, step.from = {1, 0};
    step.axes = axes;
    step.width = width;
    step.beside = beside;
    run_at(step, {dst, src});
}

inline void fill(char* dst, const Axes<1>& axes, const char* value, int64_t width) {
    FillStep step;
    step.to = {0, 0};
    step.axes = axes;
    step.value.assign(value, static_cast<size_t>(width));
    run_at(step, {dst});
}

// Whether all indices of a row are fine.
inline bool check_row(const char* indices, int64_t count, const IndexRule& rule) {
    CheckStep step;
    step.indices = {0, 0};
    step.rule = rule;
    step.axes.add(count, {index_width(rule.type)});
    return run_at(step, {indices});
}

// A gather with its operands in buffers 0, 1 and 2.
inline GatherStep make_gather_step() {
    GatherStep step;
    step.out = {0, 0}, step.data = {1, 0}, step.indices = {2, 0};
    return step;
}

// The same of a scatter: target, updates, indices.
inline ScatterStep make_scatter_step() {
    ScatterStep step;
    step.target = {0, 0}, step.updates = {1, 0}, step.indices = {2, 0};
    return step;
}

// What a move is told of: a view, whose memory is a buffer of its own, or a setting.
struct Field {
    Field(const View& view) : view(&view) {}
    Field(int64_t number) : number(number) {}
    Field(Element element) : number(static_cast<int64_t>(element)) {}
    Field(Beyond rule) : number(static_cast<int64_t>(rule)) {}
    Field(std::string bytes) : bytes(std::move(bytes)) {}
    Field(std::nullptr_t) : none(true) {}

    const View* view = nullptr;
    int64_t number = 0;
    std::string bytes;
    bool none = false;
};

// A move by its name and fields: it is checked, prepared and run.
class Told final : public Fields {
public:
    Told(std::initializer_list<Field> fields) : fields_(fields), base_(fields.size() + 1) {}

    bool has(int place) const override { return !at(place).none; }
    Tensor target(int place, int64_t width) override { return tensor(place, width); }
    int64_t integer(int place) override { return at(place).number; }
    std::string bytes(int place) override { return at(place).bytes; }
    IndexType index_type(int place) override { return static_cast<IndexType>(at(place).number); }
    Tensor tensor(int place, int64_t width) override {
        const View& view = *at(place).view;
        require(view.width == width, "a view has elements of another width");
        base_[static_cast<size_t>(place)] = view.memory.get();
        return {place, view.start, static_cast<int>(view.sizes.size()), view.sizes.data(), view.strides.data()};
    }

    bool run(std::string_view name) { return called(find_out(name)); }

    // The same, to find out what to expect.
    bool find_out(std::string_view name) {
        const std::unique_ptr<Move> move = make_move(name);
        move->check(*this);
        move->prepare();
        return move->run(base_.data());
    }

private:
    const Field& at(int place) const { return fields_[static_cast<size_t>(place) - 1]; }

    Vector<Field> fields_;
    Vector<char*> base_;
};

}  // namespace wherry::test
