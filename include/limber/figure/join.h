// Several figures as one: posed together, with goals between them.                     ZB94 section 1, W93 5.3 and 7.3
//
//   Expected<Figure> two = join_figures({{"guest", human(), in_front}, {"host", human()}});
//   problem.add(difference(two->point("guest.right_palm"), two->point("host.right_palm")), Coincide{});
//
// The joined figure has one tree or more per figure. All names have the figure's name before them:
//
//   "guest.right_palm", "guest.right_elbow.flexion", "guest.right_elbow.flexion upper limit"
//
// so that goals, limits, reports, pictures and motions need not know. Where only one of the figures is meant, they ask
// for its part: its body, its length, its prior, its centre of mass.
//
//   X_world_segment = X_world_figure · (X of that segment in the figure alone)
//
// Segments, freedoms, parameters, limits and sites follow each other as on the figures themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/figure/figure.h"

namespace limber {

// Of a part only the name, the figure and the place are read. Rejected: no figure, a name that is empty, has a dot or
// stands twice, and a place that is not a frame.
Expected<Figure> join_figures(const std::vector<FigurePart>& parts, const std::string& name = "figures");

// Null: the figure has no such part; the segment is of a figure that is not joined.
const FigurePart* find_part(const Figure& figure, std::string_view name);
const FigurePart* part_of_segment(const Figure& figure, int segment);

// The pose of the whole from those of the parts, in their order; and the pose of one part.
Pose joined_pose(const Figure& figure, const std::vector<Pose>& poses);
Pose pose_of(const FigurePart& part, const Pose& pose);

// The normal of the plane through the origin in which all figures with mirror pairs have theirs, at rest. Nothing: they
// are in several planes, or have none.
std::optional<Vec3> shared_mirror_normal(const Figure& figure);

// The figure with its world at this frame: a part by itself, where it stands among the others. Its names stay.
Expected<Figure> placed_at(const Figure& figure, const Frame& X_world_figure);

}  // namespace limber
