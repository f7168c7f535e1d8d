// The C interface: errors, the device, and what primitives share.
#include <vkprim/reduction.h>
#include <vkprim/requirements.h>
#include <vkprim/tiles.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_requirements_query& c, RequirementsQuery& cpp) {
    visit(c.get_instance_proc_addr, cpp.get_instance_proc_addr);
    visit(c.instance, cpp.instance);
    visit(c.physical_device, cpp.physical_device);
    visit(c.api_version, cpp.api_version);
}

VkResult report(vkprim_error* error, vkprim_error_kind kind, VkResult code, const char* reason) noexcept {
    // A call may have made nothing, and yet its code is positive: VK_PIPELINE_COMPILE_REQUIRED. Whoever tests for < 0 would go on.
    const VkResult returned = code < 0 ? code : VK_ERROR_UNKNOWN;
    if (!error || error->struct_size < sizeof *error) return returned;
    error->kind = kind;
    error->code = code;
    if (error->reason && error->reason_size > 0) {
        const size_t length = std::min(std::strlen(reason), error->reason_size - 1);
        std::memcpy(error->reason, reason, length);
        error->reason[length] = '\0';
    }
    return returned;
}

VkResult report(vkprim_error* error, const Error& failure) noexcept {
    check_enum<vkprim_error_kind, ErrorKind>();
    return report(error, static_cast<vkprim_error_kind>(failure.kind), failure.code, failure.reason.c_str());
}

bool Reader::refuse(const std::string& what) {
    if (result_ == VK_SUCCESS) result_ = report(error_, Error(kind_, name_ + what));
    return false;
}

void Reader::list(const vkprim_profile_value* c, size_t count, std::map<std::string, uint32_t>& values) {
    if (count > 0 && !c) {
        refuse("->values is NULL");
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        if (!c[i].name || c[i].reserved != 0) {
            refuse("->values[" + std::to_string(i) + "] has no name, or a field `reserved` that is not 0");
            return;
        }
        values[c[i].name] = c[i].value;
    }
}

namespace {

/// The second of two calls, as in Vulkan, or the first, where `list` is null.
template <class Cpp, class C, class Convert>
VkResult fill_list(const std::vector<Cpp>& from, uint32_t* count, C* list, const Convert& convert) {
    const auto all    = static_cast<uint32_t>(from.size());
    const auto copied = list ? std::min(*count, all) : all;
    if (list) std::transform(from.begin(), from.begin() + copied, list, convert);
    *count = copied;
    return copied < all ? VK_INCOMPLETE : VK_SUCCESS;
}

} // namespace

static_assert(VKPRIM_CHUNK_STEP == chunk_step && VKPRIM_MAX_CHUNKED_COUNT == max_chunked_count &&
              VKPRIM_MAX_CHUNKED_LONG_COUNT == max_chunked_long_count);

} // namespace vkprim

using namespace vkprim;

void vkprim_error_init(vkprim_error* error, size_t struct_size) { write_back(vkprim_error{}, error, struct_size); }
void vkprim_features_init(vkprim_features* features, size_t struct_size) { init<Features>(features, struct_size); }
void vkprim_requirements_query_init(vkprim_requirements_query* query, size_t struct_size) {
    init<RequirementsQuery>(query, struct_size);
}
void vkprim_profile_init(vkprim_profile* profile, size_t struct_size) { init<Profile>(profile, struct_size); }
void vkprim_context_init(vkprim_context* context, size_t struct_size) { init<Context>(context, struct_size); }
void vkprim_own_operation_init(vkprim_own_operation* own, size_t struct_size) { init<OwnOperation>(own, struct_size); }

VkResult vkprim_query_requirements(const vkprim_requirements_query* query, vkprim_features* features,
                                   uint32_t* extension_count, const char** extensions, vkprim_error* error) {
    return guarded(error, [&] {
        Reader            reader(error);
        RequirementsQuery cpp_query;
        Features          ignored;
        if (!reader.read("query", ErrorKind::invalid_context, query, cpp_query) ||
            (features && !reader.read("features", ErrorKind::invalid_context, features, ignored))) {
            return reader.result();
        }
        const Result<Requirements> found = query_requirements(cpp_query);
        if (!found) return report(error, found.error());
        const auto& [wanted, names] = *found;
        if (features) write_back(written<vkprim_features>(wanted), features, features->struct_size);
        if (!extension_count) return VK_SUCCESS;
        return fill_list(names, extension_count, extensions, [](const char* name) { return name; });
    });
}

VkResult vkprim_merge_features(const vkprim_features* wanted, VkPhysicalDeviceFeatures2* chain,
                               vkprim_features* enabled, vkprim_error* error) {
    return guarded(error, [&] {
        Reader   reader(error);
        Features cpp_wanted, ignored;
        if (!reader.read("wanted", ErrorKind::invalid_context, wanted, cpp_wanted) ||
            !reader.read("enabled", ErrorKind::invalid_context, enabled, ignored)) {
            return reader.result();
        }
        if (!chain) {
            return report(error, Error(ErrorKind::invalid_context, "chain is NULL"));
        }
        write_back(written<vkprim_features>(merge_features(cpp_wanted, *chain)), enabled, enabled->struct_size);
        return VK_SUCCESS;
    });
}

VkResult vkprim_missing_structures(const vkprim_features* wanted, const VkPhysicalDeviceFeatures2* chain,
                                   uint32_t* count, vkprim_missing_structure* structures, vkprim_error* error) {
    return guarded(error, [&] {
        Reader   reader(error);
        Features cpp_wanted;
        if (!reader.read("wanted", ErrorKind::invalid_context, wanted, cpp_wanted)) return reader.result();
        if (!chain || !count) {
            return report(error, Error(ErrorKind::invalid_context, chain ? "count is NULL" : "chain is NULL"));
        }
        const std::vector<MissingStructure> missing = missing_structures(cpp_wanted, *chain);
        return fill_list(missing, count, structures, [](const MissingStructure& one) {
            return vkprim_missing_structure{one.type, 0, one.name, one.effect};
        });
    });
}

vkprim_element_type vkprim_output_type(vkprim_element_type type) {
    return static_cast<vkprim_element_type>(output_type(static_cast<ElementType>(type)));
}
uint64_t vkprim_identity_bits(vkprim_element_type type, vkprim_operation operation) {
    return identity_bits(static_cast<ElementType>(type), static_cast<Operation>(operation));
}
VkDeviceSize vkprim_tiles_scratch_size(uint32_t tiles, uint32_t element_words) {
    return tiles_scratch_size(tiles, element_words);
}
VkDeviceSize vkprim_reduction_scratch_size(uint32_t workgroups, uint32_t element_words) {
    return reduction_scratch_size(workgroups, element_words);
}
