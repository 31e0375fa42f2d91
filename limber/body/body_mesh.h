// A figure's body as one mesh that follows its pose: for a viewer with triangles, and to be written to a file.
//
// The body is that of body.h at rest. Each of its convex pieces becomes a closed surface (hull_mesh.h), and each vertex
// follows the segment that carries its ellipsoid, and no other:
//
//   x_world = X_world_segment · position,   n_world = R_world_segment · normal.
//
// So a limb stays rigid and a trunk of many discs bends with them. Pieces overlap; a viewer that compares depths shows
// the outer one. No vertex belongs to two pieces. In place of shoulders and ribs there is the chest that holds them; a
// vertebra of which nothing reaches its surface has no triangle.
#pragma once

#include <vector>

#include "limber/figure/figure.h"

namespace limber::body {

enum class Material { skin = 0, eye = 1 };

struct BodyMesh {
  std::vector<int> segment;               // by vertex
  std::vector<Eigen::Vector3f> position;  // by vertex, in its segment's frame
  std::vector<Eigen::Vector3f> normal;    // outward, of length 1
  std::vector<int> triangle;              // three vertices each, counter-clockwise from outside
  std::vector<int> part;                  // by triangle: the segment that is meant where it is pressed
  std::vector<int> material;              // by triangle: a Material

  int triangle_count() const { return static_cast<int>(part.size()); }
};

inline constexpr int usual_detail = 16;
inline constexpr int min_detail = 4, max_detail = 128;

// `detail` is the number of points round an ellipsoid, within these two bounds and up to a multiple of four. A figure
// without extent has an octahedron a segment.
BodyMesh body_mesh(const Figure& figure, int detail = usual_detail);

}  // namespace limber::body
