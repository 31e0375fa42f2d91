// The errors of build_figure(), each with place and finding, and the edge cases that it must accept.
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/figures.h"

namespace limber {
namespace build_test {

using testing::built;
using testing::planar_arm;
using testing::random_tree;
using testing::turn;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The planar arm with an unlimited third bone, a group and a limit row, without mirror pairs.
FigureDescription sample() {
  FigureDescription d = planar_arm();
  d.segments.push_back({"hand", 0.5});
  d.joints.push_back({"wrist",
                      "lower",
                      "hand",
                      at({1, 0, 0}),
                      {},
                      {turn("flex", Vec3::UnitZ(), {-1.0, 1.0}), turn("spin", Vec3::UnitX())}});
  d.groups = {{"grip", {{"close", {-0.5, 0.5}}}, {{"wrist", "flex", {{"close", Curve::linear(2.0)}}}}}};
  d.limits = {{"fold", {{"shoulder.turn", 1.0}, {"elbow.turn", 1.0}}, Relation::at_most, 3.0}};
  return d;
}

struct Bad {
  const char* title;
  std::function<void(FigureDescription&)> spoil;
  const char* where;
  const char* found;
};

Range& elbow_range(FigureDescription& d) { return d.joints[1].freedoms[0].range; }
GroupDriver& driver(FigureDescription& d) { return d.groups[0].drivers[0]; }

const std::vector<Bad> bad = {
    {"no segment", [](auto& d) { d.segments.clear(); }, "figure 'planar arm'", "no segment"},
    {"empty segment name", [](auto& d) { d.segments[2].name = ""; }, "segment ''", "an empty name"},
    {"segment name twice", [](auto& d) { d.segments[2].name = "upper"; }, "segment 'upper'", "the name 'upper' twice"},
    {"mass NaN", [](auto& d) { d.segments[1].mass = nan; }, "segment 'upper'", "mass nan"},
    {"mass infinite", [](auto& d) { d.segments[1].mass = infinity; }, "segment 'upper'", "mass inf"},
    {"mass negative", [](auto& d) { d.segments[1].mass = -1.0; }, "segment 'upper'", "mass -1"},
    {"mass centre NaN", [](auto& d) { d.segments[1].mass_centre.y() = nan; }, "segment 'upper'",
     "a mass centre that is not finite"},
    {"empty joint name", [](auto& d) { d.joints[2].name = ""; }, "joint ''", "an empty name"},
    {"joint name twice", [](auto& d) { d.joints[2].name = "elbow"; }, "joint 'elbow'", "the name 'elbow' twice"},
    {"unknown child", [](auto& d) { d.joints[1].child = "lowr"; }, "joint 'elbow'", "child 'lowr'"},
    {"unknown parent", [](auto& d) { d.joints[1].parent = "uper"; }, "joint 'elbow'", "parent 'uper'"},
    {"two joints for a child", [](auto& d) { d.joints[2].child = "lower"; }, "joint 'wrist'",
     "a second joint that carries segment 'lower', after joint 'elbow'"},
    {"a cycle", [](auto& d) { d.joints[1].parent = "hand"; }, "segment 'lower'", "joints that form a cycle"},
    {"its own parent", [](auto& d) { d.joints[2].parent = "hand"; }, "segment 'hand'", "joints that form a cycle"},
    {"two roots without a joint", [](auto& d) { d.segments.push_back({"stone"}); }, "figure 'planar arm'",
     "two segments without a joint, 'base' and 'stone'"},
    {"frame in parent NaN", [](auto& d) { d.joints[1].in_parent.p.x() = nan; }, "joint 'elbow', frame in the parent",
     "a frame that is not finite"},
    {"frame in child infinite", [](auto& d) { d.joints[1].in_child.R(0, 1) = infinity; },
     "joint 'elbow', frame in the child", "a frame that is not finite"},
    {"scaled rotation", [](auto& d) { d.joints[1].in_parent.R *= 2.0; }, "joint 'elbow', frame in the parent",
     "a matrix that deviates from a rotation by 3"},
    {"reflection", [](auto& d) { d.joints[1].in_child.R(2, 2) = -1.0; }, "joint 'elbow', frame in the child",
     "a matrix that deviates from a rotation by inf"},
    {"empty freedom name", [](auto& d) { d.joints[1].freedoms[0].name = ""; }, "joint 'elbow', freedom ''",
     "an empty name"},
    {"freedom name twice", [](auto& d) { d.joints[2].freedoms[1].name = "flex"; }, "joint 'wrist', freedom 'flex'",
     "the name 'wrist.flex' twice"},
    {"zero axis", [](auto& d) { d.joints[1].freedoms[0].axis.setZero(); }, "joint 'elbow', freedom 'turn'",
     "an axis of length 0"},
    {"axis NaN", [](auto& d) { d.joints[1].freedoms[0].axis.x() = nan; }, "joint 'elbow', freedom 'turn'",
     "an axis of length nan"},
    {"axis infinite", [](auto& d) { d.joints[1].freedoms[0].axis.x() = infinity; }, "joint 'elbow', freedom 'turn'",
     "an axis of length inf"},
    {"lower NaN", [](auto& d) { elbow_range(d).lower = nan; }, "joint 'elbow', freedom 'turn'", "limits nan to 2.5"},
    {"upper NaN", [](auto& d) { elbow_range(d).upper = nan; }, "joint 'elbow', freedom 'turn'", "limits 0 to nan"},
    {"lower +inf", [](auto& d) { elbow_range(d).lower = infinity; }, "joint 'elbow', freedom 'turn'",
     "limits inf to 2.5"},
    {"upper -inf", [](auto& d) { elbow_range(d).upper = -infinity; }, "joint 'elbow', freedom 'turn'",
     "limits 0 to -inf"},
    {"lower above upper", [](auto& d) { elbow_range(d).lower = 3.0; }, "joint 'elbow', freedom 'turn'",
     "lower limit 3 above upper limit 2.5"},
    {"rest below", [](auto& d) { elbow_range(d).rest = -0.1; }, "joint 'elbow', freedom 'turn'", "rest value -0.1"},
    {"rest above", [](auto& d) { elbow_range(d).rest = 2.6; }, "joint 'elbow', freedom 'turn'", "rest value 2.6"},
    {"rest NaN", [](auto& d) { elbow_range(d).rest = nan; }, "joint 'elbow', freedom 'turn'", "rest value nan"},
    {"rest infinite", [](auto& d) { elbow_range(d) = {.rest = infinity}; }, "joint 'elbow', freedom 'turn'",
     "rest value inf"},
    {"rigidity below", [](auto& d) { elbow_range(d).rigidity = -0.1; }, "joint 'elbow', freedom 'turn'",
     "rigidity -0.1"},
    {"rigidity above", [](auto& d) { elbow_range(d).rigidity = 1.5; }, "joint 'elbow', freedom 'turn'", "rigidity 1.5"},
    {"rigidity NaN", [](auto& d) { elbow_range(d).rigidity = nan; }, "joint 'elbow', freedom 'turn'", "rigidity nan"},
    {"stiffness zero", [](auto& d) { elbow_range(d).stiffness = 0.0; }, "joint 'elbow', freedom 'turn'", "stiffness 0"},
    {"stiffness infinite", [](auto& d) { elbow_range(d).stiffness = infinity; }, "joint 'elbow', freedom 'turn'",
     "stiffness inf"},
    {"stiffness NaN", [](auto& d) { elbow_range(d).stiffness = nan; }, "joint 'elbow', freedom 'turn'",
     "stiffness nan"},
    {"empty group name", [](auto& d) { d.groups[0].name = ""; }, "group ''", "an empty name"},
    {"group name twice", [](auto& d) { d.groups.push_back(d.groups[0]); }, "group 'grip'", "the name 'grip' twice"},
    {"group with a joint's name", [](auto& d) { d.groups[0].name = "elbow"; }, "group 'elbow'", "the name of a joint"},
    {"no driver", [](auto& d) { d.groups[0].drivers.clear(); }, "group 'grip'", "no driven freedom"},
    {"no group parameter", [](auto& d) { d.groups[0].parameters.clear(); }, "group 'grip'", "no parameter"},
    {"empty parameter name", [](auto& d) { d.groups[0].parameters[0].name = ""; }, "group 'grip', parameter ''",
     "the name ''"},
    {"parameter name twice", [](auto& d) { d.groups[0].parameters.push_back({"close"}); },
     "group 'grip', parameter 'close'", "the name 'close'"},
    {"parameter that drives nothing", [](auto& d) { d.groups[0].parameters.push_back({"idle"}); },
     "parameter 'grip.idle'", "no driven freedom"},
    {"parameter range", [](auto& d) { d.groups[0].parameters[0].range.rigidity = 2.0; },
     "group 'grip', parameter 'close'", "rigidity 2"},
    {"driver of an unknown freedom", [](auto& d) { driver(d).freedom = "flx"; }, "group 'grip'",
     "a driver of 'wrist.flx'"},
    {"driver of an unknown joint", [](auto& d) { driver(d).joint = "wirst"; }, "group 'grip'",
     "a driver of 'wirst.flex'"},
    {"two drivers of a freedom", [](auto& d) { d.groups[0].drivers.push_back(driver(d)); }, "group 'grip'",
     "a second driver of 'wrist.flex', after group 'grip'"},
    {"driver without a term", [](auto& d) { driver(d).terms.clear(); }, "group 'grip', driver of 'wrist.flex'",
     "no term"},
    {"term of an unknown parameter", [](auto& d) { driver(d).terms[0].parameter = "open"; },
     "group 'grip', driver of 'wrist.flex'", "parameter 'open'"},
    {"the same parameter in two terms",
     [](auto& d) { driver(d).terms = {{"close", Curve::linear(0.5)}, {"close", Curve::linear(0.5)}}; },
     "group 'grip', driver of 'wrist.flex'", "parameter 'close' twice"},
    {"slope NaN", [](auto& d) { driver(d).terms[0].curve = Curve::linear(nan); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"no knot", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({}); }, "group 'grip', driver of 'wrist.flex'",
     "a curve with bad knots"},
    {"one knot", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{0, 0}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"knots at one place", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{0, 0}, {0, 1}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"decreasing knots", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{1, 0}, {0, 1}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"knot infinite", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{0, 0}, {infinity, 0}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"value NaN", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{0, nan}, {1, 0}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"knots too close for a slope", [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{0, 0}, {1e-310, 0.5}}); },
     "group 'grip', driver of 'wrist.flex'", "a curve with bad knots"},
    {"image above the limit", [](auto& d) { driver(d).terms[0].curve = Curve::linear(2.1); },
     "group 'grip', driver of 'wrist.flex'", "values from -1.05 to 1.05"},
    {"image below the limit", [](auto& d) { d.joints[2].freedoms[0].range.lower = -0.5; },
     "group 'grip', driver of 'wrist.flex'", "values from -1 to 1"},
    {"image of two terms together",
     [](auto& d) {
       d.groups[0].parameters.push_back({"more", {-0.5, 0.5}});
       driver(d).terms = {{"close", Curve::linear(1.5)}, {"more", Curve::linear(1.0)}};
     },
     "group 'grip', driver of 'wrist.flex'", "values from -1.25 to 1.25"},
    {"image above at a knot",
     [](auto& d) { driver(d).terms[0].curve = Curve::smooth({{-0.5, 0}, {0, 1.5}, {0.5, 0}}); },
     "group 'grip', driver of 'wrist.flex'", "values from 0 to 1.5"},
    {"a dotted name that equals another",
     [](auto& d) {
       d.groups[0].name = "x";
       d.groups[0].parameters[0].name = driver(d).terms[0].parameter = "y.z";
       driver(d).joint = "elbow", driver(d).freedom = "turn",
       driver(d).terms[0].curve = Curve::smooth({{-1, 0}, {1, 1}});
       d.joints[2].name = "x.y", d.joints[2].freedoms[0].name = "z";
     },
     "joint 'x.y'", "the name 'x.y.z' twice"},
    {"empty site name", [](auto& d) { d.sites[0].name = ""; }, "site ''", "an empty name"},
    {"site name twice", [](auto& d) { d.sites.push_back(d.sites[0]); }, "site 'tip'", "the name 'tip' twice"},
    {"site of an unknown segment", [](auto& d) { d.sites[0].segment = "tail"; }, "site 'tip'", "segment 'tail'"},
    {"site NaN", [](auto& d) { d.sites[0].frame.p.z() = nan; }, "site 'tip'", "a frame that is not finite"},
    {"site rotation", [](auto& d) { d.sites[0].frame.R(0, 0) = 2.0; }, "site 'tip'",
     "a matrix that deviates from a rotation by 3"},
    {"empty row name", [](auto& d) { d.limits[0].name = ""; }, "limit ''", "an empty name"},
    {"row name twice", [](auto& d) { d.limits.push_back(d.limits[0]); }, "limit 'fold'", "the name 'fold' twice"},
    {"row bound NaN", [](auto& d) { d.limits[0].bound = nan; }, "limit 'fold'", "bound nan"},
    {"row bound infinite", [](auto& d) { d.limits[0].bound = infinity; }, "limit 'fold'", "bound inf"},
    {"row of an unknown parameter", [](auto& d) { d.limits[0].terms[1].parameter = "wrist.flex"; }, "limit 'fold'",
     "parameter 'wrist.flex'"},
    {"row coefficient infinite", [](auto& d) { d.limits[0].terms[1].coefficient = -infinity; }, "limit 'fold'",
     "coefficient -inf"},
    {"row with a parameter twice", [](auto& d) { d.limits[0].terms[1].parameter = "shoulder.turn"; }, "limit 'fold'",
     "parameter 'shoulder.turn' twice"},
    {"row of zeros", [](auto& d) { d.limits[0].terms = {{"elbow.turn", 0.0}}; }, "limit 'fold'",
     "only zero coefficients"},
    {"row without terms", [](auto& d) { d.limits[0].terms.clear(); }, "limit 'fold'", "only zero coefficients"},
    {"mirror of an unknown segment", [](auto& d) { d.mirror_pairs = {{"hand", "foot"}}; }, "mirror pair 'hand', 'foot'",
     "an unknown segment"},
    {"segment in two mirror pairs", [](auto& d) { d.mirror_pairs = {{"upper", "lower"}, {"hand", "lower"}}; },
     "mirror pair 'hand', 'lower'", "a segment that is in another pair"},
    {"mirror normal zero", [](auto& d) { d.mirror_pairs = {{"upper", "lower"}}, d.mirror_normal.setZero(); },
     "mirror normal", "a vector without direction"},
    {"mirror normal NaN", [](auto& d) { d.mirror_pairs = {{"upper", "lower"}}, d.mirror_normal.y() = nan; },
     "mirror normal", "a vector without direction"},
    {"mirror of different joints", [](auto& d) { d.mirror_pairs = {{"lower", "hand"}}; },
     "mirror pair of joints 'elbow', 'wrist'", "different numbers of degrees of freedom"},
    {"mirror of different axes",
     [](auto& d) { d.mirror_pairs = {{"upper", "lower"}}, d.joints[1].freedoms[0].axis = Vec3::UnitY(); },
     "mirror images 'shoulder.turn', 'elbow.turn'", "axes that are not each other's reflection"},
    {"mirror of a rotation and a translation",
     [](auto& d) { d.mirror_pairs = {{"upper", "lower"}}, d.joints[1].freedoms[0].motion = Motion::translate; },
     "mirror images 'shoulder.turn', 'elbow.turn'", "axes that are not each other's reflection"},
    {"mirror of a group without a counterpart",
     [](auto& d) {
       d.limits.clear(), d.mirror_pairs = {{"upper", "lower"}}, driver(d) = {"shoulder", "turn", {{"close"}}};
     },
     "parameter 'grip.close'", "a group without a mirrored group"},
};

TEST(BuildFigure, ReportsEachErrorWithPlaceAndFinding) {
  ASSERT_TRUE(build_figure(sample())) << build_figure(sample()).error().text();
  for (const Bad& invalid : bad) {
    FigureDescription description = sample();
    invalid.spoil(description);
    const Expected<Figure> figure = build_figure(description);
    ASSERT_FALSE(figure) << invalid.title;
    EXPECT_EQ(figure.error().where, invalid.where) << invalid.title;
    EXPECT_EQ(figure.error().found, invalid.found) << invalid.title;
    EXPECT_FALSE(figure.error().expected.empty()) << invalid.title;
  }
}

TEST(BuildFigure, RejectsMirroredGroupsWithDifferentCurves) {
  FigureDescription d = planar_arm();
  d.joints[0].freedoms[0].range = d.joints[1].freedoms[0].range = {};
  d.mirror_pairs = {{"upper", "lower"}};
  d.groups = {{"g", {{"p"}}, {{"shoulder", "turn", {{"p", Curve::linear(1.0)}}}}},
              {"h", {{"p"}}, {{"elbow", "turn", {{"p", Curve::linear(1.0)}}}}}};
  EXPECT_TRUE(build_figure(d));
  d.groups[1].drivers[0].terms[0].curve = Curve::linear(0.9);
  const Expected<Figure> figure = build_figure(d);
  ASSERT_FALSE(figure);
  EXPECT_EQ(figure.error().text(),
            "parameter 'g.p': found curves that 'h.p' does not mirror; expected mirrored curves");
}

TEST(BuildFigure, AcceptsBonesWithoutLengthAndFixedFreedoms) {
  FigureDescription d = planar_arm();
  d.joints[1].in_parent = {};
  d.sites[0].frame = {};
  d.joints[1].freedoms[0].range = {0.5, 0.5, 0.5};
  EXPECT_EQ(built(d).length(), 0.5);  // only the mass centres have an extent
  for (SegmentDescription& segment : d.segments) segment.mass_centre.setZero();
  const Figure figure = built(d);
  EXPECT_EQ(figure.length(), 1.0);  // nothing has an extent
  EXPECT_EQ(figure.rest().theta[1], 0.5);
}

TEST(BuildFigure, AcceptsAForestWithExplicitJointsToTheWorld) {
  FigureDescription d = planar_arm();
  d.segments.push_back({"stone"});
  d.segments.push_back({"leaf"});
  d.joints.push_back(free_root("place", "stone"));
  d.joints.push_back({"drop", "", "leaf", at({0, 3, 0})});
  const Figure figure = built(d);
  EXPECT_EQ(figure.segments()[0].name, "base");  // the root without a joint comes first
  EXPECT_EQ(figure.segments()[3].parent, no_parent);
  EXPECT_EQ(figure.segments()[4].parent, no_parent);
  EXPECT_EQ(figure.parameters().size(), 8u);
}

TEST(BuildFigure, NormalizesRotationsAndAxes) {
  FigureDescription d = planar_arm();
  Random random(30);
  const Mat3 R = random.rotation();
  d.joints[1].in_parent.R = R.unaryExpr([](double x) { return std::round(1e6 * x) / 1e6; });
  d.joints[1].freedoms[0].axis = {0, 0, -4};
  const Figure figure = built(d);
  EXPECT_LE(rotation_defect(figure.joints()[2].in_parent.R), 1e-15);
  EXPECT_LE((figure.joints()[2].in_parent.R - R).cwiseAbs().maxCoeff(), 2e-6);  // rounded to six digits
  EXPECT_EQ(figure.freedoms()[1].axis, Vec3(0, 0, -1));
}

}  // namespace build_test
}  // namespace limber
