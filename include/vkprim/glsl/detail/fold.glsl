// How the totals of workgroups become one within a dispatch: the last workgroup to arrive folds the totals of all (the threadfence
// reduction of the CUDA samples). Groups of 256 totals are folded in pairs, and then the groups' totals. The order depends on the number of
// totals alone.
//
// Before including this file, a shader defines VKPRIM_FOLD_SCRATCH, the address of scratch, and the constant VKPRIM_FOLD_ORDERED: whether
// an arrival is signalled only after its total is in memory. Its workgroups have VKPRIM_FOLD_FAN invocations or more.
#ifndef VKPRIM_FOLD_GLSL
#define VKPRIM_FOLD_GLSL
#include "fold.h"
#include "scratch.h"
#include "words.glsl"
#include "workgroup.glsl"

// Which of scratch's elements is word `word` of a fold. Word 0 counts arrivals, and for integers adds them up. Behind it, for others, the
// members' totals. Fold 0 is that of all, and fold 1 + g of group g. Who has several folds side by side defines VKPRIM_FOLD_PLACE.
#ifndef VKPRIM_FOLD_PLACE
#define VKPRIM_FOLD_PLACE(fold, word) ((fold) * (1 + VKPRIM_FOLD_FAN) + (word))
#endif

uvec2 vkprim_fold_address(uint fold, uint word) {
    return vkprim_address_add(VKPRIM_FOLD_SCRATCH, vkprim_scratch_offset(VKPRIM_SCRATCH_ZERO_STRIPE, VKPRIM_SLOTS_OF(VKPRIM_FOLD_PLACE(fold, word))));
}

// Hands in the total of one member of a fold. True for the last of all to do so: `total` is then that of all of them, and the
// fold's words are zero again.
bool vkprim_fold_in(uint fold, uint member, uint members, inout VKPRIM_ELEMENT total) {
    uint arrived = 0;
    if (vkprim_invocation() == 0) {
        vkprim_word_publish(vkprim_fold_address(fold, 1 + member), total);
        // Release before the arrival, acquire by the last one: it finds the totals of all who have arrived.
        if (VKPRIM_FOLD_ORDERED) memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
        arrived = atomicAdd(vkprim_Words(vkprim_fold_address(fold, 0)).at[0], 1, VKPRIM_DEVICE_RELAXED);
        if (VKPRIM_FOLD_ORDERED && arrived == members - 1) {
            memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
        }
        vkprim_workgroup_word = arrived;
    }
    if (VKPRIM_FOLD_ORDERED) vkprim_barrier_with_buffers();
    else barrier();
    if (vkprim_workgroup_word != members - 1) return false;
    vkprim_WordPoll poll =
        vkprim_WordPoll(vkprim_fold_address(fold, 1 + vkprim_invocation()), vkprim_invocation() >= members, vkprim_element_identity());
    vkprim_poll_once(poll);
    // Without that order, a total may come after its arrival. It has been stored by an invocation that has gone on since, so this
    // waits for memory, not for a workgroup: src/tuning/reduce.h says on which devices. The bound, tens of milliseconds, is for scratch that was
    // never zero-filled, which may count arrivals that never were. Elsewhere, a total that came later yet would stay in scratch, which
    // the next operation is to find zero.
    if (!VKPRIM_FOLD_ORDERED) {
        for (uint polls = 0; polls < 65536 && !vkprim_subgroup_all(poll.there); ++polls) vkprim_poll_once(poll);
    }
    if (vkprim_invocation() < members) vkprim_word_clear(poll.address);
    if (vkprim_invocation() == 0) vkprim_word_clear(vkprim_fold_address(fold, 0));
    total = vkprim_workgroup_reduce(poll.word);
    return true;
}

// Hands in the total of workgroup `member` of so many, at most VKPRIM_FOLD_FAN * VKPRIM_FOLD_FAN. True for one of them: `total` is then
// that of all, in each of its invocations.
bool vkprim_fold(uint member, uint members, inout VKPRIM_ELEMENT total) {
    // Groups of VKPRIM_FOLD_FAN workgroups, and then those groups.
    for (; members > 1; members = vkprim_fold_groups(members), member /= VKPRIM_FOLD_FAN) {
        uint begin = member & ~(VKPRIM_FOLD_FAN - 1);
        uint fold = members > VKPRIM_FOLD_FAN ? 1 + begin / VKPRIM_FOLD_FAN : 0;
        if (!vkprim_fold_in(fold, member - begin, min(members - begin, VKPRIM_FOLD_FAN), total)) return false;
    }
    return true;
}

#endif
