# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything that TableGen makes. What to generate is read from LLVM's own
# CMakeLists.txt, patched: nothing is listed here a second time. Defines
#   GENERATED_DIR  the generated files, laid out as in LLVM's build tree
# and the targets intrinsics_gen, nvptx_gen, x86_gen and clang_gen.

set(GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(LLVM_TBLGEN ${PACKAGE_DIR}/bin/llvm-tblgen)

# In this order: ours, patched, packaged.
set(TABLEGEN_INCLUDES
  -I${CMAKE_SOURCE_DIR}/include
  -I${PATCHED_DIR}/llvm/include
  -I${PACKAGE_DIR}/include)

# tablegen(<tool> <source> <output> <arguments>...)
function(tablegen tool source output)
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(byproducts)
  if(-gen-register-info IN_LIST ARGN)
    # One backend that writes several files.
    string(REGEX REPLACE "\\.inc$" "" stem ${output})
    foreach(part Enums Header MCDesc TargetDesc)
      list(APPEND byproducts ${stem}${part}.inc)
    endforeach()
  endif()
  file(RELATIVE_PATH name ${GENERATED_DIR} ${output})
  add_custom_command(
    OUTPUT ${output} ${byproducts}
    COMMAND ${tool} ${ARGN} ${TABLEGEN_INCLUDES} -D${PATCHED_SET} ${source}
            --write-if-changed -o ${output} -d ${output}.d
    DEPENDS ${tool} ${source}
    DEPFILE ${output}.d
    COMMENT "TableGen ${name}"
    VERBATIM)
endfunction()

# Reads the tablegen() calls of a CMakeLists.txt into three variables: the
# outputs, and for output X <prefix>_X_source and <prefix>_X_arguments.
function(read_tablegen_calls prefix path)
  llvm_source(file ${path}/CMakeLists.txt)
  file(READ ${file} text)
  string(REGEX MATCHALL
    "set\\(LLVM_TARGET_DEFINITIONS [^)]*\\)|tablegen\\(LLVM [^)]*\\)" calls "${text}")
  set(outputs)
  foreach(call ${calls})
    string(REGEX REPLACE "^[^(]*\\(|\\)$" "" words "${call}")
    string(REGEX REPLACE "[ \n]+" ";" words "${words}")
    list(POP_FRONT words first second)
    if(first STREQUAL LLVM_TARGET_DEFINITIONS)
      set(source ${second})
    else()
      list(APPEND outputs ${second})
      set(${prefix}_${second}_source ${source} PARENT_SCOPE)
      set(${prefix}_${second}_arguments ${words} PARENT_SCOPE)
    endif()
  endforeach()
  set(${prefix} ${outputs} PARENT_SCOPE)
endfunction()

# Our table files stand in the tree like patched ones, only outside of it.
function(td_source variable path)
  set(ours ${CMAKE_SOURCE_DIR}/${path})
  string(REPLACE "${CMAKE_SOURCE_DIR}/llvm/" "${CMAKE_SOURCE_DIR}/" ours ${ours})
  if(EXISTS ${ours})
    set(${variable} ${ours} PARENT_SCOPE)
  else()
    llvm_source(file ${path})
    set(${variable} ${file} PARENT_SCOPE)
  endif()
endfunction()

# The intrinsics: the headers that were renumbered and the tables made of them. The
# other generated headers are right as they are packaged.
read_tablegen_calls(ir llvm/include/llvm/IR)
set(outputs)
foreach(name ${ir})
  if(name IN_LIST RENUMBERED_HEADERS OR name MATCHES "^Intrinsic(Enums|Impl)\\.inc$")
    td_source(source llvm/include/llvm/IR/${ir_${name}_source})
    set(output ${GENERATED_DIR}/include/llvm/IR/${name})
    tablegen(${LLVM_TBLGEN} ${source} ${output} ${ir_${name}_arguments})
    list(APPEND outputs ${output})
  endif()
endforeach()
# And what we add.
read_tablegen_calls(core llvm/lib/IR)
foreach(name ${core})
  td_source(source llvm/lib/IR/${core_${name}_source})
  set(output ${GENERATED_DIR}/lib/IR/${name})
  tablegen(${LLVM_TBLGEN} ${source} ${output} ${core_${name}_arguments})
  list(APPEND outputs ${output})
endforeach()
add_custom_target(intrinsics_gen DEPENDS ${outputs})

# The backends: those tables that a translation unit to be compiled includes.
foreach(target NVPTX X86)
  set(path lib/Target/${target})
  read_tablegen_calls(calls llvm/${path})
  list(PREPEND TABLEGEN_INCLUDES -I${CMAKE_SOURCE_DIR}/${path}
    -I${OVERLAY_DIR}/llvm/${path} -I${PRISTINE_DIR}/llvm/${path})
  set(outputs)
  foreach(name ${calls})
    # NEEDED_TABLES also names the parts of multi-file outputs, such as
    # X86GenRegisterInfoEnums.inc; it cannot know of files that ours include.
    string(REPLACE ".inc" "" stem ${name})
    set(needed ${NEEDED_TABLES})
    list(FILTER needed INCLUDE REGEX "^${stem}")
    if(needed OR name STREQUAL "NVPTXGenSearchableTables.inc")
      td_source(source llvm/${path}/${calls_${name}_source})
      set(output ${GENERATED_DIR}/${path}/${name})
      tablegen(${LLVM_TBLGEN} ${source} ${output} ${calls_${name}_arguments})
      list(APPEND outputs ${output})
    endif()
  endforeach()
  string(TOLOWER ${target}_gen gen)
  add_custom_target(${gen} DEPENDS ${outputs})
  list(REMOVE_AT TABLEGEN_INCLUDES 0 1 2)
endforeach()

# clang-tblgen is not packaged. It needs little optimization: it runs once.
set(path clang/utils/TableGen)
file(GLOB names RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/${path}/*.cpp)
file(GLOB sources CONFIGURE_DEPENDS clang-builtins/utils/TableGen/*.cpp)
foreach(name ${names})
  llvm_source(source ${name})
  list(APPEND sources ${source})
endforeach()
add_executable(clang-tblgen EXCLUDE_FROM_ALL ${sources})
target_include_directories(clang-tblgen PRIVATE
  ${PATCHED_DIR}/${path} ${PRISTINE_DIR}/${path} ${PACKAGE_DIR}/include)
target_compile_options(clang-tblgen PRIVATE -O0 -w)
target_link_libraries(clang-tblgen PRIVATE
  ${PACKAGE_DIR}/lib/libLLVMTableGen.a ${PACKAGE_DIR}/lib/libclangSupport.a
  ${PACKAGE_DIR}/lib/libLLVMSupport.a ${PACKAGE_DIR}/lib/libLLVMDemangle.a)

list(PREPEND TABLEGEN_INCLUDES
  -I${CMAKE_SOURCE_DIR}/clang-builtins/include
  -I${PATCHED_DIR}/clang/include
  -I${PRISTINE_DIR}/clang/include)
set(folder ${GENERATED_DIR}/include/clang/Basic)
llvm_source(source clang/include/clang/Basic/BuiltinsNVPTX.td)
llvm_source(file clang/include/clang/Basic/CMakeLists.txt)
file(READ ${file} text)
string(REGEX MATCHALL
  "clang_tablegen\\([^)]*SOURCE BuiltinsNVPTX\\.td" calls "${text}")
set(outputs)
foreach(call ${calls})
  string(REGEX MATCH "\\(([^ ]+) +(-[^ \n]+)" words "${call}")
  tablegen(clang-tblgen ${source} ${folder}/${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  list(APPEND outputs ${folder}/${CMAKE_MATCH_1})
endforeach()

# The diagnostics, each with the number of its group, and the groups: patches
# add to both. The other headers about them are right as they are packaged.
list(PREPEND TABLEGEN_INCLUDES
  -I${PATCHED_DIR}/clang/include/clang/Basic
  -I${PRISTINE_DIR}/clang/include/clang/Basic)
file(STRINGS ${file} components REGEX "^clang_diag_gen\\(")
list(TRANSFORM components REPLACE "clang_diag_gen\\((.+)\\)" "\\1")
llvm_source(source clang/include/clang/Basic/Diagnostic.td)
set(keep_numbers ${CMAKE_SOURCE_DIR}/utils/build/keep_diagnostic_numbers.py)
foreach(component ${components})
  set(name Diagnostic${component}Kinds.inc)
  set(generated ${GENERATED_DIR}/diagnostics/${name})
  tablegen(clang-tblgen ${source} ${generated}
           -gen-clang-diags-defs -clang-component=${component})
  set(packaged ${PACKAGE_DIR}/include/clang/Basic/${name})
  set(output ${folder}/${name})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${Python3_EXECUTABLE} ${keep_numbers} ${generated} ${packaged} ${output}
    DEPENDS ${keep_numbers} ${generated} ${packaged}
    COMMENT "Numbers of ${name}"
    VERBATIM)
  list(APPEND outputs ${output})
endforeach()
set(output ${GENERATED_DIR}/include/clang/Basic/DiagnosticGroups.inc)
tablegen(clang-tblgen ${source} ${output} -gen-clang-diag-groups)
list(APPEND outputs ${output})
list(REMOVE_AT TABLEGEN_INCLUDES 0 1)
# What includes them all is not packaged.
llvm_source(source clang/include/clang/Basic/AllDiagnosticKinds.inc)
file(MAKE_DIRECTORY ${GENERATED_DIR}/include/clang/Basic)
file(CREATE_LINK ${source}
     ${GENERATED_DIR}/include/clang/Basic/AllDiagnosticKinds.inc SYMBOLIC)
add_custom_target(clang_gen DEPENDS ${outputs})
