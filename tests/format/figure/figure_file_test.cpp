// Figures through JSON and back.
#include <gtest/gtest.h>

#include "limber/format/figure/figure_json.h"
#include "tests/format/sample.h"

namespace limber {
namespace figure_file_test {

void expect_same(const Range& a, const Range& b) {
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.upper, b.upper);
  EXPECT_EQ(a.rest, b.rest);
  EXPECT_EQ(a.rigidity, b.rigidity);
  EXPECT_EQ(a.stiffness, b.stiffness);
}

void expect_same(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.R, b.R);
  EXPECT_EQ(a.p, b.p);
}

void expect_same(const FigureDescription& a, const FigureDescription& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.segments.size(), b.segments.size());
  for (std::size_t s = 0; s < a.segments.size(); ++s) {
    EXPECT_EQ(a.segments[s].name, b.segments[s].name);
    EXPECT_EQ(a.segments[s].mass, b.segments[s].mass);
    EXPECT_EQ(a.segments[s].mass_centre, b.segments[s].mass_centre);
    EXPECT_EQ(a.segments[s].object, b.segments[s].object);
    EXPECT_EQ(a.segments[s].inertia, b.segments[s].inertia);
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    EXPECT_EQ(a.joints[j].name, b.joints[j].name);
    EXPECT_EQ(a.joints[j].parent, b.joints[j].parent);
    EXPECT_EQ(a.joints[j].child, b.joints[j].child);
    expect_same(a.joints[j].in_parent, b.joints[j].in_parent);
    expect_same(a.joints[j].in_child, b.joints[j].in_child);
    ASSERT_EQ(a.joints[j].freedoms.size(), b.joints[j].freedoms.size());
    for (std::size_t i = 0; i < a.joints[j].freedoms.size(); ++i) {
      EXPECT_EQ(a.joints[j].freedoms[i].name, b.joints[j].freedoms[i].name);
      EXPECT_EQ(a.joints[j].freedoms[i].motion, b.joints[j].freedoms[i].motion);
      EXPECT_EQ(a.joints[j].freedoms[i].axis, b.joints[j].freedoms[i].axis);
      expect_same(a.joints[j].freedoms[i].range, b.joints[j].freedoms[i].range);
    }
  }
  ASSERT_EQ(a.sites.size(), b.sites.size());
  for (std::size_t s = 0; s < a.sites.size(); ++s) {
    EXPECT_EQ(a.sites[s].name, b.sites[s].name);
    EXPECT_EQ(a.sites[s].segment, b.sites[s].segment);
    expect_same(a.sites[s].frame, b.sites[s].frame);
  }
  ASSERT_EQ(a.limits.size(), b.limits.size());
  for (std::size_t r = 0; r < a.limits.size(); ++r) {
    EXPECT_EQ(a.limits[r].name, b.limits[r].name);
    EXPECT_EQ(a.limits[r].relation, b.limits[r].relation);
    EXPECT_EQ(a.limits[r].bound, b.limits[r].bound);
    ASSERT_EQ(a.limits[r].terms.size(), b.limits[r].terms.size());
    for (std::size_t t = 0; t < a.limits[r].terms.size(); ++t) {
      EXPECT_EQ(a.limits[r].terms[t].parameter, b.limits[r].terms[t].parameter);
      EXPECT_EQ(a.limits[r].terms[t].coefficient, b.limits[r].terms[t].coefficient);
    }
  }
  ASSERT_EQ(a.mirror_pairs.size(), b.mirror_pairs.size());
  for (std::size_t p = 0; p < a.mirror_pairs.size(); ++p) {
    EXPECT_EQ(a.mirror_pairs[p].left, b.mirror_pairs[p].left);
    EXPECT_EQ(a.mirror_pairs[p].right, b.mirror_pairs[p].right);
  }
  EXPECT_EQ(a.mirror_normal, b.mirror_normal);
}

void expect_same_groups(const FigureDescription& a, const FigureDescription& b) {
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    EXPECT_EQ(a.groups[g].name, b.groups[g].name);
    ASSERT_EQ(a.groups[g].parameters.size(), b.groups[g].parameters.size());
    for (std::size_t p = 0; p < a.groups[g].parameters.size(); ++p) {
      EXPECT_EQ(a.groups[g].parameters[p].name, b.groups[g].parameters[p].name);
      expect_same(a.groups[g].parameters[p].range, b.groups[g].parameters[p].range);
    }
    ASSERT_EQ(a.groups[g].drivers.size(), b.groups[g].drivers.size());
    for (std::size_t d = 0; d < a.groups[g].drivers.size(); ++d) {
      const GroupDriver &from = a.groups[g].drivers[d], &to = b.groups[g].drivers[d];
      EXPECT_EQ(from.joint, to.joint);
      EXPECT_EQ(from.freedom, to.freedom);
      ASSERT_EQ(from.terms.size(), to.terms.size());
      for (std::size_t t = 0; t < from.terms.size(); ++t) {
        EXPECT_EQ(from.terms[t].parameter, to.terms[t].parameter);
        EXPECT_EQ(from.terms[t].curve.is_linear(), to.terms[t].curve.is_linear());
        EXPECT_DOUBLE_EQ(from.terms[t].curve.slope(), to.terms[t].curve.slope());
        ASSERT_EQ(from.terms[t].curve.knots().size(), to.terms[t].curve.knots().size());
        for (std::size_t k = 0; k < from.terms[t].curve.knots().size(); ++k) {
          EXPECT_DOUBLE_EQ(from.terms[t].curve.knots()[k].theta, to.terms[t].curve.knots()[k].theta);
          EXPECT_DOUBLE_EQ(from.terms[t].curve.knots()[k].value, to.terms[t].curve.knots()[k].value);
        }
      }
    }
  }
}

std::string figure_text(const std::string& body) { return R"({"limber": "figure 1", "figure": )" + body + "}"; }

Figure figure_from(const std::string& body) {
  const Expected<SourcedFigure> read = read_figure(figure_text(body), "f");
  if (!read) ADD_FAILURE() << read.error().text();
  return read->figure;
}

TEST(FigureFormat, RoundTripsExactly) {
  const Figure figure = built(crane());
  const std::string text = write_figure(figure);
  const Expected<SourcedFigure> back = read_figure(text, "crane.json");
  ASSERT_TRUE(back) << back.error().text() << "\n" << text;
  EXPECT_TRUE(std::holds_alternative<InlineFigure>(back->source));
  expect_same(figure.description(), back->figure.description());
  expect_same_groups(figure.description(), back->figure.description());
  EXPECT_EQ(write_figure(back->figure), text);
}

// The published limits are in degrees, the curves come from tables: all of it survives.
TEST(FigureFormat, TheHumansRoundTripAsFullDescriptions) {
  for (const Figure& figure :
       {human(), *human({.sex = Sex::female, .spine = Spine::independent}), *simple_human({.clavicles = true})}) {
    const std::string text = write_figure(figure);
    const Expected<SourcedFigure> back = read_figure(text, "human.json");
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ(back->figure.parameters().size(), figure.parameters().size());
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      EXPECT_EQ(back->figure.parameters()[j].name, figure.parameters()[j].name);
      EXPECT_DOUBLE_EQ(back->figure.parameters()[j].range.upper, figure.parameters()[j].range.upper);
    }
    EXPECT_EQ(back->figure.mirror().size(), figure.mirror().size());
    EXPECT_EQ(write_figure(back->figure), text);
  }
}

TEST(FigureFormat, BuiltInFiguresAreWrittenByTheirOptions) {
  const std::pair<const char*, FigureSource> cases[] = {
      {R"({"human": {"sex": "female", "stature": 1.6, "mass": 55, "spine": "independent", "root": "fixed"}})",
       HumanOptions{Sex::female, 1.6, 55.0, Spine::independent, Root::fixed}},
      {R"({"human": {"sex": "male"}})", HumanOptions{}},
      {R"({"simple_human": {"stature": 1.8, "mass": 80, "root": "fixed", "clavicles": true}})",
       SimpleHumanOptions{1.8, 80.0, Root::fixed, true}},
      {R"({"simple_human": {}})", SimpleHumanOptions{}},
  };
  for (const auto& [text, source] : cases) {
    const Expected<SourcedFigure> read = read_figure(figure_text(text), "f");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->source.index(), source.index());
    EXPECT_EQ(write_figure(read->figure, read->source),
              "{\n  \"limber\": \"figure 1\",\n  \"figure\": " + std::string(text) + "\n}\n");
  }
  const Expected<SourcedFigure> female = read_figure(figure_text(cases[0].first), "f");
  EXPECT_NEAR(female->figure.mass(), 55.0, 1e-9);
}

TEST(FigureFormat, ReadsThreeFormsOfRotation) {
  const auto site = [](const std::string& turned) {
    return figure_from(R"({"segments": [{"name": "a"}], "sites": [{"name": "s", "segment": "a", )" + turned + "}]}")
        .sites()[0]
        .frame.R;
  };
  const Mat3 R = rotation(Vec3::UnitY(), radians(90.0));
  EXPECT_LE((site(R"("turns": [["y", 90]])") - R).norm(), 1e-15);
  EXPECT_LE((site(R"("turns": [["y", 40], [[0, 2, 0], 50]])") - R).norm(), 1e-15);
  EXPECT_LE((site(R"("matrix": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]])") - R).norm(), 1e-15);
  EXPECT_LE((site(R"("quaternion": [1, 0, 1, 0])") - R).norm(), 1e-15);
}

TEST(FigureFormat, AFreeJointHasSixFreedoms) {
  const Figure figure =
      figure_from(R"({"segments": [{"name": "a"}], "joints": [{"name": "root", "child": "a", "free": true}]})");
  ASSERT_EQ(figure.parameters().size(), 6u);
  EXPECT_EQ(figure.parameters()[0].name, "root.x");
  EXPECT_EQ(unit_of(figure, figure.parameters()[0]), Unit::metres);
  EXPECT_EQ(unit_of(figure, figure.parameters()[3]), Unit::degrees);
}

TEST(FigureFormat, AnglesAreDegreesAndLengthsMetres) {
  const Figure figure =
      figure_from(R"({"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a", "freedoms": [
    {"name": "t", "axis": "x", "lower": -90, "upper": 180, "rest": 45},
    {"name": "s", "motion": "translate", "axis": "y", "lower": -90, "upper": 180, "rest": 45}]}],
    "limits": [{"name": "r", "terms": {"j.t": 2}, "at_most": 180}, {"name": "m", "terms": {"j.t": 1, "j.s": 2}, "equal": 180}]})");
  EXPECT_EQ(figure.parameters()[0].range.lower, radians(-90.0));
  EXPECT_EQ(figure.parameters()[0].range.rest, radians(45.0));
  EXPECT_EQ(figure.parameters()[1].range.lower, -90.0);
  EXPECT_EQ(figure.parameters()[1].range.rest, 45.0);
  EXPECT_EQ(figure.limit_rows()[0].coefficients[0], 2.0);
  EXPECT_EQ(figure.limit_rows()[0].bound, pi);
  // 1 per degree is 57.3 per radian.
  EXPECT_DOUBLE_EQ(figure.limit_rows()[1].coefficients[0], 180.0 / pi);
  EXPECT_EQ(figure.limit_rows()[1].coefficients[1], 2.0);
  EXPECT_EQ(figure.limit_rows()[1].bound, 180.0);
  EXPECT_EQ(figure.limit_rows()[1].relation, Relation::equal);
}

}  // namespace figure_file_test
}  // namespace limber
