// What the program's command line is made of: subcommands, and the options that each declares.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "tools/common/failure.h"

namespace CLI {
class App; // CLI11 parses; command_line.cpp alone includes it, for it takes longer to compile than most subcommands
class Option;
} // namespace CLI

namespace vkprim::tools {

/// An option that is declared, for what else there is to say of it. Others are named as on the command line: "--op".
class Option {
public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    Option& type_name(const std::string& name); ///< what --help shows for its value
    Option& required();
    Option& values(int least, int most); ///< how many there are; without it, as many as the variable holds
    Option& needs(const std::string& other);
    Option& excludes(std::initializer_list<std::string> others);

    /// The value is from `least` to `most`, both included. Of int, uint32_t, int64_t or double.
    template <class T>
    Option& within(T least, T most);

    /// The value is one of them. Of std::string or uint32_t.
    template <class T>
    Option& one_of(const std::vector<T>& choices);

private:
    CLI::Option* option_;
};

/// The options of one subcommand.
class Options {
public:
    explicit Options(CLI::App& app) : app_(&app) {}

    /// "--op", or "-o,--output"; "FILE" for the argument without a name. Parsing stores its value in `variable`, which outlives this:
    /// text, a number, a vector or an optional of them. A type that command_line.cpp does not list is a linker error.
    template <class T>
    Option add_option(const std::string& name, T& variable, const std::string& help);

    /// One without a value.
    Option add_flag(const std::string& name, bool& variable, const std::string& help);

    /// One that is declared already.
    Option get_option(const std::string& name);

private:
    CLI::App* app_;
};

/// One subcommand. Its file registers it from a namespace-scope variable; there is no list of them.
struct Subcommand {
    std::string name;
    std::string summary;
    std::string footer; ///< examples, at the end of --help

    /// Declares the options; the value runs the subcommand once they are parsed.
    std::function<std::function<ExitCode()>(Options& options)> setup;
};

struct Registration {
    explicit Registration(Subcommand subcommand);
};

/// What a program says of itself.
struct Program {
    std::string name, version;
    std::string about;         ///< at the beginning of --help
    std::string footer;        ///< examples, at its end
    bool        prints = true; ///< failures and help; false where another process of the program does
};

/// Parses the command line, runs the subcommand, and reports failures on standard error.
ExitCode run_program(const Program& program, int argc, const char* const* argv);

} // namespace vkprim::tools
