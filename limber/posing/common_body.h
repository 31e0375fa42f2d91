// The body on which poses were learned, data/acclaim/02.asf: its bones, kinematics and handles.
//
// A bone begins at the end of its parent. In the zero pose every bone has the world's axes; with the turns M about the
// axes C of the bone, in the order of its freedoms,
//
//   R_bone = R_parent C M Cᵀ,    p_bone = end_parent,    end_bone = p_bone + s R_bone b
//
// where b is the bone in the zero pose and s the length of its group relative to this body. Angles, rotations and
// lengths are those of learn/body.py.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "limber/base/vector.h"
#include "limber/posing/network.h"

namespace limber {

// The parts that a goal can ask for, each with the bone whose joint it is.
struct HandlePart {
  std::string_view name, bone;
};
inline constexpr std::array handle_parts = {
    HandlePart{"pelvis", "root"},
    HandlePart{"chest", "thorax"},
    HandlePart{"neck", "lowerneck"},
    HandlePart{"head", "head"},
    HandlePart{"left_shoulder", "lhumerus"},
    HandlePart{"right_shoulder", "rhumerus"},
    HandlePart{"left_elbow", "lradius"},
    HandlePart{"right_elbow", "rradius"},
    HandlePart{"left_hand", "lhand"},
    HandlePart{"right_hand", "rhand"},
    HandlePart{"left_palm", "lfingers"},
    HandlePart{"right_palm", "rfingers"},
    HandlePart{"left_knee", "ltibia"},
    HandlePart{"right_knee", "rtibia"},
    HandlePart{"left_foot", "lfoot"},
    HandlePart{"right_foot", "rfoot"},
    HandlePart{"left_ball", "ltoes"},
    HandlePart{"right_ball", "rtoes"},
};
inline constexpr int handle_part_count = static_cast<int>(handle_parts.size());
// Its index; the name must be one of them.
std::size_t handle_part(std::string_view name);

// Groups of bones whose lengths vary together, in the order of the network's inputs.
inline constexpr int length_groups = 10;

// Both bones, left and right, whose joints are as far apart as the bones of a group are long.
struct GroupSpan {
  std::string_view from, to;  // with % for the side
};
inline constexpr std::array<GroupSpan, length_groups> group_spans = {{{"root", "%femur"},
                                                                      {"%femur", "%tibia"},
                                                                      {"%tibia", "%foot"},
                                                                      {"%foot", "%toes"},
                                                                      {"root", "lowerneck"},
                                                                      {"lowerneck", "head"},
                                                                      {"lowerneck", "%humerus"},
                                                                      {"%humerus", "%radius"},
                                                                      {"%radius", "%hand"},
                                                                      {"%hand", "%fingers"}}};
// These together are the unit of length.
inline constexpr std::array unit_groups = {1, 2, 4};

struct CommonBone {
  std::string name;
  int parent = -1;
  int group = -1;
  std::vector<int> turns;  // coordinate axes, the innermost first
  Mat3 C = Mat3::Identity();
  Vec3 b = Vec3::Zero();
};

struct CommonBody {
  std::vector<CommonBone> bones;     // the first is the root
  std::vector<std::string> columns;  // "lfemur.rx", one per angle

  static Expected<CommonBody> read(ByteReader& bytes);
  int find(std::string_view bone) const;  // -1 for another name

  struct State {
    std::vector<Mat3> R;
    std::vector<Vec3> p, end;
  };
  // Of the angles and the root's frame; s by group. Allocates nothing after the first call.
  void forward(const VecX& angles, const Frame& root, const std::array<double, length_groups>& s, State& state) const;
};

}  // namespace limber
