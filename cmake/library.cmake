# The library, in two parts that become one archive:
#   limber_cold   readers, writers, descriptions, pictures: compiled for fast builds
#   limber        the code of a solve: compiled for speed
# Headers in include/limber/ are public and installed; those beside the sources are private. Nearly every folder is one
# unity build unit, because most of the compile time is in shared headers: the tool builds in a third of the time.

set(cold "(assess|body|document|figure|format|picture|roles)/|kinematics/reroot[.]cpp")
set(hot_files "figure/angles")  # in those folders
if(LIMBER_SANITIZE)
  set(cold "(assess|batch|body|document|figure|format|motion|picture|posing|roles)/|kinematics/reroot[.]cpp")
endif()

limber_find(public_headers include/limber "*.h")
limber_find(hot_sources limber "*.cpp")
set(cold_sources ${hot_sources})
list(FILTER cold_sources INCLUDE REGEX "/limber/(${cold})")
list(FILTER cold_sources EXCLUDE REGEX "/limber/(${hot_files})[.]cpp$")
list(REMOVE_ITEM hot_sources ${cold_sources})

add_library(limber_cold OBJECT ${cold_sources})
add_library(limber STATIC ${hot_sources} $<TARGET_OBJECTS:limber_cold>)
add_library(limber::limber ALIAS limber)

foreach(target limber_cold limber)
  limber_own(${target})
  limber_share_headers(${target} <Eigen/Core> <Eigen/Geometry> <algorithm> <expected> <functional> <map> <numeric>
                       <optional> <ranges> <span> <string> <variant> <vector> <limber/problem/problem.h>)
  # Without exceptions, Eigen reports that memory has run out by asking for more of it; g++ would leave that out.
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -fno-math-errno
                                           $<$<CXX_COMPILER_ID:GNU>:-fno-allocation-dce>)
  limber_use_json(${target})
  # So that a shared library, such as the Python module, may contain the archive. Hidden, calls are as quick as without.
  if(NOT LIMBER_SANITIZE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
  endif()
endforeach()
# Under the sanitizers, where optimizing takes most of the time, only the code of a solve is optimized.
target_compile_options(limber_cold PRIVATE $<$<BOOL:${LIMBER_SANITIZE}>:-O0> $<$<CONFIG:Release>:-O1>)
target_include_directories(limber_cold PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_include_directories(limber PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(limber_cold PRIVATE cxx_std_23)
target_link_libraries(limber_cold PRIVATE Eigen3::Eigen)
# The pages of pictures name their measures alike.
set(apart "picture/(camera|cells|film|legend|picture|stage|strip)")
set(together ${cold_sources})
list(FILTER together EXCLUDE REGEX "/limber/(${apart})[.]cpp$")
limber_compile_by_folder(limber_cold ${together})
limber_compile_by_folder(limber ${hot_sources})
# Batches compute in single precision and are checked in double precision, so fused multiply-add is allowed.
set(avx512 -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
limber_compile_for(limber/lanes/quick_avx2.cpp -mavx2)
limber_compile_for(limber/lanes/batch_avx2.cpp -mavx2 -mfma -ffp-contract=fast)
limber_compile_for(limber/lanes/batch_avx512.cpp ${avx512} -mfma -ffp-contract=fast)

limber_embed(limber posing limber/posing weights.bin)

target_sources(limber PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${public_headers})
target_compile_features(limber PUBLIC cxx_std_23)
target_link_libraries(limber PUBLIC Eigen3::Eigen)
