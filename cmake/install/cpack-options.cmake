# Read by cpack for each kind of package. Debian's own clang keeps its places: the
# package's tree is a folder of its own; see debian-files.cmake.

if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/nvptx-mma)
endif()
