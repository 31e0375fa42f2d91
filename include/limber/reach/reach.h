// The set of points that a handle can reach while every constraint of a problem holds.              ZB94 section 1
//
// What is asked at each point is an ordinary problem: the given one, with the handle at that point as one more
// constraint. A cell is called reached only with a pose that answers it, looked at again by WitnessCheck; that pose is
// kept. A local solver that finds none proves nothing, so that "not reached" is said only after
//
//   a proof:   ReachBounds excludes the centre (it is still solved once where not all of the cell is excluded); or
//   tries:     from the best pose of the cell it was cut from, or of a neighbour; for coarse cells from starts all over
//              the limits; and from the pose of each of the 26 neighbours that is reached itself, again whenever one
//              becomes so. A cell cut from one whose best pose stayed farther away than the centres are apart takes
//              that for an answer, until a neighbour is reached.
//
// Cells are cut in eight until they are of the resolution h wherever
//
//   - a reached cell and one that is not share a face (of two alike, the one is cut that holds the boundary: the one
//   that
//     is not reached where the best pose has the handle in it, else the other);
//   - a cell is not reached, but the handle is in it in its best pose: shells thinner than a cell;
//   - a reached cell is larger than a 24th of the bounding box, or one of its corners is certainly out of reach: voids.
//
// So every face between the two kinds lies between finest cells. What can be missed is a void within the reached set
// that is smaller than a 24th of the box, holds no centre, and meets no cell of the boundary; or a separate part of the
// set that none of the starts in the coarse cells leads to. Cost: solves grow with the area of the boundary over h².
//
// Cells are solved in waves, each a batch on all cores. The next wave is a function of the map alone: the answer does
// not depend on the number of threads, and a map that was stopped goes on as if it had not been.
#pragma once

#include <functional>
#include <optional>

#include "limber/problem/problem.h"
#include "limber/reach/reach_map.h"

namespace limber {

struct ReachProgress {
  int wave = 0;
  std::size_t cells = 0;   // leaves and those that were cut
  std::size_t open = 0;    // to be solved yet, as far as can be seen
  std::size_t solves = 0;  // since the call
};

struct ReachOptions {
  double resolution = 0.02;  // h: side of the finest cells, metres
  double tolerance = 0.0;    // a point is reached where the handle is no farther from it; 0: a hundredth of h
  double met_degrees = 0.5;  // the same for angles, of the handle's orientation and of the problem's constraints
  std::string from = {};     // first joint of the chain, as in ConstraintOptions
  // The handle must have this orientation in the world: the set of poses, one orientation at a time. The handle must be
  // a frame.
  std::optional<Mat3> orientation = {};
  // Constraints of the problem, each an AimAt, that aim at the point itself: eyes that look where the hand goes.
  std::vector<ConstraintId> looking = {};
  // Only this part of space is looked at. Needed where nothing holds the figure fast.
  std::optional<ReachBox> region = {};
  int restarts = 4;  // starts all over the limits, for coarse cells
  int threads = 0;   // 0: as many as there are cores
  // Called after every wave; false stops, with a map that is not finished.
  std::function<bool(const ReachProgress&)> after_wave = {};
};

// Rejected: a constraint that looks at the point and does not aim; a problem that was rejected; a handle that does not
// begin with a point of a segment; an unknown joint; a set without bounds; a resolution that is not above 0, or so fine
// that the box is more than 4096 cells long; a goal Hold among several alternatives; a clearance that a part breaks
// which nothing moves. Hold holds what is so in `pose`. The pose is moved within the limits first.
Expected<ReachMap> reach(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                         const ReachOptions& options = {});

// Goes on with a map that was stopped. Rejected where the map is not of this problem, pose and options.
Expected<void> resume(const Problem& problem, const Pose& pose, const Expected<Handle>& handle,
                      const ReachOptions& options, ReachMap& map);

}  // namespace limber
