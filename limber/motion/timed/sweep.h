// What lies between two frames of a motion: where a figure is too near to obstacles, or to itself, while its parameters
// go linearly from one pose to the next. Private to motion/timed/.
//
// Conservative subdivision. A point x of a capsule whose joints turn by Δq_j in the interval has
//
//   |x''| <= B = Σ_j ρ_j |Δq_j| (|Δq_j| + 2 Σ_{i above j} |Δq_i|)
//
// with ρ_j the largest distance of the capsule from the axis of j, so that over a part h of the interval the capsule
// stays within h² B / 8 of where its core goes in straight lines. A convex obstacle lies behind the plane through its
// nearest point, and so the gap is at least the lowest of the four ends of the core above that plane, less h² B / 8. An
// interval that this does not show to be clear is halved, nine times at most; then it counts as clear, as its ends are.
// That misses no more than a sagitta: for a hand that goes 0.2 m between two frames, along a rod of 5 mm, 4 µm.
// A mesh has no such plane: its gap changes by no more than the capsule moves.
//
// Cost: a few poses for each interval near an obstacle, one for any other.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/problem/problem.h"

namespace limber {

// A pair of a clearance that is too near at some time between two frames.
struct SweepPair {
  int clearance = 0;
  int capsule = 0;
  int obstacle = no_index;  // else a pair of capsules:
  int pair = no_index;      // its number in the clearance

  bool operator==(const SweepPair&) const = default;
};

struct SweepContact {
  SweepPair pair;
  double after = 0.0;  // part of the way to the next frame
  double gap = 0.0;
  bool is_minimum = false;  // deeper than just before and after, and not at a frame
  LineSegment core;         // of the capsule, in the world
};

class MotionSweep {
 public:
  // Both must outlive it.
  MotionSweep(const Figure& figure, const std::vector<Clearance>& clearances);

  // Contacts that are nearer than their margin by more than `tolerance` on the way between two poses: at a few places
  // on the way, both ends included, and at all minima between them. Appends, pair by pair, in the order of time.
  void between(const VecX& first, const VecX& last, double tolerance, std::vector<SweepContact>& out);

 private:
  struct Body {
    int clearance, capsule, segment;
    LineSegment core;  // in the segment
    double radius;
  };
  struct Node {
    double after = 0.0;
    std::vector<LineSegment> cores;  // by body
  };
  struct Candidate {
    SweepPair pair;
    int body = 0, other = no_index;  // the second body of a pair
  };
  void place(double after, Node& node);
  void bound();
  double gap_at(const Candidate& candidate, const Node& node) const;
  double min_gap(const Candidate& candidate, const Node& from, const Node& to, double bow, double other_bow) const;
  double obstacle_bound(const Candidate& candidate, const Node& from, const Node& to, double bow) const;
  double pair_bound(const Candidate& candidate, const Node& from, const Node& to, double bow) const;
  double margin(const Candidate& candidate) const;
  bool is_far(const Candidate& candidate, const Node& from, const Node& to, double bow) const;
  void split(std::size_t depth, const Node& from, const Node& to, std::size_t begin);
  void scan(std::vector<SweepContact>& out);
  double refine(const Candidate& candidate, double low, double high);

  const Figure& figure_;
  const std::vector<Clearance>& clearances_;
  std::vector<std::vector<BoundingBox>> bounds_;  // of obstacles, by clearance
  std::vector<Body> bodies_;
  std::vector<int> first_body_;         // by clearance
  std::vector<Candidate> all_;          // every pair
  std::vector<Candidate> open_, deep_;  // not shown to be clear, as a stack; found not to be
  std::vector<double> bend_;            // B, by body
  std::vector<Node> nodes_;             // by depth
  VecX first_, last_, theta_, q_, middle_q_, turned_;
  Kinematics state_;
  double tolerance_ = 0.0;
};

}  // namespace limber
