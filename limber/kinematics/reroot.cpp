#include <algorithm>

#include "limber/kinematics/forward.h"

namespace limber {

Expected<FigureDescription> rerooted(const Figure& figure, std::string_view segment, const Pose& pose) {
  const Expected<int> found = figure.find_segment(segment);
  if (!found) return std::unexpected(found.error());
  FigureDescription result = figure.description();
  // The plane of symmetry was the old root's; rooted at a hand, no arm is the other's image.
  result.mirror_pairs.clear();
  const std::vector<Segment>& segments = figure.segments();

  // The segments from the new root up to the old one.
  std::vector<int> way;
  for (int s = *found; s != no_parent; s = segments[s].parent) way.push_back(s);
  const Joint& old_root = figure.joints()[way.back()];
  for (int i = old_root.freedom_begin; i < old_root.freedom_end; ++i)
    for (int t = figure.freedoms()[i].term_begin; t < figure.freedoms()[i].term_end; ++t) {
      const int parameter = figure.terms()[t].parameter;
      const bool in_row = std::any_of(figure.limit_rows().begin(), figure.limit_rows().end(), [&](const LimitRow& row) {
        return std::find(row.parameters.begin(), row.parameters.end(), parameter) != row.parameters.end();
      });
      if (figure.parameters()[parameter].group != no_group || in_row)
        return reject("joint '" + old_root.name + "'", "a root in a group or a linear limit",
                      "a root that stands alone");
    }

  // Reverse the joints between them; the old root's own joint goes.
  std::erase_if(result.joints, [&](const JointDescription& joint) {
    return joint.name == old_root.name && joint.child == segments[way.back()].name;
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
  if (old_root.freedom_begin != old_root.freedom_end) root = free_root("", "");
  root.name = std::string(segment) + "_root";
  // A name of its own, also where the old root has this one: its values must not pass to the new root.
  const FigureDescription& old = figure.description();
  const auto has_name = [&](const auto& named) { return named.name == root.name; };
  while (std::any_of(old.joints.begin(), old.joints.end(), has_name) ||
         std::any_of(old.groups.begin(), old.groups.end(), has_name))
    root.name += "_";
  root.child = segment;
  root.in_parent = forward(figure, pose).segments[*found];
  result.joints.insert(result.joints.begin(), root);
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
