// Shared by the glTF tests: the sample files, each read once, and positions in them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "limber/figure/human.h"
#include "limber/format/gltf/gltf.h"
#include "limber/kinematics/forward.h"
#include "tests/format/gltf/gltf_sample.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber::gltf_sample {

// Quick laws leave out the largest, which has eight tenths of the bytes of all.
inline const std::vector<std::string> samples = [] {
  std::vector<std::string> names = {"CesiumMan.glb",        "RiggedFigure.glb", "RiggedSimple.glb",
                                    "RobotExpressive.glb",  "SimpleSkin.gltf",  "kenney_character.glb",
                                    "vrm1_humanoid_min.vrm"};
  if (!law::are_quick()) names.emplace_back("kaykit_Rogue.glb");
  return names;
}();

// Each is read once for all tests.
inline const Content& sample(const std::string& name) {
  static std::map<std::string, Content> contents;
  if (const auto known = contents.find(name); known != contents.end()) return known->second;
  return contents[name] = testing::good(read_gltf(file_bytes("gltf/" + name), name));
}
inline Content read(const std::string& bytes, const ReadOptions& options = {}) {
  return testing::good(read_gltf(bytes, "test.glb", options));
}
inline Content written(const Content& content, const std::vector<Clip>& clips, GltfForm form,
                       const Pose* pose = nullptr) {
  return read(testing::good(write_gltf(content, clips, form, {}, pose)).bytes);
}
inline GltfForm form_of(const std::string& name) { return name.ends_with(".gltf") ? GltfForm::text : GltfForm::binary; }

inline Vec3 position(const Content& content, const Pose& pose, const std::string& site) {
  const Figure& figure = *content.figure;
  for (const Site& s : figure.sites())
    if (s.name == site) return forward(figure, pose).segments[static_cast<std::size_t>(s.segment)] * s.frame.p;
  ADD_FAILURE() << "no site " << site;
  return Vec3::Zero();
}
inline double value(const Content& content, const Pose& pose, const std::string& parameter) {
  return testing::good(content.figure->value(pose, parameter));
}
// Max distance between two states over all segments of the first figure; the second has them too.
inline double distance(const Figure& a, const Pose& pose_a, const Figure& b, const Pose& pose_b) {
  const Kinematics x = forward(a, pose_a), y = forward(b, pose_b);
  double farthest = 0.0;
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    const int other = testing::good(b.find_segment(a.segments()[s].name));
    farthest = std::fmax(farthest, (x.segments[s].p - y.segments[static_cast<std::size_t>(other)].p).norm());
  }
  return farthest;
}

// The human, arms, random trees, and two roots.
inline std::vector<Figure> any_figures() {
  std::vector<Figure> figures = {human(), testing::built(testing::planar_arm()),
                                 testing::built(testing::seven_joint_arm()),
                                 testing::built(testing::torso_with_arms())};
  Random random(3);
  for (int k = 0; k < law::whole_or_quick(6, 2); ++k) figures.push_back(testing::built(testing::random_tree(random)));
  FigureDescription two;
  two.name = "two roots";
  two.segments = {{"a"}, {"b"}, {"body"}};
  two.joints = {free_root("ja", "a"),
                free_root("jb", "b"),
                {"jc", "b", "body", at({0, 1, 0}), at({0.2, 0, 0}), {testing::turn("x", Vec3::UnitX())}}};
  figures.push_back(testing::built(two));
  return figures;
}
}  // namespace limber::gltf_sample
