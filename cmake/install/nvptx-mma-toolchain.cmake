# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCMAKE_TOOLCHAIN_FILE=.../nvptx-mma-toolchain.cmake: CUDA by the clang++
# beside this file, for Hopper unless CMAKE_CUDA_ARCHITECTURES says otherwise. The
# compilers of C and C++ stay what they are.

get_filename_component(_nvptx_mma ${CMAKE_CURRENT_LIST_DIR} REALPATH)
get_filename_component(_nvptx_mma ${_nvptx_mma}/../../.. ABSOLUTE)
set(CMAKE_CUDA_COMPILER ${_nvptx_mma}/bin/clang++)
set(nvptx-mma_ROOT ${_nvptx_mma})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90a)
endif()
