// Links: the axes of a figure's degrees of freedom in a pose. kinematics/linkage.h defines the letters.
#pragma once

#include "limber/lanes/number.h"
#include "limber/lanes/triple.h"

namespace limber {

enum class Tilt : char { none, quarter, any };

template <class T>
struct LinkOf {
  int parent = -1;  // link, or -1 - b for the base b
  int freedom = 0;
  int subtree_end = 0;  // one past the last descendant of this link
  bool turns = true;
  bool is_shifted = false;
  bool is_spun = false;  // by ψ
  Tilt tilt = Tilt::none;
  T shift[3] = {0, 0, 0};        // t
  T cos_tilt = 1, sin_tilt = 0;  // of α
  T cos_spin = 1, sin_spin = 0;  // of ψ
  T offset = 0;                  // φ
  T cos_offset = 1, sin_offset = 0;
};

template <class Real>
LIMBER_ANYWHERE inline void turn(Triple<Real>& a, Triple<Real>& b, const Real& cosine, const Real& sine) {
  const Triple<Real> turned = cosine * a + sine * b;
  b = cosine * b - sine * a;
  a = turned;
}

// X_k of every link, for the freedoms q and the sines and cosines of q + φ, by link.
template <class Real, class T>
LIMBER_ANYWHERE __attribute__((always_inline)) inline void place_links(const LinkOf<T>* links, int count, const Real* q,
                                                                       const Real* sines, const Real* cosines,
                                                                       const TripleFrame<Real>* bases,
                                                                       TripleFrame<Real>* frames) {
  TripleFrame<Real> X;
  for (int k = 0; k < count; ++k) {
    const LinkOf<T>& link = links[k];
    if (k == 0 || link.parent != k - 1) X = link.parent >= 0 ? frames[link.parent] : bases[-1 - link.parent];
    if (link.is_shifted) X.p = X.point(link.shift);
    if (link.is_spun) turn(X.x, X.y, Real(link.cos_spin), Real(link.sin_spin));
    if (link.tilt == Tilt::quarter) {
      const Triple<Real> y = X.y;
      X.y = X.z;
      X.z = -y;
    } else if (link.tilt == Tilt::any) {
      turn(X.y, X.z, Real(link.cos_tilt), Real(link.sin_tilt));
    }
    if (link.turns) {
      turn(X.x, X.y, cosines[k], sines[k]);
    } else {
      X.p += q[k] * X.z;
      turn(X.x, X.y, Real(link.cos_offset), Real(link.sin_offset));
    }
    frames[k] = X;
  }
}

}  // namespace limber
