// The stick body of a written figure.
#include "limber/format/gltf/gltf_body.h"

#include <gtest/gtest.h>

#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/json.h"
#include "tests/format/gltf/gltf_files.h"

namespace limber {
namespace gltf_body_test {

using gltf_sample::any_figures;
using gltf_sample::written;
using testing::good;
using testing::random_pose;

TEST(GltfBody, IsClosedFlatAndPointsOutward) {
  for (const Figure& figure : any_figures()) {
    const Kinematics state = forward(figure, figure.rest());
    const int end = static_cast<int>(figure.segments().size());
    const StickBody body = stick_body(figure, state.segments, 0, end);
    ASSERT_GE(body.positions.size(), 24u);
    ASSERT_EQ(body.positions.size() % 24, 0u);  // eight triangles a stick
    for (std::size_t stick = 0; stick < body.positions.size(); stick += 24) {
      Vec3 middle = Vec3::Zero(), flux = Vec3::Zero();
      for (std::size_t v = 0; v < 24; ++v) middle += body.positions[stick + v] / 24.0;
      for (std::size_t v = stick; v < stick + 24; v += 3) {
        const Vec3 &a = body.positions[v], &b = body.positions[v + 1], &c = body.positions[v + 2];
        const Vec3 area = (b - a).cross(c - a);
        flux += area;
        EXPECT_GT(area.dot((a + b + c) / 3.0 - middle), 0.0);
        for (int k = 0; k < 3; ++k)
          EXPECT_LT((body.normals[v + static_cast<std::size_t>(k)] - area.normalized()).norm(), 1e-9);
      }
      EXPECT_LT(flux.norm(), 1e-12);  // of a closed surface
    }
  }
}

TEST(GltfBody, FollowsTheBones) {
  // Each vertex, moved by its joint as a viewer moves it, keeps its place in the segment of that name.
  Random random(8);
  for (const Figure& figure : any_figures()) {
    Content content;
    content.figure = figure;
    const Pose pose = random_pose(figure, random);
    const Content again = written(content, {}, GltfForm::binary, &pose);
    const Kinematics rest = forward(figure, figure.rest()), posed = forward(figure, pose);
    const Kinematics nodes_posed = forward(*again.figure, again.figure->rest());
    JsonDocument document(again.asset->json, "figure.glb");
    const auto accessor = [&](const JsonValue& index) -> const GltfAccessor& {
      return again.asset->accessors[static_cast<std::size_t>(index.integer(0, 1000))];
    };
    auto skin = document.root()["skins"].begin();
    int begin = 0;
    for (const JsonValue mesh : document.root()["meshes"]) {
      const JsonValue attributes = (*mesh["primitives"].begin())["attributes"];
      const GltfAccessor &positions = accessor(attributes["POSITION"]), &joints = accessor(attributes["JOINTS_0"]);
      const GltfAccessor& weights = accessor(attributes["WEIGHTS_0"]);
      const GltfAccessor& inverse = accessor((*skin)["inverseBindMatrices"]);
      std::vector<int> nodes;
      for (const JsonValue joint : (*skin)["joints"]) nodes.push_back(joint.integer(0, 1000));
      const int end = figure.segments()[static_cast<std::size_t>(begin)].subtree_end;
      ASSERT_EQ(static_cast<int>(nodes.size()), end - begin);
      ASSERT_EQ(inverse.rows, nodes.size());
      const StickBody body = stick_body(figure, rest.segments, begin, end);
      ASSERT_EQ(positions.rows, body.positions.size());
      for (std::size_t v = 0; v < positions.rows; v += 5) {
        const auto joint = static_cast<std::size_t>(joints.at(v, 0));
        ASSERT_LT(joint, nodes.size());
        EXPECT_EQ(weights.at(v, 0) + weights.at(v, 1) + weights.at(v, 2) + weights.at(v, 3), 1.0);
        Eigen::Matrix4d B;
        for (int k = 0; k < 16; ++k) B(k % 4, k / 4) = inverse.at(joint, k);
        const Eigen::Vector4d x = B * Eigen::Vector4d(positions.at(v, 0), positions.at(v, 1), positions.at(v, 2), 1.0);
        const std::string& name = again.asset->nodes[static_cast<std::size_t>(nodes[joint])].name;
        const auto node = static_cast<std::size_t>(good(again.figure->find_segment(name)));
        const auto s = static_cast<std::size_t>(body.segments[v]);
        EXPECT_EQ(figure.segments()[s].name, name);
        const Vec3 expected = posed.segments[s] * (rest.segments[s].inverse() * body.positions[v]);
        EXPECT_LT((nodes_posed.segments[node] * Vec3(x.head<3>()) - expected).norm(), 2e-6);
      }
      begin = end;
      ++skin;
    }
    EXPECT_EQ(begin, static_cast<int>(figure.segments().size()));
    EXPECT_FALSE(document.error()) << document.error()->text();
  }
}

}  // namespace gltf_body_test
}  // namespace limber
