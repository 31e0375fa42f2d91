// Which variables stay on their bounds for a step of all frames. Private to motion/timed/.
//
// A step solves M s = g for what is free; what is held on a bound feels the force g - M s at the end of it. It stays
// where its bound pushes back, and is let go where the bound would have to pull: the gradient at the beginning is no
// guide, since it is mostly that of locks which are a little off, and variables would take turns. What moves beyond a
// bound is cut off there and held in the next step. That is the method of primal and dual active sets (Hintermüller,
// Ito and Kunisch 2002), but for which of many frames counts.
#pragma once

#include <vector>

#include "limber/motion/timed/band.h"
#include "limber/program/limits.h"

namespace limber {

class ActiveBounds {
 public:
  // Frames that are kept do not move. `is_bent`: neighbouring frames move together.
  void start(const Limits& limits, const std::vector<char>& kept, bool is_bent, const MatX& phi, const MatX& gradient);

  // Holds in M what is kept and, of what is on a bound, that which the bound pushes back at, or all.
  enum class Stay { pushed, on_bound };
  void hold(const MatX& phi, Stay stay, Band& M) const;
  // Whether something on a bound is not pushed back.
  bool lets_go(const MatX& phi) const;
  // Where φ - s, not cut off yet, meets bounds that will push back.
  void meet(const MatX& phi, const MatX& step, const MatX& gradient, const BandRows& rows, const Band& M);

 private:
  bool is_on(const MatX& phi, int i, int k) const;
  bool is_pushed(const MatX& phi, double slope, int i, int k) const;

  const Limits* limits_ = nullptr;
  std::vector<char> kept_;
  bool is_bent_ = false;
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> pushed_;  // back by its bound, where it is on one
  std::vector<double> forces_;                                 // of what is held
};

}  // namespace limber
