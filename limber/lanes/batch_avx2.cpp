// For x86-64 with AVX2; compiled for it (see CMakeLists.txt).
#include "limber/lanes/batch.h"

namespace limber {

using Batch8 = BatchLoop<Lanes<float, 8>>;
using Check4 = BatchChecker<Lanes<double, 4>>;
constinit const BatchKernel batch_avx2{8, &Batch8::room, &Batch8::solve, &Check4::room, &Check4::check};

}  // namespace limber
