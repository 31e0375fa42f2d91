// Polygon files, and the objects of a skeleton script.
#include "limber/format/polygon/polygon.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/body/body_mesh.h"
#include "limber/format/file.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"
#include "limber/picture/picture.h"
#include "tests/format/note.h"
#include "tests/support/figures.h"

namespace limber {
namespace {

using testing::good;

const std::string obj =
    "# a wedge\nmtllib none\nv 0 0 0\nv 2 0 0 1\nv 2 2 0\nv 0 2 0\nv 1 1 3\nvn 0 0 1\n"
    "f 1/1/1 2/2/1 3//1 4\nf -1 1 2\n";
const std::string off = "OFF\n# a wedge\n5 2 0\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n1 1 3\n4 0 1 2 3\n3 4 0 1\n";

TEST(Polygons, AreReadFromObjAndOff) {
  for (const std::string& text : {obj, off}) {
    const SegmentObject object = good(read_polygons(text, "wedge.pol", 0.01));
    ASSERT_EQ(object.vertices.size(), 5U);
    EXPECT_EQ(object.vertices[4], Vec3(0.01, 0.01, 0.03));
    const std::vector<std::array<int, 3>> expected = {{0, 1, 2}, {0, 2, 3}, {4, 0, 1}};
    EXPECT_EQ(object.triangles, expected);
  }
}

TEST(Polygons, NameWhatIsWrong) {
  const auto rejected = [](const std::string& text) {
    const Expected<SegmentObject> object = read_polygons(text, "p", 1.0);
    return object ? std::string() : object.error().text();
  };
  EXPECT_NE(rejected("").find("no polygon"), std::string::npos);
  EXPECT_NE(rejected("v 1 2\n").find("p:1:6: found the end of the line"), std::string::npos) << rejected("v 1 2\n");
  EXPECT_NE(rejected("v 1 2 x\n").find("found \"x\""), std::string::npos);
  EXPECT_NE(rejected("v 0 0 0\nf 1 1 2\n").find("p:2:7: found \"2\""), std::string::npos);
  EXPECT_NE(rejected("v 0 0 0\nf 0 1 1\n").find("found \"0\""), std::string::npos);
  EXPECT_NE(rejected("v 0 0 0\nf 1 1\n").find("a polygon with 2 corners"), std::string::npos);
  EXPECT_NE(rejected("OFF\n1 1 0\n0 0 0\n3 0 0 1\n").find("found \"1\""), std::string::npos);
  EXPECT_NE(rejected("OFF\n99999999 1 0\n0 0 0\n").find("p:"), std::string::npos);
  for (std::size_t size = 0; size < obj.size(); ++size) {
    read_polygons(std::string_view(obj).substr(0, size), "p", 1.0);
    read_polygons(std::string_view(off).substr(0, std::min(size, off.size())), "p", 1.0);
  }
}

const std::string script =
    "define skeleton \"lamp\"\n joint \"foot\"\n joint \"arm\"\nend skeleton\n"
    "define joint \"foot\"\n object \"foot.pol\"\nend joint\n"
    "define joint \"arm\"\n offset 0 1 0\n hinge z -90 90\n object \"arm.pol\"\n tip 0 1 0\nend joint\n";

Content lamp(const FileLoader& load) { return good(read_content(script, "lamp.scr", {}, load)); }

const FileLoader arm_only = [](const std::string& name) -> Expected<std::string> {
  if (name != "arm.pol") return reject(name, "no file", "a file");
  return obj;
};

TEST(ScriptObjects, AreReadBesideTheScriptAndNotedIfTheyAreNotThere) {
  const Content content = lamp(arm_only);
  ASSERT_EQ(content.objects.size(), 1U);
  EXPECT_EQ(content.objects[0].segment, "arm");
  EXPECT_TRUE(has_note(content.notes, "the object of joint \"foot\" is not shown"));
  EXPECT_TRUE(lamp({}).objects.empty());
  const auto is_asked_for = [](const std::string& path) {
    std::string text = script;
    text.replace(text.find("arm.pol"), 7, path);
    bool asked = false;
    good(read_content(text, "lamp.scr", {}, [&](const std::string& name) -> Expected<std::string> {
      asked = asked || name == path;
      return obj;
    }));
    return asked;
  };
  for (const char* const elsewhere : {"../arm.pol", "parts/../../arm.pol", "/arm.pol", "C:arm.pol"})
    EXPECT_FALSE(is_asked_for(elsewhere)) << elsewhere;
  for (const char* const below : {"parts/arm.pol", "arm..pol"}) EXPECT_TRUE(is_asked_for(below)) << below;
}

// Any number of joints may name one file: a small script would ask for gigabytes.
TEST(ScriptObjects, AreLimitedInAllTheirTrianglesTogether) {
  std::string large = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int k = 0; k < 20'001; ++k) large += "f 1 2 3\n";
  std::string list, joints;
  for (int k = 0; k < 50; ++k) {
    const std::string name = "\"joint " + std::to_string(k) + "\"\n";
    list += "joint " + name;
    joints += "define joint " + name + "object \"large.obj\"\nend joint\n";
  }
  int loads = 0;
  const Content content = good(read_content("define skeleton \"many\"\n" + list + "end skeleton\n" + joints, "many.scr",
                                            {}, [&](const std::string&) -> Expected<std::string> {
                                              ++loads;
                                              return large;
                                            }));
  EXPECT_EQ(content.objects.size(), 2U);
  EXPECT_EQ(loads, 3);
  EXPECT_TRUE(has_note(content.notes, "20001 triangles; expected at most 50000 in all objects"));
}

TEST(ScriptObjects, AreTheBodyOfTheirSegmentsInGltf) {
  const auto vertices = [](const Content& content) {
    const Written written = good(write_gltf(content, {}, GltfForm::text));
    JsonDocument json(written.bytes, "lamp.gltf");
    for (const JsonValue accessor : json.root()["accessors"]) return static_cast<int>(accessor["count"].number());
    return 0;
  };
  const int sticks = vertices(lamp({})), shown = vertices(lamp(arm_only));
  constexpr int stick = 24, triangles = 3;
  EXPECT_EQ(shown, sticks - stick + 3 * triangles) << "the arm's polygons in place of its stick";
}

// In the mesh of viewers and of JavaScript: the arm's polygons in place of what belongs to it, the rest as it was.
TEST(ScriptObjects, AreTheBodyOfTheirSegmentsInAMesh) {
  const Content content = lamp(arm_only);
  const Figure& figure = *content.figure;
  const int arm = good(figure.find_segment("arm"));
  const body::BodyMesh plain = body::body_mesh(figure), shown = body::with_objects(plain, figure, content.objects);
  const auto count = [&](const body::BodyMesh& mesh, bool of_arm) {
    return std::ranges::count_if(mesh.part, [&](int s) { return (s == arm) == of_arm; });
  };
  EXPECT_EQ(count(shown, true), 3);
  EXPECT_EQ(count(shown, false), count(plain, false));
  EXPECT_NE(count(plain, true), 3);
  ASSERT_EQ(shown.segment.size(), shown.position.size());
  ASSERT_EQ(shown.triangle.size(), 3 * shown.part.size());
  for (int t = 0; t < shown.triangle_count(); ++t) {
    if (shown.part[static_cast<std::size_t>(t)] != arm) continue;
    Eigen::Vector3f x[3];
    for (int k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(shown.triangle[static_cast<std::size_t>(3 * t + k)]);
      EXPECT_EQ(shown.segment[v], arm);
      x[k] = shown.position[v];
      EXPECT_NEAR(shown.normal[v].norm(), 1.0F, 1e-6F);
    }
    EXPECT_GT((x[1] - x[0]).cross(x[2] - x[0]).norm(), 0.0F);
  }
  const body::BodyMesh same = body::with_objects(plain, figure, {});
  EXPECT_EQ(same.part, plain.part);
  SegmentObject elsewhere = content.objects[0];
  elsewhere.segment = "lid";
  EXPECT_EQ(body::with_objects(plain, figure, {elsewhere}).part, plain.part);
}

TEST(ScriptObjects, AreDrawnOnTheirJoints) {
  const Content content = lamp(arm_only);
  const Problem problem(*content.figure);
  const auto faces = [](const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = svg.find("class=\"object\""); at != std::string::npos;
         at = svg.find("class=\"object\"", at + 1))
      ++count;
    return count;
  };
  PictureOptions options;
  EXPECT_EQ(faces(draw_svg(problem, content.figure->rest(), Report{}, options)), 0U);
  options.objects = content.objects;
  const std::string drawn = draw_svg(problem, content.figure->rest(), Report{}, options);
  EXPECT_EQ(faces(drawn), 4U * 3U) << "three triangles in four views";
  // They move with the joint.
  Pose bent = content.figure->rest();
  ASSERT_TRUE(content.figure->set(bent, "arm.angle", 1.0));
  EXPECT_NE(draw_svg(problem, bent, Report{}, options), drawn);
}

}  // namespace
}  // namespace limber
