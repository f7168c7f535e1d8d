#include "command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <new>
#include <optional>

#include "program.h"
#include "tools/system/ending.h"
#include "tools/system/machine.h"
#include "tools/system/path.h"

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
    // What a shell's unset variable leaves: CLI11 would take it for an option that is not given, or for 0.
    const CLI::Validator is_something([](const std::string& value) { return value.empty() ? "is empty" : ""; }, "");
    return Option(*app_->add_option(name, variable, help)->check(is_something));
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

void print_error(const Program& program, std::string reason) {
    if (!program.prints) return;
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    system::write_text(stderr, fmt::format("{}: error: {}\n", program.name, reason));
}

/// Which subcommand to run, and its flags.
ExitCode parse_and_run(const Program& program, CLI::App& app, std::vector<std::string> arguments,
                       const std::map<const CLI::App*, std::function<ExitCode()>>& actions) {
    try {
        std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the end
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        if (program.prints) print(app.help());
        return exit_good;
    } catch (const CLI::CallForVersion& call) {
        if (program.prints) print(std::string(call.what()) + "\n");
        return exit_good;
    } catch (const CLI::ParseError& error) {
        const auto        parsed  = app.get_subcommands();
        const auto        unknown = app.remaining();
        const std::string whose   = parsed.empty() ? program.name : program.name + " " + parsed.back()->get_name();
        const std::string what    = parsed.empty() && !unknown.empty()
                                        ? fmt::format("there is no subcommand '{}'", unknown.front())
                                        : std::string(error.what());
        throw Failure{exit_usage, fmt::format("{}; '{} --help' explains", what, whose)};
    }
    return actions.at(app.get_subcommands().front())();
}

} // namespace

Registration::Registration(Subcommand subcommand) { registry().push_back(std::move(subcommand)); }

ExitCode run_program(const Program& program, int argc, const char* const* argv) {
    system::prepare_terminal();
    begin_program(program.name);
    CLI::App app(program.about, program.name);
    app.footer(program.footer);
    app.set_version_flag("--version", program.name + " " + program.version);
    app.require_subcommand(1);
    app.allow_windows_style_options(false); // "/a.npy" is a file everywhere
    std::map<const CLI::App*, std::function<ExitCode()>> actions;
    for (const Subcommand& one : subcommands()) {
        CLI::App* added = app.add_subcommand(one.name, one.summary);
        added->footer(one.footer);
        Options options(*added);
        actions[added] = one.setup(options);
    }

    try {
        return parse_and_run(program, app, system::arguments_of(argc, argv), actions);
    } catch (const Failure& failure) {
        print_error(program, failure.reason);
        return failure.code;
    } catch (const std::bad_alloc&) {
        print_error(program, "not enough memory on this machine; use a smaller file");
        return exit_device;
    } catch (const std::filesystem::filesystem_error& error) {
        print_error(program, system::text_of(error.path1()) + ": " + error.code().message() + "; choose another name");
        return exit_usage;
    } catch (const std::exception& error) { // such as too many threads
        print_error(program, error.what());
        return exit_device;
    }
}

} // namespace vkprim::tools
