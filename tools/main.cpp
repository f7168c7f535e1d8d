#include <vkprim/version.h>

#include "cli/command_line.h"

int main(int argc, char** argv) {
    vkprim::tools::Program program;
    program.name    = "vkprim";
    program.version = VKPRIM_VERSION_TEXT;
    program.about =
        "Parallel primitives (reduce, scan, compact, histogram, sort, top-k) on any Vulkan GPU: verifies and measures\n"
        "a device, and runs the primitives on files.";
    program.footer =
        "Examples:\n"
        "  vkprim info                                which devices there are\n"
        "  vkprim doctor                              what a device and its driver do, for a bug report\n"
        "  vkprim verify                              verify all primitives on the best device\n"
        "  vkprim bench --op scan                     measure\n"
        "  vkprim pipelines                           registers and code of each shader\n"
        "  vkprim tune -o gpu.json                    find this device's fastest settings\n"
        "  vkprim reduce samples.npy --op max         one number\n"
        "  vkprim scan samples.npy -o sums.npy        running sums\n"
        "  vkprim compact a.npy --above 0 -o b.npy    what is above 0\n"
        "  vkprim histogram photo.jpg --svg photo.svg a picture's channels\n"
        "  vkprim sort samples.npy -o sorted.npy      in ascending order\n"
        "  vkprim top samples.npy -k 5                the five largest, and where they are\n"
        "  vkprim group keys.npy --values a.npy       a sum for each key\n"
        "'vkprim SUBCOMMAND --help' says more.\n\n"
        "Exit codes: 0 good, 1 wrong result, 2 bad usage, input or output, 3 no usable device or a driver error.";
    return vkprim::tools::run_program(program, argc, argv);
}
