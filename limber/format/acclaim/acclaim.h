// Acclaim: a skeleton (ASF) and motions of it (AMC).
//
//   ASF  :units  mass, length L (the unit is 1/L inch), angle deg or rad
//        :root   order TX TY TZ RX RY RZ, axis XYZ, position, orientation
//        :bonedata  begin  id, name, direction, length, axis x y z XYZ, dof rx ry rz, limits (a b) …  end
//        :hierarchy  begin  parent child child …  end
//   AMC  :FULLY-SPECIFIED  :DEGREES  then for each frame its number and a row of numbers for each bone with dofs
//
// A bone starts at its parent's tip (the root's children at the root). Its rotation is
//
//   G_bone = G_parent · C · M · C⁻¹,   tip = start + length · G_bone · direction
//
// where C is the `axis`: angles about x, y and z, applied in the order of the letters (XYZ = R_z R_y R_x), and M the
// `dof` likewise: rx ry rz = R_z R_y R_x. For the root, G_root = orientation · M, and its position is `position` plus
// TX TY TZ, in the file's axes.
//
// Reading. Every bone becomes a segment, a joint and a site of its name, and a site "bone_tip"; the root is "root".
// Freedoms have the names of the dof list; D_1 is the last rotation of the list. tx ty tz translate the bone's start
// along the axes C before the rotations; l translates the whole bone along itself, so that its tip and children are
// correct. Limits are hard limits, in degrees or radians as in :units, for tx ty tz l in the file's unit. bodymass /
// mass is the mass in kg and cofmass its centre along the bone. Without a length in :units, L is 1. Skeletons are of
// people: one of ten or more bones that is not 0.5 to 3 m large is noted, because many files state a unit that is not
// theirs.
//
// A motion has no frame rate: 120 frames per second are assumed, as in the CMU library. A bone missing in a frame keeps
// its values of the previous frame, or 0. Values beyond the limits are kept and counted in a note.
//
// Writing. Joints with at most three orthogonal axes become dofs with their limits; all others become rx ry rz without
// limits. The root has RX RY RZ and TX TY TZ, but a skeleton read from an ASF file keeps its own order. A bone ends at
// the site, or the rigid leaf, of its name with "_tip", else at its first child's joint, else at its first other site.
// A child whose joint is elsewhere, or a child of the root that is not at the root, gets a connecting bone without
// dofs. Other sites are not written. Several roots become children of a fixed root; a root without DOF and children,
// such as the node of a mesh in glTF, is not written beside others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

inline constexpr double inch = 0.0254;  // in metres

Expected<Content> read_asf(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

struct ReadMotion {
  Clip clip;
  std::vector<Note> notes;
};
// `skeleton` is the result of read_asf.
Expected<ReadMotion> read_amc(std::string_view bytes, const std::string& file_name, const Content& skeleton);

// The parameters of a skeleton without groups in the order of the numbers in a motion, joint by joint: as recorded by
// read_asf; else translations, then rotations in reverse order.
std::vector<int> row_order(const Content& skeleton);

Expected<Written> write_asf(const Content& content, const WriteOptions& options = {});
// Rows for the skeleton that write_asf writes with the same options.
Expected<Written> write_amc(const Content& content, const Clip& clip, const WriteOptions& options = {});

}  // namespace limber
