// Posing by pulling: parts of a figure are grabbed, moved, turned and released; what a scene states holds meanwhile.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "binding/wasm/exchange.h"
#include "limber/document/report/report_json.h"
#include "limber/format/text/json.h"
#include "limber/kinematics/forward.h"

namespace limber::wasm {

namespace {

enum Asks { asks_position = 1, asks_orientation = 2, asks_sight = 4 };

void read_pins(const JsonValue& list, std::vector<PinnedPlace>& pins) {
  if (!list || !list.array()) return;
  for (const JsonValue one : list) {
    if (!one.object({"place", "turns", "lifts"})) return;
    pins.push_back({.place = one["place"].text(),
                    .turns = one["turns"] && one["turns"].boolean(),
                    .lifts = one["lifts"] && one["lifts"].boolean()});
  }
}

void read_names(const JsonValue& list, std::vector<std::string>& names) {
  if (!list || !list.array()) return;
  for (const JsonValue one : list) names.push_back(one.text());
}

Expected<PosingOptions> options_of(std::string_view text, int& moves) {
  JsonDocument document(text, "posing");
  const JsonValue root = document.root();
  PosingOptions options;
  if (root.object({"pins", "locks", "feet", "balance_margin", "method", "eases", "natural", "looks", "moves"})) {
    read_pins(root["pins"], options.pins);
    read_names(root["locks"], options.locks);
    read_names(root["feet"], options.feet);
    if (root["balance_margin"]) options.balance_margin = root["balance_margin"].number();
    if (root["moves"]) moves = root["moves"].integer(0, std::numeric_limits<int>::max());
    if (root["eases"]) options.eases = root["eases"].boolean();
    if (root["natural"]) options.natural = root["natural"].boolean();
    if (root["looks"]) options.looks = root["looks"].boolean();
    if (const std::optional<Method> method = method_of(root["method"].text_or("automatic")))
      options.method = *method;
    else
      root["method"].fail("the name '" + root["method"].text() + "'", "a method");
  }
  if (document.error()) return std::unexpected(*document.error());
  return options;
}

// The segment of a constraint that fixes a place of the figure; -1 for others.
int pinned_segment(const Scene& scene, const SceneConstraint& constraint) {
  const SceneAlternative* asked = constraint.sole_goal();
  if (!asked || (asked->handle.kind != SceneHandle::Kind::point && asked->handle.kind != SceneHandle::Kind::frame))
    return -1;
  if (!std::holds_alternative<Position>(asked->goal) && !std::holds_alternative<ScenePlacement>(asked->goal) &&
      !std::holds_alternative<SceneHold>(asked->goal))
    return -1;
  const Expected<Handle> handle = handle_of(scene.figure, asked->handle);
  return handle ? handle->plus[0].segment : -1;
}

bool are_one_part(const Figure& figure, int a, int b) {
  return chain_start(figure, a, GripChain::part) == chain_start(figure, b, GripChain::part);
}

// A pin of the scene: the position of a place, or its position and whole orientation, that it has in the pose.
std::optional<PinnedPlace> met_pin(const Scene& scene, const SceneConstraint& constraint, const Kinematics& state) {
  if (constraint.soft || !constraint.from.empty() || constraint.weight < 1.0 || pinned_segment(scene, constraint) < 0)
    return {};
  const SceneAlternative* asked = constraint.sole_goal();
  PinnedPlace pin{.place = asked->handle.place, .turns = asked->handle.kind == SceneHandle::Kind::point};
  if (std::holds_alternative<SceneHold>(asked->goal)) return pin;
  const auto* placement = std::get_if<ScenePlacement>(&asked->goal);
  const bool is_whole = placement && placement->orientation.x && placement->orientation.y;
  if (pin.turns ? !std::holds_alternative<Position>(asked->goal) : !is_whole) return {};
  const Expected<Handle> handle = handle_of(scene.figure, asked->handle);
  Vec3 x[max_elements];
  evaluate(scene.figure, state, *handle, x);
  const GoalError error = error_of(goal_of(asked->goal), {handle->shape, x});
  const Options met;
  if (error.metres.value_or(0.0) > met.met_metres || error.radians.value_or(0.0) > radians(met.met_degrees)) return {};
  return pin;
}

bool holds_always(const SceneConstraint& constraint) { return std::holds_alternative<SceneClearance>(constraint.what); }

}  // namespace

// What a constraint of the scene becomes.
StatedScene::StatedScene(Scene s, const Pose& pose, int m, PosingOptions& options) : scene(std::move(s)), moves(m) {
  const Kinematics state = forward(scene.figure, pose);
  for (std::size_t k = 0; k < scene.constraints.size(); ++k) {
    const SceneConstraint& constraint = scene.constraints[k];
    Row row;
    const auto* balance = std::get_if<SceneBalance>(&constraint.what);
    if (!constraint.enabled) {
      row.kind = Row::Kind::off;
    } else if (static_cast<int>(k) == moves) {
      row.kind = Row::Kind::stated;
    } else if (const std::optional<PinnedPlace> pin = met_pin(scene, constraint, state)) {
      row = {Row::Kind::pin, pin->place};
      options.pins.push_back(*pin);
    } else if (balance && balance->feet == options.feet) {
      row = {Row::Kind::balance, "balance"};
      options.balance_margin = balance->margin;
    }
    rows.push_back(row);
  }
  options.stiffness = stiffness_of(scene);
  options.constraints = [this](Problem& problem, std::span<const Grip> grips) { return state_in(problem, grips); };
}

Expected<void> StatedScene::state_in(Problem& problem, std::span<const Grip> grips) {
  for (const auto& [parameter, rigidity] : scene.rigidities)
    if (const Expected<void> set = problem.set_rigidity(parameter, rigidity); !set) return set;
  is_whole = grips.empty() ||
             std::ranges::any_of(grips, [](const Grip& grip) { return grip.options.chain == GripChain::body; });
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].id.reset();
    if (rows[k].kind != Row::Kind::stated || (!is_whole && !holds_always(scene.constraints[k]))) continue;
    // A pin whose part is pulled follows it.
    const int pinned = pinned_segment(scene, scene.constraints[k]);
    if (pinned >= 0 && std::ranges::any_of(grips, [&](const Grip& grip) {
          return grip.parameter < 0 && are_one_part(scene.figure, pinned, grip.handle.plus[0].segment);
        }))
      continue;
    const Expected<ConstraintId> id = add_constraint(problem, scene, scene.constraints[k]);
    if (!id) return std::unexpected(id.error());
    rows[k].id = *id;
  }
  return {};
}

void StatedScene::put_down(int segment, const Pose& pose) {
  const Kinematics state = forward(scene.figure, pose);
  for (SceneConstraint& constraint : scene.constraints) {
    const int pinned = pinned_segment(scene, constraint);
    if (pinned < 0 || !are_one_part(scene.figure, pinned, segment)) continue;
    SceneAlternative& asked = std::get<SceneGoals>(constraint.what).front();
    const Handle frame = scene.figure.frame(asked.handle.place).value();
    Vec3 x[max_elements];
    evaluate(scene.figure, state, frame, x);
    if (auto* position = std::get_if<Position>(&asked.goal)) position->p = x[0];
    auto* placement = std::get_if<ScenePlacement>(&asked.goal);
    if (!placement) continue;
    placement->p = x[0];
    if (placement->orientation.x) placement->orientation.x = x[1];
    if (placement->orientation.y) placement->orientation.y = x[2];
  }
}

namespace {

const ConstraintReport* reported(const Report& report, const StatedScene::Row& row) {
  const auto found = std::ranges::find_if(report.constraints, [&](const ConstraintReport& one) {
    if (row.kind == StatedScene::Row::Kind::pin) return one.name == row.name + " pinned";
    return row.kind == StatedScene::Row::Kind::balance ? one.name == row.name : row.id == one.id;
  });
  return found == report.constraints.end() ? nullptr : &*found;
}

bool is_asked(const StatedScene& stated, const StatedScene::Row& row) {
  if (row.kind == StatedScene::Row::Kind::stated) return row.id.has_value();
  return row.kind != StatedScene::Row::Kind::off && stated.is_whole;
}

// A constraint of the scene; a pin whose part is pulled is where the part is.
void write_row(JsonWriter& out, const Report& report, const StatedScene& stated, std::size_t k) {
  const StatedScene::Row& row = stated.rows[k];
  ConstraintReport one;
  const ConstraintReport* found = is_asked(stated, row) ? reported(report, row) : nullptr;
  if (found) one = *found;
  one.name = stated.scene.constraints[k].name.empty() && found ? found->name : stated.scene.constraints[k].name;
  one.counted = is_asked(stated, row);
  one.met = !found || counts_as_met(one);
  out.begin_object(JsonWriter::Layout::row);
  write_members(out, report, one);
  out.member("drag", false).end();
}

void write_grip(JsonWriter& out, const Report& report, const Figure& figure, const Grip& grip,
                const GripReport& pulled) {
  ConstraintReport one;
  one.name = grip.parameter < 0 ? grip.handle.name : figure.parameters()[static_cast<std::size_t>(grip.parameter)].name;
  one.met = pulled.met;
  const bool is_length =
      grip.parameter >= 0 && figure.parameters()[static_cast<std::size_t>(grip.parameter)].translates;
  if (grip.options.moves || is_length) one.error.metres = pulled.metres;
  if (grip.options.turns || (grip.parameter >= 0 && !is_length)) one.error.radians = pulled.radians;
  one.held_back_by.assign(pulled.held_back_by.begin(), pulled.held_back_by.end());
  out.begin_object(JsonWriter::Layout::row);
  write_members(out, report, one);
  out.member("drag", true).end();
}

// The options of a grab as the interface has them.
Expected<GrabOptions> grab_options(const Figure& figure, int asks, int chain, int from) {
  if (asks < asks_position || asks > (asks_sight | asks_orientation) || asks == (asks_sight | asks_position))
    return reject("asks", std::to_string(asks), "1 to 4, or 6");
  if (chain < 0 || chain > static_cast<int>(GripChain::part))
    return reject("chain", std::to_string(chain), "0, 1 or 2");
  GrabOptions options{.chain = static_cast<GripChain>(chain),
                      .moves = (asks & (asks_position | asks_sight)) != 0,
                      .turns = (asks & asks_orientation) != 0,
                      .by_sight = (asks & asks_sight) != 0};
  if (from < 0) return options;
  if (from >= size_of(figure.joints())) return reject("joint " + std::to_string(from), "none", "a joint of the figure");
  options.from = figure.joints()[static_cast<std::size_t>(from)].name;
  if (options.chain == GripChain::body) options.chain = GripChain::limb;
  return options;
}

Handle on_segment(const Figure& figure, int segment, const Vec3& local, bool turns) {
  Handle handle{figure.segments()[static_cast<std::size_t>(segment)].name, turns ? Shape::frame : Shape::point};
  handle.plus[0] = {Element::Kind::point, segment, local};
  if (!turns) return handle;
  handle.plus[1] = {Element::Kind::direction, segment, Vec3::UnitX()};
  handle.plus[2] = {Element::Kind::direction, segment, Vec3::UnitY()};
  return handle;
}

int grabbed(const Expected<GripId>& grip) { return grip ? static_cast<int>(*grip) + 1 : rejected(grip.error()); }

int grab(PulledFigure& pulled, const Expected<Handle>& handle, int asks, int chain, int from) {
  const Expected<GrabOptions> options = grab_options(pulled.posing.figure(), asks, chain, from);
  if (!options) return rejected(options.error());
  return grabbed(pulled.posing.grab(handle, *options));
}

bool has_grip(const PulledFigure& pulled, int grip) {
  if (std::ranges::find(pulled.posing.grips(), static_cast<GripId>(grip), &Grip::id) != pulled.posing.grips().end())
    return true;
  rejected({"grip " + std::to_string(grip), "none", "one that was grabbed and not released"});
  return false;
}

constexpr int numbers_per_grip = 9;

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_posing_new(int number, const char* how, int how_size, const char* json, int size, const double* theta) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  int moves = -1;
  Expected<PosingOptions> options = options_of(text_at(how, how_size), moves);
  if (!options) return rejected(options.error());
  const Pose pose{wasm::pose_at(*figure, theta)};
  std::unique_ptr<StatedScene> stated;
  if (size > 0) {
    Expected<Scene> scene = scene_of(*figure, text_at(json, size));
    if (!scene) return rejected(scene.error());
    if (moves >= size_of(scene->constraints))
      return rejected({"moves", std::to_string(moves), "the index of a constraint of the scene"});
    stated = std::make_unique<StatedScene>(std::move(*scene), pose, moves, *options);
  }
  Expected<Posing> posing = Posing::make(*figure, pose, std::move(*options));
  if (!posing) return rejected(posing.error());
  return keep(std::make_unique<PulledFigure>(std::move(stated), std::move(*posing)));
}

int limber_posing_grab(int number, const char* place, int size, int asks, int chain, int from) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  const std::string_view name = text_at(place, size);
  const Figure& figure = pulled->posing.figure();
  return grab(*pulled, (asks & asks_orientation) != 0 ? figure.frame(name) : figure.point(name), asks, chain, from);
}

int limber_posing_grab_point(int number, int segment, double x, double y, double z, int asks, int chain, int from) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  const Figure& figure = pulled->posing.figure();
  if (segment < 0 || segment >= size_of(figure.segments()))
    return rejected({"segment " + std::to_string(segment), "none", "a segment of the figure"});
  return grab(*pulled, on_segment(figure, segment, Vec3(x, y, z), (asks & asks_orientation) != 0), asks, chain, from);
}

int limber_posing_grab_parameter(int number, int parameter) {
  PulledFigure* pulled = find<PulledFigure>(number);
  return pulled ? grabbed(pulled->posing.grab_parameter(parameter)) : 0;
}

int limber_posing_move(int number, int grip, double x, double y, double z) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled || !has_grip(*pulled, grip)) return 0;
  if (!Vec3(x, y, z).allFinite()) return rejected({"goal", "a number that is not finite", "three finite ones"});
  pulled->posing.move(static_cast<GripId>(grip), Vec3(x, y, z));
  return 1;
}

int limber_posing_sight(int number, int grip, double x, double y, double z, double vx, double vy, double vz) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled || !has_grip(*pulled, grip)) return 0;
  const Vec3 p(x, y, z), v(vx, vy, vz);
  constexpr double rounding = 1e-6;
  if (!p.allFinite() || !(std::fabs(v.norm() - 1.0) < rounding))
    return rejected({"line of sight", "numbers that are no line", "a point and a unit vector"});
  pulled->posing.sight(static_cast<GripId>(grip), p, v);
  return 1;
}

int limber_posing_turn(int number, int grip, const double* R) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled || !has_grip(*pulled, grip)) return 0;
  const Mat3 turned = Eigen::Map<const Mat3>(R);
  constexpr double rounding = 1e-6;
  if (!((turned.transpose() * turned - Mat3::Identity()).norm() < rounding && turned.determinant() > 0.0))
    return rejected({"goal", "axes that are no rotation", "three unit vectors at right angles, right-handed"});
  pulled->posing.turn(static_cast<GripId>(grip), turned);
  return 1;
}

int limber_posing_set(int number, int grip, double value) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled || !has_grip(*pulled, grip)) return 0;
  if (!std::isfinite(value)) return rejected({"goal", "a number that is not finite", "a finite one"});
  pulled->posing.set(static_cast<GripId>(grip), value);
  return 1;
}

int limber_posing_set_goal(int number, const char* json, int size) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  StatedScene* stated = pulled->stated.get();
  if (!stated || stated->moves < 0) return rejected({"goal", "no constraint that moves", "one of the scene"});
  const Expected<Scene> scene = scene_of(pulled->posing.figure(), text_at(json, size));
  if (!scene) return rejected(scene.error());
  const SceneAlternative* asked = scene->constraints.size() == 1 ? scene->constraints.front().sole_goal() : nullptr;
  if (!asked) return rejected({"constraints", "no goal", "one constraint with one goal"});
  const StatedScene::Row& row = stated->rows[static_cast<std::size_t>(stated->moves)];
  if (!row.id) return rejected({"goal", "a constraint that does not hold", "one that is enabled"});
  const Expected<void> set = pulled->posing.set_goal(*row.id, goal_of(asked->goal));
  if (!set) return rejected(set.error());
  stated->scene.constraints[static_cast<std::size_t>(stated->moves)].what = SceneGoals{*asked};
  return 1;
}

int limber_posing_ask(int number) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  pulled->posing.ask();
  return 1;
}

int limber_posing_release(int number, int grip) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled || !has_grip(*pulled, grip)) return 0;
  const auto grips = pulled->posing.grips();
  const Grip& held = *std::ranges::find(grips, static_cast<GripId>(grip), &Grip::id);
  if (pulled->stated && held.parameter < 0)
    pulled->stated->put_down(held.handle.plus[0].segment, pulled->posing.pose());
  pulled->posing.release(static_cast<GripId>(grip));
  pulled->report = nullptr;
  return 1;
}

int limber_posing_frame(int number, double* theta, double* grips) {
  PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  const PosingReport& report = pulled->posing.frame();
  pulled->report = &report;
  const VecX& shown = pulled->posing.pose().theta;
  Eigen::Map<VecX>(theta, shown.size()) = shown;
  for (const GripReport& one : report.grips) {
    grips[0] = static_cast<int>(one.id);
    Eigen::Map<Vec3>(grips + 1) = one.at;
    Eigen::Map<Vec3>(grips + 4) = one.goal;
    grips[7] = one.metres;
    grips[8] = one.radians;
    grips += numbers_per_grip;
  }
  return (report.settled ? 1 : 0) + (report.met ? 2 : 0);
}

void limber_posing_answer(int number, double* theta) {
  const PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return;
  const VecX& answer = pulled->posing.answer().theta;
  Eigen::Map<VecX>(theta, answer.size()) = answer;
}

int limber_posing_grips(int number) {
  const PulledFigure* pulled = find<PulledFigure>(number);
  return pulled ? size_of(pulled->posing.grips()) : 0;
}

int limber_posing_step(int number) {
  const PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  // Trying a step states the scene again, for other grips.
  std::vector<StatedScene::Row> rows;
  bool is_whole = false;
  if (pulled->stated) {
    rows = pulled->stated->rows;
    is_whole = pulled->stated->is_whole;
  }
  const std::optional<Step> step = pulled->posing.suggest_step();
  if (pulled->stated) {
    pulled->stated->rows = std::move(rows);
    pulled->stated->is_whole = is_whole;
  }
  JsonWriter out;
  if (!step) return set_text("null");
  out.begin_object().member("foot", step->foot).key("by").begin_array(JsonWriter::Layout::row);
  for (const double each : step->by) out.value(each);
  out.end().member("metres", step->metres).end();
  return set_text(out.take());
}

int limber_posing_report(int number) {
  const PulledFigure* pulled = find<PulledFigure>(number);
  if (!pulled) return 0;
  if (!pulled->report) return rejected({"report", "no frame yet", "one before"});
  // Nothing is solved where no goal has moved yet.
  Report unsolved;
  unsolved.exit = Exit::converged;
  const Report& solve = pulled->report->solve ? *pulled->report->solve : unsolved;
  JsonWriter out;
  out.begin_object();
  write_members(out, solve, pulled->report->met);
  out.member("settled", pulled->report->settled).key("constraints").begin_array();
  if (pulled->stated)
    for (std::size_t k = 0; k < pulled->stated->rows.size(); ++k) write_row(out, solve, *pulled->stated, k);
  for (std::size_t k = 0; k < pulled->posing.grips().size(); ++k)
    write_grip(out, solve, pulled->posing.figure(), pulled->posing.grips()[k], pulled->report->grips[k]);
  out.end().end();
  return set_text(out.take());
}
