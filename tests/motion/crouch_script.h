// Random motion scripts with locks over time: a crouch between two keys, both feet locked throughout, and a palm moved
// along a path while the figure is down.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/figure/human.h"

namespace limber::crouch_script {

inline std::string point_text(const Vec3& p) {
  return "(" + to_text(p.x(), 2) + ", " + to_text(p.y(), 2) + ", " + to_text(p.z(), 2) + ")";
}

inline std::string key_text(int hips, int knees, int spine, double down) {
  const auto both = [](const std::string& name, int value) {
    return "left_" + name + " " + std::to_string(value) + ", right_" + name + " " + std::to_string(value) + ", ";
  };
  return "key 0 pose\nkey 1 " + both("hip.flexion", hips) + both("knee.flexion", knees) + "spine.forward " +
         std::to_string(spine) + ", root.y " + to_text(-down, 2) + "\nkey 2 pose\n";
}

inline const std::string feet_locked = "throughout lock left_foot, must\nthroughout lock right_foot, must\n";

// The points of the path are in reach; with `far` above 1 they lie that much farther ahead, and not all are.
inline std::string random_text(std::uint64_t seed, double far = 1.0) {
  Random random(seed);
  const int hips = random.integer(25, 75), knees = random.integer(40, 110), spine = random.integer(0, 40);
  const double down = random.between(0.05, 0.35);
  std::string text = key_text(hips, knees, spine, down) + feet_locked;
  const bool left = random.chance(0.5);
  const double from = random.between(0.4, 0.8), until = random.between(1.2, 1.6);
  text += "from " + to_text(from, 2) + " until " + to_text(until, 2) + ", move " + (left ? "left" : "right") +
          "_palm along ";
  for (int k = 0; k < 3; ++k) {
    const double x = random.between(0.05, 0.5), y = random.between(0.75, 1.35), z = random.between(0.15, 0.5 * far);
    text += point_text({left ? x : -x, y, z}) + ", ";
  }
  return text + "must, ease " + to_text(random.between(0.1, 0.4), 2) + "\n";
}

// Σ ‖second difference‖² / h³ over all parameters, metres relative to the figure's length: what a viewer sees as jerky.
inline double roughness(const Figure& figure, const Clip& clip) {
  MatX poses = clip.poses;
  for (Eigen::Index j = 0; j < poses.rows(); ++j)
    if (figure.parameters()[static_cast<std::size_t>(j)].translates) poses.row(j) /= figure.length();
  double sum = 0.0;
  for (Eigen::Index k = 1; k + 1 < poses.cols(); ++k)
    sum += (poses.col(k - 1) - 2.0 * poses.col(k) + poses.col(k + 1)).squaredNorm();
  return sum / std::pow(clip.frame_time, 3.0);
}

inline ScriptedMotion motion_of(const std::string& text) {
  Expected<MotionScript> script = read_motion_script(text, "crouch.script");
  if (!script) throw std::runtime_error(script.error().text());
  Expected<ScriptedMotion> motion = scripted_motion(*script, Scene(human(), HumanOptions{}));
  if (!motion) throw std::runtime_error(motion.error().text());
  return std::move(*motion);
}

}  // namespace limber::crouch_script
