#include "limber/motion/parts.h"

#include <algorithm>

#include "limber/kinematics/forward.h"
#include "limber/motion/contacts.h"

namespace limber {

namespace {

// Of a person's foot or hand, in metres per second; and so far within one frame, whatever the frame rate, in metres,
// nobody gets who was still before and is after.
constexpr double max_speed = 25.0, max_leap = 0.3;
constexpr double jump_ratio = 5.0;
// In a still pose nothing moves by more than this from frame to frame, relative to the figure's length.
constexpr double still_step = 1e-4;

// The max distance that a place moves to frame k from the one before; one more, which is 0.
std::vector<double> steps_of(const Figure& figure, const Clip& clip) {
  std::vector<double> step(static_cast<std::size_t>(clip.frames()) + 1, 0.0);
  Kinematics before(figure), now(figure);
  VecX q;
  for (int k = 0; k < clip.frames(); ++k) {
    figure.angles(clip.poses.col(k), q);
    forward(figure, q, now);
    double& max = step[static_cast<std::size_t>(k)];
    if (k > 0)
      for (const Site& site : figure.sites()) {
        const auto s = static_cast<std::size_t>(site.segment);
        max = std::fmax(max, (now.segments[s] * site.frame.p - before.segments[s] * site.frame.p).norm());
      }
    std::swap(before, now);
  }
  return step;
}

std::vector<ClipPart> parts_of(const Figure& figure, const Clip& clip, const std::vector<double>& step) {
  const double scale = figure.length() / person_length;
  const double max_step = scale * std::fmin(max_speed * clip.frame_time, max_leap);
  std::vector<ClipPart> parts = {{0, clip.frames() - 1}};
  for (int k = 1; k < clip.frames(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (step[at] <= max_step || step[at] <= jump_ratio * std::fmax(step[at - 1], step[at + 1])) continue;
    parts.back().last = k - 1;
    parts.push_back({k, clip.frames() - 1});
  }
  return parts;
}

}  // namespace

std::vector<ClipPart> parts_of(const Figure& figure, const Clip& clip) {
  return parts_of(figure, clip, steps_of(figure, clip));
}

int still_start(const Figure& figure, const Clip& clip) {
  const std::vector<double> step = steps_of(figure, clip);
  const std::vector<ClipPart> parts = parts_of(figure, clip, step);
  if (parts.size() < 2) return 0;
  const int frames = parts.front().last + 1;
  const double moved = *std::max_element(step.begin(), step.begin() + frames);
  return moved <= still_step * figure.length() ? frames : 0;
}

}  // namespace limber
