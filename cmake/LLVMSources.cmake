# LLVM's sources, patched, and which of them have to be compiled again. Sets
#   PRISTINE_DIR  the sources as they came
#   PATCHED_DIR   the files that the patches change
#   OVERLAY_DIR   every folder with a patched file, whole: a quoted #include
#                 finds its neighbours before anything else, so an unpatched
#                 source needs the patched header beside it
# and the lists that utils/affected_sources.py writes.

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
run_utility(PRISTINE_DIR fetch_llvm.py --version ${PACKAGE_VERSION}
            --output ${CMAKE_BINARY_DIR}/llvm-project ${source_option})
message(STATUS "LLVM ${PACKAGE_VERSION} sources: ${PRISTINE_DIR}")

set(PATCHED_DIR ${CMAKE_BINARY_DIR}/patched)
run_utility(summary patches.py apply --series ${PATCH_SERIES_DIR}
            --pristine ${PRISTINE_DIR} --output ${PATCHED_DIR}
            --llvm-version ${PACKAGE_VERSION})
message(STATUS "${summary}")

set(affected ${CMAKE_BINARY_DIR}/affected.cmake)
set(AFFECTED_REASONS ${CMAKE_BINARY_DIR}/affected.json)
run_utility(summary affected_sources.py --pristine ${PRISTINE_DIR}
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

file(GLOB patches CONFIGURE_DEPENDS ${PATCH_SERIES_DIR}/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${patches}
  ${CMAKE_SOURCE_DIR}/utils/affected_sources.py
  ${CMAKE_SOURCE_DIR}/utils/debian_archive.py
  ${CMAKE_SOURCE_DIR}/utils/fetch_llvm.py
  ${CMAKE_SOURCE_DIR}/utils/llvm_sources.json
  ${CMAKE_SOURCE_DIR}/utils/patch_series.py
  ${CMAKE_SOURCE_DIR}/utils/patches.py)

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
