// Motions for the tests of constraints over time, and an independent objective of timed/solve_motion.h.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"
#include "tests/format/sample.h"
#include "tests/law/random_figure.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber::timed_sample {

using testing::good;

// From a to b and back, smoothly.
inline Clip between(const Figure& figure, const Pose& a, const Pose& b, int frames, double frame_time) {
  Clip clip{"between", frame_time, MatX(a.theta.size(), frames)};
  for (int k = 0; k < frames; ++k) {
    const double part = 0.5 - 0.5 * std::cos(2.0 * k * frame_time);
    for (Eigen::Index j = 0; j < a.theta.size(); ++j) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      clip.poses(j, k) = std::clamp(a.theta[j] + part * (b.theta[j] - a.theta[j]), range.lower, range.upper);
    }
  }
  return clip;
}

inline Clip random_motion(const Figure& figure, Random& random, int frames, double frame_time = 1.0 / 30.0) {
  const Pose a = law::random_pose(random, figure), b = law::random_pose(random, figure);
  return between(figure, a, b, frames, frame_time);
}

// A person who walks on the spot: legs and arms swing, the body sways and turns.
inline Clip swaying(const Figure& figure, int frames, double frame_time, double from = 0.0) {
  Clip clip{"sway", frame_time, MatX(figure.rest().theta.size(), frames)};
  for (int k = 0; k < frames; ++k) {
    Pose pose = figure.rest();
    const double t = from + k * frame_time;
    const auto set = [&](const std::string& name, double value) {
      pose.theta[good(figure.find_parameter(name))] = value;
    };
    set("root.x", 0.05 * std::sin(3.0 * t));
    set("root.y", -0.03 + 0.03 * std::cos(6.0 * t));
    set("root.z", 0.3 * t);
    set("root.turn", 0.1 * std::sin(2.0 * t));
    for (const std::string side : {"left", "right"}) {
      const double swing = side == "left" ? std::sin(4.0 * t) : -std::sin(4.0 * t);
      set(side + "_hip.flexion", 0.25 + 0.4 * swing);
      set(side + "_knee.flexion", 0.5 + 0.3 * swing);
      set(side + "_elbow.flexion", 0.6 - 0.3 * swing);
      set(side + "_shoulder.elevation", 0.2 - 0.3 * swing);
    }
    clip.poses.col(k) = pose.theta;
  }
  return clip;
}

struct Recorded {
  Figure figure;
  Clip clip;
};

// CMU 02_01, with the limits of its file, which it may exceed.
inline Recorded recorded_walk(int frames, int every = 1) {
  const auto file = [](const char* name) {
    return read_sample(std::filesystem::path(source_dir()) / "data" / "acclaim" / name);
  };
  const Content skeleton = good(read_content(file("02.asf"), "02.asf"));
  const Content content = good(read_content(file("02_01.amc"), "02_01.amc", {}, {}, &skeleton));
  const Clip& all = content.clips[0];
  Recorded out{*content.figure, {"walk", all.frame_time * every, MatX(all.poses.rows(), frames)}};
  for (int k = 0; k < frames; ++k) out.clip.poses.col(k) = all.poses.col(k * every);
  return out;
}

struct Elements {
  Vec3 x[max_elements];
};

inline Elements elements_of(const Figure& figure, const Handle& handle, const VecX& theta) {
  Elements out;
  evaluate(figure, forward(figure, Pose{theta}), handle, out.x);
  return out;
}

inline Vec3 point_at(const Figure& figure, const std::string& place, const VecX& theta) {
  return elements_of(figure, good(figure.point(place)), theta).x[0];
}

inline Placement placement_at(const Figure& figure, const std::string& place, const VecX& theta) {
  const Elements e = elements_of(figure, good(figure.frame(place)), theta);
  return {e.x[0], {e.x[1], e.x[2]}};
}

// The error of a goal in a pose.
inline GoalError error_of(const Figure& figure, const Handle& handle, const Goal& goal, const VecX& theta) {
  const Handle needed = good(part(handle, shape_of(goal).value_or(handle.shape)));
  const Elements e = elements_of(figure, needed, theta);
  return limber::error_of(goal, {needed.shape, e.x});
}

inline double square_of(const Figure& figure, const Handle& handle, const Goal& goal, const VecX& theta) {
  const Handle needed = good(part(handle, shape_of(goal).value_or(handle.shape)));
  const Elements e = elements_of(figure, needed, theta);
  const int rows = row_count(goal, needed.shape);
  VecX r(rows);
  MatX J(rows, 3 * needed.count());
  Residual out{{r.data(), rows}, {J.data(), rows, J.cols()}};
  evaluate(goal, {needed.shape, e.x}, out);
  return r.squaredNorm();
}

// A demand without easing and with a fixed goal.
struct Asked {
  Handle handle;
  Goal goal;
  Span span;
  double weight;
};

// The objective of the header, without hard demands.
inline double objective(const TimedProblem& problem, const std::vector<Asked>& asked, const MotionOptions& options,
                        const Clip& given, const MatX& poses) {
  const Figure& figure = problem.figure();
  const double length = figure.length(), h = given.frame_time;
  MatX off = poses - given.poses;
  VecX stiffness = problem.stiffness();
  for (Eigen::Index j = 0; j < off.rows(); ++j)
    if (figure.parameters()[static_cast<std::size_t>(j)].translates) off.row(j) /= length;
  const auto square = [&](const VecX& x) { return x.cwiseProduct(stiffness).dot(x); };
  double guide = 0.0, bend = 0.0, goals = 0.0;
  for (Eigen::Index k = 0; k < off.cols(); ++k) {
    guide += square(off.col(k));
    if (k > 0 && k + 1 < off.cols()) bend += square(off.col(k - 1) - 2.0 * off.col(k) + off.col(k + 1));
    const double time = static_cast<double>(k) * h;
    for (const Asked& one : asked)
      if (std::isfinite(one.weight) && time >= one.span.from && time <= one.span.to)
        goals += one.weight * square_of(figure, one.handle, one.goal, poses.col(k)) / (length * length);
  }
  return options.guide * (guide + std::pow(options.smooth_time / h, 4.0) * bend) + goals;
}

inline void expect_limits(const Figure& figure, const Clip& clip) {
  ASSERT_TRUE(clip.poses.allFinite());
  for (int k = 0; k < clip.frames(); ++k) ASSERT_LE(law::limit_defect(figure, clip.poses.col(k)), 1.0) << "frame " << k;
}

// The maximum of |second difference| / h² over all parameters.
inline double max_acceleration(const MatX& poses, double h) {
  double max = 0.0;
  for (Eigen::Index k = 1; k + 1 < poses.cols(); ++k)
    max = std::fmax(max, (poses.col(k - 1) - 2.0 * poses.col(k) + poses.col(k + 1)).cwiseAbs().maxCoeff() / (h * h));
  return max;
}

}  // namespace limber::timed_sample
