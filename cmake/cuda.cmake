# liblimber_cuda.so, which the library loads at run time for batches on a GPU (doc/gpu.md).
#
# nvcc is found on the PATH, in the folder of CUDA_PATH or CUDA_HOME, or in LIMBER_CUDA_ROOT: a CUDA toolkit, or the folder
# nvidia/cu13 of the Python packages nvidia-cuda-nvcc, nvidia-nvvm, nvidia-cuda-crt and nvidia-cuda-runtime. No GPU is needed.

set(LIMBER_CUDA_ROOT "" CACHE PATH "The folder of the CUDA toolkit")
set(LIMBER_CUDA_ARCHITECTURES 80 90 100 CACHE STRING "The GPUs to compile for: their compute capabilities")

find_program(LIMBER_NVCC nvcc HINTS ${LIMBER_CUDA_ROOT} ENV CUDA_PATH ENV CUDA_HOME PATH_SUFFIXES bin)
mark_as_advanced(LIMBER_NVCC)
if(NOT LIMBER_NVCC)
  message(FATAL_ERROR "LIMBER_CUDA is on, but there is no nvcc; expected it on the PATH or in LIMBER_CUDA_ROOT")
endif()
cmake_path(GET LIMBER_NVCC PARENT_PATH nvcc_folder)
cmake_path(GET nvcc_folder PARENT_PATH cuda_root)

# Machine code for each kind, and portable code for later ones.
foreach(architecture IN LISTS LIMBER_CUDA_ARCHITECTURES)
  list(APPEND cuda_codes -gencode arch=compute_${architecture},code=sm_${architecture})
  set(last_architecture ${architecture})
endforeach()
list(APPEND cuda_codes -gencode arch=compute_${last_architecture},code=compute_${last_architecture})

set(cuda_module ${PROJECT_BINARY_DIR}/${CMAKE_SHARED_LIBRARY_PREFIX}limber_cuda${CMAKE_SHARED_LIBRARY_SUFFIX})
set(cuda_source ${PROJECT_SOURCE_DIR}/limber/cuda/module.cu)
add_custom_command(
  OUTPUT ${cuda_module}
  COMMAND ${LIMBER_NVCC} -std=c++20 -O3 --use_fast_math ${cuda_codes} -I${PROJECT_SOURCE_DIR} -L${cuda_root}/lib
          -ccbin ${CMAKE_CXX_COMPILER} -Xcompiler=-fPIC,-fvisibility=hidden -cudart static -shared -MD -MF
          ${cuda_module}.d -o ${cuda_module} ${cuda_source}
  DEPENDS ${cuda_source}
  DEPFILE ${cuda_module}.d
  COMMENT "Compiling for GPUs"
  VERBATIM)
add_custom_target(limber_cuda ALL DEPENDS ${cuda_module})
install(FILES ${cuda_module} DESTINATION ${CMAKE_INSTALL_LIBDIR})
