#include <vkprim/scan.h>

#ifndef ENGINE_HEADERS
#error "vkprim has taken other Vulkan headers than the engine's"
#endif
