// Polygon files: the appearance of a segment.                                                          W93 6.1.1
//
//   OBJ   v x y z          a vertex; more numbers are ignored
//         f 1 2/5 3//7 …   a polygon of vertices, from 1, or from -1 for the last one so far; texture and normal
//         ignored
//   OFF   OFF  vertices faces edges  then x y z per vertex, then n i j k … per face, from 0
//
// Recognised by the first word. W93 names files "….pol" without describing them, so the ending decides nothing.
// Polygons become fans of triangles. All other lines of OBJ are ignored, and what follows the last face of OFF.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/figure/description.h"

namespace limber {

// Without the name of its segment. Rejected: a vertex that is not three finite numbers, an index without a vertex, a
// polygon with fewer than three corners, a file without one.
Expected<SegmentObject> read_polygons(std::string_view bytes, const std::string& file_name, double metres_per_unit);

}  // namespace limber
