# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cpack takes the size of what a link leads to for the link's own, so that clang
# counts twice, as clang++, in the Installed-Size of the Debian package. Its unit
# is KiB; dpkg counts each file up to a full one, and everything else as one.

cmake_policy(SET CMP0009 NEW) # Links are not followed.
foreach(file ${CPACK_PACKAGE_FILES})
  if(NOT file MATCHES "\\.deb$")
    continue()
  endif()
  set(size 0)
  file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/usr/*)
  foreach(entry ${entries})
    set(bytes 1)
    if(NOT IS_SYMLINK ${entry} AND NOT IS_DIRECTORY ${entry})
      file(SIZE ${entry} bytes)
    endif()
    math(EXPR size "${size} + (${bytes} + 1023) / 1024")
  endforeach()

  find_program(AR ar REQUIRED)
  find_program(TAR tar REQUIRED)
  set(control ${file}.control)
  file(MAKE_DIRECTORY ${control})
  execute_process(
    COMMAND ${AR} x ${file} control.tar.gz
    COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${control})
  execute_process(
    COMMAND ${TAR} -xzf control.tar.gz
    COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${control})
  file(REMOVE ${control}/control.tar.gz)
  file(READ ${control}/control text)
  string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${size}" text "${text}")
  file(WRITE ${control}/control "${text}")
  execute_process(
    COMMAND ${TAR} --owner=root:0 --group=root:0 -czf control.tar.gz ./control ./md5sums
    COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${control})
  execute_process(
    COMMAND ${AR} r ${file} control.tar.gz
    COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${control})
  file(REMOVE_RECURSE ${control})
endforeach()
