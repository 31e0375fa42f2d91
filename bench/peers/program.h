// Our objective, residuals and derivatives as general optimizers need them.
//
// It stores the best point that an optimizer has evaluated, and notices at once when one meets the goals, so that an
// optimizer can stop there.
#pragma once

#include "bench/peers/peers.h"
#include "bench/peers/starts.h"
#include "limber/problem/assembly.h"

namespace limber::peers {

class Program {
 public:
  Program(const Problem& problem, const Criteria& criteria);

  int variables() const { return assembly_.variables(); }
  int residuals() const { return assembly_.residuals(); }
  const Limits& limits() const { return assembly_.limits(); }

  void begin(const Pose& pose, Clock::time_point deadline);
  // phi ← the next start. False if the goals are met or the time is over.
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
  Criteria criteria_;
  Assembly assembly_;
  Starts starts_;
  Clock::time_point deadline_ = {};
  VecX best_;
  double best_value_ = infinity;
  bool met_ = false;
};

}  // namespace limber::peers
