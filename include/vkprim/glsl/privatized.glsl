// Histograms of values that your own shaders read or compute, such as the texels of a texture, with any descriptor sets. A workgroup counts
// in shared memory, in several copies to reduce contention, and adds its counts to yours at the end.
//
//     VKPRIM_DEFINE_HISTOGRAM(hue, 64, 8)
//     ...
//     hue_clear(gl_LocalInvocationIndex, gl_WorkGroupSize.x);
//     for (...) hue_count(bin, gl_LocalInvocationIndex);
//     VKPRIM_ADD_HISTOGRAM(hue, 64, counts, gl_LocalInvocationIndex, gl_WorkGroupSize.x)
//
// It needs no host code and no scratch, only the buffer of counts and, for VKPRIM_ARRIVE, one more uint. Zero-fill them before the first
// dispatch (vkCmdFillBuffer). Counts add up over dispatches, such as those for the mip levels of a texture, until you zero them again.
// After zeroing, record a barrier to the compute shader stage. Dispatches that only add need none between them; those with VKPRIM_ARRIVE do.
// Take as many workgroups as the device runs at once, each with many samples: adding costs one atomic for each bin and workgroup.
#ifndef VKPRIM_PRIVATIZED_GLSL
#define VKPRIM_PRIVATIZED_GLSL
#extension GL_KHR_memory_scope_semantics : require

// NAME_clear(index, size)  zeroes all counts. The whole workgroup must call it, in uniform control flow; `index` is the invocation's, 0 to
//                          size - 1, and `size` the workgroup's. It begins and ends with barrier().
// NAME_count(bin, index)   adds one to `bin`, which must be below BINS. Any invocation may call it. `index` % COPIES selects the copy:
//                          pass gl_LocalInvocationIndex, so that neighbours take different ones.
// NAME_total(bin)          returns the workgroup's count of a bin. Call barrier() between NAME_count and this.
// Each histogram takes COPIES * BINS words of shared memory.
//
// VKPRIM_ADD_HISTOGRAM
//             adds what the workgroup has counted to COUNTS[0] to COUNTS[BINS - 1], uints of a buffer: bound to a set, or behind an
//             address. By the whole workgroup, as NAME_clear; begins with a barrier. Its atomics are plain ones, of device scope: in a
//             shader with the Vulkan memory model they take vulkanMemoryModelDeviceScope.
//
// VKPRIM_ARRIVE
//             optional, after VKPRIM_ADD_HISTOGRAM: sets LAST, a shared bool, to true in the last workgroup to arrive, and to false in the
//             others. The last one sees all counts, so it can go on with them in the same dispatch. It must read them by atomics.
//             atomicExchange(COUNTS[bin], 0) also leaves zeros for the next dispatch. ARRIVALS: a uint of a buffer, zero before the
//             dispatch and again after it. WORKGROUPS: how many workgroups arrive. INDEX: the invocation's index in its workgroup.
//             By the whole workgroup. Its atomics and barriers are of device scope, too. No workgroup waits for another.
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

#define VKPRIM_ADD_HISTOGRAM(NAME, BINS, COUNTS, INDEX, SIZE)                                                               \
    {                                                                                                                \
        barrier();                                                                                                   \
        for (uint vkprim_first = 0; vkprim_first < (BINS); vkprim_first += (SIZE)) {                                 \
            uint vkprim_bin = vkprim_first + (INDEX), vkprim_total = NAME##_total(min(vkprim_bin, (BINS) - 1));      \
            if (vkprim_bin < (BINS) && vkprim_total != 0) atomicAdd(COUNTS[vkprim_bin], vkprim_total);               \
        }                                                                                                            \
    }

#define VKPRIM_ARRIVE(LAST, ARRIVALS, WORKGROUPS, INDEX)                                                                    \
    {                                                                                                                \
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,  \
                       gl_SemanticsAcquireRelease);                                                                  \
        if ((INDEX) == 0) {                                                                                          \
            memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);                    \
            LAST = atomicAdd(ARRIVALS, 1) == (WORKGROUPS) - 1;                                                       \
            if (LAST) atomicExchange(ARRIVALS, 0);                                                                   \
            memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);                    \
        }                                                                                                            \
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,  \
                       gl_SemanticsAcquireRelease);                                                                  \
    }

#endif
