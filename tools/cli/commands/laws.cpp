#include "laws.h"
#include "harness/sizes.h"

#include <fmt/format.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "compiler/pairs_push.h"
#include "element.h"
#include "harness/laws.h"
#include "pipeline.h"
#include "recorder.h"
#include "tools/cli/rows.h"

namespace vkprim::tools {

const char* const laws_help =
    R"(--operation FILE.glsl instead tests whether an operation of your own has the properties that reduce and scan need
(vkprim/glsl/operation.glsl). On the device it tests whether
  (a op b) op c is a op (b op c)     for 4096 triples of elements, and for 4096 triples of results of op
  identity op a and a op identity are a
  a op b is b op a                   if the file does not define VKPRIM_KEEPS_ORDER
If all of this holds, it compares reduce and scan of up to 20011 elements, to the bit, with the variant without subgroup
operations, and their totals with those of another, random grouping. The elements of a violation are shown. Exit
code 1 if there is one; 2, with the file's line, if the file does not compile. Random trials may miss a violation.

Elements are random: a third of them are small whole numbers; a third are floats with a magnitude from 0.5 to 2, and
integers up to 1000; a third are random bits, with floats of a magnitude from 2^-10 to 2^11. Float members are never 0,
infinite or NaN. If an operation is not made for all of these, take the elements from a file, with --elements FILE, as
vkprim reduce does. If the operation has a load(), FILE's content lies at parameter address 0.

Integers must be equal. Floats are rounded, and their sums are not exactly associative: they may differ by 1/1024 of the
largest float among the elements, the intermediate and the final results. If all of these are whole numbers below 2^22,
nothing was rounded, and they must be equal; zeros of both signs are equal. A trial in which a float becomes infinite or
NaN is left out. So rounding is no violation, and a violation as small as rounding is not found.)";

namespace {

using harness::Floats;
using harness::Random;
using Layout = harness::ElementLayout;
using Words  = std::vector<uint32_t>;

constexpr uint32_t trials   = 4096;
constexpr uint32_t counts[] = {1, 2, 33, 257, 1025, 4097, 20011};

Layout layout_of(const OperationFile& file) {
    Layout layout;
    layout.words = file.words();
    for (const Field& field : file.fields()) {
        const char kind = field.type[0] == 'v' ? 'f' : field.type[0];
        layout.kinds.insert(layout.kinds.end(), field.components, kind);
    }
    return layout;
}

/// An array in memory of the device, in which there is always something.
runtime::Buffer buffer_with(const runtime::Device& device, const void* data, uint64_t size) {
    auto buffer = need_device(device.create_buffer(std::max<uint64_t>(size, 16)));
    if (size > 0) need_device(device.upload(buffer, 0, data, size));
    return buffer;
}

runtime::Buffer zeros(const runtime::Device& device, uint64_t size) {
    auto buffer = need_device(device.create_buffer(std::max<uint64_t>(size, 16)));
    need_device(device.fill(buffer, 0, buffer.size(), 0));
    return buffer;
}

Words download(const runtime::Device& device, const runtime::Buffer& buffer, size_t words) {
    Words content(words);
    if (words > 0) need_device(device.download(buffer, 0, content.data(), words * 4));
    return content;
}

/// The operation on a device, for lists of elements.
class Operator {
public:
    Operator(const runtime::Device& device, const OperationFile& file, const Parameters& parameters)
        : device_(device),
          core_(need_device(CoreDevice::create(device.context()))),
          words_(file.words()),
          parameters_(parameters) {
        const Words  module = file.pairs();
        PipelineDesc desc;
        desc.shader    = {module.data(), module.size() * 4};
        desc.name      = "pairs";
        desc.push_size = sizeof(Push);
        desc.own       = true;
        desc.rounds    = true;
        pipeline_      = need_device(Pipeline::create(core_, desc));
        identity_      = run(PAIRS_IDENTITY, {}, {}, 1, words_ + 1);
        keeps_order_   = identity_.back() != 0;
        identity_.pop_back();
    }

    const Words& identity() const { return identity_; }
    bool         keeps_order() const { return keeps_order_; }

    /// Element by element.
    Words operate(const Words& a, const Words& b) const {
        return run(PAIRS_OPERATE, a, b, static_cast<uint32_t>(a.size() / words_), a.size());
    }

    /// load() of each index.
    Words load(const Words& indices) const {
        return run(PAIRS_LOAD, indices, {}, static_cast<uint32_t>(indices.size()), indices.size() * words_);
    }

private:
    struct Push {
        PairsPush             pairs;
        vkprim_ParametersPush own;
    };

    Words run(uint32_t what, const Words& first, const Words& second, uint32_t count, size_t result_words) const {
        const auto a = buffer_with(device_, first.data(), first.size() * 4);
        const auto b = buffer_with(device_, second.data(), second.size() * 4);
        const auto c = zeros(device_, result_words * 4);
        Push       push{{a.address(), b.address(), c.address(), count, what}, own_push(parameters_)};
        auto       commands = need_device(device_.begin_commands());
        record_dispatch(commands.handle(), core_, pipeline_, &push, (count - 1) / 256 + 1);
        need_device(commands.submit_and_wait());
        return download(device_, c, result_words);
    }

    const runtime::Device& device_;
    CoreDevice             core_;
    uint32_t               words_;
    Parameters             parameters_;
    Pipeline               pipeline_;
    Words                  identity_;
    bool                   keeps_order_ = false;
};

/// Elements to try the operation with.
class Supply {
public:
    /// With a file, `array`.
    Supply(const Layout& layout, const OperationFile& file, const Operator& operation, const LawFlags& flags,
           const Array* array)
        : layout_(layout) {
        if (!array) return;
        const uint32_t count = count_of(*array, name_of(flags.elements), file, flags.own);
        if (count == 0) throw Failure{exit_usage, name_of(flags.elements) + ": has no elements"};
        if (file.loads()) {
            Words indices(std::min(count, most));
            for (uint32_t i = 0; i < indices.size(); ++i) indices[i] = i;
            elements_ = operation.load(indices);
        } else {
            elements_.resize(size_t{std::min(count, most)} * layout.words);
            std::memcpy(elements_.data(), array->bytes.data(), elements_.size() * 4);
        }
    }

    bool     is_file() const { return !elements_.empty(); }
    uint32_t most_count() const {
        return is_file() ? static_cast<uint32_t>(elements_.size() / layout_.words) : UINT32_MAX;
    }

    /// Any.
    Words draw(uint32_t count, Random& random) const {
        Words drawn;
        for (uint32_t i = 0; i < count; ++i) {
            if (is_file()) {
                const uint32_t* const one = &elements_[size_t{random.below(most_count())} * layout_.words];
                drawn.insert(drawn.end(), one, one + layout_.words);
            } else {
                const uint32_t family = i / 64 % 4 < 3 ? i / 64 % 4 : random.below(3); // of a kind together, or not
                for (char kind : layout_.kinds) drawn.push_back(random_word(kind, family, random));
            }
        }
        return drawn;
    }

    /// The first of the file, or any.
    Words first(uint32_t count, Random& random) const {
        if (!is_file()) return draw(count, random);
        return Words(elements_.begin(), elements_.begin() + static_cast<std::ptrdiff_t>(size_t{count} * layout_.words));
    }

private:
    static constexpr uint32_t most = 1u << 20;

    Layout layout_;
    Words  elements_;
};

/// A part of what is asked, and what came out.
struct Law {
    std::string              name, unit;
    std::string              skipped = {};
    uint32_t                 tried = 0, left_out = 0, failed = 0;
    std::vector<std::string> example = {}; ///< of the first that failed
};

struct Named {
    const char*  name;
    const Words* elements;
};

/// Everything about one operation on one device.
class Trial {
public:
    Trial(const LawFlags& flags, const runtime::Device& device)
        : flags_(flags),
          device_(device),
          file_(flags.own.file, device, true, true),
          layout_(layout_of(file_)),
          random_(flags.seed) {
        for (size_t i = 0; i < flags.own.parameters.size(); ++i)
            parameters_.words[i] = parse_parameter(flags.own.parameters[i]);
        if (!flags.elements.path.empty()) {
            array_ = read_elements(flags.elements);
            if (array_->fortran_order) to_rows(*array_, std::nullopt, name_of(flags.elements));
            content_                 = buffer_with(device, array_->bytes.data(), array_->bytes.size());
            parameters_.addresses[0] = content_.address();
        }
        operation_.emplace(device, file_, parameters_);
        supply_.emplace(layout_, file_, *operation_, flags, array_ ? &*array_ : nullptr);
    }

    const OperationFile& file() const { return file_; }

    std::vector<Law> laws() {
        std::vector<Law> laws;
        Words            elements = supply_->draw(3 * trials, random_);
        laws.push_back({"associative", "triples"});
        laws.push_back({"identity", "elements"});
        laws.push_back({"commutative", "pairs"});
        if (operation_->keeps_order()) laws[2].skipped = "VKPRIM_KEEPS_ORDER says that the order matters";
        check_round(elements, laws);
        // The same with what comes of two elements, of which groupings are made.
        elements = operation_->operate(elements, supply_->draw(3 * trials, random_));
        check_round(elements, laws);
        check_identity(operation_->identity(), laws[1]);
        return laws;
    }

    /// Of reduce and scan, on this device and on another; of no use where the laws do not hold.
    std::vector<Law> primitives(const runtime::Device& plain, bool laws_hold) {
        std::vector<Law> laws = {{"reduce", "counts"}, {"scan, exclusive", "counts"}, {"scan, inclusive", "counts"}};
        std::string      why;
        if (file_.stores()) why = "it has a store(), so there is no output";
        if (file_.loads() && !supply_->is_file()) why = "it has a load(), which needs --elements";
        if (!laws_hold) why = "with such an operation there is nothing to compare with";
        if (!why.empty()) {
            for (Law& law : laws) law.skipped = why;
            return laws;
        }
        const OperationFile other(flags_.own.file, plain, true, true);
        Reduce::Desc        reduce;
        Scan::Desc          exclusive, inclusive;
        inclusive.kind = Scan::Kind::inclusive;
        std::vector<Words> inputs, totals;
        for (uint32_t count : counts) {
            inputs.push_back(supply_->first(std::min(count, supply_->most_count()), random_));
            if (count >= supply_->most_count()) break;
        }
        check_primitive<Reduce>(laws[0], reduce, other, plain, inputs);
        check_primitive<Scan>(laws[1], exclusive, other, plain, inputs);
        check_primitive<Scan>(laws[2], inclusive, other, plain, inputs);
        return laws;
    }

private:
    const uint32_t* at(const Words& elements, size_t index) const { return &elements[index * layout_.words]; }

    /// Counts element `index` of a trial, in which `results` should be the same.
    void judge(Law& law, size_t index, const std::vector<Named>& given, const std::vector<Named>& on_the_way,
               const std::vector<Named>& results, bool must_be_finite) {
        Floats floats;
        for (const auto* named : {&given, &on_the_way}) {
            for (const Named& one : *named) floats.add(layout_, at(*one.elements, index));
        }
        const bool leaves_out = !floats.finite;
        for (const Named& one : results) floats.add(layout_, at(*one.elements, index));
        if (leaves_out || (!must_be_finite && !floats.finite)) {
            ++law.left_out;
            return;
        }
        ++law.tried;
        if (is_same(layout_, at(*results[0].elements, index), at(*results[1].elements, index), floats)) return;
        if (++law.failed > 1) return;
        std::vector<Named> shown = given;
        for (const Named& one : results) {
            if (one.elements != given[0].elements) shown.push_back(one);
        }
        for (const Named& one : shown) {
            law.example.push_back(fmt::format("{:<14} {}", one.name, file_.text(at(*one.elements, index))));
        }
    }

    /// `elements` are a third a, a third b, a third c.
    void check_round(const Words& elements, std::vector<Law>& laws) {
        const auto third = static_cast<std::ptrdiff_t>(elements.size() / 3);
        Words      a(elements.begin(), elements.begin() + third), b(elements.begin() + third, elements.end() - third),
            c(elements.end() - third, elements.end());
        // Some are equal: operations choose between elements, and of equal ones which?
        for (uint32_t i = 0; i < trials; i += 8) {
            std::copy_n(at(a, i), layout_.words, &b[size_t{i} * layout_.words]);
            std::copy_n(at(b, i + 1), layout_.words, &c[size_t{i + 1} * layout_.words]);
        }
        const Operator& op = *operation_;
        const Words ab = op.operate(a, b), bc = op.operate(b, c), left = op.operate(ab, c), right = op.operate(a, bc);
        const Words swapped = op.operate(b, a);
        for (size_t i = 0; i < trials; ++i) {
            judge(laws[0], i, {{"a", &a}, {"b", &b}, {"c", &c}}, {{"a op b", &ab}, {"b op c", &bc}},
                  {{"(a op b) op c", &left}, {"a op (b op c)", &right}}, false);
            if (!op.keeps_order())
                judge(laws[2], i, {{"a", &a}, {"b", &b}}, {}, {{"a op b", &ab}, {"b op a", &swapped}}, false);
        }
        check_identity(a, laws[1]);
    }

    void check_identity(const Words& a, Law& law) {
        Words identities;
        for (size_t i = 0; i < a.size(); i += layout_.words) {
            identities.insert(identities.end(), operation_->identity().begin(), operation_->identity().end());
        }
        const Words before = operation_->operate(identities, a), behind = operation_->operate(a, identities);
        if (a == operation_->identity()) { // which may be infinite
            law.tried += 1;
            if (has_same_bits(layout_, a.data(), before.data())) return;
            if (++law.failed == 1) law.example = {"identity op identity  " + file_.text(before.data())};
            return;
        }
        for (size_t i = 0; i < a.size() / layout_.words; ++i) {
            const uint32_t failed = law.failed;
            judge(law, i, {{"a", &a}}, {}, {{"a", &a}, {"identity op a", &before}}, true);
            if (law.failed == failed) judge(law, i, {{"a", &a}}, {}, {{"a", &a}, {"a op identity", &behind}}, true);
        }
    }

    /// All elements, with the operation between neighbours in a grouping that is drawn.
    Words fold(Words list, Floats& floats) {
        const uint32_t words = layout_.words;
        while (list.size() > words) {
            Words             first, second;
            std::vector<char> joins; // of each element that remains, whether it is of two
            for (size_t i = 0; i < list.size(); i += words) {
                const bool is_last = i + words == list.size();
                joins.push_back(!is_last && (random_.below(2) == 0 || i + 2 * words == list.size()));
                if (!joins.back()) continue;
                first.insert(first.end(), &list[i], &list[i] + words);
                second.insert(second.end(), &list[i] + words, &list[i] + 2 * words);
                i += words;
            }
            const Words joined = operation_->operate(first, second);
            Words       next;
            size_t      from = 0, pair = 0;
            for (char join : joins) {
                const uint32_t* const one = join ? &joined[words * pair++] : &list[from];
                next.insert(next.end(), one, one + words);
                from += join ? 2 * words : words;
            }
            for (size_t i = 0; i < joined.size(); i += words) floats.add(layout_, &joined[i]);
            list = std::move(next);
        }
        return list;
    }

    template <class Primitive>
    Words run_on(const runtime::Device& device, const Primitive& primitive, const Words& input) const {
        constexpr bool reduces = std::is_same_v<Primitive, Reduce>;
        const auto     count   = static_cast<uint32_t>(input.size() / layout_.words);
        const size_t   words   = reduces ? layout_.words : input.size();
        // Of an operation that loads by itself, the input is what it loads from.
        const auto source  = file_.loads() ? buffer_with(device, array_->bytes.data(), array_->bytes.size())
                                           : buffer_with(device, input.data(), input.size() * 4);
        const auto output  = zeros(device, words * 4),
                   scratch = zeros(device, harness::scratch_size_of(primitive, count));
        typename Primitive::Args args;
        args.input                   = source.address();
        args.output                  = output.address();
        args.scratch                 = scratch.address();
        args.count                   = count;
        args.parameters              = parameters_;
        args.parameters.addresses[0] = source.address();
        if (const auto valid = primitive.validate(args); !valid) throw Failure{exit_device, valid.error().reason};
        auto commands = need_device(device.begin_commands());
        primitive.record(commands.handle(), args);
        need_device(commands.submit_and_wait());
        return download(device, output, words);
    }

    template <class Primitive>
    void check_primitive(Law& law, typename Primitive::Desc desc, const OperationFile& other,
                         const runtime::Device& plain, const std::vector<Words>& inputs) {
        constexpr bool reduces          = std::is_same_v<Primitive, Reduce>;
        desc.own                        = &file_.operation();
        const Primitive primitive       = need_device(Primitive::create(device_.context(), desc));
        desc.own                        = &other.operation();
        const Primitive again           = need_device(Primitive::create(plain.context(), desc));
        bool            ends_with_total = reduces;
        if constexpr (!reduces) ends_with_total = desc.kind == Scan::Kind::inclusive;
        for (const Words& input : inputs) {
            const Words got = run_on(device_, primitive, input), expected = run_on(plain, again, input);
            ++law.tried;
            const auto fail = [&](size_t index, const char* than, const uint32_t* one, const uint32_t* two) {
                if (++law.failed > 1) return;
                law.example = {fmt::format("{} elements, output {}", input.size() / layout_.words, index),
                               fmt::format("{:<14} {}", "got", file_.text(one)),
                               fmt::format("{:<14} {}", than, file_.text(two))};
            };
            size_t wrong = 0;
            while (wrong * layout_.words < got.size() && has_same_bits(layout_, at(got, wrong), at(expected, wrong)))
                ++wrong;
            if (wrong * layout_.words < got.size()) {
                fail(wrong, "plain variant", at(got, wrong), at(expected, wrong));
                continue;
            }
            if (!ends_with_total) continue;
            Floats floats;
            for (size_t i = 0; i < input.size(); i += layout_.words) floats.add(layout_, &input[i]);
            const Words           total = fold(input, floats);
            const uint32_t* const last  = &got[got.size() - layout_.words];
            floats.add(layout_, last);
            if (floats.finite && !is_same(layout_, last, total.data(), floats))
                fail(got.size() / layout_.words - 1, "other grouping", last, total.data());
        }
    }

    const LawFlags&         flags_;
    const runtime::Device&  device_;
    OperationFile           file_;
    Layout                  layout_;
    Random                  random_;
    Parameters              parameters_;
    std::optional<Array>    array_;
    runtime::Buffer         content_; ///< of that
    std::optional<Operator> operation_;
    std::optional<Supply>   supply_;
};

/// A law of which nothing could be tried is not known to hold.
bool is_unknown(const Law& law) { return law.skipped.empty() && law.tried == 0; }

std::string text_of(const Law& law) {
    std::string status = "ok";
    if (law.failed > 0) status = fmt::format("{} FAILED", law.failed);
    if (is_unknown(law))
        status = "FAILED: no trial without infinities and NaN; with --elements, try those it is made for";
    if (!law.skipped.empty()) status = "skipped: " + law.skipped;
    std::string text = fmt::format("{:<18} {:>6} {:<9} {}", law.name, law.tried, law.unit, status);
    if (law.left_out > 0 && !is_unknown(law)) text += fmt::format("; {} left out, of infinities and NaN", law.left_out);
    for (const std::string& line : law.example) text += "\n    " + line;
    return text + "\n";
}

} // namespace

ExitCode verify_laws(const LawFlags& flags) {
    const runtime::Device device = open_device(flags.device);
    const runtime::Device plain  = open_plain_device(flags.device);
    const bool            lines  = flags.json != "-";
    Trial                 trial(flags, device);
    if (lines) print(device_line(device.info()) + "\n");
    std::vector<Law> laws = trial.laws();
    const bool       hold =
        std::none_of(laws.begin(), laws.end(), [](const Law& law) { return law.failed > 0 || is_unknown(law); });
    for (Law& law : trial.primitives(plain, hold)) laws.push_back(std::move(law));
    uint64_t passed = 0, failed = 0;
    Json     json = {{"device", json_device(device.info())}, {"operation", flags.own.file}, {"laws", Json::array()}};
    for (const Law& law : laws) {
        if (lines) print(text_of(law));
        passed += law.tried - law.failed;
        failed += law.failed + (is_unknown(law) ? 1 : 0);
        Json one{{"name", law.name}, {"tried", law.tried}, {"left_out", law.left_out}, {"failed", law.failed}};
        if (!law.skipped.empty()) one["skipped"] = law.skipped;
        if (!law.example.empty()) one["example"] = law.example;
        json["laws"].push_back(std::move(one));
    }
    json["passed"] = passed;
    json["failed"] = failed;
    if (lines) print(fmt::format("{} passed, {} failed\n", passed, failed));
    if (!flags.json.empty()) write_report(flags.json, json_text(json, 2));
    check_validation(device);
    check_validation(plain);
    return failed > 0 ? exit_wrong : exit_good;
}

} // namespace vkprim::tools
