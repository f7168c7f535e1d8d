#include <vkprim/reduction.h>

#include <vkprim/glsl/detail/fold.h>
#include <vkprim/glsl/detail/scratch.h>

namespace vkprim {

VkDeviceSize reduction_scratch_size(uint32_t workgroups, uint32_t element_words) {
    return vkprim_scratch_bytes(vkprim_fold_elements(workgroups) * vkprim_scratch_slots(element_words));
}

} // namespace vkprim
