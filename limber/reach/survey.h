// One run over a map: the next cells, their solves, and what follows from the results.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "limber/reach/bounds.h"
#include "limber/reach/reach.h"
#include "limber/reach/wave.h"
#include "limber/reach/witness.h"

namespace limber {

class ReachSurvey {
 public:
  // The constraint on the handle must be the last of `problem`; all arguments must outlive this.
  ReachSurvey(const Problem& problem, const ReachBounds& bounds, const ReachOptions& options, ReachMap& map);

  // Until the map is finished, or the caller stops it.
  Expected<void> run();

  // The coarsest cells, for a new map.
  void lay_out(const ReachBounds::Box& box);

 private:
  struct Job {
    int cell = 0;
    int seed = -1;  // cell whose pose is the start; -1: the base, and starts all over the limits
    int bit = 0;    // of ReachCell::tried
  };

  ReachCell& cell(int id) { return map_.cells[static_cast<std::size_t>(id)]; }
  void set_void_side();
  int parent_of(const ReachCell& cell) const;
  bool is_open(const ReachCell& cell) const;
  bool was_tried(const ReachCell& cell, int other) const;
  bool next_job(int id, Job& job) const;
  std::vector<Job> next_wave();
  Expected<void> solve(const std::vector<Job>& jobs);
  Expected<void> solve(std::span<const Job> jobs, int restarts);
  void take(const Job& job, const VecX& theta, std::span<const Goal> goals, const ReachAnswer& answer);
  void keep(int id, const VecX& theta, const WitnessCheck::Result& result);
  void spread_from(int id);
  void open_around(int id);

  bool refine();
  std::vector<int> to_cut() const;
  bool contains_void(const ReachCell& cell) const;
  void cut(int id);
  void begin(int id);
  bool is_within_an_empty_ball(const ReachCell& cell, int& ancestor) const;

  const Problem& problem_;
  const ReachBounds& bounds_;
  const ReachOptions& options_;
  ReachMap& map_;
  WitnessCheck check_;
  WaveSolver solver_;
  bool is_plain_ = true;  // no other constraint counts, and no orientation: solves minimise the distance to the set
  std::vector<double> start_distances_;  // by variable
  double void_side_ = 0.0;
  std::set<int> open_;  // cells that may have a job
  ReachProgress progress_;
  std::vector<Goal> goals_;
};

}  // namespace limber
