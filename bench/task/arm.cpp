#include "bench/task/arm.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "limber/base/random.h"
#include "limber/kinematics/forward.h"

namespace limber::bench {

namespace {

// The site moved by the largest number of revolute parameters: the flange or the hand, not the fingers of a gripper.
std::string tool_of(const Figure& figure) {
  std::string best;
  std::size_t max_turning = 0;
  for (const Site& site : figure.sites()) {
    const Expected<Handle> point = figure.point(site.name);
    if (!point) continue;
    const std::vector<int> chain = chain_of(figure, *point, no_parent);
    const auto turning = static_cast<std::size_t>(
        std::count_if(chain.begin(), chain.end(), [&](int j) { return !figure.parameters()[j].translates; }));
    if (turning > max_turning) {
      max_turning = turning;
      best = site.name;
    }
  }
  return best;
}

}  // namespace

std::expected<Arm, Failure> arm_of(const std::string& file, int count) {
  cli::ContentOptions from;
  from.file = file;
  const std::expected<Content, Failure> content = cli::load_content(from);
  if (!content) return std::unexpected(content.error());
  const Figure& figure = *content->figure;
  const Expected<Handle> tool = figure.frame(tool_of(figure));
  if (!tool) return std::unexpected(Failure{tool.error(), cli::scene_is_wrong});
  Arm arm{std::filesystem::path(file).filename().string(), figure, *tool, figure.rest(), {}};
  Random random(1);
  for (int k = 0; k < count; ++k) {
    Pose target = figure.rest();
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      const auto at = static_cast<Eigen::Index>(j);
      const double lower = std::max(range.lower, -pi), upper = std::min(range.upper, pi);
      target.theta[at] = random.between(lower, upper);
      arm.start.theta[at] = 0.5 * (lower + upper);
    }
    Vec3 x[max_elements];
    evaluate(figure, forward(figure, target), *tool, x);
    arm.goals.push_back(Placement{x[0], {x[1], x[2]}});
  }
  return arm;
}

}  // namespace limber::bench
