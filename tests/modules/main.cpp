// Makes every module as drivers get it: what each kind of device, and each type and operation, leaves of it. Checks what it asks for.
//
//     vkprim_modules [FOLDER]     FOLDER: where to write them
#include <shaders/all.h>
#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/operations.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "element.h"
#include "specialize.h"
#include "spirv.h"

namespace {

using namespace vkprim;

/// What VKPRIM_OPERATION_ID can hold, by the kind of elements.
std::set<std::pair<std::string, uint32_t>> operations_of_kinds() {
    std::set<std::pair<std::string, uint32_t>> all;
    for (uint32_t type = 0; element_type_name(static_cast<ElementType>(type)); ++type) {
        for (uint32_t operation = 0; operation_name(static_cast<Operation>(operation)); ++operation) {
            for (const bool wide : {false, true}) {
                const auto plan =
                    plan_elements(static_cast<ElementType>(type), static_cast<Operation>(operation), wide);
                if (!plan) continue;
                all.insert({plan->kind, plan->operation});
                if (const auto strided = plan_strided(*plan)) all.insert({strided->kind, strided->operation});
            }
        }
    }
    return all;
}

/// A specialization constant.
struct Constant {
    uint32_t value   = 0;
    bool     is_bool = false;
};

/// By their numbers.
std::vector<Constant> constants_of(const Shader& module) {
    std::map<uint32_t, uint32_t> numbers; // by id
    std::vector<Constant>        constants;
    for (Instructions all(module); const auto one = all.next();) {
        if (one->opcode() == op_decorate && one->words[2] == decoration_spec_id) numbers[one->words[1]] = one->words[3];
        const bool is_bool = one->opcode() == op_spec_constant_true || one->opcode() == op_spec_constant_false;
        if ((!is_bool && one->opcode() != op_spec_constant) || numbers.count(one->words[2]) == 0) continue;
        const uint32_t number = numbers[one->words[2]];
        constants.resize(std::max<size_t>(constants.size(), number + 1));
        constants[number] = {is_bool ? one->opcode() == op_spec_constant_true : one->words[3], is_bool};
    }
    return constants;
}

struct DeviceKind {
    const char* name;
    uint32_t    subgroup_size, has;
};

/// Those with 64-bit atomics come last: a module that others have, too, is named after them.
constexpr DeviceKind devices[] = {{"word32", 64, VKPRIM_BYTES_BIT},
                                  {"small", 8, 0},
                                  {"plain", 1, 0},
                                  {"word64", 32, VKPRIM_WORD64_BIT | VKPRIM_BYTES_BIT}};

/// Whether a module asks for what a device lacks. `has`: as DeviceKind.
bool asks_too_much(const Shader& module, uint32_t subgroup_size, uint32_t has, bool doubles) {
    constexpr uint32_t last_of_groups = 68;
    for (Instructions all(module); const auto one = all.next();) {
        if (one->opcode() != op_capability) continue;
        const uint32_t asked     = one->words[1];
        const bool     is_word64 = asked == capability_int64 || asked == capability_int64_atomics;
        if (is_word64 && (has & VKPRIM_WORD64_BIT) == 0) return true;
        if (asked >= capability_group && asked <= last_of_groups && subgroup_size == 1) return true;
        if (asked == capability_storage_8bit && (has & VKPRIM_BYTES_BIT) == 0) return true;
        if (asked == capability_float64 && !doubles) return true;
    }
    return false;
}

/// The operations on floats, by their ids, and whether each is marked as one that must not be contracted.
std::map<uint32_t, bool> float_operations(const Shader& module) {
    constexpr uint32_t       no_contraction = 42, op_fadd = 129, op_fsub = 131, op_fmul = 133;
    std::set<uint32_t>       marked;
    std::map<uint32_t, bool> operations;
    for (Instructions all(module); const auto one = all.next();) {
        if (one->opcode() == op_decorate && one->words[2] == no_contraction) marked.insert(one->words[1]);
        if (one->opcode() != op_fadd && one->opcode() != op_fsub && one->opcode() != op_fmul) continue;
        operations[one->words[2]] = marked.count(one->words[2]) > 0;
    }
    return operations;
}

/// A module with constants for an operation and a device; and each bool of its own once the other way.
std::vector<std::vector<uint32_t>> constants_to_try(const Shader& module, uint32_t operation,
                                                    const DeviceKind& device) {
    const auto            all = constants_of(module);
    std::vector<uint32_t> constants(std::max<size_t>(all.size(), VKPRIM_OWN_ID));
    for (size_t number = 0; number < all.size(); ++number) constants[number] = all[number].value;
    constants[VKPRIM_WORKGROUP_SIZE_ID] = 256;
    constants[VKPRIM_SUBGROUP_SIZE_ID]  = device.subgroup_size;
    constants[VKPRIM_OPERATION_ID]      = operation | device.has;
    std::vector<std::vector<uint32_t>> tries{constants};
    if ((device.has & VKPRIM_WORD64_BIT) == 0) return tries; // one kind of device is enough for those
    for (size_t number = VKPRIM_OWN_ID; number < all.size(); ++number) {
        if (!all[number].is_bool) continue;
        tries.push_back(constants);
        tries.back()[number] ^= 1;
    }
    return tries;
}

/// What is wrong with what became of a module, as a sentence's end; empty if nothing is.
std::string fault_of(const shaders::Named& module, uint32_t operation, const DeviceKind& device,
                     const std::vector<uint32_t>& words) {
    if (words.empty()) return "is not understood";
    const std::string name = module.name;
    const Shader      made{words.data(), words.size() * sizeof(uint32_t)};
    // Doubles: what is called so, and sums of elements of two words that are floats. Bytes: keys and elements that take the feature anyway.
    const bool doubles = name.find("f64") != std::string::npos ||
                         (std::string(module.kind) == "long" && VKPRIM_CLASS_OF(operation) == VKPRIM_FLOAT);
    const uint32_t by_bytes = name.find("narrow") != std::string::npos ? VKPRIM_BYTES_BIT : 0;
    if (asks_too_much(made, device.subgroup_size, device.has | by_bytes, doubles)) return "asks for too much";
    const auto before = float_operations(module.shader);
    for (const auto& [id, marked] : float_operations(made)) {
        if (before.at(id) != marked) return "has a float operation that may be contracted";
    }
    return {};
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 2) {
        std::fputs("usage: vkprim_modules [FOLDER]\n", stderr);
        return 2;
    }
    const auto                      operations = operations_of_kinds();
    std::set<std::vector<uint32_t>> made;
    for (const shaders::Named& module : shaders::all) {
        std::set<uint32_t> of_kind;
        for (const auto& [kind, operation] : operations) {
            if (kind == module.kind) of_kind.insert(operation);
        }
        if (of_kind.empty()) of_kind = {0}; // a module without elements
        for (const uint32_t operation : of_kind) {
            for (const DeviceKind& device : devices) {
                for (const auto& constants : constants_to_try(module.shader, operation, device)) {
                    const auto words = specialized(module.shader, constants);
                    if (const std::string fault = fault_of(module, operation, device, words); !fault.empty()) {
                        std::fprintf(stderr, "%s %s (%s, %u)\n", module.name, fault.c_str(), device.name, operation);
                        return 1;
                    }
                    if (!made.insert(words).second || argc == 1) continue;
                    const std::string path = std::string(argv[1]) + "/" + module.name + "." + device.name + "." +
                                             std::to_string(made.size()) + ".spv";
                    std::ofstream(path, std::ios::binary)
                        .write(reinterpret_cast<const char*>(words.data()),
                               static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
                }
            }
        }
    }
    std::printf("%zu modules of %zu\n", made.size(), std::size(shaders::all));
}
