// What every solve promises (P3 to P6), on problems drawn as widely as they are accepted: figures of 1 to 200 degrees
// of freedom, bones from a micrometre to a thousand kilometres, some of no length, slides, groups, linear limits, hard
// constraints, priorities, goals out of reach, every method, with default options or with others, cancelled anywhere.
//
// A problem has levels: hard constraints, then priority 1, 2, … With L_k = Σ ‖r‖² over the rows of level k, a pose is
// no worse than another one where the first L_k that differs is smaller. Each problem is solved once, and once more to
// be cancelled.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace promise_law_test {

// Values that differ by less than this part were added up in different orders.
constexpr double rounding = 1e-9;
// Rows of the levels above are kept to this, in lengths of the figure: by the method itself, or in rounds.
constexpr double kept_by_method = 1e-12, kept_in_rounds = 1e-9;
// Where an earlier level is at a minimum above 0, its value is flat: steps that its rounding hides move later rows by
// so much. Out of reach by lengths of the figure, rounding hides any step.
constexpr double kept_where_flat = 1e-6, flat_part = 1e-3, out_of_reach = 1.0;
// Another start may give an answer that is better in a later level if the earlier ones differ by less than this.
constexpr double same_part = 1e-3, same_square = 1e-16;
// Two ways of rounding a residual at the tolerance, and limits that one side takes as active.
constexpr double kkt_rounding = 1.01;
// Few iterations, so that many problems can be drawn.
constexpr int few_iterations = 40;

Options any_options(const Case& made) {
  Random random(made.seed + 1);
  Options options;
  const bool has_levels =
      std::ranges::any_of(made.constraints, [](const ConstraintSpec& spec) { return spec.priority != first_level; });
  const int method = random.chance(0.4) ? 0 : random.integer(1, static_cast<int>(std::size(method_table)) - 1);
  options.method = method_table[has_levels ? std::min(method, 1) : method].method;
  if (random.chance(0.5)) options.restarts = random.integer(0, 4);
  const bool is_small = made.start.size() <= 8 && method <= 1;
  if (!is_small || random.chance(0.5)) options.iterations = random.integer(0, few_iterations);
  options.until_met = random.chance(0.2);
  return options;
}

// The L_k of poses of one problem.
class Levels {
 public:
  Levels(const Problem& problem, const VecX& start) : assembly_(problem) { assembly_.start(start, phi_); }

  const VecX& at(const VecX& theta) {
    assembly_.variables_of(theta, phi_);
    assembly_.residual(phi_, r_);
    values_.resize(static_cast<Eigen::Index>(assembly_.level_ends().size()));
    int begin = 0;
    for (Eigen::Index k = 0; k < values_.size(); ++k) {
      const int end = assembly_.level_ends()[static_cast<std::size_t>(k)];
      values_[k] = r_.segment(begin, end - begin).squaredNorm();
      begin = end;
    }
    return values_;
  }
  Assembly& assembly() { return assembly_; }

 private:
  Assembly assembly_;
  VecX phi_, r_, values_;
};

// How much a value may grow and count as equal.
struct Slack {
  double part = 0.0;      // of it
  double kept = 0.0;      // of each of its rows
  double absolute = 0.0;  // of it

  double of(double value) const {  // rows that are each kept to ε change their squares by 2 ε r
    return part * value + 2.0 * kept * std::sqrt(value) + kept * kept + absolute;
  }
};

bool is_worse(const VecX& levels, const VecX& than, Slack slack) {
  for (Eigen::Index k = 0; k < levels.size(); ++k) {
    if (levels[k] > than[k] + slack.of(than[k])) return true;
    if (levels[k] < than[k]) return false;
    if (levels[k] > out_of_reach) return false;
    if (levels[k] > 0.0) slack = {flat_part, std::fmax(slack.kept, kept_where_flat), slack.absolute};
  }
  return false;
}

std::string text_of(const VecX& levels) {
  std::string text;
  for (const double level : levels) text += (text.empty() ? "" : ", ") + to_text(level);
  return "(" + text + ")";
}

// What an observer sees of one solve.
class Watch {
 public:
  Watch(const Built& built, const Options& options, const VecX& start)
      : built_(built), row_(row_of(options.method)), levels_(built.problem, start), best_(levels_.at(start)) {
    slack_ = {rounding, row_.linear_limits && row_.locks ? kept_by_method : kept_in_rounds, 0.0};
    if (options.restarts != 0 && best_.size() > 1 && !levels_.assembly().has_one_level())
      slack_.part = same_part, slack_.absolute = same_square;
  }

  void see(const Progress& progress) {
    path_.push_back(progress.pose.theta);
    if (!wrong_.empty()) return;
    if (progress.iteration != static_cast<int>(path_.size())) fail("has another number");
    check(progress.pose.theta, progress.objective);
  }
  void end(const VecX& answer, const Report& report) {
    if (!wrong_.empty()) return;
    path_.push_back(answer);
    check(answer, report.objective);
    path_.pop_back();
    if (!wrong_.empty()) wrong_ = "the answer after " + wrong_;
    if (wrong_.empty() && report.iterations != static_cast<int>(path_.size())) wrong_ = "an iteration is not shown";
  }
  // `converged` means what it says, by code that the solver does not share.
  std::string wrong_end(const VecX& answer, double tolerance) {
    VecX phi, g(levels_.assembly().variables());
    levels_.assembly().variables_of(answer, phi);
    levels_.assembly()(phi, g);
    const double kkt = reference_kkt(built_.problem, answer, g);
    return kkt <= kkt_rounding * tolerance ? "" : "converged with a Kuhn-Tucker residual of " + to_text(kkt);
  }
  bool has_one_level() { return levels_.assembly().has_one_level(); }
  const std::string& wrong() const { return wrong_; }
  const std::vector<VecX>& path() const { return path_; }

 private:
  void fail(const std::string& what) { wrong_ = "iteration " + std::to_string(path_.size()) + " " + what; }
  void check(const VecX& theta, double objective) {
    if (!theta.allFinite() || !std::isfinite(objective)) return fail("is not finite");
    if (const double defect = limit_defect(built_.figure, theta); !(defect <= 1.0))
      return fail("is off a limit by " + to_text(defect) + " of what is allowed");
    if (!row_.descends) return;
    const VecX& now = levels_.at(theta);
    if (is_worse(now, best_, slack_)) return fail("is worse: " + text_of(now) + " after " + text_of(best_));
    const double sum = levels_.assembly().objective_scale() * now.tail(now.size() - 1).sum();
    if (std::fabs(objective - sum) > rounding * std::fmax(sum, 1e-3 * levels_.assembly().objective_scale()))
      return fail("has the objective " + to_text(sum) + ", reported " + to_text(objective));
    best_ = now;
  }

  const Built& built_;
  const MethodRow& row_;
  Levels levels_;
  VecX best_;
  Slack slack_;
  std::vector<VecX> path_;
  std::string wrong_;
};

std::string keeps_every_promise(const Case& made) {
  const Built built = build(made);
  Options options = any_options(made);
  // The start, moved within the limits: what Hold holds.
  Pose start = built.start;
  const Report before = solve(built.problem, start, {.iterations = 0});
  if (before.exit == Exit::rejected || before.exit == Exit::infeasible) return "rejected: " + to_text(before);

  Watch watch(built, options, start.theta);
  options.observer = [&](const Progress& progress) { return watch.see(progress), true; };
  Pose pose = built.start;
  const Report report = solve(built.problem, pose, options);
  const std::string which = std::string(name_of(options.method)) + ": ";
  if (report.exit == Exit::rejected || report.exit == Exit::infeasible || report.exit == Exit::not_finite)
    return which + "rejected: " + to_text(report);
  watch.end(pose.theta, report);
  if (!watch.wrong().empty()) return which + watch.wrong();
  if (report.exit == Exit::met && !report.met()) return which + "ends as met, and is not";

  if (report.exit == Exit::converged && row_of(report.method).restarts && watch.has_one_level())
    if (const std::string wrong = watch.wrong_end(pose.theta, options.tolerance); !wrong.empty()) return which + wrong;

  const std::vector<VecX>& path = watch.path();
  if (path.empty()) return {};
  Random random(made.seed + 2);
  const auto stop = static_cast<std::size_t>(random.integer(1, static_cast<int>(path.size())));
  std::size_t calls = 0;
  options.observer = [&](const Progress&) { return ++calls < stop; };
  Pose stopped = built.start;
  const Report cut = solve(built.problem, stopped, options);
  const std::string when = which + "cancelled at " + std::to_string(stop) + ", ";
  if (cut.exit != Exit::cancelled && cut.exit != Exit::met) return when + "it ends as " + name_of(cut.exit);
  if (calls != stop) return when + "it goes on";
  if (stopped.theta != path[stop - 1]) return when + "the answer is another pose than was shown";
  return {};
}

// In parts, which ctest runs in parallel.
class EverySolve : public ::testing::TestWithParam<int> {};

constexpr int parts = 10;

TEST_P(EverySolve, KeepsEveryPromise) {
  const bool has_rows = GetParam() % 2 == 0;
  CaseKind kind{.constraints_max = 4, .rows = has_rows, .levels = true, .decades = has_rows ? 3.0 : 6.0};
  const std::string name = "promises " + std::to_string(GetParam());
  // Ten times as many again in a long run: a million.
  const int count = 10'000 / parts * (length_of_laws() == "long" ? 10 : 1);
  check_law((name + ", small").c_str(), count * 8 / 10, kind, keeps_every_promise);
  kind.freedoms_min = 12, kind.freedoms_max = 50;
  check_law((name + ", medium").c_str(), count * 18 / 100, kind, keeps_every_promise);
  kind.freedoms_min = 50, kind.freedoms_max = 200;
  check_law((name + ", large").c_str(), count * 2 / 100, kind, keeps_every_promise);
}

INSTANTIATE_TEST_SUITE_P(Random, EverySolve, ::testing::Range(0, parts));

}  // namespace promise_law_test
}  // namespace limber::law
