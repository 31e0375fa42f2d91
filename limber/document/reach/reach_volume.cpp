// Reach volumes as NRRD (Teem's format 0004) and legacy VTK (file version 3.0, structured points).
#include <bit>

#include "limber/base/number.h"
#include "limber/document/files.h"
#include "limber/format/gltf/gltf_bytes.h"

namespace limber {

namespace {

std::uint32_t float_bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

// Legacy VTK is big-endian.
void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int k = 3; k >= 0; --k) bytes += static_cast<char>(value >> 8 * k & 0xFF);
}

std::string three(double x, double y, double z, const char* between) {
  return to_text(x) + between + to_text(y) + between + to_text(z);
}

std::string sizes(const ReachGrid& grid) {
  return std::to_string(grid.count[0]) + " " + std::to_string(grid.count[1]) + " " + std::to_string(grid.count[2]);
}

std::string scalars(const char* name, const char* type) {
  return std::string("SCALARS ") + name + " " + type + " 1\nLOOKUP_TABLE default\n";
}

}  // namespace

std::string write_reach_nrrd(const ReachMap& map) {
  const ReachGrid grid = grid_of(map);
  const Vec3 origin = grid.centre(0, 0, 0);
  const std::string side = to_text(grid.side);
  std::string bytes = "NRRD0004\n# Limber: depth in what is reached, metres, negative outside; Y up\ntype: float\n";
  bytes += "dimension: 3\nspace dimension: 3\nsizes: " + sizes(grid) + "\n";
  bytes += "space directions: (" + side + ",0,0) (0," + side + ",0) (0,0," + side + ")\n";
  bytes += "space origin: (" + three(origin[0], origin[1], origin[2], ",") + ")\n";
  bytes += "space units: \"m\" \"m\" \"m\"\nkinds: domain domain domain\nencoding: raw\nendian: little\n\n";
  for (const double margin : margins(map, grid)) append_little_endian(bytes, float_bits(margin));
  return bytes;
}

std::string write_reach_vtk(const ReachMap& map, const PoseMeasure& measure) {
  const ReachGrid grid = grid_of(map);
  const Vec3 origin = grid.centre(0, 0, 0);
  std::string bytes = "# vtk DataFile Version 3.0\nLimber: what is reached, metres, Y up\nBINARY\n";
  bytes += "DATASET STRUCTURED_POINTS\nDIMENSIONS " + sizes(grid) + "\n";
  bytes += "ORIGIN " + three(origin[0], origin[1], origin[2], " ") + "\n";
  bytes += "SPACING " + three(grid.side, grid.side, grid.side, " ") + "\n";
  bytes += "POINT_DATA " + std::to_string(grid.size()) + "\n" + scalars("margin", "float");
  for (const double margin : margins(map, grid)) append_big_endian(bytes, float_bits(margin));
  bytes += "\n" + scalars("state", "unsigned_char");  // 0 undecided, 1 reached, 2 not reached
  for (const int leaf : grid.leaf)
    bytes += static_cast<char>(leaf < 0 ? Reach::not_reached : map.cells[static_cast<std::size_t>(leaf)].state);
  bytes += "\n" + scalars("comfort", "float");
  for (const double value : measured(map, grid, measure, 0.0)) append_big_endian(bytes, float_bits(value));
  bytes += "\n";
  return bytes;
}

}  // namespace limber
