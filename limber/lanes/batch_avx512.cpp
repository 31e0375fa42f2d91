// For x86-64 with AVX-512; compiled for it (see CMakeLists.txt).
#include "limber/lanes/batch.h"

namespace limber {

using Batch16 = BatchLoop<Lanes<float, 16>>;
using Check8 = BatchChecker<Lanes<double, 8>>;
constinit const BatchKernel batch_avx512{16, &Batch16::room, &Batch16::solve, &Check8::room, &Check8::check};

}  // namespace limber
