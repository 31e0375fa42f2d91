#include "app/cli/tracked.h"

#include <algorithm>

#include "limber/format/names.h"

namespace limber::cli {

std::vector<std::string> places_of(const std::vector<std::string>& goals) {
  std::vector<std::string> places;
  for (const std::string& goal : goals) {
    const std::string one = goal == "hands" ? "hand" : goal == "feet" ? "foot" : "";
    if (one.empty()) {
      places.push_back(goal);
      continue;
    }
    places.push_back("left_" + one);
    places.push_back("right_" + one);
  }
  return places;
}

Expected<Figure> figure_for(const Figure& figure, const Clip& clip, bool widen) {
  FigureDescription description = figure.description();
  const CommonNames names = common_names(figure);
  description.sites.insert(description.sites.end(), names.sites.begin(), names.sites.end());
  if (widen)
    for (JointDescription& joint : description.joints)
      for (FreedomDescription& freedom : joint.freedoms) {
        const Expected<int> j = figure.find_parameter(joint.name + "." + freedom.name);
        if (!j) continue;
        freedom.range.lower = std::min(freedom.range.lower, clip.poses.row(*j).minCoeff());
        freedom.range.upper = std::max(freedom.range.upper, clip.poses.row(*j).maxCoeff());
      }
  return build_figure(std::move(description));
}

}  // namespace limber::cli
