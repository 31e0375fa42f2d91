# The programs of bench/; bench/README.md says what each is for.
#
#   limber_bench_tasks  the tasks, a library
#   limber_bench        the executable `limber-bench`: runs the tasks, writes reports and plots
#   limber_microbench   small pieces of work by Google Benchmark, where that is installed; built by name
#   limber_count        the work that bench/instructions counts
#   limber_peers        solvers of other libraries on the same tasks, where they are installed

limber_find(task_sources bench/task "*.cpp")
add_library(limber_bench_tasks STATIC ${task_sources})
limber_own_program(limber_bench_tasks ${task_sources})
limber_share_headers(limber_bench_tasks REUSE_FROM limber_cli)
target_link_libraries(limber_bench_tasks PUBLIC limber_cli)

limber_find(report_sources bench/report "*.cpp")
add_executable(limber_bench bench/main.cpp ${report_sources})
set_target_properties(limber_bench PROPERTIES OUTPUT_NAME limber-bench)
limber_own_program(limber_bench ${report_sources})
limber_share_headers(limber_bench REUSE_FROM limber_cli)
limber_embed(limber_bench report bench/report page.html page.css page.js)
target_link_libraries(limber_bench PRIVATE limber_bench_tasks)

add_library(limber_workload OBJECT bench/micro/workload.cpp)
add_executable(limber_count bench/count/main.cpp)
set(micro_programs limber_count)
find_package(benchmark QUIET)
if(benchmark_FOUND)
  add_executable(limber_microbench EXCLUDE_FROM_ALL bench/micro/main.cpp)
  target_link_libraries(limber_microbench PRIVATE benchmark::benchmark)
  list(APPEND micro_programs limber_microbench)
else()
  message(STATUS "Google Benchmark is not installed: no limber_microbench")
endif()
foreach(target limber_workload ${micro_programs})
  limber_own(${target})
  limber_use_private_headers(${target})
  target_compile_definitions(${target} PRIVATE LIMBER_SCENES="${PROJECT_SOURCE_DIR}/example/scene"
                             LIMBER_DATA="${PROJECT_SOURCE_DIR}/data")
  target_link_libraries(${target} PRIVATE limber::limber)
endforeach()
foreach(program ${micro_programs})
  target_link_libraries(${program} PRIVATE limber_workload limber_cli)
endforeach()

include(cmake/peers.cmake)
