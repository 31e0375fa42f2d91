// A rigid thing, such as a box: a figure of one segment with a mass, and sites that are not in a plane. Its body is the
// convex hull of the sites.
#pragma once

#include <optional>
#include <vector>

#include "limber/figure/figure.h"

namespace limber {

struct Block {
  std::vector<Vec3> corners;            // in the segment
  std::vector<std::vector<int>> faces;  // corners, counter-clockwise from outside
};

// Nothing for any other figure, and for one of more than 64 sites.
std::optional<Block> block_of(const Figure& figure);

// All blocks of a figure and its parts, as triangles.
std::vector<SegmentObject> block_objects(const Figure& figure);

}  // namespace limber
