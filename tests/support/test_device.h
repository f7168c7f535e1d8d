// The devices that the tests run on, as the environment chooses them (tests/CMakeLists.txt sets it):
//     VKPRIM_TEST_ICD         pattern of the driver's ICD file; no such file is a skip
//     VKPRIM_TEST_DEVICE      part of the device's name, or "gpu" for any that is not software; no GPU is a skip
//     VKPRIM_TEST_SUBGROUP    the subgroup size that it must have
//     VKPRIM_TEST_VALIDATION  1: with core and synchronization validation, whose messages fail the run; gpu: with GPU-assisted
//                             validation, too
//     VKPRIM_TEST_HELP        how to get a driver that is missing
// Without these: the best device that there is.
#pragma once

#include <vkprim/runtime.h>

#include <string>

namespace vkprim::tests {

/// What the environment says; empty where it says nothing.
std::string environment(const char* name);

/// Sets the driver up. The value: why there is nothing to test on, which is a skip, or nothing. Throws
/// std::runtime_error where the device is another than the one asked for.
std::string choose_device();

/// The device of all tests. All its kind live until close_devices().
const runtime::Device& device();
const runtime::Device& device_without_int64_atomics();
const runtime::Device& device_without_subgroup_size_control();
const runtime::Device& device_with_profile(const Profile& profile); ///< always the same device
const runtime::Device& device_with_queues();                        ///< up to four of them

/// What validation reported on all of them so far.
uint32_t validation_messages();
void     close_devices();

} // namespace vkprim::tests
