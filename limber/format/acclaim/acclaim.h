// Acclaim: a skeleton (ASF) and motions of it (AMC).
//
//   ASF  :units  mass, length L (a unit is an inch / L), angle deg or rad
//        :root   order TX TY TZ RX RY RZ, axis XYZ, position, orientation
//        :bonedata  begin  id, name, direction, length, axis x y z XYZ, dof rx ry rz, limits (a b) …  end
//        :hierarchy  begin  parent child child …  end
//   AMC  :FULLY-SPECIFIED  :DEGREES  then for each frame its number and a row of numbers for each bone that has a dof
//
// A bone starts at its parent's tip (at the root, for the root's children). It is turned by
//
//   G_bone = G_parent · C · M · C⁻¹,   tip = start + length · G_bone · direction
//
// where C is the `axis`, its numbers angles about x, y and z and the letters the order in which they are applied
// (XYZ = R_z R_y R_x), and M the `dof` likewise: rx ry rz = R_z R_y R_x. The root: G_root = orientation · M, and its
// position is the sum of `position` and TX TY TZ, along the file's axes.
//
// Reading. A segment, a joint and a site of its name for every bone, a site "bone_tip" for its tip; "root" for the
// root. Freedoms are called as in the dof list; D_1 is the last rotation of the list. tx ty tz shift the bone's start
// along the axes C before it turns; l shifts the whole bone along itself, so that its tip and children are right.
// Limits are real limits, in degrees (or radians, as :units says) and for tx ty tz l in the file's unit. bodymass /
// mass is the mass in kg and cofmass its centre along the bone. Without an own length in :units, L is 1.
//
// A motion has no rate: 120 frames a second are taken, as in the CMU library. A bone that a frame leaves out keeps its
// values of the frame before, or 0. Values beyond the limits are kept and counted in a note.
//
// Writing. Joints whose axes are orthogonal, at most three and each once, become dofs with their limits; any other
// becomes rx ry rz without limits. The root turns by RX RY RZ and its position is TX TY TZ, but for a skeleton that
// came from an ASF file, which keeps its own order. A bone runs from its joint to the site of its name with "_tip", or
// to its first child's joint, or to its first other site. A child whose joint is elsewhere, and a root's child, which
// an Acclaim file has at the root, gets a connecting bone without dof. Other sites are not carried. Several roots hang
// on a root that does not move.
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
// `skeleton` is what read_asf gave.
Expected<ReadMotion> read_amc(std::string_view bytes, const std::string& file_name, const Content& skeleton);

// The parameters of a skeleton without groups in the order of the numbers of a motion, joint by joint: as read_asf
// noted it; else shifts before turns, and of these the last first.
std::vector<int> row_order(const Content& skeleton);

Expected<Written> write_asf(const Content& content, const WriteOptions& options = {});
// Rows for the skeleton that write_asf writes with the same options.
Expected<Written> write_amc(const Content& content, const Clip& clip, const WriteOptions& options = {});

}  // namespace limber
