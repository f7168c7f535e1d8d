// Histograms and sorts whose samples and keys are shared out to ranks, compared with the CPU's of the whole.
#include <algorithm>
#include <cstring>

#include "../../harness/references.h"
#include "mpi/key_order.h"
#include "sharing.h"

using namespace vkprim;
using namespace vkprim::harness;
using namespace vkprim::tests;

namespace {

constexpr uint64_t many = 70003; ///< more than any workgroup sorts

/// Anywhere, with a rank that has none, and all in the last rank.
std::vector<Sharing> small_sharings() {
    const auto           ranks = static_cast<size_t>(rank_count());
    std::vector<Sharing> all{{"uneven", std::vector<uint64_t>(ranks, 0)},
                             {"the last has all", std::vector<uint64_t>(ranks, 0)},
                             {"none", std::vector<uint64_t>(ranks, 0)}};
    uint64_t             left = many;
    for (size_t i = 0; i + 1 < ranks; ++i) {
        all[0].counts[i] = i == 1 ? 0 : std::min(left, many / ranks * (i % 2 == 0 ? 1 : 2) / 2 / 4 * 4);
        left -= all[0].counts[i];
    }
    all[0].counts[ranks - 1] = left;
    all[1].counts[ranks - 1] = many;
    return all;
}

void check_sort(mpi::Sort& sort, const mpi::Sort::Desc& desc, const Bytes& keys, const Sharing& sharing) {
    CAPTURE(name_of(desc.key), desc.descending, sharing.name, rank_here());
    const uint32_t  size = input_size(desc.key);
    const OnDevice  input(sharing, keys, size), output(sharing.count() * size);
    mpi::Sort::Args args{input.place(), output.place(), sharing.count()};
    CHECK(reason_of(sort.run(args)).empty());

    const auto order = reference_sort({desc.key, Sort::Values::none, desc.descending}, keys.data(),
                                      static_cast<uint32_t>(sharing.whole()));
    Bytes      expected(sharing.whole() * size);
    for (size_t i = 0; i < order.size(); ++i) std::memcpy(&expected[i * size], &keys[order[i] * size], size);
    const Bytes mine = share_of(sharing, expected, size);
    CHECK((output.bytes() == mine));
    CHECK((input.bytes() == share_of(sharing, keys, size))); // as it was
    args.output = args.keys;
    CHECK(reason_of(sort.run(args)).empty());
    CHECK((input.bytes() == mine));
}

/// Bytes of keys with any bits.
Bytes random_keys(uint64_t size, uint64_t seed) {
    Random random(seed);
    Bytes  keys;
    while (keys.size() < size) keys.push_back(static_cast<uint8_t>(random.next() >> 56));
    return keys;
}

} // namespace

TEST_CASE("mpi: sorts of any keys, in either direction") {
    for (const mpi::Sort::Desc& desc : {mpi::Sort::Desc{ElementType::u32, false},
                                        {ElementType::i32, true},
                                        {ElementType::f32, false},
                                        {ElementType::f32, true},
                                        {ElementType::u64, true},
                                        {ElementType::i64, false},
                                        {ElementType::f64, false},
                                        {ElementType::u8, false},
                                        {ElementType::f16, true}}) {
        if (input_size(desc.key) < 4 && !has_bytes(device())) continue;
        auto sort = must(mpi::Sort::create(device(), MPI_COMM_WORLD, desc));
        for (const Sharing& sharing : small_sharings())
            check_sort(sort, desc, random_keys(sharing.whole() * input_size(desc.key), 3), sharing);
    }
}

TEST_CASE("mpi: sorts of skewed keys") {
    const mpi::Sort::Desc desc{ElementType::u32, false};
    auto                  sort = must(mpi::Sort::create(device(), MPI_COMM_WORLD, desc));
    for (const Sharing& sharing : small_sharings()) {
        const auto            count = static_cast<uint32_t>(sharing.whole());
        std::vector<uint32_t> equal(count, 7), few, ascending, reversed, outlier(count, UINT32_MAX);
        for (uint32_t i = 0; i < count; ++i) {
            few.push_back(i * 2654435761u >> 30);
            ascending.push_back(i);
            reversed.push_back(count - i);
        }
        if (count > 0) outlier[count / 2] = 0;
        for (const auto& keys : {equal, few, ascending, reversed, outlier})
            check_sort(sort, desc, bytes_of(keys), sharing);
    }
}

TEST_CASE("mpi: more keys on a rank than MPI can count") {
    auto            sort = must(mpi::Sort::create(device(), MPI_COMM_WORLD, {ElementType::u32, false}));
    const OnDevice  keys(4), output(4);
    mpi::Sort::Args args{keys.place(), output.place(), 1};
    if (rank_here() == rank_count() - 1) args.count = uint64_t{1} << 31;
    const auto refused = sort.run(args);
    CHECK_FALSE(refused);
    CHECK(reason_of(refused).find("takes up to 2147483647") != std::string::npos);
}

TEST_CASE("mpi: the order of keys on the host is the device's") {
    for (const ElementType key :
         {ElementType::u32, ElementType::i32, ElementType::f32, ElementType::u64, ElementType::i64, ElementType::f64,
          ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::f16}) {
        const uint32_t size = input_size(key);
        Bytes          keys = random_keys(4096 * size, 5);
        if (is_float(key)) { // every fourth is a number or NaN of the largest exponent
            for (size_t i = 0; i < keys.size(); i += 4 * size) keys[i + size - 1] |= 0x7f, keys[i + size - 2] |= 0xf0;
        }
        for (const bool descending : {false, true}) {
            CAPTURE(name_of(key), descending);
            const mpi::KeyOrder order(key, descending);
            const auto          sorted = reference_sort({key, Sort::Values::none, descending}, keys.data(), 4096);
            bool                right  = true;
            for (size_t i = 1; i < sorted.size(); ++i) {
                const uint64_t before = order.code(keys.data(), sorted[i - 1]),
                               code   = order.code(keys.data(), sorted[i]);
                const bool same       = std::memcmp(&keys[sorted[i - 1] * size], &keys[sorted[i] * size], size) == 0;
                right                 = right && (same ? before == code : before < code);
            }
            CHECK(right);
        }
    }
}

TEST_CASE("mpi: histograms of 64-bit counts") {
    for (const Sharing& sharing : small_sharings()) {
        for (const uint32_t bins : {256u, 70000u}) {
            CAPTURE(sharing.name, bins, rank_here());
            Histogram::Desc      desc{SampleType::u32, bins, 0, 4294967296.0};
            const Bytes          samples   = random_keys(sharing.whole() * 4, 11);
            auto                 histogram = must(mpi::Histogram::create(device(), MPI_COMM_WORLD, desc));
            const OnDevice       input(sharing, samples, 4), output(bins * 8);
            mpi::Histogram::Args args;
            args.input  = input.place();
            args.output = output.place();
            args.count  = sharing.count();
            CHECK(reason_of(histogram.run(args)).empty());
            desc.wide = true;
            const Bytes expected =
                bytes_of(reference_histogram(desc, samples.data(), static_cast<uint32_t>(sharing.whole())));
            CHECK((output.bytes() == expected));
            CHECK(reason_of(histogram.run(args)).empty()); // what is left of the first does not count
            CHECK((output.bytes() == expected));
        }
    }
}

TEST_CASE("mpi: histograms of weighted pixels between levels") {
    Histogram::Desc desc{SampleType::u8, 3, 0, 0, 4, 2, Weights::i32};
    desc.levels           = true;
    const Sharing sharing = small_sharings()[0];
    const auto    whole   = static_cast<uint32_t>(sharing.whole() / 4 * 4);
    Sharing       samples = sharing, pixels = sharing;
    const Bytes   bytes = random_keys(whole, 13), weights = random_keys(whole, 17);
    samples.counts.back() -= sharing.whole() - whole;
    for (size_t i = 0; i < pixels.counts.size(); ++i) pixels.counts[i] = samples.counts[i] / 4;
    const std::vector<uint32_t> levels{0, 17, 100, 256};
    auto                        histogram = must(mpi::Histogram::create(device(), MPI_COMM_WORLD, desc));
    const OnDevice              input(samples, bytes, 1), of_pixels(pixels, weights, 4), output(6 * 8);
    auto                        table = must(device().create_buffer(16));
    CHECK(device().upload(table, 0, levels.data(), 16));
    mpi::Histogram::Args args;
    args.input   = input.place();
    args.output  = output.place();
    args.count   = samples.count();
    args.weights = of_pixels.place().buffer->address() + of_pixels.place().offset;
    args.levels  = table.address();
    CHECK(reason_of(histogram.run(args)).empty());
    desc.wide = true;
    CHECK(output.bytes() == bytes_of(reference_histogram(desc, {bytes.data(), weights.data(), levels.data()}, whole)));

    if (rank_here() == 0) args.count += 1;
    CHECK(reason_of(histogram.run(args)).find("are no whole pixels of 4 channels") != std::string::npos);
    desc.segments = SegmentLayout::offsets;
    CHECK_FALSE(mpi::Histogram::create(device(), MPI_COMM_WORLD, desc));
}
