// The body as a mesh: closed, bound to valid segments, at the figure's place, and symmetric.
#include "limber/body/body_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "limber/base/index.h"
#include "limber/body/body.h"
#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber::body {
namespace body_mesh_test {

using limber::testing::built;
using limber::testing::good;

constexpr double float_share = 1e-6;   // of the figure's length: rounding of a float
constexpr double mirror_share = 1e-5;  // max difference of left and right
constexpr double folded_share = 1e-4;  // of the area: inward slivers
constexpr double flesh_share = 0.15;   // of the diagonal of all joints: flesh beyond them
constexpr int human_max_triangles = 12'000;

Figure from_file(const std::string& name) {
  std::ifstream in(source_dir() + "/data/" + name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return good(read_content(bytes, name)).figure.value();
}

struct Sample {
  std::string name;
  Figure figure;
};

std::vector<Sample> sample_figures() {
  std::vector<Sample> samples = {{"human", human()}, {"simple human", good(simple_human())}};
  for (const std::string name : {"urdf/g1_29dof.urdf", "urdf/panda.urdf", "urdf/go2.urdf", "bvh/cmu_02_01.bvh",
                                 "gltf/CesiumMan.glb", "acclaim/02.asf"})
    samples.push_back({name, from_file(name)});
  Random random(7);
  for (int k = 0; k < 20; ++k)
    samples.push_back({"random tree " + std::to_string(k) + " of seed 7", built(limber::testing::random_tree(random))});
  return samples;
}

std::vector<Vec3> placed(const BodyMesh& mesh, const Kinematics& state) {
  std::vector<Vec3> result;
  for (std::size_t v = 0; v < mesh.segment.size(); ++v)
    result.push_back(state.segments[at_index(mesh.segment[v])] * mesh.position[v].cast<double>());
  return result;
}

// By vertex, the index of its closed surface.
std::vector<int> surfaces(const BodyMesh& mesh) {
  std::vector<int> parent(mesh.segment.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](int v) {
    while (parent[at_index(v)] != v) v = parent[at_index(v)] = parent[at_index(parent[at_index(v)])];
    return v;
  };
  for (std::size_t k = 0; k < mesh.triangle.size(); ++k)
    parent[at_index(find(mesh.triangle[k]))] = find(mesh.triangle[k - k % 3]);
  for (int v = 0; v < static_cast<int>(parent.size()); ++v) parent[at_index(v)] = find(v);
  return parent;
}

std::map<int, double> volumes(const BodyMesh& mesh, const std::vector<Vec3>& x) {
  const std::vector<int> surface = surfaces(mesh);
  std::map<int, double> result;
  for (std::size_t k = 0; k + 2 < mesh.triangle.size(); k += 3) {
    const int number = surface[at_index(mesh.triangle[k])];
    const Vec3& o = x[at_index(number)];
    const Vec3 a = x[at_index(mesh.triangle[k])] - o, b = x[at_index(mesh.triangle[k + 1])] - o;
    result[number] += a.cross(b).dot(x[at_index(mesh.triangle[k + 2])] - o) / 6.0;
  }
  return result;
}

TEST(BodyMesh, HasConsistentSizesAndIsFinite) {
  for (const Sample& sample : sample_figures())
    for (const int detail : {4, 16, 24}) {
      const BodyMesh mesh = body_mesh(sample.figure, detail);
      const int segments = static_cast<int>(sample.figure.segments().size());
      ASSERT_GT(mesh.triangle_count(), 0) << sample.name;
      ASSERT_EQ(mesh.triangle.size(), 3 * mesh.part.size());
      ASSERT_EQ(mesh.material.size(), mesh.part.size());
      ASSERT_EQ(mesh.position.size(), mesh.segment.size());
      ASSERT_EQ(mesh.normal.size(), mesh.segment.size());
      for (std::size_t v = 0; v < mesh.segment.size(); ++v) {
        ASSERT_GE(mesh.segment[v], 0);
        ASSERT_LT(mesh.segment[v], segments);
        ASSERT_TRUE(mesh.position[v].allFinite()) << sample.name;
        ASSERT_NEAR(mesh.normal[v].norm(), 1.0F, 1e-5F) << sample.name;
      }
      for (const int v : mesh.triangle) ASSERT_TRUE(v >= 0 && at_index(v) < mesh.segment.size());
    }
}

TEST(BodyMesh, HasFewTrianglesForAHuman) {
  EXPECT_LE(body_mesh(human()).triangle_count(), human_max_triangles);
  EXPECT_LT(body_mesh(human(), 8).triangle_count(), body_mesh(human(), 16).triangle_count());
  EXPECT_EQ(body_mesh(human(), -5).triangle_count(), body_mesh(human(), min_detail).triangle_count());
}

TEST(BodyMesh, SurfacesAreClosedAndHaveVolume) {
  for (const Sample& sample : sample_figures()) {
    const BodyMesh mesh = body_mesh(sample.figure);
    std::map<std::pair<int, int>, int> edges;
    for (std::size_t k = 0; k < mesh.triangle.size(); ++k)
      ++edges[{mesh.triangle[k], mesh.triangle[k % 3 == 2 ? k - 2 : k + 1]}];
    for (const auto& [edge, count] : edges) {
      ASSERT_EQ(count, 1) << sample.name;
      ASSERT_TRUE(edges.contains({edge.second, edge.first})) << sample.name;
    }
    const Kinematics rest = forward(sample.figure, sample.figure.rest());
    for (const auto& [surface, volume] : volumes(mesh, placed(mesh, rest))) {
      EXPECT_GT(volume, 0.0) << sample.name << ", " << mesh.segment[at_index(surface)];
    }
  }
}

TEST(BodyMesh, TrianglesFaceAlongTheirNormals) {
  for (const Sample& sample : sample_figures()) {
    if (sample.name.starts_with("random")) continue;
    const BodyMesh mesh = body_mesh(sample.figure);
    const Kinematics rest = forward(sample.figure, sample.figure.rest());
    const std::vector<Vec3> x = placed(mesh, rest);
    double inward = 0.0, total = 0.0;
    for (std::size_t k = 0; k < mesh.triangle.size(); k += 3) {
      Vec3 n = Vec3::Zero();
      for (std::size_t j = k; j < k + 3; ++j) {
        const std::size_t v = at_index(mesh.triangle[j]);
        n += rest.segments[at_index(mesh.segment[v])].R * mesh.normal[v].cast<double>();
      }
      const Vec3& a = x[at_index(mesh.triangle[k])];
      const Vec3 area = (x[at_index(mesh.triangle[k + 1])] - a).cross(x[at_index(mesh.triangle[k + 2])] - a);
      total += area.norm();
      if (area.dot(n) < 0.0) inward += area.norm();
    }
    EXPECT_LE(inward, folded_share * total) << sample.name;
  }
}

// Each vertex on an ellipsoid of its own segment.
TEST(BodyMesh, VerticesLieOnTheBodyAtRest) {
  for (const Sample& sample : sample_figures()) {
    const Kinematics rest = forward(sample.figure, sample.figure.rest());
    const Body body = make_body(sample.figure, rest);
    std::map<int, std::vector<Ellipsoid>> by_segment;
    for (const Solid& solid : body.solids)
      for (const auto& piece : solid.pieces)
        for (const Ellipsoid& e : piece) by_segment[e.segment].push_back(e);
    const BodyMesh mesh = body_mesh(sample.figure);
    const std::vector<Vec3> x = placed(mesh, rest);
    std::set<std::size_t> of_eyes;
    for (std::size_t k = 0; k < mesh.triangle.size(); ++k)
      if (mesh.material[k / 3] == static_cast<int>(Material::eye)) of_eyes.insert(at_index(mesh.triangle[k]));
    for (std::size_t v = 0; v < x.size(); ++v) {
      if (of_eyes.contains(v)) continue;
      double nearest = infinity;
      for (const Ellipsoid& e : by_segment[mesh.segment[v]])
        nearest = std::fmin(nearest, std::fabs((e.axes.inverse() * (x[v] - e.centre)).norm() - 1.0) * e.axes.norm());
      ASSERT_LE(nearest, 10.0 * float_share * sample.figure.length()) << sample.name << ", vertex " << v;
    }
  }
}

// The body covers the joints and does not extend far beyond them.
TEST(BodyMesh, IsAsLargeAsTheFigure) {
  for (const Sample& sample : sample_figures()) {
    if (sample.name.starts_with("random")) continue;
    const Kinematics rest = forward(sample.figure, sample.figure.rest());
    Eigen::AlignedBox3d joints, body;
    for (const Frame& X : rest.segments) joints.extend(X.p);
    for (const Site& site : sample.figure.sites())
      joints.extend(Vec3(rest.segments[at_index(site.segment)] * site.frame.p));
    const BodyMesh mesh = body_mesh(sample.figure);
    for (const Vec3& x : placed(mesh, rest)) body.extend(x);
    const double margin = flesh_share * joints.diagonal().norm();
    EXPECT_LT((body.min() - joints.min()).cwiseAbs().maxCoeff(), margin) << sample.name;
    EXPECT_LT((body.max() - joints.max()).cwiseAbs().maxCoeff(), margin) << sample.name;
  }
}

// At random poses the vertices of a segment keep their distances.
TEST(BodyMesh, SegmentsMoveRigidly) {
  Random random(8);
  for (const Sample& sample : sample_figures()) {
    const BodyMesh mesh = body_mesh(sample.figure, 8);
    const Kinematics rest = forward(sample.figure, sample.figure.rest());
    const Kinematics bent = forward(sample.figure, limber::testing::random_pose(sample.figure, random));
    const std::vector<Vec3> before = placed(mesh, rest), after = placed(mesh, bent);
    std::map<int, std::size_t> first;
    for (std::size_t v = 0; v < before.size(); ++v) {
      const std::size_t u = first.try_emplace(mesh.segment[v], v).first->second;
      ASSERT_NEAR((before[v] - before[u]).norm(), (after[v] - after[u]).norm(), 1e-9 * sample.figure.length());
    }
  }
}

// Whether a segment's part of the chest lies inside the rest of it: nowhere a larger support.
bool inside_chest(const Solid& solid, int segment) {
  std::vector<Ellipsoid> own, others;
  for (const Ellipsoid& e : solid.chest) (e.segment == segment ? own : others).push_back(e);
  if (own.empty()) return false;
  const auto reach = [](const std::vector<Ellipsoid>& hull, const Vec3& n) {
    double support = -infinity;
    for (const Ellipsoid& e : hull) support = std::fmax(support, e.centre.dot(n) + (e.axes.transpose() * n).norm());
    return support;
  };
  Random random(9);
  int farther = 0;
  constexpr int directions = 2000;
  for (int k = 0; k < directions; ++k) {
    const Vec3 n = random.direction();
    farther += reach(own, n) > reach(others, n);
  }
  // A patch smaller than a triangle may be missed.
  return farther < directions / 50;
}

TEST(BodyMesh, EverySegmentWithASolidCanBeClicked) {
  for (const Sample& sample : sample_figures()) {
    const Body body = make_body(sample.figure, forward(sample.figure, sample.figure.rest()));
    const BodyMesh mesh = body_mesh(sample.figure);
    const std::set<int> parts(mesh.part.begin(), mesh.part.end());
    for (const Solid& solid : body.solids)
      for (const int s : solid.segments)
        EXPECT_TRUE(parts.contains(s) || inside_chest(solid, s))
            << sample.name << ": " << sample.figure.segments()[at_index(s)].name;
    for (std::size_t t = 0; t < mesh.part.size(); ++t) {
      int corners = 0;
      for (std::size_t k = 0; k < 3; ++k) corners += mesh.segment[at_index(mesh.triangle[3 * t + k])] == mesh.part[t];
      ASSERT_GE(corners, 1) << sample.name;
    }
  }
}

TEST(BodyMesh, LeftIsTheMirrorImageOfRight) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    const BodyMesh mesh = body_mesh(figure);
    const std::vector<Vec3> x = placed(mesh, forward(figure, figure.rest()));
    std::map<std::string, std::string> partner;
    for (const MirrorPair& pair : figure.description().mirror_pairs) {
      partner[pair.left] = pair.right;
      partner[pair.right] = pair.left;
    }
    std::map<std::string, std::vector<Vec3>> by_name;
    for (std::size_t v = 0; v < x.size(); ++v)
      by_name[figure.segments()[at_index(mesh.segment[v])].name].push_back(x[v]);
    for (const auto& [name, own] : by_name) {
      const std::vector<Vec3>& image = by_name[partner.contains(name) ? partner[name] : name];
      for (const Vec3& p : own) {
        const Vec3 mirrored(-p.x(), p.y(), p.z());
        double nearest = infinity;
        for (const Vec3& q : image) nearest = std::fmin(nearest, (q - mirrored).norm());
        ASSERT_LT(nearest, mirror_share) << figure.name() << ", " << name << " at " << p.transpose();
      }
    }
  }
}

TEST(BodyMesh, HumanHasEyesAheadOnItsHead) {
  const Figure figure = human();
  const BodyMesh mesh = body_mesh(figure);
  const std::vector<Vec3> x = placed(mesh, forward(figure, figure.rest()));
  Eigen::AlignedBox3d eyes, head;
  for (std::size_t t = 0; t < mesh.part.size(); ++t) {
    const bool is_eye = mesh.material[t] == static_cast<int>(Material::eye);
    ASSERT_TRUE(is_eye || mesh.material[t] == static_cast<int>(Material::skin));
    if (mesh.part[t] != good(figure.find_segment("head"))) {
      ASSERT_FALSE(is_eye);
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) (is_eye ? eyes : head).extend(x[at_index(mesh.triangle[3 * t + k])]);
  }
  ASSERT_FALSE(eyes.isEmpty());
  EXPECT_GT(eyes.min().z(), head.center().z()) << "it faces +Z";
  EXPECT_LT(eyes.max().y(), head.max().y());
  EXPECT_GT(eyes.min().y(), head.min().y());
  EXPECT_LT(eyes.sizes().x(), head.sizes().x());
  EXPECT_GT(eyes.sizes().x(), 0.3 * head.sizes().x()) << "there are two";
}

// When the trunk bends forward, neighbouring vertices of its skin stay together.
TEST(BodyMesh, TrunkBendsWithoutTearing) {
  const Figure figure = human();
  const BodyMesh mesh = body_mesh(figure);
  Pose pose = figure.rest();
  ASSERT_TRUE(figure.set(pose, "spine.forward", radians(80)));
  const std::vector<Vec3> before = placed(mesh, forward(figure, figure.rest()));
  const std::vector<Vec3> after = placed(mesh, forward(figure, pose));
  double max_stretch = 0.0;
  bool bends = false;
  for (std::size_t k = 0; k < mesh.triangle.size(); ++k) {
    const std::size_t u = at_index(mesh.triangle[k]), v = at_index(mesh.triangle[k % 3 == 2 ? k - 2 : k + 1]);
    const double change = (after[u] - after[v]).norm() - (before[u] - before[v]).norm();
    max_stretch = std::fmax(max_stretch, change);
    bends |= mesh.segment[u] != mesh.segment[v] && std::fabs(change) > 1e-3;
  }
  EXPECT_TRUE(bends);
  EXPECT_LT(max_stretch, 0.08) << "metres; the whole back stretches by about 0.2";
}

TEST(BodyMesh, FigureOfPointsHasOneOctahedronPerSegment) {
  FigureDescription points;
  points.name = "points";
  for (const std::string name : {"a", "b", "c"}) {
    points.segments.push_back({name});
    points.joints.push_back({name, "", name, {}, {}, {limber::testing::shift("x", Vec3::UnitX())}});
  }
  const Figure figure = built(points);
  const BodyMesh mesh = body_mesh(figure);
  EXPECT_EQ(mesh.triangle_count(), 3 * 8);
  EXPECT_EQ(mesh.segment.size(), 3U * 6U);
  for (int s = 0; s < 3; ++s) EXPECT_EQ(std::count(mesh.part.begin(), mesh.part.end(), s), 8);
}

}  // namespace body_mesh_test
}  // namespace limber::body
