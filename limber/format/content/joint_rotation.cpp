#include "limber/format/content/joint_rotation.h"

#include <algorithm>
#include <charconv>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/format/text/text.h"
#include "limber/format/text/unit.h"

namespace limber::motion_file {

namespace {

// An axis this close to a coordinate axis counts as that axis; the error of the angle is at most this.
constexpr double axis_tolerance = 1e-10;

// A signed permutation matrix without its rounding errors; any other rotation unchanged.
Mat3 without_noise(const Mat3& R) {
  const Mat3 whole = R.array().round();
  return (R - whole).cwiseAbs().maxCoeff() < axis_tolerance ? whole : R;
}

}  // namespace

Expected<void> check_writable(const Content& content, const Clip* clip, const WriteOptions& options) {
  if (!content.figure) return reject("", "no figure", "a figure to write");
  if (options.metres_per_unit && !(*options.metres_per_unit > 0.0 && std::isfinite(*options.metres_per_unit)))
    return reject("unit", to_text(*options.metres_per_unit) + " metres", "a finite number above 0");
  if (clip == nullptr) return {};
  const std::string where = "clip '" + clip->name + "'";
  const auto parameters = static_cast<Eigen::Index>(content.figure->parameters().size());
  if (clip->frames() > 0 && clip->poses.rows() != parameters)
    return reject(where, "poses of " + std::to_string(clip->poses.rows()) + " parameters",
                  std::to_string(parameters) + ", as in the figure");
  if (!clip->poses.allFinite()) return reject(where, "a pose that is not finite", "finite numbers");
  if (!(clip->frame_time > 0.0 && std::isfinite(clip->frame_time)))
    return reject(where, "a frame time of " + to_text(clip->frame_time) + " s", "a finite number above 0");
  return {};
}

std::vector<FileJoint> file_joints(const Figure& figure, const Mat3& W) {
  std::vector<FileJoint> out(figure.segments().size());
  for (std::size_t s = 0; s < out.size(); ++s) {
    const Joint& joint = figure.joints()[s];
    const int parent = figure.segments()[s].parent;
    const Mat3 R_file_parent = parent == no_parent ? Mat3(W.transpose()) : out[parent].R_file_segment;
    const Vec3 from = parent == no_parent ? Vec3::Zero() : out[parent].centre_in_segment;
    out[s].K = without_noise(R_file_parent * joint.in_parent.R);
    out[s].offset = R_file_parent * (joint.in_parent.p - from);
    // R Rᵀ is the identity only up to rounding, which would accumulate.
    const bool no_rest_rotation = joint.in_parent.R == joint.in_child.R;
    out[s].R_file_segment = no_rest_rotation ? R_file_parent : without_noise(out[s].K * joint.in_child.R.transpose());
    out[s].centre_in_segment = joint.in_child.p;
  }
  return out;
}

Frame joint_motion(const Figure& figure, int s, const VecX& q) {
  Frame M;
  const Joint& joint = figure.joints()[s];
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    if (freedom.motion == Motion::rotate)
      M.R = (M.R * rotation(freedom.axis, q[i])).eval();
    else
      M.p += q[i] * (M.R * freedom.axis);
  }
  return M;
}

std::optional<AxisChannel> coordinate_axis(const Vec3& u) {
  int axis = 0;
  u.cwiseAbs().maxCoeff(&axis);
  const double sign = u[axis] < 0.0 ? -1.0 : 1.0;
  if ((u - sign * Vec3::Unit(axis)).cwiseAbs().maxCoeff() > axis_tolerance) return std::nullopt;
  return AxisChannel{axis, sign, 0};
}

std::optional<std::vector<AxisChannel>> turns_about_axes(const Figure& figure, int s, const Mat3& K) {
  std::vector<AxisChannel> turns;
  for (int i = figure.joints()[s].freedom_begin; i < figure.joints()[s].freedom_end; ++i) {
    if (figure.freedoms()[i].motion != Motion::rotate) continue;
    std::optional<AxisChannel> turn = coordinate_axis(K * figure.freedoms()[i].axis);
    if (!turn) return std::nullopt;
    turn->freedom = i;
    turns.push_back(*turn);
  }
  return turns;
}

std::optional<std::vector<AxisChannel>> shifts_along_axes(const Figure& figure, int s, const Mat3& K) {
  std::vector<AxisChannel> shifts;
  bool rotated = false;
  for (int i = figure.joints()[s].freedom_begin; i < figure.joints()[s].freedom_end; ++i) {
    if (figure.freedoms()[i].motion == Motion::rotate) {
      rotated = true;
      continue;
    }
    std::optional<AxisChannel> shift = coordinate_axis(K * figure.freedoms()[i].axis);
    if (rotated || !shift || std::ranges::find(shifts, shift->axis, &AxisChannel::axis) != shifts.end())
      return std::nullopt;
    shift->freedom = i;
    shifts.push_back(*shift);
  }
  return shifts;
}

bool shifts(const Figure& figure, int s) {
  const Joint& joint = figure.joints()[s];
  return std::any_of(figure.freedoms().begin() + joint.freedom_begin, figure.freedoms().begin() + joint.freedom_end,
                     [](const Freedom& freedom) { return freedom.motion == Motion::translate; });
}

bool marks_tip(const Figure& figure, int s) {
  const Segment& segment = figure.segments()[at_index(s)];
  const Joint& joint = figure.joints()[at_index(s)];
  if (segment.parent == no_parent || segment.subtree_end != s + 1 || segment.mass != 0.0 ||
      joint.freedom_begin != joint.freedom_end)
    return false;
  const auto ends = [&](const std::string& name) { return joint.name == name + "_tip" || joint.name == name + "_End"; };
  return ends(figure.joints()[at_index(segment.parent)].name) || ends(figure.segments()[at_index(segment.parent)].name);
}

bool is_only_child(const Figure& figure, int s) {
  const int parent = figure.segments()[at_index(s)].parent;
  return parent == s - 1 &&
         figure.segments()[at_index(parent)].subtree_end == figure.segments()[at_index(s)].subtree_end;
}

bool is_bare_root(const Figure& figure, int s) {
  const Joint& joint = figure.joints()[s];
  const Segment& segment = figure.segments()[s];
  return segment.parent == no_parent && segment.subtree_end == s + 1 && joint.freedom_begin == joint.freedom_end &&
         !figure.freedoms().empty();
}

void note_unwritten(const Figure& figure, const Carried& carried, std::vector<Note>& notes) {
  const auto limited = std::ranges::count_if(
      figure.freedoms(), [](const Freedom& freedom) { return freedom.lower > -infinity || freedom.upper < infinity; });
  if (limited > 0 && !carried.limits)
    add_note(notes, "the limits of " +
                        counted(static_cast<std::size_t>(limited), "degree of freedom", "degrees of freedom") +
                        " are not written: the format has none");
  // Readers of motion files make translations rigid anyway, so that is not lost.
  const bool has_rigidity = std::ranges::any_of(figure.parameters(), [](const Parameter& parameter) {
    const bool stretches = parameter.translates && parameter.range.rigidity == 1.0;
    return (parameter.range.rigidity != Range{}.rigidity && !stretches) ||
           parameter.range.stiffness != Range{}.stiffness;
  });
  if (has_rigidity) add_note(notes, "rigidity and stiffness are not written: the format has none");
  if (!figure.limit_rows().empty())
    add_note(notes, counted(figure.limit_rows().size(), "linear limit", "linear limits") +
                        " between parameters not written: the format has none");
  if (!figure.groups().empty())
    add_note(notes, counted(figure.groups().size(), "group", "groups") +
                        " of coupled joints are written as single joints: poses are kept, the coupling is not");
  std::vector<std::string> bare;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (is_bare_root(figure, static_cast<int>(s))) bare.push_back(figure.segments()[s].name);
  if (!bare.empty() && !carried.bare_roots)
    add_note(notes, "roots without degrees of freedom and children are not written: " + some_of(bare));
  if (figure.mass() > 0.0 && !carried.masses) add_note(notes, "masses are not written: the format has none");
  if (!figure.description().mirror_pairs.empty()) add_note(notes, "mirror pairs are not written: the format has none");
  const bool has_objects = std::ranges::any_of(
      figure.description().segments, [](const SegmentDescription& segment) { return !segment.object.empty(); });
  if (has_objects) add_note(notes, "the object files of segments are not written: the format has none");
  const auto rotated =
      std::ranges::count_if(figure.sites(), [](const Site& site) { return site.frame.R != Mat3::Identity(); });
  if (rotated > 0)
    add_note(notes, "the directions of " + counted(static_cast<std::size_t>(rotated), "site", "sites") +
                        " are not written: the format has points only");
}

void add_note(std::vector<Note>& notes, std::string text) {
  Note note;
  note.text = std::move(text);
  notes.push_back(std::move(note));
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, names.size()); ++k) text += (k == 0 ? "" : ", ") + on_one_line(names[k]);
  return names.size() > shown ? text + " and " + std::to_string(names.size() - shown) + " more" : text;
}

void append_number(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void append_vector(std::string& text, const Vec3& v) {
  for (int k = 0; k < 3; ++k) {
    if (k > 0) text += ' ';
    append_number(text, v[k]);
  }
}

double written_length(double metres, double metres_per_unit) {
  return written_as(metres, metres / metres_per_unit, [=](double y) { return y * metres_per_unit; });
}

double rounded_degrees(double angle) {
  constexpr double steps = 1e9;  // per degree
  const double scaled = std::round(degrees(angle) * steps);
  constexpr double exact = 9e15;                                             // a larger double has no digits to round
  return std::fabs(scaled) < exact ? scaled / steps + 0.0 : degrees(angle);  // + 0.0: no negative zero
}

double tidy(double value, double scale) {
  constexpr double noise = 1e-14;
  if (std::fabs(value) < noise * scale) return 0.0;
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 15).ptr;
  double out = value;
  std::from_chars(buffer, end, out);
  return out;
}

std::string name_on_one_line(std::string_view name) {
  std::string out(name);
  std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  const std::size_t first = out.find_first_not_of(' '), last = out.find_last_not_of(' ');
  return first == std::string::npos ? "" : out.substr(first, last - first + 1);
}

std::string unique_name(UniqueNames& unique, const std::string& name, std::string_view unnamed) {
  std::string whole = name.size() <= max_joint_name ? unique(name, unnamed) : name;
  if (whole.size() <= max_joint_name) return whole;
  constexpr std::size_t number = 10;  // space for "_2"
  std::size_t end = max_joint_name - number;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
  return unique(std::string_view(name).substr(0, end), unnamed);
}

std::string stem_of(std::string_view file_name) {
  const std::size_t slash = file_name.find_last_of("/\\");
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  const std::size_t dot = file_name.rfind('.');
  if (dot != std::string_view::npos && dot > 0) file_name = file_name.substr(0, dot);
  return std::string(file_name);
}

}  // namespace limber::motion_file
