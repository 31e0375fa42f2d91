// A step of one foot that brings what is pulled nearer, found by trying it.
#include <algorithm>
#include <cmath>

#include "limber/posing/posing_impl.h"

namespace limber {

namespace {

// What is missed by less, relative to the figure's length, is worth no step; of what is missed by more, none brings
// half.
constexpr double min_miss = 0.02, max_miss = 1.0;
// The longest step, relative to the figure's length: 70 cm of a person.
constexpr double max_step = 0.4;
// A step is suggested if no more than this share of what is missed remains.
constexpr double max_share = 0.5;
// Of what is missed, the first step that is tried, and how much longer the next ones are.
constexpr double first_try = 0.6, longer = 1.5;
constexpr int tries = 3;

}  // namespace

// How far the grips stay from their goals after a step.
std::optional<double> Posing::Impl::missed_after(const std::string& foot, const Vec3& by) const {
  PosingOptions options = options_;
  options.eases = false;
  Expected<Posing> tried = Posing::make(figure_, start_, options);
  if (!tried) return std::nullopt;
  // All are grabbed before any is moved: a grip that is out of reach when another begins stays so.
  std::vector<GripId> ids;
  for (const Grip& grip : grips_) {
    const Expected<GripId> id =
        is_of_part(grip) ? tried->grab(grip.handle, grip.options) : tried->grab_parameter(grip.parameter);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  const Expected<GripId> stepping = tried->grab(figure_.point(foot));
  if (!stepping) return std::nullopt;
  tried->move(*stepping, tried->grips().back().p + by);
  for (std::size_t k = 0; k < grips_.size(); ++k) {
    const Grip& grip = grips_[k];
    if (grip.options.by_sight)
      tried->sight(ids[k], grip.p, grip.v);
    else
      tried->move(ids[k], grip.p);
    tried->turn(ids[k], grip.R);
    tried->set(ids[k], grip.value);
  }
  const PosingReport& report = tried->frame();
  double missed = 0.0;
  for (std::size_t k = 0; k < grips_.size(); ++k) missed = std::fmax(missed, report.grips[k].metres);
  return missed;
}

std::optional<Step> Posing::Impl::suggest_step() const {
  const GripReport* worst = nullptr;
  for (std::size_t k = 0; k < report_.grips.size(); ++k)
    if (grips_[k].options.moves && (!worst || report_.grips[k].metres > worst->metres)) worst = &report_.grips[k];
  if (!worst || goes_round_) return std::nullopt;
  const double missed_now = worst->metres / figure_.length();
  if (!(missed_now > min_miss && missed_now <= max_miss)) return std::nullopt;
  Vec3 way = worst->goal - worst->at;
  way.y() = 0.0;
  if (!(way.norm() > 0.0)) return std::nullopt;
  std::optional<Step> best;
  for (const PinnedPlace& pin : options_.pins) {
    const Expected<Handle> foot = figure_.point(pin.place);
    const bool carries = std::ranges::find(options_.feet, pin.place) != options_.feet.end();
    if (!carries || !foot || moves_part(foot->plus[0].segment)) continue;
    double length = first_try * way.norm();
    for (int k = 0; k < tries; ++k, length *= longer) {
      const Vec3 by = std::fmin(length, max_step * figure_.length()) * way.normalized();
      const std::optional<double> missed = missed_after(pin.place, by);
      if (missed && *missed <= max_share * worst->metres && (!best || *missed < best->metres))
        best = Step{pin.place, by, *missed};
      if (length >= max_step * figure_.length()) break;
    }
  }
  return best;
}

}  // namespace limber
