// The limits that an active-set method treats as equalities, and projection onto them.        ZB94 appendix, Goldfarb
// 1969
//
//   A = (a_1 … a_q), unit normals, linearly independent
//   N = (AᵀA)⁻¹, kept by recursion when a limit comes or goes, O(q²)
//   P = I - A N Aᵀ, the projection onto the directions along all limits of the set
#pragma once

#include <vector>

#include "limber/program/limits.h"

namespace limber {

class WorkingSet {
 public:
  void reserve(const Limits& limits);
  void clear();

  int size() const { return static_cast<int>(members_.size()); }
  int member(int place) const { return members_[place]; }
  bool contains(int limit) const { return in_set_[limit] != 0; }
  // N_ii = 1 / ‖P' a_i‖², where P' is the projection for the other members.
  double diagonal(int place) const { return N_(place, place); }

  // Adds a limit; false (and nothing changes) where its normal depends on the members'.
  // DEVIATION: the paper assumes independence; duplicate and redundant rows occur, so it is enforced here.
  bool add(const Limits& limits, int limit);
  void remove(const Limits& limits, int place);

  // α = N Aᵀ g.                                                                                ZB94 Step 2
  void multipliers(const Limits& limits, const VecX& g, VecX& alpha) const;
  // y ← P y, and exactly 0 where a bound of the set fixes an entry.
  void project(const Limits& limits, VecX& y);

 private:
  bool border(const Limits& limits, int limit, int q);
  void refresh(const Limits& limits);

  std::vector<int> members_;
  std::vector<char> in_set_;
  MatX N_;
  VecX v_, w_, Pa_;
  int changes_ = 0;
};

}  // namespace limber
