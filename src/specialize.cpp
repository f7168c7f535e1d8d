#include "specialize.h"

#include "spirv.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace vkprim {
namespace {

using Words = std::vector<uint32_t>;

/// Whether word `i` is a scope, of an instruction whose memory operands begin with a mask at that word. An alignment comes first.
bool is_scope(const Instruction& one, uint32_t mask, uint32_t i) {
    constexpr uint32_t aligned = 2;
    return i > mask && (i > mask + 1 || (one.words[mask] & aligned) == 0);
}

/// Whether word `i` of an instruction, from 1 on, is an id. All are, but for literals.
bool is_id(const Instruction& one, uint32_t i) {
    switch (one.opcode()) {
        case op_extension:
        case op_ext_inst_import:
        case op_memory_model:
        case op_entry_point:
        case op_capability: return false; // none that can change
        case op_execution_mode:
        case op_decorate:
        case op_member_decorate:
        case op_type_int:
        case op_type_float:
        case op_type_forward_pointer:
        case op_selection_merge: return i == 1;
        case op_type_vector:
        case op_constant:
        case op_spec_constant:
        case op_copy_memory:
        case op_loop_merge: return i <= 2;
        case op_store: return i <= 2 || is_scope(one, 3, i);
        case op_load: return i <= 3 || is_scope(one, 4, i);
        case op_composite_extract:
        case op_branch_conditional: return i <= 3;
        case op_composite_insert:
        case op_vector_shuffle: return i <= 4;
        case op_type_pointer: return i != 2;
        case op_spec_constant_op:
        case op_variable:
        case op_function: return i != 3;
        case op_ext_inst:
        case op_array_length:
        case op_group_ballot_bit_count: return i != 4;
        case op_switch: return i <= 2 || i % 2 == 0;
        default: return one.opcode() < op_group_iadd || one.opcode() > op_group_logical_xor || i != 4;
    }
}

/// Names and lines, for debuggers.
bool is_for_debuggers(uint32_t opcode) {
    return (opcode >= op_source_continued && opcode <= op_line) || opcode == op_no_line ||
           opcode == op_module_processed;
}

/// What an operation on 32-bit integers and bools gives; nothing for others.
std::optional<uint32_t> evaluate(uint32_t opcode, const Words& v) {
    const auto as_signed = [&](size_t i) { return static_cast<int32_t>(v[i]); };
    if (v.size() == 1) {
        switch (opcode) {
            case op_logical_not: return v[0] == 0;
            case op_not: return ~v[0];
            case op_bitcast: return v[0];
            default: return std::nullopt;
        }
    }
    if (v.size() == 3 && opcode == op_select) return v[0] != 0 ? v[1] : v[2];
    if (v.size() != 2) return std::nullopt;
    const bool divides = v[1] != 0, shifts = v[1] < 32; // else the result is undefined
    switch (opcode) {
        case op_iadd: return v[0] + v[1];
        case op_isub: return v[0] - v[1];
        case op_imul: return v[0] * v[1];
        case op_udiv: return divides ? std::optional<uint32_t>(v[0] / v[1]) : std::nullopt;
        case op_umod: return divides ? std::optional<uint32_t>(v[0] % v[1]) : std::nullopt;
        case op_logical_equal:
        case op_iequal: return v[0] == v[1];
        case op_logical_not_equal:
        case op_inot_equal: return v[0] != v[1];
        case op_logical_or:
        case op_bit_or: return v[0] | v[1];
        case op_logical_and:
        case op_bit_and: return v[0] & v[1];
        case op_bit_xor: return v[0] ^ v[1];
        case op_ugreater: return v[0] > v[1];
        case op_sgreater: return as_signed(0) > as_signed(1);
        case op_ugreater_equal: return v[0] >= v[1];
        case op_sgreater_equal: return as_signed(0) >= as_signed(1);
        case op_uless: return v[0] < v[1];
        case op_sless: return as_signed(0) < as_signed(1);
        case op_uless_equal: return v[0] <= v[1];
        case op_sless_equal: return as_signed(0) <= as_signed(1);
        case op_shift_right: return shifts ? std::optional<uint32_t>(v[0] >> v[1]) : std::nullopt;
        case op_shift_left: return shifts ? std::optional<uint32_t>(v[0] << v[1]) : std::nullopt;
        default: return std::nullopt;
    }
}

class Specializer {
public:
    Specializer(const Shader& module, const Words& constants)
        : module_(module), constants_(constants), ids_(module.words[3]) {}

    Words run() {
        Instructions all(module_);
        while (const auto one = all.next()) {
            if (is_for_debuggers(one->opcode())) continue;
            if (one->opcode() == op_function) in_functions_ = true;
            if (!(in_functions_ ? fold(*one) : read_global(*one))) return {};
        }
        if (!all.ended()) return {};
        resolve(globals_);
        first_function_ = resolved_.size();
        resolve(code_);
        return used_parts();
    }

private:
    struct Id {
        std::optional<uint32_t> value;       ///< of a constant of 32 bits, or a bool
        uint32_t                same_as = 0; ///< another id that takes its place
        // A label: a block comes here, which is written or not, once it was passed.
        bool reached = false, passed = false, left_out = false;
        // Of what is not within a function: its definition in resolved_, and whether something needs it.
        size_t begin = 0, end = 0;
        bool   used = false;
    };

    static void append(Words& words, const Instruction& one) {
        words.insert(words.end(), one.words, one.words + one.size);
    }
    static void append(Words& words, uint32_t opcode, std::initializer_list<uint32_t> operands) {
        words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
        words.insert(words.end(), operands);
    }
    static Instruction at(const Words& words, size_t place) { return {words.data() + place, words[place] >> 16}; }

    // Constants.

    bool has_value(uint32_t type) const { return type == bool_type_ || int_types_.count(type) > 0; }

    std::optional<Words> values_of(const Instruction& one, uint32_t first) const {
        Words values;
        for (uint32_t i = first; i < one.size; ++i) {
            if (!ids_[one.words[i]].value) return std::nullopt;
            values.push_back(*ids_[one.words[i]].value);
        }
        return values;
    }

    bool declare(uint32_t type, uint32_t id, uint32_t value) {
        if (type == bool_type_) {
            append(globals_, value != 0 ? op_constant_true : op_constant_false, {type, id});
        } else {
            append(globals_, op_constant, {type, id, value});
        }
        ids_[id].value = value;
        constants_by_value_.insert({{type, value}, id});
        return true;
    }

    /// The id of one, which may be new.
    uint32_t constant(uint32_t type, uint32_t value) {
        const auto found = constants_by_value_.find({type, value});
        if (found != constants_by_value_.end()) return found->second;
        ids_.emplace_back();
        const auto id = static_cast<uint32_t>(ids_.size() - 1);
        declare(type, id, value);
        return id;
    }

    /// Of a specialization constant.
    uint32_t value_of(uint32_t id, uint32_t otherwise) const {
        const auto found = spec_ids_.find(id);
        return found != spec_ids_.end() && found->second < constants_.size() ? constants_[found->second] : otherwise;
    }

    /// What comes before the functions: constants have their values from here on.
    bool read_global(const Instruction& one) {
        const uint32_t* const words = one.words;
        switch (one.opcode()) {
            case op_entry_point: roots_.push_back(words[2]); break;
            case op_execution_mode_id: roots_.insert(roots_.end(), words + 3, words + one.size); break;
            case op_type_bool: bool_type_ = words[1]; break;
            case op_type_int:
                if (words[2] == 32) int_types_.insert(words[1]);
                break;
            case op_type_float:
                if (words[2] == 32) float_type_ = words[1];
                break;
            case op_decorate:
                if (words[2] == decoration_spec_id) {
                    spec_ids_[words[1]] = words[3];
                    return true;
                }
                if (words[2] != decoration_built_in) break;
                if (words[3] == built_in_workgroup_size) roots_.push_back(words[1]);
                if (words[3] >= built_in_subgroup_size && words[3] <= built_in_subgroup_invocation) {
                    subgroup_inputs_.push_back(words[1]);
                }
                if (words[3] >= built_in_subgroup_eq_mask && words[3] <= built_in_subgroup_lt_mask) return false;
                break;
            case op_constant_true:
            case op_constant_false: return declare(words[1], words[2], one.opcode() == op_constant_true);
            case op_spec_constant_true:
            case op_spec_constant_false:
                return declare(words[1], words[2], value_of(words[2], one.opcode() == op_spec_constant_true) != 0);
            case op_constant:
                if (!has_value(words[1])) break;
                return declare(words[1], words[2], words[3]);
            case op_spec_constant:
                if (has_value(words[1])) return declare(words[1], words[2], value_of(words[2], words[3]));
                if (words[1] != float_type_) return false;
                append(globals_, op_constant, {words[1], words[2], value_of(words[2], words[3])});
                return true;
            case op_spec_constant_composite:
                globals_.push_back(one.size << 16 | op_constant_composite);
                globals_.insert(globals_.end(), words + 1, words + one.size);
                return true;
            case op_spec_constant_op: {
                const auto operands = values_of(one, 4);
                const auto result   = operands && has_value(words[1]) ? evaluate(words[3], *operands) : std::nullopt;
                if (!result) break;
                return declare(words[1], words[2], *result);
            }
            default: break;
        }
        append(globals_, one);
        return true;
    }

    // Code. A block stands after those that come to it, but for the ends of loops. So one pass forward finds out which are reached.

    /// False if the block was left out already.
    bool reach(uint32_t label) {
        ids_[label].reached = true;
        return !ids_[label].left_out;
    }
    bool go(uint32_t label) {
        edges_.insert({block_, label});
        return reach(label);
    }

    /// Another id takes the place of a result.
    bool replace(uint32_t id, uint32_t other) {
        ids_[id].same_as = name_of(other);
        ids_[id].value   = ids_[other].value;
        return true;
    }
    uint32_t name_of(uint32_t id) const { return ids_[id].same_as != 0 ? ids_[id].same_as : id; }

    bool fold(const Instruction& one) {
        const uint32_t* const words = one.words;
        if (one.opcode() == op_function) begins_ = true;
        if (one.opcode() == op_function_end) leaves_out_ = false;
        if (one.opcode() == op_label) {
            block_         = words[1];
            leaves_out_    = !std::exchange(begins_, false) && !ids_[block_].reached;
            Id& label      = ids_[block_];
            label.passed   = true;
            label.left_out = leaves_out_;
        }
        if (leaves_out_) return true;
        switch (one.opcode()) {
            case op_selection_merge: merge_ = one; return true; // the branch, which follows, decides
            case op_loop_merge:
                if (!reach(words[1]) || !reach(words[2])) return false;
                break;
            case op_branch:
                if (!go(words[1])) return false;
                break;
            case op_branch_conditional: {
                const auto condition = ids_[words[1]].value;
                const bool repeats   = ids_[words[2]].passed || ids_[words[3]].passed; // a loop must keep its way back
                if (!condition || repeats) {
                    if (!keep_merge() || !go(words[2]) || !go(words[3])) return false;
                    break;
                }
                const uint32_t target = *condition != 0 ? words[2] : words[3];
                merge_.reset();
                append(code_, op_branch, {target});
                return go(target);
            }
            case op_switch:
                if (!keep_merge()) return false;
                for (uint32_t i = 2; i < one.size; i += 2) {
                    if (!go(words[i])) return false;
                }
                break;
            case op_phi: {
                if (const uint32_t only = only_value(one)) return replace(words[2], only);
                break;
            }
            case op_select:
                if (!ids_[words[3]].value) break;
                return replace(words[2], words[*ids_[words[3]].value != 0 ? 4 : 5]);
            case op_logical_and:
            case op_logical_or:
                for (uint32_t i = 3; i < 5; ++i) {
                    const auto value = ids_[words[i]].value;
                    if (value)
                        return replace(words[2], words[(*value != 0) == (one.opcode() == op_logical_or) ? i : 7 - i]);
                }
                break;
            default:
                if (one.opcode() < op_bitcast || one.opcode() > op_not || !has_value(words[1])) break;
                if (const auto operands = values_of(one, 3)) {
                    if (const auto result = evaluate(one.opcode(), *operands))
                        return replace(words[2], constant(words[1], *result));
                }
                break;
        }
        append(code_, one);
        return true;
    }

    bool keep_merge() {
        if (!merge_) return true;
        append(code_, *merge_);
        return reach(std::exchange(merge_, std::nullopt)->words[1]);
    }

    /// Whether control may come to this block from one that may stand further down.
    bool comes_from(uint32_t from) const {
        const bool later = first_function_ == 0 && (!ids_[from].passed || from == block_);
        return later || edges_.count({from, block_}) > 0;
    }

    /// The value of a phi if one block alone comes here; or 0.
    uint32_t only_value(const Instruction& phi) const {
        uint32_t value = 0;
        for (uint32_t i = 3; i + 1 < phi.size; i += 2) {
            if (!comes_from(phi.words[i + 1])) continue;
            if (value != 0 || edges_.count({phi.words[i + 1], block_}) == 0) return 0; // or one that comes later
            value = phi.words[i];
        }
        return value;
    }

    /// Appends to resolved_, with names in the place of those that they replace; to a phi come those alone who may.
    void resolve(const Words& words) {
        size_t function = 0;
        for (size_t place = 0; place < words.size(); place += words[place] >> 16) {
            const Instruction one   = at(words, place);
            const size_t      begin = resolved_.size();
            if (one.opcode() == op_label) block_ = one.words[1];
            for (uint32_t i = 0; i < one.size; ++i) {
                const bool in_pair = one.opcode() == op_phi && i >= 3; // of a value and a block
                if (in_pair && !comes_from(one.words[i % 2 == 0 ? i : i + 1])) continue;
                const bool may_change = first_function_ != 0 && i > 0 && is_id(one, i);
                resolved_.push_back(may_change ? name_of(one.words[i]) : one.words[i]);
            }
            resolved_[begin] = static_cast<uint32_t>(resolved_.size() - begin) << 16 | one.opcode();
            if (one.opcode() == op_function) function = begin;
            if (one.opcode() == op_function_end) define(resolved_[function + 2], function);
            if (first_function_ == 0 && global_of(one) != 0) define(global_of(one), begin);
        }
    }

    void define(uint32_t id, size_t begin) {
        ids_[id].begin = begin;
        ids_[id].end   = resolved_.size();
    }

    /// The id that an instruction outside of functions defines, or 0.
    static uint32_t global_of(const Instruction& one) {
        const uint32_t opcode = one.opcode();
        if (opcode >= op_type_void && opcode < op_type_forward_pointer) return one.words[1];
        const bool is_constant = opcode >= op_constant_true && opcode <= op_constant_null;
        return is_constant || opcode == op_spec_constant_op || opcode == op_undef || opcode == op_variable
                   ? one.words[2]
                   : 0;
    }

    // What is needed.

    void use(uint32_t root) {
        Words open{root};
        while (!open.empty()) {
            Id& id = ids_[open.back()];
            open.pop_back();
            if (std::exchange(id.used, true)) continue;
            for (size_t place = id.begin; place < id.end; place += resolved_[place] >> 16) {
                const Instruction one = at(resolved_, place);
                note(one);
                for (uint32_t i = 1; i < one.size; ++i) {
                    if (is_id(one, i)) open.push_back(one.words[i]);
                }
            }
        }
    }

    /// Which capabilities an instruction takes, of those that a device may lack.
    void note(const Instruction& one) {
        const uint32_t opcode = one.opcode();
        const auto     within = [&](uint32_t first, uint32_t last) { return opcode >= first && opcode <= last; };
        if (within(op_group_elect, op_group_quad_swap)) capabilities_.insert(capability_group);
        if (within(op_group_elect + 1, op_group_all_equal)) capabilities_.insert(capability_group_vote);
        if (within(op_group_all_equal + 1, op_group_ballot_find_msb)) capabilities_.insert(capability_group_ballot);
        if (within(op_group_shuffle, op_group_shuffle_xor)) capabilities_.insert(capability_group_shuffle);
        if (opcode == op_type_float && one.words[2] == 64) capabilities_.insert(capability_float64);
        if (opcode == op_type_int && one.words[2] == 64) {
            capabilities_.insert({capability_int64, capability_int64_atomics});
        }
        if (opcode == op_type_int && one.words[2] == 8) {
            capabilities_.insert({capability_int8, capability_storage_8bit, capability_storage_8bit_too});
        }
    }
    bool is_needed(uint32_t capability) const {
        constexpr uint32_t optional[] = {capability_float64,      capability_int64,        capability_int64_atomics,
                                         capability_int8,         capability_storage_8bit, capability_storage_8bit_too,
                                         capability_group,        capability_group_vote,   capability_group_ballot,
                                         capability_group_shuffle};
        return capabilities_.count(capability) > 0 ||
               std::find(std::begin(optional), std::end(optional), capability) == std::end(optional);
    }

    Words used_parts() {
        for (const uint32_t root : roots_) use(root);
        for (const uint32_t input : subgroup_inputs_) {
            if (ids_[input].used) capabilities_.insert(capability_group);
        }
        Words parts(module_.words, module_.words + Instructions::header_words);
        parts[3]   = static_cast<uint32_t>(ids_.size());
        bool keeps = true; // this function
        for (size_t place = 0; place < resolved_.size(); place += resolved_[place] >> 16) {
            const Instruction one    = at(resolved_, place);
            const uint32_t    opcode = one.opcode();
            if (opcode == op_function) keeps = ids_[one.words[2]].used;
            if (!keeps || (place < first_function_ && !is_used(one))) continue;
            const size_t begin = parts.size();
            append(parts, one);
            if (opcode == op_entry_point) {
                drop_unused_variables(parts, one);
                parts[begin] = static_cast<uint32_t>(parts.size() - begin) << 16 | opcode;
            }
        }
        return parts;
    }

    /// Whether something outside of functions is.
    bool is_used(const Instruction& one) const {
        if (const uint32_t id = global_of(one)) return ids_[id].used;
        switch (one.opcode()) {
            case op_decorate:
            case op_member_decorate:
            case op_type_forward_pointer: return ids_[one.words[1]].used;
            case op_capability: return is_needed(one.words[1]);
            default: return true;
        }
    }

    /// Of the entry point, `main`, which comes last in these words, and ends with the ids of the variables that it has.
    void drop_unused_variables(Words& words, const Instruction& entry_point) const {
        constexpr uint32_t before = 5;
        const auto         first  = words.end() - static_cast<std::ptrdiff_t>(entry_point.size - before);
        words.erase(std::remove_if(first, words.end(), [&](uint32_t id) { return !ids_[id].used; }), words.end());
    }

    const Shader& module_;
    const Words&  constants_;
    bool          in_functions_ = false, begins_ = false, leaves_out_ = false; // begins_: a function
    uint32_t      bool_type_ = 0, float_type_ = 0, block_ = 0;
    size_t        first_function_ = 0; ///< in resolved_

    std::vector<Id>                                   ids_;
    Words                                             globals_, code_, resolved_, roots_, subgroup_inputs_;
    std::optional<Instruction>                        merge_; ///< of the branch that follows
    std::set<uint32_t>                                int_types_, capabilities_;
    std::map<uint32_t, uint32_t>                      spec_ids_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> constants_by_value_; ///< by type and value
    std::set<std::pair<uint32_t, uint32_t>>           edges_;              ///< from block to block
};

} // namespace

std::vector<uint32_t> specialized(const Shader& module, const std::vector<uint32_t>& constants) {
    return Specializer(module, constants).run();
}

} // namespace vkprim
