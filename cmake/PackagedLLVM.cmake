# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the distribution's LLVM and sets
#   PACKAGE_DIR      its prefix
#   PACKAGE_VERSION  as in 22.1.8
# Its clang is the compiler.

set(NVPTX_MMA_LLVM_MAJOR 22 CACHE STRING "Major version of the packaged LLVM")

find_program(LLVM_CONFIG NAMES llvm-config-${NVPTX_MMA_LLVM_MAJOR})
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR
    "llvm-config-${NVPTX_MMA_LLVM_MAJOR} not found: install "
    "llvm-${NVPTX_MMA_LLVM_MAJOR}-dev, or run utils/build.sh, which does")
endif()

function(llvm_config variable)
  execute_process(COMMAND ${LLVM_CONFIG} ${ARGN}
                  OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

llvm_config(PACKAGE_DIR --prefix)
llvm_config(PACKAGE_VERSION --version)

set(TOOLCHAIN_DIR ${PACKAGE_DIR})
include(Toolchain)
