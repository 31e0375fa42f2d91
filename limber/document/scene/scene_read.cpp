// Reads a scene: its pose, obstacles and constraints. scene_goal.cpp reads the goals.
#include <algorithm>
#include <utility>

#include "limber/base/number.h"
#include "limber/document/scene/scene.h"
#include "limber/document/scene/scene_goal.h"
#include "limber/document/scene/scene_obstacle.h"
#include "limber/document/scene/scene_strength.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/balance.h"
#include "limber/solver/option_table.h"

namespace limber {

namespace {

constexpr const char* scene_tag = "scene 1";
// In radians or metres: a value this close to a limit is the limit, written in degrees and rounded.
constexpr double same_as_limit = 1e-12;

double snapped(double value, const Range& range) {
  if (std::fabs(value - range.lower) <= same_as_limit) return range.lower;
  if (std::fabs(value - range.upper) <= same_as_limit) return range.upper;
  return value;
}

// A step projects onto all of them: some seconds for a solve.
constexpr std::size_t max_limit_rows = 4096;

class SceneReader {
 public:
  // `unhung`: the figure, or its parts, before they were hung from the scene's roots, if they were.
  SceneReader(const JsonValue& root, Scene& scene, const FigureLoader& load, bool other_figure,
              const std::vector<Figure>& unhung)
      : root_(root), scene_(scene), load_(load), other_figure_(other_figure), unhung_(unhung) {}

  void read() {
    scene_.title = root_["title"].text_or("");
    if (scene_.figure.parameters().size() > max_scene_parameters)
      root_["figure"].fail(std::to_string(scene_.figure.parameters().size()) + " parameters",
                           "at most " + std::to_string(max_scene_parameters));
    if (scene_.figure.limit_rows().size() > max_limit_rows)
      root_["figure"].fail(std::to_string(scene_.figure.limit_rows().size()) + " limits over several parameters",
                           "at most " + std::to_string(max_limit_rows));
    read_pose();
    read_numbers("rigidity", 1.0, scene_.rigidities);
    read_numbers("stiffness", max_stiffness, scene_.stiffnesses);
    read_options();
    read_obstacles();
    read_constraints();
    read_natural();
  }

 private:
  bool failed() const { return root_.document().error().has_value(); }

  // The parameter that a member's key names; each may be named once.
  std::optional<std::size_t> parameter(const Figure& figure, const JsonValue& member, std::vector<char>& seen) const {
    if (member.key().size() > JsonDocument::max_text_size) {
      member.fail_at_key("a name of " + std::to_string(member.key().size()) + " bytes", "the name of a parameter");
      return std::nullopt;
    }
    const Expected<int> found = figure.find_parameter(member.key());
    if (!found && other_figure_ && &figure == &scene_.figure) {
      scene_.left_out.emplace_back(member.key());
      return std::nullopt;
    }
    if (!found) {
      member.fail_at_key(found.error().found, found.error().expected);
      return std::nullopt;
    }
    const auto j = static_cast<std::size_t>(*found);
    if (seen[j]++) {
      member.fail_at_key("a second value for '" + figure.parameters()[j].name + "'", "each parameter once");
      return std::nullopt;
    }
    return j;
  }

  // Values by parameter, in radians and metres.
  std::vector<std::pair<std::size_t, double>> read_values(const Figure& figure, const JsonValue& pose) const {
    std::vector<std::pair<std::size_t, double>> values;
    if (!pose.object()) return values;
    std::vector<char> seen(figure.parameters().size(), 0);
    for (const JsonValue member : pose) {
      if (failed()) break;
      const std::optional<std::size_t> j = parameter(figure, member, seen);
      if (!j) continue;
      const Parameter& p = figure.parameters()[*j];
      values.emplace_back(*j, snapped(inside(member.number(), unit_of(figure, p)), p.range));
    }
    return values;
  }

  void read_pose() {
    if (const JsonValue pose = root_["pose"]) scene_.pose = read_pose_of(scene_.figure, whole_unhung(), pose);
    const JsonValue figures = root_["figures"];
    if (!figures || failed()) return;
    std::vector<Pose> poses;
    for (std::size_t k = 0; k < scene_.figure.parts().size(); ++k) {
      const FigurePart& part = scene_.figure.parts()[k];
      const JsonValue pose = figures[part.name]["pose"];
      if (pose && root_["pose"])
        return root_["pose"].fail_at_key("\"pose\" beside that of figure '" + part.name + "'", "one of the two");
      const Figure* unhung = k < unhung_.size() ? &unhung_[k] : nullptr;
      poses.push_back(pose ? read_pose_of(part.figure, unhung, pose) : pose_of(part, scene_.pose));
    }
    scene_.pose = joined_pose(scene_.figure, poses);
  }

  const Figure* whole_unhung() const {
    return scene_.figure.parts().empty() && !unhung_.empty() ? &unhung_.front() : nullptr;
  }

  // A pose that names a parameter of the old root is one of the figure before it was hung from another segment.
  Pose read_pose_of(const Figure& figure, const Figure* unhung, const JsonValue& pose) {
    const auto is_of_old_root = [&](const JsonValue& member) {
      return !figure.find_parameter(member.key()) && unhung->find_parameter(member.key());
    };
    bool is_old = false;
    if (unhung && pose.object())
      for (const JsonValue member : pose) is_old = is_old || is_of_old_root(member);
    const Figure& of = is_old ? *unhung : figure;
    Pose read = of.rest();
    for (const auto& [j, value] : read_values(of, pose)) read.theta[static_cast<Eigen::Index>(j)] = value;
    return is_old && !failed() ? placed_as(of, read, figure) : is_old ? figure.rest() : read;
  }

  // Numbers by parameter from 0 to `max`.
  void read_numbers(const char* key, double max, std::vector<std::pair<std::string, double>>& numbers) {
    const JsonValue value = root_[key];
    if (!value || !value.object()) return;
    std::vector<char> seen(scene_.figure.parameters().size(), 0);
    for (const JsonValue member : value) {
      if (failed()) return;
      const std::optional<std::size_t> j = parameter(scene_.figure, member, seen);
      if (!j) continue;
      const double number = member.number();
      if (!(number >= 0.0 && number <= max)) member.fail(member.described(), "a number from 0 to " + to_text(max));
      numbers.emplace_back(scene_.figure.parameters()[*j].name, number);
    }
  }

  void read_options() {
    const JsonValue value = root_["options"];
    if (!value) return;
    std::vector<std::string_view> keys{"method"};
    for (const OptionRow& row : option_table()) keys.push_back(row.key);
    if (!value.object(std::span<const std::string_view>(keys))) return;
    Options& options = scene_.options;
    if (const JsonValue method = value["method"]) options.method = read_method(method);
    for (const OptionRow& row : option_table())
      if (const JsonValue given = value[row.key]) {
        if (row.kind == OptionKind::parameters)
          read_gain(given);
        else
          row.set(options, read_option(given, row));
      }
    for (const OptionRow& row : option_table())
      if (!failed() && !is_default(row, options) && !is_used(row, chosen_method(options)))
        value[row.key].fail_at_key(
            "an option that the method " + std::string(name_of(chosen_method(options))) + " does not use",
            "no such option: only " + methods_of(row) + " use it");
  }

  // The number of Options that a member stands for; the default where it is none.
  static double read_option(const JsonValue& value, const OptionRow& row) {
    const Options plain;
    if (row.kind == OptionKind::flag && value.is(JsonKind::boolean)) return value.boolean() ? 1.0 : 0.0;
    if (row.unlimited && value.is(JsonKind::text) && value.text() == unlimited_word) return infinity;
    if (row.kind == OptionKind::name && value.is(JsonKind::text)) {
      const auto at = std::ranges::find(row.names, value.text());
      if (at != row.names.end()) return static_cast<double>(at - row.names.begin());
    } else if (value.is(JsonKind::number) && (row.kind == OptionKind::whole || row.kind == OptionKind::number)) {
      if (const double number = value.number(); is_in_range(row, number)) return number;
    }
    value.fail(value.described(), expected_of(row));
    return row.get(plain);
  }

  // K of W93 (4.11): 1 where it is not given.
  void read_gain(const JsonValue& value) {
    if (!value.object()) return;
    VecX& gain = scene_.options.gain;
    gain = VecX::Ones(static_cast<Eigen::Index>(scene_.figure.parameters().size()));
    std::vector<char> seen(scene_.figure.parameters().size(), 0);
    for (const JsonValue member : value) {
      if (failed()) return;
      const std::optional<std::size_t> j = parameter(scene_.figure, member, seen);
      if (!j) continue;
      const double number = member.number();
      if (!(number >= 0.0)) member.fail(member.described(), "a number, 0 or more");
      gain[static_cast<Eigen::Index>(*j)] = number;
    }
  }

  void read_obstacles() {
    const JsonValue list = root_["obstacles"];
    if (!list || !list.array() || failed()) return;
    if (list.size() > max_scene_obstacles)
      list.fail(std::to_string(list.size()) + " obstacles", "at most " + std::to_string(max_scene_obstacles));
    std::size_t parts = 0;
    for (const JsonValue value : list) {
      if (failed()) return;
      SceneObstacle obstacle = read_scene_obstacle(value, load_);
      if (SceneBody* body = std::get_if<SceneBody>(&obstacle.shape); body && !failed()) {
        read_body_pose(value["pose"], *body);
        if ((parts += capsules_of(body->figure->figure).size()) > max_scene_body_parts)
          value.fail(std::to_string(parts) + " parts of figures that are obstacles",
                     "at most " + std::to_string(max_scene_body_parts));
      }
      for (const SceneObstacle& other : scene_.obstacles)
        if (other.name == obstacle.name) value["name"].fail(value["name"].described(), "a name of its own");
      scene_.obstacles.push_back(std::move(obstacle));
    }
  }

  void read_body_pose(const JsonValue& pose, SceneBody& body) const {
    if (!pose) return;
    const Figure& figure = body.figure->figure;
    for (const auto& [j, value] : read_values(figure, pose)) body.pose.emplace_back(figure.parameters()[j].name, value);
  }

  void read_constraints() {
    const JsonValue list = root_["constraints"];
    if (!list || !list.array() || failed()) return;
    Problem problem(scene_.figure);
    std::size_t alternatives = 0;
    for (const JsonValue value : list) {
      SceneConstraint constraint = read_constraint(value, alternatives);
      if (failed()) return;
      // Whether the parts fit together shows only now.
      const Expected<ConstraintId> id = add_constraint(problem, scene_, constraint);
      if (!id) return value.fail(id.error());
      scene_.constraints.push_back(std::move(constraint));
    }
    keep_size(list, problem);
  }

  // A solve has a table of how the numbers in all errors depend on the parameters, and squares over the parameters.
  static void keep_size(const JsonValue& list, const Problem& problem) {
    const std::size_t variables = problem.variables().size();
    std::size_t rows = 0;
    for (const Constraint& constraint : problem.constraints()) {
      int max_rows = 0;
      for (const Alternative& alternative : constraint.alternatives())
        max_rows = std::max(max_rows, row_count(alternative.goal, alternative.handle.shape));
      rows += constraint.pull() ? variables : static_cast<std::size_t>(max_rows);
    }
    if (variables > max_scene_variables)
      list.fail("constraints that move " + std::to_string(variables) + " parameters",
                "at most " + std::to_string(max_scene_variables));
    if (rows * variables > max_scene_slopes)
      list.fail("constraints with " + std::to_string(rows) + " numbers in their errors that move " +
                    std::to_string(variables) + " parameters",
                "at most " + std::to_string(max_scene_slopes) + ", numbers times parameters");
  }

  SceneConstraint read_constraint(const JsonValue& value, std::size_t& alternatives) const {
    SceneConstraint constraint;
    if (!value.object({"name", "handle", "goal", "one_of", "balance", "margin", "pull", "keep_clear", "strength",
                       "weight", "priority", "from", "soft", "enabled", "weighting"}))
      return constraint;
    constraint.name = value["name"].text_or("");
    reject_mixture(value);
    if (const JsonValue balance = value["balance"]) {
      constraint.weight = balance_weight;
      constraint.what = read_balance(balance, value["margin"], alternatives);
    } else if (const JsonValue clear = value["keep_clear"]) {
      constraint.weight = must;
      constraint.what = read_scene_clearance(clear, scene_);
      count(clear, 1, alternatives);
    } else if (const JsonValue strength = value["strength"]) {
      constraint.weight = must;
      constraint.what = read_scene_strength(strength, scene_);
      count(strength, scene_.figure.parameters().size(), alternatives);
    } else if (const JsonValue pull = value["pull"]) {
      constraint.what = read_pull(pull);
      count(pull, scene_.figure.parameters().size(), alternatives);
    } else if (const JsonValue one_of = value["one_of"]) {
      if (value["handle"] || value["goal"])
        value.fail("\"one_of\" beside \"handle\" or \"goal\"", "\"one_of\", or \"handle\" and \"goal\"");
      if (!one_of.array()) return constraint;
      if (one_of.size() == 0) one_of.fail(one_of.described(), "at least one handle with a goal");
      SceneGoals goals;
      for (const JsonValue alternative : one_of)
        if (alternative.object({"handle", "goal"}) && count(alternative, 1, alternatives))
          goals.push_back(read_alternative(alternative));
      constraint.what = std::move(goals);
    } else if (count(value, 1, alternatives)) {
      constraint.what = SceneGoals{read_alternative(value)};
    }
    if (value["weight"]) constraint.weight = read_weight(value["weight"]);
    if (value["priority"]) constraint.priority = value["priority"].integer(first_level, last_level);
    if (value["soft"]) constraint.soft = value["soft"].boolean();
    if (const JsonValue weighting = value["weighting"]) {
      if (std::holds_alternative<SceneGoals>(constraint.what))
        constraint.weighting = read_weighting(weighting);
      else
        weighting.fail_at_key("\"weighting\" without a goal", "\"handle\" and \"goal\" beside it");
    }
    if (value["enabled"]) constraint.enabled = value["enabled"].boolean();
    if (const JsonValue from = value["from"]) {
      constraint.from = from.text();
      const Expected<int> joint = scene_.figure.find_joint(constraint.from);
      if (!joint) from.fail(joint.error().found, joint.error().expected);
    }
    return constraint;
  }

  // W of EE09 (6): the numbers of its diagonal, or its rows.
  static MatX read_weighting(const JsonValue& value) {
    if (!value.array()) return {};
    const auto n = static_cast<Eigen::Index>(value.size());
    if (n == 0 || n > max_goal_rows) value.fail(value.described(), "one number or row per number of the goal's error");
    MatX W = MatX::Zero(n, n);
    Eigen::Index i = 0;
    for (const JsonValue row : value) {
      if (row.is(JsonKind::array)) {
        if (!row.array(static_cast<std::size_t>(n), "as many numbers as there are rows")) return {};
        Eigen::Index k = 0;
        for (const JsonValue entry : row) W(i, k++) = entry.number();
      } else {
        W(i, i) = row.number();
      }
      ++i;
    }
    return W;
  }

  // A constraint is of one kind; a margin belongs to a balance.
  static void reject_mixture(const JsonValue& value) {
    for (const char* kind : {"balance", "pull", "keep_clear", "strength"})
      for (const char* other : {"handle", "goal", "one_of", "pull", "keep_clear", "strength"})
        if (value[kind] && value[other] && std::string_view(kind) != other)
          value[other].fail_at_key(
              "\"" + std::string(other) + "\" beside \"" + kind + "\"",
              "\"handle\" and \"goal\", or one of \"one_of\", \"balance\", \"pull\", \"keep_clear\" and \"strength\"");
    if (value["margin"] && !value["balance"])
      value["margin"].fail_at_key("\"margin\" without \"balance\"", "both, or neither");
  }

  // The names of the feet that the figure stands on.
  SceneBalance read_balance(const JsonValue& value, const JsonValue& margin, std::size_t& alternatives) const {
    SceneBalance balance;
    if (!value.array() || failed()) return balance;
    if (value.size() == 0 || value.size() > max_scene_feet)
      value.fail(value.described(), "the names of 1 to " + std::to_string(max_scene_feet) + " feet");
    if (const Expected<Handle> centre = scene_.figure.mass_centre(); !centre) value.fail(centre.error());
    for (const JsonValue foot : value) {
      if (failed()) return balance;
      balance.feet.push_back(foot.text());
      if (failed()) return balance;
      if (const Expected<Handle> place = scene_.figure.point(balance.feet.back()); !place)
        foot.fail(place.error().found, place.error().expected);
    }
    balance.margin = margin.number_or(0.0);
    if (!(balance.margin >= 0.0)) margin.fail(margin.described(), "metres, 0 or more");
    if (failed()) return balance;
    const Expected<std::vector<Vec3>> places = contact_points(scene_.figure, scene_.pose, balance.feet);
    if (!places)
      value.fail(places.error());
    else
      count(value, places->size(), alternatives);
    return balance;
  }

  ScenePull read_pull(const JsonValue& value) const {
    using Towards = ScenePull::Towards;
    ScenePull pull;
    if (value.is(JsonKind::object)) {
      pull.towards = Towards::pose;
      if (!value.object({"pose"})) return pull;
      for (const auto& [j, number] : read_values(scene_.figure, value["pose"]))
        pull.pose.emplace_back(scene_.figure.parameters()[j].name, number);
      return pull;
    }
    const std::string towards = value.is(JsonKind::text) ? value.text() : "";
    for (const Towards known : {Towards::rest, Towards::middle, Towards::start, Towards::comfort})
      if (towards == name_of(known)) return {.towards = known};
    value.fail(value.described(), "\"rest\", \"middle\", \"start\", \"comfort\", or an object with \"pose\"");
    return pull;
  }

  void read_natural() {
    const JsonValue value = root_["natural"];
    if (!value || failed()) return;
    if (value.is(JsonKind::boolean) && value.boolean())
      scene_.natural = 1.0;
    else if (value.is(JsonKind::number) && value.number() > 0.0)
      scene_.natural = value.number();
    else
      return value.fail(value.described(), "true, or a weight above 0");
    if (const Expected<void> set = Problem(scene_.figure).add_prior(scene_.natural); !set) value.fail(set.error());
  }

  bool count(const JsonValue& value, std::size_t goals, std::size_t& alternatives) const {
    if ((alternatives += goals) > max_scene_alternatives)
      value.fail(std::to_string(alternatives) + " goals", "at most " + std::to_string(max_scene_alternatives));
    return !failed();
  }

  static double read_weight(const JsonValue& value) {
    if (value.is(JsonKind::text) && value.text() == "must") return must;
    if (value.is(JsonKind::number) && value.number() >= 0.0) return value.number();
    value.fail(value.described(), "a number, 0 or more, or \"must\"");
    return 1.0;
  }

  static Method read_method(const JsonValue& value) {
    const std::string name = value.text();
    if (const std::optional<Method> method = method_of(name)) return *method;
    std::string names;
    for (const MethodRow& row : method_table) names += (names.empty() ? "" : ", ") + std::string(row.name);
    value.fail(value.described(), "one of " + names);
    return Method::automatic;
  }

  SceneAlternative read_alternative(const JsonValue& value) const {
    SceneAlternative alternative;
    alternative.handle = read_handle(value["handle"]);
    alternative.goal = read_scene_goal(value["goal"]);
    return alternative;
  }

  SceneHandle read_handle(const JsonValue& value) const {
    SceneHandle handle = read_plain_handle(value);
    if (handle.kind != SceneHandle::Kind::difference || failed()) return handle;
    const JsonValue pair = value["difference"];
    if (!pair.array(2, "two handles")) return handle;
    for (const JsonValue part : pair) {
      handle.of.push_back(read_plain_handle(part));
      if (handle.of.back().kind == SceneHandle::Kind::difference)
        part.fail("a difference within a difference", "a plain handle");
    }
    if (failed()) return handle;
    if (const Expected<Handle> made = handle_of(scene_.figure, handle); !made) value.fail(made.error());
    return handle;
  }

  // Of a difference only the kind; read_handle() reads its parts.
  SceneHandle read_plain_handle(const JsonValue& value) const {
    using Kind = SceneHandle::Kind;
    if (value.is(JsonKind::text)) return placed(Kind::frame, value);
    const JsonValue member = value.sole({"point", "direction", "ray", "frame", "mass_centre", "difference"});
    const std::string_view key = member.key();
    if (key == "point") return placed(Kind::point, member);
    if (key == "ray") return placed(Kind::ray, member);
    if (key == "frame") return placed(Kind::frame, member);
    if (key == "mass_centre") {
      if (member.is(JsonKind::text)) return placed(Kind::mass_centre, member);
      if (!member.is(JsonKind::boolean) || !member.boolean())
        member.fail(member.described(), "true, or the name of one of several figures");
      if (const Expected<Handle> made = scene_.figure.mass_centre(); !made) member.fail(made.error());
      return {.kind = Kind::mass_centre};
    }
    if (key == "direction") {
      if (member.is(JsonKind::text)) return placed(Kind::direction, member);
      if (!member.object({"place", "local"})) return {};
      SceneHandle handle = placed(Kind::direction, member["place"]);
      handle.local = member["local"].direction();
      return handle;
    }
    return {.kind = Kind::difference};
  }

  SceneHandle placed(SceneHandle::Kind kind, const JsonValue& value) const {
    SceneHandle handle{.kind = kind, .place = value.text()};
    if (failed()) return handle;
    if (const Expected<Handle> made = handle_of(scene_.figure, handle); !made)
      value.fail(made.error().found, made.error().expected);
    return handle;
  }

  static constexpr Eigen::Index max_goal_rows = 9;

  JsonValue root_;
  Scene& scene_;
  const FigureLoader& load_;
  bool other_figure_;
  const std::vector<Figure>& unhung_;
};

// The figure of a scene, or its figures as one.
SourcedFigure read_subject(const JsonValue& root, const FigureLoader& load, const SourcedFigure* instead,
                           std::vector<Figure>& unhung) {
  const JsonValue figures = root["figures"];
  if (figures && root["figure"])
    figures.fail_at_key("\"figures\" beside \"figure\"", "\"figure\", or \"figures\" for several");
  if (root["root"] && (figures || root["figure"]["figures"]))
    root["root"].fail_at_key("\"root\" beside \"figures\"", "a \"root\" in one of the figures");
  if (!figures) return instead ? *instead : read_figure_value(root["figure"], load);
  if (!instead) return read_figures_value(figures, load, true, &unhung);
  for (const JsonValue figure : figures)
    if (!find_part(instead->figure, figure.key()))
      figures.fail_at_key("several figures", "one, where another figure is posed in its place");
  return *instead;
}

}  // namespace

Expected<Scene> read_scene(std::string_view text, const std::string& file_name, const FigureLoader& load,
                           const SourcedFigure* instead) {
  JsonDocument document(text, file_name);
  if (document.error()) return std::unexpected(*document.error());
  const JsonValue root = document.root();
  if (root.object({"limber", "title", "figure", "figures", "root", "pose", "rigidity", "stiffness", "obstacles",
                   "constraints", "natural", "options"}) &&
      root["limber"].text() != scene_tag)
    root["limber"].fail(root["limber"].described(), std::string("\"") + scene_tag + "\"");
  if (document.error()) return std::unexpected(*document.error());
  std::vector<Figure> unhung;
  SourcedFigure sourced = read_subject(root, load, instead, unhung);
  if (document.error()) return std::unexpected(*document.error());
  std::string place;
  if (root["root"]) {
    place = root["root"].text();
    if (document.error()) return std::unexpected(*document.error());
    Expected<Figure> hung = hung_from(sourced.figure, place);
    if (!hung) {
      root["root"].fail(hung.error().found, hung.error().expected);
      return std::unexpected(*document.error());
    }
    unhung = {std::exchange(sourced.figure, std::move(*hung))};
    if (std::holds_alternative<InlineFigure>(sourced.source)) place.clear();
  }
  Scene scene(std::move(sourced.figure), std::move(sourced.source));
  scene.root = std::move(place);
  SceneReader(root, scene, load, instead != nullptr, unhung).read();
  if (document.error()) return std::unexpected(*document.error());
  return scene;
}

}  // namespace limber
