// Benchmarks of operations that come with vkprim as files: Desc::own of Reduce and Scan. Tests prove them (tests/own_test.cpp).
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <vkprim/operations/vkprim_aabb.h>
#include <vkprim/operations/vkprim_affine.h>
#include <vkprim/operations/vkprim_dot.h>
#include <vkprim/operations/vkprim_moments.h>

#include <fmt/format.h>

#include "order.h"
#include "own.h"
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace vkprim::harness {
namespace {

template <class T>
std::shared_ptr<const Bytes> bytes_of(uint64_t count, const std::function<T(Random&)>& draw) {
    auto   bytes = std::make_shared<Bytes>(count * sizeof(T));
    Random random(count);
    for (uint64_t i = 0; i < count; ++i) {
        const T one = draw(random);
        std::memcpy(bytes->data() + i * sizeof(T), &one, sizeof one);
    }
    return bytes;
}

template <class T>
T at(const Bytes& bytes, uint64_t index) {
    T one;
    std::memcpy(&one, bytes.data() + index * sizeof one, sizeof one);
    return one;
}

template <class T>
Bytes bytes_of(const T& one) {
    Bytes bytes(sizeof one);
    std::memcpy(bytes.data(), &one, sizeof one);
    return bytes;
}

/// From -3 to 3: sums of 2^30 of them, and of products of two, are exact, as good as surely.
float small_number(Random& random) { return static_cast<float>(random.below(7)) - 3; }

struct Box {
    float low[3], high[3];
};

Box draw_box(Random& random) {
    Box box;
    for (int c = 0; c < 3; ++c) {
        box.low[c]  = static_cast<float>(random.below(1 << 24)) - (1 << 23);
        box.high[c] = box.low[c] + static_cast<float>(random.below(1 << 10));
    }
    return box;
}

Box box_around(const Bytes& boxes) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Box             around{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (uint64_t i = 0; i < boxes.size() / sizeof(Box); ++i) {
        const Box box = at<Box>(boxes, i);
        for (int c = 0; c < 3; ++c) {
            around.low[c]  = std::min(around.low[c], box.low[c]);
            around.high[c] = std::max(around.high[c], box.high[c]);
        }
    }
    return around;
}

struct Moments {
    float count, mean, m2;
};

/// As vkprim/glsl/operations/moments.glsl has it, step by step.
struct Merge {
    static Moments identity() { return {0, 0, 0}; }
    Moments        operator()(const Moments& a, const Moments& b) const {
               if (a.count == 0) return b;
        if (b.count == 0) return a;
        const float count = a.count + b.count, delta = b.mean - a.mean, step = delta * (b.count / count);
               return {count, a.mean + step, a.m2 + b.m2 + delta * step * a.count};
    }
};

struct Map {
    float scale, offset;
};

/// A scale of 1 or -1, so that offsets stay small whole numbers.
Map draw_map(Random& random) { return {random.below(2) == 0 ? 1.0f : -1.0f, small_number(random)}; }

/// Every output the maps up to it, one after the other.
Bytes compositions(const Bytes& maps) {
    Bytes outputs(maps.size());
    Map   all{1, 0};
    for (uint64_t i = 0; i < maps.size() / sizeof(Map); ++i) {
        const Map map = at<Map>(maps, i);
        all           = {all.scale * map.scale, all.offset * map.scale + map.offset + 0.0f}; // one zero
        std::memcpy(outputs.data() + i * sizeof all, &all, sizeof all);
    }
    return outputs;
}

/// A benchmark of Reduce.
struct Reduction {
    const char*         name;
    const OwnOperation& operation;
    uint32_t            element_size, result_size; ///< bytes
    uint32_t            loads;                     ///< parameter addresses that are arrays of floats of the input
    Peer                peer;

    std::function<std::shared_ptr<const Bytes>(uint32_t count)> input;
    std::function<Bytes(const Bytes& input, uint32_t count)>    expected;
};

BenchDesc bench(const Reduction& reduction) {
    const auto prepare = [reduction](const runtime::Device& device, const BenchSize& size) {
        WorkloadDesc desc;
        desc.size        = size;
        desc.input       = reduction.input(size.count);
        desc.output_size = reduction.result_size;
        desc.format      = Format::f32;
        desc.expected    = [expected = reduction.expected, input = desc.input, count = size.count] {
            return expected(*input, count);
        };
        Reduce::Desc reduce;
        reduce.own = &reduction.operation;
        return workload_of<Reduce>(device, reduce, desc, [&](const Operands& operands) {
            Reduce::Args args = args_of<Reduce>(operands);
            for (uint32_t a = 0; a < reduction.loads; ++a) {
                args.parameters.addresses[a] = operands.input + VkDeviceSize{size.count} * a * sizeof(float);
            }
            return args;
        });
    };
    return with_peer({reduction.name, "own", reduction.element_size, prepare}, reduction.peer);
}

BenchDesc scan_of_maps() {
    const auto prepare = [](const runtime::Device& device, const BenchSize& size) {
        WorkloadDesc desc;
        desc.size          = size;
        desc.input         = bytes_of<Map>(size.count, draw_map);
        desc.output_size   = desc.input->size();
        desc.bytes_written = desc.output_size;
        desc.format        = Format::f32;
        desc.expected      = [maps = desc.input] { return compositions(*maps); };
        Scan::Desc scan;
        scan.own  = &operations::vkprim_affine;
        scan.kind = Scan::Kind::inclusive;
        return workload_of<Scan>(device, scan, desc, args_of<Scan>);
    };
    return with_peer({"scan affine inclusive", "own", sizeof(Map), prepare}, {"own_scan_affine", Peer::Sizes::large});
}

BenchDesc reduction_of_boxes() {
    const auto input    = [](uint32_t count) { return bytes_of<Box>(count, draw_box); };
    const auto expected = [](const Bytes& boxes, uint32_t) { return bytes_of(box_around(boxes)); };
    return bench({"reduce boxes",
                  operations::vkprim_aabb,
                  sizeof(Box),
                  sizeof(Box),
                  0,
                  {"own_reduce_boxes", Peer::Sizes::wide},
                  input,
                  expected});
}

/// Whose result is checked by moments_differ() instead of bit by bit.
BenchDesc reduction_of_moments() {
    const auto input    = [](uint32_t count) { return bytes_of<float>(count, small_number); };
    const auto expected = [](const Bytes& values, uint32_t count) {
        return bytes_of(reduce_in_order<Merge>([&](uint64_t i) { return Moments{1, at<float>(values, i), 0}; }, count));
    };
    BenchDesc moments = bench({"reduce moments",
                               operations::vkprim_moments,
                               sizeof(float),
                               sizeof(Moments),
                               1,
                               {"own_reduce_moments", Peer::Sizes::large},
                               input,
                               expected});
    moments.prepare   = [prepare = moments.prepare](const runtime::Device& device,
                                                  const BenchSize&       size) -> Result<Workload> {
        auto workload = prepare(device, size);
        if (!workload) return workload;
        workload->check = [expected = workload->expected, download = workload->download]() -> std::string {
            const auto got = download();
            return got ? moments_differ(*expected(), *got) : got.error().reason;
        };
        return workload;
    };
    return moments;
}

BenchDesc reduction_of_products() {
    const auto input    = [](uint32_t count) { return bytes_of<float>(uint64_t{2} * count, small_number); };
    const auto expected = [](const Bytes& values, uint32_t count) {
        double sum = 0;
        for (uint64_t i = 0; i < count; ++i) sum += double{at<float>(values, i)} * at<float>(values, count + i);
        return bytes_of(static_cast<float>(sum));
    };
    return bench({"reduce dot",
                  operations::vkprim_dot,
                  2 * sizeof(float),
                  sizeof(float),
                  2,
                  {"own_reduce_dot", Peer::Sizes::large},
                  input,
                  expected});
}

const Registration registration(
    {"own", nullptr, {reduction_of_boxes(), reduction_of_moments(), reduction_of_products(), scan_of_maps()}});

} // namespace

std::string moments_differ(const Bytes& expected, const Bytes& got) {
    if (got.size() < sizeof(Moments)) return fmt::format("{} bytes instead of {}", got.size(), sizeof(Moments));
    const auto   want = at<Moments>(expected, 0), have = at<Moments>(got, 0);
    const double square = want.count == 0 ? 0 : want.m2 / want.count + double{want.mean} * want.mean,
                 bound  = std::ldexp(1.0, -14);
    const auto near     = [](double a, double b, double most) { return std::abs(a - b) <= most; };
    if (near(want.count, have.count, bound * want.count) && near(want.mean, have.mean, bound * std::sqrt(square)) &&
        near(want.m2, have.m2, bound * square * want.count)) {
        return {};
    }
    return fmt::format("expected about {}, {}, {}, got {}, {}, {}", want.count, want.mean, want.m2, have.count,
                       have.mean, have.m2);
}

} // namespace vkprim::harness
