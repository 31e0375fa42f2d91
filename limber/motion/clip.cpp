#include "limber/motion/clip.h"

#include <limits>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/channel.h"

namespace limber {

namespace {

// In frames: times nearer than this to a recorded frame count as on it. Frame rates are written with six digits.
constexpr double frame_tolerance = 1e-4;

std::string named(const Clip& clip) { return clip.name.empty() ? "motion" : "motion '" + clip.name + "'"; }

}  // namespace

Expected<Clip> cut(const Clip& clip, int first, int last) {
  if (first < 0 || last < first || last >= clip.frames())
    return reject(named(clip), "frames " + std::to_string(first) + " to " + std::to_string(last),
                  clip.frames() > 0 ? "frames from 0 to " + std::to_string(clip.frames() - 1) : "a motion with frames");
  return Clip{clip.name, clip.frame_time, clip.poses.middleCols(first, last - first + 1)};
}

Clip placed_as(const Figure& from, const Clip& clip, const Figure& to) {
  Clip out{clip.name, clip.frame_time, MatX(static_cast<Eigen::Index>(to.parameters().size()), clip.frames())};
  Pose pose = to.rest();
  for (int k = 0; k < clip.frames(); ++k) {
    pose = placed_as(from, clip.pose(k), to, pose);
    out.poses.col(k) = pose.theta;
  }
  return out;
}

Expected<Clip> resampled(const Figure& figure, const Clip& clip, double frame_time) {
  if (!(frame_time > 0.0 && std::isfinite(frame_time)))
    return reject(named(clip), to_text(frame_time) + " s per frame", "a number above 0");
  if (clip.frames() < 2) return Clip{clip.name, frame_time, clip.poses};
  const double step = frame_time / clip.frame_time;
  // Infinite if the step underflows.
  const double count = 1.0 + std::floor((clip.frames() - 1) / step + frame_tolerance);
  const double rows = static_cast<double>(clip.poses.rows());
  if (const double max_numbers = std::fmax(max_values, static_cast<double>(clip.poses.size()));
      !(count <= std::numeric_limits<int>::max() && count * rows <= max_numbers))
    return reject(named(clip), "a frame every " + to_text(frame_time) + " s, " + to_text(count) + " frames in all",
                  "at most " + to_text(std::floor(max_numbers / std::fmax(rows, 1.0))) + " frames");
  const std::vector<Ball> balls = balls_of(figure);

  const int frames = static_cast<int>(count);
  Clip out{clip.name, frame_time, MatX(clip.poses.rows(), frames)};
  for (int k = 0; k < frames; ++k) {
    const double position = k == 0 ? 0.0 : k * step;  // the step may be infinite
    const int before = std::min(static_cast<int>(std::floor(position + frame_tolerance)), clip.frames() - 1);
    const double u = position - before;
    if (u < frame_tolerance || before + 1 == clip.frames()) {
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
      ball.set_angles(theta, angles);
    }
    out.poses.col(k) = theta;
  }
  return out;
}

}  // namespace limber
