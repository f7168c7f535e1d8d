// SPIR-V of a caller: a module is refused with a reason, or can be read, adapted, and read again.
#include "spirv.h"

#include "element.h"
#include "fuzz.h"
#include "tests/support/spirv_words.h"
#include "vkprim/glsl/detail/facts.h"

#include <cstring>
#include <memory>

namespace vkprim::fuzz {

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (const uint32_t facts : {VKPRIM_FACTS_VERSION | 1, VKPRIM_FACTS_VERSION | 8 | VKPRIM_FACTS_LOAD, 9u}) {
        const std::vector<uint32_t> words = tests::small_module(facts);
        all.emplace_back(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
    }
    return all;
}

void check_input(const uint8_t* data, size_t size) {
    // Exactly as long, so that the sanitizer sees what reads beyond.
    const auto words = std::make_unique<uint32_t[]>((size + 3) / 4);
    if (size > 0) std::memcpy(words.get(), data, size);
    const auto bytes = std::make_unique<uint8_t[]>(size + 4);
    if (size > 0) std::memcpy(bytes.get() + 1, data, size);
    const Shader module{words.get(), size}, shifted{reinterpret_cast<const uint32_t*>(bytes.get() + 1), size};
    require(!why_malformed(shifted).empty(), "no module begins at an odd address");

    const std::string reason = why_malformed(module);
    const auto        plan   = plan_own_elements(module, "reduce");
    if (!plan) {
        require(plan.error().kind == ErrorKind::invalid_desc, "a module that is none is the Desc's fault");
        require_reason(plan.error(), "Desc::own ");
    }
    if (!reason.empty()) {
        require(!plan, "what is malformed is refused");
        return;
    }
    const auto                  facts    = constant_default(module, VKPRIM_FACTS_ID);
    const std::vector<uint32_t> rounding = rounding_to_even(module);
    const Shader                after{rounding.data(), rounding.size() * sizeof(uint32_t)};
    require(after.size == size + 6 * sizeof(uint32_t), "one capability and one execution mode are added");
    require(why_malformed(after).empty(), "what was adapted can be read");
    require(constant_default(after, VKPRIM_FACTS_ID) == facts, "and says the same");
    require(!plan || facts, "elements are what the module says");
}

} // namespace vkprim::fuzz
