// Random cases and soak: that they find what is wrong and make it small, and a few of them on every driver.
#include "harness/property.h"

#include "harness/elements.h"
#include "harness/soak.h"
#include "support/memory.h"

#include <set>

namespace vkprim::tests {
namespace {

using harness::Case;
using harness::Random;
using harness::Step;
using harness::text_of;

/// Draws as subjects do, but is none.
harness::Subject fake_subject() {
    harness::Subject subject;
    subject.name           = "fake";
    subject.property.draw  = [](Random& random) { return std::string(random.below(2) ? "plain" : "fancy"); };
    subject.property.model = [](const std::string&) -> Result<harness::Model> {
        harness::Model model;
        model.in_place    = true;
        model.output_size = [](uint32_t count) { return uint64_t{count} * 4; };
        return model;
    };
    subject.property.simpler = [](const std::string& variant) {
        return variant == "plain" ? std::vector<std::string>() : std::vector<std::string>{"plain"};
    };
    return subject;
}

const harness::Subject fake = fake_subject();

/// Drawn like any other step, then given to `fake`.
Step fake_step(const harness::Variants& variants, Random& random) {
    Step step     = variants.draw(random, 1u << 20);
    step.subject  = &fake;
    step.variant  = fake.property.draw(random);
    step.in_place = random.below(2) == 0;
    if (step.in_place) step.output_offset = step.input_offset;
    return step;
}

/// Shrinks many random cases that fail as `judge` says; each must end as `smallest`.
void check_shrinks(const harness::Judge& judge, const std::string& smallest) {
    const harness::Variants variants({});
    uint32_t                failed = 0;
    for (uint64_t seed = 0; seed < 4000 && failed < 25; ++seed) {
        Random random(seed);
        Case   steps;
        for (uint32_t left = 1 + random.below(40); left > 0; --left) steps.push_back(fake_step(variants, random));
        const std::string what = judge(steps);
        if (what.empty()) continue;
        ++failed;
        const harness::Shrunk shrunk = harness::shrink(steps, what, judge);
        CAPTURE(seed, shrunk.runs);
        REQUIRE(text_of(shrunk.smallest) == smallest);
        CHECK(shrunk.what == judge(shrunk.smallest));
        CHECK(shrunk.complete);
    }
    CHECK(failed == 25);
}

harness::Judge wrong_where(const std::function<bool(const Step&)>& is_wrong) {
    return [=](const Case& steps) {
        for (const Step& step : steps) {
            if (is_wrong(step)) return std::string("wrong");
        }
        return std::string();
    };
}

} // namespace

TEST_CASE("property: a failing case is made as small as it gets", "[property]") {
    for (uint32_t least : {0u, 1u, 2u, 3u, 12345u, 65536u, 100001u}) {
        check_shrinks(wrong_where([=](const Step& step) { return step.count >= least; }),
                      "fake plain count=" + std::to_string(least) + " data=zeros");
    }
    check_shrinks(wrong_where([](const Step& step) { return step.count >= 4096 && step.variant == "fancy"; }),
                  "fake fancy count=4096 data=zeros");
    check_shrinks(wrong_where([](const Step& step) { return step.bound > step.count + 20 && step.count > 0; }),
                  "fake plain count=1 bound=22 data=zeros");
    check_shrinks(wrong_where([](const Step& step) {
                      return step.in_place && step.input_offset == 12 && step.data == harness::Data::random;
                  }),
                  "fake plain count=0 offset=12,12 in-place data=random,0");
    check_shrinks(wrong_where([](const Step& step) { return step.parts >= 3; }),
                  "fake plain count=0 parts=3 data=zeros");
    // One that fails only after another.
    check_shrinks(
        [](const Case& steps) {
            bool seen = false;
            for (const Step& step : steps) {
                if (seen && step.count >= 77 && step.data >= harness::Data::index) return std::string("wrong");
                seen = seen || (step.count >= 1000 && step.output_offset == 8);
            }
            return std::string();
        },
        "fake plain count=1000 offset=0,8 data=zeros; fake plain count=77 data=index");
}

TEST_CASE("property: a limit ends the search for a smaller case", "[property]") {
    Step step;
    step.subject      = &fake;
    step.variant      = "plain";
    step.count        = 1u << 20;
    uint32_t   runs   = 0;
    const auto judge  = [&](const Case& steps) { return ++runs, steps[0].count >= 1000 ? "wrong" : ""; };
    auto       shrunk = harness::shrink({step}, "wrong", judge, {5, 60});
    CHECK(runs == 5);
    CHECK(shrunk.runs == 5);
    CHECK_FALSE(shrunk.complete);
    CHECK(shrunk.smallest[0].count < step.count);
    shrunk = harness::shrink({step}, "wrong", judge, {1000, 0});
    CHECK_FALSE(shrunk.complete);
    CHECK(shrunk.smallest[0].count == step.count);
}

TEST_CASE("property: cases are the same from the same seed, and from their text", "[property]") {
    const harness::Variants variants({3, "", 64}), again({3, "", 64}), other({4, "", 64});
    std::set<std::string>   subjects, texts;
    for (uint64_t number = 0; number < 500; ++number) {
        const Case        steps = harness::draw_case(variants, 3, number, 1u << 20);
        const std::string text  = text_of(steps);
        CAPTURE(text);
        CHECK(text == text_of(harness::draw_case(again, 3, number, 1u << 20)));
        CHECK(text != text_of(harness::draw_case(other, 4, number, 1u << 20)));
        CHECK(text_of(value_of(harness::read_case(text))) == text);
        texts.insert(text);
        for (const Step& step : steps) {
            CHECK(step.count <= 1u << 20);
            subjects.insert(step.subject->name);
        }
        if (number % 10 != 0) continue;
        for (const Case& simpler : harness::simpler(steps)) {
            const auto read = harness::read_case(text_of(simpler));
            if (!read) FAIL(read.error().reason);
            CHECK(text_of(*read) == text_of(simpler));
        }
    }
    CHECK(texts.size() == 500);
    for (const harness::Subject& subject : harness::subjects()) {
        CHECK(subjects.count(subject.name) == (subject.property.draw ? 1 : 0));
    }

    const harness::Variants some({1, "scan f32", 64}), none({1, "no such", 64});
    CHECK(some.all().size() == 8); // four operations, exclusive and inclusive
    for (const Step& step : some.all()) CHECK(step.name().rfind("scan f32", 0) == 0);
    CHECK(none.all().empty());
}

TEST_CASE("property: what is no case is refused", "[property]") {
    for (const char* text : {"",
                             "no such u32 count=1",
                             "copy count=1",
                             "scan u32 add count=1",
                             "scan u32 add exclusive",
                             "reduce f32 xor count=1",
                             "reduce u32 add count=",
                             "reduce u32 add count=x",
                             "reduce u32 add count=-1",
                             "reduce u32 add count=4294967296",
                             "reduce u32 add count=5 bound=4",
                             "reduce u32 add count=1 offset=2,0",
                             "reduce u32 add count=1 offset=0,64",
                             "reduce u32 add count=1 in-place",
                             "scan u32 add exclusive count=1 offset=4,8 in-place",
                             "reduce u32 add count=1 parts=0",
                             "reduce u32 add count=1 parts=1001",
                             "reduce u32 add count=1 data=odd",
                             "reduce u32 add count=1 fast",
                             "reduce u32 add count=1;",
                             "histogram u8 bins=x range=0,256 count=1",
                             "histogram u8 bins=256 range=0,256 often count=1",
                             "histogram u8 bins=256 range=0,256 channels=3 count=1",
                             "histogram u8 bins=256 range=0,256 weights=f32 count=1"}) {
        CAPTURE(text);
        check_error(harness::read_case(text), ErrorKind::invalid_desc, "");
    }
    CHECK(text_of(value_of(
              harness::read_case("scan i32 min inclusive count=7 offset=8 data=ones;reduce u32 add count=0"))) ==
          "scan i32 min inclusive count=7 offset=8,0 data=ones; reduce u32 add count=0 data=random,0");
}

namespace {

/// The reduction of unsigned integers, changed.
harness::Subject spoiled_reduce(const std::function<void(harness::Operands&)>& spoil) {
    harness::Subject subject = harness::subjects().back();
    for (const harness::Subject& one : harness::subjects()) {
        if (one.name == "reduce") subject = one;
    }
    const auto create       = subject.property.create;
    subject.property.create = [=](const Context& context, const std::string& variant) -> Result<harness::Operator> {
        auto created = create(context, variant);
        if (!created) return created.error();
        const auto record = created->record;
        created->record   = [=](VkCommandBuffer commands, const harness::Operands& operands) {
            harness::Operands changed = operands;
            spoil(changed);
            record(commands, changed);
        };
        return created;
    };
    return subject;
}

Step step_of(const harness::Subject& subject, uint32_t count, harness::Data data) {
    Step step;
    step.subject = &subject;
    step.variant = "u32 add";
    step.count   = count;
    step.data    = data;
    return step;
}

/// The few that a slow compiler has time for.
harness::VariantsDesc few_variants() {
    harness::VariantsDesc variants;
    variants.most = environment("VKPRIM_TEST_DEVICE") == "SwiftShader" ? 1 : 4;
    return variants;
}

} // namespace

TEST_CASE("property: random cases", "[device][property]") {
    harness::RandomCasesDesc desc;
    desc.variants                    = few_variants();
    const harness::GroupResult group = value_of(harness::run_random_cases(device(), desc));
    CHECK(group.cases == desc.cases);
    for (const harness::Mismatch& mismatch : group.mismatches) {
        UNSCOPED_INFO(mismatch.case_name << ": " << mismatch.what);
    }
    CHECK(group.failed == 0);
}

TEST_CASE("property: a GPU that is wrong from some count on", "[device][property]") {
    const harness::Subject subject =
        spoiled_reduce([](harness::Operands& operands) { operands.count = std::min(operands.count, 4999u); });
    harness::CaseRunner runner(device());
    const Case steps = {step_of(subject, 300, harness::Data::random), step_of(subject, 70001, harness::Data::random)};
    CHECK(value_of(runner.run({steps[0]})).empty());
    const std::string what = value_of(runner.run(steps));
    REQUIRE(what.rfind("index 0: expected ", 0) == 0);
    const harness::Shrunk shrunk = harness::shrink_on(runner, steps, what);
    CHECK(text_of(shrunk.smallest) == "reduce u32 add count=5000 data=ones");
    CHECK(shrunk.what == "index 0: expected 5000 (0x00001388), got 4999 (0x00001387); 1 of 1 differ");
    CHECK(value_of(runner.run({steps[0]})).empty());
}

TEST_CASE("property: bytes around an output, and scratch, are checked", "[device][property]") {
    // A runner of its own for each: it keeps what it has created by its name.
    const auto verdict_on = [](const harness::Subject& subject, harness::Data data) {
        harness::CaseRunner runner(device());
        return value_of(runner.run({step_of(subject, 9, data)}));
    };
    const harness::Subject beside = spoiled_reduce([](harness::Operands& operands) { operands.output += 8; });
    CHECK(verdict_on(beside, harness::Data::zeros).find("index 0: expected 0 (0x00000000), got ") == 0);
    const harness::Subject over = spoiled_reduce([](harness::Operands& operands) { operands.input -= 4; });
    CHECK(verdict_on(over, harness::Data::zeros) != "");
    harness::Subject twice = spoiled_reduce([](harness::Operands&) {});
    twice.property.create  = [create = twice.property.create](const Context&     context,
                                                             const std::string& variant) -> Result<harness::Operator> {
        auto created = create(context, variant);
        if (!created) return created.error();
        created->record = [record = created->record](VkCommandBuffer commands, harness::Operands operands) {
            record(commands, operands);
            operands.output += 4;
            record(commands, operands);
        };
        return created;
    };
    CHECK(verdict_on(twice, harness::Data::ones) == "a byte outside the output was overwritten, 1 bytes behind it");
    const harness::Subject in_scratch = spoiled_reduce(
        [](harness::Operands& operands) { operands.output = operands.scratch + 1020; }); // behind its own
    Case               steps = {step_of(in_scratch, 9, harness::Data::ones)};
    harness::Operators operators(device());
    value_of(operators.get(steps[0]));
    harness::BatchRunner batches(device(), operators);
    const auto           scratch = value_of(harness::Scratch::create(device(), 1024, 3));
    require(batches.reserve(harness::memory_size(steps[0]), scratch.size()));
    batches.prepare({steps, {2}, 1});
    submit([&](runtime::Commands& commands) { require(batches.record(commands, scratch)); });
    const std::vector<harness::Fault> faults = batches.check();
    REQUIRE(faults.size() == 2);
    CHECK(faults[0].step == 0);
    CHECK(faults[1].step == 1);
    CHECK(faults[1].range == 2);
    CHECK(faults[1].what.find("scratch is not ready") == 0);
}

TEST_CASE("property: a round that is wrong among others", "[device][property]") {
    const auto             calls   = std::make_shared<uint32_t>(0);
    const harness::Subject subject = spoiled_reduce([=](harness::Operands& operands) {
        operands.count -= ++*calls == 4; // the second step, in round 1
    });
    const Case steps = {step_of(subject, 100, harness::Data::ones), step_of(subject, 2000, harness::Data::ones)};
    harness::Operators operators(device());
    value_of(operators.get(steps[0]));
    harness::BatchRunner batches(device(), operators);
    const auto           scratch = value_of(harness::Scratch::create(device(), 4096, 2));
    require(batches.reserve(1 << 16, scratch.size(), 4));
    for (bool is_wrong : {true, false}) {
        batches.prepare({steps, {0, 1}, 1});
        submit([&](runtime::Commands& commands) { require(batches.record(commands, scratch)); });
        const std::vector<harness::Fault> faults = batches.check();
        REQUIRE(faults.size() == (is_wrong ? 1 : 0));
        if (!is_wrong) continue;
        CHECK(faults[0].step == 1);
        CHECK(faults[0].what ==
              "round 1: 1 words of the batch's memory differ, the first 0 bytes behind the beginning of the output");
    }
}

TEST_CASE("property: a short soak", "[device][property]") {
    harness::SoakOptions options;
    options.variants   = few_variants();
    options.seconds    = 1;
    options.rounds     = 2;
    uint32_t    calls  = 0;
    const auto& owner  = device_with_queues();
    const auto  result = value_of(harness::soak(owner, options, [&](const harness::SoakProgress&) { ++calls; }));
    for (const harness::SoakMismatch& mismatch : result.shown) UNSCOPED_INFO(mismatch.batch << ": " << mismatch.what);
    CHECK(result.mismatches == 0);
    CHECK(result.queues == owner.queue_count());
    CHECK(result.in_flight >= 2 * result.queues);
    CHECK(result.batches >= result.in_flight);
    CHECK(result.operations > 2 * result.batches);
    CHECK(result.bytes > result.operations);
    CHECK(calls > 0);

    options.batch    = 7;
    options.rounds   = 0;
    const auto again = value_of(harness::soak(owner, options));
    CHECK(again.batches == again.in_flight);
    CHECK(again.mismatches == 0);

    options.variants.only = "no such";
    check_error(harness::soak(owner, options), ErrorKind::invalid_desc, "'no such'");
}

} // namespace vkprim::tests
