// Files with an element and an operation of the user's own, or a predicate, which the program compiles: vkprim/glsl/operation.glsl and
// vkprim/glsl/predicate.glsl.
#pragma once

#include <vkprim/compiler.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/cli/program.h"

namespace vkprim::tools {

/// A member of the element.
struct Field {
    std::string type, name;     ///< "vec3", "low"
    uint32_t    components = 1; ///< words of 32 bits
};

class OperationFile {
public:
    /// Reads the file and compiles it for the device. What it includes is looked for beside it. A Failure with exit_usage, the file's line
    /// and the compiler's words, where it has an error.
    OperationFile(const std::string& path, const runtime::Device& device, bool reduce, bool scan,
                  bool segmented_reduce = false, bool segmented_scan = false);

    const OwnOperation& operation() const { return compiled_->operation(); }

    uint32_t words() const { return words_; }   ///< of an element
    bool     loads() const { return loads_; }   ///< whether it has a load() of its own
    bool     stores() const { return stores_; } ///< and a store()

    /// The members, as the text has them. One list of words where they are not what the module says.
    const std::vector<Field>& fields() const { return fields_; }

    /// SPIR-V of src/compiler/pairs.comp for the operation.
    std::vector<uint32_t> pairs() const;

    /// The value of each member, "low -1 0.5 2  high 3 4 5".
    std::string text(const uint32_t* element) const;

    /// An object with the members: numbers, or arrays of them.
    Json json(const uint32_t* element) const;

private:
    OperationSource                          source_;
    std::shared_ptr<const CompiledOperation> compiled_;
    std::vector<Field>                       fields_;
    uint32_t                                 words_ = 0;
    bool                                     loads_ = false, stores_ = false;
};

/// Reads and compiles a file with a predicate, for compact. Fails as OperationFile does.
CompiledOperation compile_predicate(const std::string& path, const runtime::Device& device);

} // namespace vkprim::tools
