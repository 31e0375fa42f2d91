#include "limber/assess/by_joint.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Whether a's row says more than b's.
bool weighs_more(const JointLoad& a, const JointLoad& b) {
  if ((a.row >= 0) != (b.row >= 0)) return a.row >= 0;
  return a.row >= 0 ? a.share > b.share : std::fabs(a.torque) > std::fabs(b.torque);
}

}  // namespace

std::vector<JointRow> joint_rows(const Figure& figure, const Pose& pose, const Comfort& comfort,
                                 const std::vector<JointLoad>& loads) {
  std::vector<const JointLoad*> by_freedom(figure.freedoms().size(), nullptr);
  for (const JointLoad& load : loads) by_freedom[static_cast<std::size_t>(load.freedom)] = &load;
  VecX d;
  comfort.residual(pose.theta, d);
  std::vector<JointRow> rows;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const JointLoad* shown = nullptr;
    for (const int freedom : figure.parameters()[j].drives) {
      const JointLoad* const load = by_freedom[static_cast<std::size_t>(freedom)];
      if (load && (!shown || weighs_more(*load, *shown))) shown = load;
    }
    if (shown) rows.push_back({static_cast<int>(j), pose.theta[i], std::fmax(0.0, 1.0 - d[i]), *shown});
  }
  return rows;
}

std::vector<double> discomfort_by_segment(const Figure& figure, const Pose& pose, const Comfort& comfort) {
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
    if (load.row < 0) continue;
    double& of_segment =
        heat[static_cast<std::size_t>(figure.freedoms()[static_cast<std::size_t>(load.freedom)].joint)];
    of_segment = std::fmax(of_segment, load.share);
  }
  return heat;
}

}  // namespace limber
