#include "limber/posing/posing_for.h"

#include "limber/kinematics/ground.h"

namespace limber {

namespace {

// Of the figure's length: 2 cm of a person.
constexpr double balance_margin = 0.012;

// "left_foot" if it is a place of the figure, else the segment of the ankle; empty if neither is known.
std::string foot_place(const Figure& figure, const Roles& roles, Side side) {
  std::string place = side == Side::left ? "left_foot" : "right_foot";
  if (figure.point(place)) return place;
  if (roles.confidence(Role::ankle, side) < sure_confidence) return "";
  return figure.segments()[static_cast<std::size_t>(roles.find(Role::ankle, side)->segment)].name;
}

}  // namespace

PosingOptions posing_for(const Figure& figure, const Pose& pose) { return posing_for(figure, pose, roles_of(figure)); }

PosingOptions posing_for(const Figure& figure, const Pose& pose, const Roles& roles) {
  PosingOptions options;
  const Kinematics state = forward(figure, pose);
  std::vector<FootPlaces> feet;
  std::vector<std::string> places;
  for (const Side side : {Side::left, Side::right}) {
    const std::string place = foot_place(figure, roles, side);
    const Expected<Handle> handle = figure.point(place);
    if (place.empty() || !handle) continue;
    feet.push_back(foot_from(figure, state, handle->plus[0].segment));
    places.push_back(place);
  }
  if (feet.empty()) return options;
  options.balance_margin = balance_margin * figure.length();
  const double ground = ground_under(feet);
  for (std::size_t k = 0; k < feet.size(); ++k) {
    if (!stands_on(feet[k], ground, figure.length())) continue;
    options.pins.push_back({.place = places[k], .lifts = true});
    if (figure.mass() > 0.0) options.feet.push_back(places[k]);
  }
  return options;
}

}  // namespace limber
