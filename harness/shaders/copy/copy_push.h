#include <vkprim/glsl/push.h>

struct CopyPush {
    ADDRESS source;
    ADDRESS target;
    UINT    vectors; // of 16 bytes
};

#define COPY_VECTORS 4u
