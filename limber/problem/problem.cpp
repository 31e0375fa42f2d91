#include "limber/problem/problem.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "limber/base/number.h"
#include "limber/problem/check_options.h"
#include "limber/problem/check_pull.h"

namespace limber {

namespace {

// Marks the joints from `segment` up to `from`, if `from` is on that path.
void mark_path(const Figure& figure, int segment, int from, std::vector<char>& joints) {
  int top = segment;
  while (top != no_parent && top != from) top = figure.segments()[top].parent;
  if (top != from) return;
  for (int s = segment; s != no_parent; s = figure.segments()[s].parent) {
    joints[s] = 1;
    if (s == from) break;
  }
}

}  // namespace

std::vector<int> chain_of(const Figure& figure, const Handle& handle, int from) {
  std::vector<char> joints(figure.segments().size(), 0);
  const auto mark = [&](const Element& element) {
    if (element.kind != Element::Kind::mass_centre) return mark_path(figure, element.segment, from, joints);
    // Every joint from `from` on with a mass below it; children come after their parents.
    auto [begin, end] = mass_range(figure, element);
    if (from != no_parent) {
      begin = std::max(begin, from);
      end = std::min(end, figure.segments()[from].subtree_end);
    }
    std::vector<char> heavy(joints.size(), 0);
    for (int s = end - 1; s >= begin; --s) {
      const Segment& segment = figure.segments()[s];
      if (segment.mass > 0.0) heavy[s] = 1;
      if (!heavy[s]) continue;
      joints[s] = 1;
      if (segment.parent >= begin) heavy[segment.parent] = 1;
    }
  };
  for (int k = 0; k < handle.count(); ++k) {
    mark(handle.plus[k]);
    if (k < handle.minus_count) mark(handle.minus[k]);
  }
  std::vector<int> chain;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const std::vector<int>& drives = figure.parameters()[j].drives;
    if (std::any_of(drives.begin(), drives.end(), [&](int i) { return joints[figure.freedoms()[i].joint] != 0; }))
      chain.push_back(static_cast<int>(j));
  }
  return chain;
}

Problem::Problem(Figure figure) : figure_(std::move(figure)) {
  for (const Parameter& parameter : figure_.parameters()) rigidities_.push_back(parameter.range.rigidity);
  uses_.assign(figure_.parameters().size(), 0);
}

Expected<ConstraintId> Problem::rejected(Diagnostic diagnostic) {
  rejections_.push_back(diagnostic);
  return std::unexpected(std::move(diagnostic));
}

// Whether all segments of the handle exist in this figure.
bool Problem::belongs(const Handle& handle) const {
  const auto exists = [&](const Element& element) {
    const auto [begin, end] = element.kind == Element::Kind::mass_centre
                                  ? mass_range(figure_, element)
                                  : std::pair(element.segment, element.segment + 1);
    return begin >= 0 && begin < end && end <= static_cast<int>(figure_.segments().size());
  };
  for (int k = 0; k < handle.count(); ++k)
    if (!exists(handle.plus[k]) || (k < handle.minus_count && !exists(handle.minus[k]))) return false;
  return true;
}

ConstraintId Problem::admit(Constraint constraint) {
  constraint.id = ConstraintId{next_id_++};
  if (constraint.counts()) count_chain(constraint, 1);
  ++structure_;
  constraints_.push_back(std::move(constraint));
  return constraints_.back().id;
}

Expected<ConstraintId> Problem::add(const Expected<Handle>& handle, Goal goal, ConstraintOptions options) {
  return add_one_of({{handle, std::move(goal)}}, std::move(options));
}

Expected<ConstraintId> Problem::add_one_of(std::vector<std::pair<Expected<Handle>, Goal>> alternatives,
                                           ConstraintOptions options) {
  Constraint constraint;
  Goals goals;
  constraint.name = options.name;
  std::string where = "constraint" + (options.name.empty() ? std::string() : " '" + options.name + "'");
  if (alternatives.empty()) return rejected({where, "no alternative", "at least one handle with a goal"});
  for (const auto& [handle, goal] : alternatives) {
    if (!handle) return rejected({where + ": " + handle.error().where, handle.error().found, handle.error().expected});
    if (constraint.name.empty()) {
      constraint.name = handle->name + " " + name_of(goal);
      where += " '" + constraint.name + "'";
    }
    if (!belongs(*handle))
      return rejected({where, "a handle of another figure", "one that this problem's figure made"});
    Expected<Goal> fine = checked(goal);
    if (!fine) return rejected({where + ": " + fine.error().where, fine.error().found, fine.error().expected});
    const Expected<Handle> fitting = part(*handle, shape_of(goal).value_or(handle->shape));
    if (!fitting)
      return rejected({where + ": " + fitting.error().where, fitting.error().found,
                       fitting.error().expected + ", for the goal " + name_of(goal)});
    goals.alternatives.push_back({*fitting, std::move(*fine)});
  }
  if (std::optional<Diagnostic> wrong = wrong_weight(where, options.weight, true)) return rejected(*std::move(wrong));
  constraint.weight = options.weight;
  if (std::optional<Diagnostic> wrong = wrong_priority(where, options.priority)) return rejected(*std::move(wrong));
  constraint.priority = options.priority;
  constraint.soft = options.soft;
  if (constraint.soft && constraint.must_hold())
    return rejected({where + ", weight", "must", "a finite weight: it is soft"});
  if (options.weighting.size() > 0) {
    const Alternative& first = goals.alternatives.front();
    const int rows = row_count(first.goal, first.handle.shape);
    const MatX& W = options.weighting;
    const std::string size = std::to_string(W.rows()) + " by " + std::to_string(W.cols()) + " numbers";
    if (goals.alternatives.size() != 1)
      return rejected({where + ", weighting", "several alternatives", "a constraint with one goal"});
    if (W.rows() != rows || W.cols() != rows)
      return rejected({where + ", weighting", size, std::to_string(rows) + " by " + std::to_string(rows)});
    const Eigen::LLT<MatX> factor(W);
    if (!W.allFinite() || !W.isApprox(W.transpose()) || factor.info() != Eigen::Success)
      return rejected({where + ", weighting", "a matrix that is not symmetric and positive definite", "one that is"});
    if (W.diagonal().minCoeff() < min_weight || W.diagonal().maxCoeff() > max_weight)
      return rejected({where + ", weighting",
                       to_text(W.diagonal().minCoeff()) + " to " + to_text(W.diagonal().maxCoeff()),
                       "numbers from " + to_text(min_weight) + " to " + to_text(max_weight) + " on the diagonal"});
    constraint.weighting_root = factor.matrixU();
  }
  if (!options.from.empty()) {
    const Expected<int> joint = figure_.find_joint(options.from);
    if (!joint) return rejected({where + ", from", joint.error().found, joint.error().expected});
    constraint.from = *joint;
  }
  for (const Alternative& alternative : goals.alternatives) {
    const std::vector<int> chain = chain_of(figure_, alternative.handle, constraint.from);
    constraint.chain.insert(constraint.chain.end(), chain.begin(), chain.end());
  }
  std::sort(constraint.chain.begin(), constraint.chain.end());
  constraint.chain.erase(std::unique(constraint.chain.begin(), constraint.chain.end()), constraint.chain.end());
  if (constraint.chain.empty() && constraint.from != no_parent)
    return rejected({where + ", from",
                     "'" + options.from + "', which does not move '" + goals.alternatives.front().handle.name + "'",
                     "a joint between the handle and the root"});
  constraint.what = std::move(goals);
  return admit(std::move(constraint));
}

Expected<ConstraintId> Problem::add_pull(PosePull pull, ConstraintOptions options) {
  Constraint constraint;
  constraint.name = !options.name.empty()                         ? options.name
                    : std::holds_alternative<PullToComfort>(pull) ? "pull towards comfort"
                                                                  : "pull towards a pose";
  const std::string where = "constraint '" + constraint.name + "'";
  if (std::optional<Diagnostic> wrong = wrong_with(pull, figure_, where)) return rejected(*std::move(wrong));
  if (std::optional<Diagnostic> wrong = wrong_weight(where, options.weight, false)) return rejected(*std::move(wrong));
  if (std::optional<Diagnostic> wrong = wrong_priority(where, options.priority)) return rejected(*std::move(wrong));
  if (!options.from.empty())
    return rejected({where + ", from", "'" + options.from + "'", "nothing: a pull has no chain"});
  constraint.weight = options.weight;
  constraint.priority = options.priority;
  constraint.soft = options.soft;
  constraint.what = std::move(pull);
  return admit(std::move(constraint));
}

// A tilted root tilts the whole body.
constexpr double up_weight = 2.0;

Expected<ConstraintId> Problem::add_clearance(Clearance clearance, ConstraintOptions options) {
  Constraint constraint;
  constraint.name = options.name.empty() ? "keep clear" : options.name;
  const std::string where = "constraint '" + constraint.name + "'";
  const auto capsules = static_cast<int>(clearance.capsules.size());
  if (!std::isfinite(clearance.margin) || clearance.margin < 0.0)
    return rejected({where + ", margin", to_text(clearance.margin), "a finite number, 0 or more"});
  for (const SegmentCapsule& at : clearance.capsules) {
    if (at.segment < 0 || at.segment >= static_cast<int>(figure_.segments().size()))
      return rejected({where, "a capsule on segment " + std::to_string(at.segment), "one of the figure's segments"});
    if (!at.capsule.a.allFinite() || !at.capsule.b.allFinite() || !std::isfinite(at.capsule.radius) ||
        at.capsule.radius < 0.0)
      return rejected({where + ", capsule of '" + figure_.segments()[static_cast<std::size_t>(at.segment)].name + "'",
                       "radius " + to_text(at.capsule.radius), "finite numbers, the radius 0 or more"});
  }
  for (const CapsulePair& pair : clearance.pairs) {
    const std::string found =
        "a pair of capsules " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
    if (std::min(pair.first, pair.second) < 0 || std::max(pair.first, pair.second) >= capsules ||
        pair.first == pair.second)
      return rejected({where, found, "two of " + std::to_string(capsules) + " capsules"});
    if (!std::isfinite(pair.slack))
      return rejected({where + ", slack", found + " with " + to_text(pair.slack), "a finite number"});
  }
  for (const Obstacle& obstacle : clearance.obstacles)
    if (const Expected<Obstacle> whole = build_obstacle(obstacle.name, obstacle.shape, obstacle.X_world_shape); !whole)
      return rejected(whole.error());
  if (std::optional<Diagnostic> wrong = wrong_weight(where, options.weight, true)) return rejected(*std::move(wrong));
  if (options.priority != first_level || options.soft || !options.from.empty() || options.weighting.size() > 0)
    return rejected({where, "a priority, a chain, a weighting, or that it is soft",
                     "none of these: it counts beside the constraints of the first level"});
  constraint.weight = options.weight;
  constraint.what = std::move(clearance);
  return admit(std::move(constraint));
}

namespace {

// Whether the figure or one of its parts has a prior with such terms.
bool any_prior(const Figure& figure, const std::function<bool(const PriorDescription&)>& holds) {
  return holds(figure.description().prior) ||
         std::ranges::any_of(figure.parts(), [&](const FigurePart& part) { return any_prior(part.figure, holds); });
}

}  // namespace

bool has_prior(const Figure& figure) {
  return any_prior(figure, [](const PriorDescription& prior) { return !prior.empty(); });
}

Expected<void> Problem::add_prior(double weight) {
  if (!has_prior(figure_)) {
    rejections_.push_back(
        {"prior of figure '" + figure_.name() + "'", "none",
         "a figure that carries one: human, a skeleton with CMU's names, or what limber prior has learned"});
    return std::unexpected(rejections_.back());
  }
  if (any_prior(figure_, [](const PriorDescription& prior) { return !prior.terms.empty(); })) {
    const Expected<ConstraintId> id =
        add_pull(towards_usual(figure_), {.weight = weight, .name = "usual pose", .soft = true});
    if (!id) return std::unexpected(id.error());
  }
  return add_upright(figure_, 0, "", weight);
}

// The usual direction up of a figure, or of each part, whose segments begin there.
Expected<void> Problem::add_upright(const Figure& figure, int begin, const std::string& prefix, double weight) {
  for (const FigurePart& part : figure.parts())
    if (const Expected<void> done =
            add_upright(part.figure, begin + part.segment_begin, prefix + part.name + ".", weight);
        !done)
      return done;
  const PriorDescription& prior = figure.description().prior;
  if (prior.up_segment.empty()) return {};
  const double c = metres_per_spread * figure.length() / prior.up_spread;
  // Of the segment itself: a site of its name may point elsewhere.
  const int segment = begin + figure.find_segment(prior.up_segment).value_or(0);
  Handle up{prefix + prior.up_segment, Shape::direction};
  up.plus[0] = {Element::Kind::direction, segment, prior.up.normalized()};
  const Expected<ConstraintId> id =
      add(up, Direction{Vec3::UnitY(), c},
          {.weight = up_weight * weight, .name = up.name + " as upright as usual", .soft = true});
  if (!id) return std::unexpected(id.error());
  // Like a pull, it moves only parameters in the chain of another constraint.
  Constraint& upright = *editable(*id);
  if (upright.counts()) count_chain(upright, -1);
  upright.chain.clear();
  return {};
}

Constraint* Problem::editable(ConstraintId id) { return const_cast<Constraint*>(std::as_const(*this).find(id)); }

const Constraint* Problem::find(ConstraintId id) const {
  const auto at =
      std::find_if(constraints_.begin(), constraints_.end(), [&](const Constraint& c) { return c.id == id; });
  return at == constraints_.end() ? nullptr : &*at;
}

namespace {

std::unexpected<Diagnostic> unknown(ConstraintId id) {
  return reject("constraint " + std::to_string(static_cast<int>(id)), "an id that is not in the problem",
                "one that add() returned and remove() has not removed");
}

// The target pose of a pull; null if it has none.
VecX* target_of(PosePull& pull) {
  if (auto* by_stiffness = std::get_if<PullByStiffness>(&pull)) return &by_stiffness->target;
  if (auto* by_matrix = std::get_if<PullByMatrix>(&pull)) return &by_matrix->target;
  return nullptr;
}

}  // namespace

// Changes a constraint, and updates Θ if the change makes it count, or no longer count.
template <class Change>
void Problem::change(Constraint& constraint, Change&& how) {
  const bool before = constraint.counts();
  const int level = constraint.level();
  how();
  if (level != constraint.level()) ++structure_;
  if (before == constraint.counts()) return;
  count_chain(constraint, before ? -1 : 1);
  ++structure_;
}

Expected<void> Problem::set_goal(ConstraintId id, Goal goal) { return exchange_goal(id, goal); }

Expected<void> Problem::exchange_goal(ConstraintId id, Goal& goal) {
  Constraint* constraint = editable(id);
  if (!constraint) return unknown(id);
  const auto where = [&] { return "constraint '" + constraint->name + "'"; };  // it allocates
  Goals* goals = std::get_if<Goals>(&constraint->what);
  if (!goals || goals->alternatives.size() != 1)
    return reject(where(), goals ? "several alternatives" : "no goal", "a constraint with one goal");
  Expected<Goal> fine = checked(std::move(goal));
  if (!fine) return reject(where() + ": " + fine.error().where, fine.error().found, fine.error().expected);
  Alternative& alternative = goals->alternatives.front();
  const Shape shape = alternative.handle.shape;
  if (shape_of(*fine).value_or(shape) != shape)
    return reject(where(), std::string("a goal for a ") + name_of(*shape_of(*fine)),
                  std::string("a goal for a ") + name_of(shape));
  if (row_count(*fine, shape) != row_count(alternative.goal, shape) || fine->index() != alternative.goal.index())
    ++structure_;
  goal = std::exchange(alternative.goal, std::move(*fine));
  return {};
}

Expected<void> Problem::set_obstacle(ConstraintId id, std::size_t obstacle, const Frame& X_world_shape) {
  Constraint* constraint = editable(id);
  if (!constraint) return unknown(id);
  Clearance* clearance = std::get_if<Clearance>(&constraint->what);
  if (!clearance || obstacle >= clearance->obstacles.size())
    return reject("constraint '" + constraint->name + "'", "no obstacle " + std::to_string(obstacle),
                  "an obstacle of a clearance");
  Obstacle& at = clearance->obstacles[obstacle];
  const Expected<Obstacle> moved = build_obstacle(at.name, at.shape, X_world_shape);
  if (!moved) return std::unexpected(moved.error());
  at.X_world_shape = moved->X_world_shape;
  return {};
}

Expected<void> Problem::set_pull(ConstraintId id, const VecX& target) {
  Constraint* constraint = editable(id);
  if (!constraint) return unknown(id);
  const auto where = [&] { return "constraint '" + constraint->name + "'"; };
  PosePull* pull = std::get_if<PosePull>(&constraint->what);
  if (!pull) return reject(where(), "a constraint with a goal", "a pull");
  VecX* own = target_of(*pull);
  if (!own) return reject(where(), "a pull towards comfort", "one towards a pose");
  if (target.size() != own->size() || !target.allFinite())
    return reject(where(), std::to_string(target.size()) + " values, or one that is not finite",
                  std::to_string(own->size()) + " finite ones");
  *own = target;
  return {};
}

Expected<void> Problem::set_weight(ConstraintId id, double weight) {
  Constraint* constraint = editable(id);
  if (!constraint) return unknown(id);
  const bool may_be_hard = !constraint->pull();
  // The name of the field allocates.
  if (wrong_weight({}, weight, may_be_hard))
    return std::unexpected(*wrong_weight("constraint '" + constraint->name + "'", weight, may_be_hard));
  change(*constraint, [&] { constraint->weight = weight; });
  return {};
}

Expected<void> Problem::set_enabled(ConstraintId id, bool enabled) {
  Constraint* constraint = editable(id);
  if (!constraint) return unknown(id);
  change(*constraint, [&] { constraint->enabled = enabled; });
  return {};
}

Expected<void> Problem::remove(ConstraintId id) {
  const Constraint* constraint = find(id);
  if (!constraint) return unknown(id);
  if (constraint->counts()) count_chain(*constraint, -1);
  constraints_.erase(constraints_.begin() + (constraint - constraints_.data()));
  ++structure_;
  return {};
}

Expected<void> Problem::set_rigidity(std::string_view parameter, double rigidity) {
  const Expected<int> j = figure_.find_parameter(parameter);
  if (!j) return std::unexpected(j.error());
  if (!(rigidity >= 0.0 && rigidity <= 1.0))
    return reject("parameter '" + std::string(parameter) + "', rigidity", to_text(rigidity), "a number from 0 to 1");
  rigidities_[*j] = rigidity;
  ++structure_;
  return {};
}

void Problem::count_chain(const Constraint& constraint, int change) {
  for (const int j : constraint.chain) uses_[j] += change;
}

std::vector<int> Problem::variables() const {
  std::vector<char> varies(uses_.size());
  std::ranges::transform(uses_, varies.begin(), [](int uses) { return uses > 0; });
  const auto is_torn = [&](const LimitRow& row) {
    const auto varies_here = [&](int j) { return varies[j] != 0; };
    return row.relation == Relation::equal && std::ranges::any_of(row.parameters, varies_here) &&
           !std::ranges::all_of(row.parameters, varies_here);
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (const LimitRow& row : figure_.limit_rows()) {
      if (!is_torn(row)) continue;
      for (const int j : row.parameters) varies[j] = 1;
      changes = true;
    }
  }
  std::vector<int> theta;
  for (std::size_t j = 0; j < varies.size(); ++j)
    if (varies[j]) theta.push_back(static_cast<int>(j));
  return theta;
}

std::vector<int> Problem::reconciled_chain(ConstraintId id) const {
  const Constraint* constraint = find(id);
  std::vector<int> chain;
  if (!constraint) return chain;
  for (const int j : variables())
    if (std::ranges::any_of(constraint->alternatives(), [&](const Alternative& alternative) {
          const std::vector<int> whole = chain_of(figure_, alternative.handle, no_parent);
          return std::binary_search(whole.begin(), whole.end(), j);
        }))
      chain.push_back(j);
  return chain;
}

}  // namespace limber
