"""The core for Conan 2. It is built from the tree around it, with the glslc that is on the path."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Vkprim(ConanFile):
    name = "vkprim"
    license = "MIT"
    description = "Parallel primitives for any Vulkan GPU: reduction, single-pass scan and histogram"
    topics = ("vulkan", "gpu", "scan", "reduce", "histogram")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "vkprim", "version.h"))
        self.version = ".".join(re.findall(r"#define VKPRIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "shaders/*", "src/*", "packaging/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("vulkan-headers/[>=1.2.198 <2]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("RUNTIME", "PROFILE", "COMPILER", "MPI", "TOOLS", "TESTS"):
            toolchain.cache_variables[f"VKPRIM_{part}"] = False
        headers = self.dependencies["vulkan-headers"].cpp_info.aggregated_components()
        toolchain.cache_variables["VKPRIM_VULKAN_INCLUDE"] = headers.includedirs[0].replace("\\", "/")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["vkprim"]
        self.cpp_info.set_property("cmake_target_name", "vkprim::vkprim")
        if self.options.shared:
            self.cpp_info.defines = ["VKPRIM_SHARED"]
