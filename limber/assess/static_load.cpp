#include <algorithm>
#include <cassert>

#include "limber/assess/static_torques.h"
#include "limber/assess/strength.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

std::vector<std::string> usual_feet(const Figure& figure) {
  const std::vector<std::string> feet = {"left_foot", "right_foot"};
  const bool has_both =
      std::ranges::all_of(feet, [&](const std::string& foot) { return figure.point(foot).has_value(); });
  return has_both && !root_parameters(figure).empty() ? feet : std::vector<std::string>{};
}

Expected<StaticLoad> static_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options) {
  assert(pose.theta.size() == static_cast<Eigen::Index>(figure.parameters().size()));
  Expected<StaticTorques> torques = StaticTorques::make(figure, options);
  if (!torques) return std::unexpected(torques.error());
  const Kinematics state = forward(figure, pose);
  torques->touch(state);
  torques->update(state);
  StaticLoad load;
  load.mass = torques->mass();
  load.centre = torques->centre();
  const auto n = static_cast<Eigen::Index>(figure.freedoms().size());
  load.gravity.resize(n);
  load.holding.resize(n);
  for (int i = 0; i < n; ++i) {
    load.gravity[i] = torques->gravity(i);
    load.holding[i] = torques->holding(i);
  }
  load.reactions = torques->reactions();
  load.outside = torques->outside();
  return load;
}

double potential_energy(const Figure& figure, const Pose& pose, const StaticLoadOptions& options) {
  const Kinematics state = forward(figure, pose);
  double moment = 0.0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (const Segment& segment = figure.segments()[s]; segment.mass > 0.0)
      moment += segment.mass * (state.segments[s] * segment.mass_centre).y();
  for (const Load& load : options.loads) moment += load.mass * evaluate(figure, state, load.handle.plus[0]).y();
  return options.gravity * moment;
}

}  // namespace limber
