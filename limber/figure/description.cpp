#include "limber/figure/description.h"

#include <utility>

namespace limber {

JointDescription free_root(std::string name, std::string child) {
  JointDescription joint;
  joint.name = std::move(name);
  joint.child = std::move(child);
  joint.freedoms = {
      {"x", Motion::translate, Vec3::UnitX()},  {"y", Motion::translate, Vec3::UnitY()},
      {"z", Motion::translate, Vec3::UnitZ()},  {"turn", Motion::rotate, Vec3::UnitY()},
      {"pitch", Motion::rotate, Vec3::UnitX()}, {"roll", Motion::rotate, Vec3::UnitZ()},
  };
  return joint;
}

std::vector<LimitDescription> polygon_limits(const std::string& name, const std::string& parameter_x,
                                             const std::string& parameter_y,
                                             const std::vector<Eigen::Vector2d>& corners) {
  std::vector<LimitDescription> rows;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    // The outward normal of a counter-clockwise edge is the edge turned by -90 degrees.
    const Eigen::Vector2d edge = corners[(k + 1) % corners.size()] - corners[k];
    const Eigen::Vector2d normal(edge.y(), -edge.x());
    rows.push_back({name + " " + std::to_string(k),
                    {{parameter_x, normal.x()}, {parameter_y, normal.y()}},
                    Relation::at_most,
                    normal.dot(corners[k])});
  }
  return rows;
}

}  // namespace limber
