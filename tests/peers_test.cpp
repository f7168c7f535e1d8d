// What of the comparison with CUB needs no GPU: the tables, what counts as right, and which rows there are.
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "../bench/peers/compare.h"
#include "../bench/peers/plan.h"
#include "../bench/peers/table.h"
#include "../tools/cli/program.h"
#include "harness/elements.h"
#include "support/catch.h"

namespace vkprim::tests {
namespace {

using namespace peers;

Row measured_row() {
    Row row;
    row.op          = "scan";
    row.name        = "add u32 exclusive";
    row.count       = 1 << 20;
    row.ours        = Times{0.002, 0.0015, 0.0025};
    row.cub         = Times{0.003, 0.0028, 0.0041};
    row.formulation = "ExclusiveSum, 32-bit count";
    return row;
}

Row wrong_row() {
    Row row   = measured_row();
    row.wrong = "index 3: expected 1, got 2";
    return row;
}

Row missing_row() {
    Row row;
    row.op     = "reduce";
    row.name   = "add u32";
    row.count  = 1 << 30;
    row.remark = "does not fit into memory";
    return row;
}

/// Ours, and the same operation one element past an aligned address.
std::vector<Row> offset_rows() {
    Row aligned = measured_row(), offset = measured_row();
    offset.name += ", offset 1";
    offset.ours = Times{0.0025, 0.0025, 0.0025};
    offset.cub  = std::nullopt;
    return {aligned, offset};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string markdown(const std::vector<Row>& rows, const std::vector<HostCost>& costs = {}) {
    Head head;
    head.device  = "Some GPU";
    head.command = "vkprim_peers --rows scan";
    head.date    = "2026-01-31";
    head.vkprim  = "0.1.0";
    head.vulkan  = "driver 1.2";
    head.cuda    = "13.0";
    head.cub     = "3.0.1";
    head.method  = "3 rounds";
    return markdown_text(head, rows, costs);
}

template <class T>
Bytes memory_of(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<float> random_floats(uint32_t count) {
    const auto         bytes = harness::random_bytes({ElementType::f32, Operation::add}, count);
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

} // namespace

TEST_CASE("peers: median and spread", "[host][peers]") {
    CHECK(!summary({}));
    const Times one = *summary({2});
    CHECK((one.median_ms == 2 && one.fastest_ms == 2 && one.slowest_ms == 2));
    const Times odd = *summary({9, 1, 2});
    CHECK((odd.median_ms == 2 && odd.fastest_ms == 1 && odd.slowest_ms == 9));
    CHECK(summary({4, 1, 2, 100})->median_ms == 3);
}

TEST_CASE("peers: ratio", "[host][peers]") {
    CHECK(std::abs(*ratio(measured_row()) - 1.5) < 1e-9);
    CHECK(!ratio(wrong_row()));
    CHECK(!ratio(missing_row()));
    Row alone = measured_row();
    alone.cub = std::nullopt;
    CHECK(!ratio(alone));
}

TEST_CASE("peers: CSV", "[host][peers]") {
    const auto lines = lines_of(csv_text({measured_row(), wrong_row(), missing_row()}));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] ==
          "op,name,count,ours_ms,ours_fastest,ours_slowest,cub_ms,cub_fastest,cub_slowest,formulation,ratio,right,"
          "remark");
    CHECK(lines[1] ==
          "scan,add u32 exclusive,1048576,0.002000,0.001500,0.002500,0.003000,0.002800,0.004100,"
          "\"ExclusiveSum, 32-bit count\",1.5000,right,");
    CHECK(has(lines[2], ",,WRONG,\"index 3: expected 1, got 2\""));
    CHECK(lines[3] == "reduce,add u32,1073741824,,,,,,,,,,does not fit into memory");
    Row quotes    = measured_row();
    quotes.remark = "a \"b\"\nc";
    CHECK(has(csv_text({quotes}), "\"a \"\"b\"\"\nc\""));
}

TEST_CASE("peers: Markdown", "[host][peers]") {
    const std::string text = markdown({measured_row(), wrong_row(), missing_row()});
    for (const char* part : {"# vkprim and CUB on Some GPU", "2026-01-31", "vkprim 0.1.0", "driver 1.2", "CUB 3.0.1",
                             "CUDA 13.0", "`vkprim_peers --rows scan`", "3 rounds", "| 1.50 |", "2^20",
                             "0.00150..0.00250", "WRONG: index 3: expected 1, got 2", "does not fit into memory"}) {
        CAPTURE(part);
        // Cells are padded, so that a lone value may have blanks before it.
        CHECK(has(text, std::string(part) == "| 1.50 |" ? "1.50 |" : part));
    }
    std::set<size_t> widths;
    uint32_t         table_lines = 0;
    for (const std::string& line : lines_of(text)) {
        if (line.rfind("|", 0) != 0) continue;
        widths.insert(line.size());
        ++table_lines;
    }
    CHECK(table_lines == 5);
    CHECK(widths.size() == 1); // aligned columns
    CHECK(!has(text, "Host cost"));
    CHECK(!has(text, "aligned address"));

    Row pipes    = measured_row();
    pipes.remark = "a|b\nc";
    CHECK(has(markdown({pipes}), "a\\|b c"));
}

TEST_CASE("peers: Markdown without CUB", "[host][peers]") {
    Head head;
    head.device            = "Some GPU";
    Row alone              = measured_row();
    alone.cub              = std::nullopt;
    const std::string text = markdown_text(head, {alone}, {});
    CHECK(has(text, "# vkprim on Some GPU"));
    CHECK(!has(text, "- CUB"));
    CHECK(has(line_text(alone), "right"));
    CHECK(has(line_text(wrong_row()), "WRONG"));
    CHECK(has(line_text(missing_row()), "does not fit into memory"));
}

TEST_CASE("peers: table of offsets", "[host][peers]") {
    const std::string text = markdown(offset_rows());
    CHECK(has(text, "## One element past an aligned address"));
    CHECK(has(text, " 0.80 |")); // 2.0 aligned by 2.5 at the offset
    // Without the aligned row there is nothing to compare with.
    CHECK(!has(markdown({offset_rows()[1]}), " 0.80 |"));
    std::vector<Row> wrong = offset_rows();
    wrong[0].wrong         = "index 0";
    CHECK(!has(markdown(wrong), " 0.80 |"));
}

TEST_CASE("peers: table of host costs", "[host][peers]") {
    const std::string text = markdown({measured_row()}, {{"scan add u32 exclusive", 0.25, 40.5, 1.125}});
    CHECK(has(text, "## Host cost"));
    for (const char* part : {"scan add u32 exclusive", "0.250", "40.500", "1.125"}) CHECK(has(text, part));
}

TEST_CASE("peers: names of files", "[host][peers]") {
    CHECK(file_name("NVIDIA H200") == "h200");
    CHECK(file_name("NVIDIA ") == "device");
    CHECK(file_name("llvmpipe (LLVM 15.0.6, 256 bits)") == "llvmpipe-llvm-15-0-6-256-bits");
    CHECK(file_name("../..") == "device");
}

TEST_CASE("peers: integers are right or not", "[host][peers]") {
    const Bytes expected = memory_of<uint32_t>({1, 2, 3});
    CHECK(compare_words(expected, expected).empty());
    CHECK(compare_words({}, {}).empty());
    CHECK(has(compare_words(expected, memory_of<uint32_t>({1, 2, 4})), "index 2: expected 3, got 4"));
    CHECK(!compare_words(expected, memory_of<uint32_t>({1, 2})).empty());

    // Two are kept.
    const Bytes kept = memory_of<uint32_t>({2, 7, 9});
    CHECK(compare_selected(kept, memory_of<uint32_t>({7, 9, 5, 5, 2})).empty());
    CHECK(compare_selected(kept, memory_of<uint32_t>({7, 9, 2})).empty());
    CHECK(has(compare_selected(kept, memory_of<uint32_t>({7, 9, 5, 5, 3})), "3 kept instead of 2"));
    CHECK(has(compare_selected(kept, memory_of<uint32_t>({7, 8, 5, 5, 2})), "index 1: expected 9, got 8"));
    CHECK(!compare_selected(kept, memory_of<uint32_t>({7, 2})).empty());
    CHECK(compare_selected(memory_of<uint32_t>({0}), memory_of<uint32_t>({5, 0})).empty());

    // Two are kept, and behind them three others.
    const Bytes parted = memory_of<uint32_t>({2, 7, 9, 1, 2, 3});
    CHECK(compare_partition(parted, memory_of<uint32_t>({7, 9, 3, 2, 1, 2})).empty());
    CHECK(has(compare_partition(parted, memory_of<uint32_t>({7, 9, 1, 2, 3, 2})), "index 2: expected 3, got 1"));
    CHECK(has(compare_partition(parted, memory_of<uint32_t>({7, 9, 3, 2, 1, 3})), "3 kept instead of 2"));

    // Two runs, of three and of one.
    const Bytes runs = memory_of<uint32_t>({2, 7, 9, 0, 3, 4});
    CHECK(compare_runs(runs, memory_of<uint32_t>({7, 9, 5, 5, 3, 1, 5, 5, 2})).empty());
    CHECK(has(compare_runs(runs, memory_of<uint32_t>({7, 9, 5, 5, 3, 2, 5, 5, 2})), "run 1: expected 1 keys, got 2"));
    CHECK(has(compare_runs(runs, memory_of<uint32_t>({7, 8, 5, 5, 3, 1, 5, 5, 2})), "index 1: expected 9, got 8"));
    CHECK(has(compare_runs(runs, memory_of<uint32_t>({7, 9, 5, 5, 3, 1, 5, 5, 1})), "1 kept instead of 2"));

    // Two runs, and a sum of each.
    const Bytes sums = memory_of<uint32_t>({2, 7, 9, 30, 40});
    CHECK(compare_by_key(sums, memory_of<uint32_t>({7, 9, 5, 5, 30, 40, 5, 5, 2})).empty());
    CHECK(has(compare_by_key(sums, memory_of<uint32_t>({7, 9, 5, 5, 30, 41, 5, 5, 2})), "run 1: expected 40, got 41"));
    CHECK(has(compare_by_key(sums, memory_of<uint32_t>({7, 8, 5, 5, 30, 40, 5, 5, 2})), "index 1: expected 9, got 8"));
    CHECK(has(compare_by_key(sums, memory_of<uint32_t>({7, 9, 5, 5, 30, 40, 5, 5, 1})), "1 kept instead of 2"));
    CHECK(!compare_by_key(sums, memory_of<uint32_t>({7, 30, 2})).empty());
}

TEST_CASE("peers: float sums are close or not", "[host][peers]") {
    const uint32_t           count  = 1 << 20;
    const std::vector<float> values = random_floats(count);
    const Bytes              input  = memory_of(values);
    // The plainest sum, and one from the other end.
    std::vector<float> sums;
    float              forwards = 0, backwards = 0;
    for (float value : values) {
        sums.push_back(forwards);
        forwards += value;
    }
    for (uint32_t i = count; i > 0; --i) backwards += values[i - 1];
    CHECK(compare_sum<float>(input, memory_of<float>({forwards})).empty());
    CHECK(compare_sum<float>(input, memory_of<float>({backwards})).empty());
    CHECK(compare_exclusive_sums<float>(input, memory_of(sums)).empty());

    const float block = std::accumulate(values.begin(), values.begin() + 128, 0.0f);
    CHECK(!compare_sum<float>(input, memory_of<float>({forwards - block})).empty());
    CHECK(!compare_sum<float>(input, memory_of<float>({NAN})).empty());
    CHECK(!compare_sum<float>(input, memory_of<float>({0})).empty());
    sums[count - 1] += block;
    CHECK(has(compare_exclusive_sums<float>(input, memory_of(sums)), "index 1048575"));
    sums[0] = 1;
    CHECK(has(compare_exclusive_sums<float>(input, memory_of(sums)), "index 0"));
    CHECK(!compare_exclusive_sums<float>(input, memory_of<float>({0})).empty());

    const float last = values[count - 1];
    CHECK(compare_segmented_sums(input, count, memory_of<float>({forwards})).empty());
    CHECK(
        compare_segmented_sums(input, count - 1, memory_of<float>({forwards - last})).empty()); // the last is in no row
    CHECK(!compare_segmented_sums(input, count, memory_of<float>({forwards - block})).empty());
    CHECK(!compare_segmented_sums(input, count / 2, memory_of<float>({forwards})).empty());
    // Three segments of 1, 0 and 2 elements; the offsets end at 8 words.
    Bytes ragged = memory_of<uint32_t>({3, 0, 0, 0, 0, 1, 1, 3});
    for (const uint8_t byte : memory_of<float>({1, 2, 4})) ragged.push_back(byte);
    CHECK(compare_segmented_sums(ragged, 0, memory_of<float>({1, 0, 6})).empty());
    CHECK(has(compare_segmented_sums(ragged, 0, memory_of<float>({1, 1, 6})), "index 1"));
    CHECK(has(compare_segmented_sums(ragged, 0, memory_of<float>({1, 0, 2})), "index 2"));

    const auto two = memory_of<double>({1, 0.1});
    CHECK(compare_sum<double>(two, memory_of<double>({1.1})).empty());
    CHECK(!compare_sum<double>(two, memory_of<double>({1.1000001})).empty()); // right to a float's precision
    CHECK(compare_exclusive_sums<double>(two, memory_of<double>({0, 1})).empty());
    CHECK(!compare_exclusive_sums<double>(two, memory_of<double>({0, 1.1})).empty());
}

TEST_CASE("peers: rows", "[host][peers]") {
    const std::vector<Plan> all = plan_rows({}); // fails where cub_peer.h does not have one of them
    std::set<std::string>   names;
    uint32_t                leading = 0;
    for (const Plan& plan : all) {
        const std::string name = plan.op + " " + plan.name + " " + std::to_string(plan.count);
        CAPTURE(name);
        CHECK(names.insert(name).second);
        REQUIRE(plan.bench != nullptr);
        CHECK(plan.cub.count == plan.count);
        CHECK((plan.cub.bins > 0) == (plan.op == "histogram"));
        leading += plan.op == "reduce" && plan.name == "add u32";
    }
    CHECK(leading == 11);
    CHECK(all.size() == 5 * 11 + 28 * 3 + 26 * 2 + 4 * 2 + 5);

    PlanOptions small;
    small.filter  = {"u32 1048576 bins"};
    small.largest = 1 << 12;
    CHECK(plan_rows(small).size() == 2);
    small.sizes = {1, 1000};
    CHECK(plan_rows(small).size() == 4);
    small.filter = {"no such row", "=reduce add f32"}; // which is a part of other names
    CHECK(plan_rows(small).size() == 2);
    small.filter = {"no such row"};
    CHECK(plan_rows(small).empty());
    CHECK_THROWS_AS(operation_of({"no such operation"}), tools::Failure);
}

} // namespace vkprim::tests
