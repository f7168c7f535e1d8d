// Elements and operations of your own, compiled while the program runs: vkprim/glsl/operation.glsl says how to write them; and
// predicates for Compact: vkprim/glsl/predicate.glsl. A library of its own, vkprim::compiler, on libshaderc; the core needs no compiler.
//
// Such code is trusted as much as a shader of the program's own: device addresses have no bounds.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vkprim {

/// The file of an operation.
struct OperationSource {
    std::string text;
    std::string name   = "operation.glsl";  ///< for errors
    bool        reduce = true, scan = true; ///< for which primitives

    bool compact = false; ///< the file holds a predicate, for that alone; the two before are not looked at then

    /// If set, asked for what `text` includes and vkprim does not have: stores it in `text` and returns true, or returns false.
    std::function<bool(const std::string& name, std::string& text)> include = {};
};

/// What compile() made, for one device.
class CompiledOperation {
public:
    /// Points into this object.
    const OwnOperation& operation() const { return operation_; }

    CompiledOperation(CompiledOperation&&) noexcept            = default;
    CompiledOperation& operator=(CompiledOperation&&) noexcept = default;

private:
    friend class OperationCache;
    friend Result<CompiledOperation> compile(const Context&, const OperationSource&, class OperationCache*);
    CompiledOperation() = default;
    struct Modules {
        std::vector<uint32_t> reduce, scan, compact;
    };
    CompiledOperation(uint32_t variant, Modules modules);

    Modules      modules_;
    OwnOperation operation_;
};

/// What has been compiled before, by content: texts with all that they include. Not for several threads at once.
class OperationCache {
public:
    OperationCache();

    /// With what bytes() gave, perhaps in another run of the program. Nothing of it is used if another version of vkprim or libshaderc
    /// made it, or if it was cut short.
    explicit OperationCache(const std::vector<uint8_t>& bytes);

    std::vector<uint8_t> bytes() const;

    OperationCache(OperationCache&&) noexcept;
    OperationCache& operator=(OperationCache&&) noexcept;
    ~OperationCache();

private:
    friend Result<CompiledOperation> compile(const Context&, const OperationSource&, OperationCache*);
    struct Content;
    std::unique_ptr<Content> content_;
};

/// For the device of `context`: of the three variants of each primitive, the one that it runs. With a cache, only what is not in there is
/// compiled, and put in. Fails with VK_ERROR_INVALID_SHADER_NV and the compiler's words, with lines of `source.name`, where the text has
/// an error; and as create() does where the device cannot run vkprim.
Result<CompiledOperation> compile(const Context& context, const OperationSource& source,
                                  OperationCache* cache = nullptr);

} // namespace vkprim
