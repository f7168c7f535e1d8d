"""What any program with Vulkan has, by ctypes: an instance, a device, memory as numpy arrays, commands."""
import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_float, c_uint32, c_uint64, c_void_p, pointer

import numpy

vk = ctypes.CDLL("libvulkan.so.1")
vk.vkGetBufferDeviceAddress.restype = c_uint64


def struct(name, **fields):
    return type(name, (Structure,), {"_fields_": list(fields.items())})


def info(name, **fields):  # one that begins as most of Vulkan's do
    return struct(name, sType=c_uint32, pNext=c_void_p, **fields)


ApplicationInfo = info("ApplicationInfo", application=c_char_p, version=c_uint32, engine=c_char_p, engine_version=c_uint32,
                       api_version=c_uint32)
InstanceInfo = info("InstanceInfo", flags=c_uint32, application=POINTER(ApplicationInfo), layer_count=c_uint32, layers=c_void_p,
                    extension_count=c_uint32, extensions=c_void_p)
QueueFamily = struct("QueueFamily", flags=c_uint32, count=c_uint32, timestamp_bits=c_uint32, granularity=c_uint32 * 3)
QueueInfo = info("QueueInfo", flags=c_uint32, family=c_uint32, count=c_uint32, priorities=POINTER(c_float))
DeviceInfo = info("DeviceInfo", flags=c_uint32, queue_count=c_uint32, queues=POINTER(QueueInfo), layer_count=c_uint32, layers=c_void_p,
                  extension_count=c_uint32, extensions=POINTER(c_char_p), features=c_void_p)
Features2 = info("Features2", features=c_uint32 * 55)
Vulkan12Features = info("Vulkan12Features", features=c_uint32 * 47)
SizeControlFeatures = info("SizeControlFeatures", features=c_uint32 * 2)
BufferInfo = info("BufferInfo", flags=c_uint32, size=c_uint64, usage=c_uint32, sharing=c_uint32, family_count=c_uint32, families=c_void_p)
MemoryNeeds = struct("MemoryNeeds", size=c_uint64, alignment=c_uint64, types=c_uint32)
MemoryTypes = struct("MemoryTypes", count=c_uint32, types=c_uint32 * 2 * 32, heap_count=c_uint32, heaps=c_uint64 * 32)
AllocateFlags = info("AllocateFlags", flags=c_uint32, device_mask=c_uint32)
AllocateInfo = info("AllocateInfo", size=c_uint64, type=c_uint32)
AddressInfo = info("AddressInfo", buffer=c_uint64)
PoolInfo = info("PoolInfo", flags=c_uint32, family=c_uint32)
CommandsInfo = info("CommandsInfo", pool=c_uint64, level=c_uint32, count=c_uint32)
BeginInfo = info("BeginInfo", flags=c_uint32, inheritance=c_void_p)
Barrier = info("Barrier", source=c_uint32, target=c_uint32)
SubmitInfo = info("SubmitInfo", wait_count=c_uint32, waits=c_void_p, stages=c_void_p, count=c_uint32, commands=POINTER(c_void_p),
                  signal_count=c_uint32, signals=c_void_p)


def check(result):
    if result != 0:
        raise RuntimeError(f"a Vulkan call failed with VkResult {result}")


def create_instance():
    instance = c_void_p()
    application = ApplicationInfo(sType=0, api_version=1 << 22 | 3 << 12)  # Vulkan 1.3; a device may be older
    check(vk.vkCreateInstance(byref(InstanceInfo(sType=1, application=pointer(application))), None, byref(instance)))
    return instance


def first_device(instance):
    device, found = c_void_p(), c_uint32(1)
    vk.vkEnumeratePhysicalDevices(instance, byref(found), byref(device))
    if not device:
        raise RuntimeError("there is no Vulkan device")
    return device


def device_name(physical_device):
    properties = ctypes.create_string_buffer(1024)
    vk.vkGetPhysicalDeviceProperties(physical_device, properties)
    return ctypes.string_at(ctypes.addressof(properties) + 20).decode()


class Device:
    """A device with a queue that computes."""

    def __init__(self, physical_device, features, extensions):
        self.physical_device, self.handle, self.queue, self.pool = physical_device, c_void_p(), c_void_p(), c_uint64()
        families, found = (QueueFamily * 16)(), c_uint32(16)
        vk.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, byref(found), families)
        family = next(i for i in range(found.value) if families[i].flags & 2)
        queue = QueueInfo(sType=2, family=family, count=1, priorities=pointer(c_float(1)))
        names = (c_char_p * len(extensions))(*extensions)
        create = DeviceInfo(sType=3, pNext=ctypes.addressof(features), queue_count=1, queues=pointer(queue),
                            extension_count=len(extensions), extensions=names)
        check(vk.vkCreateDevice(physical_device, byref(create), None, byref(self.handle)))
        vk.vkGetDeviceQueue(self.handle, family, 0, byref(self.queue))
        check(vk.vkCreateCommandPool(self.handle, byref(PoolInfo(sType=39, family=family)), None, byref(self.pool)))

    def memory(self, size):
        """A buffer of at least `size` bytes that host and device see, full of zeros: its address, and a numpy array of it."""
        buffer, memory, mapped, needs, types = c_uint64(), c_uint64(), c_void_p(), MemoryNeeds(), MemoryTypes()
        check(vk.vkCreateBuffer(self.handle, byref(BufferInfo(sType=12, size=size, usage=0x20020)), None, byref(buffer)))
        vk.vkGetBufferMemoryRequirements(self.handle, buffer, byref(needs))
        vk.vkGetPhysicalDeviceMemoryProperties(self.physical_device, byref(types))
        kind = next(i for i in range(types.count) if needs.types >> i & 1 and types.types[i][0] & 6 == 6)
        flags = AllocateFlags(sType=1000060000, flags=2)
        allocate = AllocateInfo(sType=5, pNext=ctypes.addressof(flags), size=needs.size, type=kind)
        check(vk.vkAllocateMemory(self.handle, byref(allocate), None, byref(memory)))
        check(vk.vkBindBufferMemory(self.handle, buffer, memory, c_uint64(0)))
        check(vk.vkMapMemory(self.handle, memory, c_uint64(0), c_uint64(2**64 - 1), 0, byref(mapped)))
        array = numpy.ctypeslib.as_array((c_uint32 * (size // 4)).from_address(mapped.value))
        array[:] = 0
        self.owned = getattr(self, "owned", []) + [(buffer, memory)]
        return vk.vkGetBufferDeviceAddress(self.handle, byref(AddressInfo(sType=1000244001, buffer=buffer.value))), array

    def run(self, record):
        """Calls `record` with a command buffer, submits it and waits; the host then sees what shaders have written."""
        commands = c_void_p()
        check(vk.vkAllocateCommandBuffers(self.handle, byref(CommandsInfo(sType=40, pool=self.pool.value, count=1)), byref(commands)))
        check(vk.vkBeginCommandBuffer(commands, byref(BeginInfo(sType=42))))
        record(commands)
        to_host = Barrier(sType=46, source=0x40, target=0x2000)  # shader writes, host reads
        vk.vkCmdPipelineBarrier(commands, 0x800, 0x4000, 0, 1, byref(to_host), 0, None, 0, None)
        check(vk.vkEndCommandBuffer(commands))
        submit = SubmitInfo(sType=4, count=1, commands=pointer(commands))
        check(vk.vkQueueSubmit(self.queue, 1, byref(submit), c_uint64(0)))
        check(vk.vkQueueWaitIdle(self.queue))

    def destroy(self):
        for buffer, memory in self.owned:
            vk.vkDestroyBuffer(self.handle, buffer, None)
            vk.vkFreeMemory(self.handle, memory, None)
        vk.vkDestroyCommandPool(self.handle, self.pool, None)
        vk.vkDestroyDevice(self.handle, None)
