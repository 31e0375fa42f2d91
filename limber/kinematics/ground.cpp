#include "limber/kinematics/ground.h"

#include <cmath>

namespace limber {

bool touches_ground(double height, double ground, double figure_length) {
  return !(height > ground + ground_contact_height * figure_length);
}

double FootPlaces::lowest() const {
  double height = infinity;
  for (const Vec3& place : places) height = std::fmin(height, place.y());
  return height;
}

void FootPlaces::keep_contacts(double ground, double figure_length) {
  std::erase_if(places, [&](const Vec3& place) { return !touches_ground(place.y(), ground, figure_length); });
}

std::vector<FootPlace> places_on_foot(const Figure& figure, int segment) {
  const int end = figure.segments()[static_cast<std::size_t>(segment)].subtree_end;
  std::vector<FootPlace> places;
  for (int s = segment; s < end; ++s) places.push_back({s, figure.joints()[static_cast<std::size_t>(s)].in_child.p});
  for (const Site& site : figure.sites())
    if (site.segment >= segment && site.segment < end) places.push_back({site.segment, site.frame.p});
  return places;
}

FootPlaces foot_from(const Figure& figure, const Kinematics& state, int segment) {
  FootPlaces foot{segment};
  for (const FootPlace& place : places_on_foot(figure, segment))
    foot.places.push_back(state.segments[static_cast<std::size_t>(place.segment)] * place.local);
  return foot;
}

double ground_under(std::span<const FootPlaces> feet) {
  double height = infinity;
  for (const FootPlaces& foot : feet) height = std::fmin(height, foot.lowest());
  return height;
}

bool stands_on(const FootPlaces& foot, double ground, double figure_length) {
  return touches_ground(foot.lowest(), ground, figure_length);
}

}  // namespace limber
