// Makes a file that is not complete, and ends as a driver's mistake ends a program: crash.exe FILE abort|fault
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tools/system/ending.h"

int main(int, char** argv) {
    vkprim::tools::begin_program("crash");
    std::fclose(std::fopen(argv[1], "wb"));
    const vkprim::tools::Unfinished file(argv[1]);
    if (argv[2] == std::string("abort")) std::abort();
    volatile int* const nothing = nullptr;
    *nothing                    = 1;
}
