// Which demands are in force when, with what goals: what a TimedProblem asks of single frames. Private to
// motion/timed/.
#pragma once

#include <memory>
#include <vector>

#include "limber/motion/timed/timed_problem.h"
#include "limber/problem/assembly.h"

namespace limber {

// A demand in a frame.
struct InForce {
  int demand = 0;
  std::size_t slot = 0;  // the constraint, by its place in the problem
  double activity = 1.0;
  int moving = -1;  // place among the goals that move; -1 for one that does not

  bool wholly() const { return activity >= 1.0; }
};

class Schedule {
 public:
  explicit Schedule(const TimedProblem& timed);

  const TimedProblem& timed() const { return timed_; }
  // All slots are enabled, whatever is in force.
  const Problem& problem() const { return problem_; }
  Assembly& assembly() { return *assembly_; }

  // A demand that holds takes where its handle is in this pose.
  void hold(int demand, const VecX& theta);
  // The demands in force at that time, the goals that move among them. Refused where such a goal is not one.
  Expected<void> in_force(double time, std::vector<InForce>& out);
  void forget_moving() { moving_.clear(); }

  // Sets the goals of the demands and starts the assembly with the pose.
  void place(const std::vector<InForce>& in_force, const VecX& theta, VecX& phi);

  // Of variables: g d.
  VecX stiffness(double guide) const;
  // What makes a square of the assembly's rows of a slot one of ‖r‖² / ℓ².
  double row_factor(std::size_t slot) const;

 private:
  const TimedProblem& timed_;
  Problem problem_;
  std::unique_ptr<Assembly> assembly_;
  std::vector<Goal> goals_;  // by demand
  std::vector<Goal> moving_;
};

}  // namespace limber
