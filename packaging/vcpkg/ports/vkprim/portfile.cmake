# An overlay port: it builds the tree that it lies in.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DVKPRIM_RUNTIME=OFF
        -DVKPRIM_PROFILE=OFF
        -DVKPRIM_COMPILER=OFF
        -DVKPRIM_MPI=OFF
        -DVKPRIM_TOOLS=OFF
        -DVKPRIM_TESTS=OFF
        "-DVKPRIM_VULKAN_INCLUDE=${CURRENT_INSTALLED_DIR}/include"
        "-DVKPRIM_GLSLC=${CURRENT_HOST_INSTALLED_DIR}/tools/shaderc/glslc${VCPKG_HOST_EXECUTABLE_SUFFIX}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/vkprim)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
