#include "limber/motion/clip.h"

#include <limits>
#include <optional>

#include "limber/base/euler.h"
#include "limber/base/number.h"

namespace limber {

namespace {

// Of a frame's place between two recorded ones: nearer than this counts as on it. Rates are written with six digits.
constexpr double on_frame = 1e-4;

// Three turns about coordinate axes that are parameters of their own: what can be taken apart again.
struct Ball {
  EulerOrder order;
  std::array<int, 3> parameters;
  Vec3 signs;

  Vec3 angles(const VecX& theta) const {
    return signs.cwiseProduct(Vec3(theta[parameters[0]], theta[parameters[1]], theta[parameters[2]]));
  }
};

// The coordinate axis, 0 to 2, that a unit vector lies on.
std::optional<int> coordinate(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    if (std::fabs(axis[k]) == 1.0) return k;
  return std::nullopt;
}

std::optional<Ball> ball_of(const Figure& figure, const Joint& joint) {
  Ball ball = {};
  int turns = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    if (freedom.motion == Motion::translate) continue;
    const int parameter = figure.terms()[freedom.term_begin].parameter;
    const std::optional<int> axis = coordinate(freedom.axis);
    if (turns == 3 || !axis || figure.parameters()[parameter].group != no_group) return std::nullopt;
    if (turns > 0 && ball.order[turns - 1] == *axis) return std::nullopt;
    ball.order[turns] = *axis;
    ball.parameters[turns] = parameter;
    ball.signs[turns++] = freedom.axis[*axis];
  }
  return turns == 3 ? std::optional(ball) : std::nullopt;
}

std::string named(const Clip& clip) { return clip.name.empty() ? "motion" : "motion '" + clip.name + "'"; }

}  // namespace

Expected<Clip> cut(const Clip& clip, int first, int last) {
  if (first < 0 || last < first || last >= clip.frames())
    return refuse(named(clip), "frames " + std::to_string(first) + " to " + std::to_string(last),
                  clip.frames() > 0 ? "frames from 0 to " + std::to_string(clip.frames() - 1) : "a motion with frames");
  return Clip{clip.name, clip.frame_time, clip.poses.middleCols(first, last - first + 1)};
}

Expected<Clip> resampled(const Figure& figure, const Clip& clip, double frame_time) {
  if (!(frame_time > 0.0 && std::isfinite(frame_time)))
    return refuse(named(clip), to_text(frame_time) + " s from frame to frame", "a number above 0");
  if (clip.frames() < 2) return Clip{clip.name, frame_time, clip.poses};
  const double step = frame_time / clip.frame_time;
  // Infinite where the step is too small for a number.
  const double count = 1.0 + std::floor((clip.frames() - 1) / step + on_frame);
  const double rows = static_cast<double>(clip.poses.rows());
  if (const double most = std::fmax(most_values, static_cast<double>(clip.poses.size()));
      !(count <= std::numeric_limits<int>::max() && count * rows <= most))
    return refuse(named(clip), "a frame every " + to_text(frame_time) + " s, which are " + to_text(count) + " frames",
                  "at most " + to_text(std::floor(most / std::fmax(rows, 1.0))) + " frames");
  std::vector<Ball> balls;
  for (const Joint& joint : figure.joints())
    if (const std::optional<Ball> ball = ball_of(figure, joint)) balls.push_back(*ball);

  const int frames = static_cast<int>(count);
  Clip out{clip.name, frame_time, MatX(clip.poses.rows(), frames)};
  for (int k = 0; k < frames; ++k) {
    const double at = k * step;
    const int before = std::min(static_cast<int>(std::floor(at + on_frame)), clip.frames() - 1);
    const double u = at - before;
    if (u < on_frame || before + 1 == clip.frames()) {
      out.poses.col(k) = clip.poses.col(before);
      continue;
    }
    const VecX a = clip.poses.col(before), b = clip.poses.col(before + 1);
    VecX theta = (1.0 - u) * a + u * b;
    for (const Ball& ball : balls) {
      const Eigen::Quaterniond from(euler_rotation(ball.order, ball.angles(a)));
      const Eigen::Quaterniond to(euler_rotation(ball.order, ball.angles(b)));
      const Vec3 near = (1.0 - u) * ball.angles(a) + u * ball.angles(b);
      const Vec3 angles = euler_angles(from.slerp(u, to).toRotationMatrix(), ball.order, near);
      for (int t = 0; t < 3; ++t) theta[ball.parameters[t]] = ball.signs[t] * angles[t];
    }
    out.poses.col(k) = theta;
  }
  return out;
}

}  // namespace limber
