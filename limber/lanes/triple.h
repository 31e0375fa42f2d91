// Three numbers, and a frame of four such: its axes and its origin.
#pragma once

#include "limber/lanes/number.h"

namespace limber {

template <class Real>
struct Triple {
  Real v[3];

  LIMBER_ANYWHERE const Real& operator[](int axis) const { return v[axis]; }
  LIMBER_ANYWHERE Real& operator[](int axis) { return v[axis]; }
  LIMBER_ANYWHERE Triple operator-() const { return {-v[0], -v[1], -v[2]}; }
  LIMBER_ANYWHERE Triple& operator+=(const Triple& b) {
    for (int k = 0; k < 3; ++k) v[k] += b.v[k];
    return *this;
  }
  LIMBER_ANYWHERE Triple& operator-=(const Triple& b) {
    for (int k = 0; k < 3; ++k) v[k] -= b.v[k];
    return *this;
  }
  LIMBER_ANYWHERE friend Triple operator+(const Triple& a, const Triple& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }
  LIMBER_ANYWHERE friend Triple operator-(const Triple& a, const Triple& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  LIMBER_ANYWHERE friend Triple operator*(const Real& s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }
};

#ifdef __AVX2__
// In the room of four, so that they are added and multiplied together.
template <>
struct Triple<Avx2Double> {
  typedef double Vector __attribute__((vector_size(32)));
  Vector v;

  Triple() = default;
  Triple(double x, double y, double z) : v{x, y, z, 0.0} {}
  explicit Triple(const Vector& vector) : v(vector) {}
  Avx2Double operator[](int axis) const { return v[axis]; }
  Triple operator-() const { return Triple(-v); }
  Triple& operator+=(const Triple& b) {
    v += b.v;
    return *this;
  }
  Triple& operator-=(const Triple& b) {
    v -= b.v;
    return *this;
  }
  friend Triple operator+(const Triple& a, const Triple& b) { return Triple(a.v + b.v); }
  friend Triple operator-(const Triple& a, const Triple& b) { return Triple(a.v - b.v); }
  friend Triple operator*(Avx2Double s, const Triple& a) { return Triple(s.v * a.v); }
};

inline Triple<Avx2Double> cross(const Triple<Avx2Double>& a, const Triple<Avx2Double>& b) {
  using Vector = Triple<Avx2Double>::Vector;
  const Vector a_next = __builtin_shufflevector(a.v, a.v, 1, 2, 0, 3);
  const Vector b_next = __builtin_shufflevector(b.v, b.v, 1, 2, 0, 3);
  const Vector turned = a.v * b_next - a_next * b.v;
  return Triple<Avx2Double>(__builtin_shufflevector(turned, turned, 1, 2, 0, 3));
}

inline Avx2Double dot(const Triple<Avx2Double>& a, const Triple<Avx2Double>& b) {
  const Triple<Avx2Double>::Vector product = a.v * b.v;
  return product[0] + product[1] + product[2];
}

inline Triple<Avx2Double> select(bool where, const Triple<Avx2Double>& a, const Triple<Avx2Double>& b) {
  return where ? a : b;
}
#endif

template <class Mask, class Real>
LIMBER_ANYWHERE inline Triple<Real> select(const Mask& where, const Triple<Real>& a, const Triple<Real>& b) {
  return {select(where, a[0], b[0]), select(where, a[1], b[1]), select(where, a[2], b[2])};
}

template <class Real>
LIMBER_ANYWHERE inline Real dot(const Triple<Real>& a, const Triple<Real>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Real>
LIMBER_ANYWHERE inline Triple<Real> cross(const Triple<Real>& a, const Triple<Real>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class Real>
struct TripleFrame {
  Triple<Real> x, y, z, p;

  // The direction, or the point, with these coordinates.
  template <class T>
  LIMBER_ANYWHERE Triple<Real> direction(const T* local) const {
    return Real(local[0]) * x + Real(local[1]) * y + Real(local[2]) * z;
  }
  template <class T>
  LIMBER_ANYWHERE Triple<Real> point(const T* local) const {
    return p + direction(local);
  }
};

}  // namespace limber
