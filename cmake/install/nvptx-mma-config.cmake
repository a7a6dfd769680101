# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(nvptx-mma): its headers, flags and tools, for projects in CUDA.
#
#   nvptx-mma::nvptx-mma   link to it: nvptx_wgmma.h and the like, C++17
#   nvptx-mma::cutlass     link to it instead: CUTLASS, whose folders the project
#                          names, on the builtins
#   nvptx-mma_CLANG, _CLANGXX, _LLC, _OPT, _LAYOUT   the tools
#   nvptx-mma_TOOLCHAIN_FILE   for CMAKE_TOOLCHAIN_FILE
#   nvptx-mma_CUTLASS_CONFIG   the flags of nvptx-mma::cutlass, for clang++ --config
#
# The builtins are those of the compiler: CMAKE_CUDA_COMPILER must be the clang++
# that stands beside this file.

get_filename_component(_nvptx_mma ${CMAKE_CURRENT_LIST_DIR} REALPATH)
get_filename_component(_nvptx_mma ${_nvptx_mma}/../../.. ABSOLUTE)
foreach(_tool clang llc opt layout)
  string(TOUPPER ${_tool} _name)
  set(nvptx-mma_${_name} ${_nvptx_mma}/bin/${_tool})
endforeach()
set(nvptx-mma_CLANGXX ${_nvptx_mma}/bin/clang++)
set(nvptx-mma_TOOLCHAIN_FILE ${_nvptx_mma}/lib/cmake/nvptx-mma/nvptx-mma-toolchain.cmake)
set(nvptx-mma_CUTLASS_CONFIG ${_nvptx_mma}/share/nvptx-mma/cutlass/cutlass.cfg)

# Another compiler would fail at the first builtin, with less to go by. A script
# such as clang++-nvptx-mma is known by the resource directory that it prints.
if(CMAKE_CUDA_COMPILER)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} -print-resource-dir
                  OUTPUT_VARIABLE _resources OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET)
  if(NOT EXISTS "${_resources}/include/nvptx_wgmma.h")
    set(nvptx-mma_FOUND FALSE)
    set(nvptx-mma_NOT_FOUND_MESSAGE
      "the CUDA compiler is ${CMAKE_CUDA_COMPILER}, which lacks the builtins; set CMAKE_CUDA_COMPILER or the environment's CUDACXX to ${nvptx-mma_CLANGXX}")
    return()
  endif()
endif()

if(NOT TARGET nvptx-mma::nvptx-mma)
  add_library(nvptx-mma::nvptx-mma INTERFACE IMPORTED)
  target_include_directories(nvptx-mma::nvptx-mma INTERFACE ${_nvptx_mma}/include)
  if(CMAKE_CUDA_COMPILER)
    target_compile_features(nvptx-mma::nvptx-mma INTERFACE cuda_std_17)
  endif()

  add_library(nvptx-mma::cutlass INTERFACE IMPORTED)
  target_link_libraries(nvptx-mma::cutlass INTERFACE nvptx-mma::nvptx-mma)
  target_compile_options(nvptx-mma::cutlass INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--config=${nvptx-mma_CUTLASS_CONFIG}>)
endif()
