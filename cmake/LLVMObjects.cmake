# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The object libraries: what is compiled again, and what is ours.

include(Checks)

# As the package was built; NDEBUG and the ABI-breaking checks must not differ.
llvm_config(flags --cxxflags)
separate_arguments(PACKAGE_CXX_FLAGS UNIX_COMMAND "${flags}")
list(FILTER PACKAGE_CXX_FLAGS EXCLUDE REGEX "^-I")

configure_file(${PRISTINE_DIR}/llvm/include/llvm/Config/config.h.cmake
               ${GENERATED_DIR}/include/llvm/Config/config.h)

# Only the backends that are linked; the packaged lists name them all. The second
# set is for tools that compile for the host alone.
foreach(list Targets:TARGET AsmPrinters:ASM_PRINTER AsmParsers:ASM_PARSER
             Disassemblers:DISASSEMBLER TargetMCAs:TARGETMCA)
  string(REPLACE ":" ";" list ${list})
  list(POP_FRONT list name macro)
  set(host "LLVM_${macro}(X86)\n")
  set(all ${host})
  if(name MATCHES "^(Targets|AsmPrinters)$")
    string(APPEND all "LLVM_${macro}(NVPTX)\n")
  endif()
  file(CONFIGURE OUTPUT ${GENERATED_DIR}/include/llvm/Config/${name}.def
       CONTENT "${all}#undef LLVM_${macro}\n" @ONLY)
  file(CONFIGURE OUTPUT ${GENERATED_DIR}/host-only/llvm/Config/${name}.def
       CONTENT "${host}#undef LLVM_${macro}\n" @ONLY)
endforeach()

# add_llvm_objects(<name> [HOST_ONLY] DEPENDS <target>... INCLUDES <folder>...
#                  SOURCES ...)
function(add_llvm_objects name)
  cmake_parse_arguments(ARG "HOST_ONLY" "" "DEPENDS;INCLUDES;SOURCES" ${ARGN})
  set(sources)
  foreach(source ${ARG_SOURCES})
    set(path ${source})
    if(NOT IS_ABSOLUTE ${source})
      llvm_source(path ${source})
    endif()
    list(APPEND sources ${path})
    if(IS_ABSOLUTE ${source} OR EXISTS ${PATCHED_DIR}/${source})
      set_source_files_properties(${path} PROPERTIES
        COMPILE_OPTIONS "${CHECK_OPTIONS}")
    endif()
  endforeach()
  if(NOT sources)
    # So it is up to the patch that comes with the first of ours.
    set(sources ${GENERATED_DIR}/none.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "")
  endif()
  add_library(${name} OBJECT ${sources})
  add_dependencies(${name} intrinsics_gen ${ARG_DEPENDS})
  target_compile_options(${name} PRIVATE ${PACKAGE_CXX_FLAGS} -w)
  target_include_directories(${name} PRIVATE
    $<$<BOOL:${ARG_HOST_ONLY}>:${GENERATED_DIR}/host-only>
    ${CMAKE_SOURCE_DIR}/include
    ${GENERATED_DIR}/include
    ${PATCHED_DIR}/llvm/include
    ${ARG_INCLUDES}
    ${PACKAGE_DIR}/include)
endfunction()

# Our own files, with warnings on.
function(add_our_objects name)
  add_llvm_objects(${name} ${ARGN})
  get_target_property(options ${name} COMPILE_OPTIONS)
  list(REMOVE_ITEM options -w)
  set_target_properties(${name} PROPERTIES
    COMPILE_OPTIONS "${options};-Wall;-Wextra;-Wno-unused-parameter"
    NO_SYSTEM_FROM_IMPORTED ON)
endfunction()

foreach(target NVPTX X86)
  set(path lib/Target/${target})
  set(${target}_INCLUDES
    ${CMAKE_SOURCE_DIR}/${path}
    ${OVERLAY_DIR}/llvm/${path}
    ${PRISTINE_DIR}/llvm/${path}
    ${GENERATED_DIR}/${path})
endforeach()

add_llvm_objects(llvm_objects INCLUDES ${PACKAGE_DIR}/include/polly
                 SOURCES ${AFFECTED_LLVM} ${AFFECTED_POLLY})
# The only one of them that includes a header of ours from beside it.
llvm_source(verifier llvm/lib/IR/Verifier.cpp)
set_source_files_properties(${verifier} PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/lib/IR)
add_llvm_objects(nvptx_objects DEPENDS nvptx_gen INCLUDES ${NVPTX_INCLUDES}
                 SOURCES ${AFFECTED_NVPTX})
add_llvm_objects(x86_objects DEPENDS x86_gen INCLUDES ${X86_INCLUDES}
                 SOURCES ${AFFECTED_X86})

set(CLANG_INCLUDES
  ${CMAKE_SOURCE_DIR}/clang-builtins/include
  ${PATCHED_DIR}/clang/include
  ${CMAKE_SOURCE_DIR}/clang-builtins/lib/CodeGen
  ${OVERLAY_DIR}/clang/lib/CodeGen
  ${PRISTINE_DIR}/clang/lib/CodeGen
  ${PRISTINE_DIR}/clang/lib/Basic
  ${PRISTINE_DIR}/clang/lib/Driver
  ${PRISTINE_DIR}/clang/lib/Driver/ToolChains)
add_llvm_objects(clang_objects DEPENDS clang_gen INCLUDES ${CLANG_INCLUDES}
                 SOURCES ${AFFECTED_CLANG})

# find_own_sources(<variable> <pattern>...): those of our files that the series brings;
# LLVM has some of what we have, from a version on.
file(READ ${PATCH_SERIES_DIR}/patches.json series_text)
function(find_own_sources variable)
  file(GLOB_RECURSE paths CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set(sources)
  foreach(path ${paths})
    string(FIND "${series_text}" "\"${path}\"" found)
    if(NOT found EQUAL -1)
      list(APPEND sources ${CMAKE_SOURCE_DIR}/${path})
    endif()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

find_own_sources(sources lib/IR/*.cpp)
add_our_objects(our_llvm_objects INCLUDES ${GENERATED_DIR}/lib/IR SOURCES ${sources})
find_own_sources(sources lib/Target/NVPTX/*.cpp)
add_our_objects(our_nvptx_objects DEPENDS nvptx_gen INCLUDES ${NVPTX_INCLUDES}
                SOURCES ${sources})
find_own_sources(sources clang-builtins/lib/*.cpp)
add_our_objects(our_clang_objects DEPENDS clang_gen INCLUDES ${CLANG_INCLUDES}
                SOURCES ${sources})
