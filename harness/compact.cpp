#include <vkprim/compact.h>
#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/glsl/detail/tile.h>

#include <fmt/format.h>

#include "../shaders/compact/compact_push.h"
#include "elements.h"
#include "float_bits.h"
#include "segments.h"
#include "variants.h"
#include "workload.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace vkprim::harness::compact_primitive {
namespace {

using Keep     = Compact::Keep;
using Copy     = Compact::Copy;
using Rejected = Compact::Rejected;

constexpr const char* key_names[]  = {"u8", "u32", "i32", "f32", "u64"};
constexpr const char* keep_names[] = {"nonzero", "inside", "outside", "run_heads"};
constexpr const char* copy_names[] = {"keys", "elements", "indices"};

/// What goes to the output.
Copy output_of(Copy copy) { return static_cast<Copy>(static_cast<uint32_t>(copy) % 3); }

/// Whether indices go to an output of their own.
bool has_own_indices(Copy copy) { return copy > Copy::indices; }

uint32_t size_of(KeyType type) { return type == KeyType::u8 ? 1 : type == KeyType::u64 ? 8 : 4; }

/// Of what goes to the output for one element.
uint32_t words_of(const Compact::Desc& desc) { return output_of(desc.copy) == Copy::keys ? size_of(desc.key) / 4 : 1; }

Format format_of(KeyType type) {
    return type == KeyType::i32 ? Format::i32 : type == KeyType::f32 ? Format::f32 : Format::u32;
}

std::string name_of(const Compact::Desc& desc) {
    std::string name = fmt::format("{} {} {}", key_names[static_cast<uint32_t>(desc.key)],
                                   keep_names[static_cast<uint32_t>(desc.keep)],
                                   copy_names[static_cast<uint32_t>(output_of(desc.copy))]);
    if (desc.rejected != Rejected::dropped) name += " rejected";
    if (desc.rejected == Rejected::divided) name += " above";
    if (has_own_indices(desc.copy)) name += " indices";
    if (desc.indices_end) name += " end";
    if (desc.segments != SegmentLayout::none) name += desc.segments == SegmentLayout::rows ? " rows" : " offsets";
    return name;
}

/// Its way through the shader: the module, and whether a key is compared with the one before.
std::string way_of(const Compact::Desc& desc) {
    const char* const module = desc.segments == SegmentLayout::rows                               ? "rows"
                               : desc.segments == SegmentLayout::offsets                          ? "offsets"
                               : desc.rejected == Rejected::divided                               ? "three"
                               : desc.key == KeyType::u64                                         ? "long"
                               : has_own_indices(desc.copy) || desc.rejected != Rejected::dropped ? "several"
                                                                                                  : "one";
    return fmt::format("{}{}", module, desc.keep == Keep::run_heads ? " of runs" : "");
}

/// All that there are, the plainest first.
const std::vector<Compact::Desc>& descs() {
    static const std::vector<Compact::Desc> all = [] {
        std::vector<Compact::Desc> descs;
        for (Copy copy : {Copy::elements, Copy::indices, Copy::keys}) {
            for (KeyType key : {KeyType::u8, KeyType::u32, KeyType::i32, KeyType::f32}) {
                for (Keep keep : {Keep::nonzero, Keep::inside, Keep::outside, Keep::run_heads}) {
                    const bool takes_bytes = copy != Copy::keys && keep != Keep::run_heads;
                    if (key != KeyType::u8 || takes_bytes) descs.push_back({key, keep, copy});
                }
            }
            descs.push_back({KeyType::u64, Keep::run_heads, copy});
        }
        return descs;
    }();
    return all;
}

Compact::Desc parted() {
    Compact::Desc desc{KeyType::u8, Keep::nonzero, Copy::elements};
    desc.rejected = Rejected::packed;
    return desc;
}

/// A key of each run, and where the runs begin and end.
Compact::Desc runs(KeyType key) {
    Compact::Desc desc{key, Keep::run_heads, Copy::keys_and_indices};
    desc.indices_end = true;
    return desc;
}

Compact::Desc segmented(Compact::Desc desc, SegmentLayout segments) {
    desc.segments = segments;
    return desc;
}

const Compact::Desc offsets_of_flags = segmented({KeyType::u8, Keep::nonzero, Copy::elements}, SegmentLayout::offsets);
const Compact::Desc rows_of_flags    = segmented({KeyType::u8, Keep::nonzero, Copy::elements}, SegmentLayout::rows);

/// Of these keys, into those inside of a range, below and above.
Compact::Desc parted_in_three(KeyType key, Copy copy) {
    Compact::Desc desc{key, Keep::inside, copy};
    desc.rejected = Rejected::divided;
    return desc;
}

std::vector<Compact::Desc> three_descs() {
    Compact::Desc indices = parted_in_three(KeyType::u8, Copy::indices);
    indices.indices_end   = true;
    return {parted_in_three(KeyType::u32, Copy::keys), parted_in_three(KeyType::f32, Copy::elements), indices,
            parted_in_three(KeyType::i32, Copy::elements)};
}

/// Of each kind of segments, one output and two.
std::vector<Compact::Desc> segmented_descs() {
    Compact::Desc floats{KeyType::f32, Keep::inside, Copy::keys}, indices{KeyType::u32, Keep::outside, Copy::indices};
    Compact::Desc parted_floats = floats, parted_integers{KeyType::i32, Keep::inside, Copy::elements};
    floats.copy                 = Copy::keys_and_indices;
    floats.indices_end = indices.indices_end = true;
    parted_integers.rejected = parted_floats.rejected = Rejected::packed;
    return {offsets_of_flags,
            rows_of_flags,
            segmented(floats, SegmentLayout::offsets),
            segmented(parted_floats, SegmentLayout::offsets),
            segmented(indices, SegmentLayout::rows),
            segmented(parted_integers, SegmentLayout::rows)};
}

/// Several outputs in one go.
std::vector<Compact::Desc> several_descs() {
    const Compact::Desc floats{KeyType::f32, Keep::outside, Copy::keys_and_indices},
        flags{KeyType::u8, Keep::nonzero, Copy::elements_and_indices},
        integers{KeyType::i32, Keep::inside, Copy::elements_and_indices};
    Compact::Desc offsets{KeyType::f32, Keep::run_heads, Copy::indices},
        all{KeyType::f32, Keep::inside, Copy::keys_and_indices};
    Compact::Desc all_long = runs(KeyType::u64), parted_long{KeyType::u64, Keep::run_heads, Copy::elements};
    offsets.indices_end = all.indices_end = true;
    all.rejected = all_long.rejected = parted_long.rejected = Rejected::packed;
    return {floats,   flags, integers,           runs(KeyType::u32), offsets,
            parted(), all,   runs(KeyType::u64), all_long,           parted_long};
}

struct KeyRange {
    double lower = 0, upper = 0;
};

/// In the middle of what random_keys() draws.
KeyRange range_of(KeyType type) {
    if (type == KeyType::i32) return {-2, 1};
    if (type == KeyType::f32) return {-0.25, 0.5};
    return {2, 5};
}

/// The key as a number, which may be NaN.
double value_of(KeyType type, const uint8_t* keys, uint32_t index) {
    if (type == KeyType::u8) return keys[index];
    uint32_t bits;
    std::memcpy(&bits, keys + uint64_t{index} * 4, 4);
    if (type == KeyType::f32) return static_cast<double>(float_of(bits));
    return type == KeyType::i32 ? static_cast<double>(static_cast<int32_t>(bits)) : bits;
}

bool is_kept(const Compact::Desc& desc, const KeyRange& range, const uint8_t* keys, uint32_t index) {
    if (desc.keep == Keep::run_heads) {
        const uint32_t       size = size_of(desc.key);
        const uint8_t* const key  = keys + uint64_t{index} * size;
        return index == 0 || std::memcmp(key - size, key, size) != 0;
    }
    const double key = value_of(desc.key, keys, index);
    if (desc.keep == Keep::nonzero) return key != 0;
    return (key >= range.lower && key <= range.upper) == (desc.keep == Keep::inside);
}

/// Whether an element goes to an output of this name.
enum class Side { kept, rejected, below, above };

bool is_in(Side side, const Compact::Desc& desc, const KeyRange& range, const uint8_t* keys, uint32_t index) {
    const bool kept = is_kept(desc, range, keys, index);
    if (side == Side::kept || side == Side::rejected) return kept == (side == Side::kept);
    const bool below = value_of(desc.key, keys, index) < range.lower; // no NaN
    return side == Side::below ? below : !below && !kept;
}

/// What Compact makes of it: how many elements are in an output, and these.
std::vector<uint32_t> reference_compact(const Compact::Desc& desc, const KeyRange& range, const uint8_t* keys,
                                        const uint8_t* elements, uint32_t count, Side side = Side::kept) {
    const uint32_t        words = words_of(desc);
    std::vector<uint32_t> output(1);
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_in(side, desc, range, keys, i)) continue;
        uint32_t copied[2] = {i};
        if (desc.copy != Copy::indices) {
            std::memcpy(copied, (output_of(desc.copy) == Copy::keys ? keys : elements) + uint64_t{i} * words * 4,
                        words * 4);
        }
        output.insert(output.end(), copied, copied + words);
    }
    output[0] = static_cast<uint32_t>((output.size() - 1) / words);
    return output;
}

/// One of 8 bytes: neighbours among the numbers differ in both words, or in one alone.
uint64_t long_key(uint32_t number) { return uint64_t{number >> 1} << 32 | uint64_t{number & 1} << 31; }

void put_key(Bytes& bytes, uint32_t index, KeyType type, uint64_t bits) {
    std::memcpy(&bytes[uint64_t{index} * size_of(type)], &bits, size_of(type)); // little-endian
}

/// Keys around the range, of which nearly none, half or nearly all are kept as nonzero ones, for stretches of random length.
Bytes random_keys(KeyType type, uint32_t count, Random random) {
    Bytes bytes(uint64_t{count} * size_of(type));
    for (uint32_t i = 0; i < count;) {
        const uint32_t sixteenths[] = {0, 1, 8, 8, 15, 16}, zeros = sixteenths[random.below(6)];
        const uint32_t end = i + std::min(1 + random.below(2u << random.below(15)), count - i);
        for (; i < end; ++i) {
            const uint64_t r    = random.next();
            const bool     zero = (r >> 32 & 15) < zeros;
            uint32_t       bits = static_cast<uint32_t>(r >> 40 & 7);
            if (type == KeyType::i32) bits -= 4;
            if (type == KeyType::f32) bits = bits_of((static_cast<float>(bits) - 3) / 4);
            if (zero) bits = 0;
            put_key(bytes, i, type, type == KeyType::u64 ? long_key(bits) : bits);
        }
    }
    return bytes;
}

/// Few values, among them those that are special for the type.
Bytes special_keys(KeyType type, uint32_t count, Random random) {
    std::vector<uint64_t> values = {0, 1, 2, 5, 6, ~0u, 0x80000000u, 0x7fffffffu, ~1u, ~2u};
    if (type == KeyType::f32) {
        values = {0,           0x80000000u, bits_of(-0.25f), bits_of(0.5f), bits_of(0.50000006f),
                  0x7f800000u, 0xff800000u, 0x7fc00001u,     0xffc12345u,   1u,
                  0x80000001u};
    }
    if (type == KeyType::u64) { // of f64: zeros, infinity, NaN of several bits
        values = {0,
                  1,
                  0x80000000u,
                  0xffffffffu,
                  0x100000000u,
                  0x8000000000000000u,
                  0xffffffff00000000u,
                  0xfffffffffffffffeu,
                  0xffffffffffffffffu,
                  0x7ff0000000000000u,
                  0x7ff8000000000000u,
                  0x7ff8000000000001u};
    }
    Bytes bytes(uint64_t{count} * size_of(type));
    for (uint32_t i = 0; i < count; ++i) {
        put_key(bytes, i, type, values[random.below(static_cast<uint32_t>(values.size()))]);
    }
    return bytes;
}

/// Of 8 bytes: runs of three that differ in one word alone, which begins at that bit.
Bytes keys_by_word(uint32_t count, uint32_t begin_bit) {
    Bytes bytes(uint64_t{count} * 8);
    for (uint32_t i = 0; i < count; ++i) put_key(bytes, i, KeyType::u64, uint64_t{i / 3} << begin_bit);
    return bytes;
}

/// How many are kept ahead of each of these places.
std::vector<uint32_t> reference_ahead(const Compact::Desc& desc, const KeyRange& range, const uint8_t* keys,
                                      uint32_t count, const Offsets& places) {
    if (places.empty()) return {};
    std::vector<uint32_t> ahead(uint64_t{count} + 1), words;
    for (uint32_t i = 0; i < count; ++i) ahead[i + 1] = ahead[i] + (is_kept(desc, range, keys, i) ? 1 : 0);
    for (const uint64_t place : places) words.push_back(ahead[std::min<uint64_t>(place, count)]);
    return words;
}

/// How many are kept, ahead of each segment and of all, and then one output behind the other. An empty one has room for an element all the
/// same, which is not written: validate() wants outputs apart.
struct Outcome {
    std::vector<uint32_t> words;
    std::vector<size_t>   untouched;                                                    ///< which words these are
    uint64_t              output_at = 0, rejected_at = 0, above_at = 0, indices_at = 0; ///< bytes
};

/// `begins`: of segments.
Outcome outcome_of(const Compact::Desc& desc, const KeyRange& range, const uint8_t* keys, const uint8_t* elements,
                   uint32_t count, const Offsets& begins = {}) {
    Outcome outcome;
    outcome.words           = reference_ahead(desc, range, keys, count, begins);
    const size_t numbers_at = outcome.words.size();
    outcome.words.resize(numbers_at + (desc.rejected == Rejected::divided ? 2 : 1));
    const auto add = [&](Copy copy, Side side) {
        const Compact::Desc one{desc.key, desc.keep, copy};
        auto                words = reference_compact(one, range, keys, elements, count, side);
        if (side == Side::kept) outcome.words[numbers_at] = words[0];
        if (side == Side::below) outcome.words[numbers_at + 1] = words[0];
        words.erase(words.begin());
        if (copy == Copy::indices && desc.indices_end && side == Side::kept) words.push_back(count);
        const size_t at = outcome.words.size();
        for (uint32_t i = 0; words.empty() && i < words_of(one); ++i) outcome.untouched.push_back(at + i);
        words.resize(std::max<size_t>(words.size(), words_of(one)));
        outcome.words.insert(outcome.words.end(), words.begin(), words.end());
        return at * 4;
    };
    outcome.output_at = add(desc.copy, Side::kept);
    if (desc.rejected == Rejected::packed) outcome.rejected_at = add(output_of(desc.copy), Side::rejected);
    if (desc.rejected == Rejected::divided) {
        outcome.rejected_at = add(output_of(desc.copy), Side::below);
        outcome.above_at    = add(output_of(desc.copy), Side::above);
    }
    if (has_own_indices(desc.copy)) outcome.indices_at = add(Copy::indices, Side::kept);
    return outcome;
}

struct Shape {
    uint32_t keys_misalignment     = 0; ///< in keys
    uint32_t elements_misalignment = 0; ///< in elements
    uint32_t output_misalignment   = 0; ///< in bytes
    uint32_t bound                 = 0; ///< with a count on the GPU
    uint32_t parts                 = 1;
    uint32_t left                  = 0; ///< words that the operation before has left in scratch, if any
};

/// How the input is cut into segments.
struct Cuts {
    Offsets  begins       = {}; ///< of the segments; may lie beyond the input
    uint32_t row_length   = 0;
    uint32_t misalignment = 0;     ///< of offsets, in words
    bool     wide         = false; ///< offsets of 8 bytes
    bool     on_gpu       = false; ///< the number of segments

    Segments segments(const Compact::Desc& desc, VkDeviceAddress offsets) const {
        Segments segments;
        segments.count       = static_cast<uint32_t>(begins.size());
        segments.offset_size = wide ? 8 : 4;
        if (desc.segments == SegmentLayout::offsets) segments.offsets = offsets;
        if (desc.segments == SegmentLayout::rows) segments.pitch = VkDeviceSize{row_length} * size_of(desc.key);
        return segments;
    }
};

/// Appends the number of segments, and the offsets, to memory that begins `begin` bytes behind a multiple of 64. Returns where the offsets are.
uint64_t append_offsets(Bytes& bytes, uint32_t begin, const Cuts& cuts) {
    const uint64_t size = cuts.wide ? 8 : 4,
                   at   = (bytes.size() + begin + 63 + 4) / 64 * 64 - begin + 4 * cuts.misalignment;
    bytes.resize(at + cuts.begins.size() * size);
    const auto segments = static_cast<uint32_t>(cuts.begins.size());
    std::memcpy(&bytes[at - 4], &segments, 4);
    for (size_t i = 0; i < cuts.begins.size(); ++i) std::memcpy(&bytes[at + i * size], &cuts.begins[i], size);
    return at;
}

void verify_case(Verifier& verifier, const Compact& compact, const Compact::Desc& desc, const Bytes& keys,
                 const Shape& shape, const Cuts& cuts = {}) {
    const auto     count = static_cast<uint32_t>(keys.size() / size_of(desc.key));
    const KeyRange range = range_of(desc.key);
    // Elements behind the keys.
    const size_t   begin    = (keys.size() + 63) / 64 * 64;
    Random         random   = verifier.random();
    const uint32_t keys_at  = shape.keys_misalignment * size_of(desc.key);
    const size_t   elements = begin + (64 - keys_at + shape.elements_misalignment * 4) % 64;
    Bytes          bytes    = keys;
    if (output_of(desc.copy) == Copy::elements) {
        bytes.resize(elements + uint64_t{count} * 4);
        for (size_t i = keys.size(); i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(random.next() >> 56);
    }
    const bool     segmented = desc.segments != SegmentLayout::none;
    const uint64_t offsets   = segmented ? append_offsets(bytes, keys_at, cuts) : 0;
    Outcome        expected  = outcome_of(desc, range, bytes.data(), bytes.data() + elements, count, cuts.begins);
    const Range    input     = verifier.input(bytes.data(), bytes.size(), keys_at);
    const Range    output    = verifier.output(expected.words.size() * 4, shape.output_misalignment);
    for (const size_t i : expected.untouched) expected.words[i] = verifier.output_guard();
    Compact::Args args;
    args.keys     = input.address;
    args.elements = output_of(desc.copy) == Copy::elements ? input.address + elements : 0;
    args.kept     = output.address;
    args.output   = output.address + expected.output_at;
    args.rejected = output.address + expected.rejected_at;
    args.above    = output.address + expected.above_at;
    args.indices  = output.address + expected.indices_at;
    if (segmented) args.segments = cuts.segments(desc, input.address + offsets);
    if (cuts.on_gpu) {
        args.segments.count_address = input.address + offsets - 4;
        args.segments.count += 1000;
    }
    args.count = std::max(count, shape.bound);
    args.lower = range.lower;
    args.upper = range.upper;
    if (shape.bound > 0) args.count_address = verifier.gpu_count(count);
    verifier.lend(compact, args, shape.left);
    verifier.prove(compact, args, {2, shape.parts}, output, expected.words.data(),
                   output_of(desc.copy) == Copy::keys ? format_of(desc.key) : Format::u32);
}

void verify_counts(Verifier& verifier, const Compact& compact, const Compact::Desc& desc) {
    for (uint32_t count : verifier.edge_counts()) {
        const auto random_case = [&](const std::string& name, const Shape& shape) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            verify_case(verifier, compact, desc, random_keys(desc.key, count, verifier.random()), shape);
        };
        random_case("aligned", {});
        random_case("offset=1,0", {1, 0, 12});
        random_case("offset=0,1", {0, 1, 4});
        random_case("offset=2,3", {2, 3, 8});
        random_case("offset=3,2", {3, 2, 0});
        random_case("on the GPU", {0, 0, 0, count + 1});
        random_case("on the GPU, large bound", {0, 0, 0, 2 * count + 70000});
        random_case("in parts, on the GPU", {0, 0, 0, count + 1, 3});
        // A few tiles after very many, which are cleared in several rounds.
        if (count == VKPRIM_TILE_BLOCK + 1) random_case("after many tiles", {0, 0, 0, 0, 1, 5000});
        if (verifier.wants(fmt::format("count={} special", count))) {
            verify_case(verifier, compact, desc, special_keys(desc.key, count, verifier.random()), {});
        }
        for (uint8_t byte : {uint8_t{0}, uint8_t{0xff}}) { // NaN, where keys are floats
            if (!verifier.wants(fmt::format("count={} all {:#04x}", count, byte))) continue;
            verify_case(verifier, compact, desc, Bytes(uint64_t{count} * size_of(desc.key), byte), {});
        }
        for (uint32_t begin_bit : {0u, 32u}) {
            if (desc.key != KeyType::u64) break;
            if (!verifier.wants(fmt::format("count={} bits from {} alone", count, begin_bit))) continue;
            verify_case(verifier, compact, desc, keys_by_word(count, begin_bit), {});
        }
    }
}

void verify_offsets(Verifier& verifier, const Compact& compact, const Compact::Desc& desc) {
    for (uint32_t count : verifier.edge_counts()) {
        const auto at = [&](const std::string& name, const std::function<Offsets()>& begins, const Shape& shape,
                            Cuts cuts) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            cuts.begins = begins();
            verify_case(verifier, compact, desc, random_keys(desc.key, count, verifier.random()), shape, cuts);
        };
        const auto cut = [&](const std::string& name, Cut how, const Shape& shape, const Cuts& cuts) {
            const auto begins = [&] {
                Offsets offsets = offsets_of(how, count, verifier.random());
                offsets.pop_back(); // the end
                return offsets;
            };
            at(name, begins, shape, cuts);
        };
        const auto alike = [&](const std::string& name, uint64_t begin) {
            at(name, [=] { return Offsets(1000, begin); }, {}, {});
        };
        cut("one", Cut::one, {}, {});
        cut("ones", Cut::ones, {1, 0, 4}, {{}, 0, 1});
        cut("few", Cut::few, {}, {{}, 0, 3, true});
        cut("middle", Cut::middle, {0, 1, 8}, {{}, 0, 2, false, true});
        cut("many, in parts", Cut::many, {0, 0, 0, 0, 3}, {{}, 0, 0, true, true});
        cut("tiles", Cut::tiles, {2, 3, 12}, {});
        cut("skewed, on the GPU", Cut::skewed, {0, 0, 0, count + 70000}, {});
        cut("empty", Cut::empty, {3, 2, 0}, {{}, 0, 1, true});
        cut("gaps", Cut::gaps, {}, {});
        at("none", [] { return Offsets(); }, {}, {});
        alike("all at the beginning", 0);
        alike("all in the middle", count / 2);
        alike("all at the end", count);
        const auto beyond = [=] {
            return Offsets{count / 2, count, uint64_t{count} + 1, 1ull << 32, (1ull << 32) + count / 2};
        };
        at("beyond", beyond, {}, {{}, 0, 0, true});
    }
}

/// Here segments are rows.
void verify_rows(Verifier& verifier, const Compact& compact, const Compact::Desc& desc) {
    for (uint32_t count : verifier.edge_counts()) {
        // As many rows as begin in the input, and more.
        const auto run = [&](uint32_t length, uint32_t more, const Shape& shape, bool on_gpu) {
            if (!verifier.wants(fmt::format("count={} rows of {}", count, length))) return;
            Cuts           cuts{{}, length, 0, false, on_gpu};
            const uint32_t rows = length == 0 ? more : (count + length - 1) / length + more;
            const uint32_t step = length == 0 ? count : length; // a pitch of 0: the first row has all
            for (uint64_t row = 0; row < rows; ++row) cuts.begins.push_back(row * step);
            verify_case(verifier, compact, desc, random_keys(desc.key, count, verifier.random()), shape, cuts);
        };
        run(1, 0, {}, false);
        run(3, 5, {1, 0, 4}, true);
        run(256, 0, {0, 1, 8, count + 1}, false);
        run(1000, 300, {0, 0, 0, 0, 3}, true);
        run(5000, 1, {}, false);
        run(0x80000001, 4, {3, 2, 12}, false); // from the third row on, they begin beyond 2^32
        run(0, 400, {}, false);
    }
}

void verify_compact(Verifier& verifier) {
    // Of the quick extent: each key, each way to keep and each copy; and every count in every shape of those that load and store differently.
    static const std::set<std::string> first = {"f32 outside keys",
                                                "u8 nonzero elements indices",
                                                "u32 outside indices",
                                                "u32 run_heads keys indices end",
                                                "u64 run_heads keys indices end",
                                                "u8 nonzero elements offsets"};
    static const std::set<std::string> quick = {"u8 nonzero elements",
                                                "u32 outside indices",
                                                "i32 inside keys",
                                                "f32 inside elements",
                                                "f32 outside keys",
                                                "u8 inside indices",
                                                "f32 outside keys indices",
                                                "u8 nonzero elements indices",
                                                "u32 run_heads keys indices end",
                                                "f32 run_heads indices end",
                                                "i32 run_heads elements",
                                                "u64 run_heads keys indices end",
                                                "u64 run_heads keys rejected indices end",
                                                "u64 run_heads elements rejected",
                                                "u64 run_heads indices",
                                                "u8 nonzero elements rejected",
                                                "f32 inside keys rejected indices end",
                                                "u32 inside keys rejected above",
                                                "f32 inside elements rejected above",
                                                "u8 inside indices rejected above end",
                                                "u8 nonzero elements offsets",
                                                "u8 nonzero elements rows",
                                                "f32 inside keys indices end offsets",
                                                "f32 inside keys rejected offsets",
                                                "u32 outside indices end rows"};
    std::vector<Compact::Desc>         all   = descs();
    for (const Compact::Desc& desc : several_descs()) all.push_back(desc);
    for (const Compact::Desc& desc : segmented_descs()) all.push_back(desc);
    for (const Compact::Desc& desc : three_descs()) all.push_back(desc);
    for (const Compact::Desc& desc : all) {
        const std::string name = name_of(desc);
        if (verifier.extent() != Extent::full && quick.count(name) == 0) continue;
        if (!verifier.group("compact " + name, first.count(name) > 0 ? Cover::all : Cover::pairs, way_of(desc)))
            continue;
        const auto compact = verifier.create<Compact>(desc);
        if (!compact) continue;
        const auto verify = desc.segments == SegmentLayout::offsets ? verify_offsets
                            : desc.segments == SegmentLayout::rows  ? verify_rows
                                                                    : verify_counts;
        verify(verifier, *compact, desc);
    }
}

/// In a benchmark's input, of the elements: the next multiple of 16 bytes behind the keys.
uint64_t elements_offset(const Compact::Desc& desc, uint32_t count) {
    return (uint64_t{count} * size_of(desc.key) + 15) / 16 * 16;
}

/// Keys that are kept with a chance of one in `one_in`, and of what is parted in three, as many below; behind them as many elements, where those
/// are copied. Runs are of that length.
Bytes bench_input(const Compact::Desc& desc, uint32_t one_in, uint32_t count) {
    Random random(1);
    Bytes  bytes(uint64_t{count} * size_of(desc.key));
    for (uint32_t i = 0; i < count; ++i) {
        if (desc.keep == Keep::run_heads) {
            const uint32_t run = i / one_in;
            put_key(bytes, i, desc.key, desc.key == KeyType::u64 ? run * 0x9e3779b97f4a7c15ull : run * 0x9e3779b9u);
            continue;
        }
        const uint64_t r    = random.next();
        const uint64_t rest = (r >> 32) % one_in;
        const uint32_t other =
            desc.rejected == Rejected::divided && rest == 1 ? 1 : 6 + static_cast<uint32_t>(r >> 8 & 3);
        const uint32_t value = rest == 0 ? 2 + (r >> 8 & 3) : other;
        put(bytes, i, desc.keep != Keep::nonzero ? value : value > 5 ? 0 : 1, size_of(desc.key));
    }
    if (output_of(desc.copy) != Copy::elements) return bytes;
    const uint64_t begin = elements_offset(desc, count) / 4;
    bytes.resize((begin + count) * 4);
    for (uint64_t i = begin; i < begin + count; ++i) put(bytes, i, static_cast<uint32_t>(random.next()), 4);
    return bytes;
}

/// Writes how many it keeps, and behind that these. `elements_at`: bytes from the keys to the elements.
auto args_of(const Compact::Desc& desc, uint64_t elements_at) {
    return [range = range_of(desc.key), elements_at](const Operands& operands) {
        return Compact::Args{
            operands.input, operands.input + elements_at, operands.output + 4, operands.output, operands.scratch,
            operands.count, operands.count_address,       range.lower,         range.upper,     operands.part};
    };
}

/// `length`: of segments.
Result<Workload> prepare(const runtime::Device& device, const Compact::Desc& compact, uint32_t one_in, uint32_t length,
                         const BenchSize& size) {
    const uint64_t elements_at = elements_offset(compact, size.count);
    Bytes          input       = bench_input(compact, one_in, size.count);
    Cuts           cuts{{}, length};
    for (uint64_t begin = 0; length > 0 && begin < size.count; begin += length) cuts.begins.push_back(begin);
    const uint64_t offsets_at = compact.segments == SegmentLayout::offsets ? append_offsets(input, 0, cuts) : 0;
    WorkloadDesc   desc;
    desc.size          = size;
    desc.input         = std::make_shared<Bytes>(std::move(input));
    const auto outcome = std::make_shared<const Outcome>(outcome_of(
        compact, range_of(compact.key), desc.input->data(), desc.input->data() + elements_at, size.count, cuts.begins));
    // With room for all elements behind what is expected, so that a device that keeps too many is found out and harms nothing.
    desc.output_size   = (outcome->words.size() + uint64_t{size.count} * words_of(compact)) * 4;
    desc.output_offset = 16 - outcome->output_at % 16; // what is kept begins at a multiple of 16
    desc.expected      = [outcome] { return bytes_of(outcome->words); };
    const auto args    = [=, args_of_one = args_of(compact, elements_at)](const Operands& operands) {
        Compact::Args all = args_of_one(operands);
        if (compact.segments != SegmentLayout::none) all.segments = cuts.segments(compact, operands.input + offsets_at);
        all.output   = operands.output + outcome->output_at;
        all.rejected = operands.output + outcome->rejected_at;
        all.above    = operands.output + outcome->above_at;
        all.indices  = operands.output + outcome->indices_at;
        return all;
    };
    auto workload = workload_of<Compact>(device, compact, desc, args);
    if (workload) workload->bytes_written = workload->expected()->size();
    return workload;
}

BenchDesc bench(const std::string& name, const Compact::Desc& desc, uint32_t one_in, uint32_t length = 0) {
    return {name_of(desc) + ", " + name, key_names[static_cast<uint32_t>(desc.key)], size_of(desc.key),
            [=](const runtime::Device& device, const BenchSize& size) {
                return prepare(device, desc, one_in, length, size);
            }};
}

/// Of random cases. Those between offsets have those of PropertySegments{0} ahead of the keys, which are aligned as these are.
const std::vector<Compact::Desc>& property_descs() {
    static const std::vector<Compact::Desc> all = [] {
        std::vector<Compact::Desc> descs_of_them = descs();
        descs_of_them.push_back(offsets_of_flags);
        descs_of_them.push_back(segmented({KeyType::f32, Keep::inside, Copy::keys}, SegmentLayout::offsets));
        return descs_of_them;
    }();
    return all;
}

/// Where those segments begin.
Offsets property_begins(const Compact::Desc& desc) {
    if (desc.segments == SegmentLayout::none) return {};
    Offsets offsets = PropertySegments{0}.offsets(UINT32_MAX);
    offsets.pop_back(); // the end
    return offsets;
}

/// The elements lie where the keys do.
Model model_of(const Compact::Desc& desc) {
    Model model;
    model.input_size     = output_of(desc.copy) == Copy::elements ? std::max(4u, size_of(desc.key)) : size_of(desc.key);
    model.format         = output_of(desc.copy) == Copy::keys ? format_of(desc.key) : Format::u32;
    const Offsets begins = property_begins(desc);
    if (!begins.empty()) model.ahead = PropertySegments{0}.ahead();
    model.output_size = [=](uint32_t count) { return (uint64_t{count} * words_of(desc) + begins.size() + 1) * 4; };
    model.input       = [=](uint32_t count, Data data, Random random) {
        const uint32_t keys = count * (model.input_size / size_of(desc.key));
        if (data == Data::random) return random_keys(desc.key, keys, random);
        if (data == Data::special) return special_keys(desc.key, keys, random);
        Bytes bytes(uint64_t{count} * model.input_size);
        for (uint32_t i = 0; i < keys && data != Data::zeros; ++i) {
            const uint32_t value = data == Data::ones ? 1 : i;
            put_key(bytes, i, desc.key, desc.key == KeyType::f32 ? bits_of(static_cast<float>(value)) : value);
        }
        return bytes;
    };
    model.expect = [=](const uint8_t* input, uint32_t count, uint8_t* output) {
        const auto ahead = reference_ahead(desc, range_of(desc.key), input, count, begins);
        const auto words = reference_compact(desc, range_of(desc.key), input, input, count);
        if (!ahead.empty()) std::memcpy(output, ahead.data(), ahead.size() * 4);
        std::memcpy(output + ahead.size() * 4, words.data(), words.size() * 4);
    };
    return model;
}

Result<Operator> operator_for(const Context& context, const Compact::Desc& desc) {
    const auto segments = static_cast<uint32_t>(property_begins(desc).size());
    return create_operator<Compact>(context, desc,
                                    [segments, args_of_one = args_of(desc, 0)](const Operands& operands) {
                                        Compact::Args args = args_of_one(operands);
                                        if (segments == 0) return args;
                                        args.output += segments * 4;
                                        args.segments.count   = segments;
                                        args.segments.offsets = operands.input - (property_segments + 1) * 4;
                                        return args;
                                    });
}

const Property property =
    property_of(Listed<Compact::Desc>(
                    property_descs(), [](const Compact::Desc& variant) { return name_of(variant); },
                    "compact: no key, what is kept and what is copied, such as 'u8 nonzero elements'"),
                model_of, operator_for);

Contract contract(const std::string& variant) {
    Contract contract;
    contract.variant                 = variant;
    contract.pipelines               = 3;
    contract.pipelines_on_cpu        = 1;
    contract.all_shapes              = {{"compact.blocks", 2}, {"compact.aligned", 1}};
    contract.pipelines_without_waits = 6;
    contract.dispatches              = 1;
    contract.barriers                = 0;
    contract.one_pipeline            = false;
    contract.one_row                 = false;
    contract.knobs                   = {{"compact.small_tiles", 1, 256},
                                        {"compact.blocks", 1, 2},
                                        {"compact.aligned", 0, 1},
                                        {"compact.prefetch_distance", 0, 65535},
                                        {"lookback.tickets", 0, 1, 1},
                                        {"lookback.waits", 0, 1},
                                        {"lookback.fault", 0, VKPRIM_FAULT_DAWDLE},
                                        {"lookback.fault_share", 0, 65536}};
    contract.effect                  = {"compact.prefetch_distance", 17, COMPACT_PREFETCH_DISTANCE_ID, 17};
    return contract;
}

BenchDesc bench_long_runs(const Compact::Desc& desc, uint32_t length) {
    return bench(fmt::format("runs of {}", length), desc, length);
}

BenchDesc bench_runs(const Compact::Desc& desc, uint32_t length, const char* peer) {
    return with_peer(bench(fmt::format("runs of {}", length), desc, length), {peer, Peer::Sizes::large});
}

const Registration registration(
    {"compact",
     verify_compact,
     {with_peer(bench("half kept", {KeyType::u8, Keep::nonzero, Copy::elements}, 2),
                {"select_flagged_u32", Peer::Sizes::leading}, "u8 nonzero elements"),
      with_peer(bench("1 % kept", {KeyType::u8, Keep::nonzero, Copy::elements}, 100), {"select_flagged_u32"}),
      with_peer(bench("half kept", {KeyType::u32, Keep::inside, Copy::keys}, 2),
                {"select_range_u32", Peer::Sizes::others, 0, 0, 2, 5}),
      with_peer(bench("half kept", {KeyType::u8, Keep::nonzero, Copy::indices}, 2), {"select_flagged_indices"}),
      with_peer(bench("half kept", parted(), 2), {"partition_flagged_u32"}),
      bench("a third each", parted_in_three(KeyType::u32, Copy::keys), 3),
      bench("half kept, rows of 4", rows_of_flags, 2, 4),
      bench("half kept, rows of 1024", rows_of_flags, 2, 1024),
      bench("half kept, offsets of 4", offsets_of_flags, 2, 4),
      bench("half kept, offsets of 1024", offsets_of_flags, 2, 1024),
      bench_runs({KeyType::u32, Keep::run_heads, Copy::keys}, 1, "select_unique_u32"),
      bench_runs({KeyType::u32, Keep::run_heads, Copy::keys}, 4, "select_unique_u32"),
      bench_runs({KeyType::u32, Keep::run_heads, Copy::keys}, 64, "select_unique_u32"),
      bench_runs({KeyType::u32, Keep::run_heads, Copy::keys}, 4096, "select_unique_u32"),
      bench_runs(runs(KeyType::u32), 1, "encode_runs_u32"),
      bench_runs(runs(KeyType::u32), 4, "encode_runs_u32"),
      bench_runs(runs(KeyType::u32), 64, "encode_runs_u32"),
      bench_runs(runs(KeyType::u32), 4096, "encode_runs_u32"),
      bench_long_runs({KeyType::u64, Keep::run_heads, Copy::keys}, 1),
      bench_long_runs({KeyType::u64, Keep::run_heads, Copy::keys}, 4),
      bench_long_runs({KeyType::u64, Keep::run_heads, Copy::keys}, 64),
      bench_long_runs({KeyType::u64, Keep::run_heads, Copy::keys}, 4096),
      bench_long_runs(runs(KeyType::u64), 1),
      bench_long_runs(runs(KeyType::u64), 4),
      bench_long_runs(runs(KeyType::u64), 64),
      bench_long_runs(runs(KeyType::u64), 4096)},
     {{"compact.blocks", "u8 nonzero elements, half kept", 1u << 24, {1, 2}},
      {"compact.small_tiles", "u8 nonzero elements, half kept", 1u << 20, {128, 256}},
      {"compact.prefetch_distance", "u8 nonzero elements, half kept", 1u << 26, {0, 132, 165, 198, 231, 264, 330}}},
     property,
     {contract("u32 nonzero keys"), contract("i32 nonzero indices"), contract("u32 nonzero elements"),
      contract("u64 run_heads keys"), contract("u8 nonzero elements offsets")},
     {{"f32 inside keys", false}},
     {{"u8 nonzero elements"}, {}, {"u8 nonzero elements"}, {"u8 nonzero elements"}}});

} // namespace
} // namespace vkprim::harness::compact_primitive
