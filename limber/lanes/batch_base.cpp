// For any machine.
#include "limber/lanes/batch.h"

namespace limber {

using Batch4 = BatchLoop<Lanes<float, 4>>;
using Check2 = BatchChecker<Lanes<double, 2>>;
constinit const BatchKernel batch_base{4, &Batch4::room, &Batch4::solve, &Check2::room, &Check2::check};

const BatchKernel* batch_kernel(int width) {
#if defined(__x86_64__) && defined(__GNUC__)
  const bool fuses = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = fuses && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  if (has_avx512 && (width == 0 || width == batch_avx512.width)) return &batch_avx512;
  if (fuses && (width == 0 || width == batch_avx2.width)) return &batch_avx2;
#endif
  return width == 0 || width == batch_base.width ? &batch_base : nullptr;
}

}  // namespace limber
