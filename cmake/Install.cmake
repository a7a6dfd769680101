# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake --install, cpack, and what projects of others find in the result.
#
# The tree is relocatable: clang finds its headers and the tools that it calls
# relative to itself, and the CMake files find clang the same way.

set(INSTALLED_TOOLS
  clang llc opt layout
  clang-linker-wrapper clang-nvlink-wrapper clang-offload-bundler
  llvm-objcopy llvm-offload-binary offload-arch)
target_link_options(layout PRIVATE -static-libstdc++ -static-libgcc)
install(TARGETS ${INSTALLED_TOOLS} RUNTIME DESTINATION bin)
set(links clang++ nvptx-arch)
if(NVPTX_MMA_LLVM_VERSION)
  list(APPEND links clang) # To clang-23.
endif()
list(TRANSFORM links PREPEND ${CMAKE_BINARY_DIR}/bin/)
install(PROGRAMS ${links} DESTINATION bin)

# The resource directory: of links in the build tree, of files here. Its libraries,
# the sanitizers' run time, stay the distribution's.
set(resources lib/clang/${major}/include)
install(DIRECTORY ${PACKAGE_DIR}/lib/clang/${major}/include/ DESTINATION ${resources})
install(FILES ${patched} ${ours} DESTINATION ${resources})

# For find_package: our headers alone, since a resource directory in the include
# path would come before the C++ library's.
install(FILES ${ours} DESTINATION include)
set(cmake_files ${CMAKE_CURRENT_LIST_DIR}/install)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/nvptx-mma-config-version.cmake
  VERSION ${PACKAGE_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES
  ${cmake_files}/nvptx-mma-config.cmake
  ${cmake_files}/nvptx-mma-toolchain.cmake
  ${CMAKE_BINARY_DIR}/nvptx-mma-config-version.cmake
  DESTINATION lib/cmake/nvptx-mma)

# The pages, with what they show, in the folders that they link to.
set(documentation share/doc/nvptx-mma)
install(FILES README.md CONTRIBUTING.md LICENSE DESTINATION ${documentation})
install(DIRECTORY docs examples DESTINATION ${documentation}
        PATTERN results/*.json EXCLUDE PATTERN results/*.json.gz EXCLUDE)
set(linked
  benchmarks/README.md
  benchmarks/peak/kernels.py
  benchmarks/peak/peak.py
  benchmarks/speed/speed.py
  test/Device/README.md
  model/SumModel.h
  model/WarpFragment.cpp
  test/Device/warp/README.md
  tools/wgmma-random/README.md)
foreach(file ${linked})
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION ${documentation}/${folder})
endforeach()
install(FILES ${ours} DESTINATION ${documentation}/clang-builtins/lib/Headers)

# What puts the builtins under CUTLASS; its page is where the others look for it.
install(DIRECTORY contrib/cutlass DESTINATION share/nvptx-mma USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
set(link ${CMAKE_BINARY_DIR}/install/cutlass)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install)
file(CREATE_LINK ../../../nvptx-mma/cutlass ${link} SYMBOLIC)
install(FILES ${link} DESTINATION ${documentation}/contrib)

set(CPACK_PACKAGE_NAME clang-nvptx-mma)
set(CPACK_PACKAGE_VERSION ${PACKAGE_VERSION})
set(CPACK_PACKAGE_CONTACT "nvptx-mma maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Clang CUDA with a builtin for every tensor-core instruction")
set(CPACK_PACKAGE_DESCRIPTION
  "clang, llc and opt for x86-64 and NVPTX with intrinsics and builtins for every
 wmma, mma, mma.sp, ldmatrix, stmatrix, movmatrix and wgmma instruction of PTX.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TZST)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME
  clang-nvptx-mma-${PACKAGE_VERSION}-${CMAKE_SYSTEM_PROCESSOR}-linux)
set(CPACK_PROJECT_CONFIG_FILE ${cmake_files}/cpack-options.cmake)
set(CPACK_INSTALL_SCRIPTS ${cmake_files}/debian-files.cmake)
set(CPACK_POST_BUILD_SCRIPTS
  ${cmake_files}/compress-archive.cmake ${cmake_files}/debian-size.cmake)

# What a compiler driver needs besides itself: headers, start files, the linker.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6-dev, libstdc++-12-dev | libstdc++-dev, binutils")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cuda-toolkit-13-0, cmake")
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
include(CPack)
