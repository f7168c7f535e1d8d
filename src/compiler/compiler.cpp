#include <vkprim/compiler.h>
#include <vkprim/version.h>

#include <shaderc/shaderc.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "compiler/pairs.h"
#include "compiler/sources.h"
#include "core_device.h"

namespace vkprim {
namespace {

const char* text_of_ours(const std::string& name) {
    for (const compiler::Source& source : compiler::sources) {
        if (name == source.name) return source.text;
    }
    return nullptr;
}

/// A file that an operation's includes, or that was looked for and is not there: its name for OperationSource::include, and its text.
struct Included {
    std::string                name;
    std::optional<std::string> text;
};

/// What shaderc calls vkprim's files begins so, since an operation may have files of the same names.
const std::string ours_begin = "<vkprim>/";

std::string joined(const std::string& folder, const std::string& name) {
    return (std::filesystem::path(folder) / name).lexically_normal().generic_string();
}

std::string folder_of(const std::string& name) { return std::filesystem::path(name).parent_path().generic_string(); }

/// Gives shaderc vkprim's files, the operation's as vkprim_operation_file.glsl, and what that includes, which is added to `included`.
/// vkprim's files get vkprim's alone. The operation's get theirs, and of vkprim's those that are public.
class Includer : public shaderc::CompileOptions::IncluderInterface {
public:
    Includer(const OperationSource& source, std::vector<Included>& included) : source_(source), included_(included) {}

    shaderc_include_result* GetInclude(const char* requested, shaderc_include_type type, const char* requesting,
                                       size_t depth) override {
        auto found = std::make_unique<Found>();
        if (depth > most_deep) {
            found->text = std::string(requested) + " is included in itself, or in too many others";
        } else if (!find(requested, type == shaderc_include_type_relative, requesting, *found)) {
            found->text = std::string("there is no file ") + requested;
        }
        found->result = {found->name.c_str(), found->name.size(), found->text.c_str(), found->text.size(), found.get()};
        return &found.release()->result;
    }

    void ReleaseInclude(shaderc_include_result* result) override { delete static_cast<Found*>(result->user_data); }

private:
    struct Found {
        std::string            name, text; ///< without a name, the text is an error
        shaderc_include_result result;
    };

    static constexpr size_t most_deep = 100; // glslang has no bound

    /// The file that `from` includes as "name", which is beside it, or as <name>.
    bool find(const std::string& name, bool beside, const std::string& from, Found& found) {
        const bool by_ours = from.rfind(ours_begin, 0) == 0;
        if (by_ours && name == "vkprim_operation_file.glsl") {
            found.name = source_.name;
            found.text = source_.text;
            return true;
        }
        if (by_ours) return find_ours(beside ? joined(folder_of(from.substr(ours_begin.size())), name) : name, found);
        if (name.rfind("vkprim/glsl/", 0) == 0 && find_ours(name, found)) return true;
        const std::string nearer = beside ? joined(folders_[from], name) : name;
        return find_theirs(nearer, found) || (nearer != name && find_theirs(name, found));
    }

    static bool find_ours(const std::string& name, Found& found) {
        const char* const text = text_of_ours(name);
        if (!text) return false;
        found.name = ours_begin + name;
        found.text = text;
        return true;
    }

    /// `name` is relative to the operation's file.
    bool find_theirs(const std::string& name, Found& found) {
        if (!source_.include) return false;
        const bool is_there = source_.include(name, found.text);
        included_.push_back({name, is_there ? std::optional(found.text) : std::nullopt});
        if (!is_there) return false;
        found.name           = joined(folder_of(source_.name), name);
        folders_[found.name] = folder_of(name);
        return true;
    }

    const OperationSource& source_;
    std::vector<Included>& included_;
    std::map<std::string, std::string>
        folders_; ///< of the operation's files, relative to the first; by what shaderc calls them
};

shaderc::CompileOptions options_for(const OperationSource& source, CoreDevice::Variant variant,
                                    std::vector<Included>& included) {
    shaderc::CompileOptions options;
    options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
    options.SetOptimizationLevel(shaderc_optimization_level_zero); // as cmake/VkprimOperation.cmake says
    options.SetIncluder(std::make_unique<Includer>(source, included));
    options.AddMacroDefinition(source.compact ? "VKPRIM_PREDICATE_OWN" : "VKPRIM_ELEMENT_OWN");
    if (variant == CoreDevice::word64) options.AddMacroDefinition("VKPRIM_WORD64");
    if (variant == CoreDevice::plain) options.AddMacroDefinition("VKPRIM_NO_SUBGROUPS");
    return options;
}

/// A sentence where the compiler's words are about vkprim's own files alone, and not about the operation's.
std::string explained(const std::string& words, const OperationSource& source) {
    std::istringstream lines(words);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(": error:") != std::string::npos && line.rfind(ours_begin, 0) != 0) return words;
    }
    if (source.compact) {
        return words + source.name + ": it has to #include <vkprim/glsl/predicate.glsl>, and to define bool keep(uint)";
    }
    return words + source.name +
           ": it has to #include <vkprim/glsl/operation.glsl> behind its VKPRIM_FIELDS, and to define Element "
           "identity() and "
           "Element operate(Element, Element); Element load(uint) with VKPRIM_HAS_LOAD; void store(uint, Element) with "
           "VKPRIM_HAS_STORE";
}

Error failed(const std::string& words) { return {ErrorKind::invalid_operation, words}; }

struct Module {
    std::vector<Included> included; ///< by the operation's file
    std::vector<uint32_t> words;
};

/// One of vkprim's shaders, for the operation.
Result<Module> compiled(const shaderc::Compiler& compiler, const OperationSource& source, const std::string& shader,
                        CoreDevice::Variant variant) {
    Module     module;
    const auto made =
        compiler.CompileGlslToSpv(text_of_ours(shader), shaderc_compute_shader, (ours_begin + shader).c_str(),
                                  options_for(source, variant, module.included));
    if (made.GetCompilationStatus() != shaderc_compilation_status_success) {
        return failed(explained(made.GetErrorMessage(), source));
    }
    module.words.assign(made.begin(), made.end());
    return module;
}

/// Whether what a module's source included is still the same. What else may change is in the cache's key and version.
bool is_current(const Module& module, const OperationSource& source) {
    return std::all_of(module.included.begin(), module.included.end(), [&](const Included& included) {
        std::string text;
        const bool  is_there = source.include && source.include(included.name, text);
        return is_there == included.text.has_value() && (!is_there || text == *included.text);
    });
}

} // namespace

/// Modules by primitive, variant and the operation's text.
struct OperationCache::Content {
    std::map<std::string, Module> modules;
};

namespace {

constexpr uint32_t cache_magic = 0x76706f65; // another one for another format

/// What of this build a module depends on. libshaderc tells which SPIR-V it knows, and not its own version.
std::string version_of_compiler() {
    unsigned version = 0, revision = 0;
    shaderc_get_spv_version(&version, &revision);
    return std::string(VKPRIM_VERSION_TEXT "/") + compiler::sources_hash + "/" + std::to_string(version) + "." +
           std::to_string(revision);
}

using Bytes = std::vector<uint8_t>;

void put(Bytes& bytes, const void* data, size_t size) {
    const auto* const begin = static_cast<const uint8_t*>(data);
    const uint64_t    count = size;
    const auto* const word  = reinterpret_cast<const uint8_t*>(&count);
    bytes.insert(bytes.end(), word, word + sizeof count);
    bytes.insert(bytes.end(), begin, begin + size);
}

void put(Bytes& bytes, const std::string& text) { put(bytes, text.data(), text.size()); }

/// The next range of bytes, or nothing where they end before it does.
std::optional<std::string> take(const Bytes& bytes, size_t& at) {
    uint64_t size = 0;
    if (bytes.size() - at < sizeof size) return std::nullopt;
    std::memcpy(&size, &bytes[at], sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size) return std::nullopt;
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    at += size;
    return std::string(begin, begin + static_cast<std::ptrdiff_t>(size));
}

/// Words, how many files were included, and those: each a name, whether there is a text, and the text.
std::optional<Module> take_module(const Bytes& bytes, size_t& at) {
    const auto words = take(bytes, at), count = take(bytes, at);
    uint32_t   files = 0;
    if (!words || words->size() % 4 != 0 || !count || count->size() != sizeof files) return std::nullopt;
    std::memcpy(&files, count->data(), sizeof files);
    Module module;
    module.words.resize(words->size() / 4);
    std::memcpy(module.words.data(), words->data(), words->size());
    for (uint32_t i = 0; i < files; ++i) {
        auto name = take(bytes, at), texts = take(bytes, at);
        if (!name || !texts || texts->size() != 1) return std::nullopt;
        module.included.push_back({std::move(*name), std::nullopt});
        if (texts->front() == 0) continue;
        auto& text = module.included.back().text = take(bytes, at);
        if (!text) return std::nullopt;
    }
    return module;
}

} // namespace

OperationCache::OperationCache() : content_(std::make_unique<Content>()) {}

OperationCache::OperationCache(const std::vector<uint8_t>& bytes) : OperationCache() {
    size_t            at      = 0;
    const auto        magic   = take(bytes, at);
    const auto        version = take(bytes, at);
    const std::string ours    = version_of_compiler();
    if (!magic || magic->size() != sizeof cache_magic ||
        std::memcmp(magic->data(), &cache_magic, sizeof cache_magic) != 0)
        return;
    if (!version || *version != ours) return;
    Content content;
    while (at < bytes.size()) {
        const auto key    = take(bytes, at);
        auto       module = take_module(bytes, at);
        if (!key || !module) return;
        content.modules[*key] = std::move(*module);
    }
    *content_ = std::move(content);
}

std::vector<uint8_t> OperationCache::bytes() const {
    std::vector<uint8_t> bytes;
    put(bytes, &cache_magic, sizeof cache_magic);
    put(bytes, version_of_compiler());
    for (const auto& [key, module] : content_->modules) {
        const auto files = static_cast<uint32_t>(module.included.size());
        put(bytes, key);
        put(bytes, module.words.data(), module.words.size() * 4);
        put(bytes, &files, sizeof files);
        for (const Included& included : module.included) {
            const uint8_t texts = included.text ? 1 : 0;
            put(bytes, included.name);
            put(bytes, &texts, sizeof texts);
            if (included.text) put(bytes, *included.text);
        }
    }
    return bytes;
}

CompiledOperation::CompiledOperation(uint32_t variant, Modules modules) : modules_(std::move(modules)) {
    const auto module_of = [](const std::vector<uint32_t>& words) {
        return words.empty() ? OwnOperation::Module{} : OwnOperation::Module{words.data(), words.size() * 4};
    };
    operation_.reduce[variant]           = module_of(modules_.reduce);
    operation_.scan[variant]             = module_of(modules_.scan);
    operation_.compact[variant]          = module_of(modules_.compact);
    operation_.segmented_reduce[variant] = module_of(modules_.segmented_reduce);
    operation_.segmented_scan[variant]   = module_of(modules_.segmented_scan);
}

Result<CompiledOperation> compile(const Context& context, const OperationSource& source, OperationCache* cache) {
    const auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const CoreDevice::Variant        variant = device->variant();
    std::optional<shaderc::Compiler> compiler; // takes long to make
    CompiledOperation::Modules       modules;
    for (const auto& [wanted, primitive, module] :
         {std::tuple(source.reduce && !source.compact, "reduce", &modules.reduce),
          {source.scan && !source.compact, "scan", &modules.scan},
          {source.segmented_reduce && !source.compact, "segmented_reduce", &modules.segmented_reduce},
          {source.segmented_scan && !source.compact, "segmented_scan", &modules.segmented_scan},
          {source.compact, "compact", &modules.compact}}) {
        if (!wanted) continue;
        const std::string key = std::string(primitive) + "/" + std::to_string(variant) + "\n" + source.text;
        if (cache) {
            const auto known = cache->content_->modules.find(key);
            if (known != cache->content_->modules.end() && is_current(known->second, source)) {
                *module = known->second.words;
                continue;
            }
        }
        if (!compiler) compiler.emplace();
        auto made = compiled(*compiler, source, std::string(primitive) + "/" + primitive + ".comp", variant);
        if (!made) return made.error();
        *module = made->words;
        if (cache) cache->content_->modules[key] = std::move(*made);
    }
    return CompiledOperation(variant, std::move(modules));
}

Result<std::vector<uint32_t>> compile_pairs(const OperationSource& source) {
    auto made = compiled(shaderc::Compiler(), source, "src/compiler/pairs.comp", CoreDevice::plain);
    if (!made) return made.error();
    return std::move(made->words);
}

} // namespace vkprim
