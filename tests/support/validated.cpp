#include "validated.h"

#include <sys/wait.h>

#include <cstdio>

#include "catch.h"
#include "test_device.h"

namespace vkprim::tests {

std::string run_validated(const std::string& command) {
    const bool        validates = environment("VKPRIM_TEST_VALIDATION") == "1";
    const std::string layer     = "env VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_SETTINGS_PATH='" +
                              std::string(VKPRIM_SOURCE_DIR) + "/tests/consumer' ";
    std::FILE* const pipe = popen(((validates ? layer : "") + command + " 2>&1").c_str(), "r");
    REQUIRE(pipe);
    std::string out;
    for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
    const int status = pclose(pipe);
    CAPTURE(out);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    if (!validates) return out;
    CHECK(out.find("Khronos Validation Layer Active") != std::string::npos);
    for (const char* message : {"Validation Error", "Validation Warning", "Validation Performance Warning"}) {
        CHECK(out.find(message) == std::string::npos);
    }
    return out;
}

} // namespace vkprim::tests
