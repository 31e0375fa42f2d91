// For any machine.
#include "limber/base/sine.h"
#include "limber/lanes/quick.h"

namespace limber {

using BaseLoop = QuickLoop<PinMarquardt<double, sines_and_cosines>>;
constinit const QuickKernel quick_base{&BaseLoop::room, &BaseLoop::solve};

const QuickKernel& quick_kernel() {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return quick_avx2;
#endif
  return quick_base;
}

}  // namespace limber
