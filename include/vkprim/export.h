// VKPRIM_API marks what a shared library shows. Who links one defines VKPRIM_SHARED; CMake's targets and pkg-config do.
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
