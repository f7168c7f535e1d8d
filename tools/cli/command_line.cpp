#include "command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <new>
#include <optional>

#include "program.h"

namespace vkprim::tools {

Option& Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::values(int least, int most) {
    option_->expected(least, most);
    return *this;
}

Option& Option::needs(const std::string& other) {
    option_->needs(other);
    return *this;
}

Option& Option::excludes(std::initializer_list<std::string> others) {
    for (const std::string& other : others) option_->excludes(other);
    return *this;
}

template <class T>
Option& Option::within(T least, T most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

template <class T>
Option& Option::one_of(const std::vector<T>& choices) {
    option_->check(CLI::IsMember(choices));
    return *this;
}

template Option& Option::within(int, int);
template Option& Option::within(uint32_t, uint32_t);
template Option& Option::within(int64_t, int64_t);
template Option& Option::within(double, double);
template Option& Option::one_of(const std::vector<std::string>&);
template Option& Option::one_of(const std::vector<uint32_t>&);

template <class T>
Option Options::add_option(const std::string& name, T& variable, const std::string& help) {
    return Option(*app_->add_option(name, variable, help));
}

template Option Options::add_option(const std::string&, std::string&, const std::string&);
template Option Options::add_option(const std::string&, uint32_t&, const std::string&);
template Option Options::add_option(const std::string&, uint64_t&, const std::string&);
template Option Options::add_option(const std::string&, double&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<int64_t>&, const std::string&);
template Option Options::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<uint32_t>&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<double>&, const std::string&);

Option Options::add_flag(const std::string& name, bool& variable, const std::string& help) {
    return Option(*app_->add_flag(name, variable, help));
}

Option Options::get_option(const std::string& name) { return Option(*app_->get_option(name)); }

namespace {

std::vector<Subcommand>& registry() {
    static std::vector<Subcommand> subcommands;
    return subcommands;
}

/// By name.
std::vector<Subcommand> subcommands() {
    std::vector<Subcommand> sorted = registry();
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return sorted;
}

void print_error(std::string reason) {
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    std::fprintf(stderr, "vkprim: error: %s\n", reason.c_str());
}

/// Which subcommand to run, and its flags.
ExitCode parse_and_run(CLI::App& app, int argc, const char* const* argv,
                       const std::map<const CLI::App*, std::function<ExitCode()>>& actions) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return exit_good;
    } catch (const CLI::CallForVersion& call) {
        print(std::string(call.what()) + "\n");
        return exit_good;
    } catch (const CLI::ParseError& error) {
        const auto        parsed  = app.get_subcommands();
        const auto        unknown = app.remaining();
        const std::string whose   = parsed.empty() ? "vkprim" : "vkprim " + parsed.back()->get_name();
        const std::string what    = parsed.empty() && !unknown.empty()
                                        ? fmt::format("there is no subcommand '{}'", unknown.front())
                                        : std::string(error.what());
        throw Failure{exit_usage, fmt::format("{}; '{} --help' explains", what, whose)};
    }
    return actions.at(app.get_subcommands().front())();
}

} // namespace

Registration::Registration(Subcommand subcommand) { registry().push_back(std::move(subcommand)); }

ExitCode run_program(int argc, const char* const* argv, const std::string& version) {
    CLI::App app(
        "Parallel primitives (reduce, scan, compact, histogram, sort, top-k) on any Vulkan GPU: verifies and measures\n"
        "a device, and runs the primitives on files.",
        "vkprim");
    app.footer(
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
        "Exit codes: 0 good, 1 wrong result, 2 bad usage, input or output, 3 no usable device or a driver error.");
    app.set_version_flag("--version", "vkprim " + version);
    app.require_subcommand(1);
    std::map<const CLI::App*, std::function<ExitCode()>> actions;
    for (const Subcommand& one : subcommands()) {
        CLI::App* added = app.add_subcommand(one.name, one.summary);
        added->footer(one.footer);
        Options options(*added);
        actions[added] = one.setup(options);
    }

    try {
        return parse_and_run(app, argc, argv, actions);
    } catch (const Failure& failure) {
        print_error(failure.reason);
        return failure.code;
    } catch (const std::bad_alloc&) {
        print_error("not enough memory on this machine; use a smaller file");
        return exit_device;
    }
}

} // namespace vkprim::tools
