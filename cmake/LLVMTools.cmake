# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# llc, opt, clang and what clang's driver calls: our objects first, the packaged
# archives after them. An archive's member is linked only where no object has
# defined its symbols, so what was compiled again takes the place of what was
# packaged.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

llvm_config(libraries --link-static --libs all)
separate_arguments(LLVM_ARCHIVES UNIX_COMMAND "${libraries}")
file(GLOB CLANG_ARCHIVES ${PACKAGE_DIR}/lib/libclang*.a)

# The tools need nothing but libc, so that they run on other distributions too.
# Of what the package was built with, libxml2 is for manifests of Windows, which
# none of them makes, and Z3 for a check of the static analyzer: Support's file
# is compiled again without it. Nor do they export symbols for plugins: one made
# for the package's LLVM would number the intrinsics differently.
set(SYSTEM_LIBRARIES -lrt -ldl -lm -static-libstdc++ -static-libgcc)
foreach(library z zstd)
  find_library(STATIC_${library} NAMES lib${library}.a REQUIRED)
  list(APPEND SYSTEM_LIBRARIES ${STATIC_${library}})
endforeach()
file(CONFIGURE OUTPUT ${GENERATED_DIR}/WithoutZ3.cpp CONTENT [[
#include "llvm/Config/llvm-config.h"
#undef LLVM_WITH_Z3
#include "@PRISTINE_DIR@/llvm/lib/Support/Z3Solver.cpp"
]] @ONLY)
add_llvm_objects(without_z3_objects SOURCES ${GENERATED_DIR}/WithoutZ3.cpp)

# What the tools take as objects, all of it, or where NEEDED_ONLY is said, from an
# archive in front of the packaged ones; lld takes the first that has a symbol.
set(TOOL_OBJECTS llvm_objects our_llvm_objects nvptx_objects our_nvptx_objects
    x86_objects without_z3_objects)
list(TRANSFORM TOOL_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>"
     OUTPUT_VARIABLE objects)
add_library(needed_objects STATIC EXCLUDE_FROM_ALL ${objects})

# add_llvm_tool(<name> [NEEDED_ONLY] [HOST_ONLY] OBJECTS <object library>...
#               ARCHIVES ... INCLUDES ... SOURCES ...)
function(add_llvm_tool name)
  cmake_parse_arguments(ARG "NEEDED_ONLY;HOST_ONLY" ""
                        "OBJECTS;ARCHIVES;INCLUDES;SOURCES" ${ARGN})
  set(main ${name}_main_objects)
  set(host)
  if(ARG_HOST_ONLY)
    set(host HOST_ONLY)
  endif()
  add_llvm_objects(${main} ${host} INCLUDES ${ARG_INCLUDES} ${CLANG_INCLUDES}
                   SOURCES ${ARG_SOURCES})
  add_executable(${name} $<TARGET_OBJECTS:${main}>)
  set(needed)
  if(ARG_NEEDED_ONLY)
    set(needed needed_objects)
  else()
    foreach(objects ${TOOL_OBJECTS} ${ARG_OBJECTS})
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
  endif()
  set(map ${CMAKE_BINARY_DIR}/${name}.map)
  target_link_directories(${name} PRIVATE ${PACKAGE_DIR}/lib)
  # Relative relocations, packed: glibc has them since 2.36.
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,-z,pack-relative-relocs
                      -Wl,-Map=${map})
  # Other linkers than lld need the group: the archives refer to each other.
  target_link_libraries(${name} PRIVATE -Wl,--start-group ${needed} ${ARG_ARCHIVES}
    ${LLVM_ARCHIVES} -lPolly -lPollyISL -Wl,--end-group ${SYSTEM_LIBRARIES})
  add_checks(${name})
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/utils/build/check_linked_members.py
            --map ${map} --pristine ${PRISTINE_DIR}
            --generated ${GENERATED_DIR}/include
            --packaged ${PACKAGE_DIR}/include
    COMMENT "Checking that ${name} links nothing out of date"
    VERBATIM)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS
    ${CMAKE_SOURCE_DIR}/utils/build/check_linked_members.py)
endfunction()

file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/llvm/tools/llc/*.cpp)
add_llvm_tool(llc SOURCES ${sources})

file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/llvm/tools/opt/*.cpp)
add_llvm_tool(opt SOURCES ${sources})

set(TOOL_NAME clang)
configure_file(${PACKAGE_DIR}/lib/cmake/llvm/llvm-driver-template.cpp.in
               ${GENERATED_DIR}/clang-driver.cpp)
file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/clang/tools/driver/*.cpp)
add_llvm_tool(clang OBJECTS clang_objects our_clang_objects
              ARCHIVES ${CLANG_ARCHIVES}
              SOURCES ${sources} ${GENERATED_DIR}/clang-driver.cpp)
add_custom_command(TARGET clang POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E create_symlink clang ${CMAKE_BINARY_DIR}/bin/clang++
  VERBATIM)

# Clang looks for its headers beside itself: the distribution's, those that the
# patches change, and our own.
string(REGEX MATCH "^[0-9]+" major ${PACKAGE_VERSION})
set(RESOURCE_DIR ${CMAKE_BINARY_DIR}/lib/clang/${major})
file(MAKE_DIRECTORY ${RESOURCE_DIR}/include)
file(GLOB headers ${PACKAGE_DIR}/lib/clang/${major}/include/*)
file(GLOB ours CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/clang-builtins/lib/Headers/*.h)
file(GLOB patched ${PATCHED_DIR}/clang/lib/Headers/*.h)
foreach(header ${headers} ${patched} ${ours})
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${RESOURCE_DIR}/include/${name} SYMBOLIC)
endforeach()
if(EXISTS ${PACKAGE_DIR}/lib/clang/${major}/lib)
  file(CREATE_LINK ${PACKAGE_DIR}/lib/clang/${major}/lib ${RESOURCE_DIR}/lib SYMBOLIC)
endif()
