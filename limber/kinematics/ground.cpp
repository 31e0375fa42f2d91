#include "limber/kinematics/ground.h"

#include <cmath>

namespace limber {

namespace {

bool touches(double height, double ground, double figure_length) {
  return !(height > ground + ground_contact_height * figure_length);
}

}  // namespace

double FootPlaces::lowest() const {
  double height = infinity;
  for (const Vec3& place : places) height = std::fmin(height, place.y());
  return height;
}

void FootPlaces::keep_contacts(double ground, double figure_length) {
  std::erase_if(places, [&](const Vec3& place) { return !touches(place.y(), ground, figure_length); });
}

FootPlaces foot_from(const Figure& figure, const Kinematics& state, int segment) {
  const auto frame_of = [&](int s) { return state.segments[static_cast<std::size_t>(s)]; };
  const int end = figure.segments()[static_cast<std::size_t>(segment)].subtree_end;
  FootPlaces foot{segment};
  for (int s = segment; s < end; ++s)
    foot.places.push_back(frame_of(s) * figure.joints()[static_cast<std::size_t>(s)].in_child.p);
  for (const Site& site : figure.sites())
    if (site.segment >= segment && site.segment < end) foot.places.push_back(frame_of(site.segment) * site.frame.p);
  return foot;
}

double ground_under(std::span<const FootPlaces> feet) {
  double height = infinity;
  for (const FootPlaces& foot : feet) height = std::fmin(height, foot.lowest());
  return height;
}

bool stands_on(const FootPlaces& foot, double ground, double figure_length) {
  return touches(foot.lowest(), ground, figure_length);
}

}  // namespace limber
