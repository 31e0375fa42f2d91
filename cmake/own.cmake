# Options of all our targets. They are set on the targets themselves, not on the folder or a helper target, so that they
# do not leak into projects that use the library.

# Files under FOLDER that match PATTERN; globbed again at every build.
function(limber_find result folder pattern)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(limber_default_build_type type)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT several)
    set(CMAKE_BUILD_TYPE ${type} CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
  endif()
endfunction()

# Uses ccache if available. The sloppiness is required for caching objects compiled with a precompiled header; the base
# directory lets checkouts in different folders share objects.
macro(limber_use_ccache)
  find_program(LIMBER_CCACHE ccache)
  mark_as_advanced(LIMBER_CCACHE)
  if(LIMBER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_NOHASHDIR=1 ${LIMBER_CCACHE})
  endif()
endmacro()

set(limber_warnings
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wunused
    -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough
    # Vectors of four numbers are passed by reference, or inlined.
    -Wno-psabi
    # g++ 12 reports `"text" + string` as an overlapping, unterminated or out-of-bounds copy (GCC bugs 105651, 105329).
    # clang and the address sanitizer detect real ones.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>)

# No vptr checks: they need RTTI, which the library is built without. None of pointers that are null, out of bounds or
# wrapped around either, which take a third of the time: the address sanitizer reports what is read or written there.
set(limber_sanitizers
    -fsanitize=address,undefined -fno-sanitize=vptr,null,object-size,pointer-overflow -fno-sanitize-recover=all
    -fno-omit-frame-pointer)

# -ffp-contract=off: a fused multiply-add rounds once instead of twice, and whether a compiler uses it depends on the
# machine; results must not.
function(limber_own target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE ${limber_warnings} -ffp-contract=off)
  if(LIMBER_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LIMBER_SANITIZE)
    limber_sanitize(${target})
  endif()
endfunction()

# Eigen takes memory under the address sanitizer in another way than elsewhere, unless told; objects with and without the
# sanitizer are linked into one program.
function(limber_sanitize target)
  target_compile_options(${target} PRIVATE ${limber_sanitizers})
  # A million addresses need not be relocated at each start of the tests.
  target_link_options(${target} PRIVATE ${limber_sanitizers} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS EIGEN_MALLOC_ALREADY_ALIGNED=1)
endfunction()

# For targets of the project: access to the private headers beside the sources.
function(limber_use_private_headers target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# Precompiles the headers shared by all sources of a target. Targets with the same options can share them:
#
#   limber_share_headers(limber_tool REUSE_FROM limber_cli)
function(limber_share_headers target)
  if(NOT LIMBER_PCH)
    return()
  endif()
  if("${ARGV1}" STREQUAL REUSE_FROM)
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # ccache can cache these objects only without the header's timestamp.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp> $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# Compiles the given sources of each folder as one unity build unit, or as several of at most ten sources, because most
# of the time is in shared includes and instantiations. Their unnamed namespaces merge, so the compiler reports name
# clashes.
function(limber_compile_by_folder target)
  if(NOT LIMBER_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(REPLACE "/" "_" group ${folder})
    math(EXPR count_${group} "0${count_${group}} + 1")
    math(EXPR part "(${count_${group}} + 9) / 10")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()

# Tests and command lines need not be fast.
function(limber_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<BOOL:${LIMBER_SANITIZE}>:-O0> $<$<CONFIG:Release>:-O1>)
endfunction()

# JSON without exceptions, and the same for every target that is linked into one program: the header's
# inline functions must not differ between them. Only the include path is taken from the package, so the
# installed library does not ask its users for it.
function(limber_use_json target)
  target_include_directories(${target} SYSTEM PRIVATE
    $<TARGET_PROPERTY:nlohmann_json::nlohmann_json,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target} PRIVATE JSON_NOEXCEPTION)
endfunction()

# A source for one x86-64 instruction set, selected at run time. It is compiled separately, so that no function of
# another source uses that instruction set.
function(limber_compile_for source)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${ARGN}" SKIP_PRECOMPILE_HEADERS ON
                                                     SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# A program that reads files and a command line, or a part of one.
function(limber_own_program target)
  limber_own(${target})
  limber_use_private_headers(${target})
  limber_compile_quickly(${target})
  limber_compile_by_folder(${target} ${ARGN})
  limber_use_json(${target})
  target_compile_definitions(${target} PRIVATE LIMBER_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${target} PRIVATE limber::limber CLI11::CLI11)
endfunction()
