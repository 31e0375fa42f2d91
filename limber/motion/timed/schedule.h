// Which demands are in force when, with what goals: what a TimedProblem asks of single frames. Private to
// motion/timed/.
#pragma once

#include <memory>
#include <vector>

#include "limber/motion/clip.h"
#include "limber/motion/timed/timed_problem.h"
#include "limber/problem/assembly.h"

namespace limber {

struct MotionReport;

// A demand in a frame.
struct ActiveDemand {
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
  // All that hold, where their handles are in that motion: in the frame in which their spans begin, or in the first one
  // in which they are in force at all.
  enum class Held { when_wholly, when_first };
  void hold(const Clip& given, Held when);
  // The demands in force at that time, the goals that move among them. Rejected where such a goal is not one.
  Expected<void> active(double time, std::vector<ActiveDemand>& out);
  void forget_moving() { moving_.clear(); }
  const Goal& goal_of(const ActiveDemand& entry) const {
    return entry.moving >= 0 ? moving_[static_cast<std::size_t>(entry.moving)]
                             : goals_[static_cast<std::size_t>(entry.demand)];
  }

  // Sets the goals of the demands and starts the assembly with the pose.
  void place(const std::vector<ActiveDemand>& active, const VecX& theta, VecX& phi);

  // A report on all demands, before any frame; what is left of those that are wholly in force in a frame, whose pose
  // keeps all limits; and whether that is met.
  void begin_report(MotionReport& report) const;
  void report_frame(int frame, const std::vector<ActiveDemand>& active, const VecX& theta, MotionReport& report);
  void end_report(double met_metres, double met_degrees, MotionReport& report) const;

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
  VecX phi_;  // of the frame that is reported
};

}  // namespace limber
