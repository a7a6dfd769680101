# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds that look for faults: with sanitizers, with assertions. Only what is ours
# is compiled so, our files and those of LLVM's that the patches change; the package
# stays as it is. The presets asan and assertions set this; CONTRIBUTING.md says
# what such a build can find. Defines
#   CHECK_OPTIONS   compile options for what is ours, after all others
#   add_checks(<tool>)  what a tool with such files needs

set(NVPTX_MMA_SANITIZERS "" CACHE STRING
    "Sanitizers for what is ours, as -fsanitize= takes them: address,undefined")
option(NVPTX_MMA_ASSERTIONS "Assertions in what is ours")

set(CHECK_OPTIONS)
if(NVPTX_MMA_SANITIZERS)
  set(CHECK_OPTIONS -fsanitize=${NVPTX_MMA_SANITIZERS} -fno-sanitize-recover=all
      -fno-omit-frame-pointer -g1)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${NVPTX_MMA_SANITIZERS})
  check_cxx_source_compiles("int main() {}" SANITIZERS_LINK)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT SANITIZERS_LINK)
    unset(SANITIZERS_LINK CACHE) # It may be there the next time.
    message(FATAL_ERROR
      "${CMAKE_CXX_COMPILER} cannot link -fsanitize=${NVPTX_MMA_SANITIZERS}: for the "
      "packaged clang, install libclang-rt-${NVPTX_MMA_LLVM_MAJOR}-dev")
  endif()
endif()
if(NVPTX_MMA_ASSERTIONS)
  # The checks that change the layout of LLVM's classes are not among them: they
  # follow the package's abi-breaking.h.
  list(APPEND CHECK_OPTIONS -UNDEBUG)
endif()

function(add_checks tool)
  if(NVPTX_MMA_SANITIZERS)
    target_sources(${tool} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
    target_link_options(${tool} PRIVATE -fsanitize=${NVPTX_MMA_SANITIZERS})
  endif()
endfunction()
