#include <algorithm>
#include <cmath>
#include <compare>
#include <string_view>

#include "limber/assess/assessment.h"

namespace limber {

namespace {

std::string_view after_dot(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// ∂q/∂θ of a freedom for one of its driving parameters.
double slope_of(const Figure& figure, int freedom, int parameter, double theta) {
  const Freedom& f = figure.freedoms()[static_cast<std::size_t>(freedom)];
  double slope = 0.0;
  for (int t = f.term_begin; t < f.term_end; ++t)
    if (const Term& term = figure.terms()[static_cast<std::size_t>(t)]; term.parameter == parameter)
      slope += term.curve(theta).slope;
  return slope;
}

// Rank of a freedom as the one that a parameter's row shows, by descending importance.
struct Rank {
  bool has_same_name = false;
  bool has_strength = false;
  double slope = 0.0;

  auto operator<=>(const Rank&) const = default;
};

}  // namespace

std::vector<JointRow> joint_rows(const Figure& figure, const Pose& pose, const JointComfort& comfort,
                                 const std::vector<JointLoad>& loads) {
  std::vector<const JointLoad*> by_freedom(figure.freedoms().size(), nullptr);
  for (const JointLoad& load : loads) by_freedom[static_cast<std::size_t>(load.freedom)] = &load;
  VecX d;
  comfort.residual(pose.theta, d);
  std::vector<JointRow> rows;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const Parameter& parameter = figure.parameters()[j];
    const JointLoad* shown = nullptr;
    Rank best;
    for (const int freedom : parameter.drives) {
      const JointLoad* const load = by_freedom[static_cast<std::size_t>(freedom)];
      if (!load) continue;
      const std::string& name = figure.freedoms()[static_cast<std::size_t>(freedom)].name;
      const Rank rank = {after_dot(name) == after_dot(parameter.name), load->row >= 0,
                         std::fabs(slope_of(figure, freedom, static_cast<int>(j), pose.theta[i]))};
      if (!shown || rank > best) {
        shown = load;
        best = rank;
      }
    }
    if (shown) rows.push_back({static_cast<int>(j), pose.theta[i], std::fmax(0.0, 1.0 - d[i]), *shown});
  }
  return rows;
}

std::vector<double> discomfort_by_segment(const Figure& figure, const Pose& pose, const JointComfort& comfort) {
  VecX d;
  comfort.residual(pose.theta, d);
  std::vector<double> heat(figure.segments().size(), -1.0);
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    if (!comfort.counts(static_cast<int>(j))) continue;
    for (const int freedom : figure.parameters()[j].drives) {
      double& of_segment = heat[static_cast<std::size_t>(figure.freedoms()[static_cast<std::size_t>(freedom)].joint)];
      of_segment = std::fmax(of_segment, d[static_cast<Eigen::Index>(j)]);
    }
  }
  return heat;
}

std::vector<double> share_by_segment(const Figure& figure, const std::vector<JointLoad>& loads) {
  std::vector<double> heat(figure.segments().size(), -1.0);
  for (const JointLoad& load : loads) {
    if (load.row < 0 && !load.at_stop) continue;
    double& of_segment =
        heat[static_cast<std::size_t>(figure.freedoms()[static_cast<std::size_t>(load.freedom)].joint)];
    of_segment = std::fmax(of_segment, load.share);
  }
  return heat;
}

}  // namespace limber
