#include <algorithm>
#include <limits>

#include "binding/wasm/exchange.h"
#include "binding/wasm/host.h"
#include "limber/document/report/report_json.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"
#include "limber/solver/goal_jacobian.h"

namespace limber::wasm {

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

// While something is dragged, the pulls that keep the body calm cause a small error of the grabs and of the balance. Up
// to this, in metres, it counts as met.
constexpr double max_drag_error = 0.004;
// So does an overlap that is too small to be seen: a dragged part that rests on an obstacle stays met.
constexpr double max_clear_error = 0.0005;

// Whether it is a constraint of the scene, an added one or a grab; not the prior, the stiffness or a pull of the drag.
bool is_reported(const PosedScene& posing, const ConstraintReport& one) {
  return has(posing.reported, one.id) || has(posing.grabs, one.id);
}

bool counts_as_met(const PosedScene& posing, const ConstraintReport& one) {
  const bool is_drag = has(posing.grabs, one.id) || (!posing.grabs.empty() && has(posing.balances, one.id));
  if (one.met || (!is_drag && one.touches.empty())) return one.met;
  return one.error.metres.value_or(infinity) <= (is_drag ? max_drag_error : max_clear_error);
}

bool is_met(const PosedScene& posing) {
  if (posing.report->rejection) return false;
  return std::ranges::all_of(posing.report->constraints, [&](const ConstraintReport& one) {
    return !is_reported(posing, one) || !one.counted || counts_as_met(posing, one);
  });
}

void write_pose_report(JsonWriter& out, const PosedScene& posing) {
  out.begin_object();
  write_members(out, *posing.report, is_met(posing));
  out.key("constraints").begin_array();
  for (ConstraintReport one : posing.report->constraints) {
    if (!is_reported(posing, one)) continue;
    one.met = counts_as_met(posing, one);
    out.begin_object(JsonWriter::Layout::row);
    write_members(out, *posing.report, one);
    out.member("drag", has(posing.grabs, one.id)).end();
  }
  out.end().end();
}

const Constraint* constraint_at(const PosedScene& posing, int number) {
  const auto id = static_cast<ConstraintId>(number);
  if (has(posing.reported, id)) return posing.problem.find(id);
  rejected({"constraint " + std::to_string(number), "none", "one of the scene, from 0, or an added one"});
  return nullptr;
}

void take(PosedScene& posing, ConstraintId id, bool is_balance) {
  posing.reported.push_back(id);
  if (is_balance) posing.balances.push_back(id);
}

bool is_balance(const SceneConstraint& constraint) { return std::holds_alternative<SceneBalance>(constraint.what); }

// What was added; a rejection does not stay in the problem.
int added(PosedScene& posing, const Expected<ConstraintId>& id, bool is_balance) {
  if (!id) {
    posing.problem.clear_rejections();
    return rejected(id.error());
  }
  take(posing, *id, is_balance);
  posing.report = nullptr;
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

int let_go(PosedScene& posing) {
  for (const ConstraintId grab : posing.grabs) (void)posing.problem.remove(grab);
  posing.grabs.clear();
  if (posing.calm) (void)posing.problem.remove(*posing.calm);
  posing.calm.reset();
  if (posing.stiff) (void)posing.problem.set_enabled(*posing.stiff, true);
  return 1;
}

// A point of a segment is asked to stay where it is in the pose, until it is dragged.
bool grab_point(PosedScene& posing, int segment, const Vec3& local, int from, double weight, const Pose& start) {
  const Figure& figure = posing.scene.figure;
  if (segment < 0 || segment >= size_of(figure.segments())) {
    rejected({"segment " + std::to_string(segment), "none", "a segment of the figure"});
    return false;
  }
  Handle handle;
  handle.name = figure.segments()[static_cast<std::size_t>(segment)].name;
  handle.plus[0] = {Element::Kind::point, segment, local};
  ConstraintOptions options{.weight = weight, .name = handle.name};
  if (from >= 0 && from < size_of(figure.joints())) options.from = figure.joints()[static_cast<std::size_t>(from)].name;
  const Expected<ConstraintId> grab =
      posing.problem.add(handle, Position{evaluate(figure, forward(figure, start), handle.plus[0])}, options);
  if (!grab) {
    posing.problem.clear_rejections();
    rejected(grab.error());
    return false;
  }
  posing.grabs.push_back(*grab);
  posing.report = nullptr;
  return true;
}

// While something is dragged all stay near to the pose where that began, what is stiff more than others.
void add_calm(PosedScene& posing, double calm, const Pose& start) {
  PullByStiffness pull = towards(posing.scene.figure, start);
  pull.stiffness += stiffness_of(posing.scene);
  const Expected<ConstraintId> id = posing.problem.add_pull(std::move(pull), {.weight = calm, .name = "calm"});
  if (!id) return;
  posing.calm = *id;
  if (posing.stiff) (void)posing.problem.set_enabled(*posing.stiff, false);
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_posing_new(int number, const char* json, int size) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  Expected<Scene> scene = scene_of(*figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  Expected<Problem> problem = problem_of(*scene);
  if (!problem) return rejected(problem.error());
  auto posing = std::make_unique<PosedScene>(std::move(*scene), std::move(*problem));
  posing->solver = std::make_unique<Solver>(posing->problem);
  for (std::size_t k = 0; k < posing->scene.constraints.size(); ++k)
    take(*posing, posing->problem.constraints()[k].id, is_balance(posing->scene.constraints[k]));
  if (!stiffness_of(posing->scene).isZero(0.0)) posing->stiff = posing->problem.constraints().back().id;
  return keep(std::move(posing));
}

int limber_posing_solve(int number, double* theta, int iterations, int restarts, int until_met, int resumes) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return static_cast<int>(Exit::rejected);
  Pose pose{wasm::pose_at(posing->scene.figure, theta)};
  if (posing->stiff) (void)posing->problem.set_pull(*posing->stiff, pose.theta);
  Options options = posing->scene.options;
  options.iterations = iterations;
  if (restarts >= 0) options.restarts = restarts;
  options.until_met = until_met != 0;
  options.resumes = resumes != 0;
  posing->report = &posing->solver->solve(pose, options);
  Eigen::Map<VecX>(theta, pose.theta.size()) = pose.theta;
  return static_cast<int>(posing->report->exit);
}

int limber_posing_report(int number) {
  const PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  if (!posing->report) return rejected({"report", "no solve yet", "one before"});
  JsonWriter out;
  write_pose_report(out, *posing);
  return set_text(out.take());
}

int limber_posing_iterations(int number) {
  const PosedScene* posing = find<PosedScene>(number);
  return posing && posing->report ? posing->report->iterations : 0;
}

int limber_posing_met(int number) {
  const PosedScene* posing = find<PosedScene>(number);
  return posing && posing->report && is_met(*posing) ? 1 : 0;
}

int limber_posing_add(int number, const char* json, int size) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  const Expected<Scene> scene = scene_of(posing->scene.figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  if (scene->constraints.size() != 1)
    return rejected({"constraints", std::to_string(scene->constraints.size()), "one constraint"});
  const SceneConstraint& asked = scene->constraints.front();
  const Expected<ConstraintId> id = add_constraint(posing->problem, *scene, asked);
  if (id && !asked.enabled) (void)posing->problem.set_enabled(*id, false);
  return added(*posing, id, is_balance(asked));
}

int limber_posing_add_goal(int number, int goal, const char* json, int size) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
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
  const Expected<Handle> handle = points_of(posing->scene.figure, points);
  if (!handle) return rejected(handle.error());
  const std::string title = options.name.empty() ? "custom" : options.name;
  return added(*posing, posing->problem.add(handle, goal_of_host(goal, rows, handle->shape, title), options), false);
}

int limber_posing_remove(int number, int index) {
  PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
  if (!constraint) return 0;
  const ConstraintId id = constraint->id;
  (void)posing->problem.remove(id);
  std::erase(posing->reported, id);
  std::erase(posing->balances, id);
  posing->report = nullptr;
  return 1;
}

int limber_posing_set_weight(int number, int index, double weight) {
  PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
  if (!constraint) return 0;
  const Expected<void> set = posing->problem.set_weight(constraint->id, weight);
  return set ? 1 : rejected(set.error());
}

int limber_posing_set_enabled(int number, int index, int enabled) {
  PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
  if (!constraint) return 0;
  const Expected<void> set = posing->problem.set_enabled(constraint->id, enabled != 0);
  return set ? 1 : rejected(set.error());
}

int limber_posing_jacobian(int number, const double* theta) {
  const PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  const Expected<GoalJacobian> found = goal_jacobian(posing->problem, Pose{wasm::pose_at(posing->scene.figure, theta)});
  if (!found) return rejected(found.error());
  JsonWriter out;
  out.begin_object().key("constraints").begin_array(JsonWriter::Layout::row);
  for (const int c : found->constraints)
    out.integer(static_cast<int>(posing->problem.constraints()[static_cast<std::size_t>(c)].id));
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

int limber_posing_set_goal(int number, int index, const char* json, int size) {
  PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
  if (!constraint) return 0;
  const Expected<Scene> scene = scene_of(posing->scene.figure, text_at(json, size));
  if (!scene) return rejected(scene.error());
  const SceneAlternative* asked = scene->constraints.size() == 1 ? scene->constraints.front().sole_goal() : nullptr;
  if (!asked) return rejected({"goal", "a scene without just one goal", "one constraint with one goal"});
  const Expected<void> set = posing->problem.set_goal(constraint->id, goal_of(asked->goal));
  return set ? 1 : rejected(set.error());
}

int limber_posing_handle(int number, int index, const double* theta, double* elements) {
  const PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
  if (!constraint || constraint->alternatives().empty()) return 0;
  const Figure& figure = posing->scene.figure;
  const Kinematics state = forward(figure, Pose{wasm::pose_at(figure, theta)});
  Vec3 x[max_elements];
  const Handle& handle = constraint->alternatives().front().handle;
  evaluate(figure, state, handle, x);
  for (int k = 0; k < handle.count(); ++k) Eigen::Map<Vec3>(elements + 3 * k) = x[k];
  return handle.count();
}

int limber_posing_faces(int number, int index) {
  const PosedScene* posing = find<PosedScene>(number);
  const Constraint* constraint = posing ? constraint_at(*posing, index) : nullptr;
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

int limber_posing_grab(int number, int segment, double x, double y, double z, int from, double weight, double calm,
                       const double* theta) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  let_go(*posing);
  const Pose start{wasm::pose_at(posing->scene.figure, theta)};
  if (!grab_point(*posing, segment, Vec3(x, y, z), from, weight, start)) return 0;
  if (calm > 0.0) add_calm(*posing, calm, start);
  return 1;
}

int limber_posing_grab_more(int number, int segment, double x, double y, double z, int from, double weight,
                            const double* theta) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  if (posing->grabs.empty()) return rejected({"grab", "nothing grabbed", "limber_posing_grab before"});
  const Pose start{wasm::pose_at(posing->scene.figure, theta)};
  return grab_point(*posing, segment, Vec3(x, y, z), from, weight, start) ? size_of(posing->grabs) : 0;
}

int limber_posing_drag(int number, int grab, double x, double y, double z) {
  PosedScene* posing = find<PosedScene>(number);
  if (!posing) return 0;
  if (grab < 0 || grab >= size_of(posing->grabs))
    return rejected({"drag " + std::to_string(grab), "nothing grabbed", "limber_posing_grab before"});
  const Expected<void> set =
      posing->problem.set_goal(posing->grabs[static_cast<std::size_t>(grab)], Position{Vec3(x, y, z)});
  return set ? 1 : rejected(set.error());
}

int limber_posing_let_go(int number) {
  PosedScene* posing = find<PosedScene>(number);
  return posing ? let_go(*posing) : 0;
}
