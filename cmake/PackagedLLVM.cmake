# Finds the distribution's LLVM and sets
#   PACKAGE_DIR      its prefix
#   PACKAGE_VERSION  as in 22.1.8
# and, unless the user chose others, its clang as the compiler, its lld as the
# linker and ccache in front.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# As the package was built. -O3 would compile longer for no measurable gain.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")

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

if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX}
   AND EXISTS ${PACKAGE_DIR}/bin/clang++)
  set(CMAKE_C_COMPILER ${PACKAGE_DIR}/bin/clang CACHE FILEPATH "")
  set(CMAKE_CXX_COMPILER ${PACKAGE_DIR}/bin/clang++ CACHE FILEPATH "")
endif()

find_program(LLD NAMES ld.lld HINTS ${PACKAGE_DIR}/bin NO_DEFAULT_PATH)
if(LLD)
  add_link_options(--ld-path=${LLD})
endif()

find_program(CCACHE NAMES ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
