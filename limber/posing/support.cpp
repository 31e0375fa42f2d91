#include "limber/posing/support.h"

#include <algorithm>

#include "limber/kinematics/forward.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

// Height at which a pulled foot carries no weight, relative to the figure's length: that of the ankle.
constexpr double lift_height = 0.04;

}  // namespace

Expected<Support> Support::make(const Figure& figure, const Pose& pose, const std::vector<std::string>& feet,
                                double margin) {
  Support support;
  if (feet.empty()) return support;
  const Expected<Balance> balance = balance_over(figure, pose, feet, margin);
  if (!balance) return std::unexpected(balance.error());
  support.centre_ = balance->centre;
  support.margin_ = margin;
  for (const std::string& name : feet) {
    const Expected<Handle> place = figure.point(name);
    if (!place) return std::unexpected(place.error());
    Expected<std::vector<Vec3>> contacts = contact_points(figure, pose, {name});
    if (!contacts) return std::unexpected(contacts.error());
    support.feet_.push_back({place->plus[0].segment, std::move(*contacts)});
  }
  support.half_width_ = min_half_width * figure.length();
  // A figure that is not in balance at first need not be more so than it was.
  Vec3 centre;
  evaluate(figure, forward(figure, pose), support.centre_, &centre);
  support.margin_ -= balance->support.error({Shape::point, &centre}).metres.value_or(0.0);
  support.lift_ = lift_height * figure.length();
  return support;
}

bool Support::is_pulled() const { return std::ranges::any_of(feet_, &Foot::is_pulled); }

double Support::lifted(const Foot& foot) const {
  return foot.is_pulled ? std::clamp(foot.moved.y() / lift_, 0.0, 1.0) : 0.0;
}

bool Support::stands() const {
  return std::ranges::any_of(feet_, [](const Foot& foot) { return !foot.is_pulled; });
}

InsidePolyhedron Support::polygon() const {
  Vec3 middle = Vec3::Zero();
  std::size_t count = 0;
  for (const Foot& foot : feet_) {
    if (foot.is_pulled) continue;
    for (const Vec3& contact : foot.contacts) middle += contact;
    count += foot.contacts.size();
  }
  middle /= static_cast<double>(std::max<std::size_t>(count, 1));
  std::vector<Vec3> contacts;
  for (const Foot& foot : feet_) {
    const double part = lifted(foot);
    for (const Vec3& contact : foot.contacts)
      contacts.push_back((1.0 - part) * (contact + (foot.is_pulled ? foot.moved : Vec3::Zero())) + part * middle);
  }
  return support_over(contacts, half_width_, margin_);
}

}  // namespace limber
