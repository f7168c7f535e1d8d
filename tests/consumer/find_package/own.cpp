#include <vkprim/operations/aabb.h>
#include <vkprim/operations/longest.h>

static_assert(vkprim::operations::longest.reduce[0].size > 0 && !vkprim::operations::longest.scan[0].words);
static_assert(vkprim::operations::longest.segmented_reduce[1].size > 0);
static_assert(vkprim::operations::aabb.reduce[2].size > 0 && vkprim::operations::aabb.scan[2].size > 0);
