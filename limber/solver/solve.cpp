#include "limber/solver/solve.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// A limit holds something back only where the pose is on it: its slack is rounding.
constexpr double active_slack = 1e-12;
// A start that moves by less, in radians or metres, was outside by rounding only, as after a way through a file in
// degrees.
constexpr double rounding = 1e-12;
// Multipliers of contacts stand still where none changes by more than this, in lengths of the figure; so many rounds at
// most.
constexpr double contact_exact = 1e-5;
constexpr int most_contact_rounds = 12;
// Iterations of a try, and of each of its rounds.
constexpr int most_contact_iterations = 200, most_round_iterations = 100;
// So many iterations are spared for getting out of what is still overlapped.
constexpr int most_spared = 20;
// Shares below this are not worth a user's attention; so there are at most so many of the others.
constexpr double smallest_share = 0.01;
constexpr int most_shares = 100;

// Another start replaces the answer where the first level that differs is smaller by this factor; levels that agree to
// this factor, or are both no more than rounding, do not differ.
constexpr double clear_gain = 0.9;
constexpr double same_value = 1.001;
constexpr double smallest_value = 1e-16;

// What gives way is given at least this much less weight at a time, and at most so much; no less than this is left of
// it.
constexpr double slow_yield = 0.1;
constexpr double fast_yield = 1e-3;
constexpr double least_yield = 1e-8;
// As long as it still gives way, a solve need not be more exact than this, for a constraint that has all the weight.
constexpr double rough_tolerance = 1e-5;
constexpr int rough_iterations = 30;
// Other starts that are tried quickly, before the thorough way.
constexpr int most_quick_tries = 32;
// With no more variables than this a few points can fill the limits evenly; with more, a start near by is better.
constexpr int most_spread = 16;

bool is_clear_gain(double value, double best) { return value < clear_gain * best - smallest_value; }

// What is to keep clear exactly is met where nothing is too near at all.
bool is_met(const Constraint& constraint, const Distance& left, const Options& options) {
  if (constraint.clearance && !std::isfinite(constraint.weight)) return left.metres.value_or(0.0) <= 0.0;
  return left.metres.value_or(0.0) <= options.met_metres && degrees(left.radians.value_or(0.0)) <= options.met_degrees;
}

std::string_view limit_name(const Figure& figure, int parameter_count, int limit) {
  if (limit < parameter_count) return figure.parameters()[limit].lower_name;
  if (limit < 2 * parameter_count) return figure.parameters()[limit - parameter_count].upper_name;
  return figure.limit_rows()[limit - 2 * parameter_count].name;
}

}  // namespace

Solver::Solver(const Problem& problem)
    : problem_(problem), figure_limits_(limits_of(problem.figure())), alignment_(problem.figure()) {
  report_.figure = problem.figure();
}

bool Solver::accepts(const Pose& pose, const Options& options) {
  const auto refuse_with = [&](std::string where, std::string found, std::string expected) {
    report_.exit = Exit::refused;
    report_.refusal = Diagnostic{std::move(where), std::move(found), std::move(expected)};
    return false;
  };
  if (!problem_.refusals().empty()) {
    const Diagnostic& first = problem_.refusals().front();
    return refuse_with(first.where, first.found, first.expected);
  }
  report_.method = options.method == Method::automatic ? Method::levenberg_marquardt : options.method;
  if (std::optional<Diagnostic> cannot = refusal(problem_, *assembly_, options.method)) {
    report_.exit = Exit::refused;
    report_.refusal = std::move(cannot);
    return false;
  }
  const auto& parameters = problem_.figure().parameters();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters.size()))
    return refuse_with("pose", std::to_string(pose.theta.size()) + " values",
                       std::to_string(parameters.size()) + ", one a parameter of the figure");
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!std::isfinite(pose.theta[j]))
      return refuse_with("pose, parameter '" + parameters[static_cast<std::size_t>(j)].name + "'",
                         to_text(pose.theta[j]), "a finite number");
  if (!(options.tolerance > 0.0))
    return refuse_with("options, tolerance", to_text(options.tolerance), "a number above 0");
  if (options.iterations < 0)
    return refuse_with("options, iterations", std::to_string(options.iterations), "0 or more");
  if (options.restarts < 0) return refuse_with("options, restarts", std::to_string(options.restarts), "0 or more");
  return true;
}

// Moves the start within the limits and hands it to the assembly.
bool Solver::begin(Pose& pose) {
  current_.theta = pose.theta;
  const Feasibility feasibility = make_feasible(figure_limits_, current_.theta);
  if (!feasibility.feasible) {
    std::string names;
    for (const int limit : feasibility.contradictory)
      names += (names.empty() ? "'" : "', '") +
               std::string(limit_name(problem_.figure(), figure_limits_.variables(), limit));
    report_.exit = Exit::infeasible;
    report_.refusal = Diagnostic{"figure '" + problem_.figure().name() + "'",
                                 "limits that contradict each other: " + names + "'", "limits that some pose keeps"};
    return false;
  }
  report_.start_projected = feasibility.moved > rounding;
  pose.theta = current_.theta;
  assembly_->start(current_.theta, phi_);
  return true;
}

// All the room that a solve of the problem as it is now can need.
void Solver::reserve() {
  assembly_.emplace(problem_);
  share_.resize(assembly_->limits().count() + assembly_->residuals());
  values_.resize(static_cast<Eigen::Index>(assembly_->level_ends().size()));
  best_values_.resize(values_.size());
  best_.resize(assembly_->variables());
  for (VecX* forces : {&forces_, &best_forces_, &no_forces_}) assembly_->no_contact_forces(*forces);
  start_.resize(assembly_->variables());
  usual_theta_.resize(static_cast<Eigen::Index>(problem_.figure().parameters().size()));
  residual_.resize(assembly_->residuals());
  restart_.reserve(assembly_->limits());
  gives_way_ = false;
  usual_ = nullptr;
  for (const Constraint& constraint : problem_.constraints()) {
    if (!constraint.counts() || !constraint.gives_way) continue;
    gives_way_ = true;
    if (constraint.pull && !constraint.pull->comfort) usual_ = &*constraint.pull;
  }
  report_.constraints.resize(problem_.constraints().size());
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& constraint = report_.constraints[c];
    constraint.held_back_by.reserve(static_cast<std::size_t>(std::min(most_shares, assembly_->variables())));
    constraint.obstacles.clear();
    const std::optional<Clearance>& clearance = problem_.constraints()[c].clearance;
    if (!clearance) continue;
    for (const Obstacle& obstacle : clearance->obstacles) constraint.obstacles.push_back(obstacle.name);
    constraint.touches.reserve(static_cast<std::size_t>(assembly_->most_contacts(c)));
  }
}

const Report& Solver::solve(Pose& pose, const Options& options) {
  if (!assembly_ || assembly_->structure() != problem_.structure()) reserve();
  report_.refusal.reset();
  report_.variables = assembly_->variables();
  report_.iterations = report_.evaluations = 0;
  report_.start_projected = false;
  report_.objective = report_.objective_before = report_.kkt = 0.0;
  if (!accepts(pose, options) || !begin(pose)) {
    report_.constraints.clear();  // nothing is known of them
    assembly_.reset();            // the next solve makes room again
    return report_;
  }

  const double scale = assembly_->objective_scale();
  gradient_.resize(assembly_->variables());
  report_.objective_before = scale * objective();
  if (gives_way_) choose_start(options);
  Observer observer;
  struct Context {
    Solver& solver;
    const Options& options;
  } context{*this, options};
  if (options.observer)
    observer = [&context](int iteration, double value, const VecX& phi) {
      Solver& solver = context.solver;
      solver.assembly_->theta_of(phi, solver.current_.theta);
      return context.options.observer({iteration, value * solver.assembly_->objective_scale(), solver.current_});
    };
  report_.restarts = 0;
  Outcome outcome;
  if (!solve_quickly(options, observer, outcome)) {
    if (options.until_met && !gives_way_)  // what gives way must first have its turn
      solve_until_met(options, observer, outcome);
    else
      solve_thoroughly(options, observer, outcome);
  }
  finish(options, outcome);
  report_.yield = assembly_->yield();
  report_.exit = outcome.exit;
  report_.iterations = outcome.iterations;
  report_.evaluations = outcome.evaluations;
  if (outcome.exit == Exit::not_finite)
    report_.refusal =
        Diagnostic{"objective at the start", to_text(report_.objective_before), "a finite number from every goal"};
  // Heuristic methods may have ended on another point than their last; those that promise descent report it.
  const bool is_last = row_of(options.method).restarts && !gives_way_ && !assembly_->is_exactly_clear();
  const double value = is_last ? outcome.value : objective();
  report_.objective = scale * (std::isfinite(value) ? value : outcome.value);
  assembly_->evaluate_at(phi_);
  pose.theta = assembly_->theta();
  if (outcome.exit != Exit::not_finite) explain(options);
  return report_;
}

// f at phi_, added up in the order of the method that is used, so that what is reported is what the method saw.
double Solver::objective() {
  if (assembly_->is_exactly_clear()) {
    assembly_->evaluate_at(phi_);
    double sum = 0.0;
    for (std::size_t c = 0; c < problem_.constraints().size(); ++c)
      if (const Constraint& constraint = problem_.constraints()[c];
          constraint.counts() && std::isfinite(constraint.weight))
        sum += (constraint.gives_way ? assembly_->yield() : 1.0) * constraint.weight * assembly_->value(c);
    return sum / assembly_->objective_scale();
  }
  switch (report_.method) {
    case Method::active_set_bfgs:
    case Method::projected_conjugate_gradient:
    case Method::projected_steepest_descent:
    case Method::projected_trust_region:
      return (*assembly_)(phi_, gradient_);
    default:
      assembly_->residual(phi_, residual_);
      return residual_.tail(residual_.size() - assembly_->level_ends().front()).squaredNorm();
  }
}

// How far the constraints that count are from being met at phi: the largest part of what counts as met.
double Solver::most_unmet(const Options& options, const VecX& phi) {
  assembly_->residual(phi, residual_);
  double most = 0.0;
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    if (!constraint.counts() || constraint.gives_way) continue;
    const Distance left = assembly_->distance(c);
    if (is_met(constraint, left, options)) continue;
    const double part = std::fmax(left.metres.value_or(0.0) / options.met_metres,
                                  degrees(left.radians.value_or(0.0)) / options.met_degrees);
    most = std::fmax(most, part > 1.0 ? part : infinity);
  }
  return most;
}

// The pose that the figure usually has, its root where the goals are.
bool Solver::usual_start(VecX& phi) {
  if (!usual_) return false;
  usual_theta_ = current_.theta;
  for (Eigen::Index j = 0; j < usual_theta_.size(); ++j)
    if (usual_->stiffness[j] > 0.0 || (usual_->root.size() > 0 && !usual_->root.col(j).isZero()))
      usual_theta_[j] = usual_->target[j];
  if (!make_feasible(figure_limits_, usual_theta_).feasible) return false;
  alignment_.align(problem_, usual_theta_);
  assembly_->variables_of(usual_theta_, phi);
  return true;
}

// The start, moved rigidly to where the goals are. False where its root does not vary.
bool Solver::aligned_start(VecX& phi) {
  usual_theta_ = current_.theta;
  assembly_->theta_of(start_, usual_theta_);
  alignment_.align(problem_, usual_theta_);
  assembly_->variables_of(usual_theta_, phi);
  return phi != start_;
}

// The first is the usual pose, where there is one, or the start with its root where the goals are.
void Solver::next_start(Pace pace) {
  const int number = ++report_.restarts;
  if (number == 1 && usual_start(phi_)) return;
  if (number == 1 && pace == Pace::quick && aligned_start(phi_)) return;
  phi_ = best_;
  if (number > 1 && pace == Pace::quick && assembly_->variables() <= most_spread)
    restart_.spread(assembly_->limits(), number, phi_);
  else
    restart_.move(assembly_->limits(), number - (usual_ ? 1 : 0), phi_);
}

// A start far from all goals is as good as none: then the usual pose is a better one, and the answer does not hang on
// where the figure was before.
void Solver::choose_start(const Options& options) {
  start_ = phi_;
  assembly_->set_yield(1.0);
  if (options.iterations == 0 || !usual_start(best_)) return;
  // With what must hold.
  const auto value = [&] {
    assembly_->residual(phi_, residual_);
    return residual_.squaredNorm();
  };
  const double given = value();
  phi_.swap(best_);
  if (!(value() < given)) phi_.swap(best_);
}

// Runs the method from phi_. Where something keeps clear exactly, again and again until its multipliers stand still.
Outcome Solver::run(const Options& options, const MethodOptions& own, const Observer& observer) {
  if (!assembly_->is_exactly_clear()) return methods_.run(problem_, *assembly_, options, own, phi_, observer);
  struct Part {
    const Observer& observer;
    int before;
  } part{observer, 0};
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    return part.observer(part.before + iteration, value, x);
  };
  const int most = std::min(own.iterations, most_contact_iterations), spared = std::min(most_spared, most / 4);
  Outcome outcome;
  const auto go_on = [&](int until) {
    part.before = outcome.iterations;
    const MethodOptions left{.iterations = until - outcome.iterations, .tolerance = own.tolerance};
    const Outcome next = methods_.run(problem_, *assembly_, options, left, phi_, observer ? counting : observer);
    outcome = {next.exit, outcome.iterations + next.iterations, outcome.evaluations + next.evaluations, next.value};
  };
  for (int round = 0; round < most_contact_rounds; ++round) {
    go_on(std::min(most - spared, outcome.iterations + most_round_iterations));
    if (outcome.exit == Exit::cancelled || outcome.exit == Exit::not_finite) break;
    const bool is_round_out = outcome.exit == Exit::iteration_limit;
    if (assembly_->follow_contacts(phi_) <= contact_exact && !is_round_out) break;
    if (outcome.iterations >= most - spared) break;
  }
  if (outcome.exit != Exit::cancelled && outcome.exit != Exit::not_finite && assembly_->shortfall(phi_) > 0.0) {
    const Exit exit = outcome.exit;
    assembly_->push_hard();
    go_on(most);
    if (outcome.exit == Exit::converged) outcome.exit = exit;
  }
  // A try that takes too long is given up as one that is stuck: others may be better.
  if (outcome.exit == Exit::iteration_limit && outcome.iterations < own.iterations) outcome.exit = Exit::stalled;
  outcome.value = objective();
  return outcome;
}

// Runs the method from phi_. What gives way does so until the others are met: the distance that it leaves falls with
// its weight.
Outcome Solver::settle(const Options& options, int iterations, const Observer& observer) {
  if (!gives_way_) return run(options, {.iterations = iterations, .tolerance = options.tolerance}, observer);
  struct Part {
    const Observer& observer;
    int before;
  } part{observer, 0};
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    return part.observer(part.before + iteration, value, x);
  };
  const auto run = [&](int most, double tolerance, Outcome& outcome) {
    part.before = outcome.iterations;
    const MethodOptions own{.iterations = std::min(most, iterations - outcome.iterations), .tolerance = tolerance};
    const Outcome next = this->run(options, own, observer ? counting : observer);
    outcome = {next.exit, outcome.iterations + next.iterations, outcome.evaluations + next.evaluations, next.value};
  };
  const auto goes_on = [&](const Outcome& outcome) {
    return outcome.exit == Exit::converged || outcome.exit == Exit::stalled ||
           (outcome.exit == Exit::iteration_limit && outcome.iterations < iterations);
  };
  double least = infinity, all = 0.0;
  for (const Constraint& constraint : problem_.constraints()) {
    if (!constraint.counts() || constraint.must_hold() || constraint.clearance) continue;
    all += constraint.weight;
    if (!constraint.gives_way) least = std::fmin(least, constraint.weight);
  }
  const double rough = std::fmax(options.tolerance, rough_tolerance * std::fmin(1.0, least / all));
  Outcome outcome;
  methods_.set_resumes(false);
  for (double yield = 1.0;;) {
    assembly_->set_yield(yield);
    run(rough_iterations, rough, outcome);
    methods_.set_resumes(true);
    if (!goes_on(outcome)) return outcome;
    const double unmet = most_unmet(options, phi_);
    if (unmet <= 1.0 || yield <= least_yield) break;
    yield = std::fmax(least_yield, yield * std::clamp(0.5 / unmet, fast_yield, slow_yield));
  }
  run(iterations, options.tolerance, outcome);
  return outcome;
}

// Against the weights that are left the answer must not be worse than the start.
void Solver::finish(const Options& options, Outcome& outcome) {
  if (!gives_way_ || outcome.exit == Exit::not_finite) return;
  const double value = objective();
  best_ = phi_;
  phi_ = start_;
  const double before = objective();
  report_.objective_before = assembly_->objective_scale() * before;
  // What keeps clear may have had to rise.
  if (value <= before || assembly_->is_exactly_clear()) {
    phi_ = best_;
    return;
  }
  const Outcome again = methods_.run(
      problem_, *assembly_, options,
      {.iterations = std::max(0, options.iterations - outcome.iterations), .tolerance = options.tolerance}, phi_, {});
  outcome.iterations += again.iterations;
  outcome.evaluations += again.evaluations;
  outcome.exit = again.exit;
}

// ‖r‖² level by level at phi_, without what gives way and without the multipliers of what keeps clear.
void Solver::level_values(VecX& values) {
  const double yield = assembly_->yield();
  if (assembly_->is_exactly_clear()) assembly_->set_contact_forces(no_forces_);
  assembly_->set_yield(0.0);
  assembly_->residual(phi_, residual_);
  assembly_->set_yield(yield);
  int begin = 0;
  for (std::size_t k = 0; k < assembly_->level_ends().size(); ++k) {
    const int end = assembly_->level_ends()[k];
    values[static_cast<Eigen::Index>(k)] = residual_.segment(begin, end - begin).squaredNorm();
    begin = end;
  }
}

// The quick way, where there is one: true where it has led to an end. Otherwise phi_ is a start that is no worse.
bool Solver::solve_quickly(const Options& options, const Observer& observer, Outcome& outcome) {
  if (gives_way_ || !methods_.has_quick_way(*assembly_, options)) return false;
  start_ = phi_;
  outcome = methods_.run_quickly(*assembly_, options,
                                 {.iterations = options.iterations, .tolerance = options.tolerance}, phi_, observer);
  if (outcome.exit != Exit::converged && outcome.exit != Exit::stalled) return true;
  try_again(options, observer, outcome, Pace::quick);
  return outcome.exit == Exit::cancelled || outcome.exit == Exit::met || outcome.iterations >= options.iterations ||
         (outcome.exit == Exit::converged && all_met(options));
}

// The thorough way, stopped by an observer that looks whether all is met.
void Solver::solve_until_met(const Options& options, const Observer& observer, Outcome& outcome) {
  struct Context {
    Solver& solver;
    const Options& options;
    const Observer& observer;
    bool met;
  } context{*this, options, observer, all_met(options)};
  if (context.met) {
    outcome.exit = Exit::met;
    outcome.value = objective();
    return;
  }
  const Observer looking = [&context](int iteration, double value, const VecX& phi) {
    if (context.observer && !context.observer(iteration, value, phi)) return false;
    context.met = context.solver.most_unmet(context.options, phi) <= 1.0;
    return !context.met;
  };
  solve_thoroughly(options, looking, outcome);
  if (context.met && outcome.exit == Exit::cancelled) outcome.exit = Exit::met;
}

// From where the quick way ended, if there is one.
void Solver::solve_thoroughly(const Options& options, const Observer& observer, Outcome& outcome) {
  struct Part {
    const Observer& observer;
    int before;
    double value;
  } part{observer, outcome.iterations, outcome.iterations > 0 ? outcome.value : infinity};
  // The quick way adds f up in another order: what this starts from may be a rounding error above where it ended.
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    part.value = std::fmin(part.value, value);
    return part.observer(part.before + iteration, part.value, x);
  };
  const int evaluations = outcome.evaluations;
  outcome = settle(options, options.iterations - part.before, observer ? counting : observer);
  outcome.iterations += part.before;
  outcome.evaluations += evaluations;
  report_.restarts = 0;
  try_again(options, observer, outcome, Pace::thorough);
}

// Other starts, where the first left something unmet. The answer changes only for a clear gain, so that a figure whose
// goal is out of reach does not flicker between poses that are equally good.
//
// A quick try counts only where it meets everything.
void Solver::try_again(const Options& options, const Observer& observer, Outcome& outcome, Pace pace) {
  const int most = pace == Pace::quick ? std::min(options.restarts, most_quick_tries) : options.restarts;
  if (options.restarts == 0 || assembly_->variables() == 0 || !row_of(options.method).restarts) return;
  const auto is_stuck = [&](Exit exit) { return exit == Exit::converged || exit == Exit::stalled; };
  if (!is_stuck(outcome.exit) || all_met(options)) return;
  best_ = phi_;
  double best_yield = assembly_->yield();
  assembly_->contact_forces(best_forces_);
  level_values(best_values_);
  while (report_.restarts < most && outcome.iterations < options.iterations) {
    next_start(pace);
    assembly_->forget_contacts();
    const int before = outcome.iterations;
    // The caller sees the best pose so far.
    struct Try {
      const Observer& observer;
      const VecX &best, &values;
      double value;
      int before;
      Solver* solver;  // null where the method does not go on from the assembly's last evaluation
    } one{observer, best_, best_values_, outcome.value, before, pace == Pace::thorough ? this : nullptr};
    const Observer best_only = [&one](int iteration, double value, const VecX& phi) {
      const double best = one.value;
      const bool better = one.values.size() == 2 && one.values[0] == 0.0 && is_clear_gain(value, best);
      const bool goes_on = one.observer(one.before + iteration, better ? value : best, better ? phi : one.best);
      if (one.solver) one.solver->assembly_->residual(phi, one.solver->residual_);  // it may have looked elsewhere
      return goes_on;
    };
    const Observer& watching = observer ? best_only : observer;
    const Outcome again =
        pace == Pace::quick
            ? methods_.run_quickly(*assembly_, options,
                                   {.iterations = options.iterations - before, .tolerance = options.tolerance}, phi_,
                                   watching)
            : settle(options, options.iterations - before, watching);
    outcome.iterations += again.iterations;
    outcome.evaluations += again.evaluations;
    if (again.exit == Exit::cancelled) outcome.exit = Exit::cancelled;
    assembly_->contact_forces(forces_);
    level_values(values_);
    bool better = false;
    for (Eigen::Index k = 0; k < values_.size() && !better; ++k) {
      if (values_[k] > same_value * best_values_[k] + smallest_value) break;
      better = is_clear_gain(values_[k], best_values_[k]);
    }
    if (pace == Pace::quick)
      better = better && (again.exit == Exit::met || (again.exit == Exit::converged && all_met(options)));
    if (better && again.exit != Exit::not_finite) {
      best_ = phi_;
      best_yield = assembly_->yield();
      best_forces_.swap(forces_);
      best_values_ = values_;
      outcome.value = again.value;
      if (again.exit != Exit::cancelled) outcome.exit = again.exit;
    }
    if (outcome.exit == Exit::cancelled || (better && all_met(options))) break;
  }
  if (outcome.exit == Exit::stalled && outcome.iterations >= options.iterations) outcome.exit = Exit::iteration_limit;
  phi_ = best_;
  assembly_->set_yield(best_yield);
  if (assembly_->is_exactly_clear()) assembly_->set_contact_forces(best_forces_);
}

// The Kuhn-Tucker conditions, checked anew; each constraint's distance; and for those not met, the limits that push
// back.
void Solver::explain(const Options& options) {
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    ConstraintReport& out = report_.constraints[c];
    out.id = constraint.id;
    out.name = constraint.name;
    out.counted = constraint.counts();
    out.left = assembly_->distance(c);
    out.value = assembly_->value(c);
    out.comfort.reset();
    if (constraint.pull && constraint.pull->comfort)
      out.comfort = 1.0 - constraint.pull->comfort->discomfort(assembly_->theta());
    out.gives_way = constraint.gives_way;
    out.met = constraint.gives_way || is_met(constraint, out.left, options);
    out.held_back_by.clear();
    name_touches(c, options, out);
  }
  report_.kkt = 0.0;
  int begin = 0;
  for (const int end : assembly_->level_ends()) {
    if (end == begin && assembly_->residuals() > 0) continue;
    explain_level(begin, end, options);
    begin = end;
  }
  if (report_.kkt <= options.tolerance && report_.exit != Exit::cancelled && report_.exit != Exit::met)
    report_.exit = Exit::converged;
  if (report_.kkt > options.tolerance && report_.exit == Exit::converged) report_.exit = Exit::stalled;
}

// What touches, or overlaps, of a clearance; also what overlaps and cannot move, which nothing could be done about.
void Solver::name_touches(std::size_t c, const Options& options, ConstraintReport& out) {
  out.touches.clear();
  const Constraint& constraint = problem_.constraints()[c];
  if (!constraint.clearance || !constraint.counts()) return;
  for (const NearPair& contact : assembly_->contacts_of(c)->list()) name_touch(*constraint.clearance, contact, out);
  for (const NearPair& contact : assembly_->still_contacts(c)) {
    name_touch(*constraint.clearance, contact, out);
    out.left.metres = std::fmax(out.left.metres.value_or(0.0), constraint.clearance->margin - contact.gap);
  }
  out.met = is_met(constraint, out.left, options);
  std::sort(out.touches.begin(), out.touches.end(), [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

void Solver::name_touch(const Clearance& clearance, const NearPair& contact, ConstraintReport& out) const {
  const int obstacles = static_cast<int>(clearance.obstacles.size());
  const int first_pair = 2 * obstacles * static_cast<int>(clearance.capsules.size());
  const auto capsule = [&](int k) -> const SegmentCapsule& { return clearance.capsules[static_cast<std::size_t>(k)]; };
  Touch touch;
  const bool is_pair = contact.pair >= first_pair;
  const CapsulePair pair = is_pair ? clearance.pairs[static_cast<std::size_t>(contact.pair - first_pair)]
                                   : CapsulePair{contact.pair / 2 / obstacles, 0};
  touch.segment = capsule(pair.first).segment;
  if (is_pair)
    touch.other_segment = capsule(pair.second).segment;
  else
    touch.obstacle = contact.pair / 2 % obstacles;
  touch.gap = contact.gap;
  touch.normal = contact.normal;
  touch.at = contact.at - capsule(pair.first).capsule.radius * contact.normal;
  out.touches.push_back(touch);
}

// One level: its gradient against the limits and the tangent of what the levels above it keep.
void Solver::explain_level(int begin, int end, const Options& options) {
  const bool is_only_level = begin == 0 && end == assembly_->residuals() && assembly_->level_ends().front() == 0;
  if (is_only_level) {
    (*assembly_)(phi_, gradient_);
  } else {
    assembly_->residual(phi_, residual_);
    assembly_->jacobian(jacobian_);
    gradient_.noalias() =
        2.0 * (jacobian_.middleRows(begin, end - begin).transpose() * residual_.segment(begin, end - begin));
    if (begin > 0) {
      tangent_ = assembly_->limits();
      tangent_.add_tangent(jacobian_, begin, phi_);
    }
  }
  const Limits& limits = begin > 0 ? tangent_ : assembly_->limits();
  const double residual = kkt_.check(limits, phi_, gradient_, active_slack);
  // A goal that fails now: nothing is known of the point.
  report_.kkt = gradient_.allFinite() ? std::fmax(report_.kkt, residual) : infinity;
  if (kkt_.multipliers().empty()) return;
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& out = report_.constraints[c];
    if (out.met || !out.counted || !assembly_->is_within(c, begin, end)) continue;
    assembly_->gradient_of(c, phi_, gradient_);
    kkt_.shares(limits, gradient_, share_);
    name_limits(limits, options, out);
  }
}

// The limits that push a constraint back, by the share_ that each has.
void Solver::name_limits(const Limits& limits, const Options& options, ConstraintReport& out) {
  const Figure& figure = problem_.figure();
  const int n = limits.variables();
  const auto in_use = static_cast<Eigen::Index>(kkt_.multipliers().size());
  const auto is_limit = [&](Eigen::Index k) {
    return kkt_.multipliers()[static_cast<std::size_t>(k)].limit < assembly_->limits().count();
  };
  double total = 0.0;
  for (Eigen::Index k = 0; k < in_use; ++k)
    if (is_limit(k)) total += std::fmax(0.0, share_[k]);
  // Parts this small against the whole are rounding, not limits that push.
  if (!(total > options.tolerance)) return;
  for (Eigen::Index k = 0; k < in_use; ++k) {
    if (!is_limit(k) || share_[k] < smallest_share * total) continue;
    const int limit = kkt_.multipliers()[static_cast<std::size_t>(k)].limit;
    HoldingLimit holding;
    holding.share = share_[k] / total;
    if (limit >= 2 * n) {
      holding.name = figure.limit_rows()[assembly_->limit_row(limit - 2 * n)].name;
    } else {
      holding.parameter = assembly_->parameter(limit % n);
      const Parameter& parameter = figure.parameters()[holding.parameter];
      holding.name = limit < n ? parameter.lower_name : parameter.upper_name;
    }
    out.held_back_by.push_back(holding);
  }
  std::sort(out.held_back_by.begin(), out.held_back_by.end(), [](const HoldingLimit& a, const HoldingLimit& b) {
    return a.share != b.share ? a.share > b.share : a.name < b.name;
  });
}

Report solve(const Problem& problem, Pose& pose, const Options& options) {
  return Solver(problem).solve(pose, options);
}

}  // namespace limber
