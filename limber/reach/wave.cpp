#include "limber/reach/wave.h"

#include <algorithm>

#include "limber/batch/solve_batch.h"

namespace limber {

namespace {

// KKT tolerance of a solve, relative to tolerance over figure length: at a distance of the tolerance from the boundary,
// the error of the handle along it is about this fraction of the tolerance.
constexpr double solve_part = 0.03;
constexpr int max_iterations = 200;

bool is_answer(Exit exit) { return exit == Exit::converged || exit == Exit::met || exit == Exit::stalled; }

}  // namespace

WaveSolver::WaveSolver(const Problem& problem, const ReachOptions& options, double tolerance)
    : problem_(problem), options_(options), tolerance_(tolerance), reached_(problem.constraints().size() - 1) {
  for (const Constraint& constraint : problem.constraints())
    looks_at_point_.push_back(std::find(options.looking.begin(), options.looking.end(), constraint.id) !=
                              options.looking.end());
}

void WaveSolver::add_goals_at(const Vec3& x, std::vector<Goal>& goals) const {
  for (std::size_t c = 0; c < reached_; ++c) {
    const std::span<const Alternative> own = problem_.constraints()[c].alternatives();
    goals.push_back(own.size() == 1 ? own.front().goal : Goal{});
    if (looks_at_point_[c]) std::get<AimAt>(goals.back()).p = x;
  }
  if (options_.orientation)
    goals.emplace_back(Placement{x, orientation(*options_.orientation)});
  else
    goals.emplace_back(Position{x});
}

ReachAnswer WaveSolver::answer_of(const Report& report) const {
  ReachAnswer answer{is_answer(report.exit), {}};
  const Figure& figure = problem_.figure();
  const auto parameters = static_cast<int>(figure.parameters().size());
  std::size_t k = 0;
  for (const HoldingLimit& limit : report.constraints[reached_].held_back_by) {
    if (k == max_held_back) break;
    HeldBack& out = answer.held_back_by[k++];
    out.share = static_cast<float>(limit.share);
    if (limit.parameter >= 0) {
      const Parameter& parameter = figure.parameters()[static_cast<std::size_t>(limit.parameter)];
      out.limit = 2 * limit.parameter + (limit.name == parameter.upper_name ? 1 : 0);
      continue;
    }
    const auto& rows = figure.limit_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const LimitRow& candidate) { return candidate.name == limit.name; });
    out.limit = 2 * parameters + static_cast<std::int32_t>(row - rows.begin());
  }
  return answer;
}

Expected<ReachAnswers> WaveSolver::solve(std::span<const Goal> goals, MatX starts, int restarts) const {
  ReachAnswers out{std::move(starts), {}};
  out.answers.resize(static_cast<std::size_t>(out.poses.cols()), {true, {}});
  BatchOptions batch;
  batch.met_metres = tolerance_;
  batch.met_degrees = options_.met_degrees;
  batch.lanes = options_.lanes;
  batch.lane_tries = restarts;
  batch.threads = options_.threads;
  batch.thorough.until_met = true;
  batch.thorough.restarts = restarts;
  batch.thorough.tolerance = solve_part * tolerance_ / problem_.figure().length();
  batch.thorough.iterations = max_iterations * (1 + restarts);
  batch.reported = [&](std::size_t p, const Report& report) { out.answers[p] = answer_of(report); };
  const Expected<BatchReport> done = solve_batch(problem_, goals, out.poses, batch);
  if (!done) return std::unexpected(done.error());
  return out;
}

}  // namespace limber
