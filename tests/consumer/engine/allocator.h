// Allocation callbacks that count, and know their own blocks again.
#pragma once

#include <algorithm>
#include <atomic>
#include <new>

#include "../plain_vulkan.h"

struct Allocator {
    std::atomic<int64_t>  live{0}, all{0};
    VkAllocationCallbacks callbacks{this, allocate, reallocate, release, nullptr, nullptr};

    struct alignas(32) Block { // lies before the memory
        Allocator* owner;
        void*      begin;
        size_t     size;
    };

    static void* VKAPI_CALL allocate(void* user, size_t size, size_t alignment, VkSystemAllocationScope) {
        const size_t room  = std::max(alignment, sizeof(Block));
        char* const  begin = static_cast<char*>(std::aligned_alloc(room, (room + size + room - 1) / room * room));
        if (!begin) return nullptr;
        const auto owner = static_cast<Allocator*>(user);
        ++owner->live;
        ++owner->all;
        new (begin + room - sizeof(Block)) Block{owner, begin, size};
        return begin + room;
    }
    static void VKAPI_CALL release(void* user, void* memory) {
        if (!memory) return;
        const Block block = static_cast<Block*>(memory)[-1];
        if (block.owner != user) fail("memory goes back to callbacks that it does not come from");
        --block.owner->live;
        std::free(block.begin);
    }
    static void* VKAPI_CALL reallocate(void* user, void* old, size_t size, size_t alignment,
                                       VkSystemAllocationScope scope) {
        void* const moved = size ? allocate(user, size, alignment, scope) : nullptr;
        if (size && !moved) return nullptr;
        if (old && moved) std::memcpy(moved, old, std::min(size, static_cast<Block*>(old)[-1].size));
        release(user, old);
        return moved;
    }
};
