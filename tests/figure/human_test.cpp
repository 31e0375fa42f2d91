// The built-in human figures: counts, measurements, directions of motion, symmetry.
#include "limber/figure/human.h"

#include <gtest/gtest.h>

#include <set>

#include "limber/base/random.h"
#include "limber/kinematics/forward.h"

namespace limber {
namespace human_test {

constexpr double exact = 1e-9;                // metres, radians, kilograms: rounding only
constexpr double standing_tolerance = 0.001;  // metres
// Max interpolation error of the shoulder's curves, with knots ten degrees apart.
constexpr double rhythm_tolerance = radians(0.2);

Figure independent() { return *human({.spine = Spine::independent}); }
Figure with_clavicles() { return *simple_human({.clavicles = true}); }

std::vector<Figure> all_figures() {
  return {human(),
          independent(),
          *human({.sex = Sex::female}),
          *human({.sex = Sex::female, .stature = 1.55, .mass = 50.0, .root = Root::fixed}),
          *human({.stature = 2.0}),
          *simple_human(),
          with_clavicles(),
          *simple_human({.stature = 1.6, .root = Root::fixed})};
}

// The number of parameters that drive a joint on the chain from `from` to any of the places.
int count_parameters(const Figure& figure, const std::string& from, const std::vector<std::string>& places) {
  const int start = *figure.find_joint(from);
  std::set<int> found;
  for (const std::string& place : places) {
    int s = figure.point(place)->plus[0].segment;
    while (true) {
      const Joint& joint = figure.joints()[static_cast<std::size_t>(s)];
      for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
        const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
        for (int t = freedom.term_begin; t < freedom.term_end; ++t)
          found.insert(figure.terms()[static_cast<std::size_t>(t)].parameter);
      }
      if (s == start) break;
      s = figure.segments()[static_cast<std::size_t>(s)].parent;
      if (s == no_parent) {
        ADD_FAILURE() << place << " is not below " << from;
        return -1;
      }
    }
  }
  return static_cast<int>(found.size());
}

Pose posed(const Figure& figure, const std::vector<std::pair<std::string, double>>& values) {
  Pose pose = figure.rest();
  for (const auto& [name, value] : values) EXPECT_TRUE(figure.set(pose, name, value)) << name;
  return pose;
}

Frame place(const Figure& figure, const Pose& pose, const std::string& site) {
  for (const Site& each : figure.sites())
    if (each.name == site) return forward(figure, pose).segments[static_cast<std::size_t>(each.segment)] * each.frame;
  ADD_FAILURE() << "no site " << site;
  return {};
}

Vec3 point(const Figure& figure, const Pose& pose, const std::string& site) { return place(figure, pose, site).p; }
Vec3 moved(const Figure& figure, const std::string& parameter, double value, const std::string& site) {
  return point(figure, posed(figure, {{parameter, value}}), site) - point(figure, figure.rest(), site);
}
Vec3 upper_arm_direction(const Figure& figure, const Pose& pose, const std::string& side) {
  return (point(figure, pose, side + "_elbow") - point(figure, pose, side + "_shoulder")).normalized();
}
Vec3 reflected(const Vec3& v) { return {-v.x(), v.y(), v.z()}; }

std::string other_side(const std::string& name) {
  if (name.starts_with("left_")) return "right_" + name.substr(5);
  if (name.starts_with("right_")) return "left_" + name.substr(6);
  return name;
}

Pose random_pose(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    pose.theta[static_cast<Eigen::Index>(j)] =
        random.between(std::fmax(range.lower, -1.0), std::fmin(range.upper, 1.0));
  }
  return pose;
}

const std::vector<std::string> both_hands = {"left_palm", "right_palm"};
const std::vector<std::string> hands_and_eyes = {"left_palm", "right_palm", "eyes"};

TEST(Human, HasThePapersDegreesOfFreedom) {
  EXPECT_EQ(count_parameters(human(), "waist", hands_and_eyes), 22);        // ZB94 Fig. 3 left
  EXPECT_EQ(count_parameters(independent(), "waist", hands_and_eyes), 70);  // ZB94 Fig. 3 right
  EXPECT_EQ(count_parameters(human(), "right_shoulder", {"right_palm"}), 7);
}

TEST(SimpleHuman, HasThePapersDegreesOfFreedom) {
  const Figure plain = *simple_human(), shrugging = with_clavicles();
  EXPECT_EQ(count_parameters(plain, "waist", {"right_palm"}), 22);    // ZB94 Fig. 7
  EXPECT_EQ(count_parameters(plain, "torso_5", {"right_palm"}), 10);  // ZB89 Fig. 7
  EXPECT_EQ(count_parameters(plain, "right_shoulder", {"right_palm"}), 7);
  EXPECT_EQ(count_parameters(shrugging, "left_clavicle", {"left_palm"}) +
                count_parameters(shrugging, "right_clavicle", {"right_palm"}),
            16);                                                    // ZB89 Fig. 4
  EXPECT_EQ(count_parameters(shrugging, "waist", both_hands), 31);  // ZB89 Fig. 5
}

TEST(Human, RootIsFreeOrFixed) {
  EXPECT_EQ(human().parameters().size(), 28u + 2u * 7u);
  EXPECT_EQ(human({.root = Root::fixed})->parameters().size(), 22u + 2u * 7u);
  EXPECT_EQ(independent().parameters().size(), 76u + 2u * 7u);
  EXPECT_TRUE(human().find_parameter("root.y"));
}

TEST(Human, StandsOnTheFloorWithItsStature) {
  const std::vector<std::pair<Figure, double>> figures = {{human(), 1.741},
                                                          {*human({.sex = Sex::female}), 1.735},
                                                          {*human({.stature = 1.9}), 1.9},
                                                          {*simple_human({.stature = 1.6}), 1.6}};
  for (const auto& [figure, stature] : figures) {
    const Pose rest = figure.rest();
    EXPECT_NEAR(point(figure, rest, "head_top").y(), stature, standing_tolerance);
    for (const char* sole : {"heel", "ball", "foot", "toe"})
      for (const char* side : {"left_", "right_"})
        EXPECT_NEAR(point(figure, rest, std::string(side) + sole).y(), 0.0, standing_tolerance) << side << sole;
    EXPECT_NEAR(point(figure, rest, "pelvis").x(), 0.0, exact);
    EXPECT_NEAR(point(figure, rest, "pelvis").z(), 0.0, exact);
  }
}

TEST(Human, RestIsZeroAndAllSegmentsAreAlignedWithTheWorld) {
  for (const Figure& figure : all_figures()) {
    EXPECT_EQ(figure.rest().theta.norm(), 0.0);
    for (const Frame& frame : forward(figure, figure.rest()).segments)
      EXPECT_LT((frame.R - Mat3::Identity()).norm(), exact);
  }
}

TEST(Human, HasTheRequestedMass) {
  EXPECT_NEAR(human().mass(), 73.0, exact);
  EXPECT_NEAR(human({.sex = Sex::female})->mass(), 61.9, exact);
  EXPECT_NEAR(human({.sex = Sex::female, .mass = 80.0})->mass(), 80.0, exact);
  EXPECT_NEAR(simple_human({.mass = 80.0})->mass(), 80.0, exact);
  EXPECT_NEAR(simple_human({.mass = 80.0, .clavicles = true})->mass(), 80.0, exact);
}

TEST(Human, MeanMassGrowsWithTheSquareOfStature) {
  EXPECT_NEAR(human({.stature = 0.5 * 1.741})->mass(), 73.0 / 4.0, exact);
}

TEST(Human, BalancesOverItsFeet) {
  for (const Figure& figure : all_figures()) {
    const Kinematics state = forward(figure, figure.rest());
    Vec3 centre = Vec3::Zero();
    for (std::size_t s = 0; s < figure.segments().size(); ++s)
      centre += figure.segments()[s].mass * (state.segments[s] * figure.segments()[s].mass_centre);
    centre /= figure.mass();
    const double stature = point(figure, figure.rest(), "head_top").y();
    EXPECT_NEAR(centre.x(), 0.0, exact);
    EXPECT_GT(centre.z(), point(figure, figure.rest(), "left_heel").z());
    EXPECT_LT(centre.z(), point(figure, figure.rest(), "left_ball").z());
    // Published heights of the standing body's centre of mass are 55 to 58 % of stature.
    EXPECT_NEAR(centre.y() / stature, 0.565, 0.02);
  }
}

TEST(Human, LimitsHaveRestStrictlyInside) {
  for (const Figure& figure : all_figures()) {
    for (const Parameter& parameter : figure.parameters()) {
      EXPECT_LT(parameter.range.lower, parameter.range.rest) << parameter.name;
      EXPECT_GT(parameter.range.upper, parameter.range.rest) << parameter.name;
    }
    for (const LimitRow& row : figure.limit_rows()) {
      EXPECT_EQ(row.relation, Relation::at_most);
      EXPECT_GT(row.bound, 0.0) << row.name;
    }
  }
}

TEST(Human, ShoulderRowsCutTheBoxAndKeepEveryBoundReachable) {
  const Figure figure = human();
  int rows = 0;
  for (const LimitRow& row : figure.limit_rows()) {
    ++rows;
    double row_max = 0.0;
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(row.parameters[k])].range;
      row_max += row.coefficients[k] * (row.coefficients[k] > 0.0 ? range.upper : range.lower);
      // One parameter at its bound, the others at rest: feasible, except that a hanging arm cannot pass through the
      // trunk and a fully abducted arm is turned outward.
      if (row.name.ends_with("across") || row.name.ends_with("aside inward")) continue;
      EXPECT_LE(row.coefficients[k] * range.upper, row.bound + radians(0.5)) << row.name;
      EXPECT_LE(row.coefficients[k] * range.lower, row.bound + radians(0.5)) << row.name;
    }
    EXPECT_GT(row_max, row.bound) << row.name << " does not cut";
  }
  EXPECT_EQ(rows, 12);
}

TEST(Human, MirrorImageAtRest) {
  for (const Figure& figure : all_figures())
    for (const Site& site : figure.sites()) {
      const Frame own = place(figure, figure.rest(), site.name);
      const Frame image_frame = place(figure, figure.rest(), other_side(site.name));
      EXPECT_LT((own.p - reflected(image_frame.p)).norm(), exact) << site.name;
      EXPECT_LT((own.R.col(0) - reflected(image_frame.R.col(0))).norm(), exact) << site.name;
      EXPECT_LT((own.R.col(1) - reflected(image_frame.R.col(1))).norm(), exact) << site.name;
    }
}

TEST(Human, MirroredPoseIsTheMirrorImage) {
  Random random(1);
  for (const Figure& figure : all_figures())
    for (int trial = 0; trial < 5; ++trial) {
      const Pose pose = random_pose(figure, random);
      const Pose image = figure.mirrored(pose);
      for (const Site& site : figure.sites()) {
        const Frame own = place(figure, image, site.name);
        const Frame image_frame = place(figure, pose, other_side(site.name));
        EXPECT_LT((own.p - reflected(image_frame.p)).norm(), exact) << site.name;
        EXPECT_LT((own.R.col(0) - reflected(image_frame.R.col(0))).norm(), exact) << site.name;
      }
    }
}

TEST(Human, SameValueIsTheSameMotionOnBothSides) {
  for (const Figure& figure : all_figures())
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const std::string& name = figure.parameters()[j].name;
      const MirrorImage image = figure.mirror()[j];
      EXPECT_EQ(figure.parameters()[static_cast<std::size_t>(image.parameter)].name, other_side(name));
      if (other_side(name) == name) continue;
      EXPECT_EQ(image.sign, 1.0) << name;
      EXPECT_EQ(figure.parameters()[j].range.upper,
                figure.parameters()[static_cast<std::size_t>(image.parameter)].range.upper);
    }
}

TEST(Human, ElevationRaisesTheArmForwardByItsValue) {
  for (const Figure& figure : {human(), *simple_human()})
    for (const char* side : {"left", "right"})
      for (int deg = -55; deg <= 165; deg += 5) {
        const double e = radians(deg);
        const Pose pose = posed(figure, {{std::string(side) + "_shoulder.elevation", e}});
        const Vec3 expected(0.0, -std::cos(e), std::sin(e));
        EXPECT_LT((upper_arm_direction(figure, pose, side) - expected).norm(), rhythm_tolerance) << side << deg;
        // The arm does not twist: the palm keeps facing inward.
        const double inward = std::string(side) == "left" ? -1.0 : 1.0;
        EXPECT_GT(inward * place(figure, pose, std::string(side) + "_palm").R.col(0).x(),
                  std::cos(2.0 * rhythm_tolerance));
      }
}

TEST(Human, AbductionRaisesTheArmSidewaysByItsValue) {
  for (const Figure& figure : {human(), *simple_human()})
    for (const char* side : {"left", "right"})
      for (int deg = -40; deg <= 180; deg += 5) {
        const double a = radians(deg), out = std::string(side) == "left" ? 1.0 : -1.0;
        const Pose pose = posed(figure, {{std::string(side) + "_shoulder.abduction", a}});
        const Vec3 expected(out * std::sin(a), -std::cos(a), 0.0);
        EXPECT_LT((upper_arm_direction(figure, pose, side) - expected).norm(), rhythm_tolerance) << side << deg;
      }
}

TEST(Human, ArmAtRightAnglesIsExact) {
  const Figure figure = human();
  const Pose ahead = posed(figure, {{"right_shoulder.elevation", radians(90.0)}});
  const Pose aside = posed(figure, {{"right_shoulder.abduction", radians(90.0)}});
  EXPECT_LT((upper_arm_direction(figure, ahead, "right") - Vec3::UnitZ()).norm(), exact);
  EXPECT_LT((upper_arm_direction(figure, aside, "right") + Vec3::UnitX()).norm(), exact);
}

TEST(Human, RaisingTheArmLiftsTheShoulderOnlyAfterTheSettingPhase) {
  const Figure figure = human();
  EXPECT_LT(moved(figure, "right_shoulder.abduction", radians(25.0), "right_shoulder").norm(), exact);
  EXPECT_GT(moved(figure, "right_shoulder.abduction", radians(90.0), "right_shoulder").y(), 0.02);
  EXPECT_GT(moved(figure, "right_shoulder.abduction", radians(170.0), "right_shoulder").y(), 0.05);
  EXPECT_GT(moved(figure, "right_shoulder.elevation", radians(90.0), "right_shoulder").z(), 0.02);
}

TEST(Human, TwistTurnsABentForearmInward) {
  for (const Figure& figure : {human(), *simple_human()}) {
    const auto hand = [&](double twist) {
      return point(figure, posed(figure, {{"right_elbow.flexion", radians(90.0)}, {"right_shoulder.twist", twist}}),
                   "right_palm");
    };
    EXPECT_GT(hand(radians(30.0)).x() - hand(0.0).x(), 0.1);  // inward is +X on the right
  }
}

TEST(Human, BendingMovesTheHead) {
  for (const Figure& figure : {human(), *simple_human()}) {
    const bool grouped = !figure.groups().empty();
    const auto head = [&](const char* bend, double value) {
      return moved(figure, (grouped ? std::string("spine.") : std::string("torso_1.")) + bend, value, "head_top");
    };
    EXPECT_GT(head("forward", 0.3).z(), 0.05);
    EXPECT_LT(head("forward", 0.3).y(), -0.005);
    EXPECT_LT(head("forward", -0.3).z(), -0.05);
    EXPECT_GT(head("lateral", 0.3).x(), 0.05);  // to the left
    const Vec3 gaze = place(figure, posed(figure, {{grouped ? "spine.axial" : "torso_5.axial", 0.3}}), "eyes").R.col(0);
    EXPECT_GT(gaze.x(), 0.2);  // to the left
  }
  const Figure figure = human();
  EXPECT_LT(place(figure, posed(figure, {{"head.nod", 0.3}}), "eyes").R.col(0).y(), -0.2);
  EXPECT_GT(place(figure, posed(figure, {{"head.turn", 0.3}}), "eyes").R.col(0).x(), 0.2);
  EXPECT_GT(moved(figure, "neck.flexion", 0.3, "eyes").z(), 0.005);
  EXPECT_GT(moved(figure, "neck.lateral", 0.3, "head_top").x(), 0.02);
}

TEST(Human, SpineParameterIsTheTotalBend) {
  const Figure figure = human();
  const double bend = radians(70.0);
  const Vec3 up = place(figure, posed(figure, {{"spine.forward", bend}}), "head_top").R.col(0);
  EXPECT_LT((up - Vec3(0.0, std::cos(bend), std::sin(bend))).norm(), exact);
}

TEST(Human, LimbsBendInTheAnatomicalDirection) {
  for (const char* side : {"left_", "right_"}) {
    const Figure figure = human();
    const std::string p = side;
    const double inward = p == "left_" ? -1.0 : 1.0;
    const Vec3 hand = moved(figure, p + "elbow.flexion", 1.0, p + "palm");
    EXPECT_GT(hand.y(), 0.05);
    EXPECT_GT(hand.z(), 0.1);
    EXPECT_LT(place(figure, posed(figure, {{p + "wrist.pronation", 1.0}}), p + "palm").R.col(0).z(),
              -0.5);  // to the back
    EXPECT_GT(inward * moved(figure, p + "wrist.flexion", 0.5, p + "fingertip").x(), 0.03);
    EXPECT_GT(moved(figure, p + "wrist.deviation", 0.3, p + "fingertip").z(), 0.03);
    EXPECT_GT(moved(figure, p + "hip.flexion", 1.0, p + "knee").z(), 0.2);
    EXPECT_LT(inward * moved(figure, p + "hip.abduction", 0.5, p + "foot").x(), -0.2);
    EXPECT_GT(inward * moved(figure, p + "hip.rotation", 0.5, p + "toe").x(), 0.03);
    EXPECT_LT(moved(figure, p + "knee.flexion", 1.0, p + "heel").z(), -0.2);
    EXPECT_GT(moved(figure, p + "ankle.flexion", 0.2, p + "toe").y(), 0.02);
    EXPECT_GT(-inward * place(figure, posed(figure, {{p + "ankle.inversion", 0.5}}), p + "foot").R.col(1).x(), 0.3);
    EXPECT_LT(moved(figure, p + "toes.flexion", 0.5, p + "toe").y(), -0.005);
  }
  EXPECT_GT(moved(with_clavicles(), "left_clavicle.shrug", 0.3, "left_shoulder").y(), 0.03);
  EXPECT_GT(moved(with_clavicles(), "right_clavicle.shrug", 0.3, "right_shoulder").y(), 0.03);
}

TEST(Human, SitesPointWhereTheyShould) {
  const Figure figure = human();
  const auto x = [&](const char* site) -> Vec3 { return place(figure, figure.rest(), site).R.col(0); };
  EXPECT_LT((x("eyes") - Vec3::UnitZ()).norm(), exact);
  EXPECT_LT((x("right_palm") - Vec3::UnitX()).norm(), exact);
  EXPECT_LT((x("left_palm") + Vec3::UnitX()).norm(), exact);
  EXPECT_LT((x("right_fingertip") + Vec3::UnitY()).norm(), exact);
  EXPECT_LT((x("right_elbow") + Vec3::UnitZ()).norm(), exact);
  EXPECT_LT((x("right_knee") - Vec3::UnitZ()).norm(), exact);
  EXPECT_LT((x("right_foot") - Vec3::UnitZ()).norm(), exact);
}

// With the freedoms of the independent figure set to the group's output, both figures have the same shape.
TEST(Human, GroupedAndIndependentSpinesAgree) {
  const Figure grouped = human(), free = independent();
  Random random(2);
  for (int trial = 0; trial < 5; ++trial) {
    const Pose pose = random_pose(grouped, random);
    VecX q;
    grouped.angles(pose.theta, q);
    Pose free_pose = free.rest();
    for (std::size_t j = 0; j < free.parameters().size(); ++j) {
      const std::string& name = free.parameters()[j].name;
      if (const Expected<double> value = grouped.value(pose, name)) {
        free_pose.theta[static_cast<Eigen::Index>(j)] = *value;
        continue;
      }
      for (std::size_t i = 0; i < grouped.freedoms().size(); ++i)
        if (grouped.freedoms()[i].name == name)
          free_pose.theta[static_cast<Eigen::Index>(j)] = q[static_cast<Eigen::Index>(i)];
    }
    for (const Site& site : free.sites())
      EXPECT_LT((point(free, free_pose, site.name) - point(grouped, pose, site.name)).norm(), exact) << site.name;
    for (const LimitRow& row : free.limit_rows()) {
      if (!row.name.starts_with("spine")) continue;
      double sum = 0.0;
      for (std::size_t k = 0; k < row.parameters.size(); ++k)
        sum += row.coefficients[k] * free_pose.theta[row.parameters[k]];
      EXPECT_LE(sum, row.bound + exact) << row.name;
    }
  }
}

TEST(Human, VertebraeShareTheBendInTheOrderOfTheirRanges) {
  const Figure figure = human();
  VecX q;
  figure.angles(posed(figure, {{"spine.forward", 1.0}, {"spine.axial", 0.5}}).theta, q);
  const auto angle = [&](const std::string& name) {
    for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
      if (figure.freedoms()[i].name == name) return q[static_cast<Eigen::Index>(i)];
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_GT(angle("L5.forward"), angle("L1.forward"));
  EXPECT_GT(angle("T12.forward"), angle("T4.forward"));
  EXPECT_GT(angle("T1.axial"), angle("T9.axial"));
  EXPECT_GT(angle("T9.axial"), angle("L5.axial"));
}

TEST(Human, SpineIsCurvedAndRunsFromTheSacrumToTheNeck) {
  const Figure figure = human();
  const Kinematics state = forward(figure, figure.rest());
  const auto origin = [&](const char* segment) {
    return state.segments[static_cast<std::size_t>(*figure.find_segment(segment))].p;
  };
  EXPECT_LT((origin("L5") - origin("waist")).norm(), exact);
  EXPECT_GT(origin("L3").z(), origin("L5").z());  // lordosis: hollow at the back
  EXPECT_LT(origin("T7").z(), origin("L3").z());  // kyphosis: round at the back
  EXPECT_LT(origin("T7").z(), origin("neck").z());
  EXPECT_NEAR(origin("neck").y(), 1.741 - 0.2429, exact);
}

TEST(Human, RejectsSizesOutsideTheHumanRange) {
  for (const double stature : {-1.0, 175.0, 0.1, std::nan(""), infinity}) {
    const Expected<Figure> rejected = human({.stature = stature});
    ASSERT_FALSE(rejected) << stature;
    EXPECT_NE(rejected.error().text().find("stature"), std::string::npos);
    EXPECT_FALSE(simple_human({.stature = stature}));
    EXPECT_FALSE(human_description({.stature = stature}));
  }
  for (const double mass : {-1.0, 70000.0, std::nan(""), infinity}) {
    const Expected<Figure> rejected = human({.mass = mass});
    ASSERT_FALSE(rejected) << mass;
    EXPECT_NE(rejected.error().text().find("mass"), std::string::npos);
  }
}

}  // namespace human_test
}  // namespace limber
