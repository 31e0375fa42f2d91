#include <algorithm>

#include "limber/figure/figure.h"

namespace limber {

Expected<Figure> with_free_root(const Figure& figure) {
  if (figure.segments().empty() || figure.joints().front().freedom_end > 0) return figure;
  if (!root_parameters(figure).empty()) return figure;
  FigureDescription description = figure.description();
  const std::string& segment = figure.segments().front().name;
  const auto has_name = [&](const std::string& name) {
    return std::any_of(description.joints.begin(), description.joints.end(),
                       [&](const JointDescription& joint) { return joint.name == name; });
  };
  JointDescription root = free_root(has_name("root") ? "free_root" : "root", segment);
  const auto joint = std::find_if(description.joints.begin(), description.joints.end(),
                                  [&](const JointDescription& candidate) { return candidate.child == segment; });
  if (joint == description.joints.end()) {
    description.joints.insert(description.joints.begin(), std::move(root));
  } else {
    root.in_parent = joint->in_parent;
    root.in_child = joint->in_child;
    *joint = std::move(root);
  }
  return build_figure(std::move(description));
}

std::vector<int> root_parameters(const Figure& figure) {
  int root = no_parent;
  for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) {
    const Joint& joint = figure.joints()[s];
    if (joint.freedom_begin == joint.freedom_end) continue;
    if (root != no_parent && s < figure.segments()[root].subtree_end) continue;
    if (root != no_parent) return {};
    root = s;
  }
  if (root == no_parent) return {};
  const Joint& root_joint = figure.joints()[root];
  const auto begin = figure.freedoms().begin();
  if (std::none_of(begin + root_joint.freedom_begin, begin + root_joint.freedom_end,
                   [](const Freedom& freedom) { return freedom.motion == Motion::translate; }))
    return {};
  std::vector<int> parameters;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j)
    for (const int i : figure.parameters()[j].drives)
      if (figure.freedoms()[i].joint == root) {
        parameters.push_back(static_cast<int>(j));
        break;
      }
  return parameters;
}

std::vector<int> all_root_parameters(const Figure& figure) {
  if (figure.parts().empty()) return root_parameters(figure);
  std::vector<int> parameters;
  for (const FigurePart& part : figure.parts())
    for (const int j : all_root_parameters(part.figure)) parameters.push_back(part.parameter_begin + j);
  return parameters;
}

}  // namespace limber
