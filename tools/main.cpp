#include "cli/command_line.h"

int main(int argc, char** argv) { return vkprim::tools::run_program(argc, argv, VKPRIM_VERSION); }
