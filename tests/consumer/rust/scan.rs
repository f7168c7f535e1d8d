//! A prefix sum by the C interface, by plain FFI.
mod vulkan_setup;
use std::{ffi::c_void, mem, os::raw::c_char, ptr::null};
use vulkan_setup::*;

const COUNT: u32 = 1000003;

// docs begin
// The parts of vkprim.h that are used here. VkBool32 and enums have 32 bits.
#[repr(C)]
struct Error { struct_size: usize, kind: u32, code: i32, reason: *mut c_char, reason_size: usize }
#[repr(C)]
struct Features { struct_size: usize, features: [u32; 9], reserved: u32 }
#[repr(C)]
struct Query { struct_size: usize, get_instance_proc_addr: *const c_void, instance: Handle, physical_device: Handle, api_version: u32,
    reserved: u32 }
#[repr(C)]
struct Context { struct_size: usize, get_instance_proc_addr: *const c_void, instance: Handle, physical_device: Handle, device: Handle,
    features: *const Features, pipeline_cache: u64, allocator: *const c_void, profile: *const c_void, pipeline_flags: u32,
    api_version: u32 }
#[repr(C)]
struct ScanDesc { struct_size: usize, element_type: u32, operation: u32, kind: u32, waits: u32, aligned: u32, strided: u32,
    own: *const c_void }
#[repr(C)]
struct ScanArgs { struct_size: usize, input: u64, output: u64, scratch: u64, count_address: u64, count: u32, stride: u32, part: [u32; 2],
    indirect: [u64; 2], addresses: [u64; 4], words: [u32; 4] }

#[link(name = "vkprim")]
extern "C" {
    fn vkprim_error_init(error: *mut Error, struct_size: usize);
    fn vkprim_features_init(features: *mut Features, struct_size: usize);
    fn vkprim_requirements_query_init(query: *mut Query, struct_size: usize);
    fn vkprim_context_init(context: *mut Context, struct_size: usize);
    fn vkprim_query_requirements(query: *const Query, features: *mut Features, extension_count: *mut u32, extensions: *mut *const c_char,
        error: *mut Error) -> i32;
    fn vkprim_merge_features(wanted: *const Features, chain: *mut Features2, enabled: *mut Features, error: *mut Error) -> i32;
    fn vkprim_scan_desc_init(desc: *mut ScanDesc, struct_size: usize);
    fn vkprim_scan_args_init(args: *mut ScanArgs, struct_size: usize);
    fn vkprim_scan_create(context: *const Context, desc: *const ScanDesc, scan: *mut Handle, error: *mut Error) -> i32;
    fn vkprim_scan_destroy(scan: Handle);
    fn vkprim_scan_scratch_size(scan: Handle, args: *const ScanArgs, size: *mut u64, error: *mut Error) -> i32;
    fn vkprim_scan_validate(scan: Handle, args: *const ScanArgs, error: *mut Error) -> i32;
    fn vkprim_scan_record(scan: Handle, commands: Handle, args: *const ScanArgs, error: *mut Error) -> i32;
}

/// A struct with its defaults.
fn initial<T>(init: unsafe extern "C" fn(*mut T, usize)) -> T {
    let mut made = mem::MaybeUninit::<T>::uninit();
    unsafe { init(made.as_mut_ptr(), mem::size_of::<T>()); made.assume_init() }
}

/// Calls a function that takes a vkprim_error.
fn call(function: impl FnOnce(*mut Error) -> i32) {
    let mut reason = [0u8; 200];
    let mut error = Error { reason: reason.as_mut_ptr().cast(), reason_size: reason.len(), ..initial(vkprim_error_init) };
    if function(&mut error) < 0 { panic!("{}", String::from_utf8_lossy(&reason).trim_end_matches('\0')) }
}

fn main() {
    // Before vkCreateDevice: vkprim's features go into the chain beside the program's own.
    let instance = Instance::new();
    let (physical_device, name) = instance.first_device();
    let get_instance_proc_addr = vkGetInstanceProcAddr as *const c_void;
    let query = Query { get_instance_proc_addr, instance: instance.0, physical_device, ..initial(vkprim_requirements_query_init) };
    let (mut wanted, mut enabled) = (initial(vkprim_features_init), initial(vkprim_features_init));
    let (mut extensions, mut found) = ([null(); 8], 8);
    call(|error| unsafe { vkprim_query_requirements(&query, &mut wanted, &mut found, extensions.as_mut_ptr(), error) });
    let mut size_control = SizeControlFeatures { s_type: 1000225002, next: std::ptr::null_mut(), features: [0; 2] };
    let mut vulkan12 = Vulkan12Features { s_type: 51, next: &mut size_control, features: [0; 47] };
    let mut features = Features2 { s_type: 1000059000, next: &mut vulkan12, features: [0; 55] };
    call(|error| unsafe { vkprim_merge_features(&wanted, &mut features, &mut enabled, error) });
    let device = Device::new(physical_device, &features, &extensions[..found as usize]);

    // Once: the pipelines, and scratch memory, zero-filled.
    let context = Context { get_instance_proc_addr, instance: instance.0, physical_device, device: device.handle, features: &enabled,
        ..initial(vkprim_context_init) };
    let desc = ScanDesc { kind: 1, ..initial(vkprim_scan_desc_init) }; // VKPRIM_SCAN_INCLUSIVE
    let mut scan = std::ptr::null_mut();
    call(|error| unsafe { vkprim_scan_create(&context, &desc, &mut scan, error) });
    let (mut args, mut scratch_size) = (ScanArgs { count: COUNT, ..initial(vkprim_scan_args_init) }, 0);
    call(|error| unsafe { vkprim_scan_scratch_size(scan, &args, &mut scratch_size, error) });
    let scratch = Memory::new(&device, scratch_size);
    let mut data = Memory::new(&device, u64::from(COUNT) * 4);
    for (i, word) in data.words().iter_mut().enumerate() { *word = i as u32 % 1000 }

    // As often as you like: into any command buffer, between your own barriers.
    args = ScanArgs { input: data.address, output: data.address, scratch: scratch.address, ..args };
    call(|error| unsafe { vkprim_scan_validate(scan, &args, error) });
    device.run(|commands| call(|error| unsafe { vkprim_scan_record(scan, commands, &args, error) }));
    // docs end

    let mut sum = 0u32;
    for (i, &word) in data.words().iter().enumerate() {
        sum = sum.wrapping_add(i as u32 % 1000);
        assert!(word == sum, "element {} is {}, not {}", i, word, sum);
    }
    println!("Rust scanned {} elements on {}: right", COUNT, name);
    unsafe { vkprim_scan_destroy(scan) };
}
