// Profiles: as JSON, and what the tunings make of them. That create() takes and refuses them: contract_test.cpp.
#include <vkprim/profile.h>

#include "../src/tuning/histogram.h"
#include "../src/tuning/lookback.h"
#include "harness/harness.h"
#include "support/catch.h"

namespace vkprim::tests {
namespace {

void check_refused(const std::string& json, const std::string& word) {
    CAPTURE(json.substr(0, 200), word);
    const auto profile = read_profile(json);
    REQUIRE_FALSE(profile);
    CAPTURE(profile.error().reason);
    CHECK(profile.error().kind == ErrorKind::invalid_profile);
    CHECK(profile.error().reason.rfind("the profile", 0) == 0);
    CHECK(profile.error().reason.find(word) != std::string::npos);
    CHECK(profile.error().reason.size() < 300);
    for (const char c : profile.error().reason) CHECK((c >= ' ' && c <= '~'));
}

/// A profile as JSON, with one field's value exchanged.
std::string json_with(const std::string& name, const std::string& value) {
    std::string json = R"({"vkprim_profile": 1, "device": "it", "vendor_id": 2, "device_id": 3, "values": {"a.b": 4}})";
    const size_t begin = json.find("\"" + name + "\": ") + name.size() + 4;
    return json.replace(begin, json.find_first_of(",}", begin) - begin, value);
}

/// The same without the field.
std::string json_without(const std::string& name) {
    std::string json = json_with("a.b", "4");
    return json.replace(json.find(name), name.size(), "other");
}

} // namespace

TEST_CASE("profile: round trip", "[host][profile]") {
    const Profile empty{0, 0, {}},
        full{0x10de, 0xffffffff, {{"scan.prefetch_distance", 0}, {"a \"quote\"\n", 0xffffffff}}};
    for (const Profile& profile : {empty, full}) {
        const std::string json = write_profile(profile, "A \"GPU\" \xff");
        CAPTURE(json);
        const auto read = read_profile(json);
        REQUIRE(read);
        CHECK(read->vendor_id == profile.vendor_id);
        CHECK(read->device_id == profile.device_id);
        CHECK(read->values == profile.values);
    }
    CHECK(write_profile({4318, 9013, {{"scan.prefetch_distance", 231}}}, "NVIDIA H200") == R"({
    "vkprim_profile": 1,
    "device": "NVIDIA H200",
    "vendor_id": 4318,
    "device_id": 9013,
    "values": {
        "scan.prefetch_distance": 231
    }
}
)");
    REQUIRE(read_profile(json_with("a.b", "5")));
    CHECK(read_profile(json_with("a.b", "5"))->values.at("a.b") == 5);
}

TEST_CASE("profile: what is no profile is refused with a reason", "[host][profile]") {
    check_refused("", "line 1, column 1");
    check_refused("hello", "line 1, column 1");
    check_refused("{\n\"vkprim_profile\": 1,\n", "line 3");
    check_refused("{} {}", "column 4");
    check_refused(std::string("{\0}", 3), "column 2");
    check_refused("\xff\xfe", "not JSON");
    check_refused(std::string(100000, '['), "not JSON");
    check_refused(std::string(100000, '[') + std::string(100000, ']'), "must be a JSON object, not an array");
    for (const char* json : {"[]", "1", "null", "\"text\"", "true"}) check_refused(json, "must be a JSON object");
    check_refused("{}", "lacks \"vkprim_profile\"");
    for (const char* name : {"vkprim_profile", "device", "vendor_id", "device_id", "values"}) {
        check_refused(json_without(name), std::string("lacks \"") + name + "\"");
    }
    check_refused(json_with("vkprim_profile", "2"), "\"vkprim_profile\" is 2, but this vkprim reads 1");
    for (const char* name : {"vkprim_profile", "vendor_id", "device_id", "a.b"}) {
        for (const char* value : {"-1", "-0", "1.5", "1.0", "1e3", "4294967296", "18446744073709551616", "1e999",
                                  "\"1\"", "null", "true", "[1]", "{\"x\":1}"}) {
            // A number beyond all bounds is the JSON library's to refuse.
            const bool beyond = std::string(value) == "1e999";
            check_refused(json_with(name, value), beyond ? "" : std::string("\"") + name + "\" must be a whole number");
        }
    }
    check_refused(json_with("device", "1"), "\"device\" must be");
    std::string values = json_with("a.b", "1");
    values.replace(values.find("{\"a.b\""), 10, "[1]");
    check_refused(values, "\"values\" must be an object");
    check_refused(json_with("a.b", "\"" + std::string(1000, 'x') + "\""), "xxx...");

    // Reasons quote the text, however long it is and whatever is in it.
    const std::string x1000(1000, 'x'), escape = "\\u001b[31m\\n\\u007f\xc3\xa9"; // JSON's escapes, and UTF-8
    check_refused("\"" + x1000, "missing closing quote");
    check_refused("\"\x1b[31m\"", "control character");
    check_refused("{\"\xff\"", "UTF-8");
    check_refused(json_with("a.b", "\"" + escape + "\""), "not \"\\u001b[31m\\n\\u007f\\u00e9\"");
    for (const std::string& name : {x1000, escape}) {
        std::string json = json_with("a.b", "-1");
        check_refused(json.replace(json.find("a.b"), 3, name), name == escape ? "'s \"\\u001b[31m" : "xxx...");
    }
}

// What the shaders rely on, for any value that a profile may have.
TEST_CASE("profile: a histogram's tuning holds for all values", "[host][profile]") {
    for (uint32_t workgroup_size : {256u, 1024u}) {
        for (uint32_t shared_memory_size : {16384u, 32768u, 49152u, 65536u}) {
            for (uint32_t vectors : {1u, 3u, 16u}) {
                for (uint32_t log2_copies : {0u, 2u, 5u}) {
                    for (uint32_t bins : {1u, 3u, 256u, 4096u, 13000u, 100000u, 1u << 20}) {
                        for (uint32_t sample_size : {1u, 2u, 4u}) {
                            DeviceLimits limits;
                            limits.workgroup_size     = workgroup_size;
                            limits.shared_memory_size = shared_memory_size;
                            const Profile profile{0,
                                                  0,
                                                  {{"histogram.vectors", vectors},
                                                   {"histogram.workgroups", 65535},
                                                   {"histogram.log2_copies", log2_copies}}};
                            const auto    tuning = tune_histogram(limits, &profile, {bins, sample_size});
                            REQUIRE(tuning);
                            CAPTURE(workgroup_size, shared_memory_size, vectors, log2_copies, bins, sample_size);
                            REQUIRE(tuning->vectors >= 1);
                            REQUIRE(tuning->copies <= 1u << log2_copies);
                            REQUIRE((bins + 1) * tuning->copies * 4 <= std::max(shared_memory_size, (bins + 1) * 4));
                            REQUIRE((tuning->copies > 0) == ((bins + 1) * 4 <= shared_memory_size));
                            REQUIRE(tuning->workgroups <= 65535);
                            if (tuning->ranges == 0) continue;
                            REQUIRE(tuning->vectors * tuning->workgroup_size * 16 / sample_size <= 32768);
                            REQUIRE(uint64_t{tuning->range} * tuning->ranges >= bins);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("profile: look-back takes tickets on software, whatever the profile says", "[host][profile]") {
    DeviceLimits limits;
    limits.software = true;
    const Profile without{0, 0, {{"lookback.tickets", 0}}}, with{0, 0, {{"lookback.tickets", 1}}};
    REQUIRE(tune_lookback(limits, &with, "scan"));
    const auto refused = tune_lookback(limits, &without, "scan");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().reason == "the profile's lookback.tickets is 0, but must be 1 on this device");
    limits.software = false;
    REQUIRE(tune_lookback(limits, &without, "scan"));
    CHECK(tune_lookback(limits, &without, "scan")->tickets == 0);
}

TEST_CASE("profile: what vkprim tune tries", "[host][profile]") {
    size_t tunables = 0;
    for (const harness::Subject& subject : harness::subjects()) {
        for (const harness::Tunable& tunable : subject.tunables) {
            CAPTURE(subject.name, tunable.knob, tunable.bench);
            ++tunables;
            const std::string prefix = tunable.knob.substr(0, tunable.knob.find('.'));
            CHECK((prefix == subject.name || prefix == "lookback"));
            CHECK(std::count_if(subject.benches.begin(), subject.benches.end(),
                                [&](const auto& bench) { return bench.name == tunable.bench; }) == 1);
            CHECK(tunable.count > 0);
            CHECK_FALSE(tunable.candidates.empty());
        }
    }
    CHECK(tunables > 0);
}

} // namespace vkprim::tests
