// Compiles elements and operations of your own while the program runs: vkprim/glsl/operation.glsl says how to write them. Likewise
// predicates for Compact: vkprim/glsl/predicate.glsl. This is a separate library, vkprim::compiler, which links libshaderc; the core needs
// no compiler.
//
// Such code is trusted like the program's own shaders: device addresses are not bounds-checked.
#pragma once

#include <vkprim/core.h>
#include <vkprim/operation.h>

#include <functional>
#include <string>
#include <vector>

namespace vkprim {

/// The text of an operation or predicate.
struct OperationSource {
    std::string text;
    std::string name   = "operation.glsl"; ///< for error messages
    bool        reduce = true, scan = true, segmented_reduce = false,
         segmented_scan = false; ///< which primitives to compile it for

    bool compact = false; ///< the text is a predicate, for Compact alone; the other primitives are ignored then

    /// Optional: called for each file that the text, or a file that it includes, includes; not for vkprim/glsl/, which vkprim has. Stores
    /// the file's content in `text` and returns true, or returns false. `name` is relative to the operation: where "sub/a.glsl" includes
    /// "b.glsl", first "sub/b.glsl", and then "b.glsl".
    std::function<bool(const std::string& name, std::string& text)> include = {};
};

/// The result of compile(), for one device.
class CompiledOperation {
public:
    /// For Desc::own. The reference and its modules are valid while this object lives and is not moved. create() reads them during the
    /// call only.
    const OwnOperation& operation() const { return operation_; }

    CompiledOperation(CompiledOperation&&) noexcept            = default;
    CompiledOperation& operator=(CompiledOperation&&) noexcept = default;

private:
    friend class OperationCache;
    friend Result<CompiledOperation> compile(const Context&, const OperationSource&, class OperationCache*);
    CompiledOperation() = default;
    struct Modules {
        std::vector<uint32_t> reduce, scan, compact, segmented_reduce, segmented_scan;
    };
    CompiledOperation(uint32_t variant, Modules modules);

    Modules      modules_;
    OwnOperation operation_;
};

/// Caches the modules that compile() made, by primitive, variant and text. On a hit, compile() asks `include` for every file again that
/// it was asked for, and compiles again if one has changed, has come, or has gone. One thread at a time may use a cache.
class OperationCache {
public:
    OperationCache();

    /// Starts with what bytes() returned, perhaps in an earlier run of the program. The bytes are ignored if they are truncated, or if
    /// another version of vkprim made them, or a libshaderc for another version of SPIR-V. libshaderc does not tell its own version: to
    /// have operations compiled again after an update of it, begin with an empty cache. The bytes are not checked otherwise: take them
    /// from a trusted place.
    explicit OperationCache(const std::vector<uint8_t>& bytes);

    /// The whole cache, to be stored.
    std::vector<uint8_t> bytes() const;

private:
    friend Result<CompiledOperation> compile(const Context&, const OperationSource&, OperationCache*);
    struct Content;
    detail::Owned<Content> content_;
};

/// Compiles `source` for the device of `context`, in the one variant that this device runs. Pass the same features and profile to
/// create(). With a cache, only modules that it does not contain are compiled, and then added. Several threads may compile at once, each with its own
/// cache. Fails with ErrorKind::invalid_operation and the compiler's messages, which name lines of `source.name`, if the text has an error.
/// Fails like create() if the device cannot run vkprim.
Result<CompiledOperation> compile(const Context& context, const OperationSource& source,
                                  OperationCache* cache = nullptr);

} // namespace vkprim
