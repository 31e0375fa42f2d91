// With A the frame of the root joint in the world, slides s along the columns of S, and the rotation B of the root:
//
//   p = A.p + A.R S s,   W = A.R B A.Rᵀ;   carried by a turn H about the vertical and a travel d:
//   p' = H p + d,        B' = A.Rᵀ H A.R B
#include "limber/motion/clip_blend.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/motion/edit.h"
#include "limber/motion/sequence.h"

namespace limber {

namespace {

// Of the three unit translations of a root: min volume that they span.
constexpr double min_volume = 1e-6;

// How a root moves a figure: three translations, then a ball.
struct Carrier {
  Frame A;
  std::array<int, 3> slides = {};
  Mat3 S = Mat3::Identity();  // metres per slide, in columns
  Ball ball;

  Vec3 at(const VecX& theta) const { return A * (S * Vec3(theta[slides[0]], theta[slides[1]], theta[slides[2]])); }
  Mat3 orientation(const VecX& theta) const { return A.R * ball.rotation(theta).toRotationMatrix() * A.R.transpose(); }
};

std::optional<Carrier> carrier_of_root(const Figure& figure) {
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    const Joint& joint = figure.joints()[s];
    if (figure.segments()[s].parent != no_parent || joint.freedom_end - joint.freedom_begin < 4) continue;
    Carrier carrier{.A = joint.in_parent, .ball = {}};
    const auto first = static_cast<std::size_t>(joint.freedom_begin);
    const auto parameter = [&](std::size_t k) {
      const Freedom& freedom = figure.freedoms()[first + k];
      return figure.terms()[static_cast<std::size_t>(freedom.term_begin)].parameter;
    };
    bool slides = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Freedom& freedom = figure.freedoms()[first + k];
      slides = slides && freedom.motion == Motion::translate &&
               figure.parameters()[static_cast<std::size_t>(parameter(k))].group == no_group;
      carrier.slides[k] = parameter(k);
      carrier.S.col(static_cast<Eigen::Index>(k)) = freedom.axis;
    }
    if (!slides || std::fabs(carrier.S.determinant()) < min_volume) continue;
    for (const auto& [name, ball] : balls_of(figure, Rotations::of_balls))
      if (ball.parameters[0] == parameter(3)) {
        carrier.ball = ball;
        return carrier;
      }
  }
  return std::nullopt;
}

Clip moved(const Carrier& carrier, const Clip& clip, double heading, const Vec3& travel) {
  const Mat3 H = rotation(Vec3::UnitY(), heading);
  const Quaternion turn(Mat3(carrier.A.R.transpose() * H * carrier.A.R));
  const Mat3 to_slides = (carrier.A.R * carrier.S).inverse();
  Clip out = clip;
  Vec3 near = Vec3::Zero();
  for (Eigen::Index k = 0; k < clip.poses.cols(); ++k) {
    VecX theta = clip.poses.col(k);
    const Vec3 slides = to_slides * (H * carrier.at(theta) + travel - carrier.A.p);
    if (k == 0) near = carrier.ball.angles(theta);
    near = carrier.ball.angles(turn * carrier.ball.rotation(theta), near);
    for (std::size_t t = 0; t < 3; ++t) theta[carrier.slides[t]] = slides[static_cast<Eigen::Index>(t)];
    carrier.ball.set_angles(theta, near);
    out.poses.col(k) = theta;
  }
  return out;
}

VecX nearest_frame(const Clip& clip, double time) {
  const double frame = std::clamp(std::round(time / clip.frame_time), 0.0, static_cast<double>(clip.frames() - 1));
  return clip.poses.col(static_cast<Eigen::Index>(frame));
}

// The second motion where the first one is in the middle of the overlap.
Clip continued(const Carrier& carrier, const Clip& clip, const Clip& next, double seconds) {
  const VecX from = nearest_frame(next, 0.5 * seconds), to = nearest_frame(clip, clip.duration() - 0.5 * seconds);
  const Quaternion turn(Mat3(carrier.orientation(to) * carrier.orientation(from).transpose()));
  // Of the rotation about the vertical that is nearest to it.
  const double heading = 2.0 * std::atan2(turn.y(), turn.w());
  Vec3 travel = carrier.at(to) - rotation(Vec3::UnitY(), heading) * carrier.at(from);
  travel.y() = 0.0;
  return moved(carrier, next, heading, travel);
}

Expected<void> check_clip(const Figure& figure, const Clip& clip) {
  const std::string name = clip.name.empty() ? "motion" : "motion '" + clip.name + "'";
  if (clip.poses.rows() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject(name, std::to_string(clip.poses.rows()) + " parameters",
                  std::to_string(figure.parameters().size()) + ", as the figure has");
  if (clip.frames() < 2) return reject(name, std::to_string(clip.frames()) + " frames", "at least two");
  if (!(clip.frame_time > 0.0)) return reject(name, to_text(clip.frame_time) + " s per frame", "a number above 0");
  return {};
}

Expected<Sequence> every_frame(const Figure& figure, const Clip& clip) {
  return sequence_of(figure, clip, 1, {Interpolation::linear}, Rotations::of_balls);
}

// Both as sequences, changed by the operation, as frames again.
template <class Operation>
Expected<Clip> mixed(const Figure& figure, const Clip& clip, const Clip& other, const Operation& operation) {
  for (const Clip* one : {&clip, &other})
    if (const Expected<void> checked = check_clip(figure, *one); !checked) return std::unexpected(checked.error());
  const Expected<Sequence> a = every_frame(figure, clip), b = every_frame(figure, other);
  if (!a) return std::unexpected(a.error());
  if (!b) return std::unexpected(b.error());
  const Expected<Edit> edit = operation(*a, *b);
  if (!edit) return std::unexpected(edit.error());
  const Expected<Sequence> after = apply(*a, *edit);
  if (!after) return std::unexpected(after.error());
  Expected<Clip> out = sampled(*after, clip.frame_time);
  if (out) out->name = clip.name;
  return out;
}

}  // namespace

Expected<Clip> blended(const Figure& figure, const Clip& clip, const Clip& other, double weight) {
  for (const Clip* one : {&clip, &other})
    if (const Expected<void> checked = check_clip(figure, *one); !checked) return std::unexpected(checked.error());
  Clip as_long = other;
  as_long.frame_time = clip.duration() / (other.frames() - 1);
  return mixed(figure, clip, as_long, [&](const Sequence& a, const Sequence& b) { return blend(a, b, weight); });
}

Expected<Clip> cross_faded(const Figure& figure, const Clip& clip, const Clip& next, double seconds,
                           Continuation continuation) {
  for (const Clip* one : {&clip, &next})
    if (const Expected<void> checked = check_clip(figure, *one); !checked) return std::unexpected(checked.error());
  const auto fade = [&](const Sequence& a, const Sequence& b) { return cross_fade(a, b, seconds); };
  if (continuation == Continuation::in_place && std::isfinite(seconds))
    if (const std::optional<Carrier> carrier = carrier_of_root(figure))
      return mixed(figure, clip, continued(*carrier, clip, next, seconds), fade);
  return mixed(figure, clip, next, fade);
}

Expected<Clip> carried(const Figure& figure, const Clip& clip, double heading, const Vec3& travel) {
  const std::optional<Carrier> carrier = carrier_of_root(figure);
  if (!carrier)
    return reject("figure '" + figure.name() + "'",
                  "a root that does not slide along three axes and then turn about three", "one that does");
  return moved(*carrier, clip, heading, travel);
}

}  // namespace limber
