// A figure as in BVH and Acclaim: at the zero pose (all q = 0) all joint rotations are the identity.
//
// With X_parent_child = in_parent · M(q) · in_child⁻¹, let R0_s be the rotation of segment s in the world at q = 0, and
// W the rotation of the file's axes in the world. G_s = Wᵀ R_s R0_sᵀ W is the rotation of segment s in the file. Then
//
//   G_parentᵀ G_s = K M_R(q) Kᵀ,   K = Wᵀ R0_parent in_parent.R
//
// and the vector from the parent's joint centre to this one, in axes fixed to the parent, is
//
//   offset + K M_p(q),   offset = Wᵀ R0_parent (in_parent.p - in_child.p of the parent).
//
// A joint whose axes are mapped by K to ±x, ±y, ±z is written directly; any other as three Euler angles.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/format/content/content.h"

namespace limber::motion_file {

// Rejects content that cannot be written: no figure, a clip of another figure, numbers that are not finite, a unit or
// frame time that is not above 0.
Expected<void> check_writable(const Content& content, const Clip* clip, const WriteOptions& options);

struct FileJoint {
  Mat3 K = Mat3::Identity();               // from the joint's own axes into the file's
  Vec3 offset = Vec3::Zero();              // metres, in the file's axes; for a root from the world origin
  Mat3 R_file_segment = Mat3::Identity();  // Wᵀ R0_s
  Vec3 centre_in_segment = Vec3::Zero();   // in_child.p

  // A point of the segment relative to the joint centre at the zero pose, in the file's axes.
  Vec3 in_file(const Vec3& x_segment) const { return R_file_segment * (x_segment - centre_in_segment); }
};

// One per segment.
std::vector<FileJoint> file_joints(const Figure& figure, const Mat3& W);

// M(q) of the joint that carries segment s.
Frame joint_motion(const Figure& figure, int s, const VecX& q);

// The file's number is sign · q[freedom], about or along the file's axis.
struct AxisChannel {
  int axis = 0;
  double sign = 1.0;
  int freedom = 0;
};

// ±x, ±y, ±z, up to rounding.
std::optional<AxisChannel> coordinate_axis(const Vec3& u);

// The rotations of a joint, D_1 first; nothing if one is not about an axis of the file.
std::optional<std::vector<AxisChannel>> turns_about_axes(const Figure& figure, int s, const Mat3& K);
// The translations of a joint; nothing if one is not along an axis of the file, repeats an axis, or follows a rotation.
std::optional<std::vector<AxisChannel>> shifts_along_axes(const Figure& figure, int s, const Mat3& K);
bool shifts(const Figure& figure, int s);

// A root without DOF and children, beside others: the node of a mesh, a lamp or a camera in glTF.
bool is_bare_root(const Figure& figure, int s);

// Whether a segment only marks where its parent ends, as the nodes do that glTF has for tips: a rigid leaf without
// mass, "hand_tip" or "hand_End" of "hand".
bool marks_tip(const Figure& figure, int s);
bool is_only_child(const Figure& figure, int s);

// Notes what a format with only joints and freedoms loses, one note per kind.
struct Carried {
  bool limits = false;
  bool masses = false;
  bool bare_roots = false;
};
void note_unwritten(const Figure& figure, const Carried& carried, std::vector<Note>& notes);

// A note about the whole file.
void add_note(std::vector<Note>& notes, std::string text);
// "1 site", "2 sites".
std::string counted(std::size_t n, const char* one, const char* many);
// "a, b, c and 4 more".
std::string some_of(const std::vector<std::string>& names);

// Numbers as text.
void append_number(std::string& text, double value);  // shortest round-trip text
void append_vector(std::string& text, const Vec3& v);
double written_length(double metres, double metres_per_unit);
// A computed angle, rounded to 1e-9 degrees.
double rounded_degrees(double angle);
// Rounded to 15 digits, to remove rounding errors; 0 if the value is rounding noise relative to the scale.
double tidy(double value, double scale);

// With blanks for tabs and line breaks, trimmed.
std::string name_on_one_line(std::string_view name);
// "walk" of "takes/walk.amc".
std::string stem_of(std::string_view file_name);

// Longer names are rejected: a figure keeps about sixty copies of a joint's name.
inline constexpr std::size_t max_joint_name = 250;
// A name for a file: unique, and short enough to be read back.
std::string unique_name(UniqueNames& unique, const std::string& name, std::string_view unnamed);

}  // namespace limber::motion_file
