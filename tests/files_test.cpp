#include "../tools/cli/files/files.h"

#include "../tools/cli/files/mapped_file.h"
#include "../tools/cli/files/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.h"
#include "support/pictures.h"
#include "support/program.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

using Bytes = std::vector<uint8_t>;

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "vkprim-files-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&)            = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const std::string& name) const { return path_ + "/" + name; }
    std::string file(const std::string& name, const std::string& content) const {
        std::ofstream(file(name), std::ios::binary) << content;
        return file(name);
    }
    size_t entries() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

private:
    std::string path_;
};

/// Why it failed; empty where it did not.
template <class T>
std::string reason_of(const Result<T>& result) {
    return result ? "" : result.error().reason;
}

/// One line that names the file and contains the words.
template <class T>
void check_fails(const Result<T>& result, const std::string& file, const std::vector<std::string>& words) {
    const std::string reason = reason_of(result);
    CAPTURE(reason);
    CHECK(reason.rfind(file + ":", 0) == 0);
    CHECK(reason.find('\n') == std::string::npos);
    CHECK(reason.size() < file.size() + 300);
    for (const std::string& word : words) {
        CAPTURE(word);
        CHECK(reason.find(word) != std::string::npos);
    }
}

std::string npy_of_header(const std::string& header, const std::string& data) {
    std::string out = "\x93NUMPY\x01";
    out += '\0';
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    return out + header + data;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
    return npy_of_header("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

Result<Array> parse(const std::string& bytes) {
    return parse_npy(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), "a.npy");
}

/// Parses in memory and from a file, which must agree.
Result<Array> parse_both(const std::string& bytes) {
    const TemporaryFolder folder;
    const std::string     path      = folder.file("a.npy", bytes);
    const Result<Array>   from_file = read_npy(path);
    const Result<Array>   parsed    = parse(bytes);
    REQUIRE(static_cast<bool>(from_file) == static_cast<bool>(parsed));
    if (parsed) {
        CHECK(from_file->bytes == parsed->bytes);
        CHECK(from_file->type == parsed->type);
    } else {
        CHECK(!from_file.error().reason.empty());
        CHECK(from_file.error().reason.rfind(path + ":", 0) == 0);
    }
    return parsed;
}

/// Of a file that is opened for it.
Result<FileKind> detect_kind_of(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    return file ? detect_kind(*file) : file.error();
}

/// Puts another file in the place of standard input or output, for as long as it lives.
class Redirection {
public:
    Redirection(int standard, int descriptor) : standard_(standard), saved_(::dup(standard)) {
        REQUIRE(::dup2(descriptor, standard) == standard);
        ::close(descriptor);
    }
    ~Redirection() {
        ::dup2(saved_, standard_);
        ::close(saved_);
    }
    Redirection(const Redirection&)            = delete;
    Redirection& operator=(const Redirection&) = delete;

private:
    int standard_, saved_;
};

} // namespace

TEST_CASE("npy: every supported dtype", "[files]") {
    struct Case {
        const char* descr;
        NumberType  type;
    };
    const Case one = GENERATE(values<Case>({
        {"|u1", NumberType::u8},
        {"<u1", NumberType::u8},
        {">u1", NumberType::u8},
        {"u1", NumberType::u8},
        {"<u2", NumberType::u16},
        {"<u4", NumberType::u32},
        {"<i4", NumberType::i32},
        {"<f4", NumberType::f32},
        {"<u8", NumberType::u64},
        {"<i8", NumberType::i64},
        {"<f8", NumberType::f64},
        {"|b1", NumberType::boolean},
        {"|i1", NumberType::i8},
        {"<i2", NumberType::i16},
        {"<f2", NumberType::f16},
    }));
    CAPTURE(one.descr);
    const size_t      size = 6 * element_size(one.type);
    const std::string data = std::string(
        "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c....\xff\xfe\xfd\xfc........................", size);
    const Result<Array> result = parse_both(npy("'" + std::string(one.descr) + "'", "(2, 3)", data));
    REQUIRE(reason_of(result) == "");
    CHECK(result->type == one.type);
    CHECK(result->count() == 6);
    CHECK(result->bytes == Bytes(data.begin(), data.end()));
    CHECK(result->shape == Shape{2, 3});
    CHECK_FALSE(result->fortran_order);
}

TEST_CASE("npy: shapes and spellings that are valid", "[files]") {
    const std::string four = "\x01\x02\x03\x04";
    const auto        same = [&](const std::string& file, const std::string& data) {
        CAPTURE(file);
        const Result<Array> result = parse_both(file);
        REQUIRE(reason_of(result) == "");
        CHECK(result->bytes == Bytes(data.begin(), data.end()));
    };
    same(npy("'|u1'", "()", "x"), "x");
    same(npy("'|u1'", "(4,)", four), four);
    same(npy("'|u1'", "(4L,)", four), four);
    same(npy("'|u1'", "(2, 2)", four), four);
    same(npy("'|u1'", "(1,2,1,2,)", four), four);
    same(npy("'|u1'", "(0,)", ""), "");
    same(npy("'|u1'", "(3, 0, 18446744073709551615)", ""), "");
    same(npy("\"|u1\"", "(4,)", four), four);
    same(npy_of_header("{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"|u1\"}", four), four);
    same(npy_of_header(" \t{ 'shape' : ( 2 ,\n 2 , ) , 'descr'\r\n: '|u1' , 'fortran_order' : False , } \n  ", four),
         four);
    same(npy_of_header("{'descr': '|u1', 'fortran_order': True, 'shape': (4,)}", four), four);
    same(npy_of_header("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 4, 1)}", four), four);
    same(npy_of_header("{'descr': '|u1', 'fortran_order': True, 'shape': (3, 0, 2)}", ""), "");

    // Where the order makes a difference, it is told.
    const auto fortran = [&](const std::string& shape, const std::string& data) {
        const auto result =
            parse_both(npy_of_header("{'descr': '|u1', 'fortran_order': True, 'shape': " + shape + "}", data));
        REQUIRE(reason_of(result) == "");
        CHECK(result->bytes == Bytes(data.begin(), data.end()));
        return *result;
    };
    CHECK(fortran("(2, 2)", four).fortran_order);
    CHECK(fortran("(1, 2, 1, 2)", four).fortran_order);
    CHECK(fortran("(1, 2, 1, 2)", four).shape == Shape{1, 2, 1, 2});
    CHECK_FALSE(fortran("(4,)", four).fortran_order);
    CHECK_FALSE(fortran("(1, 4, 1)", four).fortran_order);
    CHECK_FALSE(fortran("(3, 0, 2)", "").fortran_order);
    CHECK_FALSE(fortran("()", "x").fortran_order);

    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }";
    for (const char version : {'\2', '\3'}) {
        std::string file = "\x93NUMPY";
        file += {version, '\0', static_cast<char>(header.size()), '\0', '\0', '\0'};
        same(file + header + four, four);
    }
}

TEST_CASE("npy: not a .npy file, or a damaged one", "[files]") {
    const auto fails = [](const std::string& file, const std::vector<std::string>& words) {
        CAPTURE(file);
        check_fails(parse_both(file), "a.npy", words);
    };
    const std::string good = npy("'<f4'", "(2,)", "12345678");

    fails("", {"empty"});
    fails("hello, this is text", {"not a .npy file", "numpy.save"});
    fails("\x93NUMPI", {"not a .npy file"});
    fails("PK\x03\x04 and so on", {".npz archive", "unpack"});
    fails(std::string("\x93NUMPY\x04\x00\x10\x00{}", 12), {"version 4.0", "1.0, 2.0 and 3.0"});
    fails(std::string("\x93NUMPY\x00\x01\x10\x00{}", 12), {"version 0.1"});
    for (const unsigned size : {1u, 5u, 6u, 7u, 8u, 9u, 10u, 20u}) fails(good.substr(0, size), {"truncated", "header"});
    fails(std::string("\x93NUMPY\x02\x00\x10\x00\x00", 11), {"truncated", "header"});
    fails(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14), {"4294967295 bytes", "damaged"});
    fails(std::string("\x93NUMPY\x01\x00\x00\x00", 10) + good, {"invalid .npy header", "expected a dict"});
    fails(good.substr(0, good.size() - 3), {"truncated", "needs 8 bytes", "has 5", "(2,) of f32"});
    fails(npy("'<f4'", "(2,)", ""), {"truncated", "needs 8 bytes", "has 0"});
    fails(good + "123", {"mislabelled", "needs 8 bytes", "has 11"});
    fails(npy("'<f4'", "(0,)", "1"), {"mislabelled", "needs 0 bytes", "has 1"});
}

TEST_CASE("npy: headers that are not the dict", "[files]") {
    const auto fails = [](const std::string& header, const std::vector<std::string>& words) {
        CAPTURE(header);
        check_fails(parse_both(npy_of_header(header, "1234")), "a.npy", words);
    };
    const std::string descr = "'descr': '<f4', ", order = "'fortran_order': False, ", shape = "'shape': (1,), ";

    fails("", {"expected a dict"});
    fails("[1, 2]", {"expected a dict"});
    fails("{", {"key in quotes"});
    fails("{,}", {"key in quotes"});
    fails("{descr: '<f4'}", {"key in quotes"});
    fails("{'descr' '<f4'}", {"expected ':'"});
    fails("{'descr: '<f4'}", {"expected ':'", "numpy.save"});
    fails("{'descr': '<f4}", {"string as 'descr'"});
    fails("{'descr': <f4}", {"string as 'descr'"});
    fails("{'descr': None}", {"string as 'descr'"});
    fails("{'descr': '<f\\x34'}", {"string as 'descr'"});
    fails("{" + descr + order + shape, {"key in quotes"});
    fails("{'descr': '<f4' 'shape': (1,)}", {"expected ',' or '}'"});
    fails("{" + descr + order + shape + "} more", {"nothing after the dict"});
    fails(std::string("{" + descr + order + shape + "}") + '\0', {"nothing after the dict"});
    fails("{'descr': '<f4', 'fortran_order': 0, " + shape + "}", {"True or False"});
    fails("{'descr': '<f4', 'fortran_order': Falsehood, " + shape + "}", {"expected ',' or '}'"});

    fails("{}", {"'descr' is missing"});
    fails("{" + order + shape + "}", {"'descr' is missing"});
    fails("{" + descr + shape + "}", {"'fortran_order' is missing"});
    fails("{" + descr + order + "}", {"'shape' is missing"});
    fails("{" + descr + descr + order + shape + "}", {"each once", "'descr'"});
    fails("{" + descr + order + shape + "'name': 'x'}", {"but found 'name'"});
    fails("{'" + std::string(5000, 'x') + "': 1}", {"but found", "xxx..."});
    fails("{'a\x01\x1b[31m': 1}", {"but found 'a??[31m'"});

    const auto fails_shape = [&](const std::string& text, const std::vector<std::string>& words) {
        fails("{" + descr + order + "'shape': " + text + "}", words);
    };
    fails_shape("3", {"expected a tuple"});
    fails_shape("[3]", {"expected a tuple"});
    fails_shape("(3)", {"expected ','"});
    fails_shape("(3 4)", {"expected ','"});
    fails_shape("(,)", {"whole number"});
    fails_shape("(3,,)", {"whole number"});
    fails_shape("(-1,)", {"no negative number"});
    fails_shape("(1.5,)", {"expected ','"});
    fails_shape("('1',)", {"whole number"});
    fails_shape("(x,)", {"whole number"});
    fails_shape("(03,)", {"whole number"});
    fails_shape("(3,", {"whole number"});
}

TEST_CASE("npy: dtypes that are refused, with what to do", "[files]") {
    const auto fails = [](const std::string& descr, const std::vector<std::string>& words) {
        CAPTURE(descr);
        check_fails(parse_both(npy(descr, "(1,)", "12345678")), "a.npy", words);
    };
    const std::string supported = "b1, u1, u2, u4, u8, i1, i2, i4, i8, f2, f4 and f8";
    fails("'<f16'", {"floats", "<f16", supported, ".astype('<f8')"});
    fails("'<i16'", {"signed integers", "<i16", supported, ".astype('<i8')"});
    fails("'<u16'", {"unsigned integers", "<u16", supported, ".astype('<u8')"});
    fails("'>f8'", {"big-endian", "<f8"});
    fails("'|b4'", {"booleans", supported, ".astype('bool')"});
    fails("'<c8'", {"complex", supported, ".real.astype('<f4')", ".imag.astype('<f4')"});
    fails("'<c16'", {"complex", supported, ".real.astype('<f8')", ".imag.astype('<f8')"});
    fails("'<U5'", {"strings", supported, ".astype('<f8')", ".astype('<i8')"});
    fails("'|S5'", {"strings", supported, ".astype('<f8')", ".astype('<i8')"});
    fails("'|O'", {"Python objects", supported, ".astype('<f8')", ".astype('<i8')"});
    for (const char* const descr : {"'<M8[ns]'", "'<m8[D]'", "'>M8[s]'", "'<m8'"})
        fails(descr, {"times", supported, "with .astype('<i8'), where NaT"});
    fails("'|V8'", {"records", supported, ".view('u1')"});
    fails("''", {"unknown type", supported});
    fails("'<'", {"unknown type", supported});
    fails("'f44'", {"floats", supported});
    fails("[('x', '<f4'), ('y', '<f4')]", {"structured dtype", "a['field']"});
    fails("('<f4', (2,))", {"structured dtype"});
    fails("'>f4'", {"big-endian", ".astype('<f4')"});
    fails("'>u2'", {"big-endian", ".astype('<u2')"});
    fails("'>f2'", {"big-endian", ".astype('<f2')"});
}

TEST_CASE("npy: shapes that are refused", "[files]") {
    const auto fails = [](const std::string& shape, const std::vector<std::string>& words) {
        CAPTURE(shape);
        check_fails(parse_both(npy("'<f4'", shape, "12345678")), "a.npy", words);
    };
    fails("(4294967296,)", {"4294967296 elements", "at most 4294967295"});
    fails("(65536, 65536)", {"4294967296 elements", "split"});
    fails("(4294967295,)", {"truncated", "needs 17179869180 bytes"});
    fails("(4294967296, 4294967296)", {"64 bits", "damaged"});
    fails("(18446744073709551615,)", {"64 bits"});
    fails("(99999999999999999999999999,)", {"64 bits"});
    fails("(2, 9223372036854775808)", {"64 bits"});
    std::string many = "(";
    for (int i = 0; i < 200; ++i) many += "2, ";
    fails(many + ")", {"64 bits", "..."});
}

TEST_CASE("npy: no bytes do harm", "[files]") {
    const std::string good = npy("'<f4'", "(2, 3)", std::string(24, 'x'));
    REQUIRE(reason_of(parse(good)) == "");
    for (size_t size = 0; size < good.size(); ++size) CHECK_FALSE(parse(good.substr(0, size)));

    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = good;
        for (size_t edits = 1 + random() % 3; edits > 0; --edits) {
            const size_t at = random() % bytes.size();
            switch (random() % 3) {
                case 0: bytes[at] = static_cast<char>(random()); break;
                case 1: bytes.erase(at, 1 + random() % 4); break;
                default: bytes.insert(at, bytes, random() % bytes.size(), random() % 8); break;
            }
            if (bytes.empty()) break;
        }
        const Result<Array> result = parse(bytes);
        if (result) {
            REQUIRE(result->bytes.size() <= bytes.size());
        } else {
            REQUIRE(result.error().reason.rfind("a.npy:", 0) == 0);
            REQUIRE(result.error().reason.find('\n') == std::string::npos);
        }
    }
}

TEST_CASE("write_npy writes what numpy does, and read_npy reads it back", "[files]") {
    const TemporaryFolder folder;
    const std::string     path     = folder.file("out.npy");
    const uint32_t        values[] = {0x3f800000, 0xc0000000, 0x7fc00000};
    REQUIRE(reason_of(write_npy(path, NumberType::f32, values, 3)) == "");

    const std::string dict     = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    std::string       expected = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict;
    expected += std::string(127 - expected.size(), ' ') + "\n";
    expected += std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\xc0\x7f", 12);
    CHECK(content_of(path) == expected); // what numpy 1.24 saves

    struct Case {
        NumberType  type;
        const char* descr;
    };
    for (const Case one :
         {Case{NumberType::u8, "'|u1'"}, Case{NumberType::u16, "'<u2'"}, Case{NumberType::u32, "'<u4'"},
          Case{NumberType::i32, "'<i4'"}, Case{NumberType::f32, "'<f4'"}, Case{NumberType::boolean, "'|b1'"},
          Case{NumberType::i8, "'|i1'"}, Case{NumberType::i16, "'<i2'"}, Case{NumberType::f16, "'<f2'"}}) {
        for (const uint64_t count : {uint64_t(0), uint64_t(1), uint64_t(1001), uint64_t(1234567)}) {
            CAPTURE(one.descr, count);
            Bytes data(count * element_size(one.type));
            for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7);
            REQUIRE(reason_of(write_npy(path, one.type, data.data(), count)) == "");
            CHECK(content_of(path).find(one.descr) != std::string::npos);
            const Result<Array> back = read_npy(path);
            REQUIRE(reason_of(back) == "");
            CHECK(back->type == one.type);
            CHECK(back->count() == count);
            CHECK(back->bytes == data);
        }
    }
    for (const Shape& shape : {Shape{}, Shape{4}, Shape{2, 3}, Shape{3, 0, 5}}) {
        CAPTURE(shape_text(shape));
        const uint8_t data[6] = {};
        REQUIRE(reason_of(write_npy(path, NumberType::u8, data, shape)) == "");
        CHECK(content_of(path).find("'shape': " + shape_text(shape) + ", }") != std::string::npos);
        const Result<Array> back = read_npy(path);
        REQUIRE(reason_of(back) == "");
        CHECK(back->shape == shape);
    }
    CHECK(shape_text({}) == "()");
    CHECK(shape_text({4}) == "(4,)");
    CHECK(shape_text({2, 3}) == "(2, 3)");
    CHECK(folder.entries() == 1);
}

TEST_CASE("reading what is no file", "[files]") {
    const TemporaryFolder folder;
    const std::string     missing = folder.file("missing"), directory = folder.file("");
    const std::string     below_file = folder.file("file", "x") + "/below";
    for (const auto& [path, word] :
         {std::pair{missing, "no such file"}, std::pair{directory, "is a directory"},
          std::pair{below_file, "not a directory"}, std::pair{std::string(), "no such file"}}) {
        CAPTURE(path);
        check_fails(read_npy(path), path, {"cannot read", word});
        check_fails(read_raw(path, NumberType::u8), path, {"cannot read", word});
        check_fails(read_image(path), path, {"cannot read", word});
        check_fails(detect_kind_of(path), path, {"cannot read", word});
    }
    if (::geteuid() == 0) {
        WARN("SKIPPED: root may read every file, so an unreadable one cannot be tested");
    } else {
        const std::string path = folder.file("secret", "x");
        REQUIRE(::chmod(path.c_str(), 0) == 0);
        check_fails(read_npy(path), path, {"cannot read", "permission denied"});
        check_fails(read_raw(path, NumberType::u8), path, {"cannot read", "permission denied"});
        check_fails(read_image(path), path, {"cannot read", "permission denied"});
        check_fails(detect_kind_of(path), path, {"cannot read", "permission denied"});
    }
}

TEST_CASE("read_raw", "[files]") {
    const TemporaryFolder folder;
    const std::string     path = folder.file("a.raw", "12345678");
    for (const NumberType type : {NumberType::u8, NumberType::u16, NumberType::u32, NumberType::i32, NumberType::f32}) {
        const Result<Array> result = read_raw(path, type);
        REQUIRE(reason_of(result) == "");
        CHECK(result->type == type);
        CHECK(result->count() == 8 / element_size(type));
        CHECK(std::string(result->bytes.begin(), result->bytes.end()) == "12345678");
    }
    const std::string odd = folder.file("odd.raw", "12345");
    CHECK(reason_of(read_raw(odd, NumberType::u8)) == "");
    check_fails(read_raw(odd, NumberType::u16), odd, {"5 bytes", "u16", "2 bytes each"});
    check_fails(read_raw(odd, NumberType::f32), odd, {"5 bytes", "f32", "4 bytes each"});

    const Result<Array> empty = read_raw(folder.file("empty.raw", ""), NumberType::f32);
    REQUIRE(reason_of(empty) == "");
    CHECK(empty->count() == 0);

    const std::string huge = folder.file("huge.raw", "");
    REQUIRE(::truncate(huge.c_str(), off_t(1) << 35) == 0); // sparse: takes no room
    check_fails(read_raw(huge, NumberType::f32), huge, {"more than 4294967295 elements", "split"});
    check_fails(read_npy(huge), huge, {"not a .npy file"});
}

TEST_CASE("reading from pipes", "[files]") {
    const TemporaryFolder folder;
    const std::string     pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);

    std::string data(3 << 20, '\0');
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 13 >> 3);
    const auto through_pipe = [&](const std::string& bytes, auto read) {
        std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
        auto        result = read(pipe);
        writer.join();
        return result;
    };
    const auto by_path = [](const std::string& path) { return read_npy(path); };
    const auto raw     = through_pipe(data, [](const std::string& path) { return read_raw(path, NumberType::u16); });
    REQUIRE(reason_of(raw) == "");
    CHECK(raw->bytes == Bytes(data.begin(), data.end()));
    CHECK(raw->shape == Shape{data.size() / 2});

    const std::string file  = npy("'|u1'", "(" + std::to_string(data.size()) + ",)", data);
    const auto        array = through_pipe(file, by_path);
    REQUIRE(reason_of(array) == "");
    CHECK(array->bytes == Bytes(data.begin(), data.end()));

    check_fails(through_pipe(npy("'<f4'", "(2,)", "123456789"), by_path), pipe,
                {"mislabelled", "needs 8 bytes", "more"});
    // Says 16 GiB: memory must grow only with what arrives.
    check_fails(through_pipe(npy("'<f4'", "(4294967295,)", "1234"), by_path), pipe, {"truncated", "has 4"});

    // Whoever looks what there is takes nothing away.
    const auto looked_at = through_pipe(file, [](const std::string& path) -> Result<Array> {
        Result<InputFile> opened = InputFile::open(path);
        if (!opened) return opened.error();
        CHECK(*detect_kind(*opened) == FileKind::npy);
        CHECK(*detect_kind(*opened) == FileKind::npy);
        return read_npy(*opened);
    });
    REQUIRE(reason_of(looked_at) == "");
    CHECK(looked_at->bytes == Bytes(data.begin(), data.end()));
}

TEST_CASE("standard input and output", "[files]") {
    const TemporaryFolder folder;
    const std::string     path   = folder.file("in", "before" + npy("'<u2'", "(2, 1)", "abcd"));
    const auto            opened = [&](off_t begin) {
        const int descriptor = ::open(path.c_str(), O_RDONLY);
        REQUIRE(::lseek(descriptor, begin, SEEK_SET) == begin);
        return descriptor;
    };
    {
        const Redirection   input(STDIN_FILENO, opened(6)); // of which others have read the beginning
        const Result<Array> array = read_npy("-");
        REQUIRE(reason_of(array) == "");
        CHECK(array->bytes == Bytes{'a', 'b', 'c', 'd'});
    }
    {
        const Redirection   input(STDIN_FILENO, opened(3));
        const Result<Array> raw = read_raw("-", NumberType::u8);
        REQUIRE(reason_of(raw) == "");
        CHECK(raw->count() == fs::file_size(path) - 3);
        CHECK(raw->bytes[0] == 'o');
    }
    {
        const Redirection input(STDIN_FILENO, opened(0));
        check_fails(read_npy("-"), "standard input", {"not a .npy file"});
    }
    const std::string out = folder.file("out", "");
    {
        std::fflush(stdout);
        const Redirection output(STDOUT_FILENO, ::open(out.c_str(), O_WRONLY));
        CHECK(reason_of(write_npy("-", NumberType::u8, "xyz", 3)) == "");
    }
    CHECK(reason_of(read_npy(out)) == "");
    if (::access("/dev/full", W_OK) == 0) {
        const Redirection output(STDOUT_FILENO, ::open("/dev/full", O_WRONLY));
        check_fails(write_npy("-", NumberType::u8, "xyz", 3), "standard output", {"no space left on device"});
    }
    CHECK(folder.entries() == 2);
}

TEST_CASE("write_file replaces in one step", "[files]") {
    const TemporaryFolder folder;
    const std::string     path  = folder.file("out");
    const mode_t          umask = ::umask(027);
    REQUIRE(reason_of(write_file(path, "first", 5)) == "");
    ::umask(umask);
    CHECK(content_of(path) == "first");
    struct stat status = {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);

    REQUIRE(::chmod(path.c_str(), 0604) == 0);
    REQUIRE(reason_of(write_file(path, "second time", 11)) == "");
    CHECK(content_of(path) == "second time");
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0604);

    REQUIRE(::symlink("out", folder.file("link").c_str()) == 0);
    REQUIRE(reason_of(write_file(folder.file("link"), "through", 7)) == "");
    CHECK(content_of(path) == "through");
    CHECK(fs::is_symlink(folder.file("link")));

    REQUIRE(reason_of(write_file(folder.file(std::string(255, 'n')), "long", 4)) == "");
    REQUIRE(reason_of(write_file(path, nullptr, 0)) == "");
    CHECK(content_of(path).empty());
    CHECK(folder.entries() == 3);
}

TEST_CASE("files that are not complete do not stay", "[files]") {
    const TemporaryFolder folder;
    const std::string     path = folder.file("file");
    {
        Result<OutputFile> file = OutputFile::create(path, 8);
        REQUIRE(file);
        CHECK(file->write(4, "abcd", 4));
        char read[4] = {};
        CHECK(file->read(4, read, 4));
        CHECK(std::string(read, 4) == "abcd");
        CHECK_FALSE(file->read(5, read, 4)); // behind the end
        CHECK(folder.entries() <= 1);        // where the file system cannot do without names
        CHECK_FALSE(fs::exists(path));
    }
    CHECK(folder.entries() == 0);
}

TEST_CASE("mapped arrays", "[files]") {
    const TemporaryFolder       folder;
    const std::vector<uint32_t> numbers = [] {
        std::vector<uint32_t> all(300000);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }();
    const std::string path = folder.file("a.npy");
    REQUIRE(write_npy(path, NumberType::u32, numbers.data(), Shape{300, 1000}));
    Result<MappedFile> file = MappedFile::open(path);
    REQUIRE(file);
    const Result<MappedArray> array = map_npy(std::move(*file));
    REQUIRE(array);
    CHECK(array->type == NumberType::u32);
    CHECK(array->count == 300000);
    CHECK(array->shape == Shape{300, 1000});
    std::vector<uint32_t> taken(299000);
    array->take(1000, 299000, reinterpret_cast<uint8_t*>(taken.data()));
    CHECK(std::equal(taken.begin(), taken.end(), numbers.begin() + 1000));
    array->release(0, 300000);
    CHECK(std::memcmp(array->at(0), numbers.data(), 1200000) == 0); // read again

    // More elements than fit a uint32_t, in a file with a hole.
    const std::string huge = folder.file("huge");
    folder.file("huge", "x");
    fs::resize_file(huge, (uint64_t{1} << 32) + 5);
    Result<MappedFile> sparse = MappedFile::open(huge);
    REQUIRE(sparse);
    const Result<MappedArray> raw = map_raw(std::move(*sparse), NumberType::u8);
    REQUIRE(raw);
    CHECK(raw->count == (uint64_t{1} << 32) + 5);
    CHECK(*raw->at(0) == 'x');
    CHECK(*raw->at(raw->count - 1) == 0);
    check_fails(MappedFile::open(folder.file("none")), folder.file("none"), {"cannot read", "no such file"});
    check_fails(MappedFile::open(folder.file("")), folder.file(""), {"cannot map", "is a directory"});
}

TEST_CASE("write_file leaves nothing behind when it fails", "[files]") {
    const TemporaryFolder folder;
    const std::string     file = folder.file("file", "as it was");

    check_fails(write_file(folder.file("missing/out"), "x", 1), folder.file("missing/out"),
                {"cannot write", "no such file", "check the path"});
    check_fails(write_file(file + "/out", "x", 1), file + "/out", {"cannot write", "not a directory"});
    check_fails(write_file(folder.file(""), "x", 1), folder.file(""), {"cannot write", "is a directory"});
    check_fails(write_file(folder.file(std::string(256, 'n')), "x", 1), folder.file(std::string(256, 'n')),
                {"cannot write", "name too long"});
    CHECK(folder.entries() == 1);

    // A limit on the size of files makes a write fail halfway, as a full disk does.
    struct rlimit before = {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto   handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limited = {1 << 16, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limited) == 0);
    const Bytes        large(1 << 17);
    const Result<void> raw = write_file(file, large.data(), large.size());
    const Result<void> npy = write_npy(file, NumberType::u8, large.data(), large.size());
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, handler);
    check_fails(raw, file, {"cannot write", "file too large", "make room"});
    check_fails(npy, file, {"cannot write", "file too large"});
    CHECK(content_of(file) == "as it was");
    CHECK(folder.entries() == 1);

    if (::geteuid() == 0) {
        WARN("SKIPPED: root may write everywhere, so an unwritable folder cannot be tested");
    } else {
        REQUIRE(::chmod(file.c_str(), 0400) == 0);
        check_fails(write_file(file, "x", 1), file, {"cannot write", "permission denied"});
        REQUIRE(::chmod(folder.file("").c_str(), 0500) == 0);
        check_fails(write_file(folder.file("new"), "x", 1), folder.file("new"), {"cannot write", "permission denied"});
        REQUIRE(::chmod(folder.file("").c_str(), 0700) == 0);
        CHECK(content_of(file) == "as it was");
        CHECK(folder.entries() == 1);
    }
}

TEST_CASE("devices are written straight into", "[files]") {
    if (::access("/dev/full", W_OK) != 0) {
        WARN("SKIPPED: no /dev/full here");
        return;
    }
    const std::vector<BinSeries>   series = {{"count", {1, 2, 3}}};
    const std::vector<std::string> words  = {"cannot write", "no space left on device", "make room"};
    check_fails(write_file("/dev/full", "x", 1), "/dev/full", words);
    check_fails(write_npy("/dev/full", NumberType::u8, "x", 1), "/dev/full", words);
    check_fails(write_histogram_csv("/dev/full", {0, 1, 2, 3}, series), "/dev/full", words);
    check_fails(write_histogram_svg("/dev/full", "t", {0, 1, 2, 3}, series), "/dev/full", words);
    CHECK(reason_of(write_npy("/dev/null", NumberType::u8, "x", 1)) == "");
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(fs::is_character_file("/dev/null"));

    const TemporaryFolder folder;
    const std::string     pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const Bytes large(1 << 20, 'x'); // more than a pipe holds: arrives in several short writes
    std::string arrived;
    std::thread reader([&] { arrived = content_of(pipe); });
    const auto  result = write_file(pipe, large.data(), large.size());
    reader.join();
    CHECK(reason_of(result) == "");
    CHECK(arrived == std::string(large.begin(), large.end()));
    CHECK(folder.entries() == 1);
}

TEST_CASE("/dev/stdout is where stdout goes, behind what is there", "[files]") {
    const TemporaryFolder folder;
    const std::string     path = folder.file("stdout", "");
    std::fflush(stdout);
    const int saved = ::dup(STDOUT_FILENO);
    const int file  = ::open(path.c_str(), O_WRONLY);
    REQUIRE(::dup2(file, STDOUT_FILENO) == STDOUT_FILENO);
    const bool         first  = ::write(STDOUT_FILENO, "before ", 7) == 7;
    const Result<void> result = write_file("/dev/stdout", "written", 7);
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    ::close(file);
    CHECK(first);
    CHECK(reason_of(result) == "");
    CHECK(content_of(path) == "before written");
}

TEST_CASE("pictures", "[files]") {
    const TemporaryFolder folder;
    const int             width = 17, height = 9;
    for (const int channels : {1, 2, 3, 4}) {
        CAPTURE(channels);
        Bytes samples(static_cast<size_t>(width * height * channels));
        for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * 5);
        const std::string png = folder.file("a.bin"); // the name does not matter
        REQUIRE(stbi_write_png(png.c_str(), width, height, channels, samples.data(), width * channels) != 0);
        const Result<Image> image = read_image(png);
        REQUIRE(reason_of(image) == "");
        CHECK(image->width == 17);
        CHECK(image->height == 9);
        CHECK(image->channels == static_cast<uint32_t>(channels));
        CHECK(image->samples == samples);
        const Result<FileKind> kind = detect_kind_of(png);
        REQUIRE(kind);
        CHECK(*kind == FileKind::image);
    }

    for (const uint32_t channels : {1u, 3u}) {
        CAPTURE(channels);
        const std::string   jpeg  = folder.file("a.jpg", jpeg_of(channels));
        const Result<Image> image = read_image(jpeg);
        REQUIRE(reason_of(image) == "");
        CHECK(image->width == 8);
        CHECK(image->height == 8);
        CHECK(image->channels == channels);
        REQUIRE(image->samples.size() == 64 * channels);
        const int rgb[] = {61, 130, 50}; // of luma and chroma 100
        for (size_t i = 0; i < image->samples.size(); ++i) {
            REQUIRE(std::abs(image->samples[i] - (channels == 1 ? 100 : rgb[i % 3])) <= 1);
        }
        CHECK(*detect_kind_of(jpeg) == FileKind::image);
    }
}

TEST_CASE("PGM and PPM", "[files]") {
    const TemporaryFolder folder;
    const auto            reads = [&](const std::string& header, const Image& expected) {
        CAPTURE(header);
        const std::string path =
            folder.file("a.pnm", header + std::string(expected.samples.begin(), expected.samples.end()));
        const Result<Image> image = read_image(path);
        REQUIRE(reason_of(image) == "");
        CHECK(image->width == expected.width);
        CHECK(image->height == expected.height);
        CHECK(image->channels == expected.channels);
        CHECK(image->samples == expected.samples);
        CHECK(*detect_kind_of(path) == FileKind::image);
    };
    reads("P5\n3 2\n255\n", {3, 2, 1, {0, 10, 20, 255, 32, 9}}); // the first samples look like white space
    reads("P5 3 2 255\n", {3, 2, 1, {'\n', ' ', '#', '1', 32, 9}});
    reads("P6\n# a comment\n2 # another\n1\n255\n", {2, 1, 3, {1, 2, 3, 4, 5, 6}});
    reads("P6#x\n\t2\r\n1 100 ", {2, 1, 3, {1, 2, 3, 4, 5, 100}});

    const auto fails = [&](const std::string& content, const std::vector<std::string>& words) {
        CAPTURE(content);
        const std::string path = folder.file("bad.pnm", content);
        check_fails(read_image(path), path, words);
    };
    fails("P5\n3 2\n255\n12345", {"need 6 bytes", "5 follow"});
    fails("P5\n3 2\n255\n1234567", {"need 6 bytes", "7 follow"});
    fails("P6\n3 2\n255\n", {"need 18 bytes", "0 follow"});
    fails("P5\n3 2\n65535\n123456123456", {"16 bits per channel", "convert"});
    fails("P5\n3 2\n65536\n", {"largest sample is 65536"});
    fails("P5\n3 2\n0\n", {"largest sample is 0"});
    fails("P5\n3 0\n255\n", {"3 x 0 pixels"});
    fails("P5\n-3 2\n255\n", {"missing"});
    fails("P5\n3 2\n", {"missing"});
    fails("P5\n3 2\n255", {"white space"});
    fails("P5\n3x2\n255\n", {"missing"});
    fails("P5\n# never ends", {"missing"});
    fails("P5\n99999999999999999999 2\n255\n", {"too large"});
    fails("P5\n4294967295 4294967295\n255\n", {"at most 4294967295 samples"});
    fails("P6\n65535 65535\n255\n", {"at most 4294967295 samples"});
    fails("P2\n1 1\n255\n7\n", {"P2", "convert"});
}

TEST_CASE("pictures that are refused", "[files]") {
    const TemporaryFolder folder;
    const auto            fails = [&](const std::string& content, const std::vector<std::string>& words) {
        const std::string path = folder.file("bad", content);
        check_fails(read_image(path), path, words);
    };
    fails("", {"empty"});
    fails("just text", {"not a picture", "PNG, JPEG, PGM or PPM"});
    fails("GIF89a....", {"is a GIF", "convert"});
    fails(std::string("II*\0....", 8), {"is a TIFF", "convert"});
    fails("RIFF....WEBPVP8 ", {"is a WebP", "convert"});
    CHECK(*detect_kind_of(folder.file("gif", "GIF89a....")) == FileKind::image);

    const Bytes       samples(20 * 20 * 3, 7);
    const std::string path = folder.file("good");
    REQUIRE(stbi_write_png(path.c_str(), 20, 20, 3, samples.data(), 60) != 0);
    std::string png = content_of(path);
    fails(png.substr(0, 8), {"PNG cannot be decoded"});
    fails(png.substr(0, png.size() / 2), {"PNG cannot be decoded"});
    png[24] = 16; // bits per channel, in the first chunk
    fails(png, {"16 bits per channel", "convert"});

    const std::string jpeg   = jpeg_of(3);
    std::string       tables = jpeg;
    for (size_t i = 0; i < 16; ++i) tables[tables.find("\xff\xc4") + 5 + i] = '\xff'; // 4080 codes
    fails(tables, {"JPEG cannot be decoded", "Huffman table"});
    fails(jpeg.substr(0, 20), {"JPEG cannot be decoded"});
    fails(jpeg.substr(0, jpeg.size() - 2), {"JPEG cannot be decoded"});

    // Before any memory is taken for what they say.
    const std::string row = png_rows(std::string("\0a", 2));
    CHECK(reason_of(read_image(folder.file("small", png_of({1, 1, 8, 0, 0, row})))) == "");
    fails(png_of({32000, 32000, 8, 0, 0, row}), {"PNG cannot be decoded", "32000 x 32000 pixels do not fit"});
    fails(png_of({1, 1, 8, 0, 0, big_endian(0x7fffffff) + row.substr(4)}), {"PNG cannot be decoded", "truncated"});
    std::string large = jpeg_of(1);
    large.replace(large.find("\xff\xc0") + 5, 4, "\x7f\x7f\x7f\x7f");
    fails(large, {"JPEG cannot be decoded", "32639 x 32639 pixels do not fit"});
}

TEST_CASE("pictures that do not say all of their samples", "[files]") {
    const TemporaryFolder folder;
    // Two colours and a sample that is neither of them; without its palette's end it would come from anywhere.
    const std::string   palette = png_chunk("PLTE", "abcdef");
    const Result<Image> indexed =
        read_image(folder.file("indexed", png_of({4, 1, 8, 3, 0, palette + png_rows(std::string("\0\0\1\2\xff", 5))})));
    REQUIRE(reason_of(indexed) == "");
    CHECK(indexed->samples == Bytes{'a', 'b', 'c', 'd', 'e', 'f', 0, 0, 0, 0, 0, 0});

    std::string jpeg = jpeg_of(1);
    jpeg.erase(jpeg.find("\xff\xda"), jpeg.size() - 2 - jpeg.find("\xff\xda")); // the scan
    const Result<Image> empty = read_image(folder.file("empty", jpeg));
    REQUIRE(reason_of(empty) == "");
    CHECK(empty->samples == Bytes(64, 0));
}

TEST_CASE("detect_kind goes by content", "[files]") {
    const TemporaryFolder folder;
    const auto            kind = [&](const std::string& content) {
        const Result<FileKind> result = detect_kind_of(folder.file("a.png", content));
        REQUIRE(reason_of(result) == "");
        return *result;
    };
    CHECK(kind("") == FileKind::other);
    CHECK(kind("P") == FileKind::other);
    CHECK(kind("P5") == FileKind::other);
    CHECK(kind("P5x") == FileKind::other);
    CHECK(kind("P8 ") == FileKind::other);
    CHECK(kind("\x89PN") == FileKind::other);
    CHECK(kind("text, more than twelve bytes") == FileKind::other);
    CHECK(kind("\x93NUMPY") == FileKind::npy);
    CHECK(kind("PK\x03\x04") == FileKind::npy); // so that read_npy() explains
    CHECK(kind(npy("'<f4'", "(1,)", "1234")) == FileKind::npy);
    CHECK(*detect_kind_of("/dev/null") == FileKind::other);
}

TEST_CASE("histogram as CSV", "[files]") {
    const TemporaryFolder folder;
    const std::string     path = folder.file("h.csv");
    // Edges are written so that they are read back exactly.
    const std::vector<double> edges = {-0.19999999999999996, 0.1, std::nextafter(0.3, 0.0), 4294967296.0};
    REQUIRE(reason_of(write_histogram_csv(path, edges, {{"red", {1, 0, 4294967295u}}, {"a,\"b\"", {7, 8, 9}}})) == "");
    CHECK(content_of(path) ==
          "bin,lower,upper,red,\"a,\"\"b\"\"\"\n"
          "0,-0.19999999999999996,0.1,1,7\n"
          "1,0.1,0.29999999999999993,0,8\n"
          "2,0.29999999999999993,4294967296,4294967295,9\n");

    for (const auto write :
         {+[](const std::string&to, const std::vector<double>&between, const std::vector<BinSeries>&series) {
              return write_histogram_csv(to, between, series);
          },
          +[](const std::string&to, const std::vector<double>&between, const std::vector<BinSeries>&series) {
              return write_histogram_svg(to, "title", between, series);
          }}) {
        const std::string none = folder.file("none");
        check_fails(write(none, {1, 1}, {{"count", {1}}}), none, {"range"});
        check_fails(write(none, {}, {{"count", {1}}}), none, {"range"});
        check_fails(write(none, {0, std::nan("")}, {{"count", {1}}}), none, {"range"});
        check_fails(write(none, {-1.7e308, 1.7e308}, {{"count", {1}}}), none, {"range"});
        check_fails(write(none, {0, 1}, {}), none, {"series"});
        check_fails(write(none, {0, 1}, {{"count", {}}}), none, {"series"});
        check_fails(write(none, {0, 1}, {{"count", {1, 2}}}), none, {"series"});
        check_fails(write(none, {0, 1}, {{"red", {1}}, {"green", {1, 2}}}), none, {"series"});
        CHECK_FALSE(fs::exists(none));
    }
}

TEST_CASE("histogram as SVG", "[files]") {
    const TemporaryFolder folder;
    const std::string     path = folder.file("h.svg");
    const auto svg = [&](const std::string& title, double lower, double upper, const std::vector<BinSeries>& series) {
        const size_t        bins = series[0].counts.size();
        std::vector<double> edges;
        for (size_t k = 0; k <= bins; ++k) {
            edges.push_back(lower + (upper - lower) * static_cast<double>(k) / static_cast<double>(bins));
        }
        REQUIRE(reason_of(write_histogram_svg(path, title, edges, series)) == "");
        return content_of(path);
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    const auto times = [](const std::string& text, const std::string& part) {
        size_t n = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
        return n;
    };

    const std::string one = svg("a <b> & c\x01\xff", 0, 4, {{"count", {0, 5, 1234567, 2}}});
    CHECK(one.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=", 0) == 0);
    CHECK(has(one, "prefers-color-scheme:dark"));
    CHECK(has(one, "a &lt;b&gt; &amp; c\xef\xbf\xbd\xef\xbf\xbd</text>"));
    CHECK(has(one, ">samples per bin</text>"));
    CHECK(has(one, ">sample value</text>"));
    CHECK(has(one,
              "<title>2 to 3: count 1\xe2\x80\xaf"
              "234\xe2\x80\xaf"
              "567</title>"));
    CHECK(has(one, "4 bins of width 1"));
    CHECK(times(one, "<title>") == 5);
    CHECK(times(one, "class=\"area ") == 1);
    CHECK_FALSE(has(one, "<script"));

    const std::vector<uint64_t> ramp(256, 3);
    const std::string           rgb = svg("t", 0, 256, {{"red", ramp}, {"green", ramp}, {"blue", ramp}});
    CHECK(times(rgb, "class=\"area ") == 6); // and their legend
    CHECK(has(rgb, ">red</text>"));
    CHECK(has(rgb, "768 samples per channel"));
    CHECK(has(rgb, "<title>7 to 8: red 3, green 3, blue 3</title>"));

    std::vector<uint64_t> many(1 << 20);
    std::mt19937          random(1);
    for (uint64_t& count : many) count = random() % 1000;
    many[777777]           = 5000;
    const std::string fine = svg("t", 0, 1 << 20, {{"count", many}});
    CHECK(fine.size() < 100000);
    CHECK(has(fine,
              "shows the fullest of up to 1\xe2\x80\xaf"
              "024 bins"));
    CHECK(times(fine, "<title>") == 1);
    CHECK(svg("t", 0, 1024, {{"count", std::vector<uint64_t>(1024, 1)}}).size() < 200000);

    // Ranges that could trip the choice of ticks.
    for (const auto& [lower, upper] :
         {std::pair{-3.4e38, 3.4e38}, std::pair{0.0, 1e-45}, std::pair{1e9, 1e9 + 64}, std::pair{1.0, 1.0000001},
          std::pair{1e17, 1e17 + 16}, std::pair{0.0, 4294967296.0}}) {
        CAPTURE(lower, upper);
        for (const std::vector<uint64_t>& counts : {std::vector<uint64_t>{0}, {4294967295u, 1}, {1, 2, 3}}) {
            const std::string text = svg("t", lower, upper, {{"count", counts}});
            CHECK_FALSE(has(text, "nan"));
            CHECK_FALSE(has(text, "inf"));
            CHECK(text.size() < 20000);
        }
    }
}
