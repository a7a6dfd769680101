# llc, opt, clang: our objects first, the packaged archives behind them. An
# archive's member is linked only where no object has defined its symbols, so
# what was compiled again takes the place of what was packaged.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

llvm_config(libraries --link-static --libs all)
separate_arguments(LLVM_ARCHIVES UNIX_COMMAND "${libraries}")
llvm_config(libraries --link-static --system-libs)
separate_arguments(SYSTEM_LIBRARIES UNIX_COMMAND "${libraries}")
file(GLOB CLANG_ARCHIVES ${PACKAGE_DIR}/lib/libclang*.a)

# add_llvm_tool(<name> OBJECTS <object library>... ARCHIVES ... SOURCES ...)
function(add_llvm_tool name)
  cmake_parse_arguments(ARG "" "" "OBJECTS;ARCHIVES;SOURCES" ${ARGN})
  set(main ${name}_main_objects)
  add_llvm_objects(${main} INCLUDES ${CLANG_INCLUDES} SOURCES ${ARG_SOURCES})
  add_executable(${name} $<TARGET_OBJECTS:${main}>)
  foreach(objects llvm_objects our_llvm_objects nvptx_objects our_nvptx_objects
                  x86_objects ${ARG_OBJECTS})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  set(map ${CMAKE_BINARY_DIR}/${name}.map)
  target_link_directories(${name} PRIVATE ${PACKAGE_DIR}/lib)
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,-Map=${map})
  # Other linkers than lld need the group: the archives refer to each other.
  target_link_libraries(${name} PRIVATE -Wl,--start-group ${ARG_ARCHIVES}
    ${LLVM_ARCHIVES} -lPolly -lPollyISL -Wl,--end-group ${SYSTEM_LIBRARIES})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/utils/check_linked_members.py
            --map ${map} --pristine ${PRISTINE_DIR}
            --generated ${GENERATED_DIR}/include
            --packaged ${PACKAGE_DIR}/include
    COMMENT "Checking that ${name} links nothing out of date"
    VERBATIM)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS
    ${CMAKE_SOURCE_DIR}/utils/check_linked_members.py)
endfunction()

file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/llvm/tools/llc/*.cpp)
add_llvm_tool(llc SOURCES ${sources})

file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/llvm/tools/opt/*.cpp)
add_llvm_tool(opt SOURCES ${sources})

set(TOOL_NAME clang)
configure_file(${PACKAGE_DIR}/lib/cmake/llvm/llvm-driver-template.cpp.in
               ${GENERATED_DIR}/clang-driver.cpp)
file(GLOB sources RELATIVE ${PRISTINE_DIR} ${PRISTINE_DIR}/clang/tools/driver/*.cpp)
add_llvm_tool(clang OBJECTS clang_objects our_clang_objects
              ARCHIVES ${CLANG_ARCHIVES}
              SOURCES ${sources} ${GENERATED_DIR}/clang-driver.cpp)
add_custom_command(TARGET clang POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E create_symlink clang ${CMAKE_BINARY_DIR}/bin/clang++
  VERBATIM)

# It links CUDA programs through this tool of the package, beside itself.
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
file(CREATE_LINK ${PACKAGE_DIR}/bin/clang-linker-wrapper
     ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/clang-linker-wrapper SYMBOLIC)

# Clang looks for its headers beside itself: the distribution's, and our own.
string(REGEX MATCH "^[0-9]+" major ${PACKAGE_VERSION})
set(RESOURCE_DIR ${CMAKE_BINARY_DIR}/lib/clang/${major})
file(MAKE_DIRECTORY ${RESOURCE_DIR}/include)
file(GLOB headers ${PACKAGE_DIR}/lib/clang/${major}/include/*)
file(GLOB ours CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/clang-builtins/lib/Headers/*.h)
foreach(header ${headers} ${ours})
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${RESOURCE_DIR}/include/${name} SYMBOLIC)
endforeach()
if(EXISTS ${PACKAGE_DIR}/lib/clang/${major}/lib)
  file(CREATE_LINK ${PACKAGE_DIR}/lib/clang/${major}/lib ${RESOURCE_DIR}/lib SYMBOLIC)
endif()
