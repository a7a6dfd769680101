# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cpack writes .tar.zst at zstd's fastest level, which knows nothing of the tools
# that are nearly the same: each has the same backends. A window of 128 MiB, which
# every zstd accepts, finds them.

find_program(ZSTD zstd)
foreach(file ${CPACK_PACKAGE_FILES})
  if(file MATCHES "\\.tar\\.zst$" AND ZSTD)
    execute_process(COMMAND ${ZSTD} -q -d -c ${file}
                    COMMAND ${ZSTD} -q -T0 -19 --long=27 -f -o ${file}.small
                    COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME ${file}.small ${file})
  endif()
endforeach()
