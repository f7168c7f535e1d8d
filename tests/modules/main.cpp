// Writes every module as drivers get it: what each kind of device, and each type and operation, leaves of it.
//
//     vkprim_modules FOLDER
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
    constexpr uint32_t           op_true = 48, op_false = 49, op_constant = 50, op_decorate = 71, spec_id = 1;
    std::map<uint32_t, uint32_t> numbers; // by id
    std::vector<Constant>        constants;
    for (Instructions all(module); const auto one = all.next();) {
        if (one->opcode() == op_decorate && one->words[2] == spec_id) numbers[one->words[1]] = one->words[3];
        const bool is_bool = one->opcode() == op_true || one->opcode() == op_false;
        if ((!is_bool && one->opcode() != op_constant) || numbers.count(one->words[2]) == 0) continue;
        const uint32_t number = numbers[one->words[2]];
        constants.resize(std::max<size_t>(constants.size(), number + 1));
        constants[number] = {is_bool ? one->opcode() == op_true : one->words[3], is_bool};
    }
    return constants;
}

constexpr struct {
    const char* name;
    uint32_t    subgroup_size, has;
} devices[] = {{"word64", 32, VKPRIM_WORD64_BIT | VKPRIM_BYTES_BIT},
               {"word32", 64, VKPRIM_BYTES_BIT},
               {"small", 8, 0},
               {"plain", 1, 0}};

/// Whether a module asks for what a device lacks.
bool asks_too_much(const std::vector<uint32_t>& words, uint32_t subgroup_size, uint32_t has, bool doubles) {
    constexpr uint32_t op_capability = 17, float64 = 10, int64 = 11, int64_atomics = 12, first_of_groups = 61,
                       last_of_groups = 68, storage_8bit = 4448;
    for (Instructions all({words.data(), words.size() * sizeof(uint32_t)}); const auto one = all.next();) {
        if (one->opcode() != op_capability) continue;
        const uint32_t asked = one->words[1];
        if ((asked == int64 || asked == int64_atomics) && (has & VKPRIM_WORD64_BIT) == 0) return true;
        if (asked >= first_of_groups && asked <= last_of_groups && subgroup_size == 1) return true;
        if (asked == storage_8bit && (has & VKPRIM_BYTES_BIT) == 0) return true;
        if (asked == float64 && !doubles) return true;
    }
    return false;
}

/// The operations on floats, by their ids, and whether each is marked as one that must not be contracted.
std::map<uint32_t, bool> float_operations(const Shader& module) {
    constexpr uint32_t       op_decorate = 71, no_contraction = 42, op_fadd = 129, op_fsub = 131, op_fmul = 133;
    std::set<uint32_t>       marked;
    std::map<uint32_t, bool> operations;
    for (Instructions all(module); const auto one = all.next();) {
        if (one->opcode() == op_decorate && one->words[2] == no_contraction) marked.insert(one->words[1]);
        if (one->opcode() != op_fadd && one->opcode() != op_fsub && one->opcode() != op_fmul) continue;
        operations[one->words[2]] = marked.count(one->words[2]) > 0;
    }
    return operations;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: vkprim_modules FOLDER\n", stderr);
        return 2;
    }
    const auto                      operations = operations_of_kinds();
    std::set<std::vector<uint32_t>> written;
    for (const shaders::Named& module : shaders::all) {
        for (const auto& [kind, operation] : operations) {
            const bool has_kind = *module.kind != '\0';
            if (has_kind ? kind != module.kind : &kind != &operations.begin()->first) continue;
            for (const auto& device : devices) {
                // The module's own are as they are, and each bool once the other way.
                const auto            all = constants_of(module.shader);
                std::vector<uint32_t> constants(std::max<size_t>(all.size(), VKPRIM_OWN_ID));
                for (size_t number = 0; number < all.size(); ++number) constants[number] = all[number].value;
                constants[VKPRIM_WORKGROUP_SIZE_ID] = 256;
                constants[VKPRIM_SUBGROUP_SIZE_ID]  = device.subgroup_size;
                constants[VKPRIM_OPERATION_ID]      = (has_kind ? operation : 0) | device.has;
                for (size_t changed = VKPRIM_OWN_ID - 1; changed < all.size(); ++changed) {
                    auto changed_constants = constants;
                    if (changed >= VKPRIM_OWN_ID) {
                        if (!all[changed].is_bool || (device.has & VKPRIM_WORD64_BIT) == 0) continue;
                        changed_constants[changed] ^= 1;
                    }
                    const auto words = specialized(module.shader, changed_constants);
                    if (words.empty()) {
                        std::fprintf(stderr, "%s is not understood\n", module.name);
                        return 1;
                    }
                    // Doubles: what is called so, and sums of elements of two words that are floats.
                    const bool doubles = std::string(module.name).find("f64") != std::string::npos ||
                                         (has_kind && kind == "long" && VKPRIM_CLASS_OF(operation) == VKPRIM_FLOAT);
                    const bool by_bytes = std::string(module.name).find("narrow") != std::string::npos;
                    if (asks_too_much(words, device.subgroup_size, device.has | (by_bytes ? VKPRIM_BYTES_BIT : 0),
                                      doubles)) {
                        std::fprintf(stderr, "%s asks for too much (%s, %u)\n", module.name, device.name, operation);
                        return 1;
                    }
                    const auto before = float_operations(module.shader);
                    for (const auto& [id, marked] : float_operations({words.data(), words.size() * sizeof(uint32_t)})) {
                        if (before.at(id) == marked) continue;
                        std::fprintf(stderr, "%s: a float operation may be contracted (%s, %u)\n", module.name,
                                     device.name, operation);
                        return 1;
                    }
                    if (!written.insert(words).second) continue;
                    const std::string name = std::string(module.name) + "." + device.name + "." +
                                             std::to_string(has_kind ? operation : 0) + "." + std::to_string(changed);
                    std::ofstream(std::string(argv[1]) + "/" + name + ".spv", std::ios::binary)
                        .write(reinterpret_cast<const char*>(words.data()),
                               static_cast<std::streamsize>(words.size() * sizeof(uint32_t)));
                }
            }
        }
    }
    std::printf("%zu modules of %zu\n", written.size(), std::size(shaders::all));
}
