// Tests of vkprim::mpi, each of which all ranks run. A rank that failed must go on, or the others would wait for it: CHECK, not REQUIRE.
// Exit codes: 0 all passed, 77 nothing to run on, else failed.
#define CATCH_CONFIG_RUNNER
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "../support/catch.h"
#include "../support/test_device.h"

namespace {

int run(int argc, char** argv) {
    if (const std::string reason = vkprim::tests::choose_device(); !reason.empty()) {
        std::printf("SKIPPED: %s\n", reason.c_str());
        return 77;
    }
    Catch::Session session;
    if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
    int failed = session.run();
    if (vkprim::tests::validation_messages() > 0) failed = std::max(failed, 1);
    vkprim::tests::close_devices();
    return std::min(failed, 76);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int code = 1;
    try {
        code = run(argc, argv);
    } catch (const std::exception& error) {
        std::printf("FAILED: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return code;
}
