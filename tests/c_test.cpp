// The C interface: each function's result, structs of other sizes, and errors. That structs and enums agree with the C++ headers is
// checked while src/c is compiled.
#include <vkprim/indirect.h>
#include <vkprim/operations/affine_u32.h>
#include <vkprim/reduction.h>
#include <vkprim/requirements.h>
#include <vkprim/tiles.h>
#include <vkprim/top.h>
#include <vkprim/vkprim.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <numeric>
#include <regex>
#include <set>

#include "../src/c/skin.h"
#include "harness/harness.h"
#include "support/memory.h"
#include "support/program.h"
#include "support/spy.h"

namespace vkprim::tests::c_interface {

/// What a struct with `reserved` becomes in a later version, and the C++ struct that it stands for.
struct later_desc {
    size_t      struct_size;
    uint32_t    values;
    uint32_t    reserved;
    const void* next;
};
struct Later {
    uint32_t    values = 1;
    const void* next   = nullptr;
};
template <class Visit>
constexpr void each_field(Visit& visit, later_desc& c, Later& cpp) {
    visit(c.values, cpp.values);
    visit(c.next, cpp.next);
}

namespace {

using Words = std::vector<uint32_t>;

/// What an _init function makes of memory with any content.
template <class C>
C initial(void (*init)(C*, size_t)) {
    C c;
    std::memset(static_cast<void*>(&c), 0xcd, sizeof c);
    init(&c, sizeof c);
    return c;
}

/// A caller's vkprim_error.
struct Failure {
    char         text[300] = "untouched";
    vkprim_error error     = initial(vkprim_error_init);

    Failure() {
        error.reason      = text;
        error.reason_size = sizeof text;
    }

    void need(VkResult result) {
        INFO(text);
        REQUIRE(result == VK_SUCCESS);
    }

    void check(VkResult result, vkprim_error_kind kind, VkResult code, const std::string& word) {
        CAPTURE(word, text);
        CHECK(result == code);
        CHECK(error.code == code);
        CHECK(error.kind == kind);
        CHECK(std::string(text).find(word) != std::string::npos);
        std::strcpy(text, "untouched");
    }
    void check_args(VkResult result, const std::string& word) {
        check(result, VKPRIM_ERROR_INVALID_ARGS, VK_ERROR_VALIDATION_FAILED_EXT, word);
    }
    void check_desc(VkResult result, const std::string& word) {
        check(result, VKPRIM_ERROR_INVALID_DESC, VK_ERROR_FORMAT_NOT_SUPPORTED, word);
    }
};

vkprim_features c_features(const Features& features) {
    vkprim_features c                  = initial(vkprim_features_init);
    c.buffer_device_address            = features.buffer_device_address;
    c.vulkan_memory_model              = features.vulkan_memory_model;
    c.vulkan_memory_model_device_scope = features.vulkan_memory_model_device_scope;
    c.shader_int64                     = features.shader_int64;
    c.shader_buffer_int64_atomics      = features.shader_buffer_int64_atomics;
    c.subgroup_size_control            = features.subgroup_size_control;
    c.compute_full_subgroups           = features.compute_full_subgroups;
    c.storage_buffer_8bit_access       = features.storage_buffer_8bit_access;
    c.shader_float64                   = features.shader_float64;
    return c;
}

/// A vkprim_context with what it points to.
struct CContext {
    vkprim_features features;
    vkprim_context  c = initial(vkprim_context_init);

    explicit CContext(const Context& context = device().context()) : features(c_features(context.features)) {
        c.get_instance_proc_addr = context.get_instance_proc_addr;
        c.instance               = context.instance;
        c.physical_device        = context.physical_device;
        c.device                 = context.device;
        c.features               = &features;
        c.pipeline_cache         = context.pipeline_cache;
        c.allocator              = context.allocator;
        c.pipeline_flags         = context.pipeline_flags;
        c.api_version            = context.api_version;
    }
    CContext(const CContext&) = delete;
};

vkprim_own_operation c_own(const OwnOperation& own) {
    vkprim_own_operation c = initial(vkprim_own_operation_init);
    for (int i = 0; i < 3; ++i) {
        c.reduce[i]           = {own.reduce[i].words, own.reduce[i].size};
        c.scan[i]             = {own.scan[i].words, own.scan[i].size};
        c.compact[i]          = {own.compact[i].words, own.compact[i].size};
        c.segmented_reduce[i] = {own.segmented_reduce[i].words, own.segmented_reduce[i].size};
        c.segmented_scan[i]   = {own.segmented_scan[i].words, own.segmented_scan[i].size};
    }
    return c;
}

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

/// Records with a _record function, and runs that.
template <class Handle, class Args>
void run_c(VkResult (*record)(const Handle*, VkCommandBuffer, const Args*, vkprim_error*), const Handle* handle,
           const Args& args) {
    Failure failure;
    submit(
        [&](runtime::Commands& commands) { failure.need(record(handle, commands.handle(), &args, &failure.error)); });
}

/// A _validate function accepts `args`, and says of them with a null address what the C++ validate() says.
template <class Handle, class Args>
void check_validate(VkResult (*validate)(const Handle*, const Args*, vkprim_error*), const Handle* handle,
                    const Args& args, VkDeviceAddress Args::*address, const std::string& name) {
    Failure failure;
    failure.need(validate(handle, &args, &failure.error));
    Args wrong     = args;
    wrong.*address = 0;
    failure.check_args(validate(handle, &wrong, &failure.error), name + " is null");
}

/// What every primitive has in C.
template <class Handle, class Desc, class Args>
struct Functions {
    void (*desc_init)(Desc*, size_t);
    VkResult (*create)(const vkprim_context*, const Desc*, Handle**, vkprim_error*);
    void (*destroy)(Handle*);
    void (*args_init)(Args*, size_t);
    VkResult (*validate)(const Handle*, const Args*, vkprim_error*);
    VkResult (*record)(const Handle*, VkCommandBuffer, const Args*, vkprim_error*);
};
template <class Handle, class Desc, class Args>
Functions(void (*)(Desc*, size_t), VkResult (*)(const vkprim_context*, const Desc*, Handle**, vkprim_error*),
          void (*)(Handle*), void (*)(Args*, size_t), VkResult (*)(const Handle*, const Args*, vkprim_error*),
          VkResult (*)(const Handle*, VkCommandBuffer, const Args*, vkprim_error*)) -> Functions<Handle, Desc, Args>;

const Functions of_reduce{vkprim_reduce_desc_init, vkprim_reduce_create,   vkprim_reduce_destroy,
                          vkprim_reduce_args_init, vkprim_reduce_validate, vkprim_reduce_record};
const Functions of_scan{vkprim_scan_desc_init, vkprim_scan_create,   vkprim_scan_destroy,
                        vkprim_scan_args_init, vkprim_scan_validate, vkprim_scan_record};
const Functions of_compact{vkprim_compact_desc_init, vkprim_compact_create,   vkprim_compact_destroy,
                           vkprim_compact_args_init, vkprim_compact_validate, vkprim_compact_record};
const Functions of_expand{vkprim_expand_desc_init, vkprim_expand_create,   vkprim_expand_destroy,
                          vkprim_expand_args_init, vkprim_expand_validate, vkprim_expand_record};
const Functions of_histogram{vkprim_histogram_desc_init, vkprim_histogram_create,   vkprim_histogram_destroy,
                             vkprim_histogram_args_init, vkprim_histogram_validate, vkprim_histogram_record};
const Functions of_sort{vkprim_sort_desc_init, vkprim_sort_create,   vkprim_sort_destroy,
                        vkprim_sort_args_init, vkprim_sort_validate, vkprim_sort_record};
const Functions of_top{vkprim_top_desc_init, vkprim_top_create,   vkprim_top_destroy,
                       vkprim_top_args_init, vkprim_top_validate, vkprim_top_record};
const Functions of_segmented_reduce{vkprim_segmented_reduce_desc_init, vkprim_segmented_reduce_create,
                                    vkprim_segmented_reduce_destroy,   vkprim_segmented_reduce_args_init,
                                    vkprim_segmented_reduce_validate,  vkprim_segmented_reduce_record};
const Functions of_segmented_scan{vkprim_segmented_scan_desc_init, vkprim_segmented_scan_create,
                                  vkprim_segmented_scan_destroy,   vkprim_segmented_scan_args_init,
                                  vkprim_segmented_scan_validate,  vkprim_segmented_scan_record};
const Functions of_segmented_sort{vkprim_segmented_sort_desc_init, vkprim_segmented_sort_create,
                                  vkprim_segmented_sort_destroy,   vkprim_segmented_sort_args_init,
                                  vkprim_segmented_sort_validate,  vkprim_segmented_sort_record};
const Functions of_chunked_reduce{vkprim_chunked_reduce_desc_init,       vkprim_chunked_reduce_create,
                                  vkprim_chunked_reduce_destroy,         vkprim_chunked_reduce_totals_args_init,
                                  vkprim_chunked_reduce_validate_totals, vkprim_chunked_reduce_record_totals};
const Functions of_chunked_scan{vkprim_chunked_scan_desc_init, vkprim_chunked_scan_create,
                                vkprim_chunked_scan_destroy,   vkprim_chunked_scan_args_init,
                                vkprim_chunked_scan_validate,  vkprim_chunked_scan_record};
const Functions of_indirect_command{vkprim_indirect_command_desc_init, vkprim_indirect_command_create,
                                    vkprim_indirect_command_destroy,   vkprim_indirect_command_args_init,
                                    vkprim_indirect_command_validate,  vkprim_indirect_command_record};

/// A primitive that was created in C.
template <class Handle, class Desc, class Args>
struct Made {
    const Functions<Handle, Desc, Args>& functions;
    Owned<Handle>                        handle;

    explicit Made(const Functions<Handle, Desc, Args>& of) : Made(of, initial(of.desc_init)) {}
    Made(const Functions<Handle, Desc, Args>& of, const Desc& desc) : functions(of), handle(nullptr, of.destroy) {
        CContext context;
        Failure  failure;
        Handle*  created = nullptr;
        failure.need(functions.create(&context.c, &desc, &created, &failure.error));
        REQUIRE(created);
        handle.reset(created);
    }

    const Handle* get() const { return handle.get(); }
    Args          args() const { return initial(functions.args_init); }
    /// Those of a reduction or a scan.
    Args args(const runtime::Buffer& input, const runtime::Buffer& output, const runtime::Buffer& scratch,
              uint32_t elements) const {
        Args args    = initial(functions.args_init);
        args.input   = input.address();
        args.output  = output.address();
        args.scratch = scratch.address();
        args.count   = elements;
        return args;
    }

    void run(const Args& args) const { run_c(functions.record, get(), args); }
    void check_and_run(const Args& args, VkDeviceAddress Args::*address, const std::string& name) const {
        check_validate(functions.validate, get(), args, address, name);
        run(args);
    }
    VkDeviceSize bytes_by(VkResult (*size_of)(const Handle*, const Args*, VkDeviceSize*, vkprim_error*),
                          const Args& args) const {
        Failure      failure;
        VkDeviceSize size = 12345;
        failure.need(size_of(get(), &args, &size, &failure.error));
        return size;
    }
    VkDeviceSize bytes_by(VkResult (*size_of)(const Handle*, const Args*, VkDeviceSize*, vkprim_error*),
                          uint32_t elements) const {
        Args args  = initial(functions.args_init);
        args.count = elements;
        return bytes_by(size_of, args);
    }
    vkprim_grid grid_by(VkResult (*grid_of)(const Handle*, const Args*, vkprim_grid*, vkprim_error*),
                        const Args& args) const {
        Failure     failure;
        vkprim_grid grid{};
        failure.need(grid_of(get(), &args, &grid, &failure.error));
        CHECK(grid.elements > 1);
        return grid;
    }
};

Words random_words(size_t count, uint32_t below) {
    harness::Random random(7);
    Words           words(count);
    for (uint32_t& word : words) word = random.below(below);
    return words;
}

Words exclusive_sums(const Words& words) {
    Words sums(words.size());
    std::exclusive_scan(words.begin(), words.end(), sums.begin(), 0u);
    return sums;
}

const uint32_t count = 20003;

/// What is declared in vkprim.h.
std::set<std::string> c_functions() {
    const std::string     header = content_of(std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim/vkprim.h");
    const std::regex      declaration("VKPRIM_API[^;(]*?(vkprim_[a-z_0-9]+)\\(");
    std::set<std::string> names;
    for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at)
        names.insert((*at)[1]);
    REQUIRE(names.size() > 80);
    return names;
}

} // namespace

TEST_CASE("C interface: every public class and each of its functions has one in C", "[host][c]") {
    const std::set<std::string> functions = c_functions();
    const std::regex            class_of("class VKPRIM_API ([A-Za-z]+) \\{([^]*?)\nprivate:");
    const std::regex            function_of("\n    (?:static )?[A-Za-z<>]+ +([a-z_]+)\\(");
    uint32_t                    classes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim")) {
        if (entry.path().extension() != ".h") continue;
        const std::string header = content_of(entry.path().string());
        for (std::sregex_iterator at(header.begin(), header.end(), class_of), end; at != end; ++at) {
            const std::string class_name = (*at)[1], body = (*at)[2];
            if (body.find("Result<" + class_name + "> create(") == std::string::npos) continue;
            ++classes;
            std::string prefix = "vkprim";
            for (char letter : class_name) {
                if (letter >= 'A' && letter <= 'Z') prefix += '_';
                prefix += static_cast<char>(letter | 32);
            }
            std::set<std::string> wanted{prefix + "_create", prefix + "_destroy", prefix + "_desc_init"};
            for (std::sregex_iterator member(body.begin(), body.end(), function_of); member != end; ++member)
                wanted.insert(prefix + "_" + (*member)[1].str());
            if (prefix == "vkprim_chunked_reduce") { // which validates two kinds of Args
                wanted.erase(prefix + "_validate");
                wanted.insert({prefix + "_validate_totals", prefix + "_validate_result"});
            }
            CHECK(wanted.size() >= 6);
            for (const std::string& name : wanted) {
                INFO(class_name << " needs " << name << " in include/vkprim/vkprim.h and src/c");
                CHECK(functions.count(name) == 1);
            }
        }
    }
    CHECK(classes >= 12);
}

TEST_CASE("C interface: fields are paired with those of their name", "[host][c]") {
    const std::regex visit("visit\\(c\\.([a-z_0-9]+), cpp\\.([a-z_0-9]+)\\)");
    uint32_t         pairs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(VKPRIM_SOURCE_DIR) + "/src/c")) {
        const std::string text = content_of(entry.path().string());
        for (std::sregex_iterator at(text.begin(), text.end(), visit), end; at != end; ++at, ++pairs) {
            INFO(entry.path());
            CHECK((*at)[1] == (*at)[2]);
        }
    }
    CHECK(pairs > 150);
}

TEST_CASE("C interface: these tests call every function", "[host][c]") {
    const std::string text = content_of(std::string(VKPRIM_SOURCE_DIR) + "/tests/c_test.cpp");
    for (const std::string& name : c_functions()) {
        INFO(name);
        CHECK(std::regex_search(text, std::regex("\\b" + name + "\\b")));
    }
}

TEST_CASE("C interface: defaults are those of C++", "[host][c]") {
    const auto scan = initial(vkprim_scan_desc_init);
    CHECK(scan.struct_size == sizeof scan);
    CHECK(scan.type == VKPRIM_ELEMENT_U32);
    CHECK(scan.waits == VK_TRUE);
    CHECK(scan.own == nullptr);
    const auto args = initial(vkprim_scan_args_init);
    CHECK(args.part.number == 0);
    CHECK(args.part.parts == 1);
    CHECK(args.input == 0);
    CHECK(args.parameters.words[3] == 0);
    const auto histogram = initial(vkprim_histogram_desc_init);
    CHECK(histogram.bins == 256);
    CHECK(histogram.upper == 256.0);
    CHECK(initial(vkprim_histogram_args_init).segments.offset_size == 4);
    CHECK(initial(vkprim_compact_desc_init).copy == VKPRIM_COMPACT_COPY_ELEMENTS);
    CHECK(initial(vkprim_compact_args_init).segments.offset_size == 4);
    CHECK(initial(vkprim_reduce_desc_init).order == VKPRIM_ORDER_FIXED);
    CHECK(initial(vkprim_reduce_desc_init).wide == VK_FALSE);
    CHECK(initial(vkprim_reduce_args_init).part.parts == 1);
    CHECK(initial(vkprim_sort_desc_init).values == VKPRIM_SORT_VALUES_NONE);
    CHECK(initial(vkprim_sort_args_init).segments.count == 1);
    CHECK(initial(vkprim_top_desc_init).key == VKPRIM_ELEMENT_F32);
    CHECK(initial(vkprim_top_args_init).segments.count == 1);
    CHECK(initial(vkprim_expand_desc_init).values == VKPRIM_EXPAND_VALUES_BYTES4);
    CHECK(initial(vkprim_expand_args_init).part.parts == 1);
    CHECK(initial(vkprim_segmented_reduce_desc_init).segments == VKPRIM_SEGMENTS_OFFSETS);
    CHECK(initial(vkprim_segmented_reduce_args_init).segments.offset_size == 4);
    CHECK(initial(vkprim_segmented_scan_desc_init).waits == VK_TRUE);
    CHECK(initial(vkprim_segmented_scan_args_init).segments.offset_size == 4);
    CHECK(initial(vkprim_segmented_sort_desc_init).key == VKPRIM_ELEMENT_U32);
    CHECK(initial(vkprim_segmented_sort_args_init).segments.longest == 0);
    CHECK(initial(vkprim_chunked_reduce_desc_init).operation == VKPRIM_OPERATION_ADD);
    CHECK(initial(vkprim_chunked_reduce_totals_args_init).whole == 0);
    CHECK(initial(vkprim_chunked_reduce_result_args_init).whole == 0);
    CHECK(initial(vkprim_chunked_scan_desc_init).kind == VKPRIM_SCAN_EXCLUSIVE);
    CHECK(initial(vkprim_chunked_scan_args_init).chunk.count == 0);
    CHECK(initial(vkprim_indirect_command_desc_init).kind == VKPRIM_INDIRECT_COMMAND_DISPATCH);
    const auto command = initial(vkprim_indirect_command_args_init);
    CHECK(command.bound == UINT32_MAX);
    CHECK(command.grid.elements == 256);
    CHECK(command.grid.most == UINT32_MAX);
    CHECK(initial(vkprim_profile_init).values == nullptr);
    CHECK(initial(vkprim_requirements_query_init).api_version == 0);
    CHECK(initial(vkprim_features_init).shader_int64 == VK_FALSE);

    vkprim_scan_desc_init(nullptr, 56);
    uint64_t shorter[3] = {~0ull, ~0ull, ~0ull}; // an older caller's: struct_size, type, operation
    vkprim_scan_desc_init(reinterpret_cast<vkprim_scan_desc*>(shorter), 16);
    CHECK(shorter[0] == 16);
    CHECK(shorter[1] == 0);
    CHECK(shorter[2] == ~0ull);
}

TEST_CASE("C interface: functions without an object", "[host][c]") {
    CHECK(vkprim_output_type(VKPRIM_ELEMENT_F16) == VKPRIM_ELEMENT_F32);
    CHECK(vkprim_identity_bits(VKPRIM_ELEMENT_I32, VKPRIM_OPERATION_MIN) == 0x7fffffff);
    CHECK(vkprim_identity_bits(VKPRIM_ELEMENT_MAX_ENUM, VKPRIM_OPERATION_MIN) == 0);
    CHECK(vkprim_tiles_scratch_size(1000, 2) == tiles_scratch_size(1000, 2));
    CHECK(vkprim_reduction_scratch_size(1000, 2) == reduction_scratch_size(1000, 2));
}

TEST_CASE("C interface: requirements in two calls", "[device][c]") {
    const Context& context = device().context();
    Failure        failure;
    auto           query         = initial(vkprim_requirements_query_init);
    query.get_instance_proc_addr = context.get_instance_proc_addr;
    query.instance               = context.instance;
    query.physical_device        = context.physical_device;
    query.api_version            = VK_API_VERSION_1_2; // where features need extensions
    const auto expected          = value_of(query_requirements(
                 {context.get_instance_proc_addr, context.instance, context.physical_device, query.api_version}));

    auto     features = initial(vkprim_features_init);
    uint32_t found    = 77;
    failure.need(vkprim_query_requirements(&query, &features, &found, nullptr, &failure.error));
    CHECK(found == expected.extensions.size());
    const vkprim_features from_cpp = c_features(expected.features);
    CHECK(std::memcmp(&features, &from_cpp, sizeof features) == 0);
    std::vector<const char*> names(found + 1);
    found = static_cast<uint32_t>(names.size());
    failure.need(vkprim_query_requirements(&query, nullptr, &found, names.data(), &failure.error));
    REQUIRE(found == expected.extensions.size());
    for (uint32_t i = 0; i < found; ++i) CHECK(std::string(names[i]) == expected.extensions[i]);
    if (found > 0) {
        found = 0;
        CHECK(vkprim_query_requirements(&query, nullptr, &found, names.data(), &failure.error) == VK_INCOMPLETE);
        CHECK(found == 0);
    }
    failure.need(vkprim_query_requirements(&query, nullptr, nullptr, nullptr, nullptr));

    VkPhysicalDeviceVulkan12Features vulkan12{};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 chain{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12, {}};
    auto                      enabled = initial(vkprim_features_init);
    failure.need(vkprim_merge_features(&features, &chain, &enabled, &failure.error));
    CHECK(vulkan12.bufferDeviceAddress == VK_TRUE);
    CHECK(enabled.buffer_device_address == VK_TRUE);
    CHECK(enabled.subgroup_size_control == VK_FALSE); // whose structure is not in the chain
    CHECK(enabled.struct_size == sizeof enabled);

    // Which it is, if the device has the feature; in two calls.
    features.subgroup_size_control = VK_TRUE;
    uint32_t missing               = 77;
    failure.need(vkprim_missing_structures(&features, &chain, &missing, nullptr, &failure.error));
    REQUIRE(missing == 1);
    vkprim_missing_structure structures[2]{};
    missing = 2;
    failure.need(vkprim_missing_structures(&features, &chain, &missing, structures, &failure.error));
    REQUIRE(missing == 1);
    CHECK(structures[0].type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    CHECK(std::string(structures[0].name) == "VkPhysicalDeviceSubgroupSizeControlFeatures");
    CHECK(std::string(structures[0].effect).find("computeFullSubgroups") != std::string::npos);
    CHECK(structures[1].name == nullptr);
    missing = 0;
    CHECK(vkprim_missing_structures(&features, &chain, &missing, structures, &failure.error) == VK_INCOMPLETE);
    features.subgroup_size_control = features.compute_full_subgroups = VK_FALSE;
    failure.need(vkprim_missing_structures(&features, &chain, &missing, nullptr, &failure.error));
    CHECK(missing == 0);

    const auto check = [&](VkResult result, const std::string& word) {
        failure.check(result, VKPRIM_ERROR_INVALID_CONTEXT, VK_ERROR_INITIALIZATION_FAILED, word);
    };
    check(vkprim_missing_structures(&features, nullptr, &missing, nullptr, &failure.error), "chain is NULL");
    check(vkprim_missing_structures(nullptr, &chain, &missing, nullptr, &failure.error), "wanted is NULL");
    check(vkprim_missing_structures(&features, &chain, nullptr, nullptr, &failure.error), "count is NULL");
    check(vkprim_merge_features(&features, nullptr, &enabled, &failure.error), "chain is NULL");
    check(vkprim_merge_features(nullptr, &chain, &enabled, &failure.error), "wanted is NULL");
    check(vkprim_merge_features(&features, &chain, nullptr, &failure.error), "enabled is NULL");
    check(vkprim_query_requirements(nullptr, nullptr, nullptr, nullptr, &failure.error), "query is NULL");
    query.physical_device = VK_NULL_HANDLE;
    check(vkprim_query_requirements(&query, nullptr, nullptr, nullptr, &failure.error), "physical_device is null");
}

TEST_CASE("C interface: reduce and scan, with a grid on the GPU", "[device][c]") {
    const Words           words = random_words(count, 1000);
    const runtime::Buffer input = buffer_with(words), output = buffer_of_zeros(4 * count), sum = buffer_of_zeros(4),
                          on_gpu = buffer_with(Words{count - 3}), command = buffer_of_zeros(12);

    const Made            reduce(of_reduce);
    const Made            scan(of_scan);
    const runtime::Buffer scratch = scratch_of(
        std::max(reduce.bytes_by(vkprim_reduce_scratch_size, count), scan.bytes_by(vkprim_scan_scratch_size, count)));
    const auto reduce_args = reduce.args(input, sum, scratch, count);
    reduce.check_and_run(reduce_args, &vkprim_reduce_args::output, "output");
    CHECK(content_of(sum)[0] == std::accumulate(words.begin(), words.end(), 0u));
    auto wide_desc = initial(vkprim_reduce_desc_init);
    wide_desc.wide = VK_TRUE;
    const Made            wide(of_reduce, wide_desc);
    const runtime::Buffer wide_sum   = buffer_of_zeros(8);
    const runtime::Buffer wide_slots = scratch_of(wide.bytes_by(vkprim_reduce_scratch_size, count));
    wide.run(wide.args(input, wide_sum, wide_slots, count));
    CHECK(content_of<uint64_t>(wide_sum)[0] == std::accumulate(words.begin(), words.end(), uint64_t{0}));
    reduce.grid_by(vkprim_reduce_grid, reduce_args);

    auto args = scan.args(input, output, scratch, count);
    scan.check_and_run(args, &vkprim_scan_args::input, "input");
    check_same(content_of(output), exclusive_sums(words));

    // The grid of a count on the GPU, of all but three elements.
    const Made indirect(of_indirect_command);
    CHECK(indirect.bytes_by(vkprim_indirect_command_scratch_size, indirect.args()) == 0);
    auto make          = initial(vkprim_indirect_command_args_init);
    make.command       = command.address();
    make.count_address = args.count_address = on_gpu.address();
    make.grid                               = scan.grid_by(vkprim_scan_grid, args);
    CHECK(make.grid.most < UINT32_MAX);
    check_validate(vkprim_indirect_command_validate, indirect.get(), make, &vkprim_indirect_command_args::command,
                   "command");
    args.indirect = {command.handle(), 0};
    require(device().fill(output, 0, 4 * count, 0xabababab));
    Failure failure;
    submit([&](runtime::Commands& commands) {
        failure.need(vkprim_indirect_command_record(indirect.get(), commands.handle(), &make, &failure.error));
        commands.barrier(runtime::Commands::Readers::indirect);
        failure.need(vkprim_scan_record(scan.get(), commands.handle(), &args, &failure.error));
    });
    Words expected = exclusive_sums(words);
    std::fill(expected.end() - 3, expected.end(), 0xabababab);
    check_same(content_of(output), expected);
    check_ready(scratch);
}

TEST_CASE("C interface: parts", "[device][c]") {
    const Words           words = random_words(count, 1000);
    const runtime::Buffer input = buffer_with(words);
    auto                  desc  = initial(vkprim_scan_desc_init);
    desc.kind                   = VKPRIM_SCAN_INCLUSIVE;
    desc.operation              = VKPRIM_OPERATION_MAX;
    const Made            scan(of_scan, desc);
    const runtime::Buffer scratch = scratch_of(scan.bytes_by(vkprim_scan_scratch_size, count));
    auto                  args    = scan.args(input, input, scratch, count);
    for (args.part = {0, 3}; args.part.number < 3; ++args.part.number) scan.run(args);
    Words expected(count);
    std::inclusive_scan(words.begin(), words.end(), expected.begin(),
                        [](uint32_t a, uint32_t b) { return std::max(a, b); });
    check_same(content_of(input), expected);
}

TEST_CASE("C interface: an operation of one's own", "[device][c]") {
    // Maps x -> scale * x + offset, of u32: their product applied to 0 is what the last element's offset says.
    const Words           words = random_words(2 * count, 1000);
    const runtime::Buffer input = buffer_with(words), output = buffer_of_zeros(8 * count);
    const auto            own  = c_own(operations::affine_u32);
    auto                  desc = initial(vkprim_scan_desc_init);
    desc.own                   = &own;
    desc.kind                  = VKPRIM_SCAN_INCLUSIVE;
    const Made            scan(of_scan, desc);
    const runtime::Buffer scratch = scratch_of(scan.bytes_by(vkprim_scan_scratch_size, count));
    scan.run(scan.args(input, output, scratch, count));
    Words    expected;
    uint32_t scale = 1, offset = 0;
    for (uint32_t i = 0; i < count; ++i) {
        offset = offset * words[2 * i] + words[2 * i + 1];
        scale *= words[2 * i];
        expected.insert(expected.end(), {scale, offset});
    }
    check_same(content_of(output), expected);

    Failure  failure;
    CContext context;
    auto     wrong = own;
    wrong.scan[0] = wrong.scan[1] = wrong.scan[2] = {nullptr, 0};
    desc.own                                      = &wrong;
    vkprim_scan* none                             = nullptr;
    failure.check_desc(vkprim_scan_create(&context.c, &desc, &none, &failure.error), "scan");
    wrong             = own;
    wrong.struct_size = 9;
    failure.check_desc(vkprim_scan_create(&context.c, &desc, &none, &failure.error), "own->struct_size is 9");
    CHECK(none == nullptr);
}

TEST_CASE("C interface: compact, and expand as its inverse", "[device][c]") {
    Words keys(count);
    for (uint32_t i = 0; i < count; ++i) keys[i] = i / 3 * 2; // runs of three
    const uint32_t        runs  = (count + 2) / 3;
    const runtime::Buffer input = buffer_with(keys), unique = buffer_of_zeros(4 * count), kept = buffer_of_zeros(4),
                          indices = buffer_of_zeros(4 * count + 4), output = buffer_of_zeros(4 * count);
    auto desc        = initial(vkprim_compact_desc_init);
    desc.key         = VKPRIM_KEY_U32;
    desc.keep        = VKPRIM_COMPACT_KEEP_RUN_HEADS;
    desc.copy        = VKPRIM_COMPACT_COPY_KEYS_AND_INDICES;
    desc.indices_end = VK_TRUE;
    const Made            compact(of_compact, desc);
    const runtime::Buffer scratch = scratch_of(compact.bytes_by(vkprim_compact_scratch_size, count));
    auto                  args    = initial(vkprim_compact_args_init);
    args.keys                     = input.address();
    args.output                   = unique.address();
    args.indices                  = indices.address();
    args.kept                     = kept.address();
    args.scratch                  = scratch.address();
    args.count                    = count;
    compact.check_and_run(args, &vkprim_compact_args::kept, "kept");
    CHECK(content_of(kept)[0] == runs);
    CHECK(content_of(unique)[runs - 1] == keys.back());
    compact.grid_by(vkprim_compact_grid, args);

    const Made expand(of_expand);
    auto       back             = initial(vkprim_expand_args_init);
    back.segments.offsets       = indices.address();
    back.values                 = unique.address();
    back.output                 = output.address();
    back.segments.count_address = kept.address();
    back.count = back.segments.count = count;
    CHECK(expand.bytes_by(vkprim_expand_scratch_size, back) == 0);
    expand.check_and_run(back, &vkprim_expand_args::values, "values");
    check_same(content_of(output), keys);
}

TEST_CASE("C interface: compact keeps a range, whose bounds are doubles", "[device][c]") {
    const Words           words = random_words(count, 1000);
    const runtime::Buffer input = buffer_with(words), output = buffer_of_zeros(4 * count), kept = buffer_of_zeros(4),
                          rest = buffer_of_zeros(4 * count);
    auto desc                  = initial(vkprim_compact_desc_init);
    desc.key                   = VKPRIM_KEY_U32;
    desc.keep                  = VKPRIM_COMPACT_KEEP_INSIDE;
    desc.copy                  = VKPRIM_COMPACT_COPY_KEYS;
    desc.rejected              = VKPRIM_COMPACT_REJECTED_PACKED;
    const Made            compact(of_compact, desc);
    const runtime::Buffer scratch = scratch_of(compact.bytes_by(vkprim_compact_scratch_size, count));
    auto                  args    = initial(vkprim_compact_args_init);
    args.keys                     = input.address();
    args.output                   = output.address();
    args.rejected                 = rest.address();
    args.kept                     = kept.address();
    args.scratch                  = scratch.address();
    args.count                    = count;
    args.lower                    = 100;
    args.upper                    = 199;
    compact.run(args);
    const auto inside = [](uint32_t word) { return word >= 100 && word <= 199; };
    Words      expected, others;
    std::partition_copy(words.begin(), words.end(), std::back_inserter(expected), std::back_inserter(others), inside);
    REQUIRE(content_of(kept)[0] == expected.size());
    expected.resize(count);
    others.resize(count);
    check_same(content_of(output), expected);
    check_same(content_of(rest), others);
}

TEST_CASE("C interface: histogram", "[device][c]") {
    const Words           words = random_words(count, 1000);
    const runtime::Buffer input = buffer_with(words), counts = buffer_with(Words(10, 5));
    auto                  desc = initial(vkprim_histogram_desc_init);
    desc.type                  = VKPRIM_SAMPLE_U32;
    desc.bins                  = 10;
    desc.lower                 = 100;
    desc.upper                 = 1000;
    const Made            histogram(of_histogram, desc);
    const runtime::Buffer scratch = scratch_of(histogram.bytes_by(vkprim_histogram_scratch_size, count) + 16);
    auto                  args    = initial(vkprim_histogram_args_init);
    args.input                    = input.address();
    args.counts                   = counts.address();
    args.scratch                  = scratch.address();
    args.count                    = count;
    args.accumulate               = VK_TRUE;
    histogram.check_and_run(args, &vkprim_histogram_args::counts, "counts");
    Words expected(10, 5);
    for (uint32_t word : words)
        if (word >= 100) ++expected[(word - 100) / 90];
    check_same(content_of(counts), expected);
}

TEST_CASE("C interface: sort and top", "[device][c]") {
    const Words           words = random_words(count, 100000);
    const runtime::Buffer input = buffer_with(words), keys = buffer_of_zeros(4 * count),
                          indices = buffer_of_zeros(4 * count);
    auto desc                     = initial(vkprim_sort_desc_init);
    desc.values                   = VKPRIM_SORT_VALUES_INDICES;
    desc.descending               = VK_TRUE;
    const Made sort(of_sort, desc);
    CHECK(sort.bytes_by(vkprim_sort_scratch_size, count) == 0);
    const runtime::Buffer temporary = buffer_of_zeros(sort.bytes_by(vkprim_sort_temporary_size, count) + 16);
    auto                  args      = initial(vkprim_sort_args_init);
    args.keys                       = input.address();
    args.output_keys                = keys.address();
    args.output_values              = indices.address();
    args.temporary                  = temporary.address();
    args.count                      = count;
    sort.check_and_run(args, &vkprim_sort_args::output_values, "output_values");
    Words order(count), sorted;
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return words[a] > words[b]; });
    for (uint32_t i : order) sorted.push_back(words[i]);
    check_same(content_of(keys), sorted);
    check_same(content_of(indices), order);
    sort.grid_by(vkprim_sort_grid, args);

    auto top_desc    = initial(vkprim_top_desc_init);
    top_desc.key     = VKPRIM_ELEMENT_U32;
    top_desc.largest = VK_TRUE;
    const Made top(of_top, top_desc);
    auto       top_args     = initial(vkprim_top_args_init);
    top_args.keys           = input.address();
    top_args.output_keys    = keys.address();
    top_args.output_indices = indices.address();
    top_args.count          = count;
    top_args.wanted         = 10;
    CHECK(top.bytes_by(vkprim_top_scratch_size, count) == 0);
    const VkDeviceSize size = top.bytes_by(vkprim_top_temporary_size, top_args);
    Top::Args          cpp_args;
    cpp_args.count  = count;
    cpp_args.wanted = 10;
    Top::Desc cpp_desc;
    cpp_desc.key     = ElementType::u32;
    cpp_desc.largest = true;
    CHECK(size == value_of(Top::create(device().context(), cpp_desc)).temporary_size(cpp_args));
    CHECK(size > 0);
    const runtime::Buffer top_temporary = buffer_of_zeros(size);
    top_args.temporary                  = top_temporary.address();
    require(device().fill(keys, 0, 4 * count, 0));
    require(device().fill(indices, 0, 4 * count, 0));
    top.check_and_run(top_args, &vkprim_top_args::keys, "keys");
    std::fill(sorted.begin() + 10, sorted.end(), 0);
    std::fill(order.begin() + 10, order.end(), 0);
    check_same(content_of(keys), sorted);
    check_same(content_of(indices), order);
}

TEST_CASE("C interface: segments", "[device][c]") {
    const uint32_t segments = 101, length = 99; // neither is the other
    const Words    words = random_words(segments * length, 1000);
    Words          offsets(segments + 1);
    for (uint32_t i = 0; i <= segments; ++i) offsets[i] = i * length;
    const runtime::Buffer input = buffer_with(words), where = buffer_with(offsets),
                          output = buffer_of_zeros(4 * words.size());
    Words sums, sums_before, sorted = words;
    for (uint32_t i = 0; i < words.size(); i += length) {
        sums.push_back(std::accumulate(&words[i], &words[i] + length, 0u));
        const Words before = exclusive_sums(Words(&words[i], &words[i] + length));
        sums_before.insert(sums_before.end(), before.begin(), before.end());
        std::sort(&sorted[i], &sorted[i] + length);
    }

    const Made reduce(of_segmented_reduce);
    auto       reduce_args       = initial(vkprim_segmented_reduce_args_init);
    reduce_args.input            = input.address();
    reduce_args.output           = output.address();
    reduce_args.segments.offsets = where.address();
    reduce_args.count            = segments * length;
    reduce_args.segments.count   = segments;
    const runtime::Buffer reduce_scratch =
        scratch_of(reduce.bytes_by(vkprim_segmented_reduce_scratch_size, reduce_args));
    reduce_args.scratch = reduce_scratch.address();
    reduce.check_and_run(reduce_args, &vkprim_segmented_reduce_args::output, "output");
    Words reduced = content_of(output);
    reduced.resize(segments);
    check_same(reduced, sums);
    check_ready(reduce_scratch);

    auto scan_desc     = initial(vkprim_segmented_scan_desc_init);
    scan_desc.segments = VKPRIM_SEGMENTS_ROWS;
    const Made scan(of_segmented_scan, scan_desc);
    auto       args               = initial(vkprim_segmented_scan_args_init);
    args.input                    = input.address();
    args.output                   = output.address();
    args.count                    = length;
    args.segments.count           = segments;
    const runtime::Buffer scratch = scratch_of(scan.bytes_by(vkprim_segmented_scan_scratch_size, args));
    args.scratch                  = scratch.address();
    scan.check_and_run(args, &vkprim_segmented_scan_args::scratch, "scratch");
    check_same(content_of(output), sums_before);
    check_ready(scratch);

    const Made sort(of_segmented_sort);
    CHECK(vkprim_segmented_sort_most_short(sort.get()) >= 64);
    auto sort_args             = initial(vkprim_segmented_sort_args_init);
    sort_args.keys             = input.address();
    sort_args.output_keys      = output.address();
    sort_args.segments.offsets = where.address();
    sort_args.count            = segments * length;
    sort_args.segments.count   = segments;
    CHECK(sort.bytes_by(vkprim_segmented_sort_scratch_size, sort_args) == 0);
    const runtime::Buffer temporary = buffer_of_zeros(sort.bytes_by(vkprim_segmented_sort_temporary_size, sort_args));
    sort_args.temporary             = temporary.address();
    sort.check_and_run(sort_args, &vkprim_segmented_sort_args::output_keys, "output_keys");
    check_same(content_of(output), sorted);
}

TEST_CASE("C interface: arrays in chunks", "[device][c]") {
    const uint32_t        whole = VKPRIM_CHUNK_STEP + 1234;
    const Words           words = random_words(whole, 1000);
    const vkprim_chunk    chunks[]{{0, VKPRIM_CHUNK_STEP, 0}, {VKPRIM_CHUNK_STEP, 1234, 0}};
    const runtime::Buffer input = buffer_with(words), output = buffer_of_zeros(4 * whole), sum = buffer_of_zeros(4);

    const Made            reduce(of_chunked_reduce);
    const VkDeviceSize    totals_size = vkprim_chunked_reduce_totals_size(reduce.get(), whole);
    const runtime::Buffer totals      = buffer_of_zeros(totals_size),
                          temporary   = buffer_of_zeros(vkprim_chunked_reduce_temporary_size(reduce.get()));
    auto totals_args                  = initial(vkprim_chunked_reduce_totals_args_init);
    totals_args.totals                = totals.address();
    totals_args.whole                 = whole;
    VkDeviceSize covered              = 0;
    for (const vkprim_chunk& chunk : chunks) {
        vkprim_totals_range range{};
        vkprim_chunked_reduce_totals_range(reduce.get(), &chunk, whole, &range);
        CHECK(range.offset == covered);
        covered += range.size;
        totals_args.chunk = chunk;
        totals_args.input = input.address() + 4 * chunk.begin;
        reduce.check_and_run(totals_args, &vkprim_chunked_reduce_totals_args::input, "input");
    }
    CHECK(covered <= totals_size);
    auto result_args      = initial(vkprim_chunked_reduce_result_args_init);
    result_args.totals    = totals.address();
    result_args.temporary = temporary.address();
    result_args.output    = sum.address();
    result_args.whole     = whole;
    check_validate(vkprim_chunked_reduce_validate_result, reduce.get(), result_args,
                   &vkprim_chunked_reduce_result_args::output, "output");
    run_c(vkprim_chunked_reduce_record_result, reduce.get(), result_args);
    CHECK(content_of(sum)[0] == std::accumulate(words.begin(), words.end(), 0u));

    const Made            scan(of_chunked_scan);
    const runtime::Buffer scan_totals = buffer_of_zeros(vkprim_chunked_scan_totals_size(scan.get(), whole)),
                          scan_temporary =
                              buffer_of_zeros(vkprim_chunked_scan_temporary_size(scan.get(), VKPRIM_CHUNK_STEP));
    vkprim_totals_range range{1, 1};
    vkprim_chunked_scan_totals_range(scan.get(), &chunks[0], &range);
    CHECK(range.offset == 0);
    CHECK(range.size == 4);
    auto args      = initial(vkprim_chunked_scan_args_init);
    args.totals    = scan_totals.address();
    args.temporary = scan_temporary.address();
    args.chunk     = chunks[0];
    args.input     = input.address();
    args.output    = output.address();
    scan.check_and_run(args, &vkprim_chunked_scan_args::temporary, "temporary");
    args.chunk = chunks[1];
    args.input += 4 * VKPRIM_CHUNK_STEP;
    args.output += 4 * VKPRIM_CHUNK_STEP;
    run_c(vkprim_chunked_scan_record_totals, scan.get(), args);
    run_c(vkprim_chunked_scan_record_outputs, scan.get(), args);
    check_same(content_of(output), exclusive_sums(words));

    Failure failure;
    args.chunk.reserved = 1;
    failure.check_args(vkprim_chunked_scan_validate(scan.get(), &args, &failure.error), "reserved");
}

TEST_CASE("C interface: structs of other versions", "[device][c]") {
    CContext context;
    Failure  failure;
    // An older caller's ends after `kind`: what comes behind is not read, and has its default.
    struct {
        vkprim_scan_desc desc;
        uint64_t         newer[2];
    } longer{initial(vkprim_scan_desc_init), {0, 0}};
    vkprim_scan_desc& desc   = longer.desc;
    vkprim_scan*      scan   = nullptr;
    const auto        create = [&] { return vkprim_scan_create(&context.c, &desc, &scan, &failure.error); };
    desc.type                = VKPRIM_ELEMENT_I32;
    desc.strided             = 1;
    desc.own                 = reinterpret_cast<const vkprim_own_operation*>(1);
    desc.struct_size         = offsetof(vkprim_scan_desc, waits);
    failure.need(create());
    vkprim_scan_destroy(scan);
    CHECK(std::string(failure.text) == "untouched");

    for (size_t size : {size_t{0}, size_t{1}, sizeof(size_t) - 1, sizeof(size_t) + 1, sizeof desc - 1, SIZE_MAX}) {
        desc.struct_size = size;
        failure.check_desc(create(), "desc->struct_size is " + std::to_string(size));
        CHECK(scan == nullptr);
    }

    // Defaults need not be 0: with bins from 0 to 0, create() would fail.
    auto histogram_desc         = initial(vkprim_histogram_desc_init);
    histogram_desc.struct_size  = offsetof(vkprim_histogram_desc, bins);
    histogram_desc.bins         = 0;
    histogram_desc.channels     = 99;
    vkprim_histogram* histogram = nullptr;
    failure.need(vkprim_histogram_create(&context.c, &histogram_desc, &histogram, &failure.error));
    vkprim_histogram_destroy(histogram);

    // A newer caller's is longer: fine as long as what is new there is 0.
    desc             = initial(vkprim_scan_desc_init);
    desc.struct_size = sizeof longer;
    failure.need(create());
    vkprim_scan_destroy(scan);
    longer.newer[1] = 1ull << 63;
    failure.check_desc(create(), "desc has fields that this version of the library does not know");
    longer.newer[1] = 0;

    // Args, in all functions that take them.
    desc = initial(vkprim_scan_desc_init);
    failure.need(create());
    const Owned<vkprim_scan> owned(scan, vkprim_scan_destroy);
    auto                     args = initial(vkprim_scan_args_init);
    args.struct_size              = 13;
    vkprim_grid grid{};
    failure.check_args(vkprim_scan_validate(scan, &args, &failure.error), "args->struct_size is 13");
    failure.check_args(vkprim_scan_grid(scan, &args, &grid, &failure.error), "args->struct_size is 13");
    failure.check_args(vkprim_scan_record(scan, VK_NULL_HANDLE, &args, &failure.error), "args->struct_size is 13");
    args = initial(vkprim_scan_args_init);
    failure.check_args(vkprim_scan_grid(scan, &args, nullptr, &failure.error), "grid is NULL");
    auto reserved     = initial(vkprim_top_desc_init);
    reserved.reserved = 1;
    vkprim_top* top   = nullptr;
    failure.check_desc(vkprim_top_create(&context.c, &reserved, &top, &failure.error), "desc->reserved");

    // What the context leads to.
    const auto check = [&](const std::string& word) {
        failure.check(create(), VKPRIM_ERROR_INVALID_CONTEXT, VK_ERROR_INITIALIZATION_FAILED, word);
        CHECK(scan == nullptr);
    };
    context.features.struct_size = 9;
    check("features->struct_size is 9");
    context.features.struct_size = sizeof context.features;
    context.c.struct_size        = 9;
    check("context->struct_size is 9");
}

TEST_CASE("C interface: a later version appends a field behind `reserved`", "[c]") {
    later_desc desc{};
    Later      read;
    desc.values      = 5;
    desc.next        = &read;
    desc.struct_size = offsetof(later_desc, next); // an older caller's
    Reader older(nullptr);
    CHECK(older.read("desc", ErrorKind::invalid_desc, &desc, read));
    CHECK((read.values == 5 && read.next == nullptr));
    desc.struct_size = offsetof(later_desc, next) + 1;
    Reader wrong(nullptr);
    CHECK_FALSE(wrong.read("desc", ErrorKind::invalid_desc, &desc, read));
    desc.struct_size = sizeof desc;
    Reader newer(nullptr);
    CHECK(newer.read("desc", ErrorKind::invalid_desc, &desc, read));
    CHECK(read.next == &read);
}

TEST_CASE("C interface: null", "[device][c]") {
    const auto destroy_null = [](const auto&... of) { (of.destroy(nullptr), ...); };
    destroy_null(of_reduce, of_scan, of_compact, of_histogram, of_sort, of_top, of_expand, of_segmented_reduce,
                 of_segmented_scan, of_segmented_sort, of_chunked_reduce, of_chunked_scan, of_indirect_command);

    Failure      failure;
    CContext     context;
    const auto   desc = initial(vkprim_scan_desc_init);
    const auto   args = initial(vkprim_scan_args_init);
    vkprim_scan* scan = nullptr;
    failure.check_args(vkprim_scan_validate(nullptr, &args, &failure.error), "the handle is NULL");
    failure.check_args(vkprim_scan_record(nullptr, VK_NULL_HANDLE, &args, &failure.error), "the handle is NULL");
    failure.check_args(vkprim_scan_create(&context.c, &desc, nullptr, &failure.error), "the handle is NULL");
    failure.check_desc(vkprim_scan_create(&context.c, nullptr, &scan, &failure.error), "desc is NULL");
    failure.check(vkprim_scan_create(nullptr, &desc, &scan, &failure.error), VKPRIM_ERROR_INVALID_CONTEXT,
                  VK_ERROR_INITIALIZATION_FAILED, "context is NULL");
    const Made owned(of_scan, desc);
    failure.check_args(vkprim_scan_validate(owned.get(), nullptr, &failure.error), "args is NULL");
}

TEST_CASE("C interface: each kind of error", "[device][c]") {
    Failure      failure;
    CContext     context;
    vkprim_scan* scan   = nullptr;
    auto         desc   = initial(vkprim_scan_desc_init);
    const auto   create = [&] { return vkprim_scan_create(&context.c, &desc, &scan, &failure.error); };

    desc.operation = VKPRIM_OPERATION_ARGMIN;
    failure.check_desc(create(), "argmin");
    desc.operation = static_cast<vkprim_operation>(100);
    failure.check_desc(create(), "Operation");
    desc.operation = VKPRIM_OPERATION_ADD;

    vkprim_profile_value values[]{{"scan.nonsense", 1, 0}, {"scan.prefetch_distance", 1, 0}};
    auto                 profile = initial(vkprim_profile_init);
    profile.vendor_id            = device().info().vendor_id;
    profile.device_id            = device().info().device_id;
    profile.values               = values;
    profile.value_count          = 2;
    context.c.profile            = &profile;
    const auto check_profile     = [&](const std::string& word) {
        failure.check(create(), VKPRIM_ERROR_INVALID_PROFILE, VK_ERROR_FORMAT_NOT_SUPPORTED, word);
    };
    check_profile("scan.nonsense");
    values[0] = {"scan.prefetch_distance", 0xffffffff, 0};
    failure.need(create()); // the last of two values counts
    vkprim_scan_destroy(scan);
    ++profile.device_id;
    check_profile("the profile is for device");
    values[1].name = nullptr;
    check_profile("profile->values[1] has no name");
    profile.values = nullptr;
    check_profile("profile->values is NULL");
    context.c.profile = nullptr;

    context.features = initial(vkprim_features_init);
    failure.check(create(), VKPRIM_ERROR_UNSUPPORTED_DEVICE, VK_ERROR_FEATURE_NOT_PRESENT, "bufferDeviceAddress");
    context.c.features = nullptr;
    failure.check(create(), VKPRIM_ERROR_UNSUPPORTED_DEVICE, VK_ERROR_FEATURE_NOT_PRESENT, "bufferDeviceAddress");
    context.c.device = VK_NULL_HANDLE;
    failure.check(create(), VKPRIM_ERROR_INVALID_CONTEXT, VK_ERROR_INITIALIZATION_FAILED, "device");

    // Memory runs out in the library: here, what it calls throws.
    context.c.get_instance_proc_addr = [](VkInstance, const char*) -> PFN_vkVoidFunction { throw std::bad_alloc(); };
    context.c.device                 = device().context().device;
    failure.check(create(), VKPRIM_ERROR_VULKAN, VK_ERROR_OUT_OF_HOST_MEMORY, "memory");
    context.c.get_instance_proc_addr = [](VkInstance, const char*) -> PFN_vkVoidFunction { throw 5; };
    failure.check(create(), VKPRIM_ERROR_OTHER, VK_ERROR_UNKNOWN, "unknown");

    Spy spy(device().context());
    spy.failing = Spy::CreateComputePipelines;
    CContext spied(spy.context());
    failure.check(vkprim_scan_create(&spied.c, &desc, &scan, &failure.error), VKPRIM_ERROR_VULKAN, Spy::failure, "");
    CHECK(scan == nullptr);

    // A call that makes nothing, though its code is positive.
    spy.forget_calls();
    spy.failing_with = VK_PIPELINE_COMPILE_REQUIRED;
    CHECK(vkprim_scan_create(&spied.c, &desc, &scan, &failure.error) == VK_ERROR_UNKNOWN);
    CHECK(scan == nullptr);
    CHECK(failure.error.kind == VKPRIM_ERROR_VULKAN);
    CHECK(failure.error.code == VK_PIPELINE_COMPILE_REQUIRED);
    CHECK(std::string(failure.text).find("FAIL_ON_PIPELINE_COMPILE_REQUIRED") != std::string::npos);
    spy.forget_calls();
    CHECK(vkprim_scan_create(&spied.c, &desc, &scan, nullptr) == VK_ERROR_UNKNOWN);
}

TEST_CASE("C interface: buffers for the reason", "[device][c]") {
    CContext   context;
    auto       desc = initial(vkprim_scan_desc_init);
    const auto fail = [&](vkprim_error* error) {
        vkprim_scan* scan = nullptr;
        CHECK(vkprim_scan_create(&context.c, &desc, &scan, error) == VK_ERROR_FORMAT_NOT_SUPPORTED);
    };
    desc.operation = VKPRIM_OPERATION_ARGMIN;
    Failure whole;
    fail(&whole.error);
    const std::string reason = whole.text;
    REQUIRE(reason.size() > 10);
    for (size_t size : {size_t{1}, size_t{2}, reason.size(), reason.size() + 1, reason.size() + 2}) {
        Failure failure;
        std::memset(failure.text, 'x', sizeof failure.text);
        failure.error.reason_size = size;
        fail(&failure.error);
        const size_t length = std::min(size - 1, reason.size());
        CHECK(std::string(failure.text, length) == reason.substr(0, length));
        CHECK(failure.text[length] == '\0');
        CHECK(failure.text[length + 1] == 'x');
    }
    Failure none;
    none.error.reason_size = 0;
    fail(&none.error);
    CHECK(std::string(none.text) == "untouched");
    none.error.reason = nullptr;
    fail(&none.error);
    CHECK(none.error.kind == VKPRIM_ERROR_INVALID_DESC);
    none.error.kind        = VKPRIM_ERROR_OTHER;
    none.error.struct_size = sizeof none.error - 1;
    fail(&none.error);
    CHECK(none.error.kind == VKPRIM_ERROR_OTHER);
    fail(nullptr);
}

} // namespace vkprim::tests::c_interface
