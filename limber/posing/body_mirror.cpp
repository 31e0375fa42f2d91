#include "limber/posing/body_mirror.h"

#include <algorithm>
#include <string>

namespace limber {

namespace {

Vec3 mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

// F R F with F = diag(-1, 1, 1).
Mat3 mirrored(const Mat3& R) {
  Mat3 M = R;
  M.row(0) *= -1.0;
  M.col(0) *= -1.0;
  return M;
}

// "lfemur.rx" of "rfemur.rx"; the name itself if there is no other.
std::string other_side(const std::vector<std::string>& columns, const std::string& name) {
  std::string other = name;
  if (other[0] == 'l' || other[0] == 'r') other[0] = other[0] == 'l' ? 'r' : 'l';
  return std::ranges::find(columns, other) == columns.end() ? name : other;
}

std::size_t other_part(std::string_view name) {
  for (const auto& [side, other] : {std::pair{"left_", "right_"}, std::pair{"right_", "left_"}})
    if (name.starts_with(side))
      return handle_part(std::string(other) + std::string(name.substr(std::string_view(side).size())));
  return handle_part(name);
}

}  // namespace

BodyMirror::BodyMirror(const CommonBody& body) {
  for (const std::string& name : body.columns) {
    const auto at = std::ranges::find(body.columns, other_side(body.columns, name));
    column_.push_back(static_cast<int>(at - body.columns.begin()));
    // A reflection across x = 0 turns about x as before, about y and z the other way.
    sign_.push_back(name.ends_with("rx") ? 1.0 : -1.0);
  }
  for (std::size_t k = 0; k < handle_parts.size(); ++k) part_[k] = other_part(handle_parts[k].name);
}

void BodyMirror::mirror(const PartGoals& from, PartGoals& to) const {
  for (std::size_t k = 0; k < part_.size(); ++k) {
    const std::size_t other = part_[k];
    to.has_position[k] = from.has_position[other];
    to.has_rotation[k] = from.has_rotation[other];
    to.p[k] = mirrored(from.p[other]);
    to.R[k] = mirrored(from.R[other]);
  }
}

void BodyMirror::mirror(const CommonPose& from, CommonPose& to) const {
  to.angles.resize(from.angles.size());
  for (std::size_t k = 0; k < column_.size(); ++k)
    to.angles[static_cast<Eigen::Index>(k)] = sign_[k] * from.angles[column_[k]];
  to.root = {mirrored(from.root.R), mirrored(from.root.p)};
}

void BodyMirror::mirror(const CommonStart& from, CommonStart& to) const {
  mirror(static_cast<const CommonPose&>(from), static_cast<CommonPose&>(to));
  for (std::size_t k = 0; k < part_.size(); ++k) {
    to.p[k] = mirrored(from.p[part_[k]]);
    to.R[k] = mirrored(from.R[part_[k]]);
  }
}

}  // namespace limber
