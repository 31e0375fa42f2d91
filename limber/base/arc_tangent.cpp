#include "limber/base/arc_tangent.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "limber/base/clones.h"

namespace limber {

namespace {

// All bits set if the condition holds. Selecting by bit mask, not by comparison, lets the compiler vectorize the loop.
using Mask = std::uint64_t;

inline Mask all_if(bool condition) { return Mask{0} - static_cast<Mask>(condition); }
// a > b, both non-negative.
inline Mask greater(double a, double b) {
  return all_if(std::bit_cast<std::int64_t>(a) > std::bit_cast<std::int64_t>(b));
}
inline Mask negative(double a) { return Mask{0} - (std::bit_cast<Mask>(a) >> 63); }
inline double choose(Mask mask, double a, double b) {
  return std::bit_cast<double>((std::bit_cast<Mask>(a) & mask) | (std::bit_cast<Mask>(b) & ~mask));
}

}  // namespace

LIMBER_CLONES void arc_tangents(const double* __restrict y, const double* __restrict x, int count,
                                double* __restrict angles) {
  constexpr double half_turn = std::numbers::pi, part = half_turn / 16.0;
  constexpr double tan_1 = 0.19891236737965800, tan_2 = 0.41421356237309505, tan_3 = 0.66817863791929892;
  // tan(π/32), tan(3π/32), …: the boundaries between the intervals of φ.
  constexpr double edge_1 = 0.0984914033571642, edge_2 = 0.3033466836073424, edge_3 = 0.5345111359507916,
                   edge_4 = 0.8206787908286602;
  constexpr double min_normal = 0x1p-1022;
  for (int i = 0; i < count; ++i) {
    const double across = std::fabs(x[i]), up = std::fabs(y[i]);
    const Mask steep = greater(up, across);
    const double n = choose(steep, across, up), d = choose(steep, up, across);
    const Mask m1 = greater(n, edge_1 * d), m2 = greater(n, edge_2 * d), m3 = greater(n, edge_3 * d),
               m4 = greater(n, edge_4 * d);
    const double tangent = choose(m4, 1.0, choose(m3, tan_3, choose(m2, tan_2, choose(m1, tan_1, 0.0))));
    const double base = choose(m4, 4.0 * part, choose(m3, 3.0 * part, choose(m2, 2.0 * part, choose(m1, part, 0.0))));
    const double divisor = d + n * tangent;
    const double r = (n - d * tangent) / choose(greater(divisor, 0.0), divisor, min_normal), t = r * r;
    double s = -1.0 / 19.0;
    s = s * t + 1.0 / 17.0;
    s = s * t - 1.0 / 15.0;
    s = s * t + 1.0 / 13.0;
    s = s * t - 1.0 / 11.0;
    s = s * t + 1.0 / 9.0;
    s = s * t - 1.0 / 7.0;
    s = s * t + 1.0 / 5.0;
    s = s * t - 1.0 / 3.0;
    const double eighth = base + (r + r * (t * s));
    const double quarter = choose(steep, 0.5 * half_turn - eighth, eighth);
    const double half = choose(negative(x[i]), half_turn - quarter, quarter);
    angles[i] = choose(negative(y[i]), -half, half);
  }
}

}  // namespace limber
