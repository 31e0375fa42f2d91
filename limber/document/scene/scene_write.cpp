#include "limber/document/scene/scene.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/document/scene/scene_obstacle.h"
#include "limber/document/scene/scene_strength.h"
#include "limber/figure/join.h"
#include "limber/problem/balance.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

void write_plain_handle(JsonWriter& out, const SceneHandle& handle) {
  out.begin_object(Layout::row);
  switch (handle.kind) {
    case SceneHandle::Kind::point:
      out.member("point", handle.place);
      break;
    case SceneHandle::Kind::ray:
      out.member("ray", handle.place);
      break;
    case SceneHandle::Kind::frame:
      out.member("frame", handle.place);
      break;
    case SceneHandle::Kind::mass_centre:
      if (handle.place.empty())
        out.member("mass_centre", true);
      else
        out.member("mass_centre", handle.place);
      break;
    case SceneHandle::Kind::direction:
      if (handle.local == Vec3::UnitX())
        out.member("direction", handle.place);
      else
        out.key("direction").begin_object().member("place", handle.place).key("local").direction(handle.local).end();
      break;
    case SceneHandle::Kind::difference:
      break;
  }
  out.end();
}

void write_handle(JsonWriter& out, const SceneHandle& handle) {
  if (handle.kind != SceneHandle::Kind::difference) return write_plain_handle(out, handle);
  out.begin_object(Layout::row).key("difference").begin_array();
  for (const SceneHandle& part : handle.of) write_plain_handle(out, part);
  out.end().end();
}

void write_alternative(JsonWriter& out, const SceneAlternative& alternative) {
  out.key("handle");
  write_handle(out, alternative.handle);
  out.key("goal");
  write_scene_goal(out, alternative.goal);
}

void write_balance(JsonWriter& out, const SceneBalance& balance) {
  out.key("balance").begin_array(Layout::row);
  for (const std::string& foot : balance.feet) out.value(foot);
  out.end().member_unless("margin", balance.margin, 0.0);
}

void write_pull(JsonWriter& out, const Figure& figure, const ScenePull& pull) {
  if (pull.towards != ScenePull::Towards::pose) {
    out.member("pull", name_of(pull.towards));
    return;
  }
  out.key("pull").begin_object(Layout::row).key("pose").begin_object();
  for (const auto& [parameter, value] : pull.pose)
    if (const Expected<int> j = figure.find_parameter(parameter))
      out.member(parameter, written(value, unit_of(figure, figure.parameters()[static_cast<std::size_t>(*j)])));
  out.end().end();
}

// Writes what a constraint asks for; returns the weight that a reader assumes for it.
struct ConstraintWriter {
  JsonWriter& out;
  const Figure& figure;

  double operator()(const SceneGoals& goals) const {
    if (goals.size() == 1) {
      write_alternative(out, goals.front());
      return 1.0;
    }
    out.key("one_of").begin_array();
    for (const SceneAlternative& alternative : goals) {
      out.begin_object();
      write_alternative(out, alternative);
      out.end();
    }
    out.end();
    return 1.0;
  }
  double operator()(const SceneBalance& balance) const {
    write_balance(out, balance);
    return balance_weight;
  }
  double operator()(const ScenePull& pull) const {
    write_pull(out, figure, pull);
    return 1.0;
  }
  double operator()(const SceneClearance& clearance) const {
    write_scene_clearance(out, clearance, figure);
    return must;
  }
  double operator()(const SceneStrength& strength) const {
    write_scene_strength(out, strength);
    return must;
  }
};

void write_constraint(JsonWriter& out, const Figure& figure, const SceneConstraint& constraint) {
  out.begin_object();
  if (!constraint.name.empty()) out.member("name", constraint.name);
  const double assumed = std::visit(ConstraintWriter{out, figure}, constraint.what);
  if (constraint.weight == must && assumed != must)
    out.member("weight", "must");
  else
    out.member_unless("weight", constraint.weight, assumed);
  if (constraint.priority != first_level) out.member("priority", static_cast<double>(constraint.priority));
  if (!constraint.from.empty()) out.member("from", constraint.from);
  out.member_unless("soft", constraint.soft, false);
  out.member_unless("enabled", constraint.enabled, true);
  out.end();
}

// Only parameters that are not at rest.
void write_pose(JsonWriter& out, const Figure& figure, const Pose& pose) {
  out.key("pose").begin_object();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    const double value = pose.theta[static_cast<Eigen::Index>(j)];
    if (value != parameter.range.rest) out.member(parameter.name, written(value, unit_of(figure, parameter)));
  }
  out.end();
}

void write_options(JsonWriter& out, const Options& options) {
  const Options plain;
  if (options.method == plain.method && options.restarts == plain.restarts && options.iterations == plain.iterations &&
      options.tolerance == plain.tolerance && options.met_metres == plain.met_metres &&
      options.met_degrees == plain.met_degrees && options.until_met == plain.until_met)
    return;
  out.key("options").begin_object();
  if (options.method != plain.method) out.member("method", std::string(name_of(options.method)));
  if (options.restarts) out.member("restarts", static_cast<double>(*options.restarts));
  if (options.iterations != plain.iterations) out.member("iterations", static_cast<double>(options.iterations));
  out.member_unless("tolerance", options.tolerance, plain.tolerance);
  if (options.met_metres != plain.met_metres) out.member("met_mm", written_mm(options.met_metres));
  out.member_unless("met_degrees", options.met_degrees, plain.met_degrees);
  if (options.until_met) out.key("until_met").value(true);
  out.end();
}

}  // namespace

std::string write_scene(const Scene& scene) {
  JsonWriter out;
  out.begin_object().member("limber", "scene 1");
  if (!scene.title.empty()) out.member("title", scene.title);
  if (const JoinedFigures* joined = std::get_if<JoinedFigures>(&scene.source)) {
    out.key("figures");
    write_figures_value(out, scene.figure, *joined,
                        [&](const FigurePart& part) { write_pose(out, part.figure, pose_of(part, scene.pose)); });
  } else {
    out.key("figure");
    write_figure_value(out, scene.figure, scene.source);
    if (!scene.root.empty()) out.member("root", scene.root);
    write_pose(out, scene.figure, scene.pose);
  }
  const auto write_numbers = [&](const char* key, const std::vector<std::pair<std::string, double>>& numbers) {
    if (numbers.empty()) return;
    out.key(key).begin_object();
    for (const auto& [parameter, number] : numbers) out.member(parameter, number);
    out.end();
  };
  write_numbers("rigidity", scene.rigidities);
  write_numbers("stiffness", scene.stiffnesses);
  if (!scene.obstacles.empty()) {
    out.key("obstacles").begin_array();
    for (const SceneObstacle& obstacle : scene.obstacles) write_scene_obstacle(out, obstacle);
    out.end();
  }
  out.key("constraints").begin_array();
  for (const SceneConstraint& constraint : scene.constraints) write_constraint(out, scene.figure, constraint);
  out.end();
  if (scene.natural == 1.0)
    out.member("natural", true);
  else
    out.member_unless("natural", scene.natural, 0.0);
  write_options(out, scene.options);
  return out.end().take();
}

}  // namespace limber
