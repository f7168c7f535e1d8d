// hold FILE: opens it, so that nobody else may, says "held", and waits for the end of standard input. For tests of a program for Windows.
#include <windows.h>

#include <cstdio>

int wmain(int, wchar_t** argv) {
    const HANDLE file = CreateFileW(argv[1], GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return 1;
    std::puts("held");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
}
