#include "app/cli/tracking_figure.h"

#include <algorithm>
#include <cmath>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/figure/prior.h"
#include "limber/format/figure/prior_file.h"
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
  return figure_for(figure, roles_of(figure), clip, widen);
}

Expected<Figure> figure_for(const Figure& figure, const Roles& roles, const Clip& clip, bool widen) {
  FigureDescription description = figure.description();
  const CommonNames names = common_names(figure, roles);
  description.sites.insert(description.sites.end(), names.sites.begin(), names.sites.end());
  if (widen)
    for (JointDescription& joint : description.joints)
      for (FreedomDescription& freedom : joint.freedoms) {
        const Expected<int> j = figure.find_parameter(joint.name + "." + freedom.name);
        if (!j) continue;
        freedom.range.lower = std::min(freedom.range.lower, clip.poses.row(*j).minCoeff());
        freedom.range.upper = std::max(freedom.range.upper, clip.poses.row(*j).maxCoeff());
      }
  const Expected<Figure> named = build_figure(std::move(description));
  return named ? with_usual_prior(*named) : named;
}

bool keeps_limits(const Figure& figure, const Pose& pose) {
  constexpr double rounding = 1e-9;  // of the largest term of a row
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double theta = pose.theta[static_cast<Eigen::Index>(j)];
    if (!(theta >= range.lower && theta <= range.upper)) return false;
  }
  for (const LimitRow& row : figure.limit_rows()) {
    double sum = -row.bound, scale = std::fabs(row.bound);
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      const double term = row.coefficients[k] * pose.theta[row.parameters[k]];
      sum += term;
      scale = std::max(scale, std::fabs(term));
    }
    if (sum > rounding * scale || (row.relation == Relation::equal && sum < -rounding * scale)) return false;
  }
  return true;
}

std::expected<Figure, Failure> with_prior_file(const Figure& figure, const std::string& file) {
  const Expected<std::string> text = read_file(file);
  if (!text) return std::unexpected(Failure{text.error(), file_trouble});
  const Expected<PriorDescription> prior = read_prior(*text, shown(file));
  if (!prior) return std::unexpected(Failure{prior.error(), scene_is_wrong});
  const Expected<Figure> with = with_prior(figure, *prior);
  if (with) return *with;
  const Diagnostic& why = with.error();
  return std::unexpected(Failure{{shown(file) + ": " + why.where, why.found, why.expected}, scene_is_wrong});
}

}  // namespace limber::cli
