// The motion of the keys of a script: each parameter is interpolated between the keys that name it, on its own or with
// its channel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/base/number.h"
#include "limber/document/motion_script/motion_script_track.h"
#include "limber/format/figure/figure_json.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

using Check = Expected<void>;

// The last frame may lie this fraction of a frame after the end.
constexpr double frame_rounding = 1e-6;
// Min volume that the three unit translations of a root span.
constexpr double min_volume = 1e-6;
constexpr double straight_up = 1.0 - 1e-12;
constexpr std::size_t max_knots = 1u << 18;

int own_parameter(const Figure& figure, const Freedom& freedom) {
  if (freedom.term_end - freedom.term_begin != 1) return -1;
  const Term& term = figure.terms()[static_cast<std::size_t>(freedom.term_begin)];
  return term.curve.is_linear() && term.curve.slope() == 1.0 ? term.parameter : -1;
}

MonotoneCurve curve_of(const std::vector<TimingKnot>& timing) {
  std::vector<MonotoneCurve::Knot> knots;
  knots.reserve(timing.size());
  for (const TimingKnot& knot : timing) knots.push_back({knot.time, knot.shape_time});
  return MonotoneCurve(std::move(knots));
}

class Keyed {
 public:
  Keyed(const MotionScript& script, const Scene& scene)
      : script_(script),
        scene_(scene),
        figure_(scene.figure),
        carriers_(carriers_of(figure_)),
        timing_(curve_of(script.timing)),
        tracks_(figure_.parameters().size()) {}

  Expected<Clip> read() {
    for (const ScriptKey& key : script_.keys) {
      const Expected<std::vector<ScriptPass>> passes = passes_of(script_, key.block, figure_);
      if (!passes) return std::unexpected(passes.error());
      for (const ScriptPass& pass : *passes)
        if (Check added = add(key, pass); !added) return std::unexpected(added.error());
    }
    return sampled();
  }

 private:
  Check add(const ScriptKey& key, const ScriptPass& pass) {
    if (pass.mirrored && figure_.mirror().empty())
      return reject_at(script_, script_.blocks[static_cast<std::size_t>(key.block)].place,
                       "a mirrored block for a figure without mirror pairs", "one that has them");
    const auto put = [&](int j, double value) {
      tracks_[static_cast<std::size_t>(j)].add(
          {key.time + pass.later, value, key.path, key.bend, key.evenly, key.ease, ++knots_});
    };
    if (key.whole_pose) {
      const Pose pose = pass.mirrored ? figure_.mirrored(scene_.pose) : scene_.pose;
      for (int j = 0; j < static_cast<int>(tracks_.size()); ++j) put(j, pose.theta[j]);
    }
    for (const ScriptValue& value : key.values) {
      const Expected<int> j = figure_.find_parameter(value.parameter.text);
      if (const auto carrier = std::ranges::find(carriers_, value.parameter.text, &ScriptCarrier::heading);
          !j && carrier != carriers_.end()) {
        if (Check done = turn(&*carrier, value.value, value.parameter.place, pass, put); !done) return done;
        continue;
      }
      if (!j) return reject_at(script_, value.parameter.place, j.error());
      const double inside_value =
          inside(value.value, unit_of(figure_, figure_.parameters()[static_cast<std::size_t>(*j)]));
      const MirrorImage image = pass.mirrored ? figure_.mirror()[static_cast<std::size_t>(*j)] : MirrorImage{*j, 1.0};
      put(image.parameter, image.sign * inside_value);
    }
    if (knots_ > max_knots)
      return reject_at(script_, key.place, "more than " + std::to_string(max_knots) + " values of parameters at keys",
                       "fewer");
    return add_travel(key, pass, put);
  }

  Check add_travel(const ScriptKey& key, const ScriptPass& pass, const auto& put) {
    const bool carried = key.whole_pose && pass.shift != Vec3::Zero();
    if ((key.travel || carried) && carriers_.empty()) return no_travel(key.place);
    if (key.travel || carried)
      for (const ScriptCarrier& carrier : carriers_)
        if (Check done = slide(carrier, key.travel.value_or(Vec3::Zero()), key, pass, put); !done) return done;
    for (const auto& [name, way] : key.travels) {
      const auto carrier = std::ranges::find(carriers_, name.text, &ScriptCarrier::travel);
      if (carrier == carriers_.end()) return no_travel(name.place);
      if (Check done = slide(*carrier, way, key, pass, put); !done) return done;
    }
    if (!key.heading) return {};
    if (carriers_.size() > 1)
      return reject_at(script_, key.place, "a heading of several figures",
                       "one of them, such as \"" + carriers_.front().heading + "\"");
    return turn(carriers_.empty() ? nullptr : &carriers_.front(), *key.heading, key.place, pass, put);
  }

  std::unexpected<Diagnostic> no_travel(const Place& place) const {
    return reject_at(script_, place, "travel of a figure whose root does not slide",
                     "a root that slides along three axes before it turns");
  }

  Check slide(const ScriptCarrier& carrier, const Vec3& way, const ScriptKey& key, const ScriptPass& pass,
              const auto& put) const {
    const Vec3 slides = carrier.per_slide.inverse() * pass.point(way);
    if (!slides.allFinite()) return reject_at(script_, key.place, "travel that is not finite", "a finite way");
    for (int k = 0; k < 3; ++k) put(carrier.slides[k], scene_.pose.theta[carrier.slides[k]] + slides[k]);
    return {};
  }

  Check turn(const ScriptCarrier* carrier, double heading, const Place& place, const ScriptPass& pass,
             const auto& put) const {
    if (!carrier || carrier->turn < 0)
      return reject_at(script_, place, "a heading of a figure whose root does not turn about the vertical first",
                       "one that does");
    const double angle = (pass.mirrored ? -1.0 : 1.0) * radians(heading);
    put(carrier->turn, scene_.pose.theta[carrier->turn] + carrier->turn_sign * angle);
    return {};
  }

  Expected<Clip> sampled() {
    const double frames = std::floor(script_.duration() * script_.rate + frame_rounding) + 1.0;
    const auto n = static_cast<Eigen::Index>(tracks_.size());
    if (!(frames * static_cast<double>(std::max<Eigen::Index>(n, 1)) <= max_script_numbers))
      return reject_at(script_, script_.place_of_length,
                       to_text(frames) + " frames of " + std::to_string(n) + " parameters",
                       "at most " + to_text(max_script_numbers) + " numbers in all");
    Clip clip{.name = scene_.title, .frame_time = 1.0 / script_.rate};
    clip.poses.resize(n, static_cast<Eigen::Index>(frames));
    for (Eigen::Index j = 0; j < n; ++j) {
      ScriptTrack& track = tracks_[static_cast<std::size_t>(j)];
      track.finish(scene_.pose.theta[j]);
      for (Eigen::Index k = 0; k < clip.poses.cols(); ++k) clip.poses(j, k) = track.at(key_time(k));
    }
    if (Check joined = join_channels(clip); !joined) return std::unexpected(joined.error());
    if (!clip.poses.allFinite())
      return reject_at(script_, {}, "keys between which values are not finite", "values that are no mistake");
    return clip;
  }

  // The time of the keys that frame k shows.
  double key_time(Eigen::Index k) const {
    const double time = static_cast<double>(k) / script_.rate;
    return timing_.empty() ? time : timing_(time);
  }

  Check join_channels(Clip& clip) const {
    const std::vector<Channel> channels = channels_of(figure_, Rotations::of_balls);
    Pose scratch{scene_.pose};
    VecX theta;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (!ScriptChannel::is_needed(channels[c], tracks_)) continue;
      const Expected<ScriptChannel> channel = ScriptChannel::make(figure_, channels, c, tracks_);
      if (!channel) return reject_at(script_, {}, channel.error());
      for (Eigen::Index k = 0; k < clip.poses.cols(); ++k) {
        theta = clip.poses.col(k);
        channel->at(key_time(k), theta, scratch);
        clip.poses.col(k) = theta;
      }
    }
    return {};
  }

  const MotionScript& script_;
  const Scene& scene_;
  const Figure& figure_;
  std::vector<ScriptCarrier> carriers_;
  MonotoneCurve timing_;
  std::vector<ScriptTrack> tracks_;  // by parameter
  std::size_t knots_ = 0;
};

}  // namespace

namespace {

// Among the segments from `begin` to `end`.
std::optional<ScriptCarrier> carrier_of(const Figure& figure, int begin, int end) {
  for (int s = begin; s < end; ++s) {
    const Joint& joint = figure.joints()[static_cast<std::size_t>(s)];
    if (figure.segments()[static_cast<std::size_t>(s)].parent != no_parent ||
        joint.freedom_end - joint.freedom_begin < 3)
      continue;
    ScriptCarrier carrier;
    bool right = true;
    const auto first = static_cast<std::size_t>(joint.freedom_begin);
    for (std::size_t k = 0; k < 3; ++k) {
      const Freedom& freedom = figure.freedoms()[first + k];
      carrier.slides[k] = own_parameter(figure, freedom);
      carrier.per_slide.col(static_cast<Eigen::Index>(k)) = joint.in_parent.R * freedom.axis;
      right = right && freedom.motion == Motion::translate && carrier.slides[k] >= 0;
    }
    if (!right || std::fabs(carrier.per_slide.determinant()) < min_volume) continue;
    if (joint.freedom_end - joint.freedom_begin > 3) {
      const Freedom& freedom = figure.freedoms()[first + 3];
      const double upward = (joint.in_parent.R * freedom.axis).y();
      if (freedom.motion == Motion::rotate && std::fabs(upward) > straight_up) {
        carrier.turn = own_parameter(figure, freedom);
        carrier.turn_sign = upward > 0.0 ? 1.0 : -1.0;
      }
    }
    return carrier;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ScriptCarrier> carriers_of(const Figure& figure) {
  std::vector<ScriptCarrier> carriers;
  if (figure.parts().empty())
    if (const std::optional<ScriptCarrier> carrier = carrier_of(figure, 0, static_cast<int>(figure.segments().size())))
      carriers.push_back(*carrier);
  for (const FigurePart& part : figure.parts())
    if (std::optional<ScriptCarrier> carrier = carrier_of(figure, part.segment_begin, part.segment_end)) {
      carrier->travel = part.name + ".travel";
      carrier->heading = part.name + ".heading";
      carriers.push_back(*std::move(carrier));
    }
  return carriers;
}

Expected<Clip> keyed_motion(const MotionScript& script, const Scene& scene) { return Keyed(script, scene).read(); }

}  // namespace limber
