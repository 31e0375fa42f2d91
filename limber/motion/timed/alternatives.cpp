#include "limber/motion/timed/alternatives.h"

#include <algorithm>

#include "limber/base/index.h"
#include "limber/motion/timed/program.h"

namespace limber {

namespace {

// Frames of a span that are solved for each alternative.
constexpr int max_samples = 8;
constexpr int max_sample_iterations = PlaybackOptions{}.iterations;
// Relative to the figure's length: what is left of a hard demand that is met must cost less than any change.
constexpr double sample_exact = 1e-7;

class Choice {
 public:
  Choice(TimedProblem& problem, const Clip& given, double begin, double guide)
      : problem_(problem), given_(given), begin_(begin), program_(problem, guide, 0.0), frame_{given.name} {
    frame_.frame_time = given.frame_time;
    program_.schedule().hold(given, Schedule::HoldAt::span_start);
  }

  Expected<void> run() {
    std::vector<int> order;
    for (int group = 0; group < problem_.groups(); ++group)
      if (problem_.is_open(group)) order.push_back(group);
    std::ranges::stable_sort(order, {}, [&](int group) { return span_of(group).begin(); });
    for (const int group : order)
      if (const Expected<void> done = choose(group); !done) return done;
    return {};
  }

 private:
  const Span& span_of(int group) const { return std::ranges::find(problem_.demands(), group, &Demand::group)->span; }

  // Evenly over the frames in which the span is active, with the first and the last of them.
  std::vector<int> samples_of(const Span& span) const {
    std::vector<int> frames;
    for (int k = 0; k < given_.frames(); ++k)
      if (span.activity(begin_ + k * given_.frame_time) > 0.0) frames.push_back(k);
    if (static_cast<int>(frames.size()) <= max_samples) return frames;
    std::vector<int> samples;
    samples.reserve(max_samples);
    for (std::size_t s = 0; s < max_samples; ++s)
      samples.push_back(frames[s * (frames.size() - 1) / (max_samples - 1)]);
    return samples;
  }

  Expected<void> choose(int group) {
    const std::vector<int> samples = samples_of(span_of(group));
    if (samples.empty()) return {};
    // Only what is decided, and this group.
    std::vector<char> counts;
    counts.reserve(problem_.demands().size());
    for (const Demand& demand : problem_.demands())
      counts.push_back(demand.group == Demand::no_group || demand.group == group || !problem_.is_open(demand.group));
    program_.schedule().limit_to(counts);
    int best = -1;
    double least = infinity;
    for (std::size_t d = 0; d < problem_.demands().size(); ++d) {
      if (problem_.demands()[d].group != group) continue;
      problem_.take(static_cast<int>(d));
      const Expected<double> cost = cost_of(samples);
      if (!cost) return std::unexpected(cost.error());
      if (best >= 0 && !(*cost < least)) continue;
      best = static_cast<int>(d);
      least = *cost;
    }
    problem_.take(best);
    return {};
  }

  Expected<double> cost_of(const std::vector<int>& samples) {
    double cost = 0.0;
    bool is_first = true;
    for (const int k : samples) {
      frame_.poses = given_.poses.col(k);
      const MatX before = is_first ? MatX() : program_.changes();
      if (const Expected<void> ready = program_.set_given(frame_, begin_ + k * given_.frame_time); !ready)
        return std::unexpected(ready.error());
      if (!is_first) program_.start_from(before);
      is_first = false;
      MotionReport report;
      program_.solve(max_sample_iterations, sample_exact, {}, report);
      cost += program_.cost(0);
    }
    return cost;
  }

  TimedProblem& problem_;
  const Clip& given_;
  const double begin_;
  MotionProgram program_;  // of the problem, whose choices it follows
  Clip frame_;             // the single frame
};

}  // namespace

Expected<void> choose_alternatives(TimedProblem& problem, const Clip& given, double begin, double guide) {
  if (!problem.is_open()) return {};
  return Choice(problem, given, begin, guide).run();
}

Expected<TimedProblem> settled(TimedProblem problem, const Clip& given, double guide) {
  if (const Expected<void> done = choose_alternatives(problem, given, 0.0, guide); !done)
    return std::unexpected(done.error());
  for (std::size_t d = 0; d < problem.demands().size(); ++d)
    if (const int group = problem.demands()[d].group; group != Demand::no_group && problem.is_open(group))
      problem.take(static_cast<int>(d));
  return problem;
}

}  // namespace limber
