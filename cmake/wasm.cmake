# The toolchain for WebAssembly: Debian's clang 22 with its wasm32-wasi libraries. A toolchain file; preset "wasm" uses it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Debian's folders do not use the target's newer name yet.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -Wno-deprecated")
