#include "limber/batch/solve_batch.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#ifndef __wasm__
#include <thread>
#endif

#include "limber/base/number.h"
#include "limber/batch/worker.h"
#include "limber/solver/check.h"
#include "limber/solver/methods.h"

namespace limber {

namespace {

// Problems that a worker takes at a time: enough to keep the lanes full until shortly before the end, few enough to
// share them among threads.
constexpr std::size_t longest_stretch = 8192;
constexpr std::size_t shortest_stretch = 256;
constexpr std::size_t stretches_a_thread = 4;
// Of a card, which runs so many at the same time.
constexpr std::size_t longest_card_stretch = 1 << 18;

std::size_t threads_for(const BatchOptions& options, std::size_t count) {
#ifdef __wasm__
  static_cast<void>(options);
  static_cast<void>(count);
  return 1;
#else
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const auto asked = options.threads > 0 ? static_cast<std::size_t>(options.threads) : cores;
  return std::clamp<std::size_t>(asked, 1, count / shortest_stretch + 1);
#endif
}

// The error in the arguments, if any.
std::optional<Diagnostic> complaint(const Problem& problem, std::span<const Goal> goals, const MatX& poses,
                                    const BatchOptions& options) {
  if (!problem.rejections().empty()) return problem.rejections().front();
  const auto count = static_cast<std::size_t>(poses.cols());
  const std::size_t constraints = problem.constraints().size();
  if (static_cast<std::size_t>(poses.rows()) != problem.figure().parameters().size())
    return Diagnostic{"poses", std::to_string(poses.rows()) + " rows",
                      std::to_string(problem.figure().parameters().size()) + ", one per parameter of the figure"};
  if (goals.size() != count * constraints)
    return Diagnostic{"goals", std::to_string(goals.size()),
                      std::to_string(count * constraints) + ": one per constraint, " + std::to_string(constraints) +
                          ", for each of the " + std::to_string(count) + " poses"};
  if (!batch_kernel(options.lanes))
    return Diagnostic{"options, lanes", std::to_string(options.lanes),
                      "0, or 4, 8 or 16 where this processor has them"};
  if (options.threads < 0) return Diagnostic{"options, threads", std::to_string(options.threads), "0 or more"};
  const Options& thorough = options.thorough;
  if (std::optional<Diagnostic> wrong = rejection(thorough, problem.figure())) {
    wrong->where.insert(std::string_view("options, ").size(), "thorough, ");
    return wrong;
  }
  if (std::optional<Diagnostic> cannot = rejection(problem, chosen_method(thorough))) return cannot;
  if (options.lane_tries < 0) return Diagnostic{"options, lane_tries", std::to_string(options.lane_tries), "0 or more"};
  if (!(options.met_metres > 0.0) || !(options.met_degrees > 0.0))
    return Diagnostic{"options, met_metres and met_degrees", "a number that is not above 0", "numbers above 0"};
  // Every goal is checked here, once, so that a worker need not.
  Problem probe(problem);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t c = 0; c < constraints; ++c) {
      const Constraint& constraint = probe.constraints()[c];
      if (constraint.alternatives().size() != 1) continue;
      const Expected<void> set = probe.set_goal(constraint.id, goals[p * constraints + c]);
      if (!set)
        return Diagnostic{"goals, problem " + std::to_string(p) + ", " + set.error().where, set.error().found,
                          set.error().expected};
    }
    if (!poses.col(static_cast<Eigen::Index>(p)).allFinite())
      return Diagnostic{"poses, column " + std::to_string(p), "a number that is not finite", "finite numbers"};
  }
  return std::nullopt;
}

}  // namespace

Expected<BatchReport> solve_batch(const Problem& problem, std::span<const Goal> goals, MatX& poses,
                                  const BatchOptions& options) {
  if (std::optional<Diagnostic> wrong = complaint(problem, goals, poses, options))
    return std::unexpected(std::move(*wrong));
  const auto count = static_cast<std::size_t>(poses.cols());
  BatchReport report;
  report.met.assign(count, 0);
  const std::size_t threads = threads_for(options, count);
  const std::size_t stretch = std::clamp(count / (threads * stretches_a_thread), shortest_stretch,
                                         options.device == Device::gpu ? longest_card_stretch : longest_stretch);
  const std::size_t stretches = (count + stretch - 1) / stretch;
  std::atomic<std::size_t> next = 0;
  std::vector<BatchWorker::Count> counts(threads);
  const auto work = [&](std::size_t thread) {
    BatchWorker worker(problem, goals, poses, options, thread);
    for (std::size_t k = next++; k < stretches; k = next++)
      worker.solve(k * stretch, std::min(count, (k + 1) * stretch), report.met.data() + k * stretch);
    counts[thread] = worker.count();
  };
#ifndef __wasm__
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
#else
  work(0);
#endif
  for (const BatchWorker::Count& part : counts) {
    report.in_lanes += part.in_lanes;
    report.one_by_one += part.one_by_one;
    report.lane_steps += part.lane_steps;
    report.kernel_seconds += part.kernel_seconds;
    if (report.card.empty()) report.card = part.card;
    if (report.no_card.empty()) report.no_card = part.no_card;
  }
  report.met_count = static_cast<std::size_t>(std::count(report.met.begin(), report.met.end(), 1));
  return report;
}

}  // namespace limber
