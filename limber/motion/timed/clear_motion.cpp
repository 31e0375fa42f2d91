#include "limber/motion/timed/clear_motion.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"

namespace limber {

namespace {

// A change that has faded to this, in radians or lengths of the figure, is none.
constexpr double faded = 1e-6;

Expected<void> is_clearable(const TimedProblem& problem, const Clip& given, const ClearMotionOptions& options) {
  const std::string motion = given.name.empty() ? "motion" : "motion '" + given.name + "'";
  const auto parameters = static_cast<Eigen::Index>(problem.figure().parameters().size());
  if (given.frames() == 0) return refuse(motion, "no frame", "at least one");
  if (given.poses.rows() != parameters || !given.poses.allFinite())
    return refuse(
        motion, "numbers that are none of the figure",
        std::to_string(parameters) + " finite numbers a frame, the parameters of '" + problem.figure().name() + "'");
  if (!(given.frame_time > 0.0 && std::isfinite(given.frame_time)))
    return refuse(motion, to_text(given.frame_time) + " s from frame to frame", "a number above 0");
  if (!(options.guide > 0.0 && std::isfinite(options.guide)))
    return refuse("guide", to_text(options.guide), "a finite number above 0");
  if (!(options.fade_time >= 0.0 && std::isfinite(options.fade_time)))
    return refuse("fade_time", to_text(options.fade_time) + " s", "a finite time, 0 or more");
  if (options.iterations < 0) return refuse("iterations", std::to_string(options.iterations), "0 or more");
  return {};
}

class Clearer {
 public:
  Clearer(const TimedProblem& timed, const Clip& given, const std::vector<Clearance>& clearances,
          const ClearMotionOptions& options)
      : timed_(timed), given_(given), clearances_(clearances), options_(options), out_{given, {}} {
    for (const Demand& demand : timed.demands()) out_.report.demands.push_back({.name = demand.name});
    for (const Clearance& clearance : clearances) obstacles_.emplace_back(clearance.obstacles);
  }

  Expected<ClearedMotion> run() {
    for (int k = 0; k < given_.frames(); ++k)
      if (const Expected<void> done = frame(k); !done) return std::unexpected(done.error());
    return std::move(out_);
  }

 private:
  // What is asked of a frame: the demands that are wholly in force, the pull, and what keeps clear.
  struct Asked {
    Problem problem;
    std::vector<int> demands = {};
  };

  Expected<Asked> ask(int k, const Pose& near) const {
    Asked asked{Problem(timed_.figure())};
    Problem& problem = asked.problem;
    for (std::size_t j = 0; j < timed_.problem().rigidities().size(); ++j)
      if (const double rigidity = timed_.problem().rigidities()[j]; rigidity > 0.0)
        if (Expected<void> set = problem.set_rigidity(timed_.figure().parameters()[j].name, rigidity); !set)
          return std::unexpected(set.error());
    const double time = k * given_.frame_time;
    for (std::size_t d = 0; d < timed_.demands().size(); ++d) {
      const Demand& demand = timed_.demands()[d];
      if (demand.span.activity(time) < 1.0) continue;
      const Constraint& slot = *timed_.problem().find(demand.slot);
      const Goal goal = demand.holds ? Goal(Hold{}) : demand.moving ? demand.moving(time) : demand.goal;
      if (Expected<ConstraintId> id =
              problem.add(slot.alternatives.front().handle, goal, {.weight = slot.weight, .name = demand.name});
          !id)
        return std::unexpected(id.error());
      asked.demands.push_back(static_cast<int>(d));
    }
    if (Expected<void> moves = let_all_move(problem); !moves) return std::unexpected(moves.error());
    const PosePull pull{near.theta, timed_.stiffness()};
    if (Expected<ConstraintId> id = problem.add_pull(pull, {.weight = options_.guide}); !id)
      return std::unexpected(id.error());
    for (const Clearance& clearance : clearances_)
      if (Expected<ConstraintId> id = problem.add_clearance(clearance); !id) return std::unexpected(id.error());
    return asked;
  }

  // A pull and a clearance move only what the chain of another constraint holds: here that is all that can be near.
  Expected<void> let_all_move(Problem& problem) const {
    std::vector<char> is_moved(timed_.figure().segments().size(), 0);
    for (const Clearance& clearance : clearances_)
      for (const SegmentCapsule& at : clearance.capsules) {
        if (at.segment < 0 || at.segment >= static_cast<int>(is_moved.size())) continue;  // refused later, by name
        if (is_moved[static_cast<std::size_t>(at.segment)]++) continue;
        const Expected<Handle> place =
            timed_.figure().point(timed_.figure().segments()[static_cast<std::size_t>(at.segment)].name);
        if (!place) continue;
        if (chain_of(timed_.figure(), *place, no_parent).empty()) continue;
        if (Expected<ConstraintId> id = problem.add(*place, Hold{}, {.weight = little}); !id)
          return std::unexpected(id.error());
      }
    return {};
  }

  bool is_clear(const VecX& theta) const {
    const Kinematics state = forward(timed_.figure(), Pose{theta});
    for (std::size_t c = 0; c < clearances_.size(); ++c)
      if (!overlaps(state, c).empty()) return false;
    return true;
  }

  Penetrations overlaps(const Kinematics& state, std::size_t c) const {
    const Clearance& clearance = clearances_[c];
    return penetrations(timed_.figure(), state, clearance.capsules, obstacles_[c], clearance.pairs, clearance.margin);
  }

  Expected<void> frame(int k) {
    Pose pose = given_.pose(k), near = pose;
    const double left = k == 0                     ? 0.0
                        : options_.fade_time > 0.0 ? std::exp(-given_.frame_time / options_.fade_time)
                                                   : 0.0;
    if (k > 0) near.theta += left * (out_.clip.poses.col(k - 1) - given_.poses.col(k - 1));
    const bool is_faded = is_small(near.theta - pose.theta);
    Expected<Asked> asked = ask(k, near);
    if (!asked) return std::unexpected(asked.error());
    Options how;
    how.met_metres = options_.met_metres;
    how.met_degrees = options_.met_degrees;
    how.iterations = is_faded && is_clear(pose.theta) ? 0 : options_.iterations;
    how.restarts = 0;  // another start would jump
    const Report report = solve(asked->problem, pose, how);
    if (report.refusal) return std::unexpected(*report.refusal);
    if (how.iterations > 0) ++out_.changed;
    out_.clip.poses.col(k) = pose.theta;
    take(k, *asked, report);
    return {};
  }

  void take(int k, const Asked& asked, const Report& report) {
    out_.report.variables = report.variables;
    out_.report.iterations += report.iterations;
    for (std::size_t i = 0; i < asked.demands.size(); ++i) {
      DemandReport& demand = out_.report.demands[static_cast<std::size_t>(asked.demands[i])];
      const Distance& left = report.constraints[i].left;
      const double slack = asked.problem.constraints()[i].must_hold() ? 1.0 : soft_slack;
      demand.take(k, left);
      demand.met = demand.met && left.metres.value_or(0.0) <= slack * options_.met_metres &&
                   degrees(left.radians.value_or(0.0)) <= slack * options_.met_degrees;
    }
    const Kinematics state = forward(timed_.figure(), out_.clip.pose(k));
    for (std::size_t c = 0; c < clearances_.size(); ++c)
      if (Penetrations found = overlaps(state, c); !found.empty()) out_.overlaps.push_back({k, std::move(found)});
  }

  bool is_small(const VecX& change) const {
    for (Eigen::Index j = 0; j < change.size(); ++j) {
      const Parameter& parameter = timed_.figure().parameters()[static_cast<std::size_t>(j)];
      if (std::fabs(change[j]) > faded * (parameter.translates ? timed_.figure().length() : 1.0)) return false;
    }
    return true;
  }

  // Of what only opens chains.
  static constexpr double little = 1e-9;

  const TimedProblem& timed_;
  const Clip& given_;
  const std::vector<Clearance>& clearances_;
  const ClearMotionOptions& options_;
  ClearedMotion out_;
  std::vector<Obstacles> obstacles_;
};

}  // namespace

Expected<ClearedMotion> clear_motion(const TimedProblem& problem, const Clip& given,
                                     const std::vector<Clearance>& clearances, const ClearMotionOptions& options) {
  if (const Expected<void> right = is_clearable(problem, given, options); !right) return std::unexpected(right.error());
  return Clearer(problem, given, clearances, options).run();
}

}  // namespace limber
