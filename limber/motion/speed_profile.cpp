#include <algorithm>
#include <cmath>

#include "limber/base/number.h"
#include "limber/motion/path.h"

namespace limber {

namespace {

// w and its integral.
double ramp(double y) { return y * y * (3.0 - 2.0 * y); }
double ramp_integral(double y) { return y * y * y * (1.0 - 0.5 * y); }

}  // namespace

Expected<SpeedProfile> SpeedProfile::eased(double start, double end, double ease_in, double ease_out) {
  if (!(std::isfinite(start) && std::isfinite(end) && std::isfinite(end - start) && start < end))
    return reject("profile", to_text(start) + " s to " + to_text(end) + " s", "finite times, start < end");
  if (!(ease_in >= 0.0 && ease_out >= 0.0 && ease_in + ease_out <= 1.0))
    return reject("profile", "ease in " + to_text(ease_in) + ", ease out " + to_text(ease_out),
                  "fractions of the time, 0 or more, together at most 1");
  SpeedProfile profile;
  profile.start_ = start;
  profile.end_ = end;
  profile.ease_in_ = ease_in;
  profile.ease_out_ = ease_out;
  profile.max_speed_ = 1.0 / (1.0 - 0.5 * (ease_in + ease_out));
  return profile;
}

Expected<SpeedProfile> SpeedProfile::by_keys(const std::vector<Key>& keys) {
  if (keys.size() < 2) return reject("profile", std::to_string(keys.size()) + " keys", "at least two");
  std::vector<Curve::Knot> knots;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto [time, part] = keys[k];
    if (!std::isfinite(time) || !std::isfinite(part))
      return reject("profile, key " + std::to_string(k), to_text(time) + " s, part " + to_text(part), "finite numbers");
    if (k > 0 && !(time > keys[k - 1].time))
      return reject("profile, key " + std::to_string(k), to_text(time) + " s after " + to_text(keys[k - 1].time) + " s",
                    "increasing times");
    knots.push_back({time, part});
  }
  SpeedProfile profile;
  profile.start_ = keys.front().time;
  profile.end_ = keys.back().time;
  profile.has_keys_ = true;
  profile.keys_ = Curve::smooth(std::move(knots));
  return profile;
}

double SpeedProfile::part(double t) const {
  if (has_keys_) return keys_(std::clamp(t, start_, end_)).value;
  if (t >= end_) return 1.0;  // exact, despite rounding
  const double x = std::clamp((t - start_) / (end_ - start_), 0.0, 1.0);
  if (x < ease_in_) return max_speed_ * ease_in_ * ramp_integral(x / ease_in_);
  if (1.0 - x < ease_out_) return 1.0 - max_speed_ * ease_out_ * ramp_integral((1.0 - x) / ease_out_);
  return std::fmin(1.0, max_speed_ * (x - 0.5 * ease_in_));
}

double SpeedProfile::rate(double t) const {
  if (t < start_ || t > end_) return 0.0;
  if (has_keys_) return keys_(t).slope;
  const double x = (t - start_) / (end_ - start_);
  const double slope = x < ease_in_ ? ramp(x / ease_in_) : 1.0 - x < ease_out_ ? ramp((1.0 - x) / ease_out_) : 1.0;
  return max_speed_ * slope / (end_ - start_);
}

Vec3 along(const SpaceCurve& curve, const SpeedProfile& profile, double t) {
  return curve.at(profile.part(t) * curve.length());
}

Vec3 velocity(const SpaceCurve& curve, const SpeedProfile& profile, double t) {
  return profile.rate(t) * curve.length() * curve.tangent(profile.part(t) * curve.length());
}

}  // namespace limber
