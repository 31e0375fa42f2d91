// Files of reach maps.
//
//   .glb, .ply   the surface, coloured by a measure of the witnesses: red (0) over yellow to green (1)
//   .nrrd, .vtk  the volume, for Slicer and ParaView: the depth of each cell in the set (metres, negative outside); in
//                VTK also the state and the measure
//   .reach       the complete map, to resume after a stop: "limber reach 1", then little-endian numbers, all of which
//                are checked on reading
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/reach/grid.h"
#include "limber/reach/reach_map.h"
#include "limber/reach/summary.h"
#include "limber/reach/surface.h"

namespace limber {

class JsonWriter;

// Red, green and blue, 0 to 1, of a measure from 0 to 1.
std::array<double, 3> reach_colour(double measure);

Expected<std::string> write_reach_glb(const ReachSurface& surface, const std::string& name);
std::string write_reach_ply(const ReachSurface& surface);
std::string write_reach_nrrd(const ReachMap& map);
std::string write_reach_vtk(const ReachMap& map, const PoseMeasure& measure);

// The numbers of a map as members of an open object. `from` is the origin of directions; `parameter` of an active limit
// is -1 for a limit over several parameters.
void write_reach_summary(JsonWriter& out, const Figure& figure, const ReachMap& map, const ReachSummary& summary,
                         const Vec3& from);

std::string write_reach_map(const ReachMap& map);
Expected<ReachMap> read_reach_map(std::string_view bytes, const std::string& file_name);

}  // namespace limber
