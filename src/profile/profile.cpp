#include <vkprim/profile.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

namespace vkprim {
namespace {

using Json = nlohmann::json;

constexpr const char* version_field = "vkprim_profile";
constexpr uint32_t    version       = 1;

Error refuse(const std::string& what) { return {ErrorKind::invalid_profile, "the profile" + what}; }

std::string cut(const std::string& text, size_t limit) {
    return text.size() > limit ? text.substr(0, limit) + "..." : text;
}

/// The value as JSON in printable ASCII, cut where it is long; of arrays and objects, which may be deep, only what they are.
std::string excerpt(const Json& field) {
    if (field.is_structured()) return std::string("an ") + field.type_name();
    return cut(field.dump(-1, ' ', true), 40);
}

Error wrong_field(const std::string& name, const char* expected, const Json& field) {
    return refuse("'s " + excerpt(name) + " must be " + expected + ", not " + excerpt(field));
}

Error missing_field(const std::string& name) { return refuse(" lacks \"" + name + "\": make one with vkprim tune"); }

Result<uint32_t> number_of(const std::string& name, const Json& field) {
    if (!field.is_number_unsigned() || field.get<uint64_t>() > UINT32_MAX) {
        return wrong_field(name, "a whole number from 0 to 4294967295", field);
    }
    return field.get<uint32_t>();
}

Result<uint32_t> read_number(const Json& object, const std::string& name) {
    const auto field = object.find(name);
    return field == object.end() ? missing_field(name) : number_of(name, *field);
}

Result<Profile> profile_of(const Json& json) {
    if (!json.is_object()) return refuse(" must be a JSON object, not " + excerpt(json));
    const auto found = read_number(json, version_field);
    if (!found) return found.error();
    if (*found != version) {
        return refuse("'s \"" + std::string(version_field) + "\" is " + std::to_string(*found) +
                      ", but this vkprim reads " + std::to_string(version) + ": make one with its vkprim tune");
    }
    const auto device = json.find("device");
    if (device == json.end()) return missing_field("device");
    if (!device->is_string()) return wrong_field("device", "the device's name", *device);
    const auto vendor_id = read_number(json, "vendor_id"), device_id = read_number(json, "device_id");
    if (!vendor_id) return vendor_id.error();
    if (!device_id) return device_id.error();
    const auto values = json.find("values");
    if (values == json.end()) return missing_field("values");
    if (!values->is_object()) return wrong_field("values", "an object of names and numbers", *values);

    Profile profile{*vendor_id, *device_id, {}};
    for (const auto& item : values->items()) {
        const auto value = number_of(item.key(), item.value());
        if (!value) return value.error();
        profile.values[item.key()] = *value;
    }
    return profile;
}

/// "parse error at line 1, column 2: ...", without the library's number of it, and printable: it quotes the text.
std::string error_text(const std::exception& error) {
    std::string  what = error.what();
    const size_t end  = what.find("] ");
    if (end != std::string::npos) what.erase(0, end + 2);
    std::replace_if(
        what.begin(), what.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return cut(what, 200);
}

} // namespace

Result<Profile> read_profile(std::string_view json) {
    try {
        return profile_of(Json::parse(json));
    } catch (const Json::exception& error) {
        return refuse(" is not JSON: " + error_text(error));
    } catch (const std::exception&) {
        return Error{VK_ERROR_OUT_OF_HOST_MEMORY, "the profile does not fit into memory"};
    }
}

std::string write_profile(const Profile& profile, const std::string& device_name) {
    nlohmann::ordered_json json;
    json[version_field] = version;
    json["device"]      = device_name;
    json["vendor_id"]   = profile.vendor_id;
    json["device_id"]   = profile.device_id;
    json["values"]      = nlohmann::ordered_json::object();
    for (const auto& [name, value] : profile.values) json["values"][name] = value;
    return json.dump(4, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace vkprim
