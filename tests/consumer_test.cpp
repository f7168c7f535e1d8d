// vkprim from the outside: what README.md shows is code that runs, in a program that takes vkprim in as a subdirectory,
// links a volk of its own, and makes its own device. tests/consumer builds it and others: VKPRIM_CONSUMER names one,
// VKPRIM_CONSUMER_SAYS what it says of its work where that is not examples/hello's. With VKPRIM_TEST_VALIDATION it runs
// with validation, too.
#include <vkprim/version.h>

#include <vector>

#include "support/catch.h"
#include "support/program.h"
#include "support/test_device.h"
#include "support/validated.h"

namespace vkprim::tests {
namespace {

/// The lines between "<document> begin" and "<document> end", without the indentation that they share.
std::string part_for(const std::string& document, const std::string& source) {
    std::istringstream       lines(source);
    std::vector<std::string> part;
    bool                     inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" " + document + " end") != std::string::npos) inside = false;
        if (inside) part.push_back(line);
        if (line.find(" " + document + " begin") != std::string::npos) inside = true;
    }
    size_t indentation = std::string::npos;
    for (const std::string& line : part) indentation = std::min(indentation, line.find_first_not_of(' '));
    std::string text;
    for (const std::string& line : part) text += (line.empty() ? line : line.substr(indentation)) + "\n";
    return text;
}

} // namespace

TEST_CASE("README.md shows the code of examples/hello", "[host][readme]") {
    const std::string root = VKPRIM_SOURCE_DIR;
    const std::string part = part_for("README", content_of(root + "/examples/hello/main.cpp"));
    REQUIRE(part.size() > 200);
    const std::string readme = content_of(root + "/README.md");
    INFO("README.md must contain exactly these lines of examples/hello/main.cpp, between ```cpp and ```:\n" << part);
    CHECK(readme.find("```cpp\n" + part + "```\n") != std::string::npos);
}

TEST_CASE("documents and packages name the version of vkprim/version.h", "[host][readme]") {
    const std::string root  = VKPRIM_SOURCE_DIR;
    const auto        major = std::to_string(VKPRIM_VERSION_MAJOR), minor = std::to_string(VKPRIM_VERSION_MINOR),
               patch = std::to_string(VKPRIM_VERSION_PATCH);
    CHECK(VKPRIM_VERSION_TEXT == major + "." + minor + "." + patch);
    CHECK(VKPRIM_VERSION_TEXT == std::string(VKPRIM_CMAKE_VERSION));
    static_assert(VKPRIM_VERSION >= VKPRIM_MAKE_VERSION(0, 1, 0) && VKPRIM_VERSION < VKPRIM_MAKE_VERSION(1, 0, 0));
    static_assert(VKPRIM_MAKE_VERSION(0, 2, 0) < VKPRIM_MAKE_VERSION(0, 10, 0));

    const std::string                         find     = "find_package(vkprim " + major + "." + minor;
    const std::pair<const char*, std::string> places[] = {
        {"packaging/vcpkg/ports/vkprim/vcpkg.json", "\"version\": \"" VKPRIM_VERSION_TEXT "\""},
        {"CHANGELOG.md", "\n## [" VKPRIM_VERSION_TEXT "] - 20"},
        {"packaging/README.md", find},
        {"packaging/README.md", "libvkprim.so." + major + "." + minor},
        {"docs/embedding.md", find},
        {"tests/consumer/find_package/CMakeLists.txt", find},
    };
    for (const auto& [file, text] : places) {
        INFO(file << " must have: " << text);
        CHECK(content_of(root + "/" + file).find(text) != std::string::npos);
    }
    const std::string readme = content_of(root + "/README.md"), any = "find_package(vkprim ";
    for (size_t at = readme.find(any); at != std::string::npos; at = readme.find(any, at + 1)) {
        CHECK(readme.substr(at, find.size()) == find);
    }
}

TEST_CASE("docs/c.md shows the code of the programs in C, Python and Rust", "[host][readme]") {
    const std::string root = VKPRIM_SOURCE_DIR, document = content_of(root + "/docs/c.md");
    for (const auto& [language, file] :
         {std::pair("c", "c/scan.c"), {"python", "python/scan.py"}, {"rust", "rust/scan.rs"}}) {
        const std::string source = content_of(root + "/tests/consumer/" + file), part = part_for("docs", source);
        REQUIRE(part.size() > 1000);
        INFO("docs/c.md must contain exactly these lines of tests/consumer/" << file << ":\n" << part);
        CHECK(document.find(std::string("```") + language + "\n" + part + "```\n") != std::string::npos);
        CHECK(std::count(source.begin(), source.end(), '\n') < 100);
    }
}

TEST_CASE("a program with vkprim in it", "[device][consumer]") {
    const std::string program = environment("VKPRIM_CONSUMER"), says = environment("VKPRIM_CONSUMER_SAYS");
    if (program.empty()) FAIL("the environment variable VKPRIM_CONSUMER must name the program");
    const std::string out = run_validated("'" + program + "'");
    CAPTURE(out);
    CHECK(out.find((says.empty() ? "scanned 1000003 elements" : says) + " on " + device().info().name + ": right") !=
          std::string::npos);
}

} // namespace vkprim::tests
