/* An operation that comes with vkprim, as vkprim_operation() in CMake makes it for C. */
#include <vkprim/operations/saturating_add.h>

int has_modules(void);

int has_modules(void) {
    const vkprim_own_operation* own = &vkprim_operations_saturating_add;
    return own->scan[0].size > 0 && own->scan[2].words && !own->reduce[0].words;
}
