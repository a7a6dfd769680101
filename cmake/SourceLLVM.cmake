# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM as a whole from its sources: the presets source-22.1 and source-23.1. Sets
#   PACKAGE_DIR      where it is built
#   PACKAGE_VERSION  as in 23.1.1
# The distribution's clang is the compiler where there is one.

set(PACKAGE_DIR ${CMAKE_BINARY_DIR}/llvm)
set(PACKAGE_VERSION ${NVPTX_MMA_LLVM_VERSION})

set(NVPTX_MMA_LLVM_MAJOR 22 CACHE STRING "Major version of the clang that compiles")
find_program(PACKAGED_CLANG NAMES clang++-${NVPTX_MMA_LLVM_MAJOR})
if(PACKAGED_CLANG)
  file(REAL_PATH ${PACKAGED_CLANG} TOOLCHAIN_DIR)
  get_filename_component(TOOLCHAIN_DIR ${TOOLCHAIN_DIR}/../.. ABSOLUTE)
endif()
# LLVM 23 has precompiled headers; without this ccache takes nothing that has them.
set(CCACHE_SETTINGS CCACHE_SLOPPINESS=pch_defines,time_macros)
include(Toolchain)
