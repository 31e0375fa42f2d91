// A small deterministic random generator (splitmix64, Steele, Lea and Flood 2014): the same seed gives the
// same numbers on every machine, which the standard library's distributions do not promise.
#pragma once

#include <cstdint>

#include "limber/base/vector.h"

namespace limber {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  double between(double lower, double upper) { return lower + (upper - lower) * unit(); }
  // Uniform over lower, ..., upper, both included.
  int integer(int lower, int upper) {
    return lower + static_cast<int>(bits() % static_cast<std::uint64_t>(upper - lower + 1));
  }
  bool chance(double probability) { return unit() < probability; }

  // Uniform on the unit sphere (Archimedes: height and longitude are independent).
  Vec3 direction() {
    const double z = between(-1.0, 1.0);
    const double angle = between(-pi, pi);
    const double r = std::sqrt(std::fmax(0.0, 1.0 - z * z));
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  Mat3 rotation() {
    const Vec3 axis = direction();  // first: a compiler may evaluate arguments in any order
    return limber::rotation(axis, between(-pi, pi));
  }

 private:
  std::uint64_t state_;
};

}  // namespace limber
