// The program from the outside: how it is run, what it prints, what it leaves behind. The environment variable
// VKPRIM_PROGRAM names it.
#pragma once

#include <sys/resource.h>
#include <vkprim/core.h>

#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "../tools/cli/files/files.h"
#include "../tools/cli/program.h"
#include "catch.h"

namespace vkprim::tests {

using tools::Array;
using tools::Json;
using tools::NumberType;

std::string content_of(const std::string& path);

/// A temporary one, which goes with all that is in it.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&)            = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name) const { return path_ + "/" + name; }
    std::string file(const std::string& name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    template <class T>
    std::string npy(const std::string& name, NumberType type, const std::vector<T>& elements) const {
        REQUIRE(tools::write_npy(path(name), type, elements.data(), elements.size()));
        return path(name);
    }
    template <class T>
    std::string npy(const std::string& name, NumberType type, const std::vector<T>& elements,
                    const tools::Shape& shape) const {
        REQUIRE(tools::write_npy(path(name), type, elements.data(), shape));
        return path(name);
    }
    size_t entries() const;

    /// Whether files in it may do without names. Says on standard output that a test is skipped where they may not.
    bool has_nameless_files() const;

private:
    std::string path_;
};

/// A .npy file as numpy writes it, of any header.
std::string npy_of(const std::string& descr, bool fortran_order, const std::string& shape, const std::string& data);

struct Outcome {
    int         exit_code = -1;
    std::string out, err;
};

/// How the program is run, beyond its arguments.
struct Setting {
    std::vector<std::pair<std::string, std::string>> environment;
    std::string                                      in = "/dev/null"; ///< what standard input comes from
    std::string                                      out;              ///< instead of a file that is read back
    rlim_t                                           file_size = 0;    ///< largest that it may write; 0: any
    std::vector<std::string>                         command;          ///< what runs, instead of the program
};

/// A process that runs.
class Running {
public:
    Running(std::vector<std::string> arguments, const Setting& setting);
    ~Running(); ///< kills it, unless wait() has been called

    pid_t   process() const { return process_; }
    Outcome wait();

private:
    Folder      folder_;
    Setting     setting_;
    std::string out_, err_;
    pid_t       process_ = -1;
};

/// faulty_layer/faulty_layer.cpp, for the program's drivers.
class FaultyLayer {
public:
    FaultyLayer();

    /// Says on standard output that a test is skipped where it is not.
    bool is_there() const;

    /// A setting in which the layer does what these variables say.
    Setting with(const std::vector<std::pair<std::string, std::string>>& faults) const;

private:
    Folder      folder_;
    const char* library_;
};

Outcome run(std::vector<std::string> arguments, const Setting& setting = {});

/// The program's own lines on standard error; drivers may have lines of theirs.
std::vector<std::string> own_lines(const std::string& err);

/// What it prints where all is well.
std::string good(const std::vector<std::string>& arguments, const Setting& setting = {});
Json        good_json(std::vector<std::string> arguments, const Setting& setting = {});

/// One line on standard error with these words, nothing on standard output.
void check_fails(int exit_code, const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                 const Setting& setting = {});

template <class T>
std::string bytes_of(const std::vector<T>& elements) {
    return std::string(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
}

template <class T>
std::vector<T> elements_of(const Array& array, NumberType type) {
    CHECK(array.type == type);
    std::vector<T> elements(array.count());
    if (!elements.empty()) std::memcpy(elements.data(), array.bytes.data(), array.bytes.size());
    return elements;
}

template <class T>
std::vector<T> elements_of(const std::string& path, NumberType type) {
    const Result<Array> array = tools::read_npy(path);
    REQUIRE(array);
    return elements_of<T>(*array, type);
}

template <class T>
std::vector<T> values(size_t count, T (*at)(size_t)) {
    std::vector<T> result;
    for (size_t i = 0; i < count; ++i) result.push_back(at(i));
    return result;
}

/// More than one workgroup's worth.
const std::vector<uint32_t>& many();

} // namespace vkprim::tests
