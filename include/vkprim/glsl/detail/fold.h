// The layout of the words of scratch that fold.glsl uses, for GLSL and C++: in each fold, one for the arrivals, and one for each total.
#ifndef VKPRIM_FOLD_H
#define VKPRIM_FOLD_H
#include "push.h"

#define VKPRIM_FOLD_FAN 256u // workgroups in a group, and groups, at most

/// Groups of that many workgroups.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_fold_groups(VKPRIM_UINT members) { return (members + VKPRIM_FOLD_FAN - 1u) / VKPRIM_FOLD_FAN; }

/// Elements in scratch: of one fold, or of one of all groups and one for each of them.
VKPRIM_FUNCTION VKPRIM_UINT vkprim_fold_elements(VKPRIM_UINT members) {
    return members <= VKPRIM_FOLD_FAN ? 1u + members : (1u + VKPRIM_FOLD_FAN) * (1u + vkprim_fold_groups(members));
}
#endif
