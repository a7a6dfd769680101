# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which of LLVM's sources have to be compiled again: sets the lists that
# utils/build/affected_sources.py writes, and
#   OVERLAY_DIR   every folder with a patched file, whole: a quoted #include
#                 finds its neighbours before anything else, so an unpatched
#                 source needs the patched header beside it

set(affected ${CMAKE_BINARY_DIR}/affected.cmake)
set(AFFECTED_REASONS ${CMAKE_BINARY_DIR}/affected.json)
run_utility(summary build/affected_sources.py --pristine ${PRISTINE_DIR}
            --patched ${PATCHED_DIR} --cmake ${affected}
            --reasons ${AFFECTED_REASONS})
message(STATUS "${summary}")
include(${affected})

set(OVERLAY_DIR ${CMAKE_BINARY_DIR}/overlay)
file(REMOVE_RECURSE ${OVERLAY_DIR})
file(GLOB_RECURSE patched_files RELATIVE ${PATCHED_DIR} ${PATCHED_DIR}/*/lib/*)
set(folders)
foreach(file ${patched_files})
  get_filename_component(folder ${file} DIRECTORY)
  list(APPEND folders ${folder})
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder ${folders})
  file(MAKE_DIRECTORY ${OVERLAY_DIR}/${folder})
  file(GLOB neighbours LIST_DIRECTORIES false ${PRISTINE_DIR}/${folder}/*)
  foreach(neighbour ${neighbours})
    get_filename_component(name ${neighbour} NAME)
    set(from ${neighbour})
    if(EXISTS ${PATCHED_DIR}/${folder}/${name})
      set(from ${PATCHED_DIR}/${folder}/${name})
    endif()
    file(CREATE_LINK ${from} ${OVERLAY_DIR}/${folder}/${name} SYMBOLIC)
  endforeach()
endforeach()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/utils/build/affected_sources.py)

# Where a file of LLVM's stands in this build.
function(llvm_source variable path)
  foreach(root ${OVERLAY_DIR} ${PATCHED_DIR} ${PRISTINE_DIR})
    if(EXISTS ${root}/${path})
      set(${variable} ${root}/${path} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${path} is not among LLVM's sources")
endfunction()
