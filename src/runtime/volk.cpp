// The one translation unit that compiles volk.
#define VOLK_IMPLEMENTATION
#include <volk.h>
