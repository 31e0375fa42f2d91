// For x86-64 with AVX2; compiled for it (see CMakeLists.txt), and empty elsewhere.
#include "limber/base/sine.h"
#include "limber/lanes/quick.h"

namespace limber {

#ifdef __AVX2__

static void solo_sines(const Avx2Double* angles, int count, Avx2Double* sines, Avx2Double* cosines) {
  sines_and_cosines(&angles->v, count, &sines->v, &cosines->v);
}

using Avx2Loop = QuickLoop<PinMarquardt<Avx2Double, solo_sines>>;
constinit const QuickKernel quick_avx2{&Avx2Loop::room, &Avx2Loop::solve};

#else

constinit const QuickKernel quick_avx2{};

#endif

}  // namespace limber
