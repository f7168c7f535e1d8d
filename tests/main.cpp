// Exit codes: 0 all passed, 77 nothing to run on (CTest shows a skip), else failed.
#define CATCH_CONFIG_RUNNER
#include <algorithm>
#include <cstdio>
#include <exception>

#include "support/catch.h"
#include "support/test_device.h"

#if defined(__SANITIZE_ADDRESS__)
/// Drivers stay loaded: what Mesa's global variables point at would count as leaked once they are gone.
extern "C" int dlclose(void*) { return 0; }
#endif

namespace {

constexpr int skipped = 77;

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

uint32_t cases_run           = 0;
uint32_t cases_with_messages = 0;

/// Tells which test case validation has complained about.
struct Listener : ListenerBase {
    using ListenerBase::ListenerBase;

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        ListenerBase::testCaseEnded(stats);
        ++cases_run;
        const uint32_t messages = vkprim::tests::validation_messages();
        if (messages == messages_) return;
        std::fprintf(stderr, "%u validation messages in the test case above\n", messages - messages_);
        messages_ = messages;
        ++cases_with_messages;
    }

    uint32_t messages_ = 0;
};
CATCH_REGISTER_LISTENER(Listener)

int run(int argc, char** argv) {
    if (const std::string reason = vkprim::tests::choose_device(); !reason.empty()) {
        std::printf("SKIPPED: %s\n", reason.c_str());
        return skipped;
    }
    if (!vkprim::tests::environment("VKPRIM_TEST_DEVICE").empty()) {
        const auto& info = vkprim::tests::device().info();
        std::printf("%s, %s, subgroup size %u\n", info.name.c_str(), info.driver.c_str(), info.subgroup_size);
        std::fflush(stdout);
    }
    Catch::Session session;
    if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
    const int failed = session.run();
    vkprim::tests::close_devices();
    if (failed != 0) return std::min(failed, skipped - 1);
    if (cases_with_messages > 0) {
        std::printf("validation complained about %u test cases\n", cases_with_messages);
        return 1;
    }
    const auto& config = session.configData();
    if (cases_run == 0 && !config.showHelp && !config.listTests && !config.listTags && !config.listReporters) {
        std::printf("no test case matches\n");
        return 1;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::printf("FAILED: %s\n", error.what());
        return 1;
    }
}
