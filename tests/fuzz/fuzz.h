// What the fuzz targets share. scripts/fuzz.sh builds and runs them.
#pragma once

#include <vkprim/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vkprim::fuzz {

/// Each target defines these two: what must hold for any bytes, and valid inputs to begin with.
void                     check_input(const uint8_t* data, size_t size);
std::vector<std::string> seeds();

/// Ends the run where something does not hold; libFuzzer keeps the input.
void require(bool holds, const char* what);

/// A reason is one line of printable text, not long, that begins with `start`.
void require_reason(const Error& error, const std::string& start);

/// A regular file in memory, for readers that take a path.
class MemoryFile {
public:
    MemoryFile();
    void        write(const uint8_t* data, size_t size); ///< replaces the content
    std::string path() const;

private:
    int descriptor_;
};

/// A pipe that holds 1 MiB, for writers that take a path.
class Pipe {
public:
    Pipe();
    std::string path() const;
    std::string take(); ///< what was written

private:
    int ends_[2];
};

} // namespace vkprim::fuzz
