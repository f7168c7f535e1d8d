// What the functions of the C interface share: they read the structs of vkprim.h into those of the C++ headers, and turn a Result into a
// VkResult. For each pair of structs there is a function each_field(), which names each pair of fields. It serves reading, defaults, and
// the checks of fields.h.
#pragma once

#include <vkprim/chunks.h>
#include <vkprim/core.h>
#include <vkprim/operation.h>
#include <vkprim/segments.h>
#include <vkprim/vkprim.h>

#include "fields.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_features& c, Features& cpp) {
    visit(c.buffer_device_address, cpp.buffer_device_address);
    visit(c.vulkan_memory_model, cpp.vulkan_memory_model);
    visit(c.vulkan_memory_model_device_scope, cpp.vulkan_memory_model_device_scope);
    visit(c.shader_int64, cpp.shader_int64);
    visit(c.shader_buffer_int64_atomics, cpp.shader_buffer_int64_atomics);
    visit(c.subgroup_size_control, cpp.subgroup_size_control);
    visit(c.compute_full_subgroups, cpp.compute_full_subgroups);
    visit(c.storage_buffer_8bit_access, cpp.storage_buffer_8bit_access);
    visit(c.shader_float64, cpp.shader_float64);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_part& c, Part& cpp) {
    visit(c.number, cpp.number);
    visit(c.parts, cpp.parts);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_segments& c, Segments& cpp) {
    visit(c.count, cpp.count);
    visit(c.offset_size, cpp.offset_size);
    visit(c.count_address, cpp.count_address);
    visit(c.offsets, cpp.offsets);
    visit(c.pitch, cpp.pitch);
    visit(c.longest, cpp.longest);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_grid& c, Grid& cpp) {
    visit(c.elements, cpp.elements);
    visit(c.least, cpp.least);
    visit(c.most, cpp.most);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_indirect& c, Indirect& cpp) {
    visit(c.buffer, cpp.buffer);
    visit(c.offset, cpp.offset);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_parameters& c, Parameters& cpp) {
    visit(c.addresses, cpp.addresses);
    visit(c.words, cpp.words);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_module& c, OwnOperation::Module& cpp) {
    visit(c.words, cpp.words);
    visit(c.size, cpp.size);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_own_operation& c, OwnOperation& cpp) {
    visit(c.reduce, cpp.reduce);
    visit(c.scan, cpp.scan);
    visit(c.compact, cpp.compact);
    visit(c.segmented_reduce, cpp.segmented_reduce);
    visit(c.segmented_scan, cpp.segmented_scan);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_chunk& c, Chunk& cpp) {
    visit(c.begin, cpp.begin);
    visit(c.count, cpp.count);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_totals_range& c, TotalsRange& cpp) {
    visit(c.offset, cpp.offset);
    visit(c.size, cpp.size);
}

/// All of Context but on_pipeline and parallel_for.
template <class Visit>
void each_field(Visit& visit, vkprim_context& c, Context& cpp) {
    visit(c.get_instance_proc_addr, cpp.get_instance_proc_addr);
    visit(c.instance, cpp.instance);
    visit(c.physical_device, cpp.physical_device);
    visit(c.device, cpp.device);
    visit(c.features, cpp.features);
    visit(c.pipeline_cache, cpp.pipeline_cache);
    visit(c.allocator, cpp.allocator);
    visit(c.profile, cpp.profile);
    visit(c.pipeline_flags, cpp.pipeline_flags);
    visit(c.api_version, cpp.api_version);
}
template <>
constexpr void check_fields<vkprim_context, Context>() {
    static_assert(field_count<vkprim_context>() == 11 && field_count<Context>() == 12,
                  "each_field() must visit all fields of vkprim_context, and of Context");
}

template <class Visit>
void each_field(Visit& visit, vkprim_profile& c, Profile& cpp) {
    visit(c.vendor_id, cpp.vendor_id);
    visit(c.device_id, cpp.device_id);
    visit.list(c.values, c.value_count, cpp.values);
}
template <>
constexpr void check_fields<vkprim_profile, Profile>() {
    static_assert(field_count<vkprim_profile>() == 5 && field_count<Profile>() == 3,
                  "each_field() must visit all fields of vkprim_profile, and of Profile");
}

/// Gives C fields the values of C++ fields. Pointers to structs become null, and lists empty.
struct Writer {
    template <class C, class Cpp>
    void operator()(C& c, Cpp& cpp) {
        if constexpr (std::is_array_v<C>) {
            for (size_t i = 0; i < std::extent_v<C>; ++i) (*this)(c[i], cpp[i]);
        } else if constexpr (std::is_class_v<C>) {
            each_field(*this, c, cpp);
        } else if constexpr (std::is_pointer_v<C> && !std::is_same_v<C, Cpp>) {
            c = nullptr;
        } else {
            c = static_cast<C>(cpp);
        }
    }
    template <class Value, class Values>
    void list(const Value*& values, size_t& count, const Values&) {
        values = nullptr;
        count  = 0;
    }
};

template <class C, class Cpp>
C written(Cpp cpp) {
    check_fields<C, Cpp>();
    C      c{};
    Writer writer;
    each_field(writer, c, cpp);
    return c;
}

/// Writes as much of `full` as a caller's struct of `struct_size` bytes has, and zeros to what it has beyond.
template <class C>
void write_back(const C& full, C* c, size_t struct_size) {
    if (!c || struct_size < sizeof c->struct_size) return;
    std::memset(static_cast<void*>(c), 0, struct_size);
    std::memcpy(static_cast<void*>(c), &full, std::min(struct_size, sizeof full));
    c->struct_size = struct_size;
}

/// An _init function: the defaults of the C++ struct.
template <class Cpp, class C>
void init(C* c, size_t struct_size) noexcept {
    write_back(written<C>(Cpp{}), c, struct_size);
}

/// Whether a field of a C struct ends at its byte `size`.
struct EndFinder {
    const void* first;
    size_t      size;
    bool        found = false;

    template <class C, class Cpp>
    void operator()(const C& c, const Cpp&) {
        const auto* const end = reinterpret_cast<const char*>(&c + 1);
        found                 = found || static_cast<size_t>(end - static_cast<const char*>(first)) == size;
    }
    template <class Value, class Values>
    void list(const Value*& values, size_t& count, const Values& cpp) {
        (*this)(values, cpp);
        (*this)(count, cpp);
    }
};

/// Writes what went wrong to a caller's struct, if there is one. The value: what a function returns that fails with `code`.
VkResult report(vkprim_error* error, vkprim_error_kind kind, VkResult code, const char* reason) noexcept;
VkResult report(vkprim_error* error, const Error& failure) noexcept;

/// Reads a caller's structs. What their pointers lead to lives as long as the reader. Of several errors, the first is reported.
class Reader {
public:
    explicit Reader(vkprim_error* error) : error_(error) {}

    /// Reads `*given`, which reasons call `name`, and whose errors are of `kind`. False where it cannot be read.
    template <class C, class Cpp>
    bool read(const char* name, ErrorKind kind, const C* given, Cpp& to) {
        name_ = name;
        kind_ = kind;
        C full;
        if (fill(given, to, full)) each_field(*this, full, to);
        return result_ == VK_SUCCESS;
    }

    VkResult result() const { return result_; } ///< of all that was read

    // For each_field().
    template <class C, class Cpp>
    void operator()(C& c, Cpp& cpp) {
        if constexpr (std::is_array_v<C>) {
            for (size_t i = 0; i < std::extent_v<C>; ++i) (*this)(c[i], cpp[i]);
        } else if constexpr (std::is_class_v<C>) {
            check_fields<C, Cpp>();
            if (!reserved_is_zero(c)) refuse(" has a field `reserved` that is not 0");
            each_field(*this, c, cpp);
        } else if constexpr (std::is_enum_v<Cpp>) {
            check_enum<C, Cpp>();
            cpp = static_cast<Cpp>(c);
        } else if constexpr (std::is_same_v<Cpp, bool>) {
            static_assert(std::is_same_v<C, VkBool32>);
            cpp = c != VK_FALSE;
        } else {
            static_assert(std::is_same_v<C, Cpp>, "the two fields differ in type");
            cpp = c;
        }
    }
    void operator()(const vkprim_own_operation*& c, const OwnOperation*& cpp) {
        if (c) cpp = follow("own", ErrorKind::invalid_desc, c, own_);
    }
    void operator()(const vkprim_features*& c, Features& cpp) {
        if (c) cpp = *follow("features", ErrorKind::invalid_context, c, features_);
    }
    void operator()(const vkprim_profile*& c, const Profile*& cpp) {
        if (c) cpp = follow("profile", ErrorKind::invalid_profile, c, profile_);
    }
    void list(const vkprim_profile_value* c, size_t count, std::map<std::string, uint32_t>& values);

private:
    /// Sets `full` to the defaults, which are those of `to`, with what `given` has in their place. False where struct_size is one that no
    /// version has had, and where fields are set that this version does not know.
    template <class C, class Cpp>
    bool fill(const C* given, Cpp& to, C& full) {
        if (!given) return refuse(" is NULL");
        full              = written<C>(to);
        const size_t size = given->struct_size, known = std::min(size, sizeof(C));
        EndFinder    finder{&full, known, known == sizeof(size_t) || known == sizeof(C)};
        each_field(finder, full, to);
        if constexpr (reserved_size < C >> 0) finder(full.reserved, to);
        if (size > largest_struct || !finder.found) {
            return refuse("->struct_size is " + std::to_string(size) + ": its _init function sets the right one");
        }
        const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
        if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; })) {
            return refuse(" has fields that this version of the library does not know, and they are not 0");
        }
        std::memcpy(static_cast<void*>(&full), given, known);
        return reserved_is_zero(full) || refuse("->reserved is not 0");
    }

    /// Reads what a pointer in a struct leads to.
    template <class C, class Cpp>
    const Cpp* follow(const char* name, ErrorKind kind, const C* c, std::optional<Cpp>& kept) {
        const char* const outer_name = name_;
        const ErrorKind   outer_kind = kind_;
        read(name, kind, c, kept.emplace());
        name_ = outer_name;
        kind_ = outer_kind;
        return &*kept;
    }

    /// The value: false.
    bool refuse(const std::string& what);

    static constexpr size_t largest_struct = 4096; ///< bytes; nobody has set a larger struct_size

    vkprim_error*               error_;
    ErrorKind                   kind_   = ErrorKind::other;
    const char*                 name_   = "";
    VkResult                    result_ = VK_SUCCESS;
    std::optional<OwnOperation> own_;
    std::optional<Features>     features_;
    std::optional<Profile>      profile_;
};

/// Calls `work`, which returns a VkResult. No exception leaves this function.
template <class Work>
VkResult guarded(vkprim_error* error, const Work& work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return report(error, VKPRIM_ERROR_VULKAN, VK_ERROR_OUT_OF_HOST_MEMORY, "the host has no memory left");
    } catch (...) {
        return report(error, VKPRIM_ERROR_OTHER, VK_ERROR_UNKNOWN, "the library failed for an unknown reason");
    }
}

/// A _create function. `Handle` has one member, the C++ object.
template <class Handle, class Desc>
VkResult create_handle(const vkprim_context* context, const Desc* desc, Handle** handle, vkprim_error* error) {
    using Primitive = decltype(Handle::object);
    return guarded(error, [&] {
        if (!handle) {
            return report(error, Error(ErrorKind::invalid_args, "the handle is NULL"));
        }
        *handle = nullptr;
        Reader                   reader(error);
        Context                  cpp_context;
        typename Primitive::Desc cpp_desc;
        if (!reader.read("context", ErrorKind::invalid_context, context, cpp_context) ||
            !reader.read("desc", ErrorKind::invalid_desc, desc, cpp_desc)) {
            return reader.result();
        }
        Result<Primitive> created = Primitive::create(cpp_context, cpp_desc);
        if (!created) return report(error, created.error());
        *handle = new Handle{*std::move(created)};
        return VK_SUCCESS;
    });
}

/// A function with args: calls `work` with the C++ object and the C++ args.
template <class CppArgs, class Handle, class Args, class Work>
VkResult with_args(const Handle* handle, const Args* args, vkprim_error* error, const Work& work) {
    return guarded(error, [&] {
        if (!handle) {
            return report(error, Error(ErrorKind::invalid_args, "the handle is NULL"));
        }
        Reader  reader(error);
        CppArgs cpp_args;
        if (!reader.read("args", ErrorKind::invalid_args, args, cpp_args)) return reader.result();
        return work(handle->object, cpp_args);
    });
}

/// A _validate function.
template <class CppArgs, class Handle, class Args>
VkResult validate_args(const Handle* handle, const Args* args, vkprim_error* error) {
    return with_args<CppArgs>(handle, args, error, [&](const auto& object, const CppArgs& cpp_args) {
        const Result<void> valid = object.validate(cpp_args);
        return valid ? VK_SUCCESS : report(error, valid.error());
    });
}

/// A _record function.
template <class Primitive, class CppArgs, class Handle, class Args>
VkResult record_args(void (Primitive::*record)(VkCommandBuffer, const CppArgs&) const, const Handle* handle,
                     VkCommandBuffer commands, const Args* args, vkprim_error* error) {
    return with_args<CppArgs>(handle, args, error, [&](const Primitive& object, const CppArgs& cpp_args) {
        (object.*record)(commands, cpp_args);
        return VK_SUCCESS;
    });
}

/// A _grid function.
template <class CppArgs, class Handle, class Args>
VkResult grid_of(const Handle* handle, const Args* args, vkprim_grid* grid, vkprim_error* error) {
    return with_args<CppArgs>(handle, args, error, [&](const auto& object, const CppArgs& cpp_args) {
        if (!grid) return report(error, Error(ErrorKind::invalid_args, "grid is NULL"));
        *grid = written<vkprim_grid>(object.grid(cpp_args));
        return VK_SUCCESS;
    });
}

/// A _scratch_size or _temporary_size function.
template <class Primitive, class CppArgs, class Handle, class Args>
VkResult size_of(VkDeviceSize (Primitive::*size_function)(const CppArgs&) const, const Handle* handle, const Args* args,
                 VkDeviceSize* size, vkprim_error* error) {
    return with_args<CppArgs>(handle, args, error, [&](const Primitive& object, const CppArgs& cpp_args) {
        if (!size) return report(error, Error(ErrorKind::invalid_args, "size is NULL"));
        *size = (object.*size_function)(cpp_args);
        return VK_SUCCESS;
    });
}

} // namespace vkprim

// The functions that primitives have, alike but for their names. VKPRIM_SKIN(scan, Scan) has those of all but the chunked ones: vkprim_scan_desc_init(),
// vkprim_scan_args_init(), vkprim_scan_create(), vkprim_scan_destroy(), vkprim_scan_scratch_size(), vkprim_scan_validate(),
// vkprim_scan_record().

#define VKPRIM_SKIN(name, Primitive)                                          \
    VKPRIM_SKIN_HANDLE(name, Primitive)                                       \
    VKPRIM_SKIN_INIT(name##_args, Primitive::Args)                            \
    VKPRIM_SKIN_SIZE(name, Primitive, scratch_size)                           \
    VKPRIM_SKIN_VALIDATE(name##_validate, name, name##_args, Primitive::Args) \
    VKPRIM_SKIN_RECORD(name##_record, name, name##_args, &Primitive::record)

#define VKPRIM_SKIN_HANDLE(name, Primitive)                                                          \
    struct vkprim_##name {                                                                           \
        Primitive object;                                                                            \
    };                                                                                               \
    VKPRIM_SKIN_INIT(name##_desc, Primitive::Desc)                                                   \
    VkResult vkprim_##name##_create(const vkprim_context* context, const vkprim_##name##_desc* desc, \
                                    vkprim_##name** handle, vkprim_error* error) {                   \
        return create_handle(context, desc, handle, error);                                          \
    }                                                                                                \
    void vkprim_##name##_destroy(vkprim_##name* handle) { delete handle; }

#define VKPRIM_SKIN_INIT(name, Cpp) \
    void vkprim_##name##_init(vkprim_##name* to, size_t struct_size) { init<Cpp>(to, struct_size); }

#define VKPRIM_SKIN_VALIDATE(function, name, name_args, CppArgs)                                                   \
    VkResult vkprim_##function(const vkprim_##name* handle, const vkprim_##name_args* args, vkprim_error* error) { \
        return validate_args<CppArgs>(handle, args, error);                                                        \
    }

#define VKPRIM_SKIN_RECORD(function, name, name_args, record)                                                         \
    VkResult vkprim_##function(const vkprim_##name* handle, VkCommandBuffer commands, const vkprim_##name_args* args, \
                               vkprim_error* error) {                                                                 \
        return record_args(record, handle, commands, args, error);                                                    \
    }

#define VKPRIM_SKIN_GRID(name, Primitive)                                                                           \
    VkResult vkprim_##name##_grid(const vkprim_##name* handle, const vkprim_##name##_args* args, vkprim_grid* grid, \
                                  vkprim_error* error) {                                                            \
        return grid_of<Primitive::Args>(handle, args, grid, error);                                                 \
    }

/// scratch_size() or temporary_size().
#define VKPRIM_SKIN_SIZE(name, Primitive, which)                                                    \
    VkResult vkprim_##name##_##which(const vkprim_##name* handle, const vkprim_##name##_args* args, \
                                     VkDeviceSize* size, vkprim_error* error) {                     \
        return size_of(&Primitive::which, handle, args, size, error);                               \
    }
