#ifndef VKPRIM_COPY_PUSH_H
#define VKPRIM_COPY_PUSH_H
#include <vkprim/glsl/detail/push.h>

struct CopyPush {
    VKPRIM_ADDRESS source;
    VKPRIM_ADDRESS target;
    VKPRIM_UINT    vectors; // of 16 bytes
};

#define COPY_VECTORS 4u

#endif
