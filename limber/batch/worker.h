// Solves parts of a batch; one worker per thread. The result of a problem does not depend on what it solved before.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/batch/card.h"
#include "limber/batch/solve_batch.h"
#include "limber/kinematics/linkage.h"
#include "limber/lanes/batch.h"
#include "limber/lanes/memory.h"
#include "limber/lanes/quick.h"
#include "limber/problem/assembly.h"
#include "limber/problem/pins.h"
#include "limber/solver/restart.h"
#include "limber/solver/solve.h"

namespace limber {

class BatchWorker {
 public:
  // `thread`: its number, from 0.
  BatchWorker(const Problem& problem, std::span<const Goal> goals, MatX& poses, const BatchOptions& options,
              std::size_t thread);

  struct Count {
    std::size_t in_lanes = 0, one_by_one = 0;
    long lane_steps = 0;
    double kernel_seconds = 0.0;
    std::string card, no_card;  // see BatchReport
  };
  // The problems from begin up to end; met gets one entry each.
  void solve(std::size_t begin, std::size_t end, char* met);
  const Count& count() const { return count_; }
  // Problems of the kind of this batch, made and solved on the card: random ones, if the batch has one, else those of
  // the batch again and again. Null, or what went wrong.
  const char* run(CudaTrial& trial);

 private:
  void make_lanes();
  void make_starts();
  bool fill(std::size_t problem, std::size_t at);
  bool keeps_other_limits(const Eigen::Ref<const VecX>& pose) const;
  bool stands_alike(const Eigen::Ref<const VecX>& pose) const;
  void stand_as(const Eigen::Ref<const VecX>& pose);
  void prepare(std::size_t begin, std::size_t end);
  void run_lanes(std::size_t begin, std::size_t end, char* met);
  void open_card(std::size_t thread);
  void fill_call(CudaCall& call);
  bool run_card(std::size_t begin, char* met);
  void keep_answer(std::size_t at, std::size_t begin, char* met);
  void lanes_once(int first_start, int tries, std::size_t begin, char* met);
  void take_answer(std::size_t at);
  bool mend(std::size_t at);
  bool solve_alone(std::size_t problem);
  std::span<const Goal> goals_of(std::size_t problem) const;

  Problem problem_;
  std::span<const Goal> goals_;
  MatX& poses_;
  BatchOptions options_;
  const BatchKernel& kernel_;
  std::size_t constraints_;
  Count count_;

  // For problems solved one by one: a separate problem, so that these solves do not affect the lanes.
  Problem alone_;
  Solver solver_;
  Options thorough_;
  Pose pose_;

  // In lanes, of the processor or of a card.
  std::optional<CardWorkspace> card_;
  Assembly assembly_;
  const PinTables<double>* tables_ = nullptr;
  PinTables<float> float_tables_;
  bool all_alike_ = true;   // in a part all have the same bases and q
  std::vector<int> fixed_;  // parameters that are not variables
  VecX first_;              // the pose for which bases and q were computed
  VecX phi_, theta_;
  std::vector<PackedFrame> bases_;
  std::vector<double> q_, enough_;
  std::vector<Packed> targets_, unused_targets_;
  std::vector<float> float_bases_, float_q_, float_targets_, float_x_, float_enough_, starts_;
  std::vector<double> double_bases_, double_q_, double_targets_;
  std::vector<unsigned char> lane_met_, checked_met_;
  std::vector<std::size_t> problems_;  // that are in the lanes, in order
  LaneMemory lane_memory_, quick_memory_;
  LaneMemory check_memory_;
  std::vector<double> double_x_;
  BatchCall batch_;
  BatchCheck check_;
  QuickCall quick_;
};

}  // namespace limber
