// Sines and cosines in every lane, without a branch.
//
// An angle is a whole number k of quarter turns and a rest r within an eighth of a turn. The quarter turn is kept as
// three numbers, so that k times the first two is exact for all angles that a joint has (Cody and Waite 1980). On r the
// series of Taylor end within rounding. For doubles see base/sine.h.
#pragma once

#include "limber/lanes/number.h"

namespace limber {

template <class T>
struct SineSeries;

template <>
struct SineSeries<float> {
  static constexpr float quarter[3] = {0x1.92p+0F, 0x1.fb4p-12F, 0x1.4442d2p-24F};
  static constexpr float to_whole = 0x1.8p23F;  // added and taken away again it rounds; in between the last bits are k
  static constexpr int terms = 4;
  static constexpr int sign_shift = 30;
};

template <>
struct SineSeries<double> {
  static constexpr double quarter[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  static constexpr double to_whole = 0x1.8p52;
  static constexpr int terms = 8;
  static constexpr int sign_shift = 62;
};

#ifndef __CUDACC__
// For lanes; angles below 2^19 (2^11 for single precision) quarter turns.
template <class T, int W>
inline void sine_and_cosine(const Lanes<T, W>& x, Lanes<T, W>& sine, Lanes<T, W>& cosine) {
  using Real = Lanes<T, W>;
  using Mask = typename Real::Mask;
  using Series = SineSeries<T>;
  constexpr T quarters_a_radian = T(0x1.45f306dc9c883p-1);
  const Real shifted = x * Real(quarters_a_radian) + Real(Series::to_whole), k = shifted - Real(Series::to_whole);
  const Real r = ((x - k * Real(Series::quarter[0])) - k * Real(Series::quarter[1])) - k * Real(Series::quarter[2]);
  const Real t = r * r;
  // Σ (-1)^j t^j / (2j + 1)!, and the same with (2j)!, from the last term on.
  Real s(T(1)), c(T(1));
  for (int j = Series::terms; j >= 1; --j) {
    const T odd = T(1) / T((2 * j) * (2 * j + 1)), even = T(1) / T((2 * j - 1) * (2 * j));
    s = Real(T(1)) - (t * s) * Real(odd);
    c = Real(T(1)) - (t * c) * Real(even);
  }
  s = r * s;
  // Odd quarters exchange sine and cosine; two quarters change both signs.
  const Mask bits = __builtin_bit_cast(Mask, shifted.v);
  const Mask odd = -(bits & 1);
  const Mask s_bits = __builtin_bit_cast(Mask, s.v), c_bits = __builtin_bit_cast(Mask, c.v);
  const Mask sine_bits = ((s_bits & ~odd) | (c_bits & odd)) ^ ((bits & 2) << Series::sign_shift);
  const Mask cosine_bits = ((c_bits & ~odd) | (s_bits & odd)) ^ (((bits + 1) & 2) << Series::sign_shift);
  sine.v = __builtin_bit_cast(typename Real::Vector, sine_bits);
  cosine.v = __builtin_bit_cast(typename Real::Vector, cosine_bits);
}
#endif

// For one number: of the C library; in single precision on a GPU, of its own unit, which is exact to 5e-7 in a turn.
LIMBER_ANYWHERE inline void sine_and_cosine(double x, double& sine, double& cosine) {
#ifdef __CUDA_ARCH__
  sincos(x, &sine, &cosine);
#else
  sine = __builtin_sin(x);
  cosine = __builtin_cos(x);
#endif
}

LIMBER_ANYWHERE inline void sine_and_cosine(float x, float& sine, float& cosine) {
#ifdef __CUDA_ARCH__
  constexpr float turn_high = 0x1.921fb6p+2F, turn_low = -0x1.777a5cp-23F, turns_a_radian = 0x1.45f306p-3F;
  const float turns = rintf(x * turns_a_radian);
  __sincosf(fmaf(-turns, turn_low, fmaf(-turns, turn_high, x)), &sine, &cosine);
#else
  sine = __builtin_sinf(x);
  cosine = __builtin_cosf(x);
#endif
}

template <class T>
LIMBER_ANYWHERE inline void sine_and_cosine(const Lanes<T, 1>& x, Lanes<T, 1>& sine, Lanes<T, 1>& cosine) {
  sine_and_cosine(x.v, sine.v, cosine.v);
}

}  // namespace limber
