#include "operation_file.h"

#include <fmt/format.h>

#include <cstring>
#include <regex>

#include "compiler/pairs.h"
#include "element.h"
#include "tools/cli/files/files.h"
#include "tools/system/path.h"

namespace vkprim::tools {

namespace {

Json value_of(const Field& field, uint32_t word) {
    if (field.type == "float" || field.type[0] == 'v') return json_value(ElementType::f32, word);
    if (field.type[0] == 'i') return json_value(ElementType::i32, word);
    return json_value(ElementType::u32, word);
}

} // namespace

#ifdef VKPRIM_HAS_COMPILER
namespace {

/// The members that VKPRIM_FIELDS names.
std::vector<Field> fields_in(const std::string& text) {
    std::vector<Field> fields;
    std::smatch        macro;
    const std::regex   definition("#define VKPRIM_FIELDS\\((\\w+)\\)((?:[^\\n\\\\]|\\\\\\r?\\n)*)");
    if (!std::regex_search(text, macro, definition)) return fields;
    const std::string list = macro[2];
    const std::regex  field(macro[1].str() + "\\s*\\(\\s*(\\w+)\\s*,\\s*(\\w+)\\s*\\)");
    for (auto one = std::sregex_iterator(list.begin(), list.end(), field); one != std::sregex_iterator(); ++one) {
        const std::string type = (*one)[1];
        const char        last = type.back();
        fields.push_back({type, (*one)[2], last >= '2' && last <= '4' ? static_cast<uint32_t>(last - '0') : 1});
    }
    return fields;
}

Failure refused(const Error& error) {
    return {error.kind == ErrorKind::invalid_operation ? exit_usage : exit_device, error.reason};
}

/// The file, and what lies beside it.
OperationSource read_source(const std::string& path) {
    if (path == "-")
        throw Failure{exit_usage, "--operation -: is standard input; expected a file, which may be read twice"};
    OperationSource source;
    source.text    = need_file(read_text(path));
    source.name    = path;
    source.include = [path](const std::string& name, std::string& content) {
        auto beside = read_text(system::text_of(system::path_of(path).parent_path() / system::path_of(name)));
        if (beside) content = std::move(*beside);
        return static_cast<bool>(beside);
    };
    return source;
}

CompiledOperation compile_source(const runtime::Device& device, const OperationSource& source) {
    auto compiled = compile(device.context(), source);
    if (!compiled) throw refused(compiled.error());
    return std::move(*compiled);
}

} // namespace

OperationFile::OperationFile(const std::string& path, const runtime::Device& device, bool reduce, bool scan,
                             bool segmented_reduce, bool segmented_scan)
    : source_(read_source(path)) {
    source_.reduce           = reduce;
    source_.scan             = scan;
    source_.segmented_reduce = segmented_reduce;
    source_.segmented_scan   = segmented_scan;
    compiled_                = std::make_shared<const CompiledOperation>(compile_source(device, source_));
    for (const auto* modules : {operation().reduce, operation().scan}) {
        for (uint32_t variant = 0; variant < 3; ++variant) {
            if (!modules[variant].words) continue;
            const auto plan = need_device(plan_own_elements(own_shader(modules[variant]), "reduce"));
            words_          = plan.register_words;
            loads_          = !plan.loads;
            stores_         = !plan.stores;
        }
    }
    fields_       = fields_in(source_.text);
    uint32_t each = 0;
    for (const Field& field : fields_) each += field.components;
    if (each != words_) fields_ = {{"uint", "words", words_}};
}

std::vector<uint32_t> OperationFile::pairs() const {
    auto compiled = compile_pairs(source_);
    if (!compiled) throw refused(compiled.error());
    return std::move(*compiled);
}

CompiledOperation compile_predicate(const std::string& path, const runtime::Device& device) {
    OperationSource source = read_source(path);
    source.compact         = true;
    return compile_source(device, source);
}
#else
namespace {

const Failure no_compiler{exit_usage,
                          "--operation needs a vkprim that was built with libshaderc (Debian: apt-get install "
                          "libshaderc-dev spirv-tools), or vkprim_operation() in CMake, which needs glslc alone"};

} // namespace

std::vector<uint32_t> OperationFile::pairs() const { return {}; }

OperationFile::OperationFile(const std::string&, const runtime::Device&, bool, bool, bool, bool) { throw no_compiler; }

CompiledOperation compile_predicate(const std::string&, const runtime::Device&) { throw no_compiler; }
#endif

Json OperationFile::json(const uint32_t* element) const {
    Json json = Json::object();
    for (const Field& field : fields_) {
        Json& member = json[field.name];
        if (field.components == 1) {
            member = value_of(field, *element);
        } else {
            for (uint32_t i = 0; i < field.components; ++i) member.push_back(value_of(field, element[i]));
        }
        element += field.components;
    }
    return json;
}

std::string OperationFile::text(const uint32_t* element) const {
    std::string text;
    for (const Field& field : fields_) {
        text += (text.empty() ? "" : "  ") + field.name;
        for (uint32_t i = 0; i < field.components; ++i) {
            const Json value = value_of(field, *element++);
            text += " " + (value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
    return text;
}

} // namespace vkprim::tools
