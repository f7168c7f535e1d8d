// VKPRIM_API marks what a shared library exports. Code that links one must define VKPRIM_SHARED; CMake's targets and pkg-config do so.
#pragma once

#ifndef VKPRIM_SHARED
#define VKPRIM_API
#elif !defined(_WIN32)
#define VKPRIM_API __attribute__((visibility("default")))
#elif defined(VKPRIM_BUILDING)
#define VKPRIM_API __declspec(dllexport)
#else
#define VKPRIM_API __declspec(dllimport)
#endif
