#!/usr/bin/python3
"""A prefix sum of a numpy array by the C interface. The environment variable VKPRIM_LIBRARY names the shared library."""
import ctypes
import os
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p, sizeof

import numpy

from vulkan_setup import Device, Features2, SizeControlFeatures, Vulkan12Features, create_instance, device_name, first_device, struct, vk

COUNT = 1000003
instance = create_instance()
physical_device = first_device(instance)

# docs begin
vkprim = ctypes.CDLL(os.environ["VKPRIM_LIBRARY"])

# The structs of vkprim.h that are used here. VkBool32 and enums have 32 bits.
Error = struct("Error", struct_size=c_size_t, kind=c_int, code=c_int, reason=c_char_p, reason_size=c_size_t)
Features = struct("Features", struct_size=c_size_t, features=c_uint32 * 9, reserved=c_uint32)
Query = struct("Query", struct_size=c_size_t, get_instance_proc_addr=c_void_p, instance=c_void_p, physical_device=c_void_p,
               api_version=c_uint32, reserved=c_uint32)
Context = struct("Context", struct_size=c_size_t, get_instance_proc_addr=c_void_p, instance=c_void_p, physical_device=c_void_p,
                 device=c_void_p, features=ctypes.POINTER(Features), pipeline_cache=c_uint64, allocator=c_void_p, profile=c_void_p,
                 pipeline_flags=c_uint32, api_version=c_uint32)
ScanDesc = struct("ScanDesc", struct_size=c_size_t, type=c_int, operation=c_int, kind=c_int, waits=c_uint32, aligned=c_uint32,
                  strided=c_uint32, own=c_void_p)
ScanArgs = struct("ScanArgs", struct_size=c_size_t, input=c_uint64, output=c_uint64, scratch=c_uint64, count_address=c_uint64,
                  count=c_uint32, stride=c_uint32, part=c_uint32 * 2, indirect=c_uint64 * 2, addresses=c_uint64 * 4, words=c_uint32 * 4)


def initial(layout, init, **fields):
    """A struct with its defaults, except for `fields`."""
    made = layout()
    init(byref(made), c_size_t(sizeof(made)))
    for name, value in fields.items():
        setattr(made, name, value)
    return made


reason = ctypes.create_string_buffer(200)
error = initial(Error, vkprim.vkprim_error_init, reason=ctypes.cast(reason, c_char_p), reason_size=sizeof(reason))


def call(function, *arguments):
    """Calls a function whose last parameter is a vkprim_error."""
    if function(*arguments, byref(error)) < 0:
        raise RuntimeError(reason.value.decode())


# Before vkCreateDevice: vkprim's features go into the chain beside the program's own.
known = dict(get_instance_proc_addr=ctypes.cast(vk.vkGetInstanceProcAddr, c_void_p), instance=instance, physical_device=physical_device)
query = initial(Query, vkprim.vkprim_requirements_query_init, **known)
wanted, enabled = (initial(Features, vkprim.vkprim_features_init) for _ in range(2))
extensions, found = (c_char_p * 8)(), c_uint32(8)
call(vkprim.vkprim_query_requirements, byref(query), byref(wanted), byref(found), extensions)
size_control = SizeControlFeatures(sType=1000225002)
vulkan12 = Vulkan12Features(sType=51, pNext=ctypes.addressof(size_control))
features = Features2(sType=1000059000, pNext=ctypes.addressof(vulkan12))
call(vkprim.vkprim_merge_features, byref(wanted), byref(features), byref(enabled))
device = Device(physical_device, features, extensions[:found.value])

# Once: the pipelines, scratch memory, zero-filled, and a numpy array that the device sees.
context = initial(Context, vkprim.vkprim_context_init, **known, device=device.handle, features=ctypes.pointer(enabled))
desc = initial(ScanDesc, vkprim.vkprim_scan_desc_init, kind=1)  # VKPRIM_SCAN_INCLUSIVE
scan = c_void_p()
call(vkprim.vkprim_scan_create, byref(context), byref(desc), byref(scan))
args, scratch_size = initial(ScanArgs, vkprim.vkprim_scan_args_init, count=COUNT), c_uint64()
call(vkprim.vkprim_scan_scratch_size, scan, byref(args), byref(scratch_size))
scratch, _ = device.memory(scratch_size.value)
data, array = device.memory(COUNT * 4)
array[:] = numpy.arange(COUNT, dtype=numpy.uint32) % 1000

# As often as you like: into any command buffer, between your own barriers.
expected = numpy.cumsum(array, dtype=numpy.uint32)
args.input, args.output, args.scratch = data, data, scratch  # in place
call(vkprim.vkprim_scan_validate, scan, byref(args))
device.run(lambda commands: call(vkprim.vkprim_scan_record, scan, commands, byref(args)))
# docs end

numpy.testing.assert_array_equal(array, expected)
print(f"Python scanned {COUNT} elements on {device_name(physical_device)}: right")
vkprim.vkprim_scan_destroy(scan)
device.destroy()
vk.vkDestroyInstance(instance, None)
