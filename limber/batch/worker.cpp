#include "limber/batch/worker.h"

#include <algorithm>
#include <cmath>

#include "limber/program/feasible.h"

namespace limber {

namespace {

// A lane stops at this fraction of the met tolerance; double precision refines the result.
constexpr double lane_part = 0.5;
// Max steps from one start, and for the refinement of a result.
constexpr int max_lane_steps = 60;
constexpr int max_mending_steps = 12;
// Restarts in the first round.
constexpr int max_first_tries = 8;
constexpr double longest_step = 1.0;

Options thorough_options(const BatchOptions& options) {
  Options thorough = options.thorough;
  thorough.met_metres = options.met_metres;
  thorough.met_degrees = options.met_degrees;
  return thorough;
}

}  // namespace

BatchWorker::BatchWorker(const Problem& problem, std::span<const Goal> goals, MatX& poses, const BatchOptions& options,
                         std::size_t thread)
    : problem_(problem),
      goals_(goals),
      poses_(poses),
      options_(options),
      kernel_(*batch_kernel(options.lanes)),
      constraints_(problem.constraints().size()),
      alone_(problem),
      solver_(alone_),
      thorough_(thorough_options(options)),
      assembly_(problem_) {
  make_lanes();
  if (options_.device == Device::gpu) open_card(thread);
}

void BatchWorker::open_card(std::size_t thread) {
  if (!tables_) {
    count_.no_card = "These problems are not for a GPU, which solves simple ones only: they are solved one by one.";
    return;
  }
  Expected<CardWorkspace> card = CardWorkspace::open(thread);
  if (!card) {
    count_.no_card = "No GPU: found " + card.error().found + ", expected " + card.error().expected +
                     "; the processor solves the problems.";
    return;
  }
  count_.card = card->name();
  card_ = std::move(*card);
}

std::span<const Goal> BatchWorker::goals_of(std::size_t problem) const {
  return goals_.subspan(problem * constraints_, constraints_);
}

void BatchWorker::make_lanes() {
  if (poses_.cols() == 0 || constraints_ == 0) return;
  if (options_.thorough.method != Method::automatic && options_.thorough.method != Method::levenberg_marquardt) return;
  for (std::size_t c = 0; c < constraints_; ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    if (!constraint.counts()) continue;
    if (constraint.alternatives().size() != 1) return;
  }
  first_ = poses_.col(0);
  assembly_.start(first_, phi_);
  tables_ = assembly_.pins();
  // The lanes know boxes only, and have too few digits for rows that depend on others.
  if (tables_ && (tables_->coupling || tables_->plan().rows() > assembly_.variables())) tables_ = nullptr;
  if (!tables_) return;
  float_tables_ = converted<float>(*tables_);
  bases_.resize(static_cast<std::size_t>(tables_->bases));
  q_.resize(tables_->links.size());
  targets_.resize(2 * tables_->tasks.size());
  assembly_.pin_values(bases_.data(), q_.data(), targets_.data());

  std::vector<char> varies(problem_.figure().parameters().size(), 0);
  for (int i = 0; i < assembly_.variables(); ++i) varies[static_cast<std::size_t>(assembly_.parameter(i))] = 1;
  for (std::size_t j = 0; j < varies.size(); ++j)
    if (!varies[j]) fixed_.push_back(static_cast<int>(j));

  for (const TaskOf<double>& task : tables_->tasks) {
    const double chord = 2.0 * std::sin(0.5 * radians(options_.met_degrees));
    const double far_off = task.kind == TaskKind::point ? options_.met_metres : chord;
    enough_.push_back(far_off * far_off);
    float_enough_.push_back(static_cast<float>(lane_part * lane_part * far_off * far_off));
  }
  batch_.plan = float_tables_.plan();
  batch_.memory = lane_memory_.of(kernel_.room(batch_.plan));
  batch_.enough = float_enough_.data();
  batch_.max_iterations = max_lane_steps;
  batch_.longest_step = static_cast<float>(longest_step);
  check_.plan = tables_->plan();
  check_.memory = check_memory_.of(kernel_.check_room(check_.plan));
  check_.enough = enough_.data();
  quick_.plan = tables_->plan();
  quick_.memory = quick_memory_.of(quick_kernel().room(quick_.plan));
  quick_.enough = enough_.data();
  quick_.max_iterations = max_mending_steps;
  quick_.tolerance = thorough_.tolerance;
  quick_.longest_step = longest_step;
  make_starts();
}

void BatchWorker::make_starts() {
  Restart restart;
  restart.reserve(assembly_.limits());
  VecX start(assembly_.variables());
  for (int k = 1; k <= options_.lane_tries; ++k) {
    restart.spread(assembly_.limits(), k, start);
    for (const double x : start) starts_.push_back(static_cast<float>(x));
  }
}

// Whether the fixed parameters are as in the pose for which bases and q were computed.
bool BatchWorker::stands_alike(const Eigen::Ref<const VecX>& pose) const {
  return std::all_of(fixed_.begin(), fixed_.end(), [&](int j) { return pose[j] == first_[j]; });
}

void BatchWorker::stand_as(const Eigen::Ref<const VecX>& pose) {
  first_ = pose;
  assembly_.start(first_, phi_);
  unused_targets_.resize(targets_.size());
  assembly_.pin_values(bases_.data(), q_.data(), unused_targets_.data());
}

// Whether the fixed parameters are within their limits. If not, Solver must move them.
bool BatchWorker::keeps_other_limits(const Eigen::Ref<const VecX>& pose) const {
  const Figure& figure = problem_.figure();
  for (const int j : fixed_)
    if (!(pose[j] >= figure.parameters()[j].range.lower && pose[j] <= figure.parameters()[j].range.upper)) return false;
  for (const LimitRow& row : figure.limit_rows()) {
    double sum = -row.bound, scale = std::fmax(1.0, std::fabs(row.bound));
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      const double term = row.coefficients[k] * pose[row.parameters[k]];
      sum += term;
      scale = std::fmax(scale, std::fabs(term));
    }
    if ((row.relation == Relation::equal ? std::fabs(sum) : sum) > row_tolerance * scale) return false;
  }
  return true;
}

// Prepares a problem for the lanes. False if the lanes do not support it.
bool BatchWorker::fill(std::size_t problem, std::size_t at) {
  if (!assembly_.targets_of(goals_of(problem), targets_.data())) return false;
  const auto pose = poses_.col(static_cast<Eigen::Index>(problem));
  if (!keeps_other_limits(pose)) return false;
  if (!stands_alike(pose)) stand_as(pose);
  const std::size_t n = tables_->variables.size();
  for (std::size_t i = 0; i < n; ++i) {
    const VariableOf<double>& variable = tables_->variables[i];
    const double phi = pose[assembly_.parameter(static_cast<int>(i))] / variable.scale;
    double_x_[at * n + i] = std::clamp(phi, variable.lower, variable.upper);
    float_x_[at * n + i] = static_cast<float>(double_x_[at * n + i]);
  }
  if (at == 0 || !all_alike_) {
    const double* bases = bases_.front().x.v;
    std::copy(bases, bases + 12 * bases_.size(),
              double_bases_.begin() + static_cast<std::ptrdiff_t>(at * 12 * bases_.size()));
    std::copy(q_.begin(), q_.end(), double_q_.begin() + static_cast<std::ptrdiff_t>(at * q_.size()));
  }
  for (std::size_t k = 0; k < targets_.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      double_targets_[(at * targets_.size() + k) * 3 + static_cast<std::size_t>(axis)] = targets_[k][axis];
  return true;
}

// Takes the problems that are for the lanes into problems_, with their values.
void BatchWorker::prepare(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin, n = tables_->variables.size();
  stand_as(poses_.col(static_cast<Eigen::Index>(begin)));
  all_alike_ = true;
  for (std::size_t p = begin; p < end && all_alike_; ++p)
    all_alike_ = stands_alike(poses_.col(static_cast<Eigen::Index>(p)));
  const std::size_t stands = all_alike_ ? 1 : count;
  double_bases_.resize(stands * bases_.size() * 12);
  double_q_.resize(stands * q_.size());
  double_targets_.resize(count * targets_.size() * 3);
  float_x_.resize(count * n);
  double_x_.resize(count * n);
  problems_.clear();
  for (std::size_t p = begin; p < end; ++p)
    if (fill(p, problems_.size())) problems_.push_back(p);
}

void BatchWorker::run_lanes(std::size_t begin, std::size_t end, char* met) {
  prepare(begin, end);
  if (card_ && run_card(begin, met)) return;
  // Unsolved problems are run again together, from more starts, so that they do not leave other lanes idle.
  const int first_tries = std::min(options_.lane_tries, max_first_tries);
  lanes_once(0, first_tries, begin, met);
  if (problems_.empty() || first_tries == options_.lane_tries) return;
  for (std::size_t at = 0; at < problems_.size(); ++at) fill(problems_[at], at);
  lanes_once(first_tries, options_.lane_tries - first_tries, begin, met);
}

void BatchWorker::fill_call(CudaCall& call) {
  call.plan = tables_->plan();
  call.float_plan = float_tables_.plan();
  call.bases = double_bases_.data();
  call.base_stride = all_alike_ ? 0 : static_cast<long>(12 * bases_.size());
  call.q = double_q_.data();
  call.q_stride = all_alike_ ? 0 : static_cast<long>(q_.size());
  call.other_starts = starts_.data();
  call.max_tries = options_.lane_tries;
  call.enough = enough_.data();
  call.max_iterations = max_lane_steps;
  call.max_refinements = max_mending_steps;
  call.longest_step = longest_step;
}

const char* BatchWorker::run(CudaTrial& trial) {
  if (!card_) return count_.no_card.c_str();
  const auto count = static_cast<std::size_t>(poses_.cols());
  prepare(0, count);
  if (problems_.size() != count) return "problems that are not for a GPU";
  fill_call(trial.call);
  trial.start = double_x_.data();
  if (count > 1) {
    trial.given = static_cast<long>(count);
    trial.given_targets = double_targets_.data();
    trial.given_x = double_x_.data();
  }
  return card_->run(trial);
}

// Runs all of problems_ on the card; those that are not met stay in problems_. False if the card fails.
bool BatchWorker::run_card(std::size_t begin, char* met) {
  checked_met_.assign(problems_.size(), 0);
  CudaCall call;
  fill_call(call);
  call.count = static_cast<long>(problems_.size());
  call.targets = double_targets_.data();
  call.x = double_x_.data();
  call.met = checked_met_.data();
  if (const char* const why = card_->solve(call)) {
    count_.no_card = "The GPU failed: " + std::string(why) + "; the processor solved the remaining problems.";
    card_.reset();
    for (std::size_t at = 0; at < problems_.size(); ++at) fill(problems_[at], at);
    return false;
  }
  count_.lane_steps += call.iterations;
  count_.kernel_seconds += call.kernel_seconds;
  std::size_t unmet = 0;
  for (std::size_t at = 0; at < problems_.size(); ++at) {
    if (checked_met_[at])
      keep_answer(at, begin, met);
    else
      problems_[unmet++] = problems_[at];
  }
  problems_.resize(unmet);
  return true;
}

// Takes the answer of the lanes for a problem that is met.
void BatchWorker::keep_answer(std::size_t at, std::size_t begin, char* met) {
  const std::size_t p = problems_[at], n = tables_->variables.size();
  met[p - begin] = 1;
  phi_ = Eigen::Map<const VecX>(double_x_.data() + at * n, static_cast<Eigen::Index>(n));
  theta_ = poses_.col(static_cast<Eigen::Index>(p));
  assembly_.theta_of(phi_, theta_);
  poses_.col(static_cast<Eigen::Index>(p)) = theta_;
}

// Runs all of problems_ through the lanes and checks the results; those that are not met stay in problems_.
void BatchWorker::lanes_once(int first_start, int tries, std::size_t begin, char* met) {
  const std::size_t n = tables_->variables.size();
  float_bases_.assign(double_bases_.begin(), double_bases_.end());
  float_q_.assign(double_q_.begin(), double_q_.end());
  float_targets_.assign(double_targets_.begin(), double_targets_.end());
  lane_met_.assign(problems_.size(), 0);
  checked_met_.assign(problems_.size(), 0);
  batch_.count = check_.count = static_cast<int>(problems_.size());
  batch_.bases = float_bases_.data();
  batch_.q = float_q_.data();
  batch_.base_stride = check_.base_stride = all_alike_ ? 0 : static_cast<long>(12 * bases_.size());
  batch_.q_stride = check_.q_stride = all_alike_ ? 0 : static_cast<long>(q_.size());
  batch_.targets = float_targets_.data();
  batch_.x = float_x_.data();
  batch_.met = lane_met_.data();
  batch_.other_starts = starts_.data() + static_cast<std::ptrdiff_t>(n) * first_start;
  batch_.max_tries = tries;
  batch_.iterations = 0;
  kernel_.solve(batch_);
  count_.lane_steps += batch_.iterations;

  for (std::size_t at = 0; at < problems_.size(); ++at) take_answer(at);
  check_.bases = double_bases_.data();
  check_.q = double_q_.data();
  check_.targets = double_targets_.data();
  check_.x = double_x_.data();
  check_.met = checked_met_.data();
  kernel_.check(check_);
  std::size_t left = 0;
  for (std::size_t at = 0; at < problems_.size(); ++at) {
    if (checked_met_[at] || (lane_met_[at] && mend(at)))
      keep_answer(at, begin, met);
    else
      problems_[left++] = problems_[at];
  }
  problems_.resize(left);
}

// Converts a result of the lanes to double precision, exactly on its active bounds.
void BatchWorker::take_answer(std::size_t at) {
  const std::size_t n = tables_->variables.size();
  for (std::size_t i = 0; i < n; ++i) {
    const VariableOf<double>& variable = tables_->variables[i];
    const float x = float_x_[at * n + i];
    double& to = double_x_[at * n + i];
    to = std::clamp(static_cast<double>(x), variable.lower, variable.upper);
    if (x == float_tables_.variables[i].lower) to = variable.lower;
    if (x == float_tables_.variables[i].upper) to = variable.upper;
  }
}

// A few steps in double precision, for a result that is not exact enough.
bool BatchWorker::mend(std::size_t at) {
  quick_.bases = double_bases_.data() + (all_alike_ ? 0 : at * bases_.size() * 12);
  quick_.q = double_q_.data() + (all_alike_ ? 0 : at * q_.size());
  quick_.targets = double_targets_.data() + at * targets_.size() * 3;
  quick_.x = double_x_.data() + at * tables_->variables.size();
  quick_kernel().solve(quick_);
  return quick_.exit == QuickExit::met;
}

bool BatchWorker::solve_alone(std::size_t problem) {
  const std::span<const Goal> goals = goals_of(problem);
  for (std::size_t c = 0; c < constraints_; ++c)
    if (alone_.constraints()[c].alternatives().size() == 1)
      static_cast<void>(alone_.set_goal(alone_.constraints()[c].id, goals[c]));
  pose_.theta = poses_.col(static_cast<Eigen::Index>(problem));
  const Report& report = solver_.solve(pose_, thorough_);
  poses_.col(static_cast<Eigen::Index>(problem)) = pose_.theta;
  if (options_.reported) options_.reported(problem, report);
  return report.met();
}

void BatchWorker::solve(std::size_t begin, std::size_t end, char* met) {
  std::fill(met, met + (end - begin), 0);
  if (tables_) run_lanes(begin, end, met);
  for (std::size_t p = begin; p < end; ++p) {
    if (met[p - begin]) {
      ++count_.in_lanes;
      continue;
    }
    met[p - begin] = solve_alone(p);
    ++count_.one_by_one;
  }
}

}  // namespace limber
