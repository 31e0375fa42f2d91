// A figure as BVH and Acclaim see it: at the zero pose (all q = 0) no joint is turned.
//
// With X_parent_child = in_parent · M(q) · in_child⁻¹, let R0_s be the rotation of segment s in the world at q = 0, and
// W the rotation of the file's axes in the world. G_s = Wᵀ R_s R0_sᵀ W is how the file sees segment s turned. Then
//
//   G_parentᵀ G_s = K M_R(q) Kᵀ,   K = Wᵀ R0_parent in_parent.R
//
// and the way from the parent's joint centre to this one, in axes that turn with the parent, is
//
//   offset + K M_p(q),   offset = Wᵀ R0_parent (in_parent.p - in_child.p of the parent).
//
// A joint whose freedoms turn about axes that K takes to ±x, ±y, ±z is written as it is; any other as three angles.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/format/content/content.h"

namespace limber::motion_file {

// Rejects what no file can hold: no figure, a clip of another figure, numbers that are not finite, a unit or a frame
// time that is not above 0.
Expected<void> fit_to_write(const Content& content, const Clip* clip, const WriteOptions& options);

struct FileJoint {
  Mat3 K = Mat3::Identity();               // from the joint's own axes into the file's
  Vec3 offset = Vec3::Zero();              // metres, in the file's axes; of a root from the origin of the world
  Mat3 R_file_segment = Mat3::Identity();  // Wᵀ R0_s
  Vec3 centre_in_segment = Vec3::Zero();   // in_child.p

  // A point of the segment as seen from the joint centre at the zero pose, in the file's axes.
  Vec3 in_file(const Vec3& x_segment) const { return R_file_segment * (x_segment - centre_in_segment); }
};

// One a segment.
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

// The turns of a joint as they are, D_1 first; nothing where one is about another axis than the file's.
std::optional<std::vector<AxisChannel>> turns_about_axes(const Figure& figure, int s, const Mat3& K);
// The shifts of a joint as they are; nothing where one is along another axis, along the axis of an earlier one, or
// after a turn.
std::optional<std::vector<AxisChannel>> shifts_along_axes(const Figure& figure, int s, const Mat3& K);
bool shifts(const Figure& figure, int s);

// What stays behind in a file that knows only joints and their freedoms: a note a kind.
struct Carried {
  bool limits = false;
  bool masses = false;
};
void note_what_stays(const Figure& figure, const Carried& carried, std::vector<Note>& notes);

// A note about the whole file.
void add_note(std::vector<Note>& notes, std::string text);
// "1 site", "2 sites".
std::string counted(std::size_t n, const char* one, const char* many);
// "a, b, c and 4 more".
std::string some_of(const std::vector<std::string>& names);

// Numbers as text.
void append_number(std::string& text, double value);  // the shortest that reads back
void append_vector(std::string& text, const Vec3& v);
double written_length(double metres, double metres_per_unit);
// An angle that the writer computed, to 1e-9 of a degree.
double rounded_degrees(double angle);
// Without the last digit of a double, where rounding errors live; 0 where it is all rounding error of the scale.
double tidy(double value, double scale);

// With blanks for tabs and line ends, and none at the ends.
std::string name_on_one_line(std::string_view name);
// "walk" of "takes/walk.amc".
std::string stem_of(std::string_view file_name);

// Longer names are rejected: a figure keeps some sixty copies of the name of a joint.
inline constexpr std::size_t longest_joint_name = 250;
// A name for a file: unique, and short enough to be read again.
std::string unique_name(UniqueNames& unique, const std::string& name, std::string_view unnamed);

}  // namespace limber::motion_file
