#include "limber/base/sine.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "limber/base/clones.h"

namespace limber {

LIMBER_CLONES void sines_and_cosines(const double* __restrict angles, int count, double* __restrict sines,
                                     double* __restrict cosines) {
  constexpr double quarter_1 = 0x1.921fb544p+0, quarter_2 = 0x1.0b4611a6p-34, quarter_3 = 0x1.3198a2e037073p-69;
  constexpr double quarters_per_radian = 0x1.45f306dc9c883p-1;
  constexpr double rounding_shift = 0x1.8p52;  // add and subtract to round; low bits of the sum: k
  constexpr double max_angle = 0x1p19;
  for (int i = 0; i < count; ++i) {
    const double x = angles[i], shifted = x * quarters_per_radian + rounding_shift, k = shifted - rounding_shift;
    const double r = ((x - k * quarter_1) - k * quarter_2) - k * quarter_3, t = r * r;
    double s = 1.0 / 355687428096000.0;  // 1 / 17!
    s = s * t - 1.0 / 1307674368000.0;
    s = s * t + 1.0 / 6227020800.0;
    s = s * t - 1.0 / 39916800.0;
    s = s * t + 1.0 / 362880.0;
    s = s * t - 1.0 / 5040.0;
    s = s * t + 1.0 / 120.0;
    s = s * t - 1.0 / 6.0;
    s = r + r * (t * s);
    double c = 1.0 / 20922789888000.0;  // 1 / 16!
    c = c * t - 1.0 / 87178291200.0;
    c = c * t + 1.0 / 479001600.0;
    c = c * t - 1.0 / 3628800.0;
    c = c * t + 1.0 / 40320.0;
    c = c * t - 1.0 / 720.0;
    c = c * t + 1.0 / 24.0;
    c = 1.0 - (0.5 * t - t * t * c);
    // Odd quarters exchange sine and cosine; two quarters change both signs.
    const auto bits = std::bit_cast<std::uint64_t>(shifted);
    const std::uint64_t odd = std::uint64_t{0} - (bits & 1);
    const std::uint64_t s_bits = std::bit_cast<std::uint64_t>(s), c_bits = std::bit_cast<std::uint64_t>(c);
    const std::uint64_t sine = (s_bits & ~odd) | (c_bits & odd), cosine = (c_bits & ~odd) | (s_bits & odd);
    sines[i] = std::bit_cast<double>(sine ^ ((bits & 2) << 62));
    cosines[i] = std::bit_cast<double>(cosine ^ (((bits + 1) & 2) << 62));
  }
  for (int i = 0; i < count; ++i)
    if (!(std::fabs(angles[i]) < max_angle)) {
      sines[i] = std::sin(angles[i]);
      cosines[i] = std::cos(angles[i]);
    }
}

}  // namespace limber
