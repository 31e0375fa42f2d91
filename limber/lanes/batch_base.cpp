// For any machine.
#include "limber/lanes/batch.h"

namespace limber {

using Batch4 = BatchLoop<Lanes<float, 4>>;
using Check2 = BatchChecker<Lanes<double, 2>>;
constinit const BatchKernel batch_base{4, &Batch4::room, &Batch4::solve, &Check2::room, &Check2::check};

const BatchKernel& batch_kernel() {
#if defined(__x86_64__) && defined(__GNUC__)
  static const BatchKernel& best =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
          ? batch_avx512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? batch_avx2
                                                                        : batch_base;
  return best;
#else
  return batch_base;
#endif
}

}  // namespace limber
