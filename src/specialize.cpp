#include "specialize.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace vkprim {
namespace {

// Of the SPIR-V specification, section 3.49.
enum : uint32_t {
    op_entry_point         = 15,
    op_type_bool           = 20,
    op_type_int            = 21,
    op_constant_true       = 41,
    op_constant_false      = 42,
    op_constant            = 43,
    op_constant_composite  = 44,
    op_spec_constant_true  = 48,
    op_spec_constant_false = 49,
    op_spec_constant       = 50,
    op_spec_constant_comp  = 51,
    op_spec_constant_op    = 52,
    op_function            = 54,
    op_function_end        = 56,
    op_function_call       = 57,
    op_decorate            = 71,
    op_composite_construct = 80,
    op_bitcast             = 124,
    op_udiv                = 134,
    op_umod                = 137,
    op_iadd                = 128,
    op_isub                = 130,
    op_imul                = 132,
    op_logical_equal       = 164,
    op_logical_not_equal   = 165,
    op_logical_or          = 166,
    op_logical_and         = 167,
    op_logical_not         = 168,
    op_select              = 169,
    op_iequal              = 170,
    op_inot_equal          = 171,
    op_ugreater            = 172,
    op_sgreater            = 173,
    op_ugreater_equal      = 174,
    op_sgreater_equal      = 175,
    op_uless               = 176,
    op_sless               = 177,
    op_uless_equal         = 178,
    op_sless_equal         = 179,
    op_shift_right         = 194,
    op_shift_right_signed  = 195,
    op_shift_left          = 196,
    op_bit_or              = 197,
    op_bit_xor             = 198,
    op_bit_and             = 199,
    op_not                 = 200,
    op_phi                 = 245,
    op_loop_merge          = 246,
    op_selection_merge     = 247,
    op_label               = 248,
    op_branch              = 249,
    op_branch_conditional  = 250,
    op_switch              = 251,
    op_return              = 253,
    op_return_value        = 254,
    op_unreachable         = 255,
};
constexpr uint32_t decoration_spec_id = 1;
constexpr size_t   header_words       = 5;

using Words = std::vector<uint32_t>;

/// What an operation of 32-bit integers or of bools gives; nothing for others.
std::optional<uint32_t> evaluate(uint32_t opcode, const Words& v) {
    const auto s = [&](size_t i) { return static_cast<int32_t>(v[i]); };
    if (v.size() == 3) return opcode == op_select ? std::optional<uint32_t>(v[0] != 0 ? v[1] : v[2]) : std::nullopt;
    if (v.size() == 1) {
        switch (opcode) {
            case op_logical_not: return v[0] == 0;
            case op_not: return ~v[0];
            case op_bitcast: return v[0];
            default: return std::nullopt;
        }
    }
    if (v.size() != 2) return std::nullopt;
    switch (opcode) {
        case op_iadd: return v[0] + v[1];
        case op_isub: return v[0] - v[1];
        case op_imul: return v[0] * v[1];
        case op_udiv: return v[1] == 0 ? std::nullopt : std::optional<uint32_t>(v[0] / v[1]);
        case op_umod: return v[1] == 0 ? std::nullopt : std::optional<uint32_t>(v[0] % v[1]);
        case op_logical_equal:
        case op_iequal: return v[0] == v[1];
        case op_logical_not_equal:
        case op_inot_equal: return v[0] != v[1];
        case op_logical_or: return (v[0] | v[1]) != 0;
        case op_logical_and: return (v[0] & v[1]) != 0;
        case op_ugreater: return v[0] > v[1];
        case op_sgreater: return s(0) > s(1);
        case op_ugreater_equal: return v[0] >= v[1];
        case op_sgreater_equal: return s(0) >= s(1);
        case op_uless: return v[0] < v[1];
        case op_sless: return s(0) < s(1);
        case op_uless_equal: return v[0] <= v[1];
        case op_sless_equal: return s(0) <= s(1);
        case op_shift_right: return v[1] > 31 ? std::nullopt : std::optional<uint32_t>(v[0] >> v[1]);
        case op_shift_left: return v[1] > 31 ? std::nullopt : std::optional<uint32_t>(v[0] << v[1]);
        case op_bit_or: return v[0] | v[1];
        case op_bit_xor: return v[0] ^ v[1];
        case op_bit_and: return v[0] & v[1];
        default: return std::nullopt;
    }
}

class Specializer {
public:
    Specializer(const Shader& module, const Words& constants) : module_(module), constants_(constants) {}

    Words run() {
        const size_t count = module_.size / sizeof(uint32_t);
        bound_             = module_.words[3];
        for (size_t at = header_words; at < count;) {
            const uint32_t* const words = module_.words + at;
            const uint32_t        size = words[0] >> 16, opcode = words[0] & 0xffff;
            if (size == 0 || size > count - at) return {};
            at += size;
            if (opcode == op_function) in_functions_ = true;
            const bool understood = in_functions_ ? code(opcode, words, size) : global(opcode, words, size);
            if (!understood) return {};
        }
        return assemble();
    }

private:
    bool is_scalar(uint32_t type) const { return type == bool_type_ || int_types_.count(type) > 0; }

    std::optional<Words> known(const uint32_t* ids, uint32_t count) const {
        Words values;
        for (uint32_t i = 0; i < count; ++i) {
            const auto found = values_.find(ids[i]);
            if (found == values_.end()) return std::nullopt;
            values.push_back(found->second);
        }
        return values;
    }

    static void append(Words& words, uint32_t opcode, std::initializer_list<uint32_t> operands) {
        words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
        words.insert(words.end(), operands);
    }

    /// Declares a constant of 32 bits or a bool.
    void declare(uint32_t type, uint32_t id, uint32_t value) {
        if (type == bool_type_) {
            append(globals_, value != 0 ? op_constant_true : op_constant_false, {type, id});
        } else {
            append(globals_, op_constant, {type, id, value});
        }
        values_[id] = value;
        constants_by_value_.insert({{type, value}, id});
    }

    /// The id of one, which may be new.
    uint32_t constant(uint32_t type, uint32_t value) {
        const auto found = constants_by_value_.find({type, value});
        if (found != constants_by_value_.end()) return found->second;
        const uint32_t id = bound_++;
        declare(type, id, value);
        return id;
    }

    bool global(uint32_t opcode, const uint32_t* words, uint32_t size) {
        switch (opcode) {
            case op_entry_point: entry_point_ = words[2]; break;
            case op_type_bool: bool_type_ = words[1]; break;
            case op_type_int:
                if (words[2] == 32) int_types_.insert(words[1]);
                break;
            case op_decorate:
                if (words[2] != decoration_spec_id) break;
                spec_ids_[words[1]] = words[3];
                return true;
            case op_constant_true:
            case op_constant_false: declare(words[1], words[2], opcode == op_constant_true); return true;
            case op_constant:
                if (!is_scalar(words[1])) break;
                declare(words[1], words[2], words[3]);
                return true;
            case op_spec_constant_true:
            case op_spec_constant_false:
                declare(words[1], words[2], value_of(words[2], opcode == op_spec_constant_true) != 0);
                return true;
            case op_spec_constant:
                if (size != 4) return false;
                if (is_scalar(words[1])) {
                    declare(words[1], words[2], value_of(words[2], words[3]));
                } else { // a float
                    append(globals_, op_constant, {words[1], words[2], value_of(words[2], words[3])});
                }
                return true;
            case op_spec_constant_comp:
                globals_.push_back(size << 16 | op_constant_composite);
                globals_.insert(globals_.end(), words + 1, words + size);
                return true;
            case op_spec_constant_op: {
                const auto operands = known(words + 4, size - 4);
                const auto result   = operands && is_scalar(words[1]) ? evaluate(words[3], *operands) : std::nullopt;
                if (!result) break;
                declare(words[1], words[2], *result);
                return true;
            }
            default: break;
        }
        globals_.insert(globals_.end(), words, words + size);
        return true;
    }

    uint32_t value_of(uint32_t id, uint32_t otherwise) const {
        const auto found = spec_ids_.find(id);
        return found != spec_ids_.end() && found->second < constants_.size() ? constants_[found->second] : otherwise;
    }

    uint32_t named(uint32_t id) const {
        const auto found = other_names_.find(id);
        return found == other_names_.end() ? id : found->second;
    }

    /// A block may be entered; not one that was left out already.
    bool reach(uint32_t label) {
        reached_.insert(label);
        return left_out_.count(label) == 0;
    }
    bool go(uint32_t label) {
        edges_.insert({block_, label});
        return reach(label);
    }

    bool code(uint32_t opcode, const uint32_t* words, uint32_t size) {
        switch (opcode) {
            case op_function: first_block_ = true; break;
            case op_label:
                block_ = words[1];
                left_  = !first_block_ && reached_.count(block_) == 0;
                if (left_) left_out_.insert(block_);
                first_block_ = false;
                break;
            case op_function_end: left_ = false; break;
            default: break;
        }
        if (left_) {
            if (has_result(opcode) && size > 2) removed_.insert(words[2]);
            return true;
        }
        switch (opcode) {
            case op_selection_merge: merge_ = words; return true; // decided by the branch, which follows
            case op_loop_merge:
                if (!reach(words[1]) || !reach(words[2])) return false;
                break;
            case op_branch:
                if (!go(words[1])) return false;
                break;
            case op_branch_conditional: {
                const auto condition = values_.find(words[1]);
                if (condition != values_.end()) {
                    const uint32_t target = condition->second != 0 ? words[2] : words[3];
                    merge_                = nullptr;
                    append(code_, op_branch, {target});
                    return go(target);
                }
                if (!keep_merge() || !go(words[2]) || !go(words[3])) return false;
                break;
            }
            case op_switch: return false;
            case op_phi: {
                // Of those who come here, whom are there; who comes later is a loop's end.
                Words pairs;
                for (uint32_t i = 3; i + 1 < size; i += 2) {
                    const bool later = left_out_.count(words[i + 1]) == 0 && seen_.count(words[i + 1]) == 0;
                    if (later || edges_.count({words[i + 1], block_}) > 0)
                        pairs.insert(pairs.end(), {words[i], words[i + 1]});
                }
                if (pairs.size() == 2 && seen_.count(pairs[1]) > 0) {
                    rename(words[2], pairs[0]);
                    return true;
                }
                code_.push_back(static_cast<uint32_t>(pairs.size() + 3) << 16 | op_phi);
                code_.insert(code_.end(), words + 1, words + 3);
                code_.insert(code_.end(), pairs.begin(), pairs.end());
                return true;
            }
            case op_select: {
                const auto condition = values_.find(words[3]);
                if (condition == values_.end()) break;
                rename(words[2], condition->second != 0 ? words[4] : words[5]);
                return true;
            }
            default:
                if (size > 3 && is_scalar(words[1]) && opcode >= op_bitcast && opcode <= op_not) {
                    const auto operands = known(words + 3, size - 3);
                    const auto result   = operands ? evaluate(opcode, *operands) : std::nullopt;
                    if (!result) break;
                    rename(words[2], constant(words[1], *result));
                    return true;
                }
                break;
        }
        if (opcode == op_label) seen_.insert(block_);
        code_.insert(code_.end(), words, words + size);
        return true;
    }

    bool keep_merge() {
        if (!merge_) return true;
        const uint32_t* const merge = std::exchange(merge_, nullptr);
        code_.insert(code_.end(), merge, merge + 3);
        return reach(merge[1]);
    }

    /// In functions; with its type ahead of it.
    static bool has_result(uint32_t opcode) {
        constexpr uint32_t without[] = {56,  62,  63,  224, 225, 228, 245 + 1, 247,
                                        248, 249, 250, 251, 252, 253, 254,     255};
        return std::find(std::begin(without), std::end(without), opcode) == std::end(without);
    }

    void rename(uint32_t id, uint32_t other) {
        other            = named(other);
        other_names_[id] = other;
        removed_.insert(id);
        const auto value = values_.find(other);
        if (value != values_.end()) values_[id] = value->second;
    }

    /// With the new names; phis without those who never come.
    Words assemble() {
        Words all(module_.words, module_.words + header_words);
        all[3] = bound_;
        for (size_t at = 0; at < globals_.size();) { // without decorations of what is gone
            const uint32_t size = globals_[at] >> 16, opcode = globals_[at] & 0xffff;
            if (opcode != op_decorate || removed_.count(globals_[at + 1]) == 0)
                all.insert(all.end(), globals_.begin() + static_cast<std::ptrdiff_t>(at),
                           globals_.begin() + static_cast<std::ptrdiff_t>(at + size));
            at += size;
        }
        const auto called = called_functions();
        bool       keeps  = true;
        for (size_t at = 0; at < code_.size();) {
            const uint32_t size = code_[at] >> 16, opcode = code_[at] & 0xffff;
            const size_t   begin = all.size();
            if (opcode == op_function) keeps = called.count(code_[at + 2]) > 0;
            if (!keeps) {
                at += size;
                continue;
            }
            all.insert(all.end(), code_.begin() + static_cast<std::ptrdiff_t>(at),
                       code_.begin() + static_cast<std::ptrdiff_t>(at + size));
            at += size;
            if (opcode == op_phi) {
                Words phi(all.begin() + static_cast<std::ptrdiff_t>(begin),
                          all.begin() + static_cast<std::ptrdiff_t>(begin + 3));
                for (size_t i = begin + 3; i + 1 < all.size(); i += 2) {
                    if (left_out_.count(all[i + 1]) == 0) phi.insert(phi.end(), {named(all[i]), all[i + 1]});
                }
                phi[0] = static_cast<uint32_t>(phi.size()) << 16 | op_phi;
                all.resize(begin);
                all.insert(all.end(), phi.begin(), phi.end());
            } else {
                rename_operands(all, begin, opcode, size);
            }
        }
        return all;
    }

    /// By the entry point, and by those that it calls.
    std::unordered_set<uint32_t> called_functions() const {
        std::unordered_map<uint32_t, Words> calls;
        uint32_t                            function = 0;
        for (size_t at = 0; at < code_.size(); at += code_[at] >> 16) {
            const uint32_t opcode = code_[at] & 0xffff;
            if (opcode == op_function) function = code_[at + 2];
            if (opcode == op_function_call) calls[function].push_back(code_[at + 3]);
        }
        std::unordered_set<uint32_t> called;
        Words                        open{entry_point_};
        while (!open.empty()) {
            const uint32_t one = open.back();
            open.pop_back();
            if (called.insert(one).second) open.insert(open.end(), calls[one].begin(), calls[one].end());
        }
        return called;
    }

    /// Which words of an instruction are ids of values: all but literals.
    void rename_operands(Words& all, size_t begin, uint32_t opcode, uint32_t size) const;

    const Shader& module_;
    const Words&  constants_;
    uint32_t      bound_ = 0, bool_type_ = 0, block_ = 0, entry_point_ = 0;
    bool          in_functions_ = false, first_block_ = false, left_ = false;

    Words                                             globals_, code_;
    std::unordered_set<uint32_t>                      int_types_, reached_, left_out_, seen_, removed_;
    std::unordered_map<uint32_t, uint32_t>            spec_ids_, values_, other_names_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> constants_by_value_;
    struct Hash {
        size_t operator()(const std::pair<uint32_t, uint32_t>& pair) const {
            return std::hash<uint64_t>()(uint64_t{pair.first} << 32 | pair.second);
        }
    };
    std::unordered_set<std::pair<uint32_t, uint32_t>, Hash> edges_;
    const uint32_t*                                         merge_ = nullptr;
};

void Specializer::rename_operands(Words& all, size_t begin, uint32_t opcode, uint32_t size) const {
    // Literals: of extracts and inserts of composites, of memory accesses, of extended instructions and of merges.
    constexpr uint32_t op_ext_inst = 12, op_variable = 59, op_load = 61, op_store = 62, op_vector_shuffle = 79,
                       op_composite_extract = 81, op_composite_insert = 82, op_array_length = 68,
                       op_ballot_bit_count = 342, op_group_iadd = 349, op_group_logical_xor = 364;
    uint32_t first = 1, end = size;
    switch (opcode) {
        case op_function:
        case op_function_end:
        case op_label:
        case op_branch:
        case op_loop_merge:
        case op_selection_merge: return;
        case op_branch_conditional: end = 2; break;
        case op_load: end = 4; break;
        case op_store: end = 3; break;
        case op_composite_extract: end = 4; break;
        case op_composite_insert:
        case op_vector_shuffle: end = 5; break;
        case op_variable: return;
        default: break;
    }
    const bool has_literal = opcode == op_ext_inst || opcode == op_ballot_bit_count ||
                             (opcode >= op_group_iadd && opcode <= op_group_logical_xor) || opcode == op_array_length;
    for (uint32_t i = first; i < end; ++i) {
        if (has_literal && i == 4) continue;
        all[begin + i] = named(all[begin + i]);
    }
}

} // namespace

std::vector<uint32_t> specialized(const Shader& module, const std::vector<uint32_t>& constants) {
    return Specializer(module, constants).run();
}

} // namespace vkprim
