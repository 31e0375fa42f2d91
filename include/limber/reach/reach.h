// The set of points that a handle can reach while every constraint of a problem is met.             ZB94 section 1
//
// Each point is an ordinary problem: the given one, with the handle at that point as a further constraint. A cell is
// reached only if there is a pose that solves it, verified by WitnessCheck; that pose is stored. A local solver that
// finds none proves nothing, so "not reached" requires
//
//   a proof:   ReachBounds excludes the centre (solved once anyway if not all of the cell is excluded); or
//   attempts:  from the best pose of its parent cell, or of a neighbour; for coarse cells from starts all over the
//              limits; and from the pose of each of the 26 neighbours that is reached, again whenever one becomes
//              reached. A child of a cell whose best pose stayed farther away than the distance of the centres counts
//              as not reached until a neighbour is reached.
//
// Cells are divided into eight, down to the resolution h, wherever
//
//   - a reached cell and an unreached one share a face (of two of the same size, the one with the boundary: the
//     unreached one if its best pose has the handle in it, else the other);
//   - a cell is not reached, but its best pose has the handle in it: shells thinner than a cell;
//   - a reached cell is larger than 1/24 of the bounding box, or one of its corners is proved out of reach: voids.
//
// So every face between the two kinds lies between finest cells. What can be missed is a void inside the reached set
// that is smaller than 1/24 of the box, contains no centre, and touches no boundary cell; or a separate part of the set
// that no start in the coarse cells leads to. Cost: the number of solves grows with the area of the boundary over h².
//
// Cells are solved in waves, each a batch on all cores. The next wave is a function of the map alone: the result does
// not depend on the number of threads, and an interrupted map resumes as if it had not been interrupted.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/reach/reach_map.h"

namespace limber {

// --- A problem prepared for a reach map, for the command-line tool and the editor.
//
// A constraint that places the handle itself would leave one point of the map: it is removed. Constraints that aim at
// that place, such as the eyes, aim at every point of the map in turn.
//
// All constraints get the same weight. A witness meets every one of them, whatever its weight, so weights
// and locks only affect convergence, which is best from a distant start if nothing dominates.

struct ReachSubject {
  Problem problem;
  std::vector<std::string> left_out = {};  // names of removed constraints on the handle itself
  std::vector<ConstraintId> looking = {};  // for ReachOptions: those that aimed at its goal
};

// The handle is a point, or begins with one.
ReachSubject reach_subject(Problem problem, const Element& handle);

// The origin of directions: the first joint of the chain, or the handle if all joints may move.
Vec3 reach_origin(const Figure& figure, const Pose& pose, const std::string& from, const Element& handle);

// The name of one of neighbour_directions(): "up front". The figure faces +z, with its left at +x.
std::string direction_name(const CellIndex& direction);

struct ReachProgress {
  int wave = 0;
  std::size_t cells = 0;   // leaves and divided cells
  std::size_t open = 0;    // known to remain
  std::size_t solves = 0;  // since the call
};

// --- The problems of a map come in waves. Those of a wave do not depend on each other, so they can be solved in parts,
// anywhere, and give the same map.

struct ReachWave {
  std::vector<Vec3> points;  // where the handle must be
  MatX starts;               // poses, one column per point
  int restarts = 0;
};

struct ReachAnswer {
  bool has_ended = false;                                 // at a local minimum
  std::array<HeldBack, max_held_back> held_back_by = {};  // what blocks the handle
};

struct ReachAnswers {
  MatX poses;                        // one column per point
  std::vector<ReachAnswer> answers;  // one per point
};

struct ReachOptions {
  double resolution = 0.02;  // h: side of the finest cells, metres
  double tolerance = 0.0;    // maximum distance of the handle from a reached point; 0: h / 100
  double met_degrees = 0.5;  // the same for angles, of the handle's orientation and of the problem's constraints
  std::string from = {};     // first joint of the chain, as in ConstraintOptions
  // Required orientation of the handle in the world; the handle must be a frame.
  std::optional<Mat3> orientation = {};
  // AimAt constraints of the problem that aim at the point itself: eyes that follow the hand.
  std::vector<ConstraintId> looking = {};
  // Restricts the map to this box. Required if nothing fixes the figure in space.
  std::optional<ReachBox> region = {};
  int restarts = 4;  // starts all over the limits, for coarse cells
  int threads = 0;   // 0: all cores
  int lanes = 0;     // BatchOptions::lanes
  // Solves a wave in place of the map, in parts by solve_wave() with the same arguments, on other machines.
  std::function<Expected<ReachAnswers>(const ReachWave& wave)> solve = {};
  // Called after every wave; false stops, with an unfinished map.
  std::function<bool(const ReachProgress&)> after_wave = {};
};

// Rejected: a constraint in `looking` that does not aim; a rejected problem; a handle that does not begin with a point
// of a segment; an unknown joint; an unbounded set; a resolution that is not above 0, or so fine that the box is more
// than 4096 cells long; Hold among several alternatives; a clearance violated by parts that do not move. Hold refers to
// `pose`. The pose is projected onto the limits first.
Expected<ReachMap> reach(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                         const ReachOptions& options = {});

// Solves a part of a wave: some of its points with their starts.
Expected<ReachAnswers> solve_wave(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                                  const ReachOptions& options, const ReachWave& part);

// Continues an interrupted map. Rejected if the map is not of this problem, pose and options.
Expected<void> resume(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                      const ReachOptions& options, ReachMap& map);

}  // namespace limber
