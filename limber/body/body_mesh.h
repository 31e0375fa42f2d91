// A figure's body as one mesh that follows its pose, for viewers and files.
//
// The body is that of body.h at rest. Each convex piece becomes a closed surface (hull_mesh.h). Each vertex is rigidly
// bound to one segment, that of its ellipsoid:
//
//   x_world = X_world_segment · position,   n_world = R_world_segment · normal.
//
// So a limb stays rigid, and a trunk of many discs bends. Pieces overlap; a viewer with a depth buffer shows the outer
// one. No vertex belongs to two pieces. Shoulders and ribs are replaced by the chest that contains them; a vertebra
// inside it has no triangle.
#pragma once

#include <vector>

#include "limber/figure/figure.h"

namespace limber::body {

enum class Material { skin = 0, eye = 1 };

struct BodyMesh {
  std::vector<int> segment;               // by vertex
  std::vector<Eigen::Vector3f> position;  // by vertex, in its segment's frame
  std::vector<Eigen::Vector3f> normal;    // outward unit vectors
  std::vector<int> triangle;              // three vertices each, counter-clockwise from outside
  std::vector<int> part;                  // by triangle: the segment that a click on it selects
  std::vector<int> material;              // by triangle: a Material

  int triangle_count() const { return static_cast<int>(part.size()); }
};

inline constexpr int usual_detail = 16;
inline constexpr int min_detail = 4, max_detail = 128;

// `detail` is the number of points around an ellipsoid, clamped to these bounds and rounded up to a multiple of four. A
// figure without extent has one octahedron per segment.
BodyMesh body_mesh(const Figure& figure, int detail = usual_detail);

// The polygon objects of segments in place of what the mesh has there, each triangle with its own flat normal. Objects
// of segments that the figure does not have, and triangles without area, are left out.                        W93 6.1.1
BodyMesh with_objects(const BodyMesh& mesh, const Figure& figure, const std::vector<SegmentObject>& objects);

}  // namespace limber::body
