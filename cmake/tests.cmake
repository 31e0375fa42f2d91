# One executable from everything under tests/ except tests/install/, a separate project that uses the installed package.

find_package(GTest REQUIRED)
find_package(pugixml 1.13 REQUIRED)  # reference for our XML reader

limber_find(test_sources tests "*.cpp")
list(FILTER test_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/install/")
if(NOT TARGET limber_bench)
  list(FILTER test_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/bench/")
endif()
if(LIMBER_TEST_FOLDERS)
  set(helper_sources ${test_sources})
  list(FILTER helper_sources EXCLUDE REGEX "_test[.]cpp$")
  list(FILTER test_sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/(${LIMBER_TEST_FOLDERS})/.*_test[.]cpp$")
  list(APPEND test_sources ${helper_sources})
endif()
# The fuzz targets' code, to replay the corpus.
list(APPEND test_sources ${PROJECT_SOURCE_DIR}/fuzz/exercise.cpp)
# The C interface to WebAssembly, for this machine.
limber_find(interface_sources binding/wasm "*.cpp")
list(APPEND test_sources ${interface_sources})

if(test_sources)
  add_executable(limber_tests ${test_sources})
  limber_own(limber_tests)
  limber_use_private_headers(limber_tests)
  set(together ${test_sources})
  list(FILTER together EXCLUDE REGEX "/tests/(law/allocation|support/tree)[.]cpp$")  # replaces malloc; has paths
  limber_compile_by_folder(limber_tests ${together})
  limber_compile_quickly(limber_tests)
  # g++ 12 reports Eigen's empty vectors inside aggregates as uninitialized (GCC bug 105562 and others).
  target_compile_options(limber_tests PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
  if(LIMBER_SANITIZE)
    # The linker keeps the first copy of an inline function. The library's optimized ones come first.
    target_link_options(limber_tests PRIVATE -Wl,--whole-archive $<TARGET_FILE:limber> -Wl,--no-whole-archive)
  endif()
  limber_share_headers(limber_tests <Eigen/Core> <Eigen/Geometry> <gtest/gtest.h> <limber/limber.h>)
  limber_use_json(limber_tests)
  target_link_libraries(limber_tests PRIVATE limber::limber GTest::gtest_main pugixml::pugixml)
  # Paths of this checkout are in one object, so that all others can come from ccache.
  set(paths LIMBER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LIMBER_TOOL_PATH="")
  if(TARGET limber_tool)
    list(TRANSFORM paths REPLACE "TOOL_PATH=.*" "TOOL_PATH=\"$<TARGET_FILE:limber_tool>\"")
    add_dependencies(limber_tests limber_tool)
  endif()
  set_source_files_properties(tests/support/tree.cpp PROPERTIES COMPILE_DEFINITIONS "${paths}")
  if(TARGET limber_bench)
    add_dependencies(limber_tests limber_bench)
  endif()
  include(GoogleTest)
  gtest_discover_tests(limber_tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
endif()

# A sanitized archive would require the sanitizers in the outside program as well.
if(NOT LIMBER_SANITIZE)
  add_test(NAME InstalledPackage
           COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D TREE=${PROJECT_BINARY_DIR}/install-tree
                   -D COMPILER=${CMAKE_CXX_COMPILER} -D GENERATOR=${CMAKE_GENERATOR}
                   -P ${PROJECT_SOURCE_DIR}/tests/install/check.cmake)
endif()
# Short fixed runs under callgrind, compared with the counts in bench/instructions.txt.
if(LIMBER_BENCH AND CMAKE_BUILD_TYPE STREQUAL Release)
  add_test(NAME Instructions COMMAND ${PROJECT_SOURCE_DIR}/bench/instructions --check)
endif()
