# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The tools that clang's driver calls for device code. They are compiled, like
# clang, since those that link device code (LTO) need the NVPTX backend that knows
# our intrinsics, and all of them must be there where the package is not.

# add_offload_tool(<name> <folder> [option...]): a tool of LLVM's with the parsers of its
# options, which are read from its CMakeLists.txt.
function(add_offload_tool name path)
  read_tablegen_calls(calls ${path})
  set(gen ${GENERATED_DIR}/${path})
  list(PREPEND TABLEGEN_INCLUDES -I${PRISTINE_DIR}/${path})
  set(outputs)
  foreach(call ${calls})
    tablegen(${LLVM_TBLGEN} ${PRISTINE_DIR}/${path}/${calls_${call}_source}
             ${gen}/${call} ${calls_${call}_arguments})
    list(APPEND outputs ${gen}/${call})
  endforeach()
  file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/${path}/*.cpp)
  set(driver)
  llvm_source(file ${path}/CMakeLists.txt)
  file(READ ${file} text)
  if(text MATCHES "GENERATE_DRIVER")
    string(REPLACE "-" "_" TOOL_NAME ${name})
    set(driver ${gen}/driver.cpp)
    configure_file(${PACKAGE_DIR}/lib/cmake/llvm/llvm-driver-template.cpp.in ${driver})
  endif()
  add_llvm_tool(${name} ${ARGN} ARCHIVES ${CLANG_ARCHIVES} INCLUDES ${gen}
                SOURCES ${sources} ${driver})
  add_custom_target(${name}_gen DEPENDS ${outputs})
  add_dependencies(${name}_main_objects ${name}_gen)
endfunction()

# Links device code and embeds it in the host's; links with LTO through the other.
add_offload_tool(clang-linker-wrapper clang/tools/clang-linker-wrapper
                 NEEDED_ONLY HOST_ONLY)
add_offload_tool(clang-nvlink-wrapper clang/tools/clang-nvlink-wrapper)
# Makes the section that carries device code in an object file.
add_offload_tool(llvm-offload-binary llvm/tools/llvm-offload-binary NEEDED_ONLY)
# The same for --no-offload-new-driver.
add_offload_tool(clang-offload-bundler clang/tools/clang-offload-bundler NEEDED_ONLY)
# Renames that section in a relocatable link (-r).
add_offload_tool(llvm-objcopy llvm/tools/llvm-objcopy NEEDED_ONLY)
# Answers --offload-arch=native.
add_offload_tool(offload-arch clang/tools/offload-arch NEEDED_ONLY)
add_custom_command(TARGET offload-arch POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E create_symlink offload-arch
          ${CMAKE_BINARY_DIR}/bin/nvptx-arch
  VERBATIM)
