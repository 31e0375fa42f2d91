# Installs the build folder BUILD into TREE, builds the outside project against TREE with COMPILER and
# GENERATOR, runs it, and expects exit 0 and exactly one line of output.
#
#   cmake -D BUILD=... -D TREE=... -D COMPILER=... -D GENERATOR=... -P check.cmake

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "Could not ${what} (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Both start empty, so that the leftovers of an earlier run do not help.
set(outside ${TREE}-outside)
file(REMOVE_RECURSE ${TREE} ${outside})

step("install ${BUILD}" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${TREE})
step("configure the outside program" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${outside} -G ${GENERATOR}
     -D CMAKE_PREFIX_PATH=${TREE} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=Release
     -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step("build the outside program" ${CMAKE_COMMAND} --build ${outside})
step("run the outside program" ${outside}/outside)

if(NOT output MATCHES "^[^\n]+\n$")
  message(FATAL_ERROR "The outside program should print one line, and printed:\n${output}")
endif()
string(STRIP "${output}" line)
message(STATUS "the outside program says: ${line}")
