#include <mpi.h>
#include <vkprim/version.h>

#include "tools/cli/command_line.h"

namespace {

vkprim::tools::Program about_this() {
    vkprim::tools::Program program;
    program.name    = "vkprim-mpi";
    program.version = VKPRIM_VERSION_TEXT;
    program.about =
        "Parallel primitives on several Vulkan GPUs, of one machine or of several: each rank of mpirun has a part of "
        "the\n"
        "file, and a device. Results are those of vkprim, to the bit, with any number of ranks.";
    program.footer =
        "Examples:\n"
        "  mpirun -n 4 vkprim-mpi reduce big.npy\n"
        "  mpirun -n 4 vkprim-mpi scan big.npy -o sums.npy\n"
        "  mpirun -n 4 vkprim-mpi histogram big.npy --range 0 1\n"
        "  mpirun -n 4 vkprim-mpi sort big.npy -o sorted.npy\n"
        "  mpirun -n 4 vkprim-mpi bench\n"
        "'vkprim-mpi SUBCOMMAND --help' says more.\n\n"
        "Exit codes: 0 good, 1 messages from validation, 2 bad usage, input or output, 3 no usable device or a driver "
        "error.\n"
        "If a rank ends early, mpirun says which and why, ends the others, and determines the exit code.";
    return program;
}

} // namespace

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    vkprim::tools::Program program = about_this();
    program.prints                 = rank == 0; // all ranks fail alike
    const auto code                = vkprim::tools::run_program(program, argc, argv);
    MPI_Barrier(
        MPI_COMM_WORLD); // the first rank has said what is wrong before mpirun ends it because of another's code
    MPI_Finalize();
    return code;
}
