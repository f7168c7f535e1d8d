// For GLSL and C++: how totals are folded.
#ifndef CHUNKS_TOTALS_H
#define CHUNKS_TOTALS_H
#include <vkprim/glsl/detail/push.h>

#define CHUNKS_FAN 256u // totals in a group, which a workgroup of as many invocations folds
#endif
