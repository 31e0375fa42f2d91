// Our objective, residuals and derivatives as general optimizers take them.
//
// It remembers the best point that an optimizer has asked about, and sees at once when one meets the goals: an
// optimizer need not polish what is good enough.
#pragma once

#include "bench/peers/peers.h"
#include "bench/peers/starts.h"
#include "limber/problem/assembly.h"

namespace limber::peers {

class Program {
 public:
  Program(const Problem& problem, const Terms& terms);

  int variables() const { return assembly_.variables(); }
  int residuals() const { return assembly_.residuals(); }
  const Limits& limits() const { return assembly_.limits(); }

  void begin(const Pose& pose, Clock::time_point deadline);
  // phi ← the next start. False where there is no use or no time for one.
  bool next_start(VecX& phi);
  bool is_over() const { return met_ || Clock::now() >= deadline_; }
  // The best point of all starts.
  void finish(Pose& pose) const { assembly_.theta_of(best_, pose.theta); }

  double value(const VecX& phi, VecX& gradient);
  void residual(const VecX& phi, VecX& r);
  void jacobian(const VecX& phi, MatX& J) { assembly_.jacobian(phi, J); }

 private:
  void note(const VecX& phi, double value);

  const Problem& problem_;
  Terms terms_;
  Assembly assembly_;
  Starts starts_;
  Clock::time_point deadline_ = {};
  VecX best_;
  double best_value_ = infinity;
  bool met_ = false;
};

}  // namespace limber::peers
