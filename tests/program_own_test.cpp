// vkprim reduce and scan with --operation: elements and operations of a file of the user's.
#include "support/program.h"

using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

const std::string operations = std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim/glsl/operations/";

#ifdef VKPRIM_HAS_COMPILER
/// Where the program was built without libshaderc, it says so, and that is all there is to see.
constexpr bool has_compiler = true;
#else
constexpr bool has_compiler = false;
#endif

} // namespace

TEST_CASE("program: operations of one's own", "[program]") {
    const Folder             folder;
    const std::vector<float> boxes = {0, 1, 2, 3, 4, 5, -1, 2, 2, 1, 9, 2};
    const std::string        file  = folder.npy("boxes.npy", NumberType::f32, boxes, {2, 6});
    if (!has_compiler) {
        check_fails(2, {"reduce", file, "--operation", operations + "aabb.glsl"}, {"libshaderc"});
        return;
    }
    CHECK(good({"reduce", file, "--operation", operations + "aabb.glsl"}) == "low -1.0 1.0 2.0  high 3.0 9.0 5.0\n");
    const Json json = good_json({"reduce", file, "--operation", operations + "aabb.glsl"});
    CHECK(json["count"] == 2);
    CHECK(json["result"]["high"] == std::vector<float>{3, 9, 5});
    CHECK(json["checked"] == "the variant without subgroup operations");
    CHECK(json["compile_ms"] > 0);

    // x[i] = x[i - 1] / 2 + 1
    const std::string maps =
        folder.npy("maps.npy", NumberType::f32, std::vector<float>{0.5, 1, 0.5, 1, 0.5, 1}, {3, 2});
    const std::string out  = folder.path("out.npy");
    const std::string said = good({"scan", maps, "--operation", operations + "affine.glsl", "--inclusive", "-o", out});
    CHECK(said.find("3 elements") != std::string::npos);
    CHECK(elements_of<float>(out, NumberType::f32) == std::vector<float>{0.5, 1, 0.25, 1.5, 0.125, 1.75});

    // A load() of its own, with parameters: floats have a point.
    const std::string points =
        folder.npy("points.npy", NumberType::f32, std::vector<float>{0, 0, 0, 2, 0, 0, 0, 3, 0}, {3, 3});
    CHECK(good({"reduce", points, "--operation", operations + "nearest.glsl", "--parameter", "2.5", "0.0", "0.0"}) ==
          "squared_distance 0.25  index 1\n");
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

TEST_CASE("program: operations of one's own that are wrong", "[program]") {
    if (!has_compiler) return; // the case above
    const Folder      folder;
    const std::string file = folder.npy("numbers.npy", NumberType::f32, std::vector<float>{1, 2, 3});
    check_fails(2, {"reduce", file, "--operation", folder.path("none.glsl")}, {"none.glsl", "cannot be read"});
    const std::string broken =
        folder.file("broken.glsl",
                    "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n#include <vkprim/glsl/operation.glsl>\n"
                    "Element identity() { return Element(0) }\n");
    check_fails(2, {"reduce", file, "--operation", broken}, {"broken.glsl:3: error"});
    check_fails(2, {"reduce", file, "--operation", operations + "aabb.glsl"}, {"12 bytes", "24 bytes"});
    check_fails(2, {"reduce", file, "--operation", operations + "affine.glsl", "--op", "min"}, {"--op", "--operation"});
    check_fails(2, {"reduce", file, "--operation", operations + "dot.glsl", "--parameter", "one"},
                {"--parameter one", "is no number"});
}
