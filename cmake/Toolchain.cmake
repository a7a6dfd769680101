# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Unless the user chose others: a clang and its lld, if they are installed at
# TOOLCHAIN_DIR, as the compiler and the linker, and ccache in front, with the
# settings in CCACHE_SETTINGS (NAME=VALUE, as in its environment).

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# As the package was built. -O3 would compile longer for no measurable gain.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")

if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX}
   AND EXISTS ${TOOLCHAIN_DIR}/bin/clang++)
  set(CMAKE_C_COMPILER ${TOOLCHAIN_DIR}/bin/clang CACHE FILEPATH "")
  set(CMAKE_CXX_COMPILER ${TOOLCHAIN_DIR}/bin/clang++ CACHE FILEPATH "")
endif()

find_program(LLD NAMES ld.lld HINTS ${TOOLCHAIN_DIR}/bin NO_DEFAULT_PATH)
if(LLD)
  add_link_options($<$<LINK_LANG_AND_ID:C,Clang>:--ld-path=${LLD}>
                   $<$<LINK_LANG_AND_ID:CXX,Clang>:--ld-path=${LLD}>)
endif()

find_program(CCACHE NAMES ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # One clone takes what another compiled: paths below it are hashed as relative.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_SETTINGS} ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
