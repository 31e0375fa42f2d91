#include "limber/kinematics/forward.h"
#include "limber/obstacle/body.h"

namespace limber {

Expected<std::vector<Obstacle>> body_obstacles(const std::string& name, const Figure& figure, const Pose& pose,
                                               const Frame& X_world_body) {
  const std::string where = "obstacle '" + name + "'";
  const std::size_t parameters = figure.parameters().size();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters))
    return reject(where + ", pose", std::to_string(pose.theta.size()) + " values",
                  std::to_string(parameters) + ", one per parameter of the figure");
  if (!pose.theta.allFinite()) return reject(where + ", pose", "a number that is not finite", "finite numbers");
  const Kinematics state = forward(figure, pose);
  std::vector<Obstacle> body;
  for (const SegmentCapsule& capsule : capsules_of(figure)) {
    const auto segment = static_cast<std::size_t>(capsule.segment);
    Expected<Obstacle> part = build_obstacle(name + "/" + figure.segments()[segment].name, capsule.capsule,
                                             X_world_body * state.segments[segment]);
    if (!part) return std::unexpected(part.error());
    body.push_back(*std::move(part));
  }
  if (body.empty()) return reject(where, "a figure without a body", "a figure with lengths or masses");
  return body;
}

}  // namespace limber
