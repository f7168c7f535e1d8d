// vkprim reduce, scan and compact with --operation: elements and operations, or a predicate, of a file of the user's.
#include <fmt/format.h>

#include "support/program.h"

using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

const std::string operation_folder = std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim/glsl/operations/";

#ifdef VKPRIM_HAS_COMPILER
/// Where the program was built without libshaderc, it says so, and that is all there is to see.
constexpr bool has_compiler = true;
#else
constexpr bool has_compiler = false;
#endif

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

} // namespace

TEST_CASE("program: operations of your own", "[program]") {
    const Folder             folder;
    const std::vector<float> boxes = {0, 1, 2, 3, 4, 5, -1, 2, 2, 1, 9, 2};
    const std::string        file  = folder.npy("boxes.npy", NumberType::f32, boxes, {2, 6});
    if (!has_compiler) {
        check_fails(2, {"reduce", file, "--operation", operation_folder + "aabb.glsl"}, {"libshaderc"});
        return;
    }
    CHECK(good({"reduce", file, "--operation", operation_folder + "aabb.glsl"}) ==
          "low -1.0 1.0 2.0  high 3.0 9.0 5.0\n");
    const Json json = good_json({"reduce", file, "--operation", operation_folder + "aabb.glsl"});
    CHECK(json["count"] == 2);
    CHECK(json["result"]["high"] == std::vector<float>{3, 9, 5});
    CHECK(json["checked"] == "the variant without subgroup operations");
    CHECK(json["compile_ms"] > 0);

    // x[i] = x[i - 1] / 2 + 1
    const std::string maps =
        folder.npy("maps.npy", NumberType::f32, std::vector<float>{0.5, 1, 0.5, 1, 0.5, 1}, {3, 2});
    const std::string out = folder.path("out.npy");
    const std::string said =
        good({"scan", maps, "--operation", operation_folder + "affine.glsl", "--inclusive", "-o", out});
    CHECK(said.find("3 elements") != std::string::npos);
    CHECK(elements_of<float>(out, NumberType::f32) == std::vector<float>{0.5, 1, 0.25, 1.5, 0.125, 1.75});

    // A load() of its own, with parameters: floats have a point.
    const std::string points =
        folder.npy("points.npy", NumberType::f32, std::vector<float>{0, 0, 0, 2, 0, 0, 0, 3, 0}, {3, 3});
    CHECK(good({"reduce", points, "--operation", operation_folder + "nearest.glsl", "--parameter", "2.5", "0.0",
                "0.0"}) == "squared_distance 0.25  index 1\n");
    // What a file includes lies beside it.
    folder.file("number.glsl", "#define NUMBER 7\n");
    const std::string mine =
        folder.file("mine.glsl",
                    "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n#include <vkprim/glsl/operation.glsl>\n#include "
                    "\"number.glsl\"\n"
                    "Element identity() { return Element(0); }\n"
                    "Element operate(Element a, Element b) { return Element(a.sum + b.sum * (NUMBER - 6)); }\n");
    CHECK(good({"reduce", folder.file("raw", bytes_of(std::vector<uint32_t>{1, 2, 3})), "--type", "u32", "--operation",
                mine}) == "sum 6\n");
}

TEST_CASE("program: compact by a predicate of your own", "[program]") {
    const Folder      folder;
    const std::string out  = folder.path("out.npy");
    const std::string near = folder.file(
        "near.glsl",
        "#include <vkprim/glsl/predicate.glsl>\n"
        "layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float at[]; };\n"
        "bool keep(uint i) {\n"
        "    Numbers numbers = Numbers(vkprim_parameter_address(0));\n"
        "    vec2 point = vec2(numbers.at[2 * i], numbers.at[2 * i + 1]);\n"
        "    return dot(point, point) < uintBitsToFloat(vkprim_parameter(0));\n"
        "}\n");
    std::vector<float>    points, kept;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 20000; ++i) {
        const auto x = static_cast<float>(i % 37), y = static_cast<float>(i % 11);
        points.insert(points.end(), {x, y});
        if (x * x + y * y >= 400) continue;
        kept.insert(kept.end(), {x, y});
        indices.push_back(i);
    }
    const std::string file = folder.npy("points.npy", NumberType::f32, points, {20000, 2});
    if (!has_compiler) {
        check_fails(2, {"compact", file, "--operation", near, "--parameter", "400.0", "-o", out}, {"libshaderc"});
        return;
    }
    const std::string said = good({"compact", file, "--operation", near, "--parameter", "400.0", "-o", out});
    CHECK(contains(said, fmt::format("{} of 20000 kept", indices.size())));
    CHECK(elements_of<float>(out, NumberType::f32) == kept);
    CHECK(read_npy(out)->shape == Shape{indices.size(), 2});
    const Json json = good_json(
        {"compact", file, "--operation", near, "--parameter", "400.0", "--indices", "--parts", "3", "-o", out});
    CHECK(json["kept"] == indices.size());
    CHECK(json["operation"] == near);
    CHECK(json["checked"] == "the variant without subgroup operations");
    CHECK(elements_of<uint32_t>(out, NumberType::u32) == indices);

    // Rows of any type, and none.
    const std::string          odd  = folder.file("odd.glsl",
                                                  "#include <vkprim/glsl/predicate.glsl>\n"
                                                            "bool keep(uint i) { return i % 2 == 1; }\n");
    const std::vector<int64_t> wide = {1, -2, 3, -(int64_t{4} << 40), 5};
    good({"compact", folder.npy("wide.npy", NumberType::i64, wide), "--operation", odd, "-o", out});
    CHECK(elements_of<int64_t>(out, NumberType::i64) == std::vector<int64_t>{-2, -(int64_t{4} << 40)});
    good({"compact", folder.npy("none.npy", NumberType::u8, std::vector<uint8_t>{}, {0, 3}), "--operation", odd, "-o",
          out});
    CHECK(read_npy(out)->shape == Shape{0, 3});

    // A device that names rows which are not there, where nobody checks its results.
    const FaultyLayer layer;
    if (layer.is_there()) {
        check_fails(1, {"compact", file, "--operation", near, "--no-check", "-o", out},
                    {"wrong result", "row 4294967295 of 20000"}, layer.with({{"FAULTY_COPY", "4294967295"}}));
    }

    const std::string broken = folder.file("broken.glsl",
                                           "#include <vkprim/glsl/predicate.glsl>\n"
                                           "bool keep(uint i) { return i }\n");
    check_fails(2, {"compact", file, "--operation", broken, "-o", out}, {"broken.glsl:2: error"});
    check_fails(2, {"compact", file, "--operation", near, "--above", "1", "-o", out}, {"--operation", "--above"});
    check_fails(2, {"compact", file, "--parameter", "1", "-o", out}, {"--parameter", "--operation"});
}

TEST_CASE("program: operations of your own that are wrong", "[program]") {
    if (!has_compiler) return; // the case above
    const Folder      folder;
    const std::string file = folder.npy("numbers.npy", NumberType::f32, std::vector<float>{1, 2, 3});
    check_fails(2, {"reduce", file, "--operation", folder.path("none.glsl")}, {"none.glsl", "no such file"});
    check_fails(2, {"reduce", file, "--operation", "-"}, {"--operation -", "standard input"});
    const std::string broken =
        folder.file("broken.glsl",
                    "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n#include <vkprim/glsl/operation.glsl>\n"
                    "Element identity() { return Element(0) }\n");
    check_fails(2, {"reduce", file, "--operation", broken}, {"broken.glsl:3: error"});
    check_fails(2, {"reduce", file, "--operation", operation_folder + "aabb.glsl"}, {"12 bytes", "24 bytes"});
    check_fails(2, {"reduce", file, "--operation", operation_folder + "affine.glsl", "--op", "min"},
                {"--op", "--operation"});
    for (const NumberType type : {NumberType::f64, NumberType::f16}) {
        check_fails(2,
                    {"reduce", folder.npy("other.npy", type, std::vector<uint8_t>(48), {48 / element_size(type)}),
                     "--operation", operation_folder + "affine.glsl"},
                    {"other.npy", ".astype('f4')"});
    }
    check_fails(2, {"reduce", file, "--operation", operation_folder + "affine.glsl", "-o", folder.path("sum.npy")},
                {"--output", "--operation"});
    check_fails(2, {"reduce", file, "--operation", operation_folder + "dot.glsl", "--parameter", "one"},
                {"--parameter one", "is no number"});
}

namespace {

/// A file with an operation of one member.
std::string operation_file(const Folder& folder, const std::string& type, const std::string& identity,
                           const std::string& result, const std::string& head = "") {
    return folder.file("operation.glsl", head + "#define VKPRIM_FIELDS(FIELD) FIELD(" + type +
                                             ", value)\n#include <vkprim/glsl/operation.glsl>\n" +
                                             "Element identity() { return Element(" + identity + "); }\n" +
                                             "Element operate(Element a, Element b) { return Element(" + result +
                                             "); }\n");
}

/// What is said of the law that begins a line with this name.
std::string line_of(const std::string& text, const std::string& law) {
    const size_t begin = text.find("\n" + law);
    REQUIRE(begin != std::string::npos);
    return text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

std::string violation(const std::string& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"verify", "--operation", file});
    const Outcome outcome = run(more);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 1);
    return outcome.out;
}

} // namespace

TEST_CASE("program: verify --operation finds what is no operation for reduce and scan", "[program]") {
    if (!has_compiler) return; // the case above
    const Folder folder;
    const auto   associative = [&](const std::string& type, const std::string& identity, const std::string& result) {
        const std::string out = violation(operation_file(folder, type, identity, result));
        CAPTURE(type, result, out);
        CHECK(contains(line_of(out, "associative"), "FAILED"));
        CHECK(contains(out, "(a op b) op c"));
        CHECK(contains(out, "a op (b op c)"));
    };
    associative("uint", "0u", "a.value - b.value");
    associative("float", "0.0", "a.value - b.value");
    associative("float", "0.0", "(a.value + b.value) * 0.5");
    associative("vec2", "vec2(0)", "vec2(a.value.x + b.value.x, a.value.y * 0.75 + b.value.y)");
    // In the last bit alone: of whole numbers nothing is rounded.
    associative("float", "0.0", "a.value + b.value + (a.value == 3.0 && b.value == 5.0 ? 1.0 : 0.0)");

    const auto identity = [&](const std::string& type, const std::string& wrong, const std::string& result) {
        const std::string out = violation(operation_file(folder, type, wrong, result));
        CAPTURE(type, result, out);
        CHECK(contains(line_of(out, "associative"), " ok"));
        CHECK(contains(line_of(out, "identity"), "FAILED"));
        CHECK(contains(out, " op a"));
    };
    identity("uint", "1u", "a.value + b.value");
    identity("float", "0.0", "max(a.value, b.value)");
    identity("int", "-1000", "max(a.value, b.value)"); // less than the small ones
    identity("float", "VKPRIM_INFINITY", "a.value * b.value");
    identity("uint", "0u", "b.value"); // from the left alone

    // The order matters, and nobody says so.
    const std::string last = "b.value != 0u ? b.value : a.value";
    const std::string out  = violation(operation_file(folder, "uint", "0u", last));
    CHECK(contains(line_of(out, "commutative"), "FAILED"));
    CHECK(contains(line_of(out, "associative"), " ok"));
    const std::string in_order =
        good({"verify", "--operation", operation_file(folder, "uint", "0u", last, "#define VKPRIM_KEEPS_ORDER\n")});
    CHECK(contains(line_of(in_order, "commutative"), "VKPRIM_KEEPS_ORDER"));
    CHECK(contains(in_order, ", 0 failed\n"));

    // Nothing could be tried.
    const std::string unknown =
        violation(operation_file(folder, "float", "0.0", "sqrt(-1.0 - abs(a.value)) + b.value"));
    CHECK(contains(line_of(unknown, "associative"), "FAILED: no trial"));
}

TEST_CASE("program: verify --operation of what is one", "[program]") {
    if (!has_compiler) return; // the case above
    const Folder folder;
    for (const char* name : {"aabb", "affine", "log_sum_exp", "moments", "nearest"}) {
        const std::string out = good({"verify", "--operation", operation_folder + name + ".glsl"});
        CAPTURE(name, out);
        CHECK(contains(out, ", 0 failed\n"));
        CHECK(contains(line_of(out, "associative"), "ok"));
    }
    // With elements of a file, through its load(): reduce and scan, too.
    std::vector<float> numbers;
    for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<float>(i % 37) - 18);
    const std::string file   = folder.npy("numbers.npy", NumberType::f32, numbers);
    const std::string report = folder.path("report.json");
    good({"verify", "--operation", operation_folder + "moments.glsl", "--elements", file, "--json", report});
    const Json json = Json::parse(content_of(report));
    CHECK(json["failed"] == 0);
    CHECK(json["laws"][3]["name"] == "reduce");
    CHECK(json["laws"][3]["tried"] == 6); // counts up to 3000
    // Elements that are none may seem to be a violation: letters of which there are none are no text.
    const std::string texts = std::string(VKPRIM_SOURCE_DIR) + "/tests/operations/text.glsl";
    CHECK(contains(line_of(violation(texts), "identity"), "FAILED"));
    std::vector<uint32_t> words;
    for (uint32_t letter = 1; letter < 200; ++letter) words.insert(words.end(), {1, letter, letter, letter, 31});
    const std::string letters = folder.npy("letters.npy", NumberType::u32, words, {199, 5});
    CHECK(contains(good({"verify", "--operation", texts, "--elements", letters}), ", 0 failed\n"));

    const std::string broken =
        folder.file("broken.glsl",
                    "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n#include <vkprim/glsl/operation.glsl>\n"
                    "Element identity() { return Element(0) }\n");
    check_fails(2, {"verify", "--operation", broken}, {"broken.glsl:3: error"});
    check_fails(2, {"verify", "--operation", folder.path("none.glsl")}, {"none.glsl", "no such file"});
    check_fails(2, {"verify", "--operation", broken, "--full"}, {"--operation", "--full"});
    check_fails(2, {"verify", "--elements", file}, {"--operation"});
}
