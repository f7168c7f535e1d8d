// Operations that are compiled while the program runs.
#include <vkprim/compiler.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include "support/memory.h"

#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

namespace vkprim::tests {
namespace {

const std::string sums =
    "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n"
    "#include <vkprim/glsl/operation.glsl>\n"
    "Element identity() { return Element(0); }\n"
    "Element operate(Element a, Element b) { return Element(a.sum + b.sum); }\n";

/// 1 + 2 + ... by a scan and by a reduction.
void check_sums(const CompiledOperation& compiled) {
    constexpr uint32_t    count = 10000;
    std::vector<uint32_t> numbers, expected;
    for (uint32_t i = 1; i <= count; ++i) {
        numbers.push_back(i);
        expected.push_back(i * (i + 1) / 2);
    }
    Scan::Desc scan_desc;
    scan_desc.own  = &compiled.operation();
    scan_desc.kind = Scan::Kind::inclusive;
    Reduce::Desc reduce_desc;
    reduce_desc.own   = &compiled.operation();
    const auto scan   = value_of(Scan::create(device().context(), scan_desc));
    const auto reduce = value_of(Reduce::create(device().context(), reduce_desc));
    const auto input = buffer_with(numbers), output = buffer_of_zeros(count * 4), total = buffer_of_zeros(4);
    const auto scratch = scratch_of(scratch_size_of(scan, count)), other = scratch_of(scratch_size_of(reduce, count));
    submit([&](runtime::Commands& commands) {
        scan.record(commands.handle(), {input.address(), output.address(), scratch.address(), count});
        reduce.record(commands.handle(), {input.address(), total.address(), other.address(), count});
    });
    check_same(content_of(output), expected);
    check_same(content_of(total), std::vector<uint32_t>{expected.back()});
}

OperationSource source_of(const std::string& text, const std::string& name = "operation.glsl") {
    OperationSource source;
    source.text = text;
    source.name = name;
    return source;
}

} // namespace

TEST_CASE("compiler: an operation from text", "[device][compiler]") {
    check_sums(value_of(compile(device().context(), source_of(sums))));

    // Only what is asked for is there.
    OperationSource for_scan = source_of(sums);
    for_scan.reduce          = false;
    const auto   compiled    = value_of(compile(device().context(), for_scan));
    Reduce::Desc desc;
    desc.own = &compiled.operation();
    check_error(Reduce::create(device().context(), desc), ErrorKind::invalid_desc, "no code for reduce");
}

TEST_CASE("compiler: the operations that come with vkprim", "[device][compiler]") {
    for (const char* name : {"aabb", "affine", "dot", "log_sum_exp", "matrix2", "moments", "nearest", "saturating_add",
                             "segmented_sum", "sum_by_key"}) {
        CAPTURE(name);
        std::ifstream     file(std::string(VKPRIM_SOURCE_DIR) + "/include/vkprim/glsl/operations/" + name + ".glsl");
        std::stringstream text;
        text << file.rdbuf();
        const auto   compiled = value_of(compile(device().context(), source_of(text.str(), name)));
        Reduce::Desc desc;
        desc.own = &compiled.operation();
        value_of(Reduce::create(device().context(), desc));
    }
}

TEST_CASE("compiler: errors in the file's own lines", "[device][compiler]") {
    const auto error_of = [](const std::string& text) {
        const auto compiled = compile(device().context(), source_of(text, "mine.glsl"));
        REQUIRE_FALSE(compiled);
        CHECK(compiled.error().kind == ErrorKind::invalid_operation);
        return compiled.error().reason;
    };
    const auto has = [](const std::string& reason, const std::string& words) {
        CAPTURE(reason, words);
        CHECK(reason.find(words) != std::string::npos);
    };
    const std::string head = "#define VKPRIM_FIELDS(FIELD) FIELD(uint, sum)\n#include <vkprim/glsl/operation.glsl>\n";
    const std::string identity = "Element identity() { return Element(0); }\n",
                      operate  = "Element operate(Element a, Element b) { return a; }\n";
    has(error_of(head + identity + "Element operate(Element a, Element b) { return a + ; }\n"), "mine.glsl:4: ");
    has(error_of(head + identity + "Element operate(Element a, Element b) { return Element(a.product); }\n"),
        "mine.glsl:4: ");
    has(error_of(head + identity), "Element operate(Element, Element)");
    has(error_of("#define VKPRIM_HAS_LOAD\n" + head + identity + operate +
                 "Element load(float index) { return Element(0); }\n"),
        "Element load(uint)");
    has(error_of(identity + operate), "mine.glsl:1: ");
    has(error_of("#define VKPRIM_FIELDS(FIELD) FIELD(uvec4, a) FIELD(uvec4, b) FIELD(uint, c)\n#include "
                 "<vkprim/glsl/operation.glsl>\n" +
                 operate + "Element identity() { return Element(uvec4(0), uvec4(0), 0); }\n"),
        "at most 8 words");
    has(error_of("#include \"elsewhere.glsl\"\n" + head + identity + operate), "there is no file elsewhere.glsl");
}

namespace {

/// Files that operations include, by name.
using Files = std::map<std::string, std::string>;

/// An operation of that name, compiled for reduce alone, that includes a file and then checks that it got what it should.
OperationSource including(const std::string& file, const Files& files, const std::string& name = "operation.glsl") {
    OperationSource source =
        source_of("#include \"" + file + "\"\n#ifndef RIGHT\n#error the wrong file\n#endif\n" + sums, name);
    source.scan    = false;
    source.include = [files](const std::string& wanted, std::string& text) {
        const auto found = files.find(wanted);
        if (found != files.end()) text = found->second;
        return found != files.end();
    };
    return source;
}

} // namespace

TEST_CASE("compiler: an include is looked for beside the file that includes it", "[device][compiler]") {
    const Context& context = device().context();
    const Files files = {{"sub/a.glsl", "#include \"b.glsl\"\n"}, {"sub/b.glsl", "#define RIGHT\n"}, {"b.glsl", "\n"}};
    value_of(compile(context, including("sub/a.glsl", files)));
    value_of(compile(context, including("sub/a.glsl", files, "folder/of/operation.glsl")));
    value_of(compile(context, including("sub/up.glsl", {{"sub/up.glsl", "#include \"../b.glsl\"\n"},
                                                        {"sub/b.glsl", "\n"},
                                                        {"b.glsl", "#define RIGHT\n"}})));
    // Else beside the operation, as glslc does with -I.
    value_of(compile(
        context, including("sub/a.glsl", {{"sub/a.glsl", "#include \"b.glsl\"\n"}, {"b.glsl", "#define RIGHT\n"}})));
    // Errors name the file by its place.
    const auto wrong =
        compile(context, including("sub/a.glsl", {{"sub/a.glsl", "\nwrong\n"}}, "folder/operation.glsl"));
    check_error(wrong, ErrorKind::invalid_operation, "folder/sub/a.glsl:");
    CHECK(wrong.error().reason.find("has to #include") == std::string::npos);
    check_error(compile(context, including("a.glsl", {{"a.glsl", "#include \"a.glsl\"\n"}})),
                ErrorKind::invalid_operation, "a.glsl is included in itself");
}

TEST_CASE("compiler: files of an operation and vkprim's own do not get in each other's way", "[device][compiler]") {
    const std::pair<const char*, const char*> internal[] = {{"segments", "segments.glsl"},
                                                            {"reduce", "fold_tile.glsl"},
                                                            {"reduce", "reduce_push.h"},
                                                            {"scan", "scan_tile.glsl"},
                                                            {"compact", "compact_push.h"}};
    for (const auto& [folder, file] : internal) {
        CAPTURE(folder, file);
        const Files mine = {{file, "#define RIGHT\n"}};
        value_of(compile(device().context(), including(file, mine, std::string(folder) + "/mine.glsl")));
        // What the operation does not have, it does not get.
        check_error(compile(device().context(), including(file, {}, std::string(folder) + "/mine.glsl")),
                    ErrorKind::invalid_operation, std::string("there is no file ") + file);
        check_error(compile(device().context(), including(std::string(folder) + "/" + file, {})),
                    ErrorKind::invalid_operation, std::string("there is no file ") + folder + "/" + file);
    }
    // And vkprim's files get vkprim's: nobody else is asked for them.
    std::vector<std::string> asked;
    OperationSource          source = including("start.glsl", {});
    source.segmented_scan           = true;
    source.include                  = [&](const std::string& name, std::string& text) {
        asked.push_back(name);
        text = name == "start.glsl" ? "#define RIGHT\n" : "#error not ours\n";
        return true;
    };
    value_of(compile(device().context(), source));
    CHECK(asked == std::vector<std::string>(2, "start.glsl"));
}

TEST_CASE("compiler: what has been compiled before", "[device][compiler]") {
    uint32_t        asked  = 0;
    std::string     number = "0";
    OperationSource source = source_of("#include \"start.glsl\"\n" + sums);
    source.include         = [&](const std::string& name, std::string& text) {
        if (name != "start.glsl") return false;
        text = "// " + number + "\n#define START_" + number + "\n";
        ++asked;
        return true;
    };
    double     milliseconds = 0;
    const auto checked      = [&](OperationCache& cache) {
        const auto begin = std::chrono::steady_clock::now();
        auto       made  = compile(device().context(), source, &cache);
        milliseconds     = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        check_sums(value_of(std::move(made)));
    };
    OperationCache cache;
    checked(cache);
    const uint32_t cold    = asked; // for each module
    const double   cold_ms = milliseconds;
    CHECK(cold == 2);
    checked(cache);
    CHECK(asked == 2 * cold); // whether it is the same still
    CHECK(milliseconds < cold_ms / 10);
    // In another run.
    const std::vector<uint8_t> bytes = cache.bytes();
    OperationCache             later(bytes);
    checked(later);
    CHECK(asked == 3 * cold);
    CHECK(milliseconds < cold_ms / 10);
    // Other content, of what is included, and of the text.
    number = "1";
    asked  = 0;
    checked(later);
    CHECK(asked == 2 * cold);
    source.text += "uint other() { return 1; }\n";
    asked = 0;
    checked(later);
    CHECK(asked == cold);
    // What was cut short, or is something else, is not used, and does no harm.
    for (size_t size : {size_t{0}, size_t{7}, size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
        CAPTURE(size);
        OperationCache cut(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
        CHECK(cut.bytes().size() < bytes.size() / 4);
    }
    OperationCache nothing(std::vector<uint8_t>(1000, 0xff));
    checked(nothing);
}

TEST_CASE("compiler: what has been compiled before, with a file that comes later", "[device][compiler]") {
    Files          files = {{"sub/a.glsl", "#include \"b.glsl\"\n"}, {"b.glsl", "#define RIGHT\n"}};
    OperationCache cache;
    value_of(compile(device().context(), including("sub/a.glsl", files), &cache));
    OperationCache later(cache.bytes());
    files["sub/b.glsl"] = "\n";
    check_error(compile(device().context(), including("sub/a.glsl", files), &later), ErrorKind::invalid_operation,
                "the wrong file");
}

TEST_CASE("compiler: a cache for devices with other features", "[device][compiler]") {
    OperationSource source = source_of(sums);
    source.reduce          = false;
    OperationCache cache;
    for (const char* without : {"", "device.word64", "device.subgroups"}) {
        CAPTURE(without);
        Profile profile = profile_of_device();
        if (*without) profile.values[without] = 0;
        Context context  = device().context();
        context.profile  = &profile;
        const auto alone = value_of(compile(context, source)), cached = value_of(compile(context, source, &cache));
        const auto words = [](const CompiledOperation& compiled) {
            std::vector<std::vector<uint32_t>> modules;
            for (const OwnOperation::Module& module : compiled.operation().scan) {
                modules.emplace_back(module.words, module.words + module.size / 4);
            }
            return modules;
        };
        CHECK(words(alone) == words(cached));
    }
}

} // namespace vkprim::tests
