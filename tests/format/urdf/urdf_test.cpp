// Robots: link positions as in the truth files, limits, mimic joints, and notes of ignored elements.
#include "limber/format/urdf/urdf.h"

#include <gtest/gtest.h>

#include "limber/format/text/json.h"
#include "limber/format/text/xml.h"
#include "limber/kinematics/forward.h"
#include "tests/format/note.h"
#include "tests/format/sample.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace urdf_test {

const std::filesystem::path data = source_dir() + "/data";
constexpr const char* robots[] = {"allegro_right", "baxter", "g1_29dof",        "go2",
                                  "iiwa14",        "panda",  "simple_humanoid", "ur5"};

Content read(std::string_view bytes, const ReadOptions& options = {}) {
  Expected<Content> content = read_urdf(bytes, "r.urdf", options);
  if (!content) {
    ADD_FAILURE() << content.error().text();
    return {};
  }
  return std::move(*content);
}

Content robot(const std::string& name) { return read(read_sample(data / "urdf" / (name + ".urdf"))); }

// What mimics follows what it mimics: θ = bound - Σ c θ_other, for the rows "mimic …" in order.
void follow(const Figure& figure, Pose& pose) {
  for (const LimitRow& row : figure.limit_rows()) {
    double value = row.bound;
    for (std::size_t k = 1; k < row.parameters.size(); ++k)
      value -= row.coefficients[k] * pose.theta[row.parameters[k]];
    pose.theta[row.parameters[0]] = value / row.coefficients[0];
  }
}

double value_or_fail(const Expected<double>& value) {
  if (!value) ADD_FAILURE() << value.error().text();
  return value.value_or(0.0);
}

TEST(Urdf, LinksMatchTheTruthFiles) {
  for (const char* name : robots) {
    SCOPED_TRACE(name);
    const Content content = robot(name);
    ASSERT_TRUE(content.figure);
    const Figure& figure = *content.figure;
    const std::string text = read_sample(data / "truth" / (std::string("urdf_") + name + ".json"));
    JsonDocument truth(text, name);
    double farthest = 0.0, max_turned = 0.0;
    int configurations = 0, links = 0;
    for (const JsonValue configuration : truth.root()["configs"]) {
      Pose pose = figure.rest();
      for (const JsonValue q : configuration["q"]) {
        const std::string joint(q.key());
        const bool slides = figure.find_parameter(joint + ".slide").has_value();
        const Expected<void> set = figure.set(pose, joint + (slides ? ".slide" : ".angle"), q.number());
        EXPECT_TRUE(set) << joint;
      }
      follow(figure, pose);
      const Kinematics state = forward(figure, pose);
      EXPECT_EQ(configuration["links"].size(), figure.segments().size());
      for (const JsonValue link : configuration["links"]) {
        const Expected<int> segment = figure.find_segment(link.key());
        ASSERT_TRUE(segment) << link.key();
        double v[7];
        int k = 0;
        ASSERT_TRUE(link.array(7, "seven numbers"));
        for (const JsonValue number : link) v[k++] = number.number();
        const Frame& X = state.segments[*segment];
        const Mat3 R = content.space.R_inside_file().transpose() * X.R;
        const Mat3 R_truth = Eigen::Quaterniond(v[3], v[4], v[5], v[6]).normalized().toRotationMatrix();
        farthest = std::fmax(farthest, (content.space.in_file(X.p) - Vec3(v[0], v[1], v[2])).norm());
        max_turned = std::fmax(max_turned, (R - R_truth).cwiseAbs().maxCoeff());
        ++links;
      }
      ++configurations;
    }
    ASSERT_FALSE(truth.error()) << truth.error()->text();
    EXPECT_EQ(configurations, 5);
    EXPECT_GT(links, 50);
    EXPECT_LT(farthest, 1e-6);
    EXPECT_LT(max_turned, 1e-6);
    RecordProperty(std::string(name) + "_farthest", std::to_string(farthest * 1e9) + " nm");
    RecordProperty(std::string(name) + "_turned", std::to_string(max_turned * 1e9) + "e-9");
  }
}

TEST(Urdf, EveryRobotRestsWithinItsLimits) {
  for (const char* name : robots) {
    const Content content = robot(name);
    ASSERT_TRUE(content.figure);
    EXPECT_EQ(content.format, "urdf");
    EXPECT_EQ(content.space.up, Up::z);
    EXPECT_FALSE(content.notes.empty());
    const Figure& figure = *content.figure;
    EXPECT_EQ(figure.sites().size(), figure.segments().size());
    const Pose rest = figure.rest();
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      EXPECT_LE(range.lower, rest.theta[j]);
      EXPECT_LE(rest.theta[j], range.upper);
      EXPECT_TRUE(std::isfinite(range.lower)) << figure.parameters()[j].name;
    }
    for (const LimitRow& row : figure.limit_rows()) {
      double sum = -row.bound;
      for (std::size_t k = 0; k < row.parameters.size(); ++k)
        sum += row.coefficients[k] * rest.theta[row.parameters[k]];
      EXPECT_NEAR(sum, 0.0, 1e-12) << row.name;
      EXPECT_EQ(row.relation, Relation::equal);
    }
  }
}

TEST(Urdf, CountsOfTheSamples) {
  const Figure panda = *robot("panda").figure;
  EXPECT_EQ(panda.name(), "panda");
  EXPECT_EQ(panda.segments().size(), 13u);
  EXPECT_EQ(panda.freedoms().size(), 9u);
  ASSERT_EQ(panda.limit_rows().size(), 1u);
  EXPECT_EQ(panda.limit_rows()[0].name, "mimic panda_finger_joint2");
  const Parameter& first = panda.parameters()[*panda.find_parameter("panda_joint1.angle")];
  EXPECT_EQ(first.range.lower, -2.8973);
  EXPECT_EQ(first.range.upper, 2.8973);
  EXPECT_FALSE(first.translates);
  EXPECT_TRUE(panda.parameters()[*panda.find_parameter("panda_finger_joint1.slide")].translates);
  // A joint that cannot be at 0 rests at the limit nearest to it.
  const Parameter& elbow = panda.parameters()[*panda.find_parameter("panda_joint4.angle")];
  EXPECT_LT(elbow.range.upper, 0.0);
  EXPECT_EQ(elbow.range.rest, elbow.range.upper);
  EXPECT_EQ(robot("baxter").figure->limit_rows().size(), 2u);
  EXPECT_EQ(robot("g1_29dof").figure->freedoms().size(), 29u);
  EXPECT_NEAR(robot("g1_29dof").figure->mass(), 33.3, 3.0);
  EXPECT_EQ(robot("ur5").figure->find_segment("world").value_or(-1), 0);
}

TEST(Urdf, IgnoredElementsAreNotedOncePerKind) {
  const Content panda = robot("panda");
  EXPECT_TRUE(has_note(panda, "<collision> is not read, 17 times"));
  EXPECT_TRUE(has_note(panda, "<safety_controller> is not read, 7 times"));
  EXPECT_TRUE(has_note(panda, "<dynamics> is not read, 9 times"));
  EXPECT_TRUE(has_note(panda, "effort and velocity of <limit> are not read, 9 times"));
  EXPECT_TRUE(has_note(robot("allegro_right"), "<transmission> is not read, 16 times"));
  EXPECT_TRUE(has_note(robot("g1_29dof"), "<mujoco> is not read"));
  for (const Note& note : panda.notes) {
    EXPECT_GT(note.line, 1) << note.text;
    EXPECT_GT(note.column, 0) << note.text;
  }
}

// One joint of each type between links a and b.
std::string two_links(const std::string& joint, const std::string& more = "") {
  return "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n" + joint + "\n" + more + "</robot>\n";
}
std::string joint(const std::string& type, const std::string& inside) {
  return "<joint name=\"j\" type=\"" + type + "\"><parent link=\"a\"/><child link=\"b\"/>" + inside + "</joint>";
}

// X_a_b in the file's axes.
Frame placed(const Content& content, const std::vector<std::pair<const char*, double>>& values) {
  const Figure& figure = *content.figure;
  Pose pose = figure.rest();
  for (const auto& [name, value] : values) EXPECT_TRUE(figure.set(pose, name, value)) << name;
  const Kinematics state = forward(figure, pose);
  return state.segments[*figure.find_segment("a")].inverse() * state.segments[*figure.find_segment("b")];
}

void expect_frame(const Frame& X, const Mat3& R, const Vec3& p) {
  EXPECT_LT((X.R - R).cwiseAbs().maxCoeff(), 1e-14) << X.R;
  EXPECT_LT((X.p - p).norm(), 1e-14) << X.p.transpose();
}

TEST(Urdf, TypesOfJoints) {
  const std::string origin = "<origin xyz=\"1 2 3\" rpy=\"0.1 0.2 0.3\"/>";
  const Mat3 R0 = rotation(Vec3::UnitZ(), 0.3) * rotation(Vec3::UnitY(), 0.2) * rotation(Vec3::UnitX(), 0.1);
  const Vec3 p0(1, 2, 3);
  expect_frame(placed(read(two_links(joint("fixed", origin))), {}), R0, p0);
  // The axis is x where none is given, and made a unit vector.
  expect_frame(placed(read(two_links(joint("continuous", origin))), {{"j.angle", 2.0}}),
               R0 * rotation(Vec3::UnitX(), 2.0), p0);
  const Content turned =
      read(two_links(joint("Revolute", origin + "<axis xyz=\"0 0 2\"/><limit lower=\"-1\" upper=\"1\"/>")));
  expect_frame(placed(turned, {{"j.angle", 0.7}}), R0 * rotation(Vec3::UnitZ(), 0.7), p0);
  EXPECT_TRUE(has_note(turned, "normalized"));
  expect_frame(placed(read(two_links(joint("prismatic", origin + "<axis xyz=\"0 1 0\"/><limit upper=\"1\"/>"))),
                      {{"j.slide", 0.7}}),
               R0, p0 + R0 * Vec3(0, 0.7, 0));
  expect_frame(placed(read(two_links(joint("planar", origin + "<axis xyz=\"0 0 1\"/>"))),
                      {{"j.tx", 0.5}, {"j.ty", -0.25}, {"j.rz", 0.4}}),
               R0 * rotation(Vec3::UnitZ(), 0.4), p0 + R0 * Vec3(0.5, -0.25, 0));
  expect_frame(placed(read(two_links(joint("planar", origin))), {{"j.tx", 0.5}, {"j.ty", -0.25}, {"j.rz", 0.4}}),
               R0 * rotation(Vec3::UnitX(), 0.4), p0 + R0 * Vec3(0, 0.5, -0.25));
  expect_frame(placed(read(two_links(joint("floating", origin))),
                      {{"j.tx", 0.5}, {"j.ty", -0.25}, {"j.tz", 1}, {"j.rx", 0.1}, {"j.ry", 0.2}, {"j.rz", 0.4}}),
               R0 * rotation(Vec3::UnitX(), 0.1) * rotation(Vec3::UnitY(), 0.2) * rotation(Vec3::UnitZ(), 0.4),
               p0 + R0 * Vec3(0.5, -0.25, 1));
  expect_frame(placed(read(two_links(joint("fixed", "<origin quat_xyzw=\"0 0 2 2\"/>"))), {}),
               rotation(Vec3::UnitZ(), pi / 2), Vec3::Zero());
}

TEST(Urdf, LimitsAreThoseOfTheFile) {
  const auto range = [](const std::string& type, const std::string& limit) {
    return read(two_links(joint(type, limit))).figure->parameters()[0].range;
  };
  EXPECT_EQ(range("revolute", "<limit lower='-0.5' upper='1.5'/>").lower, -0.5);
  EXPECT_EQ(range("revolute", "<limit lower='-0.5' upper='1.5'/>").upper, 1.5);
  EXPECT_EQ(range("revolute", "<limit lower='0.5' upper='1.5'/>").rest, 0.5);
  EXPECT_EQ(range("prismatic", "<limit upper='+1.5e-1'/>").lower, 0.0);
  EXPECT_EQ(range("prismatic", "<limit upper='+1.5e-1'/>").upper, 0.15);
  EXPECT_EQ(range("continuous", "<limit lower='-1' upper='1' effort='3'/>").upper, infinity);
  EXPECT_EQ(range("revolute", "").lower, -infinity);
  EXPECT_EQ(range("revolute", "<limit effort='1'/>").upper, 0.0);
  EXPECT_TRUE(has_note(read(two_links(joint("revolute", ""))), "without <limit>"));
  EXPECT_TRUE(has_note(read(two_links(joint("revolute", "<limit effort='1'/>"))), "fixes its joint at 0"));
  EXPECT_TRUE(has_note(read(two_links(joint("continuous", "<limit lower='1' upper='2'/>"))), "continuous"));
  EXPECT_TRUE(has_note(read(two_links(joint("fixed", "<limit lower='1' upper='2' wear='1'/>"))), "\"wear\""));
}

std::string mimics(const std::string& limit_a, const std::string& limit_b, const std::string& mimic,
                   const std::string& more = "") {
  return "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/><link name=\"d\"/>"
         "<joint name=\"ja\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>" +
         limit_a +
         "</joint>"
         "<joint name=\"jb\" type=\"prismatic\"><parent link=\"b\"/><child link=\"c\"/>" +
         limit_b + mimic +
         "</joint>"
         "<joint name=\"jc\" type=\"continuous\"><parent link=\"c\"/><child link=\"d\"/>" +
         more + "</joint></robot>";
}

TEST(Urdf, MimicIsALimitRowThatTheRestPoseSatisfies) {
  const Figure figure = *read(mimics("<limit lower='-1' upper='2'/>", "<limit lower='0.5' upper='0.9'/>",
                                     "<mimic joint='ja' multiplier='-0.5' offset='0.25'/>"))
                             .figure;
  ASSERT_EQ(figure.limit_rows().size(), 1u);
  const LimitRow& row = figure.limit_rows()[0];
  EXPECT_EQ(row.name, "mimic jb");
  EXPECT_EQ(row.relation, Relation::equal);
  EXPECT_EQ(row.bound, 0.25);
  ASSERT_EQ(row.parameters.size(), 2u);
  EXPECT_EQ(figure.parameters()[row.parameters[0]].name, "jb.slide");
  EXPECT_EQ(row.coefficients[0], 1.0);
  EXPECT_EQ(figure.parameters()[row.parameters[1]].name, "ja.angle");
  EXPECT_EQ(row.coefficients[1], 0.5);
  // jb = 0.25 - ja/2 lies in 0.5 … 0.9 where ja lies in -1.3 … -0.5.
  EXPECT_NEAR(value_or_fail(figure.value(figure.rest(), "ja.angle")), -0.5, 1e-15);
  EXPECT_NEAR(value_or_fail(figure.value(figure.rest(), "jb.slide")), 0.5, 1e-15);
}

TEST(Urdf, MimicChainsAreResolved) {
  const Figure figure =
      *read(mimics("<limit lower='1' upper='2'/>", "<limit lower='-9' upper='9'/>",
                   "<mimic joint='ja' multiplier='2' offset='0.25'/>", "<mimic joint='jb' multiplier='-1'/>"))
           .figure;
  ASSERT_EQ(figure.limit_rows().size(), 2u);
  EXPECT_NEAR(value_or_fail(figure.value(figure.rest(), "ja.angle")), 1.0, 1e-15);
  EXPECT_NEAR(value_or_fail(figure.value(figure.rest(), "jb.slide")), 2.25, 1e-15);
  EXPECT_NEAR(value_or_fail(figure.value(figure.rest(), "jc.angle")), -2.25, 1e-15);
}

TEST(Urdf, MimicOverridesContradictingLimits) {
  const Content content =
      read(mimics("<limit lower='-1' upper='2'/>", "<limit lower='5' upper='6'/>", "<mimic joint='ja'/>"));
  EXPECT_TRUE(has_note(content, "conflict with a mimic relation"));
  EXPECT_EQ(content.figure->parameters()[1].range.upper, infinity);
  EXPECT_EQ(content.figure->rest().theta[1], 0.0);
}

TEST(Urdf, InertiaMassAndMesh) {
  const std::string text =
      "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
      "<mass value='2.5'/><inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='3'/></inertial>"
      "<visual><geometry><box size='1 1 1'/></geometry></visual>"
      "<visual><geometry><mesh filename='package://x/a.stl'/></geometry></visual>"
      "<visual><geometry><mesh filename='b.stl'/></geometry></visual></link></robot>";
  const Figure figure = *read(text).figure;
  EXPECT_EQ(figure.mass(), 2.5);
  EXPECT_EQ(figure.segments()[0].mass_centre, Vec3(1, 2, 3));
  EXPECT_EQ(figure.description().segments[0].object, "package://x/a.stl");
  // A quarter turn about z: x becomes y, y becomes -x.
  Mat3 turned;
  turned << 2, -0.1, -0.3, -0.1, 1, 0.2, -0.3, 0.2, 3;
  EXPECT_LT((figure.description().segments[0].inertia - turned).cwiseAbs().maxCoeff(), 1e-15);
  const Figure small = *read(text, {.metres_per_unit = 0.1}).figure;
  EXPECT_LT((small.description().segments[0].inertia - 0.01 * turned).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Urdf, UnitAndAxesOfTheCaller) {
  const std::string text = two_links(joint("prismatic", "<origin xyz='1 2 3'/><axis xyz='0 0 1'/><limit upper='7'/>"));
  const Content content = read(text, {.metres_per_unit = 0.01, .up = Up::y});
  const Figure& figure = *content.figure;
  Pose pose = figure.rest();
  EXPECT_EQ(figure.parameters()[0].range.upper, 0.07);
  pose.theta[0] = 0.05;
  EXPECT_LT((forward(figure, pose).segments[1].p - Vec3(0.01, 0.02, 0.08)).norm(), 1e-15);
  // Z up: the file's z is our y.
  const Figure standing = *read(text).figure;
  EXPECT_LT((forward(standing, standing.rest()).segments[1].p - Vec3(1, 3, -2)).norm(), 1e-15);
  // A mimic between an angle and a length is in the file's unit too.
  const Figure mixed = *read(mimics("<limit lower='-1' upper='2'/>", "<limit lower='-9' upper='9'/>",
                                    "<mimic joint='ja' multiplier='3' offset='0.5'/>"),
                             {.metres_per_unit = 0.01})
                            .figure;
  EXPECT_DOUBLE_EQ(mixed.limit_rows()[0].bound, 0.005);
  EXPECT_DOUBLE_EQ(mixed.limit_rows()[0].coefficients[1], -0.03);
}

TEST(Urdf, LayoutOfTheTextDoesNotMatter) {
  const std::string text = read_sample(data / "urdf" / "simple_humanoid.urdf");
  const Figure plain = *read(text).figure;
  std::string crlf, cr, tabs;
  for (const char c : text) {
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
    tabs += c == ' ' ? '\t' : c;
  }
  const std::string bom = "\xEF\xBB\xBF" + text;
  const std::string declared =
      "<?xml version='1.0' encoding='ISO-8859-1'?><!-- <link> &x; -->" + text.substr(text.find("<robot"));
  const std::string cut = text.substr(0, text.find_last_not_of(" \r\n\t") + 1);
  for (const std::string& variant : {crlf, cr, tabs, bom, declared, cut}) {
    const Content content = read(variant);
    ASSERT_TRUE(content.figure);
    const Figure& figure = *content.figure;
    ASSERT_EQ(figure.segments().size(), plain.segments().size());
    const Kinematics a = forward(plain, plain.rest()), b = forward(figure, figure.rest());
    for (std::size_t s = 0; s < a.segments.size(); ++s) {
      EXPECT_EQ(figure.segments()[s].name, plain.segments()[s].name);
      EXPECT_EQ(a.segments[s].p, b.segments[s].p);
    }
  }
}

TEST(Urdf, NamesMayContainAnything) {
  const Content content =
      read("<?xml version='1.0' encoding='latin1'?><robot name='r\xE9'><link name='a &lt;b&gt; &#233;'/></robot>");
  EXPECT_EQ(content.figure->name(), "ré");
  EXPECT_EQ(content.figure->segments()[0].name, "a <b> é");
  // A joint of the file may have the name that the root's would get.
  const Figure figure = *read(
                             "<robot name='r'><link name='a'/><link name='b'/><joint name='world' type='fixed'>"
                             "<parent link='a'/><child link='b'/></joint></robot>")
                             .figure;
  EXPECT_EQ(figure.joints()[0].name, "world_2");
  EXPECT_EQ(figure.joints()[1].name, "world");
}

TEST(Xml, ElementsAttributesAndTextAreDecoded) {
  const std::string text =
      "<?xml version='1.0'?>\n<!-- a --><a x='1 &lt; 2' y=\"'&#x41;'\">\n  one <b/> &amp; <![CDATA[<two>]]>\n  <c z = "
      "'3'>"
      "<d/><!-- no --></c>three\n</a>\n<!-- end -->";
  const XmlDocument document(text, "f");
  ASSERT_FALSE(document.error()) << document.error()->text();
  const XmlElement a = document.root();
  EXPECT_EQ(a.name(), "a");
  EXPECT_EQ(a.text(), "one  & <two>three");
  EXPECT_EQ(a.attribute("x"), "1 < 2");
  EXPECT_EQ(a.attribute("y"), "'A'");
  EXPECT_FALSE(a.attribute("z"));
  EXPECT_FALSE(a.parent());
  EXPECT_FALSE(a.child("d"));
  EXPECT_EQ(document.size(), 4u);
  std::string names;
  for (const XmlElement child : a) names += child.name();
  EXPECT_EQ(names, "bc");
  const XmlElement c = a.child("c"), d = c.child("d");
  EXPECT_EQ(d.parent().name(), "c");
  EXPECT_EQ(c.parent().name(), "a");
  EXPECT_EQ(d.text(), "");
  EXPECT_EQ(document.place(a.offset()).line, 2);
  EXPECT_EQ(document.place(a.offset()).column, 11);
  EXPECT_EQ(document.place(a.offset_of("y")).column, 27);
  EXPECT_EQ(document.place(c.offset_of("z")).line, 4);
  EXPECT_EQ(document.place(c.offset_of("z")).column, 6);
  EXPECT_EQ(c.reject_attribute("z", "3", "4").error().text(), "f:4:6: attribute \"z\" of <c>: found 3; expected 4");
}

TEST(Urdf, EveryPrefixGivesAFigureOrAnError) {
  const std::size_t step = law::whole_or_quick(1U, 31U);
  const std::string text = read_sample(data / "urdf" / "simple_humanoid.urdf");
  const std::size_t end = text.find("</robot>") + 8;
  for (std::size_t size = 0; size < text.size(); size += step) {
    const Expected<Content> content = read_urdf(std::string_view(text).substr(0, size), "p");
    EXPECT_EQ(content.has_value(), size >= end) << size;
    if (!content) {
      EXPECT_TRUE(content.error().where.starts_with("p:")) << content.error().text();
      EXPECT_FALSE(content.error().expected.empty());
    }
  }
}

}  // namespace urdf_test
}  // namespace limber
