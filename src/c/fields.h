// Checks at compile time that a struct of vkprim.h has the fields of the C++ struct that it stands for, and an enum its enumerators.
// They know pairs of structs by each_field(visit, c, cpp), which calls visit(c.field, cpp.field) for each pair of fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace vkprim {

struct AnyValue {
    template <class T>
    constexpr operator T() const;
};

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
template <class T, size_t... Index>
auto has_values(std::index_sequence<Index...>) -> decltype(T{(static_cast<void>(Index), AnyValue{})...}, true) {
    return true;
}
template <class T>
void has_values(...) {}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// How many values an aggregate is initialized with, at most: its fields, an array counting as many as it has elements.
template <class T, size_t Count = 0>
constexpr size_t field_count() {
    if constexpr (std::is_same_v<decltype(has_values<T>(std::make_index_sequence<Count + 1>())), bool>) {
        return field_count<T, Count + 1>();
    } else {
        return Count;
    }
}

template <class C, class = void>
inline constexpr size_t reserved_size = 0;
template <class C>
inline constexpr size_t reserved_size<C, std::void_t<decltype(C::reserved)>> = sizeof(C::reserved);

template <class C, class = void>
inline constexpr size_t struct_size_size = 0;
template <class C>
inline constexpr size_t struct_size_size<C, std::void_t<decltype(C::struct_size)>> = sizeof(C::struct_size);

template <class C>
bool reserved_is_zero(const C& c) {
    if constexpr (reserved_size < C >> 0) return c.reserved == 0;
    return true;
}

/// What each_field() visits.
struct FieldCounts {
    size_t c = 0, cpp = 0; ///< fields, as field_count() counts them
    size_t bytes = 0;      ///< of the C fields
    bool   once  = true;   ///< none is visited twice
};

struct FieldCounter {
    FieldCounts counts;
    const void* seen[128]  = {};
    size_t      seen_count = 0;

    template <class A, class B>
    constexpr void operator()(const A& a, const B& b) {
        counts.c += std::is_array_v<A> ? std::extent_v<A> : 1;
        counts.cpp += std::is_array_v<B> ? std::extent_v<B> : 1;
        counts.bytes += sizeof(A); // NOLINT(bugprone-sizeof-expression): of a pointer, too
        see(&a);
        see(&b);
    }

    constexpr void see(const void* field) {
        for (size_t i = 0; i < seen_count; ++i) counts.once = counts.once && seen[i] != field;
        seen[seen_count++] = field;
    }
};

template <class C, class Cpp>
constexpr FieldCounts counted_fields() {
    C            c{};
    Cpp          cpp{};
    FieldCounter counter;
    each_field(counter, c, cpp);
    return counter.counts;
}

/// Fails to compile where each_field() leaves a field of either struct out, or names one twice.
template <class C, class Cpp>
constexpr void check_fields() {
    constexpr FieldCounts visited   = counted_fields<C, Cpp>();
    constexpr size_t      c_only    = (reserved_size < C >> 0 ? 1 : 0) + (struct_size_size < C >> 0 ? 1 : 0);
    constexpr size_t      all_bytes = visited.bytes + reserved_size<C> + struct_size_size<C>;
    static_assert(visited.once, "each_field() visits a field twice");
    static_assert(visited.cpp == field_count<Cpp>(), "the C++ struct has a field that each_field() does not visit");
    static_assert(visited.c + c_only == field_count<C>(), "the C struct has a field that each_field() does not visit");
    // Else an older program's padding could be taken for a field that came later.
    static_assert(sizeof(void*) != 8 || all_bytes == sizeof(C), "the C struct has padding: fill it with `reserved`");
}

#if defined(__GNUC__)
template <auto Value>
constexpr std::string_view printed_value() {
    return __PRETTY_FUNCTION__;
}

/// The name of the enumerator with this value, without its scope; empty where there is none.
template <class Enum, uint32_t Number>
constexpr std::string_view enumerator() {
    std::string_view text = printed_value<static_cast<Enum>(Number)>();
    text                  = text.substr(text.find("Value = ") + 8);
    text                  = text.substr(0, text.find_first_of(";]"));
    if (text[0] == '(' || (text[0] >= '0' && text[0] <= '9')) return {}; // "(vkprim::Order)2"
    const size_t scope = text.rfind(':');
    return scope == std::string_view::npos ? text : text.substr(scope + 1);
}

/// VKPRIM_ELEMENT_U32 stands for u32.
constexpr bool stands_for(std::string_view c, std::string_view cpp) {
    if (c.empty() || cpp.empty()) return c.empty() && cpp.empty();
    if (c.size() <= cpp.size() || c[c.size() - cpp.size() - 1] != '_') return false;
    c.remove_prefix(c.size() - cpp.size());
    for (size_t i = 0; i < c.size(); ++i) {
        const char upper = cpp[i] >= 'a' && cpp[i] <= 'z' ? static_cast<char>(cpp[i] - 'a' + 'A') : cpp[i];
        if (c[i] != upper) return false;
    }
    return true;
}

template <class C, class Cpp, uint32_t... Number>
constexpr bool same_enumerators(std::integer_sequence<uint32_t, Number...>) {
    return (stands_for(enumerator<C, Number>(), enumerator<Cpp, Number>()) && ...);
}
#endif

/// Fails to compile where an enumerator has no counterpart of its name and value.
template <class C, class Cpp>
constexpr void check_enum() {
    static_assert(std::is_enum_v<C> && sizeof(C) == 4);
#if defined(__GNUC__)
    static_assert(same_enumerators<C, Cpp>(std::make_integer_sequence<uint32_t, 32>()),
                  "the enumerators of the C and the C++ enum differ");
    static_assert(enumerator<Cpp, 32>().empty() && !enumerator<Cpp, 0>().empty(), "more enumerators than are compared");
#endif
}

} // namespace vkprim
