// Single frames of a motion, with the goals of the whole: where solve_motion() starts, how it mends a frame, and which
// demands cannot hold together in one. Private to motion/timed/.
#pragma once

#include <vector>

#include "limber/motion/timed/program.h"

namespace limber {

class FrameProgram {
 public:
  // The arguments must outlive it. With contacts, a frame holds if it is clear too.
  FrameProgram(const TimedProblem& timed, const Clip& given, const MotionOptions& options,
               MotionContacts* contacts = nullptr);

  // Solves the frames one after the other, each from the change of the one before. Rejected if a moving goal is
  // invalid.
  Expected<void> solve_all();
  // Of the last solve_all(): the changes, one column per frame, and whether the hard demands of a frame hold with them.
  const MatX& changes() const { return changes_; }
  bool holds(int frame);

  // Moves a pose to the nearest one in which the fully active hard demands of the frame hold; false if none was found.
  bool project(int frame, VecX& theta);

  // Fully active hard demands that cannot hold together in the frame, though any of them can be left out to let the
  // others hold; empty if none was found. Tried from this pose and from the given one. One solve per demand (deletion
  // filter: Chinneck and Dravnieks 1991). The time is in frames.
  std::vector<int> contradiction(double time, const VecX& theta);

 private:
  std::vector<char> locks_at(double time) const;
  bool solve_only(const std::vector<char>& demands, double time, const VecX& theta);

  const TimedProblem& timed_;
  const Clip& given_;
  const MotionOptions& options_;
  MotionProgram program_;
  MotionContacts* contacts_;
  Clip frame_;  // the single frame
  MatX changes_;
};

}  // namespace limber
