# Everything under tests/ except tests/install/, a separate project that uses the installed package:
#
#   limber_tests            all of it, with the library
#   limber_sanitized_tests  a part of it, with a library built under sanitizers
#
# Tests are compiled once and hardly optimized: what they test is the library. The preset `tests` links them with the
# libraries of two other build folders, one optimized and one sanitized; elsewhere limber_tests uses the library built
# beside it.

set(LIMBER_TESTED_BUILD "" CACHE PATH "Test the library and the programs of this build folder instead of those built here")
set(LIMBER_SANITIZED_BUILD "" CACHE PATH "Test also the library of this build folder, which has sanitizers")
set(LIMBER_SANITIZED_TESTS "" CACHE STRING
    "Test files that are run with it, a part of their path as a regular expression: goal/|_law. Empty: all")
# Folders whose tests compute much themselves: references by brute force, thousands of random problems.
set(computing_folders "body|law|obstacle|reach|motion/space_curve_test[.]cpp")

find_package(GTest REQUIRED)
find_package(pugixml 1.13 REQUIRED)  # reference for our XML reader
include(GoogleTest)

# --- What is tested --------------------------------------------------------------------------------

if(LIMBER_TESTED_BUILD)
  load_cache(${LIMBER_TESTED_BUILD} READ_WITH_PREFIX tested_ CMAKE_CXX_COMPILER CMAKE_BUILD_TYPE)
  set(tested_build ${LIMBER_TESTED_BUILD})
  set(tested_library ${LIMBER_TESTED_BUILD}/liblimber.a)
  set(tested_programs limber limber-bench)
  set_target_properties(limber limber_cold PROPERTIES EXCLUDE_FROM_ALL ON)
else()
  set(tested_CMAKE_CXX_COMPILER ${CMAKE_CXX_COMPILER})
  set(tested_CMAKE_BUILD_TYPE ${CMAKE_BUILD_TYPE})
  set(tested_build ${PROJECT_BINARY_DIR})
  set(tested_library $<TARGET_FILE:limber>)
  if(TARGET limber_tool)
    list(APPEND tested_programs limber)
  endif()
  if(TARGET limber_bench)
    list(APPEND tested_programs limber-bench)
  endif()
endif()

# --- The objects of the tests ----------------------------------------------------------------------------

limber_find(test_sources tests "*.cpp")
list(FILTER test_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/install/")
if(NOT limber-bench IN_LIST tested_programs)
  list(FILTER test_sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/bench/bench_test[.]cpp$")
endif()
# Compiled for each program: product code that the sanitizers must see, the counter of allocations, which knows them, and
# the paths of this checkout, which are in one object so that all others can come from ccache.
limber_find(program_sources binding/wasm "*.cpp")  # the C interface to WebAssembly, for this machine
list(APPEND program_sources ${PROJECT_SOURCE_DIR}/fuzz/exercise.cpp ${PROJECT_SOURCE_DIR}/fuzz/damage.cpp
     ${PROJECT_SOURCE_DIR}/bench/task/takes.cpp)
set(single_sources ${PROJECT_SOURCE_DIR}/tests/law/allocation.cpp ${PROJECT_SOURCE_DIR}/tests/support/tree.cpp)
# A library of its own, which the command-line tool is run with to let its calls fail.
set(fault_source ${PROJECT_SOURCE_DIR}/tests/cli/fault/fault.cpp)
add_library(limber_faults MODULE ${fault_source})
limber_own(limber_faults)
target_compile_features(limber_faults PRIVATE cxx_std_23)
# The module for GPUs, compiled for the processor.
set(twin_source ${PROJECT_SOURCE_DIR}/tests/cuda/twin.cpp)
add_library(limber_cuda_twin MODULE ${twin_source})
limber_own(limber_cuda_twin)
limber_use_private_headers(limber_cuda_twin)
target_compile_features(limber_cuda_twin PRIVATE cxx_std_23)
target_compile_options(limber_cuda_twin PRIVATE -O2)
list(REMOVE_ITEM test_sources ${single_sources} ${fault_source} ${twin_source})
set(paths LIMBER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LIMBER_TOOL_PATH=""
    LIMBER_FAULTS_PATH="${PROJECT_BINARY_DIR}/liblimber_faults.so"
    LIMBER_CUDA_TWIN_PATH="${PROJECT_BINARY_DIR}/liblimber_cuda_twin.so")
if(limber IN_LIST tested_programs)
  list(TRANSFORM paths REPLACE "TOOL_PATH=.*" "TOOL_PATH=\"${tested_build}/limber\"")
endif()
set_source_files_properties(tests/support/tree.cpp PROPERTIES COMPILE_DEFINITIONS "${paths}")

function(limber_own_tests target)
  limber_own(${target})
  limber_use_private_headers(${target})
  limber_use_json(${target})
  limber_compile_quickly(${target})
  # g++ 12 reports Eigen's empty vectors inside aggregates as uninitialized (GCC bug 105562 and others).
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
  target_compile_features(${target} PRIVATE cxx_std_23)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE Eigen3::Eigen GTest::gtest_main pugixml::pugixml)
  limber_compile_by_folder(${target} ${ARGN})
endfunction()

# limber_add_test_objects(RESULT SOURCE...): the objects of these tests, as two targets: those that compute are optimized.
function(limber_add_test_objects result)
  set(tests ${ARGN})
  set(computing ${ARGN})
  list(FILTER computing INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/(${computing_folders})/")
  list(REMOVE_ITEM tests ${computing})
  foreach(kind tests computing)
    if(${kind})
      set(target limber_${result}_${kind})
      add_library(${target} OBJECT ${${kind}})
      limber_own_tests(${target} ${${kind}})
      if("${kind}" STREQUAL "computing")
        target_compile_options(${target} PRIVATE -O1)
      endif()
      if(TARGET limber_shared_${kind} AND NOT "${result}" STREQUAL "shared")
        limber_share_headers(${target} REUSE_FROM limber_shared_${kind})
      else()
        limber_share_headers(${target} <Eigen/Core> <Eigen/Geometry> <gtest/gtest.h> <limber/limber.h>)
      endif()
      list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endif()
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

set(shared_sources ${test_sources})  # of both programs; what is no test helps both
list(FILTER shared_sources EXCLUDE REGEX "_test[.]cpp$")
set(sanitized_sources ${test_sources})
list(FILTER sanitized_sources INCLUDE REGEX "_test[.]cpp$")
list(FILTER sanitized_sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/tests/.*(${LIMBER_SANITIZED_TESTS})")
list(APPEND shared_sources ${sanitized_sources})
set(optimized_sources ${test_sources})  # of limber_tests alone
list(REMOVE_ITEM optimized_sources ${shared_sources})
limber_add_test_objects(shared ${shared_sources})
limber_add_test_objects(optimized ${optimized_sources})

# The default linker takes ten seconds.
find_program(LIMBER_LLD NAMES ld.lld-22 ld.lld)
mark_as_advanced(LIMBER_LLD)
if(LIMBER_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(linker --ld-path=${LIMBER_LLD})
endif()

# limber_add_tests(PROGRAM LIBRARY PREFIX OBJECT...): the tests in these objects; their names in ctest begin with PREFIX.
function(limber_add_tests program library prefix)
  add_executable(${program} ${program_sources} ${single_sources} ${ARGN})
  limber_own_tests(${program} ${program_sources})
  # The linker keeps the first copy of an inline function. The library's optimized ones come first: link options stand
  # before objects, libraries behind them.
  target_link_options(${program} PRIVATE ${linker} -Wl,--whole-archive ${library} -Wl,--no-whole-archive)
  set_target_properties(${program} PROPERTIES LINK_DEPENDS ${library})
  add_dependencies(${program} limber_faults limber_cuda_twin)
  gtest_discover_tests(${program} TEST_PREFIX "${prefix}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
endfunction()

limber_add_tests(limber_tests ${tested_library} "" ${shared} ${optimized})
if(LIMBER_SANITIZED_BUILD)
  limber_add_tests(limber_sanitized_tests ${LIMBER_SANITIZED_BUILD}/liblimber.a "sanitized." ${shared})
  limber_sanitize(limber_sanitized_tests)
endif()
if(NOT LIMBER_TESTED_BUILD)
  add_dependencies(limber_tests limber)
  foreach(target limber_tool limber_bench)
    if(TARGET ${target})
      add_dependencies(limber_tests ${target})
    endif()
  endforeach()
endif()

# --- Tests of other kinds --------------------------------------------------------------------------------

# A sanitized archive would require the sanitizers in the outside program as well.
if(NOT LIMBER_SANITIZE)
  add_test(NAME InstalledPackage
           COMMAND ${CMAKE_COMMAND} -D BUILD=${tested_build} -D TREE=${tested_build}/install-tree
                   -D COMPILER=${tested_CMAKE_CXX_COMPILER} -D GENERATOR=${CMAKE_GENERATOR}
                   -P ${PROJECT_SOURCE_DIR}/tests/install/check.cmake)
endif()
# Short fixed runs under callgrind, compared with the counts in bench/instructions.txt.
if(limber-bench IN_LIST tested_programs AND tested_CMAKE_BUILD_TYPE STREQUAL Release)
  add_test(NAME Instructions COMMAND ${PROJECT_SOURCE_DIR}/bench/instructions --check)
endif()
