#include <vkprim/compiler.h>

#include <shaderc/shaderc.hpp>

#include <cstring>
#include <filesystem>
#include <map>

#include "compiler/sources.h"
#include "device.h"

namespace vkprim {
namespace {

const char* text_of_ours(const std::string& name) {
    for (const compiler::Source& source : compiler::sources) {
        if (name == source.name) return source.text;
    }
    return nullptr;
}

/// Gives shaderc vkprim's files, the operation's as vkprim_operation_file.glsl, and what that includes.
class Includer : public shaderc::CompileOptions::IncluderInterface {
public:
    explicit Includer(const OperationSource& source) : source_(source) {}

    shaderc_include_result* GetInclude(const char* requested, shaderc_include_type type, const char* requesting,
                                       size_t) override {
        auto*       found = new Found;
        std::string name  = requested;
        if (type == shaderc_include_type_relative) {
            name = (std::filesystem::path(requesting).parent_path() / requested).lexically_normal().generic_string();
        }
        if (name == "vkprim_operation_file.glsl") {
            found->name = source_.name;
            found->text = source_.text;
        } else if (const char* ours = text_of_ours(name)) {
            found->name = name;
            found->text = ours;
        } else if (source_.include && source_.include(requested, found->text)) {
            found->name = requested;
        } else {
            found->text = std::string("there is no file ") + requested; // an empty name says that this is an error
        }
        found->result = {found->name.c_str(), found->name.size(), found->text.c_str(), found->text.size(), found};
        return &found->result;
    }

    void ReleaseInclude(shaderc_include_result* result) override { delete static_cast<Found*>(result->user_data); }

private:
    struct Found {
        std::string            name, text;
        shaderc_include_result result;
    };

    const OperationSource& source_;
};

shaderc::CompileOptions options_for(const OperationSource& source, CoreDevice::Variant variant) {
    shaderc::CompileOptions options;
    options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
    options.SetOptimizationLevel(shaderc_optimization_level_zero); // as cmake/VkprimOperation.cmake says
    options.SetIncluder(std::make_unique<Includer>(source));
    options.AddMacroDefinition("VKPRIM_ELEMENT_OWN");
    if (variant == CoreDevice::word64) options.AddMacroDefinition("VKPRIM_WORD64");
    if (variant == CoreDevice::plain) options.AddMacroDefinition("VKPRIM_NO_SUBGROUPS");
    return options;
}

/// A sentence where the compiler's words are about vkprim's own files, and not about the operation's.
std::string explained(const std::string& words, const OperationSource& source) {
    if (words.find(source.name + ":") != std::string::npos) return words;
    return words + source.name +
           ": it has to #include <vkprim/glsl/operation.glsl> behind its VKPRIM_FIELDS, and to define Element "
           "identity() and "
           "Element operate(Element, Element); Element load(uint) with VKPRIM_HAS_LOAD; void store(uint, Element) with "
           "VKPRIM_HAS_STORE";
}

Error failed(const std::string& words) { return {VK_ERROR_INVALID_SHADER_NV, words}; }

/// What the text is with all that it includes, which is what the cache knows it by.
Result<std::string> flattened(const OperationSource& source) {
    const shaderc::Compiler compiler;
    const auto              text =
        compiler.PreprocessGlsl("#version 460\n#extension GL_GOOGLE_include_directive : require\n" + source.text,
                                shaderc_compute_shader, source.name.c_str(), options_for(source, CoreDevice::word32));
    if (text.GetCompilationStatus() != shaderc_compilation_status_success) return failed(text.GetErrorMessage());
    return std::string(text.begin(), text.end());
}

Result<std::vector<uint32_t>> compiled(const OperationSource& source, const std::string& primitive,
                                       CoreDevice::Variant variant) {
    const std::string       shader = primitive + "/" + primitive + ".comp";
    const shaderc::Compiler compiler;
    const auto module = compiler.CompileGlslToSpv(text_of_ours(shader), shaderc_compute_shader, shader.c_str(),
                                                  options_for(source, variant));
    if (module.GetCompilationStatus() != shaderc_compilation_status_success) {
        return failed(explained(module.GetErrorMessage(), source));
    }
    return std::vector<uint32_t>(module.begin(), module.end());
}

} // namespace

/// Modules by primitive, variant and text.
struct OperationCache::Content {
    std::map<std::string, std::vector<uint32_t>> modules;
};

namespace {

constexpr uint32_t cache_magic = 0x76706f63;

/// What of this build a module depends on.
std::string version_of_compiler() {
    unsigned version = 0, revision = 0;
    shaderc_get_spv_version(&version, &revision);
    return std::string(compiler::sources_hash) + "/" + std::to_string(version) + "." + std::to_string(revision);
}

void put(std::vector<uint8_t>& bytes, const void* data, size_t size) {
    const auto* const begin = static_cast<const uint8_t*>(data);
    const uint64_t    count = size;
    const auto* const word  = reinterpret_cast<const uint8_t*>(&count);
    bytes.insert(bytes.end(), word, word + sizeof count);
    bytes.insert(bytes.end(), begin, begin + size);
}

/// The next range of bytes, or nothing where they end before it does.
std::optional<std::vector<uint8_t>> take(const std::vector<uint8_t>& bytes, size_t& at) {
    uint64_t size = 0;
    if (bytes.size() - at < sizeof size) return std::nullopt;
    std::memcpy(&size, &bytes[at], sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size) return std::nullopt;
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    at += size;
    return std::vector<uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(size));
}

} // namespace

OperationCache::OperationCache() : content_(new Content) {}

OperationCache::OperationCache(const std::vector<uint8_t>& bytes) : OperationCache() {
    size_t            at      = 0;
    const auto        magic   = take(bytes, at);
    const auto        version = take(bytes, at);
    const std::string ours    = version_of_compiler();
    if (!magic || magic->size() != sizeof cache_magic ||
        std::memcmp(magic->data(), &cache_magic, sizeof cache_magic) != 0)
        return;
    if (!version || std::string(version->begin(), version->end()) != ours) return;
    Content content;
    while (at < bytes.size()) {
        const auto key = take(bytes, at), module = take(bytes, at);
        if (!key || !module || module->size() % 4 != 0) return;
        std::vector<uint32_t> words(module->size() / 4);
        std::memcpy(words.data(), module->data(), module->size());
        content.modules[std::string(key->begin(), key->end())] = std::move(words);
    }
    *content_ = std::move(content);
}

std::vector<uint8_t> OperationCache::bytes() const {
    std::vector<uint8_t> bytes;
    const std::string    version = version_of_compiler();
    put(bytes, &cache_magic, sizeof cache_magic);
    put(bytes, version.data(), version.size());
    for (const auto& [key, module] : content_->modules) {
        put(bytes, key.data(), key.size());
        put(bytes, module.data(), module.size() * 4);
    }
    return bytes;
}

OperationCache::OperationCache(OperationCache&&) noexcept            = default;
OperationCache& OperationCache::operator=(OperationCache&&) noexcept = default;
OperationCache::~OperationCache()                                    = default;

CompiledOperation::CompiledOperation(uint32_t variant, std::vector<uint32_t> reduce, std::vector<uint32_t> scan)
    : reduce_(std::move(reduce)), scan_(std::move(scan)) {
    if (!reduce_.empty()) operation_.reduce[variant] = {reduce_.data(), reduce_.size() * 4};
    if (!scan_.empty()) operation_.scan[variant] = {scan_.data(), scan_.size() * 4};
}

Result<CompiledOperation> compile(const Context& context, const OperationSource& source, OperationCache* cache) {
    const auto device = CoreDevice::create(context);
    if (!device) return device.error();
    const CoreDevice::Variant variant = device->variant();
    std::string               text;
    if (cache) {
        auto whole = flattened(source);
        if (!whole) return whole.error();
        text = std::move(*whole);
    }
    std::vector<uint32_t> modules[2];
    for (const auto& [wanted, primitive, module] :
         {std::tuple(source.reduce, "reduce", &modules[0]), {source.scan, "scan", &modules[1]}}) {
        if (!wanted) continue;
        const std::string key = std::string(primitive) + "/" + std::to_string(variant) + "\n" + text;
        if (cache) {
            const auto known = cache->content_->modules.find(key);
            if (known != cache->content_->modules.end()) {
                *module = known->second;
                continue;
            }
        }
        auto made = compiled(source, primitive, variant);
        if (!made) return made.error();
        *module = std::move(*made);
        if (cache) cache->content_->modules[key] = *module;
    }
    return CompiledOperation(variant, std::move(modules[0]), std::move(modules[1]));
}

} // namespace vkprim
