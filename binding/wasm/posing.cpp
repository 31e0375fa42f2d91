#include <algorithm>
#include <limits>

#include "binding/wasm/exchange.h"
#include "limber/document/report/report_json.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

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

bool is_grabbed(const Posing& posing, const ConstraintReport& one) {
  return std::ranges::find(posing.grabs, one.id) != posing.grabs.end();
}

// While something is dragged, the pulls that keep the body calm cause a small error of the grabs and of the balance. Up
// to this, in metres, it counts as met.
constexpr double max_drag_error = 0.004;
// So does an overlap that is too small to be seen: a dragged part that rests on an obstacle stays met.
constexpr double max_clear_error = 0.0005;

// Whether it is a constraint of the scene or a grab; not the prior, the stiffness or a pull of the drag.
bool is_reported(const Posing& posing, std::size_t k) {
  return k < posing.scene.constraints.size() || is_grabbed(posing, posing.report->constraints[k]);
}

bool counts_as_met(const Posing& posing, std::size_t k) {
  const ConstraintReport& one = posing.report->constraints[k];
  const bool is_drag =
      is_grabbed(posing, one) ||
      (!posing.grabs.empty() && std::holds_alternative<SceneBalance>(posing.scene.constraints[k].what));
  if (one.met || (!is_drag && one.touches.empty())) return one.met;
  return one.error.metres.value_or(infinity) <= (is_drag ? max_drag_error : max_clear_error);
}

bool is_met(const Posing& posing) {
  if (posing.report->rejection) return false;
  for (std::size_t k = 0; k < posing.report->constraints.size(); ++k)
    if (is_reported(posing, k) && posing.report->constraints[k].counted && !counts_as_met(posing, k)) return false;
  return true;
}

void write_report(JsonWriter& out, const Posing& posing) {
  out.begin_object();
  write_members(out, *posing.report, is_met(posing));
  out.key("constraints").begin_array();
  for (std::size_t k = 0; k < posing.report->constraints.size(); ++k) {
    if (!is_reported(posing, k)) continue;
    ConstraintReport one = posing.report->constraints[k];
    one.met = counts_as_met(posing, k);
    out.begin_object(JsonWriter::Layout::row);
    write_members(out, *posing.report, one);
    out.member("drag", is_grabbed(posing, one)).end();
  }
  out.end().end();
}

Constraint const* constraint_at(const Posing& posing, int index) {
  if (index >= 0 && index < size_of(posing.problem.constraints()))
    return &posing.problem.constraints()[static_cast<std::size_t>(index)];
  rejected({"constraint " + std::to_string(index), "none", "one of the scene, from 0"});
  return nullptr;
}

int let_go(Posing& posing) {
  for (const ConstraintId grab : posing.grabs) (void)posing.problem.remove(grab);
  posing.grabs.clear();
  if (posing.calm) (void)posing.problem.remove(*posing.calm);
  posing.calm.reset();
  if (posing.stiff) (void)posing.problem.set_enabled(*posing.stiff, true);
  return 1;
}

// A point of a segment is asked to stay where it is in the pose, until it is dragged.
bool grab_point(Posing& posing, int segment, const Vec3& local, int from, double weight, const Pose& start) {
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
void add_calm(Posing& posing, double calm, const Pose& start) {
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
  auto posing = std::make_unique<Posing>(std::move(*scene), std::move(*problem));
  posing->solver = std::make_unique<Solver>(posing->problem);
  if (!stiffness_of(posing->scene).isZero(0.0)) posing->stiff = posing->problem.constraints().back().id;
  return keep(std::move(posing));
}

int limber_posing_solve(int number, double* theta, int iterations, int restarts, int until_met, int resumes) {
  Posing* posing = find<Posing>(number);
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
  const Posing* posing = find<Posing>(number);
  if (!posing) return 0;
  if (!posing->report) return rejected({"report", "no solve yet", "one before"});
  JsonWriter out;
  write_report(out, *posing);
  return set_text(out.take());
}

int limber_posing_iterations(int number) {
  const Posing* posing = find<Posing>(number);
  return posing && posing->report ? posing->report->iterations : 0;
}

int limber_posing_met(int number) {
  const Posing* posing = find<Posing>(number);
  return posing && posing->report && is_met(*posing) ? 1 : 0;
}

int limber_posing_set_goal(int number, int index, const char* json, int size) {
  Posing* posing = find<Posing>(number);
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
  const Posing* posing = find<Posing>(number);
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
  const Posing* posing = find<Posing>(number);
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
  Posing* posing = find<Posing>(number);
  if (!posing) return 0;
  let_go(*posing);
  const Pose start{wasm::pose_at(posing->scene.figure, theta)};
  if (!grab_point(*posing, segment, Vec3(x, y, z), from, weight, start)) return 0;
  if (calm > 0.0) add_calm(*posing, calm, start);
  return 1;
}

int limber_posing_grab_more(int number, int segment, double x, double y, double z, int from, double weight,
                            const double* theta) {
  Posing* posing = find<Posing>(number);
  if (!posing) return 0;
  if (posing->grabs.empty()) return rejected({"grab", "nothing grabbed", "limber_posing_grab before"});
  const Pose start{wasm::pose_at(posing->scene.figure, theta)};
  return grab_point(*posing, segment, Vec3(x, y, z), from, weight, start) ? size_of(posing->grabs) : 0;
}

int limber_posing_drag(int number, int grab, double x, double y, double z) {
  Posing* posing = find<Posing>(number);
  if (!posing) return 0;
  if (grab < 0 || grab >= size_of(posing->grabs))
    return rejected({"drag " + std::to_string(grab), "nothing grabbed", "limber_posing_grab before"});
  const Expected<void> set =
      posing->problem.set_goal(posing->grabs[static_cast<std::size_t>(grab)], Position{Vec3(x, y, z)});
  return set ? 1 : rejected(set.error());
}

int limber_posing_let_go(int number) {
  Posing* posing = find<Posing>(number);
  return posing ? let_go(*posing) : 0;
}
