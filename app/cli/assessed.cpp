#include "app/cli/assessed.h"

#include <algorithm>
#include <cmath>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "limber/base/number.h"
#include "limber/format/strength.h"

namespace limber::cli {

namespace {

Sex sex_of(const AssessOptions& options, const Scene& scene) {
  if (!options.sex.empty()) return options.sex == "female" ? Sex::female : Sex::male;
  const HumanOptions* const own = std::get_if<HumanOptions>(&scene.source);
  return own ? own->sex : Sex::male;
}

Expected<StaticLoadOptions> hung(const Figure& figure, const AssessOptions& options,
                                 const std::vector<LoadArgument>& arguments) {
  StaticLoadOptions with;
  if (options.carried_by == "feet")
    with.feet = {"left_foot", "right_foot"};
  else if (options.carried_by.empty() && !options.sitting)
    with.feet = usual_feet(figure);
  for (const LoadArgument& argument : arguments)
    for (const std::string& place : argument.places) {
      const Expected<Handle> point = figure.point(place);
      if (!point) return std::unexpected(point.error());
      with.loads.push_back({*point, argument.mass / static_cast<double>(argument.places.size())});
    }
  return with;
}

// The hands that are loaded, or both, or none where the figure has no palms.
std::vector<std::string> carriers_of(const Figure& figure, const std::vector<LoadArgument>& arguments) {
  std::vector<std::string> places;
  for (const LoadArgument& argument : arguments)
    for (const std::string& place : argument.places) places.push_back(place);
  if (!places.empty()) return places;
  const bool has_palms = figure.point("left_palm") && figure.point("right_palm");
  return has_palms ? std::vector<std::string>{"left_palm", "right_palm"} : places;
}

Expected<void> find_largest(const Figure& figure, const Pose& pose, const AssessOptions& options, Assessment& found) {
  found.carriers = carriers_of(figure, found.arguments);
  if (found.carriers.empty()) return {};
  std::vector<Handle> at;
  for (const std::string& place : found.carriers) at.push_back(*figure.point(place));
  StaticLoadOptions without = found.options;
  without.loads.clear();
  const Expected<LargestLoad> largest =
      largest_load(figure, pose, without, at, found.table, {.percentile = options.percentile});
  if (!largest) return std::unexpected(largest.error());
  found.largest = *largest;
  return {};
}

}  // namespace

std::optional<LoadArgument> load_argument(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string number = text.substr(colon + 1);
  if (number.ends_with("kg")) number.resize(number.size() - 2);
  const std::optional<double> mass = to_number(number);
  if (!mass || !(*mass >= 0.0) || !std::isfinite(*mass)) return std::nullopt;
  LoadArgument load{{}, *mass};
  for (std::size_t begin = 0; begin <= colon;) {
    const std::size_t end = std::min(text.find('+', begin), colon);
    if (end == begin) return std::nullopt;
    load.places.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return load;
}

std::expected<StrengthTable, Failure> strength_table(const AssessOptions& options, const Scene& scene) {
  if (options.strength.empty()) return human_strength(sex_of(options, scene));
  const Expected<std::string> text = read_file(options.strength);
  if (!text) return std::unexpected(Failure{text.error(), file_trouble});
  Expected<StrengthTable> table = read_strength(*text, shown(options.strength));
  if (!table) return std::unexpected(Failure{table.error(), scene_is_wrong});
  return std::move(*table);
}

Expected<Assessment> assess(const Scene& scene, const AssessOptions& options, StrengthTable table) {
  const Figure& figure = scene.figure;
  const Pose& pose = scene.pose;
  Assessment found;
  found.table = std::move(table);
  found.body_mass = figure.mass();
  for (const std::string& text : options.load_texts) found.arguments.push_back(*load_argument(text));
  for (const LoadArgument& argument : found.arguments) found.hung_mass += argument.mass;
  const Expected<StaticLoadOptions> with = hung(figure, options, found.arguments);
  if (!with) return std::unexpected(with.error());
  found.options = *with;
  const Expected<StaticLoad> load = static_load(figure, pose, found.options);
  if (!load) return std::unexpected(load.error());
  found.load = *load;
  const Expected<std::vector<JointLoad>> joints =
      joint_loads(figure, pose, found.load, found.table, {.percentile = options.percentile});
  if (!joints) return std::unexpected(joints.error());
  found.joints = *joints;
  const Expected<JointComfort> comfort = JointComfort::make(figure);
  if (!comfort) return std::unexpected(comfort.error());
  found.rows = joint_rows(figure, pose, *comfort, found.joints);
  found.discomfort = comfort->discomfort(pose.theta);
  found.discomfort_heat = discomfort_by_segment(figure, pose, *comfort);
  found.share_heat = share_by_segment(figure, found.joints);
  if (const Expected<void> done = find_largest(figure, pose, options, found); !done)
    return std::unexpected(done.error());
  if (const Expected<BodyAngles> angles = body_angles(figure, pose))
    found.angles = *angles;
  else
    found.no_angles = angles.error().text();
  return found;
}

}  // namespace limber::cli
