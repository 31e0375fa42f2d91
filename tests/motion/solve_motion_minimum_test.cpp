// solve_motion finds a minimum of the objective in its header, independent of position, time and
// size.

#include "limber/motion/timed/solve_motion.h"
#include "tests/motion/timed_sample.h"
#include "tests/support/dense.h"
#include "tests/support/derivative.h"

namespace limber {
namespace solve_motion_minimum_test {

using testing::good;
using timed_sample::Asked;
using timed_sample::placement_at;
using timed_sample::point_at;

constexpr std::uint64_t min_seed = 8301;

// Seven hinges on a free root; every length times `scale`.
FigureDescription floating_arm(double scale = 1.0) {
  FigureDescription arm = testing::seven_joint_arm();
  arm.joints.push_back(free_root("root", "link 0"));
  for (JointDescription& joint : arm.joints) joint.in_parent.p *= scale;
  for (SegmentDescription& segment : arm.segments) segment.mass_centre *= scale;
  for (SiteDescription& site : arm.sites) site.frame.p *= scale;
  return arm;
}

Clip waving(const Figure& figure, int frames, double frame_time, double scale = 1.0) {
  Clip clip{"wave", frame_time, MatX(figure.rest().theta.size(), frames)};
  for (int k = 0; k < frames; ++k)
    for (Eigen::Index j = 0; j < clip.poses.rows(); ++j) {
      const auto number = static_cast<double>(j);
      const double size = figure.parameters()[static_cast<std::size_t>(j)].translates ? scale : 1.0;
      clip.poses(j, k) = size * (0.3 + 0.2 * std::sin(2.0 * k * frame_time + 1.3 * number));
    }
  return clip;
}

// A lock, two weighted goals, and parameters of different stiffness.
struct Wave {
  Figure figure = testing::built(floating_arm());
  Clip given = waving(figure, 16, 1.0 / 30.0);
  TimedProblem problem{figure};
  std::vector<Asked> asked;
  Handle tip = good(figure.point("tip"));
  Vec3 lock = point_at(figure, "tip", given.poses.col(8)) + Vec3(0.1, -0.2, 0.15);

  Wave() {
    const auto add = [&](const Handle& handle, const Goal& goal, const Span& span, double weight) {
      good(problem.add(handle, goal, span, {.weight = weight}));
      asked.push_back({handle, goal, span, weight});
    };
    add(tip, Position{lock}, {0.19, 0.35}, must);
    add(good(figure.point("link 4")), Position{point_at(figure, "link 4", given.poses.col(3)) + Vec3(0, 0.1, 0)},
        {0.0, 0.25}, 0.02);
    add(good(figure.direction("link 6")), Direction{Vec3(1, 2, 2) / 3.0}, {0.3, 0.5}, 0.001);
    for (const auto& [name, stiffness] : {std::pair{"joint 2.turn", 3.0}, {"root.y", 0.5}})
      if (!problem.set_stiffness(name, stiffness)) throw std::runtime_error(name);
  }
  bool locked(int k) const { return asked[0].span.activity(k * given.frame_time) == 1.0; }
};

// In the variables: radians, and metres relative to the figure's length.
MatX gradient_of(const Wave& wave, const MotionOptions& options, const MatX& poses) {
  MatX gradient(poses.rows(), poses.cols());
  for (Eigen::Index k = 0; k < poses.cols(); ++k)
    for (Eigen::Index j = 0; j < poses.rows(); ++j) {
      const double size = wave.figure.parameters()[static_cast<std::size_t>(j)].translates ? wave.figure.length() : 1.0;
      const auto at = [&](double step) {
        MatX moved = poses;
        moved(j, k) += step * size;
        return timed_sample::objective(wave.problem, wave.asked, options, wave.given, moved);
      };
      gradient(j, k) =
          (at(testing::difference_step) - at(-testing::difference_step)) / (2.0 * testing::difference_step);
    }
  return gradient;
}

MatX lock_jacobian(const Wave& wave, const VecX& theta) {
  MatX J = testing::central_difference([&](const VecX& x) { return VecX(point_at(wave.figure, "tip", x) - wave.lock); },
                                       theta);
  for (Eigen::Index j = 0; j < J.cols(); ++j)
    if (wave.figure.parameters()[static_cast<std::size_t>(j)].translates) J.col(j) *= wave.figure.length();
  return J;
}

// Along directions tangent to the locks the objective does not change to first order.
TEST(SolveMotionMinimum, TheGradientVanishesAlongTheLocks) {
  for (const double smooth_time : {0.0, 0.1, 0.3})
    for (const double guide : {1e-4, 1e-2}) {
      SCOPED_TRACE(::testing::Message() << "smooth time " << smooth_time << ", guide " << guide);
      const Wave wave;
      const MotionOptions options{.guide = guide, .smooth_time = smooth_time, .iterations = 100};
      const SolvedMotion solved = good(solve_motion(wave.problem, wave.given, options));
      ASSERT_EQ(solved.report.exit, Exit::converged);
      ASSERT_TRUE(solved.report.demands[0].met);
      MatX gradient = gradient_of(wave, options, solved.clip.poses);
      const double whole = gradient.norm();
      for (int k = 0; k < wave.given.frames(); ++k) {
        if (!wave.locked(k)) continue;
        const MatX J = lock_jacobian(wave, solved.clip.poses.col(k));
        gradient.col(k) -= testing::solve_dense(J, J * gradient.col(k));
      }
      // The part normal to the locks is ten thousand times larger: the last step was small, not zero.
      EXPECT_GT(whole, 0.0);
      EXPECT_LE(gradient.norm(), 1e-4 * whole);
    }
}

// Moves the tip of a locked frame back to its lock.
void restore_lock(const Wave& wave, Eigen::Ref<VecX> theta) {
  for (int i = 0; i < 20; ++i) {
    VecX x = theta;
    const VecX off = point_at(wave.figure, "tip", x) - wave.lock;
    VecX back = testing::solve_dense(lock_jacobian(wave, x), off);
    for (Eigen::Index j = 0; j < back.size(); ++j)
      if (wave.figure.parameters()[static_cast<std::size_t>(j)].translates) back[j] *= wave.figure.length();
    theta -= back;
  }
}

TEST(SolveMotionMinimum, NoNearbyMotionThatMeetsTheLocksIsBetter) {
  const Wave wave;
  const MotionOptions options{.smooth_time = 0.1, .iterations = 100};
  const MatX best = good(solve_motion(wave.problem, wave.given, options)).clip.poses;
  const double least = timed_sample::objective(wave.problem, wave.asked, options, wave.given, best);
  Random random(min_seed);
  for (int c = 0; c < law::law_count(100); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << min_seed << ", case " << c);
    const double size = std::pow(10.0, random.between(-3.0, -0.7));
    MatX other = best;
    for (Eigen::Index k = 0; k < other.cols(); ++k) {
      other.col(k) += testing::random_values(random, other.rows(), size);
      if (wave.locked(static_cast<int>(k))) restore_lock(wave, other.col(k));
    }
    EXPECT_GT(timed_sample::objective(wave.problem, wave.asked, options, wave.given, other), least);
  }
}

// For a slider with guide and smoothness only, the minimum is that of a small linear system.
TEST(SolveMotionMinimum, OfASliderIsThatOfALinearSystem) {
  FigureDescription description;
  description.name = "slide";
  description.segments = {{"aside"}, {"cart"}};  // the first one has no demand
  description.joints = {{"other", "", "aside", {}, {}, {testing::shift("x", Vec3::UnitX())}},
                        {"rail", "", "cart", {}, {}, {testing::shift("x", Vec3::UnitX())}}};
  description.sites = {{"hook", "cart", at({0, 0.5, 0})}};
  const Figure figure = testing::built(description);
  const int frames = 30;
  const Clip given{"run", 0.05, MatX::Zero(2, frames)};
  const double tau = 0.12, weight = 0.3, length = figure.length();
  TimedProblem problem(figure);
  ASSERT_TRUE(problem.set_stiffness("rail.x", 2.0));
  good(problem.add(figure.point("hook"), Position{{0.4, 0.5, 0}}, {0.49, 0.76}, {.weight = weight}));
  const MotionOptions options{.guide = 0.01, .smooth_time = tau};
  const MatX answer = good(solve_motion(problem, given, options)).clip.poses;
  MatX A = 0.01 * 2.0 * MatX::Identity(frames, frames);
  VecX b = VecX::Zero(frames);
  for (int k = 1; k + 1 < frames; ++k) {
    VecX bend = VecX::Zero(frames);
    bend[k - 1] = bend[k + 1] = 1.0;
    bend[k] = -2.0;
    A += 0.01 * 2.0 * std::pow(tau / 0.05, 4.0) * bend * bend.transpose();
  }
  for (int k = 10; k <= 15; ++k) {  // a metre is 1 / ℓ in the variable, and r / ℓ in the goal
    A(k, k) += weight;
    b[k] += weight * 0.4 / length;
  }
  const VecX expected = length * testing::solve_dense(A, b);
  EXPECT_EQ(answer.row(0), given.poses.row(0));
  EXPECT_LE((answer.row(1).transpose() - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// An eased demand covers the fraction e of the distance, slightly less where compliance is low, whatever the handle,
// the stiffness and whether it is hard.
TEST(SolveMotionMinimum, OfAnEasedDemandCoversItsFraction) {
  const Figure figure = testing::built(floating_arm());
  const Clip given{"still", 0.05, figure.rest().theta.replicate(1, 21)};
  for (const char* place : {"tip", "link 3"})
    for (const double guide : {1e-4, 1e-6}) {
      const Span span{0.5, 0.6, 0.4, 0.3};
      const Vec3 start = point_at(figure, place, figure.rest().theta);
      const Vec3 way = 1e-3 * Vec3(1, 2, -1);  // small: the handle moves linearly
      TimedProblem problem(figure);
      // About equally stiff in all directions: a much stiffer one is eased a little later.
      for (const Parameter& parameter : figure.parameters()) ASSERT_TRUE(problem.set_stiffness(parameter.name, 1.0));
      good(problem.add(figure.point(place), Position{start + way}, span, {.weight = must}));
      const Clip answer = good(solve_motion(problem, given, {.guide = guide, .smooth_time = 0.0})).clip;
      for (int k = 0; k < 21; ++k) {
        const Vec3 made_up = point_at(figure, place, answer.poses.col(k)) - start;
        EXPECT_LE((made_up - span.activity(0.05 * k) * way).norm(), 0.02 * way.norm()) << place << ", frame " << k;
      }
    }
}

// Delayed by whole frames, far from both ends.
TEST(SolveMotionMinimum, DoesNotDependOnTime) {
  const Figure figure = testing::built(floating_arm());
  constexpr double h = 1.0 / 32.0;  // so that times are exact
  const int before = 64, frames = 160;
  const Clip longer = waving(figure, before + frames, h);
  Clip given = longer;
  given.poses = longer.poses.rightCols(frames);
  const auto solved = [&](const Clip& clip, double shift) {
    TimedProblem problem(figure);
    good(problem.add(figure.point("tip"), hold(), {2.0 + shift, 2.5 + shift, 0.25, 0.25}, {.weight = must}));
    const GoalAt circle = [shift](double t) {
      return Goal(Position{{0.5 + 0.3 * std::cos(t - shift), 0.3 * std::sin(t - shift), 0.4}});
    };
    good(problem.add(figure.point("link 4"), circle, {2.25 + shift, 3.0 + shift, 0.25, 0.5}, {.weight = 0.1}));
    return good(solve_motion(problem, clip, {.smooth_time = 0.05})).clip.poses;
  };
  const MatX here = solved(given, 0.0), later = solved(longer, before * h);
  EXPECT_LE((here - later.rightCols(frames)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_GT((here - given.poses).cwiseAbs().maxCoeff(), 0.1);
}

TEST(SolveMotionMinimum, DoesNotDependOnPosition) {
  const Figure figure = human();
  const Clip given = timed_sample::swaying(figure, 45, 1.0 / 30.0);
  Random random(min_seed + 1);
  const auto solved = [&](const Clip& clip, const Frame& moved) {
    TimedProblem problem(figure);
    good(problem.add(figure.frame("left_foot"), hold(), {0.4, 1.0, 0.1, 0.2}, {.weight = must}));
    good(problem.add(figure.point("right_palm"), Position{moved * Vec3(-0.3, 1.1, 0.5)}, {0.6, 1.1, 0.2, 0.2}));
    good(problem.add(figure.ray("eyes"), AimAt{moved * Vec3(1.0, 1.5, 2.0)}, {0.2, 0.8}, {.weight = 0.1}));
    return good(solve_motion(problem, clip, {.iterations = 100})).clip.poses;
  };
  const MatX here = solved(given, {});
  const auto index = [&](const char* name) { return good(figure.find_parameter(name)); };
  const auto moved_by = [&](MatX poses, const Frame& moved, double yaw) {
    for (Eigen::Index k = 0; k < poses.cols(); ++k) {
      const Vec3 p = moved * Vec3(poses(index("root.x"), k), poses(index("root.y"), k), poses(index("root.z"), k));
      poses(index("root.x"), k) = p.x();
      poses(index("root.y"), k) = p.y();
      poses(index("root.z"), k) = p.z();
      poses(index("root.turn"), k) += yaw;
    }
    return poses;
  };
  for (int c = 0; c < law::law_count(10); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << min_seed + 1 << ", case " << c);
    const double yaw = random.between(-3.0, 3.0);
    // The root turns about its own joint, not about the origin of the world.
    const Vec3 joint = figure.joints()[0].in_parent.p;
    const Frame turned{rotation(Vec3::UnitY(), yaw), testing::random_vector(random, 5.0)};
    const Frame in_root = at(-joint) * turned * at(joint);
    const MatX there = solved({"there", given.frame_time, moved_by(given.poses, in_root, yaw)}, turned);
    EXPECT_LE((there - moved_by(here, in_root, yaw)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(SolveMotionMinimum, DoesNotDependOnSize) {
  const auto solved = [](double scale) {
    const Figure figure = testing::built(floating_arm(scale));
    const Clip given = waving(figure, 40, 1.0 / 30.0, scale);
    TimedProblem problem(figure);
    good(problem.add(figure.frame("tip"), Hold{{.c = default_c * scale}}, {0.4, 0.6, 0.1, 0.1}, {.weight = must}));
    good(problem.add(figure.point("link 4"), Position{scale * Vec3(0.8, 0.4, 0.3)}, {0.6, 1.0}, {.weight = 0.1}));
    const SolvedMotion out = good(solve_motion(problem, given, {.iterations = 100}));
    EXPECT_EQ(out.report.exit, Exit::converged);
    MatX poses = out.clip.poses;
    for (Eigen::Index j = 0; j < poses.rows(); ++j)
      if (figure.parameters()[static_cast<std::size_t>(j)].translates) poses.row(j) /= scale;
    return poses;
  };
  const MatX metres = solved(1.0);
  for (const double scale : {1e-3, 0.3, 1e3}) EXPECT_LE((solved(scale) - metres).cwiseAbs().maxCoeff(), 1e-6) << scale;
}

}  // namespace solve_motion_minimum_test
}  // namespace limber
