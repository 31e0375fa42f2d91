// A simple body for figures without one, for glTF viewers: one stick per bone, a double pyramid with its base near the
// joint, bound to one segment.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

// Triangles without shared vertices, for flat shading.
struct StickBody {
  std::vector<Vec3> positions = {};  // in the world, at rest
  std::vector<Vec3> normals = {};    // outward unit vectors
  std::vector<int> segments = {};    // that carries the vertex
};

// The bones of the segments [begin, end): from the origin of each to those of its children; from a leaf to its sites.
// X_world_segment is for the whole figure. Returns at least one stick.
StickBody stick_body(const Figure& figure, const std::vector<Frame>& X_world_segment, int begin, int end);

// The body with the objects of the segments [begin, end) in place of their sticks.
StickBody with_objects(const StickBody& body, const Figure& figure, const std::vector<Frame>& X_world_segment,
                       int begin, int end, const std::vector<SegmentObject>& objects);

}  // namespace limber
