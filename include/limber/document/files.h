// Small files about figures and motions: sets of markers, tables of strength, maps of reach.
#pragma once

#include <string>
#include <string_view>

#include "limber/assess/strength.h"
#include "limber/base/diagnostic.h"
#include "limber/motion/markers.h"
#include "limber/reach/reach_map.h"
#include "limber/reach/summary.h"

namespace limber {

// --- The attachment of markers to a figure, as JSON. doc/track.md has every field.
//
//   {"limber": "markers 1", "turn_deg": 90,
//    "markers": {"LANK": {"place": "ltibia", "at": [0.01, -0.05, 0.02]}, …}}

// `file_name` is for messages. The places are not checked against a figure.
Expected<MarkerSet> read_marker_set(std::string_view text, const std::string& file_name);
std::string write_marker_set(const MarkerSet& set);

// --- A table of strength (assess/strength.h) as JSON:
//
//   {"limber": "strength 1",
//    "rows": [{"freedom": "elbow.flexion", "direction": "+", "torque": [42, 77, 111], "source": "…"}, …]}
//
// "torque" in N m: the 5th, 50th and 95th percentile, or one number for all. With "of_size": true it is relative to
// weight times stature; "curve" and "best_angle" (degrees) are those of S(q) = S cos(curve (q - best_angle)).

// `file_name` is for messages.
Expected<StrengthTable> read_strength(std::string_view text, const std::string& file_name);
std::string write_strength(const StrengthTable& table);

// --- Files of reach maps.
//
//   .glb, .ply   the surface, coloured by a measure of the witnesses: red (0) over yellow to green (1)
//   .nrrd, .vtk  the volume, for Slicer and ParaView: the depth of each cell in the set (metres, negative outside); in
//                VTK also the state and the measure
//   .reach       the complete map, to resume after a stop: "limber reach 1", then little-endian numbers, all of which
//                are checked on reading

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
