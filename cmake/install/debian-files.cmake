# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the Debian package has outside of its own folder: the two commands in PATH,
# as scripts, since clang reads its mode and target from the name of a link; where
# CMake looks for packages; the licence.

if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

set(root ${CPACK_TEMPORARY_DIRECTORY})
file(MAKE_DIRECTORY ${root}/usr/bin ${root}/usr/lib/cmake)
foreach(tool clang clang++)
  file(WRITE ${root}/usr/bin/${tool}-nvptx-mma
       "#!/bin/sh\nexec /usr/lib/nvptx-mma/bin/${tool} \"$@\"\n")
  file(CHMOD ${root}/usr/bin/${tool}-nvptx-mma PERMISSIONS
       OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
       WORLD_READ WORLD_EXECUTE)
endforeach()
file(CREATE_LINK ../nvptx-mma/lib/cmake/nvptx-mma ${root}/usr/lib/cmake/nvptx-mma
     SYMBOLIC)
file(MAKE_DIRECTORY ${root}/usr/share/doc/clang-nvptx-mma)
file(COPY_FILE ${CPACK_RESOURCE_FILE_LICENSE}
     ${root}/usr/share/doc/clang-nvptx-mma/copyright)
