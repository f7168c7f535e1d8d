//! What any program with Vulkan has, by plain FFI: an instance, a device, memory, commands.
use std::ffi::{c_void, CStr};
use std::os::raw::c_char;
use std::ptr::{null, null_mut};

pub type Handle = *mut c_void;

#[repr(C)]
struct ApplicationInfo { s_type: u32, next: *const c_void, name: *const c_char, version: u32, engine: *const c_char, engine_version: u32,
    api_version: u32 }
#[repr(C)]
struct InstanceInfo { s_type: u32, next: *const c_void, flags: u32, application: *const ApplicationInfo, layer_count: u32,
    layers: *const c_void, extension_count: u32, extensions: *const c_void }
#[repr(C)]
#[derive(Clone, Copy)]
struct QueueFamily { flags: u32, count: u32, timestamp_bits: u32, granularity: [u32; 3] }
#[repr(C)]
struct QueueInfo { s_type: u32, next: *const c_void, flags: u32, family: u32, count: u32, priorities: *const f32 }
#[repr(C)]
struct DeviceInfo { s_type: u32, next: *const c_void, flags: u32, queue_count: u32, queues: *const QueueInfo, layer_count: u32,
    layers: *const c_void, extension_count: u32, extensions: *const *const c_char, features: *const c_void }
#[repr(C)]
pub struct SizeControlFeatures { pub s_type: u32, pub next: *mut c_void, pub features: [u32; 2] }
#[repr(C)]
pub struct Vulkan12Features { pub s_type: u32, pub next: *mut SizeControlFeatures, pub features: [u32; 47] }
#[repr(C)]
pub struct Features2 { pub s_type: u32, pub next: *mut Vulkan12Features, pub features: [u32; 55] }
#[repr(C)]
struct BufferInfo { s_type: u32, next: *const c_void, flags: u32, size: u64, usage: u32, sharing: u32, family_count: u32,
    families: *const u32 }
#[repr(C)]
struct MemoryNeeds { size: u64, alignment: u64, types: u32 }
#[repr(C)]
struct MemoryTypes { count: u32, types: [[u32; 2]; 32], heap_count: u32, heaps: [u64; 32] }
#[repr(C)]
struct AllocateFlags { s_type: u32, next: *const c_void, flags: u32, device_mask: u32 }
#[repr(C)]
struct AllocateInfo { s_type: u32, next: *const AllocateFlags, size: u64, kind: u32 }
#[repr(C)]
struct AddressInfo { s_type: u32, next: *const c_void, buffer: u64 }
#[repr(C)]
struct PoolInfo { s_type: u32, next: *const c_void, flags: u32, family: u32 }
#[repr(C)]
struct CommandsInfo { s_type: u32, next: *const c_void, pool: u64, level: u32, count: u32 }
#[repr(C)]
struct BeginInfo { s_type: u32, next: *const c_void, flags: u32, inheritance: *const c_void }
#[repr(C)]
struct Barrier { s_type: u32, next: *const c_void, source: u32, target: u32 }
#[repr(C)]
struct SubmitInfo { s_type: u32, next: *const c_void, wait_count: u32, waits: *const u64, stages: *const u32, count: u32,
    commands: *const Handle, signal_count: u32, signals: *const u64 }

#[allow(non_snake_case)]
#[link(name = "vulkan")]
extern "C" {
    pub fn vkGetInstanceProcAddr(instance: Handle, name: *const c_char) -> *const c_void;
    fn vkCreateInstance(info: *const InstanceInfo, allocator: *const c_void, instance: *mut Handle) -> i32;
    fn vkDestroyInstance(instance: Handle, allocator: *const c_void);
    fn vkEnumeratePhysicalDevices(instance: Handle, count: *mut u32, devices: *mut Handle) -> i32;
    fn vkGetPhysicalDeviceProperties(device: Handle, properties: *mut [u32; 256]);
    fn vkGetPhysicalDeviceQueueFamilyProperties(device: Handle, count: *mut u32, families: *mut QueueFamily);
    fn vkGetPhysicalDeviceMemoryProperties(device: Handle, types: *mut MemoryTypes);
    fn vkCreateDevice(physical: Handle, info: *const DeviceInfo, allocator: *const c_void, device: *mut Handle) -> i32;
    fn vkDestroyDevice(device: Handle, allocator: *const c_void);
    fn vkGetDeviceQueue(device: Handle, family: u32, index: u32, queue: *mut Handle);
    fn vkCreateBuffer(device: Handle, info: *const BufferInfo, allocator: *const c_void, buffer: *mut u64) -> i32;
    fn vkDestroyBuffer(device: Handle, buffer: u64, allocator: *const c_void);
    fn vkGetBufferMemoryRequirements(device: Handle, buffer: u64, needs: *mut MemoryNeeds);
    fn vkAllocateMemory(device: Handle, info: *const AllocateInfo, allocator: *const c_void, memory: *mut u64) -> i32;
    fn vkFreeMemory(device: Handle, memory: u64, allocator: *const c_void);
    fn vkBindBufferMemory(device: Handle, buffer: u64, memory: u64, offset: u64) -> i32;
    fn vkMapMemory(device: Handle, memory: u64, offset: u64, size: u64, flags: u32, data: *mut *mut u32) -> i32;
    fn vkGetBufferDeviceAddress(device: Handle, info: *const AddressInfo) -> u64;
    fn vkCreateCommandPool(device: Handle, info: *const PoolInfo, allocator: *const c_void, pool: *mut u64) -> i32;
    fn vkDestroyCommandPool(device: Handle, pool: u64, allocator: *const c_void);
    fn vkAllocateCommandBuffers(device: Handle, info: *const CommandsInfo, commands: *mut Handle) -> i32;
    fn vkBeginCommandBuffer(commands: Handle, info: *const BeginInfo) -> i32;
    fn vkEndCommandBuffer(commands: Handle) -> i32;
    fn vkCmdPipelineBarrier(commands: Handle, source: u32, target: u32, flags: u32, memory_count: u32, memory: *const Barrier,
        buffer_count: u32, buffers: *const c_void, image_count: u32, images: *const c_void);
    fn vkQueueSubmit(queue: Handle, count: u32, submits: *const SubmitInfo, fence: u64) -> i32;
    fn vkQueueWaitIdle(queue: Handle) -> i32;
}

fn check(result: i32) { assert!(result == 0, "a Vulkan call failed with VkResult {}", result); }

pub struct Instance(pub Handle);

impl Instance {
    pub fn new() -> Instance {
        let application = ApplicationInfo { s_type: 0, next: null(), name: null(), version: 0, engine: null(), engine_version: 0,
            api_version: 1 << 22 | 3 << 12 };
        let info = InstanceInfo { s_type: 1, next: null(), flags: 0, application: &application, layer_count: 0, layers: null(),
            extension_count: 0, extensions: null() };
        let mut instance = null_mut();
        check(unsafe { vkCreateInstance(&info, null(), &mut instance) });
        Instance(instance)
    }

    /// The first physical device, and its name.
    pub fn first_device(&self) -> (Handle, String) {
        let (mut device, mut found, mut properties) = (null_mut(), 1, [0u32; 256]);
        unsafe {
            vkEnumeratePhysicalDevices(self.0, &mut found, &mut device);
            assert!(found == 1, "there is no Vulkan device");
            vkGetPhysicalDeviceProperties(device, &mut properties);
            (device, CStr::from_ptr(properties[5..].as_ptr().cast()).to_string_lossy().into_owned())
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) { unsafe { vkDestroyInstance(self.0, null()) } }
}

/// A device with a queue that computes.
pub struct Device { physical: Handle, pub handle: Handle, queue: Handle, pool: u64 }

impl Device {
    pub fn new(physical: Handle, features: &Features2, extensions: &[*const c_char]) -> Device {
        let mut device = Device { physical, handle: null_mut(), queue: null_mut(), pool: 0 };
        let mut families = [QueueFamily { flags: 0, count: 0, timestamp_bits: 0, granularity: [0; 3] }; 16];
        let (mut found, priority) = (16, 1f32);
        unsafe {
            vkGetPhysicalDeviceQueueFamilyProperties(physical, &mut found, families.as_mut_ptr());
            let family = families[..found as usize].iter().position(|family| family.flags & 2 != 0).expect("no queue computes") as u32;
            let queue = QueueInfo { s_type: 2, next: null(), flags: 0, family, count: 1, priorities: &priority };
            let info = DeviceInfo { s_type: 3, next: (features as *const Features2).cast(), flags: 0, queue_count: 1, queues: &queue,
                layer_count: 0, layers: null(), extension_count: extensions.len() as u32, extensions: extensions.as_ptr(),
                features: null() };
            check(vkCreateDevice(physical, &info, null(), &mut device.handle));
            vkGetDeviceQueue(device.handle, family, 0, &mut device.queue);
            check(vkCreateCommandPool(device.handle, &PoolInfo { s_type: 39, next: null(), flags: 0, family }, null(), &mut device.pool));
        }
        device
    }

    /// Calls `record` with a command buffer, submits it and waits; the host then sees what shaders have written.
    pub fn run(&self, record: impl FnOnce(Handle)) {
        let mut commands = null_mut();
        unsafe {
            check(vkAllocateCommandBuffers(self.handle, &CommandsInfo { s_type: 40, next: null(), pool: self.pool, level: 0, count: 1 },
                &mut commands));
            check(vkBeginCommandBuffer(commands, &BeginInfo { s_type: 42, next: null(), flags: 0, inheritance: null() }));
            record(commands);
            let to_host = Barrier { s_type: 46, next: null(), source: 0x40, target: 0x2000 }; // shader writes, host reads
            vkCmdPipelineBarrier(commands, 0x800, 0x4000, 0, 1, &to_host, 0, null(), 0, null());
            check(vkEndCommandBuffer(commands));
            let submit = SubmitInfo { s_type: 4, next: null(), wait_count: 0, waits: null(), stages: null(), count: 1, commands: &commands,
                signal_count: 0, signals: null() };
            check(vkQueueSubmit(self.queue, 1, &submit, 0));
            check(vkQueueWaitIdle(self.queue));
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        unsafe {
            vkDestroyCommandPool(self.handle, self.pool, null());
            vkDestroyDevice(self.handle, null());
        }
    }
}

/// A buffer in memory that host and device see, full of zeros.
pub struct Memory<'a> { device: &'a Device, buffer: u64, memory: u64, pub address: u64, mapped: *mut u32, count: usize }

impl<'a> Memory<'a> {
    pub fn new(device: &'a Device, size: u64) -> Memory<'a> {
        let (mut buffer, mut memory, mut mapped) = (0, 0, null_mut());
        let mut needs = MemoryNeeds { size: 0, alignment: 0, types: 0 };
        let mut types = MemoryTypes { count: 0, types: [[0; 2]; 32], heap_count: 0, heaps: [0; 32] };
        unsafe {
            check(vkCreateBuffer(device.handle, &BufferInfo { s_type: 12, next: null(), flags: 0, size, usage: 0x20020, sharing: 0,
                family_count: 0, families: null() }, null(), &mut buffer));
            vkGetBufferMemoryRequirements(device.handle, buffer, &mut needs);
            vkGetPhysicalDeviceMemoryProperties(device.physical, &mut types);

    
            let kind = (0..types.count).find(|&i| needs.types >> i & 1 != 0 && types.types[i as usize][0] & 6 == 6);
            let kind = kind.expect("no memory is seen by host and device");

            let flags = AllocateFlags { s_type: 1000060000, next: null(), flags: 2, device_mask: 0 };
            check(vkAllocateMemory(device.handle, &AllocateInfo { s_type: 5, next: &flags, size: needs.size, kind }, null(), &mut memory));
            check(vkBindBufferMemory(device.handle, buffer, memory, 0));
            check(vkMapMemory(device.handle, memory, 0, u64::MAX, 0, &mut mapped));
            mapped.write_bytes(0, size as usize / 4);
            let address = vkGetBufferDeviceAddress(device.handle, &AddressInfo { s_type: 1000244001, next: null(), buffer });
            Memory { device, buffer, memory, address, mapped, count: size as usize / 4 }
        }
    }

    pub fn words(&mut self) -> &mut [u32] { unsafe { std::slice::from_raw_parts_mut(self.mapped, self.count) } }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        unsafe {
            vkDestroyBuffer(self.device.handle, self.buffer, null());
            vkFreeMemory(self.device.handle, self.memory, null());
        }
    }
}
