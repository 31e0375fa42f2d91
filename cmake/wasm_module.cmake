# limber.wasm: the library without the parts that a browser does not need (threads, other processors, SVG pictures), and
# the C interface of binding/wasm.

# The host's headers do not fit WebAssembly: only selected folders of /usr/include are visible.
find_path(json_headers nlohmann/json.hpp PATHS /usr/include NO_DEFAULT_PATH REQUIRED)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${json_headers}/nlohmann ${PROJECT_BINARY_DIR}/include/nlohmann SYMBOLIC)

limber_find(quick_sources limber "*.cpp")
list(FILTER quick_sources EXCLUDE REGEX "/limber/picture/|_avx")
# Readers, writers and editing should be small, and so should methods that are offered for comparison; the solver fast.
set(small_sources ${quick_sources})
set(small "/limber/(assess/|body/|document/|figure/|format/|kinematics/reroot|motion/[a-z_]+[.]cpp|motion/(clean|retarget)/|roles/")
string(APPEND small "|posing/(chain|body_mirror|common_body|effort|handle_places|hang|held_goals|part_fit|posing(_for|_step)?|proposal|root_placer|support)|solver/(geometric/|gradient/projected|constraint_rounds|option_table))")
list(FILTER small_sources INCLUDE REGEX ${small})
list(FILTER small_sources EXCLUDE REGEX "/limber/figure/angles[.]cpp$")
list(REMOVE_ITEM quick_sources ${small_sources})
limber_find(wasm_sources binding/wasm "*.cpp")

add_library(limber_small OBJECT ${small_sources} ${wasm_sources})
add_executable(limber_wasm ${quick_sources} $<TARGET_OBJECTS:limber_small>)
limber_embed(limber_wasm posing limber/posing weights.bin)
set_target_properties(limber_wasm PROPERTIES OUTPUT_NAME limber SUFFIX .wasm)
limber_compile_by_folder(limber_small ${small_sources} ${wasm_sources})
limber_compile_by_folder(limber_wasm ${quick_sources})
target_compile_options(limber_small PRIVATE -Oz)
foreach(target limber_small limber_wasm)
  limber_own(${target})
  limber_share_headers(${target} <Eigen/Core> <Eigen/Geometry> <algorithm> <expected> <functional> <map> <numeric>
                       <optional> <ranges> <span> <string> <variant> <vector> <limber/problem/problem.h>)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  target_compile_features(${target} PRIVATE cxx_std_23)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${target} SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(${target} PRIVATE JSON_NOEXCEPTION)
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -fno-math-errno)
  target_link_libraries(${target} PRIVATE Eigen3::Eigen)
endforeach()
target_link_options(limber_wasm PRIVATE -mexec-model=reactor -fno-exceptions
                    LINKER:--export-dynamic,--gc-sections,--strip-all)
