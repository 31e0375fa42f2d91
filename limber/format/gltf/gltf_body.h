// A body for figures that come without one, so that a viewer of glTF has something to show: a stick a bone, that is a
// double pyramid with its base near the joint, moved by one segment alone.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

// Triangles of three vertices each, none of them shared, so that every face is flat.
struct StickBody {
  std::vector<Vec3> positions = {};  // in the world, at rest
  std::vector<Vec3> normals = {};    // outward, of length 1
  std::vector<int> segments = {};    // that moves the vertex
};

// The bones of the segments from `begin` to `end`: from the origin of each to those of its children; of one without
// children to its sites. X_world_segment is of the whole figure. There is at least one stick.
StickBody stick_body(const Figure& figure, const std::vector<Frame>& X_world_segment, int begin, int end);

}  // namespace limber
