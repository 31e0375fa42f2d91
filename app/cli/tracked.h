// What track and bench share: the places to follow, and the figure that follows them.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "limber/motion/clip.h"

namespace limber::cli {

// Names of places; "hands" and "feet" are both of them.
std::vector<std::string> places_of(const std::vector<std::string>& goals);

// The figure with the common names; its limits made as wide as the motion where that is asked for.
Expected<Figure> figure_for(const Figure& figure, const Clip& clip, bool widen);

// Whether the pose is within the box limits exactly, and within the rows but for rounding.
bool keeps_limits(const Figure& figure, const Pose& pose);

// The figure with the prior of a file that limber prior wrote.
std::expected<Figure, Failure> with_prior_file(const Figure& figure, const std::string& file);

}  // namespace limber::cli
