// Functions that are compiled for more than one kind of processor, of which the program takes the best when it starts.
//
// Only loops over many numbers are worth it. Multiplications and additions are never fused (cmake/own.cmake), so that
// every kind of processor gives the same bits. Wide ones also for the widest vectors: they pay where nothing else is
// done for long.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LIMBER_CLONES __attribute__((target_clones("avx2", "default")))
#define LIMBER_WIDE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LIMBER_CLONES
#define LIMBER_WIDE_CLONES
#endif
