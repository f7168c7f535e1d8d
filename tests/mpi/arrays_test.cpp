// Reductions and scans whose array is shared out to ranks, compared with the CPU's of the whole.
#include <cstdlib>
#include <map>
#include <new>
#include <stdexcept>
#include <tuple>

#include "../../harness/references.h"
#include "mpi/ranks.h"
#include "sharing.h"

namespace {

bool no_memory       = false; ///< for C++, on this rank
bool refuses_to_send = false;

/// The size of the last allocation; and of those of `watched` bytes, how many there were, and which one there is no memory for.
thread_local size_t last_size = 0, watched = 0, seen = 0, refused = 0;

} // namespace

// Kept out of line, where compilers do not mistake them for a mix of new and free.
[[gnu::noinline]] void* operator new(size_t size) {
    last_size          = size;
    const bool  none   = no_memory || (size == watched && ++seen == refused);
    void* const memory = none ? nullptr : std::malloc(size > 0 ? size : 1);
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

/// Before MPI's own, which is called PMPI_Isend, too.
int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm communicator,
              MPI_Request* request) {
    if (refuses_to_send) return MPI_ERR_OTHER;
    return PMPI_Isend(data, count, type, rank, tag, communicator, request);
}

using namespace vkprim;
using namespace vkprim::harness;
using namespace vkprim::tests;

namespace {

/// Elements as they are computed, as they lie in memory, and what is expected of them.
struct Whole {
    std::vector<uint32_t> words;
    Bytes                 input;
    Bytes                 result;     ///< of the reduction
    Bytes                 outputs[2]; ///< of the scan, by its kind

    explicit Whole(const ElementCase& element_case, uint32_t count)
        : words(random_elements(element_case, count, Random(count))),
          input(input_of(element_case.type, words)),
          result(bytes_of(reference_reduce(element_case, words.data(), count))) {
        for (const Scan::Kind kind : {Scan::Kind::exclusive, Scan::Kind::inclusive}) {
            std::vector<uint32_t> scanned(words.size());
            if (result.size() > 4 * words_in(element_case.type))
                break; // argmin, argmax and sums in 64 bits, which no scan has
            reference_scan(element_case.type, element_case.operation, kind, words.data(), scanned.data(), count);
            outputs[static_cast<uint32_t>(kind)] = bytes_of(scanned);
        }
    }
};

/// The same one for many sharings: its making takes longer than the work of the ranks.
const Whole& random_whole(const ElementCase& element_case, uint64_t count) {
    static std::map<std::tuple<std::string, uint64_t>, Whole> wholes;
    return wholes.try_emplace({name_of(element_case), count}, element_case, static_cast<uint32_t>(count)).first->second;
}

void check_reduce(const ElementCase& element_case, const std::vector<Sharing>& sharings) {
    auto reduce = must(
        mpi::Reduce::create(device(), MPI_COMM_WORLD, {element_case.type, element_case.operation, element_case.wide}));
    for (const Sharing& sharing : sharings) {
        CAPTURE(name_of(element_case), sharing.name, rank_here());
        const Whole&   whole = random_whole(element_case, sharing.whole());
        const OnDevice input(sharing, whole.input, input_size(element_case.type)), output(result_size(element_case));
        CHECK(reason_of(reduce.run({input.place(), output.place(), sharing.count()})).empty());
        CHECK((output.bytes() == whole.result));
    }
}

void check_scan(const ElementCase& element_case, Scan::Kind kind, const std::vector<Sharing>& sharings,
                bool in_place = false) {
    const uint32_t size = 4 * words_in(element_case.type);
    auto scan = must(mpi::Scan::create(device(), MPI_COMM_WORLD, {element_case.type, element_case.operation, kind}));
    for (const Sharing& sharing : sharings) {
        CAPTURE(name_of(element_case.type), name_of(element_case.operation), sharing.name, in_place, rank_here());
        const Whole&    whole = random_whole(element_case, sharing.whole());
        const OnDevice  input(sharing, whole.input, input_size(element_case.type));
        const OnDevice  beside(in_place ? 0 : sharing.count() * size);
        const OnDevice& output = in_place ? input : beside;
        CHECK(reason_of(scan.run({input.place(), output.place(), sharing.count()})).empty());
        CHECK((output.bytes() == share_of(sharing, whole.outputs[static_cast<uint32_t>(kind)], size)));
    }
}

constexpr ElementCase float_sum{ElementType::f32, Operation::add};

Sharing sharing_named(const std::string& name) {
    for (const Sharing& sharing : sharings()) {
        if (sharing.name == name) return sharing;
    }
    throw std::runtime_error("there is no sharing " + name);
}

} // namespace

TEST_CASE("mpi: float sums, however the ranks share the array") { check_reduce(float_sum, sharings()); }

TEST_CASE("mpi: reductions of other elements") {
    const std::vector<Sharing> some{sharing_named("anywhere"), sharing_named("none")};
    for (const ElementCase& one :
         {ElementCase{ElementType::i64, Operation::add}, ElementCase{ElementType::u8, Operation::max},
          ElementCase{ElementType::f32, Operation::argmin}, ElementCase{ElementType::i16, Operation::add},
          ElementCase{ElementType::u32, Operation::bit_xor}, ElementCase{ElementType::f32, Operation::mul},
          ElementCase{ElementType::i32, Operation::add, true}}) {
        if (runs_on(device(), one)) check_reduce(one, some);
    }
}

TEST_CASE("mpi: scans of floats, however the ranks share the array") {
    check_scan(float_sum, Scan::Kind::exclusive, sharings());
}

TEST_CASE("mpi: scans of other elements, and in place") {
    const std::vector<Sharing> some{sharing_named("anywhere"), sharing_named("in the second group only")};
    check_scan(float_sum, Scan::Kind::inclusive, some);
    check_scan(float_sum, Scan::Kind::exclusive, some, true);
    check_scan({ElementType::u64, Operation::add}, Scan::Kind::exclusive, some);
    check_scan({ElementType::i32, Operation::max}, Scan::Kind::inclusive, some);
    constexpr ElementCase narrow{ElementType::u8, Operation::add};
    if (runs_on(device(), narrow)) check_scan(narrow, Scan::Kind::exclusive, some);
}

TEST_CASE("mpi: the communicator's ranks, in its order") {
    MPI_Comm backwards = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_here(), &backwards);
    {
        // Each rank has one element, its rank there: whose number is its value.
        auto scan =
            must(mpi::Scan::create(device(), backwards, {ElementType::u32, Operation::max, Scan::Kind::inclusive}));
        const int             rank = rank_count() - 1 - rank_here();
        Sharing               one{"one each", std::vector<uint64_t>(static_cast<size_t>(rank_count()), 1)};
        std::vector<uint32_t> values;
        for (int i = 0; i < rank_count(); ++i) values.push_back(static_cast<uint32_t>(rank_count() - 1 - i));
        const OnDevice input(one, bytes_of(values), 4), output(4);
        CHECK(reason_of(scan.run({input.place(), output.place(), 1})).empty());
        CHECK(output.bytes() == bytes_of({static_cast<uint32_t>(rank)}));
    }
    MPI_Comm_free(&backwards);
}

TEST_CASE("mpi: what is wrong on one rank, all ranks say") {
    const Sharing   few   = sharing_named("few");
    const int       last  = rank_count() - 1;
    const Whole&    whole = random_whole(float_sum, few.whole());
    const OnDevice  input(few, whole.input, 4), output(few.count() * 4);
    auto            scan = must(mpi::Scan::create(device(), MPI_COMM_WORLD, {ElementType::f32, Operation::add}));
    mpi::Scan::Args args{input.place(), output.place(), few.count()};
    const auto      check_reason = [&](const std::string& words) {
        const auto        result = scan.run(args);
        const std::string reason = reason_of(result);
        CAPTURE(reason, rank_here());
        CHECK(reason.find(words) != std::string::npos);
        CHECK((reason.find("rank " + std::to_string(last)) == 0) == (rank_here() != last));
        if (!result) CHECK(result.error().kind == ErrorKind::invalid_args);
    };
    if (rank_here() == last) args.output.offset += 1;
    check_reason("output begins at byte 65, which is not a multiple of 4");
    args.output = output.place();
    if (rank_here() == last) args.count += 1000;
    check_reason("input needs");
    if (rank_here() == last) args.count = uint64_t{1} << 62; // whose bytes are a multiple of 2^64
    check_reason("input needs");
    args.count = few.count();
    if (rank_here() == last) args.input.buffer = nullptr;
    check_reason("input has no buffer");
    args.input = input.place();
    CHECK(reason_of(scan.run(args)).empty()); // nothing is left of it
}

TEST_CASE("mpi: what one rank throws, all ranks say") {
    const int  last  = rank_count() - 1;
    const auto ranks = must(mpi::Ranks::create(MPI_COMM_WORLD));
    const auto check = [&](const Result<void>& result, VkResult code, const std::string& words) {
        CHECK_FALSE(result);
        if (result) return;
        CAPTURE(result.error().reason, rank_here());
        CHECK(result.error().code == code);
        CHECK(result.error().reason.find(words) != std::string::npos);
        CHECK((result.error().reason.find("rank " + std::to_string(last)) == 0) == (rank_here() != last));
    };
    check(ranks.on_all([&]() -> Result<void> {
        if (rank_here() == last) throw std::bad_alloc();
        return {};
    }),
          VK_ERROR_OUT_OF_HOST_MEMORY, "use more ranks");
    check(ranks.on_all([&]() -> Result<void> {
        if (rank_here() == last) throw std::length_error("too long");
        return {};
    }),
          VK_ERROR_UNKNOWN, "too long");
    // Without memory between two calls of MPI, a rank says so, and the others do not wait for it.
    no_memory           = rank_here() == last;
    const auto gathered = ranks.gather(1);
    no_memory           = false;
    CHECK_FALSE(gathered);
    if (!gathered) CHECK(gathered.error().code == VK_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(must(ranks.gather(1)) == std::vector<uint64_t>(static_cast<size_t>(rank_count()), 1));
}

/// The last allocation of create() is that of the object itself. On the last rank there is no memory for it, but for all that layers and
/// drivers ask for.
template <class Primitive>
void check_last_allocation(const typename Primitive::Desc& desc) {
    const auto create = [&] { return Primitive::create(device(), MPI_COMM_WORLD, desc); };
    const auto made   = must(create()); // which frees nothing yet
    watched           = last_size;
    seen              = 0;
    must(create());
    refused           = rank_here() == rank_count() - 1 ? seen : 0;
    seen              = 0;
    const auto failed = create();
    watched = refused = 0;
    CAPTURE(rank_here());
    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == VK_ERROR_OUT_OF_HOST_MEMORY);
}

TEST_CASE("mpi: a rank without memory for what it creates") {
    check_last_allocation<mpi::Reduce>({ElementType::f32, Operation::add});
    check_last_allocation<mpi::Scan>({ElementType::f32, Operation::add});
    check_last_allocation<mpi::Sort>({});
    check_last_allocation<mpi::Histogram>({SampleType::u8, 256, 0, 256});
}

TEST_CASE("mpi: a message that cannot be sent") {
    // Ranks with an element each: all send theirs to the first, which sends the outputs back.
    const Sharing  one{"one each", std::vector<uint64_t>(static_cast<size_t>(rank_count()), 1)};
    const Whole    whole(float_sum, static_cast<uint32_t>(rank_count()));
    const OnDevice input(one, whole.input, 4), output(4);
    auto           scan = must(mpi::Scan::create(device(), MPI_COMM_WORLD, {ElementType::f32, Operation::add}));
    for (const int failing : {rank_count() - 1, 0}) {
        if (rank_count() == 1) continue; // which sends nothing
        refuses_to_send          = rank_here() == failing;
        const auto        wrong  = scan.run({input.place(), output.place(), 1});
        const std::string reason = reason_of(wrong);
        refuses_to_send          = false;
        CAPTURE(reason, failing, rank_here());
        CHECK(reason.find("MPI_Isend") != std::string::npos);
        // What was on its way then is not taken for what comes now.
        CHECK(reason_of(scan.run({input.place(), output.place(), 1})).empty());
        CHECK((output.bytes() == share_of(one, whole.outputs[static_cast<uint32_t>(Scan::Kind::exclusive)], 4)));
    }
}

TEST_CASE("mpi: what create() refuses") {
    const auto reduce = mpi::Reduce::create(device(), MPI_COMM_WORLD, {ElementType::f32, Operation::bit_and});
    CHECK_FALSE(reduce);
    if (!reduce) CHECK(reduce.error().kind == ErrorKind::invalid_desc);
    CHECK_FALSE(mpi::Reduce::create(device(), MPI_COMM_NULL, {ElementType::f32, Operation::add}));
}
