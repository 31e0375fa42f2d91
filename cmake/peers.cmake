# limber_peers: solvers of other libraries on the tasks of `limber bench`, one file of bench/peers per installed package.
# bench/peers/install installs the packages.
#
# No -march=native here, nor in what is linked to it: Eigen's matrices cross into packages that were compiled without
# AVX, and the two sides would not agree on how a matrix is aligned.

find_package(orocos_kdl QUIET)
find_package(NLopt QUIET)
find_package(Ceres QUIET)
find_package(Simbody QUIET)

set(peers)
if(orocos_kdl_FOUND)
  list(APPEND peers kdl)
  set(kdl_libraries ${orocos_kdl_LIBRARIES})
endif()
if(NLopt_FOUND)
  list(APPEND peers nlopt)
  set(nlopt_libraries ${NLOPT_LIBRARIES})
endif()
if(Ceres_FOUND)
  list(APPEND peers ceres)
  set(ceres_libraries Ceres::ceres)
endif()
if(Simbody_FOUND)
  list(APPEND peers simbody)
  set(simbody_libraries ${Simbody_LIBRARIES})
endif()

if(peers)
  # Not part of a plain build: their headers take minutes. bench/peers/install builds it.
  add_executable(limber_peers EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/peers/main.cpp
                                               ${PROJECT_SOURCE_DIR}/bench/peers/program.cpp)
  limber_own_program(limber_peers)
  target_compile_options(limber_peers PRIVATE $<$<CONFIG:Release>:-O3>)  # their headers hold their solvers
  target_link_libraries(limber_peers PRIVATE limber_bench_tasks)
  foreach(peer IN LISTS peers)
    string(TOUPPER ${peer} name)
    target_sources(limber_peers PRIVATE ${PROJECT_SOURCE_DIR}/bench/peers/${peer}.cpp)
    target_compile_definitions(limber_peers PRIVATE LIMBER_PEER_${name})
    target_link_libraries(limber_peers PRIVATE ${${peer}_libraries})
  endforeach()
  if(Simbody_FOUND)
    # The headers of Simbody 3.7 are ambiguous in C++20 and later; and some of its classes have members only without
    # NDEBUG, which Debian's library was compiled without.
    add_library(limber_simbody_tree OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/peers/simbody_tree.cpp)
    limber_own(limber_simbody_tree)
    set_target_properties(limber_simbody_tree PROPERTIES CXX_STANDARD 17)
    target_compile_options(limber_simbody_tree PRIVATE -UNDEBUG)
    target_include_directories(limber_simbody_tree PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
    target_include_directories(limber_simbody_tree SYSTEM PRIVATE ${Simbody_INCLUDE_DIR})
    target_link_libraries(limber_simbody_tree PRIVATE Eigen3::Eigen)
    target_sources(limber_peers PRIVATE $<TARGET_OBJECTS:limber_simbody_tree>)
  endif()
  target_include_directories(limber_peers SYSTEM PRIVATE ${orocos_kdl_INCLUDE_DIRS} ${NLOPT_INCLUDE_DIRS})
endif()
