#include "limber/format/bvh/bvh_guess.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

// Frames that stand for a motion.
constexpr std::size_t max_samples = 20;
std::size_t sample_count(const BvhText& file) { return std::min(max_samples, file.frames()); }
std::size_t sample_frame(const BvhText& file, std::size_t k) { return k * file.frames() / sample_count(file); }

// Positions of all joints in a frame, from their roots; at rest without one. In the file's unit and axes.
std::vector<Frame> places_from_roots(const BvhText& file, std::optional<std::size_t> frame) {
  std::vector<Frame> X(file.nodes.size());
  for (std::size_t n = 0; n < file.nodes.size(); ++n) {
    const BvhNode& node = file.nodes[n];
    if (!node.is_root()) {
      const Frame& parent = X[static_cast<std::size_t>(node.parent)];
      const Vec3 local = frame ? node.in_parent(file.position(node, *frame)) : node.offset;
      X[n] = {parent.R, parent.R * local + parent.p};
    }
    if (!frame) continue;
    const std::vector<int> order = node.freedoms();
    for (std::size_t k = 0; k < order.size(); ++k)
      if (order[k] >= BvhNode::positions)
        X[n].R =
            (X[n].R *
             rotation(Vec3::Unit(order[k] - BvhNode::positions),
                      radians(file.values(node.first_row + static_cast<int>(k), static_cast<Eigen::Index>(*frame)))))
                .eval();
  }
  return X;
}

// The joints below a root, itself included, are consecutive.
std::size_t end_of_tree(const BvhText& file, std::size_t root) {
  std::size_t end = root + 1;
  while (end < file.nodes.size() && !file.nodes[end].is_root()) ++end;
  return end;
}

// The lowest point of the motion, if the root were at its position channels.
double lowest_point(const BvhText& file, std::size_t root, int up) {
  const std::size_t end = end_of_tree(file, root);
  double lowest = infinity;
  for (std::size_t k = 0; k < sample_count(file); ++k) {
    const std::size_t frame = sample_frame(file, k);
    const std::vector<Frame> X = places_from_roots(file, frame);
    const double height = file.position(file.nodes[root], frame)[up];
    for (std::size_t n = root; n < end; ++n) lowest = std::fmin(lowest, height + X[n].p[up]);
    for (const BvhTip& tip : file.tips)
      if (const auto n = static_cast<std::size_t>(tip.node); n >= root && n < end)
        lowest = std::fmin(lowest, height + (X[n] * tip.offset)[up]);
  }
  return lowest;
}

}  // namespace

BvhInnerRule choose_inner_offsets(BvhText& file) {
  BvhInnerRule rule;
  if (file.frames() == 0) return rule;
  for (const BvhNode& node : file.nodes)
    if (!node.is_root()) rule.add(node.channel_offset(), file.position(node, 0));
  for (BvhNode& node : file.nodes)
    if (!node.is_root() && node.channel_offset() != Vec3::Zero()) node.replaced = rule.replaced();
  return rule;
}

BvhReason choose_root_offset(BvhText& file, std::size_t root, const BvhInnerRule& inner, Up up) {
  constexpr double tolerance = 1e-4;  // relative to the OFFSET: files round to about six digits
  BvhNode& node = file.nodes[root];
  const Vec3 offset = node.channel_offset();
  node.replaced = false;
  if (file.frames() == 0) return BvhReason::no_frames;
  if ((file.position(node, 0) - offset).norm() <= tolerance * offset.norm()) {
    node.replaced = true;
    return BvhReason::same_as_frame_0;
  }
  if (inner.any()) {
    node.replaced = inner.replaced();
    return BvhReason::inner_joints;
  }
  const int axis = up == Up::z ? 2 : 1;
  const double replaced = lowest_point(file, root, axis), added = replaced + offset[axis];
  node.replaced = std::fabs(replaced) < std::fabs(added);
  return BvhReason::floor;
}

const BvhNode* head_along_z(const BvhText& file) {
  const auto head = std::ranges::find_if(
      file.nodes, [](const BvhNode& node) { return lower_case(node.name).find("head") != std::string::npos; });
  if (head == file.nodes.end()) return nullptr;
  const auto h = static_cast<std::size_t>(head - file.nodes.begin());
  Vec3 from_root = Vec3::Zero();
  for (std::size_t k = 0; k < sample_count(file); ++k) from_root += places_from_roots(file, sample_frame(file, k))[h].p;
  if (file.frames() == 0) from_root = places_from_roots(file, std::nullopt)[h].p;
  constexpr double min_ratio = 2.0;
  return from_root.z() > min_ratio * std::fabs(from_root.y()) ? &*head : nullptr;
}

}  // namespace limber
