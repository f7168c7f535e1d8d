#ifndef SEGMENTS_PUSH_H
#define SEGMENTS_PUSH_H

// What a workgroup does: segments.glsl.
#define SEGMENTS_LEAST_SHARE 64u // vectors
#define SEGMENTS_MOST_SHARE 4096u
#endif
