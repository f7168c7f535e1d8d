// What all GLSL of this project keeps to, so that today's compilers and drivers take it. It is read as text; no device is needed.
#include <cctype>
#include <filesystem>

#include "support/catch.h"
#include "support/program.h"

namespace vkprim::tests {
namespace {

/// All files with GLSL: shaders, headers, and documents with blocks of it. Calls `check` with the path and the text of each, without its
/// white space.
template <class Check>
uint32_t for_each_glsl(const Check& check) {
    uint32_t files = 0;
    for (const char* folder : {"docs", "examples", "include", "shaders", "src", "tests", "tools"}) {
        const std::string root = std::string(VKPRIM_SOURCE_DIR) + "/" + folder;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            const std::string kind = entry.path().extension().string();
            if (kind != ".comp" && kind != ".glsl" && kind != ".h" && kind != ".md") continue;
            std::string text = content_of(entry.path().string());
            text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); }),
                       text.end());
            check(entry.path().string(), text);
            ++files;
        }
    }
    return files;
}

} // namespace

TEST_CASE("relaxed atomics name no storage class", "[host][glsl]") {
    const std::string relaxed = "gl_SemanticsRelaxed";
    uint32_t          atomics = 0;
    for_each_glsl([&](const std::string& path, const std::string& text) {
        for (size_t at = text.find(relaxed); at != std::string::npos; at = text.find(relaxed, at + 1)) {
            INFO(path << ": write 0, gl_SemanticsRelaxed; glslc of 2026 refuses a storage class before it");
            CHECK((at >= 3 && text.compare(at - 3, 3, ",0,") == 0));
            ++atomics;
        }
    });
    CHECK(atomics >= 10); // it has found them
}

} // namespace vkprim::tests
