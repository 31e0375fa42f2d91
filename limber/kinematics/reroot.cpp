#include <algorithm>
#include <optional>

#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Groups and linear limits of the removed joint would be lost.
bool stands_alone(const Figure& figure, const Joint& joint) {
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
    for (int t = figure.freedoms()[i].term_begin; t < figure.freedoms()[i].term_end; ++t) {
      const int parameter = figure.terms()[t].parameter;
      const bool in_row = std::any_of(figure.limit_rows().begin(), figure.limit_rows().end(), [&](const LimitRow& row) {
        return std::find(row.parameters.begin(), row.parameters.end(), parameter) != row.parameters.end();
      });
      if (figure.parameters()[parameter].group != no_group || in_row) return false;
    }
  return true;
}

// The description with the joints between the segments of `way`, from the new root to the old, reversed, and the new
// root in place of the joint of the old.
FigureDescription reversed(const Figure& figure, const std::vector<int>& way, bool free, const Frame& X_world_root) {
  FigureDescription result = figure.description();
  // The plane of symmetry belonged to the old root; rooted at a hand, the arms are not mirror images.
  result.mirror_pairs.clear();
  const std::vector<Segment>& segments = figure.segments();
  std::erase_if(result.joints, [&](const JointDescription& joint) {
    return joint.name == figure.joints()[way.back()].name && joint.child == segments[way.back()].name;
  });
  for (std::size_t k = 0; k + 1 < way.size(); ++k) {
    const std::string& name = figure.joints()[way[k]].name;
    JointDescription& joint = *std::find_if(result.joints.begin(), result.joints.end(),
                                            [&](const JointDescription& j) { return j.name == name; });
    std::swap(joint.parent, joint.child);
    std::swap(joint.in_parent, joint.in_child);
    std::reverse(joint.freedoms.begin(), joint.freedoms.end());
    for (FreedomDescription& freedom : joint.freedoms) freedom.axis = -freedom.axis;
  }
  JointDescription root;
  if (free) root = free_root("", "");
  root.child = segments[way.front()].name;
  root.name = root.child + "_root";
  // A unique name, even if the old root has this one: its values must not pass to the new root.
  const FigureDescription& old = figure.description();
  const auto has_name = [&](const auto& named) { return named.name == root.name; };
  while (std::any_of(old.joints.begin(), old.joints.end(), has_name) ||
         std::any_of(old.groups.begin(), old.groups.end(), has_name))
    root.name += "_";
  root.in_parent = X_world_root;
  result.joints.insert(result.joints.begin(), root);
  return result;
}

// The segment of the joint that moves the whole figure in the world, with six free DOF, if any.
std::optional<int> freely_moved_segment(const Figure& figure) {
  const std::vector<int> parameters = root_parameters(figure);
  if (parameters.empty()) return std::nullopt;
  const int s = figure.freedoms()[figure.parameters()[parameters.front()].drives.front()].joint;
  const Joint& joint = figure.joints()[s];
  Mat3 shifts = Mat3::Zero(), turns = Mat3::Zero();
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    (freedom.motion == Motion::translate ? shifts : turns) += freedom.axis * freedom.axis.transpose();
  }
  const bool free = parameters.size() == 6 && shifts.determinant() > 0.0 && turns.determinant() > 0.0;
  const bool unlimited = std::all_of(parameters.begin(), parameters.end(), [&](int j) {
    const Range& range = figure.parameters()[j].range;
    return range.lower == -infinity && range.upper == infinity && range.rigidity == 0.0;
  });
  return free && unlimited && stands_alone(figure, joint) ? std::optional(s) : std::nullopt;
}

// One of several figures hung from its segment, the others as they are.
Expected<Figure> with_hung_part(const Figure& figure, const FigurePart& part, int segment) {
  std::vector<FigurePart> parts = figure.parts();
  for (FigurePart& own : parts) {
    if (own.name != part.name) continue;
    Expected<Figure> hung =
        hung_from(own.figure, own.figure.segments()[static_cast<std::size_t>(segment - part.segment_begin)].name);
    if (!hung) return hung;
    own.figure = std::move(*hung);
  }
  return join_figures(parts, figure.name());
}

}  // namespace

Expected<FigureDescription> rerooted(const Figure& figure, std::string_view segment, const Pose& pose) {
  const Expected<int> found = figure.find_segment(segment);
  if (!found) return std::unexpected(found.error());
  std::vector<int> way;
  for (int s = *found; s != no_parent; s = figure.segments()[s].parent) way.push_back(s);
  const Joint& old_root = figure.joints()[way.back()];
  if (!stands_alone(figure, old_root))
    return reject("joint '" + old_root.name + "'", "a root in a group or a linear limit", "a root that stands alone");
  return reversed(figure, way, old_root.freedom_begin != old_root.freedom_end, forward(figure, pose).segments[*found]);
}

Expected<Figure> hung_from(const Figure& figure, std::string_view place) {
  Expected<int> found = figure.find_segment(place);
  if (!found)
    if (const Expected<Handle> point = figure.point(std::string(place))) found = point->plus[0].segment;
  if (!found) return std::unexpected(found.error());
  if (const FigurePart* part = part_of_segment(figure, *found)) return with_hung_part(figure, *part, *found);
  const std::optional<int> moved = freely_moved_segment(figure);
  if (!moved)
    return reject("figure '" + figure.name() + "'", "a root that does not move freely in the world",
                  "one root with six unlimited degrees of freedom, to hang the figure from another segment");
  if (*found == *moved) return figure;
  if (*found < *moved || *found >= figure.segments()[*moved].subtree_end)
    return reject("root", "'" + std::string(place) + "', which is fixed in the world", "a segment that moves");
  std::vector<int> way;
  for (int s = *found; s != *moved; s = figure.segments()[s].parent) way.push_back(s);
  way.push_back(*moved);
  return build_figure(reversed(figure, way, true, forward(figure, figure.rest()).segments[*found]));
}

Pose placed_as(const Figure& from, const Pose& pose, const Figure& to, const Pose& near) {
  if (!to.parts().empty()) {
    std::vector<Pose> poses;
    for (const FigurePart& part : to.parts()) {
      const FigurePart* old = find_part(from, part.name);
      const Pose own = pose_of(part, near);
      poses.push_back(old ? placed_as(old->figure, pose_of(*old, pose), part.figure, own) : own);
    }
    return joined_pose(to, poses);
  }
  constexpr EulerOrder order = {1, 0, 2};  // of free_root()
  Pose result = carried_over(from, pose, to);
  const std::vector<int> root = root_parameters(to);
  if (root.empty() || from.find_parameter(to.parameters()[root.front()].name)) return result;
  const int s = to.freedoms()[to.parameters()[root.front()].drives.front()].joint;
  const Expected<int> same = from.find_segment(to.segments()[s].name);
  const Joint& joint = to.joints()[s];
  const Frame M = joint.in_parent.inverse() * forward(from, pose).segments[*same] * joint.in_child;
  const Vec3 angles(near.theta[root[3]], near.theta[root[4]], near.theta[root[5]]);
  const Vec3 turns = euler_angles(M.R, order, angles);
  for (int k = 0; k < 3; ++k) {
    result.theta[root[k]] = M.p[k];
    result.theta[root[3 + k]] = turns[k];
  }
  return result;
}

Pose carried_over(const Figure& from, const Pose& pose, const Figure& to) {
  Pose result = to.rest();
  for (std::size_t j = 0; j < to.parameters().size(); ++j)
    if (const Expected<double> value = from.value(pose, to.parameters()[j].name))
      result.theta[static_cast<Eigen::Index>(j)] = *value;
  return result;
}

}  // namespace limber
