# The Python package `limber` (binding/python), as scikit-build-core builds and installs it (pyproject.toml):
#
#   limber/_limber.abi3.so   the binding, for every Python from 3.10 on
#   limber/_limber.pyi       its types and docstrings, generated
#   limber                   the command-line tool, on the PATH
#
# With LIMBER_TESTED_BUILD (cmake/tests.cmake) the library and the tool of that build folder are used instead of built.

set(LIMBER_TESTED_BUILD "" CACHE PATH "Use the library and the tool of this build folder instead of those built here")
option(LIMBER_PYTHON_SPLIT "One module for all versions of Python, with the package nanobind-backend" ON)
set(LIMBER_PYTHON_OPTIMIZE "" CACHE STRING "How the binding is compiled, in place of -Os: -O0 is the quickest to build")

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
                OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind 3 CONFIG REQUIRED)

limber_find(python_sources binding/python/src "*.cpp")
if(LIMBER_PYTHON_SPLIT)
  set(backend BACKEND_MODULE nanobind_backend)
else()
  set(backend NB_STATIC)
endif()
nanobind_add_module(limber_python ${backend} NB_DOMAIN limber NB_SUPPRESS_WARNINGS PROTECT_STACK ${python_sources})
set_target_properties(limber_python PROPERTIES OUTPUT_NAME _limber)
limber_own(limber_python)
limber_compile_by_folder(limber_python ${python_sources})
limber_share_headers(limber_python [["bind.h"]])
limber_use_private_headers(limber_python)
target_include_directories(limber_python PRIVATE ${PROJECT_SOURCE_DIR}/binding/python/src)
target_compile_features(limber_python PRIVATE cxx_std_23)
target_compile_options(limber_python PRIVATE -Wno-old-style-cast -Wno-cast-qual ${LIMBER_PYTHON_OPTIMIZE})
if(LIMBER_TESTED_BUILD)
  set_target_properties(limber limber_cold PROPERTIES EXCLUDE_FROM_ALL ON)
  target_include_directories(limber_python PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(limber_python PRIVATE Eigen3::Eigen ${LIMBER_TESTED_BUILD}/liblimber.a)
  set_target_properties(limber_python PROPERTIES LINK_DEPENDS ${LIMBER_TESTED_BUILD}/liblimber.a)
  set(python_tool ${LIMBER_TESTED_BUILD}/limber)
else()
  target_link_libraries(limber_python PRIVATE limber::limber)
  set(python_tool $<TARGET_FILE:limber_tool>)
endif()

# Types and docstrings come from the module itself.
nanobind_add_stub(limber_stub MODULE _limber OUTPUT _limber.pyi PYTHON_PATH $<TARGET_FILE_DIR:limber_python>
                  DEPENDS limber_python)

install(TARGETS limber_python LIBRARY DESTINATION limber COMPONENT python)
install(FILES ${PROJECT_BINARY_DIR}/_limber.pyi DESTINATION limber COMPONENT python)
install(PROGRAMS ${python_tool} DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)

# The editor, where it has been built before (./run): limber.edit(), limber.Editor.
if(EXISTS ${PROJECT_SOURCE_DIR}/build/editor/limber.html)
  install(FILES ${PROJECT_SOURCE_DIR}/build/editor/limber.html DESTINATION limber RENAME editor.html COMPONENT python)
endif()
