/* What Mesa's stand-ins for kernel drivers (drm-shim, of Mesa 26.1) do not know of newer GPUs. A library to preload ahead of them:
 *
 *     gcc -shared -fPIC -O2 scripts/stand-in.c -o libvkprim_stand_in.so
 *
 * The numbers are those of the kernel's interface (include/uapi/drm) and of NVIDIA's and Broadcom's public headers of their hardware. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { own_commands = 0x40 }; /* the first number of a driver's own */

/* What a channel of a GPU takes: which classes of each kind of methods. */
struct nouveau_classes {
    uint8_t head[24]; /* version and kind of the request, object */
    uint8_t version, count, padding[6];
    struct {
        int32_t number;
        int16_t least, most;
    } classes[];
};
enum { nouveau_request = own_commands + 0x07, classes_of_channel = 1 };
static const int32_t ada[]       = {0xa140, 0xc7b5, 0x902d, 0xc997, 0xc9c0}; /* AD102: memory, copies, 2D, 3D, compute */
static const int32_t blackwell[] = {0xcd40, 0xcab5, 0x902d, 0xce97, 0xcec0}; /* GB202 */

static int answer_nouveau(unsigned long request, void* argument) {
    const char* const             chipset = getenv("NOUVEAU_CHIPSET");
    const unsigned long           number  = chipset ? strtoul(chipset, NULL, 16) : 0;
    struct nouveau_classes* const answer  = argument;
    if (number < 0x190 || _IOC_NR(request) != nouveau_request || answer->head[1] != classes_of_channel) return -1;
    const int32_t* const known = number < 0x1a0 ? ada : blackwell;
    if (answer->count > 5) answer->count = 5;
    for (int i = 0; i < answer->count; ++i) {
        answer->classes[i].number = known[i];
        answer->classes[i].least = answer->classes[i].most = -1;
    }
    return 0;
}

/* What the kernel says of Broadcom's GPUs: registers, and what it can do. */
struct v3d_parameter {
    uint32_t number, padding;
    uint64_t value;
};
enum { v3d_get_parameter = own_commands + 0x04, v3d_submit_compute = own_commands + 0x07, v3d_last = own_commands + 0x0d };
enum { wait_for_objects = 0xc3, wait_for_points = 0xca };
enum { v3d_has_monitors = 10, v3d_submits_several = 11, v3d_has_cpu_queue = 12, v3d_last_parameter = 16 };
/* V3D 7.1 with three slices of four units, as in a Raspberry Pi 5: of the hub its kind of memory and identity 1 to 3, of the core identity 0 to 2. */
static const uint32_t v3d_71[] = {0x45, 0x000e1124, 0x100, 0x600, 0x07443356, 0x81001431, 0x40078121};

static int answer_v3d(unsigned long request, void* argument) {
    /* Waits end at once, maybe before a thread of the driver submits what is waited for; it would then use what the program has destroyed. */
    if (_IOC_NR(request) == wait_for_objects || _IOC_NR(request) == wait_for_points) usleep(100000);
    if (_IOC_NR(request) >= v3d_submit_compute && _IOC_NR(request) <= v3d_last) return 0; /* as done */
    if (_IOC_NR(request) != v3d_get_parameter) return -1;
    struct v3d_parameter* const answer = argument;
    if (answer->number >= v3d_has_monitors && answer->number <= v3d_last_parameter)
        answer->value = answer->number == v3d_submits_several || answer->number == v3d_has_cpu_queue;
    else if (strcmp(getenv("V3D_GPU_ID"), "71") == 0 && answer->number < sizeof v3d_71 / sizeof v3d_71[0])
        answer->value = v3d_71[answer->number];
    else
        return -1;
    return 0;
}

/* Behind the stand-in, libdrm has no name for V3D's file. It is the first GPU's. */
static int open_next(const char* function, const char* path, int flags, unsigned mode) {
    int (*const next)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, function);
    return next(getenv("V3D_GPU_ID") && path[0] == 0 ? "/dev/dri/renderD128" : path, flags, mode);
}

#define OPEN(function)                                  \
    int function(const char* path, int flags, ...) {    \
        va_list list;                                   \
        va_start(list, flags);                          \
        const unsigned mode = va_arg(list, unsigned);   \
        va_end(list);                                   \
        return open_next(#function, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int ioctl(int file, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void* const argument = va_arg(list, void*);
    va_end(list);
    if (_IOC_TYPE(request) == 'd') {
        if (getenv("NOUVEAU_CHIPSET") && answer_nouveau(request, argument) == 0) return 0;
        if (getenv("V3D_GPU_ID") && answer_v3d(request, argument) == 0) return 0;
    }
    int (*const next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    return next(file, request, argument);
}
