// The active demands of each frame, with their goals. Private to motion/timed/.
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
  std::size_t slot = 0;  // index of the constraint in the problem
  double activity = 1.0;
  int moving = -1;  // index among the moving goals, or -1

  bool is_full() const { return activity >= 1.0; }
};

class Schedule {
 public:
  explicit Schedule(const TimedProblem& timed);

  const TimedProblem& timed() const { return timed_; }
  // All slots are enabled, whether active or not.
  const Problem& problem() const { return problem_; }
  Assembly& assembly() { return *assembly_; }

  // A Hold demand takes its goal from the handle in this pose.
  void hold(int demand, const VecX& theta);
  // All Hold demands take their goals from the motion: in the frame where their spans begin, or in the first frame with
  // any activity.
  enum class HoldAt { span_start, first_activity };
  void hold(const Clip& given, HoldAt when);
  // Only these demands are ever active, by number; empty: all.
  void limit_to(std::vector<char> demands) { only_ = std::move(demands); }
  // The active demands at that time, with their moving goals. Rejected if such a goal is invalid.
  Expected<void> active(double time, std::vector<ActiveDemand>& out);
  void forget_moving() { moving_.clear(); }
  const Goal& goal_of(const ActiveDemand& entry) const {
    return entry.moving >= 0 ? moving_[static_cast<std::size_t>(entry.moving)]
                             : goals_[static_cast<std::size_t>(entry.demand)];
  }

  // Sets the goals of the demands and starts the assembly with the pose.
  void place(const std::vector<ActiveDemand>& active, const VecX& theta, VecX& phi);

  // A report on all demands: before any frame; after each frame, the errors of fully active demands, for a pose within
  // all limits; at the end, whether the demands are met.
  void begin_report(MotionReport& report) const;
  void report_frame(int frame, const std::vector<ActiveDemand>& active, const VecX& theta, MotionReport& report);
  void end_report(double met_metres, double met_degrees, MotionReport& report) const;
  // Whether the fully active hard demands hold in a pose within all limits.
  bool holds(const std::vector<ActiveDemand>& active, const VecX& theta, double met_metres, double met_degrees);

  // g d, by variable.
  VecX stiffness(double guide) const;
  // Factor from the squared rows of a slot in the assembly to ‖r‖² / ℓ².
  double row_factor(std::size_t slot) const;

 private:
  const TimedProblem& timed_;
  Problem problem_;
  std::unique_ptr<Assembly> assembly_;
  std::vector<Goal> goals_;  // by demand
  std::vector<Goal> moving_;
  std::vector<char> only_;  // see limit_to()
  VecX phi_;                // of the reported frame
};

}  // namespace limber
