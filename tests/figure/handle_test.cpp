// Handles: from a figure, as differences, and parts of handles.
#include <gtest/gtest.h>

#include "limber/figure/figure.h"
#include "tests/support/figures.h"

namespace limber {
namespace handle_test {

using testing::built;
using testing::good;
using testing::planar_arm;
using testing::torso_with_arms;

TEST(HandleOfAFigure, NamesSitesSegmentsAndJoints) {
  FigureDescription d = torso_with_arms();
  d.joints[1].in_child = at({0, -0.05, 0});  // the neck's centre, seen from the head
  const Figure figure = built(d);
  const int head = good(figure.find_segment("head"));
  const Handle eye = good(figure.frame("eye"));
  EXPECT_EQ(eye.shape, Shape::frame);
  EXPECT_EQ(eye.name, "eye");
  EXPECT_EQ(eye.minus_count, 0);
  EXPECT_EQ(eye.plus[0].segment, head);
  EXPECT_EQ(eye.plus[0].local, Vec3(0, 0.1, 0.1));
  EXPECT_LE((eye.plus[1].local - Vec3::UnitZ()).norm(), 1e-15);  // looks ahead
  EXPECT_LE((eye.plus[2].local - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(good(figure.point("head")).plus[0].local, Vec3::Zero());
  EXPECT_EQ(good(figure.point("neck")).plus[0].local, Vec3(0, -0.05, 0));
  EXPECT_EQ(good(figure.point("neck")).plus[0].segment, head);
}

TEST(HandleOfAFigure, PointsAlongTheGivenDirectionOfThePlace) {
  const Figure figure = built(torso_with_arms());
  EXPECT_LE((good(figure.direction("eye")).plus[0].local - Vec3::UnitZ()).norm(), 1e-15);
  const Handle up = good(figure.direction("eye", {0, 3, 0}));
  EXPECT_EQ(up.shape, Shape::direction);
  EXPECT_EQ(up.plus[0].kind, Element::Kind::direction);
  EXPECT_LE((up.plus[0].local - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(figure.direction("eye", Vec3::Zero()).error().text(),
            "direction at 'eye': found a vector of length 0; expected a finite vector that is not zero");
  EXPECT_FALSE(figure.direction("eye", {infinity, 0, 0}));
}

TEST(HandleOfAFigure, HasAMassCentreOnlyWithAMass) {
  EXPECT_EQ(good(built(planar_arm()).mass_centre()).plus[0].kind, Element::Kind::mass_centre);
  FigureDescription d = planar_arm();
  for (SegmentDescription& segment : d.segments) segment.mass = 0.0;
  EXPECT_EQ(built(d).mass_centre().error().found, "no mass");
}

TEST(Difference, SubtractsTheLeadingElements) {
  const Figure figure = built(torso_with_arms());
  const auto ray = figure.ray("eye"), hand = figure.point("left hand"), centre = figure.mass_centre();
  const Handle seen = good(difference(ray, hand));
  EXPECT_EQ(seen.name, "eye - left hand");
  EXPECT_EQ(seen.shape, Shape::ray);
  EXPECT_EQ(seen.minus_count, 1);
  EXPECT_EQ(seen.minus[0].segment, hand->plus[0].segment);
  EXPECT_EQ(good(difference(centre, hand)).minus_count, 1);
  EXPECT_EQ(good(difference(figure.frame("eye"), figure.frame("left hand"))).minus_count, 3);
}

TEST(Difference, RejectsIncompatibleHandles) {
  const Figure figure = built(torso_with_arms());
  const auto point = figure.point("eye"), ray = figure.ray("eye"), direction = figure.direction("eye");
  const auto unknown = figure.point("nose");
  EXPECT_EQ(difference(point, ray).error().found, "a point minus a ray");
  EXPECT_EQ(difference(point, ray).error().where, "difference of 'eye' and 'eye'");
  EXPECT_EQ(difference(point, ray).error().expected, "a second handle with no more elements than the first");
  EXPECT_EQ(difference(point, direction).error().expected, "points against points and directions against directions");
  EXPECT_EQ(difference(figure.frame("eye"), direction).error().found, "a frame minus a direction");
  EXPECT_EQ(difference(difference(point, point), point).error().found, "a handle that is itself a difference");
  EXPECT_EQ(difference(point, difference(point, point)).error().found, "a handle that is itself a difference");
  EXPECT_EQ(difference(unknown, point).error().text(), unknown.error().text());
  EXPECT_EQ(difference(point, unknown).error().text(), unknown.error().text());
}

TEST(Part, HasTheElementsOfItsShape) {
  const Figure figure = built(torso_with_arms());
  const Handle frame = good(difference(figure.frame("eye"), figure.frame("left hand")));
  const auto expect_part = [&](Shape shape, int first) {
    const Handle taken = good(part(frame, shape));
    EXPECT_EQ(taken.shape, shape);
    EXPECT_EQ(taken.name, frame.name);
    ASSERT_EQ(taken.minus_count, element_count(shape));
    for (int k = 0; k < taken.count(); ++k) {
      EXPECT_EQ(taken.plus[k].kind, frame.plus[first + k].kind);
      EXPECT_EQ(taken.plus[k].local, frame.plus[first + k].local);
      EXPECT_EQ(taken.minus[k].local, frame.minus[first + k].local);
      EXPECT_EQ(taken.minus[k].segment, frame.minus[first + k].segment);
    }
  };
  expect_part(Shape::frame, 0);
  expect_part(Shape::point, 0);
  expect_part(Shape::ray, 0);
  expect_part(Shape::directions, 1);
  expect_part(Shape::direction, 1);
  const Handle ray = good(figure.ray("eye"));
  EXPECT_EQ(good(part(ray, Shape::direction)).plus[0].local, ray.plus[1].local);
  EXPECT_EQ(good(part(ray, Shape::point)).plus[0].local, ray.plus[0].local);
  const Handle directions = good(part(frame, Shape::directions));
  EXPECT_EQ(good(part(directions, Shape::direction)).plus[0].local, frame.plus[1].local);
}

TEST(Part, KeepsItsPartOfADifference) {
  const Figure figure = built(torso_with_arms());
  const Handle seen = good(difference(figure.ray("eye"), figure.point("left hand")));
  EXPECT_EQ(good(part(seen, Shape::point)).minus_count, 1);
  EXPECT_EQ(good(part(seen, Shape::direction)).minus_count, 0);
}

TEST(Part, RejectsMissingElements) {
  const Figure figure = built(torso_with_arms());
  const Handle point = good(figure.point("eye")), ray = good(figure.ray("eye")),
               direction = good(figure.direction("eye"));
  const auto rejected = part(point, Shape::ray);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().text(), "handle 'eye': found a point; expected a handle that has a ray");
  for (const Shape shape : {Shape::direction, Shape::directions, Shape::frame}) EXPECT_FALSE(part(point, shape));
  for (const Shape shape : {Shape::directions, Shape::frame}) EXPECT_FALSE(part(ray, shape));
  for (const Shape shape : {Shape::point, Shape::directions, Shape::ray, Shape::frame})
    EXPECT_FALSE(part(direction, shape));
}

}  // namespace handle_test
}  // namespace limber
