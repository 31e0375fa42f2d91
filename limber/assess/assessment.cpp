#include "limber/assess/assessment.h"

#include <algorithm>

namespace limber {

Expected<StaticLoadOptions> carried_load(const Figure& figure, const std::vector<SharedLoad>& loads,
                                         CarriedBy carried_by) {
  StaticLoadOptions result;
  if (carried_by == CarriedBy::feet) result.feet = {"left_foot", "right_foot"};
  if (carried_by == CarriedBy::usual) result.feet = usual_feet(figure);
  for (const SharedLoad& load : loads) {
    if (load.places.empty()) return reject("load", "no place", "at least one place that carries it");
    for (const std::string& place : load.places) {
      const Expected<Handle> point = figure.point(place);
      if (!point) return std::unexpected(point.error());
      result.loads.push_back({*point, load.mass / static_cast<double>(load.places.size())});
    }
  }
  return result;
}

namespace {

// The loaded places; else both palms, if the figure has them.
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
  std::vector<Handle> points;
  for (const std::string& place : found.carriers) points.push_back(*figure.point(place));
  StaticLoadOptions unloaded = found.carried;
  unloaded.loads.clear();
  const Expected<MaxLoad> max = max_load(figure, pose, unloaded, points, options.table, options.strength);
  if (!max) return std::unexpected(max.error());
  found.max_load = *max;
  return {};
}

Expected<void> find_loads(const Figure& figure, const Pose& pose, const AssessmentOptions& options, Assessment& found) {
  const bool sits = options.carried_by == CarriedBy::usual && options.circumstances.sitting;
  const Expected<StaticLoadOptions> carried =
      carried_load(figure, options.loads, sits ? CarriedBy::root : options.carried_by);
  if (!carried) return std::unexpected(carried.error());
  found.carried = *carried;
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
  const RulaOptions for_rula = rula_options(circumstances, found.load_mass);
  const RebaOptions for_reba = reba_options(circumstances, found.load_mass);
  const auto scores = [&](ArmSide side) {
    return Scores{rula(*angles, side, for_rula), reba(*angles, side, for_reba)};
  };
  found.left = scores(ArmSide::left);
  found.right = scores(ArmSide::right);
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
  for (const SharedLoad& load : options.loads) found.load_mass += load.mass;
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
  const auto row = std::ranges::find(rows, freedom, [](const JointRow& candidate) { return candidate.load.freedom; });
  return row == rows.end() ? -1 : row->parameter;
}

}  // namespace limber
