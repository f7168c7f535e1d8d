// SPIR-V of a caller, which may be anything: what is wrong with it is said, and nothing behind it is read.
#include "spirv.h"

#include <sys/mman.h>
#include <unistd.h>
#include <vkprim/compact.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>
#include <vkprim/segmented_reduce.h>
#include <vkprim/segmented_scan.h>

#include <vkprim/operations/keep_near.h>
#include <vkprim/operations/saturating_add.h>

#include <cstring>
#include <functional>
#include <memory>

#include "support/memory.h"
#include "support/spirv_words.h"

namespace vkprim::tests {
namespace {

using Words = std::vector<uint32_t>;

/// A copy of the words, behind which lies memory that cannot be read.
class Guarded {
public:
    explicit Guarded(const Words& words) : bytes_(words.size() * sizeof(uint32_t)) {
        const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        readable_       = (bytes_ + page - 1) / page * page;
        mapped_         = readable_ + page;
        void* const all = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(all != MAP_FAILED);
        memory_ = static_cast<uint8_t*>(all);
        REQUIRE(mprotect(memory_ + readable_, page, PROT_NONE) == 0);
        std::memcpy(memory_ + readable_ - bytes_, words.data(), bytes_);
    }
    Guarded(const Guarded&)            = delete;
    Guarded& operator=(const Guarded&) = delete;
    ~Guarded() { munmap(memory_, mapped_); }

    Shader shader() const { return {reinterpret_cast<const uint32_t*>(memory_ + readable_ - bytes_), bytes_}; }

private:
    uint8_t* memory_ = nullptr;
    size_t   bytes_, readable_ = 0, mapped_ = 0;
};

constexpr uint32_t with_words(uint32_t instruction, uint32_t words) { return words << 16 | (instruction & 0xffff); }

/// What is said about the small module after a change.
std::string said_about(const std::function<void(Words&)>& change) {
    Words words = small_module(7);
    change(words);
    const Guarded module(words);
    return why_malformed(module.shader());
}

/// A change of the word there.
std::function<void(Words&)> set(uint32_t at, uint32_t word) {
    return [at, word](Words& words) { words[at] = word; };
}

/// An operation or a predicate whose modules have all been changed.
struct Damaged {
    OwnOperation                          own;
    std::vector<std::unique_ptr<Guarded>> kept;

    Damaged(const OwnOperation& of, const std::function<void(Words&)>& change) : own(of) {
        for (auto* modules : {own.reduce, own.scan, own.compact, own.segmented_reduce, own.segmented_scan}) {
            for (OwnOperation::Module* module = modules; module < modules + 3; ++module) {
                if (!module->words) continue;
                Words words(module->words, module->words + module->size / 4);
                change(words);
                kept.push_back(std::make_unique<Guarded>(words));
                *module = {kept.back()->shader().words, kept.back()->shader().size};
            }
        }
    }
};

template <class Primitive>
void check_refused(const OwnOperation& own, const std::string& word) {
    typename Primitive::Desc desc;
    desc.own = &own;
    check_error(Primitive::create(device().context(), desc), ErrorKind::invalid_desc, word);
}

} // namespace

TEST_CASE("spirv: a module that is not malformed", "[host][spirv]") {
    REQUIRE(small_module(7).size() == SmallModule::size);
    const Guarded module(small_module(7));
    CHECK(why_malformed(module.shader()) == "");
    CHECK(constant_default(module.shader(), SmallModule::constant_number) == 7u);
    CHECK_FALSE(constant_default(module.shader(), SmallModule::constant_number + 1));

    // What is added: a capability in front, and an execution mode behind the entry point.
    Words expected = small_module(7);
    expected.insert(expected.begin() + SmallModule::decorate, {0x00040010, 1, 4462, 32});
    expected.insert(expected.begin() + SmallModule::capability, {0x00020011, 4467});
    const Words rounding = rounding_to_even(module.shader());
    CHECK(rounding == expected);
    const Guarded again(rounding);
    CHECK(why_malformed(again.shader()) == "");
}

TEST_CASE("spirv: a module cut at every byte is refused", "[host][spirv]") {
    const Words whole = small_module(7);
    for (size_t size = 0; size < whole.size() * 4; ++size) {
        const Guarded module(Words(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>((size + 3) / 4)));
        const Shader  cut{module.shader().words, size};
        CAPTURE(size);
        if (size < 20 || size % 4 != 0) {
            CHECK(why_malformed(cut).find(std::to_string(size) + " bytes") != std::string::npos);
        } else if (size / 4 <= SmallModule::entry_point) {
            CHECK(why_malformed(cut) != "");
        } // else it may end between two instructions
    }
}

TEST_CASE("spirv: instructions of no words, and of more than there are", "[host][spirv]") {
    const Words whole = small_module(7);
    for (uint32_t at = SmallModule::capability; at < whole.size(); at += whole[at] >> 16) {
        for (const uint32_t size : {0u, static_cast<uint32_t>(whole.size()) - at + 1, 200u, 0xffffu}) {
            CAPTURE(at, size);
            const std::string said = said_about(set(at, with_words(whole[at], size)));
            CHECK(said == "the instruction at word " + std::to_string(at) + " has " + std::to_string(size) +
                              " words, where " + std::to_string(whole.size() - at) + " are left");
        }
    }
}

TEST_CASE("spirv: what a header and the instructions that are read must say", "[host][spirv]") {
    const auto has = [](const std::string& said, const std::string& words) {
        CAPTURE(said, words);
        CHECK(said.find(words) != std::string::npos);
    };
    constexpr uint32_t entry = SmallModule::entry_point, constant = SmallModule::constant;
    has(said_about(set(0, 0x07230204)), "magic number");
    has(said_about(set(0, 0x03022307)), "byte order");
    for (const uint32_t version : {0u, 0x00010300u, 0x00010700u, 0x00010501u, 0x01010500u, UINT32_MAX}) {
        has(said_about(set(1, version)), "version");
    }
    CHECK(said_about(set(1, 0x00010600)) == "");
    for (const uint32_t bound : {0u, 0x400000u, UINT32_MAX}) has(said_about(set(3, bound)), "header");
    has(said_about(set(4, 1)), "header");
    has(said_about(set(entry + 1, 0)), "main");                  // of a vertex shader
    has(said_about(set(entry + 3, 0x6e69616c)), "main");         // of another name
    has(said_about(set(entry + 4, 1)), "main");                  // whose name goes on
    has(said_about(set(entry + 5, SmallModule::bound)), "main"); // whose interface is beyond the bound
    has(said_about([](Words& words) {                            // whose name does not end
            words[entry] = with_words(words[entry], 4);
            words.erase(words.begin() + entry + 4, words.begin() + entry + 6);
        }),
        "main");
    has(said_about([](Words& words) { words.erase(words.begin() + entry, words.begin() + SmallModule::decorate); }),
        "0 entry points");
    has(said_about([](Words& words) {
            const Words one(words.begin() + entry, words.begin() + SmallModule::decorate);
            words.insert(words.begin() + entry, one.begin(), one.end());
        }),
        "2 entry points");
    for (const uint32_t id : {0u, SmallModule::bound, UINT32_MAX}) {
        has(said_about(set(entry + 2, id)), "main");
        has(said_about(set(SmallModule::decorate + 1, id)), "malformed");
        has(said_about(set(constant + 1, id)), "malformed");
        has(said_about(set(constant + 2, id)), "malformed");
    }
    // Of too few words, at the end of what can be read.
    for (const auto& [opcode, size] : {std::pair(15u, 4u), {17, 1}, {17, 3}, {50, 3}, {71, 2}, {71, 3}}) {
        CAPTURE(opcode, size);
        Words words = small_module(7);
        words.push_back(with_words(opcode, size));
        for (uint32_t i = 1; i < size; ++i) words.push_back(1);
        const Guarded module(words);
        has(why_malformed(module.shader()), "the instruction at word " + std::to_string(SmallModule::size));
    }
    CHECK(why_malformed({}) == "it is null");
    alignas(uint32_t) uint8_t bytes[SmallModule::size * 4 + 1];
    std::memcpy(bytes + 1, small_module(7).data(), SmallModule::size * 4);
    has(why_malformed({reinterpret_cast<const uint32_t*>(bytes + 1), SmallModule::size * 4}), "multiple of 4");
}

TEST_CASE("spirv: create() refuses malformed modules of every primitive", "[device][own]") {
    const std::function<void(Words&)> changes[] = {
        [](Words& words) { words.back() = with_words(words.back(), 0); },
        [](Words& words) { words.back() = with_words(words.back(), 201); },
        [](Words& words) { words.pop_back(), words.push_back(with_words(0, 2)); },
    };
    for (const auto& change : changes) {
        const Damaged operation(operations::saturating_add, change), predicate(operations::keep_near, change);
        check_refused<Reduce>(operation.own, "malformed module for reduce");
        check_refused<Scan>(operation.own, "malformed module for scan");
        check_refused<SegmentedReduce>(operation.own, "malformed module for segmented_reduce");
        check_refused<SegmentedScan>(operation.own, "malformed module for segmented_scan");
        check_refused<Compact>(predicate.own, "malformed module for compact");
    }
}

} // namespace vkprim::tests
