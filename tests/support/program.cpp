#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace fs = std::filesystem;

namespace vkprim::tests {

std::string content_of(const std::string& path) {
    std::ifstream     file(path, std::ios::binary);
    std::stringstream out;
    out << file.rdbuf();
    return out.str();
}

Folder::Folder() {
    std::string name = (fs::temp_directory_path() / "vkprim-program-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
}

Folder::~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

size_t Folder::entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
}

bool Folder::has_nameless_files() const {
    const int descriptor = ::open(path_.c_str(), O_TMPFILE | O_RDWR, 0600);
    if (descriptor < 0) WARN("SKIPPED: this file system has no files without names");
    return descriptor >= 0 && ::close(descriptor) == 0;
}

std::string npy_of(const std::string& descr, bool fortran_order, const std::string& shape, const std::string& data) {
    const std::string header = "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                               ", 'shape': " + shape + ", }\n";
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}

FaultyLayer::FaultyLayer() : library_(std::getenv("VKPRIM_FAULTY_LAYER")) {
    if (!library_) return;
    folder_.file("faulty.json", tools::json_text({{"file_format_version", "1.1.2"},
                                                  {"layer",
                                                   {{"name", "VK_LAYER_VKPRIM_faulty"},
                                                    {"type", "GLOBAL"},
                                                    {"library_path", library_},
                                                    {"api_version", "1.3.0"},
                                                    {"implementation_version", "1"},
                                                    {"description", "spoils a driver"}}}}));
}

bool FaultyLayer::is_there() const {
    if (!library_) WARN("SKIPPED: the environment variable VKPRIM_FAULTY_LAYER names no library");
    return library_;
}

Setting FaultyLayer::with(const std::vector<std::pair<std::string, std::string>>& faults) const {
    Setting setting;
    setting.environment = {{"VK_LAYER_PATH", folder_.path("")}, {"VK_INSTANCE_LAYERS", "VK_LAYER_VKPRIM_faulty"}};
    setting.environment.insert(setting.environment.end(), faults.begin(), faults.end());
    return setting;
}

Running::Running(std::vector<std::string> arguments, const Setting& setting)
    : setting_(setting), out_(setting.out.empty() ? folder_.path("out") : setting.out), err_(folder_.path("err")) {
    const char* const program = std::getenv("VKPRIM_PROGRAM");
    if (program == nullptr) FAIL("the environment variable VKPRIM_PROGRAM must name the program");
    std::vector<std::string> command = setting.command;
    if (command.empty()) command = {program};
    arguments.insert(arguments.begin(), command.begin(), command.end());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
        for (const auto& [name, value] : setting.environment) ::setenv(name.c_str(), value.c_str(), 1);
        if (setting.file_size > 0) {
            const rlimit limit{setting.file_size, setting.file_size};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        ::dup2(::open(setting.in.c_str(), O_RDONLY), STDIN_FILENO);
        ::dup2(::open(out_.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
        ::dup2(::open(err_.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
}

Running::~Running() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

Outcome Running::wait() {
    int status = 0;
    REQUIRE(::waitpid(std::exchange(process_, -1), &status, 0) > 0);
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (setting_.out.empty()) outcome.out = content_of(out_);
    outcome.err = content_of(err_);
    return outcome;
}

Outcome run(std::vector<std::string> arguments, const Setting& setting) {
    return Running(std::move(arguments), setting).wait();
}

std::vector<std::string> own_lines(const std::string& err) {
    std::istringstream       in(err);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("vkprim", 0) == 0) lines.push_back(line);
    }
    return lines;
}

std::string good(const std::vector<std::string>& arguments, const Setting& setting) {
    const Outcome outcome = run(arguments, setting);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(own_lines(outcome.err).empty());
    return outcome.out;
}

Json good_json(std::vector<std::string> arguments, const Setting& setting) {
    arguments.push_back("--json");
    const std::string out = good(arguments, setting);
    CAPTURE(out);
    CHECK(std::count(out.begin(), out.end(), '\n') == 1);
    const Json json = Json::parse(out, nullptr, false);
    REQUIRE(json.is_object());
    return json;
}

void check_fails(int exit_code, const std::vector<std::string>& arguments, const std::vector<std::string>& words,
                 const Setting& setting) {
    const Outcome outcome = run(arguments, setting);
    CAPTURE(arguments, outcome.err);
    CHECK(outcome.exit_code == exit_code);
    CHECK(outcome.out.empty());
    const std::vector<std::string> lines = own_lines(outcome.err);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].rfind("vkprim: error: ", 0) == 0);
    for (const std::string& word : words) {
        CAPTURE(word);
        CHECK(lines[0].find(word) != std::string::npos);
    }
}

const std::vector<uint32_t>& many() {
    static const auto elements =
        values<uint32_t>(70001, [](size_t i) { return static_cast<uint32_t>(i * 2654435761u); });
    return elements;
}

} // namespace vkprim::tests
