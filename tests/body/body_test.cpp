// The body of a figure from its joint tree alone.
#include "limber/body/body.h"

#include <gtest/gtest.h>

#include "tests/support/figures.h"

namespace limber::body {
namespace body_test {

using limber::testing::built;
using limber::testing::shift;
using limber::testing::turn;

const std::vector<FreedomDescription> anywhere = {shift("tx", Vec3::UnitX()), shift("ty", Vec3::UnitY()),
                                                  shift("tz", Vec3::UnitZ()), turn("rx", Vec3::UnitX())};
const std::vector<FreedomDescription> hinge = {turn("rx", Vec3::UnitX())};

void add(FigureDescription& d, const std::string& parent, const std::string& name, const Vec3& p,
         const std::vector<FreedomDescription>& freedoms) {
  d.segments.push_back({name});
  d.joints.push_back({name, parent, name, at(p), {}, freedoms});
}

// An animator's rig: hips with two legs, and control handles on the root.
FigureDescription rig(bool handles) {
  FigureDescription d;
  d.name = "rig";
  add(d, "", "root", Vec3::Zero(), anywhere);
  add(d, "root", "hips", {0, 0.8, 0}, anywhere);
  for (const double side : {1.0, -1.0}) {
    const std::string end = side > 0.0 ? ".l" : ".r";
    add(d, "hips", "thigh" + end, {0.1 * side, -0.05, 0}, hinge);
    add(d, "thigh" + end, "shin" + end, {0, -0.4, 0}, hinge);
    add(d, "shin" + end, "shin_end" + end, {0, -0.35, 0}, {});
    if (!handles) continue;
    add(d, "root", "kneeIK" + end, {0.9 * side, 0.5, 1.0}, anywhere);
    add(d, "thigh" + end, "mesh" + end, {0, 0.7, 0.9}, {});
  }
  if (handles) add(d, "hips", "cape", {0, 0.5, -0.9}, {});
  return d;
}

Eigen::AlignedBox3d extent(const Body& body) {
  Eigen::AlignedBox3d box;
  for (const Solid& solid : body.solids)
    for (const auto& piece : solid.pieces)
      for (const Ellipsoid& e : piece) {
        const Vec3 half = e.axes.rowwise().norm();
        box.extend(Vec3(e.centre - half));
        box.extend(Vec3(e.centre + half));
      }
  return box;
}

Body body_of(const Figure& figure) { return make_body(figure, forward(figure, figure.rest())); }

TEST(Body, OmitsTheHandlesOfARig) {
  const Eigen::AlignedBox3d box = extent(body_of(built(rig(true))));
  // Hips, legs and their thickness, nothing else.
  EXPECT_LT(box.sizes().x(), 0.4);
  EXPECT_LT(box.sizes().z(), 0.2);
  EXPECT_LT(box.max().y(), 1.0);
  EXPECT_GT(box.sizes().y(), 0.7);
}

TEST(Body, ExtendsToALeafThatIsTheOnlyEnd) {
  // The shins end at leaves without extent, which still define the length of a shin.
  EXPECT_LT(extent(body_of(built(rig(true)))).min().y(), 0.05);
}

}  // namespace body_test
}  // namespace limber::body
