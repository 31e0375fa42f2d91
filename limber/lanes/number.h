// Scalars and vectors of numbers behind one interface: code written for Real runs on a double, or on one problem per
// lane.
//
// Lanes<T, W> are W numbers that are added, multiplied and compared together, by the vector types of GCC and clang:
// one source for every kind of processor. A comparison gives a Mask, a lane of which is all ones or zero.
//
// Code that includes this header is compiled several times into one program, once per instruction set. Functions of
// different instruction sets must not be merged by the linker: so this header includes nothing of the library, every
// template has a Real among its parameters, each instruction set has its own lane widths, and all else is static.
#pragma once

#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

// For functions that are also compiled for a GPU, by nvcc.
#ifdef __CUDACC__
#define LIMBER_ANYWHERE __host__ __device__
#else
#define LIMBER_ANYWHERE
#endif

namespace limber {

template <class T>
struct IntegerOf;
template <>
struct IntegerOf<float> {
  using type = std::int32_t;
};
template <>
struct IntegerOf<double> {
  using type = std::int64_t;
};

#ifndef __CUDACC__
template <class T, int W>
struct Lanes {
  using Scalar = T;
  using Integer = typename IntegerOf<T>::type;
  static constexpr int width = W;
  typedef T Vector __attribute__((vector_size(W * sizeof(T))));
  typedef Integer Mask __attribute__((vector_size(W * sizeof(T))));

  Vector v;

  Lanes() = default;
  Lanes(T all) : v(Vector{} + all) {}  // NOLINT: implicit on purpose
  explicit Lanes(const Vector& vector) : v(vector) {}

  T operator[](int lane) const { return v[lane]; }
  void set(int lane, T value) { v[lane] = value; }

  Lanes operator-() const { return Lanes(-v); }
  Lanes& operator+=(const Lanes& b) {
    v += b.v;
    return *this;
  }
  Lanes& operator-=(const Lanes& b) {
    v -= b.v;
    return *this;
  }
  Lanes& operator*=(const Lanes& b) {
    v *= b.v;
    return *this;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  friend Mask operator<(const Lanes& a, const Lanes& b) { return a.v < b.v; }
  friend Mask operator>(const Lanes& a, const Lanes& b) { return a.v > b.v; }
  friend Mask operator<=(const Lanes& a, const Lanes& b) { return a.v <= b.v; }
  friend Mask operator>=(const Lanes& a, const Lanes& b) { return a.v >= b.v; }

  friend Lanes select(const Mask& where, const Lanes& a, const Lanes& b) { return Lanes(where ? a.v : b.v); }
  friend bool any(const Mask& mask, const Lanes&) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Mask) == 64) return _mm512_test_epi32_mask(__m512i(mask), __m512i(mask)) != 0;
#elif defined(__AVX2__)
    if constexpr (sizeof(Mask) == 32) return _mm256_testz_si256(__m256i(mask), __m256i(mask)) == 0;
#endif
    Integer all = 0;
    for (int k = 0; k < W; ++k) all |= mask[k];
    return all != 0;
  }
  friend Lanes square_root(const Lanes& a) {
    Lanes result;
    for (int k = 0; k < W; ++k)
      if constexpr (sizeof(T) == 4)
        result.v[k] = __builtin_sqrtf(a.v[k]);
      else
        result.v[k] = __builtin_sqrt(a.v[k]);
    return result;
  }
};
#else
template <class T, int W>
struct Lanes;
#endif

// One problem at a time, as a GPU's thread sees it.
template <class T>
struct Lanes<T, 1> {
  using Scalar = T;
  using Mask = bool;
  static constexpr int width = 1;

  T v;

  Lanes() = default;
  LIMBER_ANYWHERE Lanes(T value) : v(value) {}  // NOLINT: implicit on purpose
  LIMBER_ANYWHERE T operator[](int) const { return v; }
  LIMBER_ANYWHERE void set(int, T value) { v = value; }

  LIMBER_ANYWHERE Lanes operator-() const { return Lanes(-v); }
  LIMBER_ANYWHERE Lanes& operator+=(const Lanes& b) {
    v += b.v;
    return *this;
  }
  LIMBER_ANYWHERE Lanes& operator-=(const Lanes& b) {
    v -= b.v;
    return *this;
  }
  LIMBER_ANYWHERE friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  LIMBER_ANYWHERE friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  LIMBER_ANYWHERE friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
  LIMBER_ANYWHERE friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.v / b.v); }
  LIMBER_ANYWHERE friend bool operator<(const Lanes& a, const Lanes& b) { return a.v < b.v; }
  LIMBER_ANYWHERE friend bool operator>(const Lanes& a, const Lanes& b) { return a.v > b.v; }
  LIMBER_ANYWHERE friend bool operator<=(const Lanes& a, const Lanes& b) { return a.v <= b.v; }
  LIMBER_ANYWHERE friend bool operator>=(const Lanes& a, const Lanes& b) { return a.v >= b.v; }

  LIMBER_ANYWHERE friend Lanes select(bool where, const Lanes& a, const Lanes& b) { return where ? a : b; }
  LIMBER_ANYWHERE friend bool any(bool mask, const Lanes&) { return mask; }
  LIMBER_ANYWHERE friend Lanes square_root(const Lanes& a) {
    if constexpr (sizeof(T) == 4)
      return __builtin_sqrtf(a.v);
    else
      return __builtin_sqrt(a.v);
  }
};

#ifdef __AVX2__
// A double, for code compiled for AVX2, where a Triple of it is one vector (triple.h).
struct Avx2Double {
  double v;

  Avx2Double() = default;
  Avx2Double(double value) : v(value) {}  // NOLINT: implicit on purpose
  operator double() const { return v; }   // NOLINT
  Avx2Double& operator+=(double b) {
    v += b;
    return *this;
  }
  Avx2Double& operator-=(double b) {
    v -= b;
    return *this;
  }
};
#endif

// is_single: one problem, not one per lane. Wide is the type used to traverse an array of Real: several at a time if
// Real is a single number.
template <class Real>
struct NumberOf {
  using Scalar = typename Real::Scalar;
  using Mask = typename Real::Mask;
  using Wide = Real;
  static constexpr bool is_single = false;
};
template <>
struct NumberOf<double> {
  using Scalar = double;
  using Mask = bool;
  using Wide = double;
  static constexpr bool is_single = true;
};

#ifdef __AVX2__
template <>
struct NumberOf<Avx2Double> {
  using Scalar = double;
  using Mask = bool;
  using Wide = Lanes<double, 4>;
  static constexpr bool is_single = true;
};
static inline Avx2Double select(bool where, Avx2Double a, Avx2Double b) { return where ? a : b; }
static inline bool any(bool mask, Avx2Double) { return mask; }
static inline Avx2Double square_root(Avx2Double a) { return __builtin_sqrt(a.v); }
#endif

LIMBER_ANYWHERE static inline double select(bool where, double a, double b) { return where ? a : b; }
LIMBER_ANYWHERE static inline bool any(bool mask, double) { return mask; }
LIMBER_ANYWHERE static inline double square_root(double a) { return __builtin_sqrt(a); }
LIMBER_ANYWHERE static inline bool both(bool a, bool b) { return a & b; }
LIMBER_ANYWHERE static inline bool either(bool a, bool b) { return a | b; }
LIMBER_ANYWHERE static inline bool opposite(bool a) { return !a; }
template <class Mask>
LIMBER_ANYWHERE static inline Mask both(const Mask& a, const Mask& b) {
  return a & b;
}
template <class Mask>
LIMBER_ANYWHERE static inline Mask either(const Mask& a, const Mask& b) {
  return a | b;
}
template <class Mask>
LIMBER_ANYWHERE static inline Mask opposite(const Mask& a) {
  return ~a;
}

template <class Real>
LIMBER_ANYWHERE inline Real smaller(const Real& a, const Real& b) {
  return select(a < b, a, b);
}
template <class Real>
LIMBER_ANYWHERE inline Real larger(const Real& a, const Real& b) {
  return select(a > b, a, b);
}

// Loads and stores Wide at `at`.
template <class Wide, class Real>
LIMBER_ANYWHERE inline Wide wide_at(const Real* at) {
  Wide result;
  __builtin_memcpy(&result, at, sizeof(Wide));
  return result;
}
template <class Wide, class Real>
LIMBER_ANYWHERE inline void put_wide(const Wide& value, Real* at) {
  __builtin_memcpy(at, &value, sizeof(Wide));
}

// The max over Wide, as Real.
template <class Real, class Wide>
LIMBER_ANYWHERE inline Real max_in(const Wide& wide) {
  if constexpr (sizeof(Wide) == sizeof(Real)) {
    return wide;
  } else {
    Real result = wide[0];
    for (int k = 1; k < Wide::width; ++k) result = larger(result, Real(wide[k]));
    return result;
  }
}

}  // namespace limber
