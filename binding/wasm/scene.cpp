// A scene that is solved repeatedly, from pose to pose.
#include <algorithm>
#include <limits>

#include "binding/wasm/exchange.h"
#include "binding/wasm/host.h"
#include "limber/document/report/report_json.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"
#include "limber/solver/goal_jacobian.h"

namespace limber::wasm {

bool counts_as_met(const ConstraintReport& one) {
  // An overlap that is too small to be seen, of a part that rests on an obstacle.
  constexpr double max_clear_error = 0.0005;
  return one.met || (!one.touches.empty() && one.error.metres.value_or(infinity) <= max_clear_error);
}

Expected<Scene> scene_of(const Figure& figure, std::string_view text) {
  const SourcedFigure instead{figure, InlineFigure{}};
  Expected<Scene> scene = read_scene(text, "scene", figure_loader(), &instead);
  // The caller counts parameters and segments by its own figure.
  if (scene &&
      !std::ranges::equal(scene->figure.parameters(), figure.parameters(), {}, &Parameter::name, &Parameter::name))
    return reject("scene: /root", "a root other than the figure's", "a figure that is hung from there");
  return scene;
}

namespace {

bool has(const std::vector<ConstraintId>& list, ConstraintId id) { return std::ranges::find(list, id) != list.end(); }

// Whether it is a constraint of the scene or an added one; not the prior or the stiffness.
bool is_reported(const PosedScene& posed, const ConstraintReport& one) { return has(posed.reported, one.id); }

bool is_met(const PosedScene& posed) {
  if (posed.report->rejection) return false;
  return std::ranges::all_of(posed.report->constraints, [&](const ConstraintReport& one) {
    return !is_reported(posed, one) || !one.counted || counts_as_met(one);
  });
}

void write_pose_report(JsonWriter& out, const PosedScene& posed) {
  out.begin_object();
  write_members(out, *posed.report, is_met(posed));
  out.key("constraints").begin_array();
  for (ConstraintReport one : posed.report->constraints) {
    if (!is_reported(posed, one)) continue;
    one.met = counts_as_met(one);
    out.begin_object(JsonWriter::Layout::row);
    write_members(out, *posed.report, one);
    out.member("drag", false).end();
  }
  out.end().end();
}

const Constraint* constraint_at(const PosedScene& posed, int number) {
  const auto id = static_cast<ConstraintId>(number);
  if (has(posed.reported, id)) return posed.problem.find(id);
  rejected({"constraint " + std::to_string(number), "none", "one of the scene, from 0, or an added one"});
  return nullptr;
}

// What was added; a rejection does not stay in the problem.
int added(PosedScene& posed, const Expected<ConstraintId>& id) {
  if (!id) {
    posed.problem.clear_rejections();
    return rejected(id.error());
  }
  posed.reported.push_back(*id);
  posed.report = nullptr;
  return static_cast<int>(*id) + 1;
}

// Between the library, with J by columns, and the host.
CustomGoal goal_of_host(int goal, int rows, Shape shape, const std::string& name) {
  CustomGoal made;
  made.title = name;
  made.shape = shape;
  made.row_count = rows;
  const int points = element_count(shape);
  const auto ask = [goal, points, rows](const HandleValue& x, double* r, double* J) {
    double place[3 * max_elements];
    for (int k = 0; k < points; ++k) Eigen::Map<Vec3>(place + 3 * k) = x[k];
    std::fill(r, r + rows, 0.0);
    std::fill(J, J + 3 * points * rows, 0.0);
    limber_host_goal(goal, points, place, rows, r, J);
  };
  // The room is that of the goal: its functions may not allocate.
  auto room = std::make_shared<std::vector<double>>(static_cast<std::size_t>(rows * (1 + 3 * points)));
  made.residual = [ask, room, points, rows](const HandleValue& x, Residual& out) {
    ask(x, room->data(), room->data() + rows);
    out.r = Eigen::Map<const VecX>(room->data(), rows);
    out.J = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        room->data() + rows, rows, 3 * points);
  };
  made.error_function = [ask, room, rows](const HandleValue& x) {
    ask(x, room->data(), room->data() + rows);
    return GoalError{.metres = Eigen::Map<const VecX>(room->data(), rows).norm(), .radians = {}};
  };
  return made;
}

constexpr std::string_view mass_centre_word = "mass_centre";
constexpr int max_host_rows = 3 * max_elements;

// The points of a goal of the host as one handle.
Expected<Handle> points_of(const Figure& figure, const std::vector<std::string>& names) {
  std::vector<Expected<Handle>> points;
  points.reserve(names.size());
  for (const std::string& name : names)
    points.push_back(name == mass_centre_word ? figure.mass_centre() : figure.point(name));
  return points.size() == 1 ? points.front() : together(points);
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_scene_new(int number, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  Expected<Scene> scene = scene_of(*figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  Expected<Problem> problem = problem_of(*scene);
  if (!problem) return rejected(problem.error());
  auto posed = std::make_unique<PosedScene>(std::move(*scene), std::move(*problem));
  posed->solver = std::make_unique<Solver>(posed->problem);
  for (std::size_t k = 0; k < posed->scene.constraints.size(); ++k)
    posed->reported.push_back(posed->problem.constraints()[k].id);
  if (!stiffness_of(posed->scene).isZero(0.0)) posed->stiff = posed->problem.constraints().back().id;
  return keep(std::move(posed));
}

int limber_scene_solve(int number, double* theta, int iterations, int restarts, int until_met, int resumes) {
  PosedScene* posed = find<PosedScene>(number);
  if (!posed) return static_cast<int>(Exit::rejected);
  Pose pose{wasm::pose_at(posed->scene.figure, theta)};
  if (posed->stiff) (void)posed->problem.set_pull(*posed->stiff, pose.theta);
  Options options = posed->scene.options;
  options.iterations = iterations;
  if (restarts >= 0) options.restarts = restarts;
  options.until_met = until_met != 0;
  options.resumes = resumes != 0;
  posed->report = &posed->solver->solve(pose, options);
  Eigen::Map<VecX>(theta, pose.theta.size()) = pose.theta;
  return static_cast<int>(posed->report->exit);
}

int limber_scene_report(int number) {
  const PosedScene* posed = find<PosedScene>(number);
  if (!posed) return 0;
  if (!posed->report) return rejected({"report", "no solve yet", "one before"});
  JsonWriter out;
  write_pose_report(out, *posed);
  return set_text(out.take());
}

int limber_scene_iterations(int number) {
  const PosedScene* posed = find<PosedScene>(number);
  return posed && posed->report ? posed->report->iterations : 0;
}

int limber_scene_met(int number) {
  const PosedScene* posed = find<PosedScene>(number);
  return posed && posed->report && is_met(*posed) ? 1 : 0;
}

int limber_scene_add(int number, const char* json, int size) {
  PosedScene* posed = find<PosedScene>(number);
  if (!posed) return 0;
  const Expected<Scene> scene = scene_of(posed->scene.figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  if (scene->constraints.size() != 1)
    return rejected({"constraints", std::to_string(scene->constraints.size()), "one constraint"});
  const SceneConstraint& asked = scene->constraints.front();
  const Expected<ConstraintId> id = add_constraint(posed->problem, *scene, asked);
  if (id && !asked.enabled) (void)posed->problem.set_enabled(*id, false);
  return added(*posed, id);
}

int limber_scene_add_goal(int number, int goal, const char* json, int size) {
  PosedScene* posed = find<PosedScene>(number);
  if (!posed) return 0;
  JsonDocument document(text_at(json, size), "goal");
  const JsonValue root = document.root();
  std::vector<std::string> points;
  int rows = 1;
  ConstraintOptions options;
  if (root.object({"points", "rows", "weight", "from", "name", "priority"})) {
    if (root["points"].array())
      for (const JsonValue point : root["points"]) points.push_back(point.text());
    rows = root["rows"].integer(1, max_host_rows);
    if (root["weight"]) options.weight = root["weight"].is(JsonKind::text) ? must : root["weight"].number();
    if (root["priority"]) options.priority = root["priority"].integer(first_level, last_level);
    options.from = root["from"].text_or("");
    options.name = root["name"].text_or("");
  }
  if (document.error()) return rejected(*document.error());
  const Expected<Handle> handle = points_of(posed->scene.figure, points);
  if (!handle) return rejected(handle.error());
  const std::string title = options.name.empty() ? "custom" : options.name;
  return added(*posed, posed->problem.add(handle, goal_of_host(goal, rows, handle->shape, title), options));
}

int limber_scene_remove(int number, int index) {
  PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint) return 0;
  const ConstraintId id = constraint->id;
  (void)posed->problem.remove(id);
  std::erase(posed->reported, id);
  posed->report = nullptr;
  return 1;
}

int limber_scene_set_weight(int number, int index, double weight) {
  PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint) return 0;
  const Expected<void> set = posed->problem.set_weight(constraint->id, weight);
  return set ? 1 : rejected(set.error());
}

int limber_scene_set_enabled(int number, int index, int enabled) {
  PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint) return 0;
  const Expected<void> set = posed->problem.set_enabled(constraint->id, enabled != 0);
  return set ? 1 : rejected(set.error());
}

int limber_scene_jacobian(int number, const double* theta) {
  const PosedScene* posed = find<PosedScene>(number);
  if (!posed) return 0;
  const Expected<GoalJacobian> found = goal_jacobian(posed->problem, Pose{wasm::pose_at(posed->scene.figure, theta)});
  if (!found) return rejected(found.error());
  JsonWriter out;
  out.begin_object().key("constraints").begin_array(JsonWriter::Layout::row);
  for (const int c : found->constraints)
    out.integer(static_cast<int>(posed->problem.constraints()[static_cast<std::size_t>(c)].id));
  out.end().key("parameters").begin_array(JsonWriter::Layout::row);
  for (const int j : found->parameters) out.integer(j);
  out.end().key("rows").begin_array();
  for (const auto& row : found->J.rowwise()) {
    out.begin_array(JsonWriter::Layout::row);
    for (const double value : row) out.value(value);
    out.end();
  }
  out.end();
  write_members(out, *found);
  out.end();
  return set_text(out.take());
}

int limber_scene_set_goal(int number, int index, const char* json, int size) {
  PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint) return 0;
  const Expected<Scene> scene = scene_of(posed->scene.figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  const SceneAlternative* asked = scene->constraints.size() == 1 ? scene->constraints.front().sole_goal() : nullptr;
  if (!asked) return rejected({"goal", "a scene without just one goal", "one constraint with one goal"});
  const Expected<void> set = posed->problem.set_goal(constraint->id, goal_of(asked->goal));
  return set ? 1 : rejected(set.error());
}

int limber_scene_handle(int number, int index, const double* theta, double* elements) {
  const PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint || constraint->alternatives().empty()) return 0;
  const Figure& figure = posed->scene.figure;
  const Kinematics state = forward(figure, Pose{wasm::pose_at(figure, theta)});
  Vec3 x[max_elements];
  const Handle& handle = constraint->alternatives().front().handle;
  evaluate(figure, state, handle, x);
  for (int k = 0; k < handle.count(); ++k) Eigen::Map<Vec3>(elements + 3 * k) = x[k];
  return handle.count();
}

int limber_scene_faces(int number, int index) {
  const PosedScene* posed = find<PosedScene>(number);
  const Constraint* constraint = posed ? constraint_at(*posed, index) : nullptr;
  if (!constraint) return 0;
  JsonWriter out;
  out.begin_array(JsonWriter::Layout::row);
  for (const Alternative& one : constraint->alternatives())
    if (const auto* inside = std::get_if<InsidePolyhedron>(&one.goal))
      for (const Face& face : inside->faces)
        for (const Vec3& vector : {face.p, face.v})
          for (const double value : vector) out.value(value);
  out.end();
  return set_text(out.take());
}
