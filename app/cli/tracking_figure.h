// The figure that tracks a motion, and the places that it tracks; for track, clean, solve and the benchmark.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "limber/motion/clip.h"
#include "limber/roles/roles.h"

namespace limber::cli {

// Names of places; "hands" and "feet" become the left and the right one.
std::vector<std::string> places_of(const std::vector<std::string>& goals);

// The figure with the common names; with `widen`, its limits are widened to contain the motion.
Expected<Figure> figure_for(const Figure& figure, const Clip& clip, bool widen);
Expected<Figure> figure_for(const Figure& figure, const Roles& roles, const Clip& clip, bool widen);

// Whether the pose is exactly within the box limits, and within the limit rows up to rounding.
bool keeps_limits(const Figure& figure, const Pose& pose);

// The figure with the prior of a file that limber prior wrote.
std::expected<Figure, Failure> with_prior_file(const Figure& figure, const std::string& file);

}  // namespace limber::cli
