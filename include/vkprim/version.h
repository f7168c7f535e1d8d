// The version of these headers, for the preprocessor of C and C++. No other file states it: CMake, the program and the packages read it here.
#pragma once

#define VKPRIM_VERSION_MAJOR 0
#define VKPRIM_VERSION_MINOR 3
#define VKPRIM_VERSION_PATCH 0

/// A version as a number to compare, as in `#if VKPRIM_VERSION >= VKPRIM_MAKE_VERSION(0, 3, 0)`. `minor` and `patch` are below 1000.
#define VKPRIM_MAKE_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define VKPRIM_VERSION VKPRIM_MAKE_VERSION(VKPRIM_VERSION_MAJOR, VKPRIM_VERSION_MINOR, VKPRIM_VERSION_PATCH)

#define VKPRIM_DETAIL_TEXT(major, minor, patch) #major "." #minor "." #patch
#define VKPRIM_DETAIL_VERSION_TEXT(major, minor, patch) VKPRIM_DETAIL_TEXT(major, minor, patch)
/// The version as a string literal, "0.3.0".
#define VKPRIM_VERSION_TEXT VKPRIM_DETAIL_VERSION_TEXT(VKPRIM_VERSION_MAJOR, VKPRIM_VERSION_MINOR, VKPRIM_VERSION_PATCH)
