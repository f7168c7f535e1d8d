// A workgroup's own histogram in shared memory, in several copies, so that equal samples meet less. No host code belongs to it.
//
//     VKPRIM_DEFINE_HISTOGRAM(hue, 64, 8)
//     ...
//     hue_clear(gl_LocalInvocationIndex, gl_WorkGroupSize.x);
//     for (...) hue_count(bin, gl_LocalInvocationIndex);
//     barrier();
//     if (gl_LocalInvocationIndex < 64) atomicAdd(counts.at[gl_LocalInvocationIndex], hue_total(gl_LocalInvocationIndex));
#ifndef VKPRIM_PRIVATIZED_GLSL
#define VKPRIM_PRIVATIZED_GLSL
#extension GL_KHR_memory_scope_semantics : require

// NAME_clear  zeroes all counts; by the whole workgroup, with indices 0 to size - 1; begins and ends with a barrier
// NAME_count  adds one to a bin below BINS
// NAME_total  what was counted, behind a barrier
// COPIES * BINS words of shared memory.
#define VKPRIM_DEFINE_HISTOGRAM(NAME, BINS, COPIES)                                                                         \
    shared uint NAME##_counts[(BINS) * (COPIES)];                                                                    \
    void NAME##_clear(uint index, uint size) {                                                                       \
        barrier();                                                                                                   \
        for (uint first = 0; first < (BINS) * (COPIES); first += size) {                                             \
            if (first + index < (BINS) * (COPIES)) NAME##_counts[first + index] = 0;                                 \
        }                                                                                                            \
        barrier();                                                                                                   \
    }                                                                                                                \
    void NAME##_count(uint bin, uint index) {                                                                        \
        atomicAdd(NAME##_counts[bin * (COPIES) + index % (COPIES)], 1, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);   \
    }                                                                                                                \
    uint NAME##_total(uint bin) {                                                                                    \
        uint total = 0;                                                                                              \
        for (uint copy = 0; copy < (COPIES); ++copy) total += NAME##_counts[bin * (COPIES) + (bin + copy) % (COPIES)]; \
        return total;                                                                                                \
    }

#endif
