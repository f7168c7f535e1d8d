#include "record.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include "files/csv.h"
#include "program.h"

namespace vkprim::tools {

std::string filled(const std::string& pattern, const Json& record) {
    fmt::dynamic_format_arg_store<fmt::format_context> named;
    for (const auto& [name, value] : record.items()) {
        const char* const at = name.c_str();
        switch (value.type()) {
            case Json::value_t::string: named.push_back(fmt::arg(at, value.get<std::string>())); break;
            case Json::value_t::boolean: named.push_back(fmt::arg(at, value.get<bool>())); break;
            case Json::value_t::number_integer: named.push_back(fmt::arg(at, value.get<int64_t>())); break;
            case Json::value_t::number_unsigned: named.push_back(fmt::arg(at, value.get<uint64_t>())); break;
            case Json::value_t::number_float: named.push_back(fmt::arg(at, value.get<double>())); break;
            default: break; // text has no lists
        }
    }
    return fmt::vformat(pattern, named);
}

std::string csv_line(const std::vector<std::string>& names, const Json& record) {
    std::string line;
    for (const std::string& name : names) {
        if (&name != names.data()) line += ",";
        if (record.contains(name)) line += csv_field(filled("{" + name + "}", {{name, record.at(name)}}));
    }
    return line + "\n";
}

namespace {

/// The output as what is printed calls it.
std::string output_name(const std::string& output) { return output == "-" ? "standard output" : output; }

} // namespace

void tell(const Record& record, bool json, const Account& account) {
    if (json) {
        Json all = record.values;
        all.update(account.values);
        print(json_text(all));
    } else if (record.output.empty()) {
        print(record.lines());
    } else {
        const std::string text =
            fmt::format("{}: {}\n{}\n", output_name(record.output), filled(record.text, record.values), account.line);
        record.output == "-" ? print_aside(text) : print(text);
    }
}

} // namespace vkprim::tools
