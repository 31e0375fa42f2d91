#include <algorithm>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/alternatives.h"
#include "limber/motion/timed/schedule.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/problem/figure_limits.h"
#include "limber/solver/solve.h"

namespace limber {

namespace {

// A smaller change has faded away, in radians or relative to the figure's length.
constexpr double faded = 1e-6;

Expected<void> is_motion_of(const Figure& figure, const Clip& clip) {
  const std::string motion = clip.name.empty() ? "motion" : "motion '" + clip.name + "'";
  const auto parameters = static_cast<Eigen::Index>(figure.parameters().size());
  if (clip.frames() == 0) return reject(motion, "no frame", "at least one");
  if (clip.poses.rows() != parameters || !clip.poses.allFinite())
    return reject(motion, "poses that do not fit the figure",
                  std::to_string(parameters) + " finite numbers per frame, the parameters of '" + figure.name() + "'");
  if (!(clip.frame_time > 0.0 && std::isfinite(clip.frame_time)))
    return reject(motion, to_text(clip.frame_time) + " s per frame", "a number above 0");
  return {};
}

Expected<void> is_clearable(const TimedProblem& problem, const Clip& given, const ClearMotionOptions& options) {
  if (const Expected<void> valid = is_motion_of(problem.figure(), given); !valid) return valid;
  if (!(options.guide > 0.0 && std::isfinite(options.guide)))
    return reject("guide", to_text(options.guide), "a finite number above 0");
  if (!(options.fade_time >= 0.0 && std::isfinite(options.fade_time)))
    return reject("fade_time", to_text(options.fade_time) + " s", "a finite time, 0 or more");
  if (options.iterations < 0) return reject("iterations", std::to_string(options.iterations), "0 or more");
  if (!(options.met_metres >= 0.0)) return reject("met_metres", to_text(options.met_metres), "0 or more");
  if (!(options.met_degrees >= 0.0)) return reject("met_degrees", to_text(options.met_degrees), "0 or more");
  if (!options.hold_reference) return {};
  const Clip& reference = *options.hold_reference;
  if (const Expected<void> valid = is_motion_of(problem.figure(), reference); !valid)
    return reject("hold_reference: " + valid.error().where, valid.error().found, valid.error().expected);
  if (reference.frames() != given.frames() || reference.frame_time != given.frame_time)
    return reject("hold_reference",
                  std::to_string(reference.frames()) + " frames of " + to_text(reference.frame_time) + " s",
                  std::to_string(given.frames()) + " of " + to_text(given.frame_time) + " s, as in the given motion");
  return {};
}

class Clearer {
 public:
  Clearer(const TimedProblem& timed, const Clip& given, const std::vector<Clearance>& clearances,
          const ClearMotionOptions& options)
      : timed_(timed),
        given_(given),
        clearances_(clearances),
        options_(options),
        schedule_(timed),
        problem_(timed.problem()),
        solver_(problem_) {}

  Expected<ClearedMotion> run() {
    if (const Expected<void> ready = prepare(); !ready) return std::unexpected(ready.error());
    for (int k = 0; k < given_.frames(); ++k)
      if (const Expected<void> done = frame(k); !done) return std::unexpected(done.error());
    schedule_.end_report(options_.met_metres, options_.met_degrees, out_.report);
    return std::move(out_);
  }

 private:
  // The problem of all frames: every demand, the pull, and the clearance constraints.
  Expected<void> prepare() {
    if (Expected<void> moves = let_all_move(); !moves) return moves;
    const Expected<ConstraintId> pull =
        problem_.add_pull(PullByStiffness{given_.poses.col(0), timed_.stiffness()}, {.weight = options_.guide});
    if (!pull) return std::unexpected(pull.error());
    pull_ = *pull;
    for (const Clearance& clearance : clearances_) {
      if (Expected<ConstraintId> id = problem_.add_clearance(clearance); !id) return std::unexpected(id.error());
      obstacles_.emplace_back(clearance.obstacles);
    }
    schedule_.hold(options_.hold_reference ? *options_.hold_reference : given_,
                   options_.hold_at_first_activity ? Schedule::HoldAt::first_activity : Schedule::HoldAt::span_start);
    schedule_.begin_report(out_.report);
    out_.report.variables = Assembly(problem_).variables();
    out_.clip = given_;
    return {};
  }

  // A pull or a clearance moves only joints in the chain of another constraint: add all that carry a capsule.
  Expected<void> let_all_move() {
    std::vector<char> is_moved(timed_.figure().segments().size(), 0);
    for (const Clearance& clearance : clearances_)
      for (const SegmentCapsule& capsule : clearance.capsules) {
        if (capsule.segment < 0 || capsule.segment >= static_cast<int>(is_moved.size())) continue;  // rejected later
        if (is_moved[static_cast<std::size_t>(capsule.segment)]++) continue;
        const Expected<Handle> place =
            timed_.figure().point(timed_.figure().segments()[static_cast<std::size_t>(capsule.segment)].name);
        if (!place) continue;
        if (chain_of(timed_.figure(), *place, no_parent).empty()) continue;
        if (Expected<ConstraintId> id = problem_.add(*place, Hold{}, {.weight = chain_weight}); !id)
          return std::unexpected(id.error());
      }
    return {};
  }

  Expected<void> frame(int k) {
    schedule_.forget_moving();
    if (const Expected<void> known = schedule_.active(k * given_.frame_time, active_); !known) return known;
    VecX theta = given_.poses.col(k);
    limits_.project(theta);
    Pose pose{theta};
    if (k > 0 && options_.fade_time > 0.0) pose.theta += std::exp(-given_.frame_time / options_.fade_time) * change_;
    Penetrations found = overlaps(theta);
    if (is_small(pose.theta - theta) && found.empty()) {
      pose.theta = theta;
    } else {
      if (const Expected<void> solved = clear(pose); !solved) return solved;
      found = overlaps(pose.theta);
    }
    change_ = pose.theta - theta;
    if (pose.theta != given_.poses.col(k)) ++out_.changed;
    out_.clip.poses.col(k) = pose.theta;
    schedule_.report_frame(k, active_, pose.theta, out_.report);
    if (!found.empty()) out_.overlaps.push_back({k, std::move(found)});
    return {};
  }

  // The pose near this one that satisfies the clearances and the fully active demands.
  Expected<void> clear(Pose& pose) {
    for (std::size_t slot = 0; slot < timed_.problem().constraints().size(); ++slot) {
      const ConstraintId id = problem_.constraints()[slot].id;
      const auto entry = std::ranges::find_if(
          active_, [&](const ActiveDemand& demand) { return demand.slot == slot && demand.is_full(); });
      if (entry != active_.end())
        if (Expected<void> set = problem_.set_goal(id, schedule_.goal_of(*entry)); !set) return set;
      if (Expected<void> set = problem_.set_enabled(id, entry != active_.end()); !set) return set;
    }
    if (Expected<void> set = problem_.set_pull(pull_, pose.theta); !set) return set;
    Options options;
    options.iterations = options_.iterations;
    options.restarts = 0;  // a restart would jump
    const Report& report = solver_.solve(pose, options);
    if (report.rejection) return std::unexpected(*report.rejection);
    out_.report.iterations += report.iterations;
    return {};
  }

  // The penetrations of all clearances, deepest first.
  Penetrations overlaps(const VecX& theta) const {
    const Kinematics state = forward(timed_.figure(), Pose{theta});
    Penetrations all;
    int obstacles_before = 0;
    for (std::size_t c = 0; c < clearances_.size(); ++c) {
      const Clearance& clearance = clearances_[c];
      for (Penetration& penetration :
           penetrations(timed_.figure(), state, clearance.capsules, obstacles_[c], clearance.pairs, clearance.margin)
               .list) {
        if (penetration.obstacle != no_index) penetration.obstacle += obstacles_before;
        all.list.push_back(std::move(penetration));
      }
      obstacles_before += static_cast<int>(clearance.obstacles.size());
    }
    std::ranges::stable_sort(all.list, {}, &Penetration::clearance);
    return all;
  }

  bool is_small(const VecX& change) const {
    for (Eigen::Index j = 0; j < change.size(); ++j) {
      const Parameter& parameter = timed_.figure().parameters()[static_cast<std::size_t>(j)];
      if (std::fabs(change[j]) > faded * (parameter.translates ? timed_.figure().length() : 1.0)) return false;
    }
    return true;
  }

  // Of constraints that only extend the chains.
  static constexpr double chain_weight = 1e-9;

  const TimedProblem& timed_;
  const Clip& given_;
  const std::vector<Clearance>& clearances_;
  const ClearMotionOptions& options_;
  FigureLimits limits_{timed_.figure()};
  Schedule schedule_;
  Problem problem_;  // its first constraints are those of the timed problem
  Solver solver_;
  ConstraintId pull_ = {};
  std::vector<Obstacles> obstacles_;
  std::vector<ActiveDemand> active_;  // in the current frame
  VecX change_;                       // of the last frame
  ClearedMotion out_;
};

}  // namespace

Expected<ClearedMotion> clear_motion(const TimedProblem& problem, const Clip& given,
                                     const std::vector<Clearance>& clearances, const ClearMotionOptions& options) {
  if (const Expected<void> valid = is_clearable(problem, given, options); !valid) return std::unexpected(valid.error());
  if (problem.is_open()) {
    const Expected<TimedProblem> chosen = settled(problem, given, options.guide);
    if (!chosen) return std::unexpected(chosen.error());
    return clear_motion(*chosen, given, clearances, options);
  }
  return Clearer(problem, given, clearances, options).run();
}

}  // namespace limber
