#include "property.h"

#include "elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace vkprim::harness {
namespace {

constexpr uint32_t    most_parts   = 1000;
constexpr const char* data_names[] = {"zeros", "ones", "index", "special", "random"};

Error refuse(const std::string& text, const std::string& why) {
    return {ErrorKind::invalid_desc, fmt::format("'{}': {}", text, why)};
}

bool is_seeded(Data data) { return data == Data::special || data == Data::random; }

/// All of `text` is a number.
bool read_number(std::string_view text, uint32_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// "4,8"; a second number that is missing is 0.
bool read_numbers(std::string_view text, uint32_t& first, uint32_t& second) {
    const size_t comma = text.find(',');
    second             = 0;
    if (comma == std::string_view::npos) return read_number(text, first);
    return read_number(text.substr(0, comma), first) && read_number(text.substr(comma + 1), second);
}

bool read_data(std::string_view text, Step& step) {
    const std::string_view name = text.substr(0, text.find(','));
    for (Data data : {Data::zeros, Data::ones, Data::index, Data::special, Data::random}) {
        if (name != data_names[static_cast<uint32_t>(data)]) continue;
        step.data = data;
        return name.size() == text.size() || read_number(text.substr(name.size() + 1), step.seed);
    }
    return false;
}

/// A word behind the variant.
bool read_word(std::string_view word, Step& step) {
    const size_t           equals = std::min(word.find('='), word.size());
    const std::string_view key    = word.substr(0, equals);
    const std::string_view value  = equals < word.size() ? word.substr(equals + 1) : std::string_view();
    if (key == "count") return read_number(value, step.count);
    if (key == "bound") return read_number(value, step.bound);
    if (key == "parts") return read_number(value, step.parts);
    if (key == "offset") return read_numbers(value, step.input_offset, step.output_offset);
    if (key == "data") return read_data(value, step);
    step.in_place = word == "in-place";
    return step.in_place;
}

Result<Step> read_step(const std::string& text) {
    const std::vector<std::string> words = words_of(text);
    Step                           step;
    for (const Subject& subject : subjects()) {
        if (!words.empty() && subject.name == words[0] && subject.property.draw) step.subject = &subject;
    }
    if (!step.subject) return refuse(text, "a case begins with the name of a primitive");
    size_t next = 1;
    for (; next < words.size() && words[next].rfind("count=", 0) != 0; ++next) {
        step.variant += (step.variant.empty() ? "" : " ") + words[next];
    }
    const auto model = step.subject->property.model(step.variant);
    if (!model) return model.error();
    if (next == words.size()) return refuse(text, "count= is missing");
    for (; next < words.size(); ++next) {
        if (!read_word(words[next], step)) return refuse(text, fmt::format("what is '{}'?", words[next]));
    }
    if (step.bound > 0 && step.bound < step.count) return refuse(text, "the bound is below the count");
    if (step.bound > 0 && !model->gpu_count) return refuse(text, "the count of this variant is the host's");
    if (step.input_offset % model->input_size != 0 || step.output_offset % model->output_alignment != 0 ||
        step.input_offset >= 64 || step.output_offset >= 64) {
        return refuse(text, "offsets are in bytes, below 64, and multiples of the size of what lies there");
    }
    if (step.parts == 0 || step.parts > most_parts) {
        return refuse(text, fmt::format("parts are 1 to {}", most_parts));
    }
    if (step.in_place && (!model->in_place || step.input_offset != step.output_offset)) {
        return refuse(text, "only a scan, with equal offsets, may be in place");
    }
    return step;
}

} // namespace

Model Step::model() const { return *subject->property.model(variant); }

std::string text_of(const Step& step) {
    std::string text = fmt::format("{} count={}", step.name(), step.count);
    if (step.bound > 0) text += fmt::format(" bound={}", step.bound);
    if (step.input_offset + step.output_offset > 0) {
        text += fmt::format(" offset={},{}", step.input_offset, step.output_offset);
    }
    if (step.in_place) text += " in-place";
    if (step.parts > 1) text += fmt::format(" parts={}", step.parts);
    text += fmt::format(" data={}", data_names[static_cast<uint32_t>(step.data)]);
    if (is_seeded(step.data)) text += fmt::format(",{}", step.seed);
    return text;
}

std::string text_of(const Case& steps) {
    std::string text;
    for (const Step& step : steps) text += (text.empty() ? "" : "; ") + text_of(step);
    return text;
}

Result<Case> read_case(const std::string& text) {
    Case steps;
    for (size_t first = 0; first <= text.size();) {
        const size_t end  = std::min(text.find(';', first), text.size());
        const auto   step = read_step(text.substr(first, end - first));
        if (!step) return step.error();
        steps.push_back(*step);
        first = end + 1;
    }
    return steps;
}

Variants::Variants(const VariantsDesc& desc, const runtime::Device* device) {
    Random random(desc.seed);
    for (const Subject& subject : subjects()) {
        if (!subject.property.draw) continue;
        std::set<std::string> names;
        // Often enough to meet every variant of a primitive that has no more than `most`.
        for (uint32_t i = 0; i < 40 * desc.most + 400 && names.size() < desc.most; ++i) {
            Step step;
            step.subject           = &subject;
            step.variant           = subject.property.draw(random);
            const std::string name = step.name();
            if (device && subject.property.runs_on && !subject.property.runs_on(*device, step.variant)) continue;
            if (name.compare(0, desc.only.size(), desc.only) != 0 || !names.insert(name).second) continue;
            if (names.size() == 1) by_subject_.emplace_back();
            by_subject_.back().push_back(step);
            all_.push_back(step);
        }
    }
}

Step Variants::draw(Random& random, uint32_t largest) const {
    const auto pick = [&](const auto& from) -> const auto& {
        return from[random.below(static_cast<uint32_t>(from.size()))];
    };
    Step        step  = pick(pick(by_subject_));
    const Model model = step.model();

    // As many of each order of magnitude; many around powers of two, where tiles end.
    const uint32_t limits[] = {1u << 14, 1u << 18, largest};
    const uint32_t rare     = random.below(64);
    const uint32_t limit    = std::min(limits[rare == 0 ? 2 : rare < 8 ? 1 : 0], largest);
    uint32_t       bits     = 0;
    while (bits < 31 && 2u << bits <= limit) ++bits;
    const uint32_t power = 1u << random.below(bits + 1);
    const uint32_t near  = random.below(4) == 0 ? power + random.below(5) : power + random.below(power) + 2;
    step.count           = std::min(near - std::min(near, 2u), limit);

    if (random.below(4) == 0 && model.gpu_count) {
        const uint32_t beyond[] = {0, 1, random.below(64), random.below(step.count + 70000)};
        step.bound              = std::max(step.count + beyond[random.below(4)], 1u);
    }
    if (random.below(2) == 0) {
        step.input_offset  = random.below(16 / model.input_size) * model.input_size;
        step.output_offset = random.below(16 / model.output_alignment) * model.output_alignment;
    }
    if (model.in_place && random.below(3) == 0) {
        step.in_place      = true;
        step.output_offset = step.input_offset;
    }
    if (random.below(4) == 0) step.parts = 2 + random.below(4);
    const uint32_t kind = random.below(16);
    step.data           = kind < 3 ? static_cast<Data>(kind) : kind < 6 ? Data::special : Data::random;
    step.seed           = random.below(UINT32_MAX);
    return step;
}

Case draw_case(const Variants& variants, uint64_t seed, uint64_t number, uint32_t largest) {
    Random random(Random(seed).next() ^ Random(~number).next());
    Case   steps;
    for (uint32_t left = 1 + random.below(4); left > 0; --left) steps.push_back(variants.draw(random, largest));
    return steps;
}

namespace {

/// Fewer steps: without the larger parts first.
void leave_steps_out(const Case& steps, std::vector<Case>& all) {
    for (size_t size = steps.size(); size > 1;) {
        size = (size + 1) / 2;
        for (size_t first = 0; first < steps.size(); first += size) {
            Case less = steps;
            less.erase(less.begin() + static_cast<std::ptrdiff_t>(first),
                       less.begin() + static_cast<std::ptrdiff_t>(std::min(first + size, steps.size())));
            if (!less.empty()) all.push_back(std::move(less));
        }
    }
}

/// Each number of the step towards zero, and each word towards the plainest.
std::vector<Step> simpler(const Step& step) {
    std::vector<Step> all;
    const auto        add = [&](const auto& change) {
        Step changed = step;
        change(changed);
        all.push_back(changed);
    };
    for (uint32_t less = step.count; less > 0; less /= 2) add([=](Step& s) { s.count -= less; });
    if (step.bound > 0) {
        const uint32_t least = std::max(step.count, 1u);
        add([](Step& s) { s.bound = 0; });
        for (uint32_t less = step.bound - least; less > 0; less /= 2) add([=](Step& s) { s.bound -= less; });
    }
    if (step.in_place) add([](Step& s) { s.in_place = false; });
    for (uint32_t less = step.parts - 1; less > 0; less /= 2) add([=](Step& s) { s.parts -= less; });
    if (step.input_offset + step.output_offset > 0) {
        add([](Step& s) { s.input_offset = s.output_offset = 0; });
        if (!step.in_place && step.input_offset > 0 && step.output_offset > 0) {
            add([](Step& s) { s.input_offset = 0; });
            add([](Step& s) { s.output_offset = 0; });
        }
    }
    for (Data data : {Data::zeros, Data::ones, Data::index, Data::special}) {
        if (data < step.data) add([=](Step& s) { s.data = data; });
    }
    if (is_seeded(step.data) && step.seed > 0) add([](Step& s) { s.seed = 0; });
    for (const std::string& variant : step.subject->property.simpler(step.variant)) {
        const auto model = step.subject->property.model(variant);
        if (!model || step.input_offset % model->input_size != 0 || step.output_offset % model->output_alignment != 0 ||
            (step.in_place && !model->in_place) || (step.bound > 0 && !model->gpu_count))
            continue;
        add([&](Step& s) { s.variant = variant; });
    }
    return all;
}

} // namespace

std::vector<Case> simpler(const Case& steps) {
    std::vector<Case> all;
    leave_steps_out(steps, all);
    for (size_t i = steps.size(); i-- > 0;) {
        for (const Step& step : simpler(steps[i])) {
            all.push_back(steps);
            all.back()[i] = step;
        }
    }
    return all;
}

Shrunk shrink(const Case& failing, const std::string& what, const Judge& judge, const ShrinkLimits& limits) {
    const double          began = seconds_now();
    Shrunk                shrunk{failing, what};
    std::set<std::string> tried; // or two variants that are simpler than each other would take turns for ever
    while (!shrunk.complete) {
        shrunk.complete = true;
        for (const Case& candidate : simpler(shrunk.smallest)) {
            if (!tried.insert(text_of(candidate)).second) continue;
            if (shrunk.runs == limits.runs || seconds_now() - began > limits.seconds)
                return {shrunk.smallest, shrunk.what, shrunk.runs, false};
            ++shrunk.runs;
            const std::string fault = judge(candidate);
            if (fault.empty()) continue;
            shrunk.smallest = candidate;
            shrunk.what     = fault;
            shrunk.complete = false;
            break;
        }
    }
    return shrunk;
}

} // namespace vkprim::harness
