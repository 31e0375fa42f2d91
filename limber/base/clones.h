// Functions compiled for several instruction sets; the loader picks the best at program start.
//
// Only loops over large arrays are worth it. Multiply and add are never fused (cmake/own.cmake), so every processor
// gives the same bits. The wide variant adds AVX-512, which pays only in long uninterrupted loops.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LIMBER_CLONES __attribute__((target_clones("avx2", "default")))
#define LIMBER_WIDE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LIMBER_CLONES
#define LIMBER_WIDE_CLONES
#endif
