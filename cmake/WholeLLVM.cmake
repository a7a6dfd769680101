# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# llc, opt, clang and what clang's driver calls by LLVM's own build: its sources
# with the patches and our files, as a part of this project.

# LLVM's options are the cache's, so that each can be set; these are the defaults.
function(default_option name type value)
  set(${name} ${value} CACHE ${type} "")
endfunction()

# For what the tools are: compilers for NVPTX and for the host.
default_option(LLVM_TARGETS_TO_BUILD STRING "NVPTX;X86")
default_option(LLVM_ENABLE_PROJECTS STRING clang)
foreach(part TESTS BENCHMARKS EXAMPLES DOCS)
  default_option(LLVM_INCLUDE_${part} BOOL OFF)
endforeach()
default_option(CLANG_INCLUDE_TESTS BOOL OFF)
default_option(CLANG_ENABLE_STATIC_ANALYZER BOOL OFF)
default_option(CLANG_ENABLE_OBJC_REWRITER BOOL OFF)
default_option(CLANG_PLUGIN_SUPPORT BOOL OFF)
default_option(LLVM_ENABLE_PLUGINS BOOL OFF)
default_option(LLVM_ENABLE_BINDINGS BOOL OFF)
# Nothing but libc and what the compiler brings, so that they run elsewhere, too.
foreach(library LIBXML2 LIBEDIT LIBPFM Z3_SOLVER ZLIB ZSTD CURL HTTPLIB)
  default_option(LLVM_ENABLE_${library} BOOL OFF)
endforeach()
default_option(LLVM_STATIC_LINK_CXX_STDLIB BOOL ON)
add_link_options(-static-libgcc)
# One linker at a time: two of clang's size take the memory of a small machine.
default_option(LLVM_PARALLEL_LINK_JOBS STRING 1)
# Only Clang's precompiled headers are safe with ccache.
if(CCACHE AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  default_option(CMAKE_DISABLE_PRECOMPILE_HEADERS BOOL ON)
endif()

set(LINKED_DIR ${CMAKE_BINARY_DIR}/source)
run_utility(summary build/link_sources.py --series ${PATCH_SERIES_DIR}
            --pristine ${PRISTINE_DIR} --patched ${PATCHED_DIR} --output ${LINKED_DIR})
message(STATUS "${summary}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/utils/build/link_sources.py)

add_subdirectory(${LINKED_DIR}/llvm ${PACKAGE_DIR} EXCLUDE_FROM_ALL)

# What the tests and the driver call, where they look for it.
set(TOOLS llc opt clang clang-resource-headers
    clang-linker-wrapper clang-nvlink-wrapper clang-offload-bundler
    llvm-objcopy llvm-objdump llvm-offload-binary offload-arch
    FileCheck not split-file count llvm-as llvm-dis)
add_custom_target(tools ALL DEPENDS ${TOOLS})
file(CREATE_LINK llvm/bin ${CMAKE_BINARY_DIR}/bin SYMBOLIC)

# Only what is ours, compiled, to see whether it fits this version, without all of LLVM.
set(objects $<TARGET_OBJECTS:LLVMNVPTXCodeGen>)
foreach(library clangBasic clangCodeGen clangSema)
  list(APPEND objects $<FILTER:$<TARGET_OBJECTS:obj.${library}>,INCLUDE,NVPTX>)
endforeach()
add_custom_target(nvptx-mma-objects DEPENDS ${objects})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PACKAGE_DIR}/bin)

# What is installed of the headers: all of LLVM's, patched as they are, and ours.
string(REGEX MATCH "^[0-9]+" major ${PACKAGE_VERSION})
file(GLOB ours CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/clang-builtins/lib/Headers/*.h)
set(patched)

# add_llvm_program(<name> COMPONENTS ... SOURCES ...): a program of ours, linked with
# these of LLVM's components.
function(add_llvm_program name)
  cmake_parse_arguments(ARG "" "" "COMPONENTS;SOURCES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  add_dependencies(${name} intrinsics_gen)
  target_include_directories(${name} PRIVATE
    ${LINKED_DIR}/llvm/include ${PACKAGE_DIR}/include)
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_options(${name} PRIVATE
    -Wall -Wextra -Wno-unused-parameter
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti;-fno-exceptions>)
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  llvm_map_components_to_libnames(libraries ${ARG_COMPONENTS})
  target_link_libraries(${name} PRIVATE ${libraries})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
