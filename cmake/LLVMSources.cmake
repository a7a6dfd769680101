# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM's sources, patched. Sets
#   PRISTINE_DIR  the sources as they came
#   PATCHED_DIR   the files that the patches change
#   PATCHED_SET   a macro's name that tells which headers they are

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

string(REGEX MATCH "^[0-9]+\\.[0-9]+" series ${PACKAGE_VERSION})
set(PATCH_SERIES_DIR ${CMAKE_SOURCE_DIR}/llvm-patches/${series})
if(NOT EXISTS ${PATCH_SERIES_DIR}/patches.json)
  message(FATAL_ERROR
    "no patches for LLVM ${PACKAGE_VERSION}: llvm-patches/${series} is missing")
endif()

function(run_utility variable utility)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/utils/${utility}
                          ${ARGN}
                  OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "utils/${utility} failed, see above")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

set(source_option)
if(NVPTX_MMA_LLVM_SOURCE)
  set(source_option --source ${NVPTX_MMA_LLVM_SOURCE})
endif()
if(NVPTX_MMA_LLVM_SHA256)
  list(APPEND source_option --sha256 ${NVPTX_MMA_LLVM_SHA256})
endif()
if(NVPTX_MMA_LLVM_VERSION)
  list(APPEND source_option --whole)
endif()
run_utility(PRISTINE_DIR build/fetch_llvm.py --version ${PACKAGE_VERSION}
            --output ${CMAKE_BINARY_DIR}/llvm-project ${source_option})
message(STATUS "LLVM ${PACKAGE_VERSION} sources: ${PRISTINE_DIR}")

set(PATCHED_DIR ${CMAKE_BINARY_DIR}/patched)
run_utility(summary patches.py apply --series ${PATCH_SERIES_DIR}
            --pristine ${PRISTINE_DIR} --output ${PATCHED_DIR}
            --llvm-version ${PACKAGE_VERSION})
message(STATUS "${summary}")

file(GLOB patches CONFIGURE_DEPENDS ${PATCH_SERIES_DIR}/*
     ${CMAKE_SOURCE_DIR}/utils/patching/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${patches}
  ${CMAKE_SOURCE_DIR}/utils/build/debian_archive.py
  ${CMAKE_SOURCE_DIR}/utils/build/fetch_llvm.py
  ${CMAKE_SOURCE_DIR}/utils/build/llvm_sources.json
  ${CMAKE_SOURCE_DIR}/utils/patches.py)

# A header that is patched for the first time, or no more, is found in another
# folder than before. Neither ninja nor ccache knows of that: with this macro in
# its command, whatever may include one is made again.
file(GLOB_RECURSE headers RELATIVE ${PATCHED_DIR}
     ${PATCHED_DIR}/*.def ${PATCHED_DIR}/*.h ${PATCHED_DIR}/*.td)
list(FILTER headers EXCLUDE REGEX "^clang/lib/Headers/")
string(MD5 PATCHED_SET "${headers}")
string(PREPEND PATCHED_SET NVPTX_MMA_PATCHED_)
add_compile_definitions(${PATCHED_SET})
