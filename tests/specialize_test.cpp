// Constants in modules, ahead of the driver. What becomes of vkprim's own modules is tried by modules/main.cpp.
#include "specialize.h"

#include <algorithm>

#include "spirv.h"
#include "support/catch.h"
#include "support/spirv_words.h"

namespace vkprim::tests {
namespace {

using Words = std::vector<uint32_t>;

/// The operands of all instructions with that opcode.
std::vector<Words> all_of(const Words& module, uint32_t opcode) {
    std::vector<Words> found;
    for (Instructions all({module.data(), module.size() * sizeof(uint32_t)}); const auto one = all.next();) {
        if (one->opcode() == opcode) found.emplace_back(one->words + 1, one->words + one->size);
    }
    return found;
}

Words specialized_words(const Words& module, const Words& constants) {
    return specialized({module.data(), module.size() * sizeof(uint32_t)}, constants);
}

/// The small module, whose function adds its constant, %2, to something unknown, %8.
Words adding_module() {
    Words      words = small_module(7);
    const auto label = std::find(words.begin(), words.end(), 2u << 16 | op_label);
    words.insert(label + 2, {5u << 16 | op_iadd, 3, 9, 2, 8});
    const auto function = std::find(words.begin(), words.end(), 5u << 16 | op_function);
    words.insert(function, {3u << 16 | op_undef, 3, 8});
    words[3] = 10; // ids
    return words;
}

} // namespace

TEST_CASE("specialize: constants have values, and decorations of them are gone", "[spirv]") {
    Words values(SmallModule::constant_number + 1);
    values.back()     = 99;
    const Words words = specialized_words(adding_module(), values);
    CHECK(all_of(words, op_constant) == std::vector<Words>{{3, 2, 99}});
    CHECK(all_of(words, op_spec_constant).empty());
    CHECK(all_of(words, op_decorate).empty());
    CHECK(all_of(words, op_iadd) == std::vector<Words>{{3, 9, 2, 8}});

    CHECK(all_of(specialized_words(adding_module(), {}), op_constant) == std::vector<Words>{{3, 2, 7}}); // its default
}

TEST_CASE("specialize: what nothing uses is gone", "[spirv]") {
    const Words words = specialized_words(small_module(7), {});
    CHECK(all_of(words, op_constant).empty());
    CHECK(all_of(words, op_type_int).empty());
    CHECK(all_of(words, op_entry_point) == std::vector<Words>{{5, 1, 0x6e69616d, 0}});
}

TEST_CASE("specialize: a loop keeps its way back, whatever its condition is", "[spirv]") {
    Words      words = small_module(7);
    const auto op    = [](uint32_t opcode, uint32_t size) { return size << 16 | opcode; };
    // do {} while (%9), which is false: %10 is the header, %11 the body, %12 its end, and %13 behind it.
    const auto label = std::find(words.begin(), words.end(), op(op_label, 2));
    words.insert(label + 2, {op(op_branch, 2),
                             10,
                             op(op_label, 2),
                             10,
                             op(op_loop_merge, 4),
                             13,
                             12,
                             0,
                             op(op_branch, 2),
                             11,
                             op(op_label, 2),
                             11,
                             op(op_branch, 2),
                             12,
                             op(op_label, 2),
                             12,
                             op(op_branch_conditional, 4),
                             9,
                             10,
                             13,
                             op(op_label, 2),
                             13});
    const auto function = std::find(words.begin(), words.end(), op(op_function, 5));
    words.insert(function, {op(op_type_bool, 2), 8, op(op_spec_constant_false, 3), 8, 9});
    words[3] = 14; // ids
    CHECK(all_of(specialized_words(words, {}), op_branch_conditional) == std::vector<Words>{{9, 10, 13}});
}

TEST_CASE("specialize: a module that is cut off is not understood", "[spirv]") {
    Words words = adding_module();
    words.back() += 1u << 16;
    CHECK(specialized_words(words, {}).empty());
}

} // namespace vkprim::tests
