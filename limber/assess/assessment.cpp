#include "limber/assess/assessment.h"

#include <algorithm>

namespace limber {

namespace {

Expected<StaticLoadOptions> carried(const Figure& figure, const AssessmentOptions& options) {
  StaticLoadOptions with;
  if (options.carried_by == CarriedBy::feet)
    with.feet = {"left_foot", "right_foot"};
  else if (options.carried_by == CarriedBy::usual && !options.circumstances.sitting)
    with.feet = usual_feet(figure);
  for (const SharedLoad& load : options.loads) {
    if (load.places.empty()) return reject("load", "no place", "one or more that carry it");
    for (const std::string& place : load.places) {
      const Expected<Handle> point = figure.point(place);
      if (!point) return std::unexpected(point.error());
      with.loads.push_back({*point, load.mass / static_cast<double>(load.places.size())});
    }
  }
  return with;
}

// The places that are loaded, or both palms, or none where the figure has no palms.
std::vector<std::string> carriers_of(const Figure& figure, const std::vector<SharedLoad>& loads) {
  std::vector<std::string> places;
  for (const SharedLoad& load : loads) places.insert(places.end(), load.places.begin(), load.places.end());
  if (!places.empty()) return places;
  const bool has_palms = figure.point("left_palm") && figure.point("right_palm");
  return has_palms ? std::vector<std::string>{"left_palm", "right_palm"} : places;
}

Expected<void> find_max_load(const Figure& figure, const Pose& pose, const AssessmentOptions& options,
                             Assessment& found) {
  found.carriers = carriers_of(figure, options.loads);
  if (found.carriers.empty()) return {};
  std::vector<Handle> at;
  for (const std::string& place : found.carriers) at.push_back(*figure.point(place));
  StaticLoadOptions without = found.carried;
  without.loads.clear();
  const Expected<LargestLoad> largest = max_load(figure, pose, without, at, options.table, options.strength);
  if (!largest) return std::unexpected(largest.error());
  found.largest = *largest;
  return {};
}

Expected<void> find_loads(const Figure& figure, const Pose& pose, const AssessmentOptions& options, Assessment& found) {
  const Expected<StaticLoadOptions> with = carried(figure, options);
  if (!with) return std::unexpected(with.error());
  found.carried = *with;
  const Expected<StaticLoad> load = static_load(figure, pose, found.carried);
  if (!load) return std::unexpected(load.error());
  found.load = *load;
  const Expected<std::vector<JointLoad>> joints =
      joint_loads(figure, pose, found.load, options.table, options.strength);
  if (!joints) return std::unexpected(joints.error());
  found.joints = *joints;
  found.share_heat = share_by_segment(figure, found.joints);
  return find_max_load(figure, pose, options, found);
}

void find_scores(const Figure& figure, const Pose& pose, const Circumstances& circumstances, Assessment& found) {
  const Expected<BodyAngles> angles = body_angles(figure, pose);
  if (!angles) {
    found.no_scores = angles.error().text();
    return;
  }
  const RulaOptions rula_with = rula_options(circumstances, found.hung_mass);
  const RebaOptions reba_with = reba_options(circumstances, found.hung_mass);
  const auto of = [&](ArmSide side) { return Scores{rula(*angles, side, rula_with), reba(*angles, side, reba_with)}; };
  found.left = of(ArmSide::left);
  found.right = of(ArmSide::right);
}

}  // namespace

RulaOptions rula_options(const Circumstances& circumstances, double load) {
  RulaOptions options;
  options.load = load;
  options.static_or_repeated = options.load_static_or_repeated = circumstances.held || circumstances.repeated;
  options.shock = circumstances.shock;
  options.trunk_supported = circumstances.sitting;
  options.arm_supported = circumstances.arm_supported;
  return options;
}

RebaOptions reba_options(const Circumstances& circumstances, double load) {
  RebaOptions options;
  options.load = load;
  options.shock = circumstances.shock;
  options.sitting = circumstances.sitting;
  options.arm_supported = circumstances.arm_supported;
  options.held = circumstances.held;
  options.repeated = circumstances.repeated;
  options.coupling = circumstances.coupling;
  return options;
}

Expected<Assessment> assess(const Figure& figure, const Pose& pose, const AssessmentOptions& options) {
  Assessment found;
  found.body_mass = figure.mass();
  for (const SharedLoad& load : options.loads) found.hung_mass += load.mass;
  if (const Expected<void> done = find_loads(figure, pose, options, found); !done) return std::unexpected(done.error());
  const Expected<JointComfort> comfort = JointComfort::make(figure);
  if (!comfort) return std::unexpected(comfort.error());
  found.rows = joint_rows(figure, pose, *comfort, found.joints);
  found.discomfort = comfort->discomfort(pose.theta);
  found.discomfort_heat = discomfort_by_segment(figure, pose, *comfort);
  find_scores(figure, pose, options.circumstances, found);
  return found;
}

int parameter_that_shows(const std::vector<JointRow>& rows, int freedom) {
  const auto row = std::ranges::find(rows, freedom, [](const JointRow& one) { return one.load.freedom; });
  return row == rows.end() ? -1 : row->parameter;
}

}  // namespace limber
