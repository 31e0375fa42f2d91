// The Acclaim writer: a figure as bones (acclaim.h), the skeleton as text, and a motion as rows for the same bones.
//
// With K and M of joint_rotation.h, a joint is G_parentᵀ G_s = K M_R Kᵀ. If its axes u_1, u_2, u_3 are orthogonal, let
// Q be a rotation with columns ±u_i and C = K Q the bone's axis: then K M_R Kᵀ = C (rotations about x, y, z) Cᵀ, with
// the joint's own angles up to sign. The dofs are listed from the last rotation to the first.
#include <algorithm>
#include <array>

#include "limber/base/index.h"
#include "limber/base/number.h"
#include "limber/base/vector.h"
#include "limber/format/acclaim/acclaim.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/text/text.h"
#include "limber/format/text/unit.h"

namespace limber {

using namespace motion_file;

namespace {

constexpr double cmu_length = 0.45;
constexpr EulerOrder xyz = {2, 1, 0};  // Acclaim applies x first
constexpr std::array<const char*, 7> dof_names = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
constexpr int first_turn = 3, length_dof = 6;  // of dof_names
constexpr int computed = -1;                   // marks a dof that is not a freedom of the figure
constexpr int no_bone = -1, no_segment = -1;

bool turns(int dof) { return dof >= first_turn && dof != length_dof; }

struct Dof {
  int dof = 0;  // of dof_names
  int freedom = computed;
  double sign = 1.0;
};

struct Bone {
  std::string name;
  int parent = no_bone;
  int segment = no_segment;    // of its joint; none for a connecting bone
  Vec3 to_tip = Vec3::Zero();  // from start to tip, metres, in the axes W
  Mat3 C = Mat3::Identity();   // in the axes W
  std::vector<Dof> dofs = {};
  Vec3 angles = Vec3::Zero();  // of the last frame, if computed: about z, y, x
};

class Bones {
 public:
  Bones(const Content& content, const WriteOptions& options)
      : figure_(*content.figure),
        from_asf_(content.format == "asf"),
        unit_(options.metres_per_unit.value_or(from_asf_ ? content.space.metres_per_unit : inch / cmu_length)),
        coincident_(1e-12 * figure_.length()) {
    FileSpace space;
    space.up = options.up.value_or(from_asf_ ? content.space.up : Up::y);
    if (space.up != Up::y && !from_asf_)
      add_note(notes_, "the upward axis: the format does not state it, and readers assume Y");
    const Mat3 F = space.R_inside_file();
    if (from_asf_) {
      const Joint& root = figure_.joints().front();
      const Mat3 Q = F.transpose() * content.space.R_inside_file();
      B_ = Q * content.space.R_inside_file().transpose() * root.in_parent.R * root.in_child.R.transpose() *
           Q.transpose();
      if ((B_ - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-10) B_.setIdentity();
      rank_.resize(figure_.parameters().size());
      const std::vector<int> order = row_order(content);
      for (std::size_t k = 0; k < order.size(); ++k) rank_[order[k]] = k;
    }
    joints_ = file_joints(figure_, F * B_);
    sites_.resize(joints_.size());
    for (const Site& site : figure_.sites()) sites_[site.segment].push_back(&site);
    tip_of_.assign(joints_.size(), no_segment);
    make_bones();
  }

  Written skeleton() {
    note_unwritten(figure_, {.limits = true, .masses = from_asf_}, notes_);
    note_losses();
    Written out;
    out.bytes = header() + bone_data() + hierarchy();
    out.notes = std::move(notes_);
    return out;
  }

  Written motion(const Clip& clip) {
    Written out;
    std::string& text = out.bytes;
    text = ":FULLY-SPECIFIED\n:DEGREES\n";
    VecX q;
    for (int frame = 0; frame < clip.frames(); ++frame) {
      figure_.angles(clip.poses.col(frame), q);
      text += std::to_string(frame + 1) + "\n";
      for (Bone& bone : bones_) row(bone, q, text);
    }
    constexpr double rate = 120.0, same_rate = 1e-4;
    if (std::fabs(clip.frame_time * rate - 1.0) > same_rate)
      add_note(out.notes, "the frame time of " + to_text(clip.frame_time) +
                              " s is not written: the format has none, and readers assume 120 frames per second");
    return out;
  }

 private:
  // --- Which bones -------------------------------------------------------------------------------

  std::string fit(std::string_view name) const {
    std::string out(name);
    for (char& c : out)
      if (static_cast<unsigned char>(c) <= 0x20 || c == '(' || c == ')' || c == 0x7F) c = '_';
    if (out.starts_with(':') || out.starts_with('#')) out[0] = '_';
    if (equal_ignoring_case(out, "begin") || equal_ignoring_case(out, "end")) out += "_";
    if (!out.empty() && out.find_first_not_of("0123456789") == std::string::npos) out = "b" + out;
    return out;
  }

  void make_bones() {
    const std::vector<Segment>& segments = figure_.segments();
    std::vector<std::vector<int>> children(segments.size());
    std::vector<int> roots;
    for (std::size_t s = 0; s < segments.size(); ++s)
      if (is_tip(static_cast<int>(s)))
        tip_of_[at_index(segments[s].parent)] = static_cast<int>(s);
      else if (!is_bare_root(figure_, static_cast<int>(s)))
        (segments[s].parent == no_parent ? roots : children[segments[s].parent]).push_back(static_cast<int>(s));

    std::vector<int> bone_of(segments.size(), no_bone);
    several_roots_ = roots.size() > 1;
    Bone root{unique_("root", "")};
    if (!several_roots_) {
      root.segment = roots.front();
      bone_of[root.segment] = 0;
      set_root_dofs(root);
      if (const std::string& name = figure_.joints()[root.segment].name; name != "root") renamed_.push_back(name);
    } else {
      for (int dof = 0; dof < length_dof; ++dof) root.dofs.push_back({dof});
    }
    bones_.push_back(std::move(root));

    for (std::size_t s = 0; s < segments.size(); ++s) {
      if (bone_of[s] != no_bone || is_bare_root(figure_, static_cast<int>(s)) || is_tip(static_cast<int>(s))) continue;
      const std::string& joint_name = figure_.joints()[s].name;
      Bone bone{unique_name(unique_, fit(joint_name), "bone")};
      if (bone.name != joint_name) renamed_.push_back(joint_name);
      bone.segment = static_cast<int>(s);
      bone.parent = segments[s].parent == no_parent ? 0 : bone_of[segments[s].parent];
      const Vec3 gap = joints_[s].offset - bones_[bone.parent].to_tip;
      if (gap.norm() > coincident_) {
        Bone connector{unique_name(unique_, bone.name + "_base", "")};
        connector.parent = bone.parent;
        connector.to_tip = gap;
        bone.parent = static_cast<int>(bones_.size());
        bones_.push_back(std::move(connector));
      }
      bone.to_tip = to_tip_of(bone.segment, children[s]);
      set_dofs(bone);
      bone_of[s] = static_cast<int>(bones_.size());
      bones_.push_back(std::move(bone));
    }
  }

  // Whether a segment only shows where the bone of its parent ends, as the nodes do that glTF has for tips.
  bool is_tip(int s) const {
    if (!marks_tip(figure_, s)) return false;
    const int parent = figure_.segments()[at_index(s)].parent;
    if (figure_.segments()[at_index(parent)].parent == no_parent) return false;
    return (is_tip_name(figure_.joints()[at_index(s)].name, parent) || is_only_child(figure_, s)) &&
           std::ranges::all_of(sites_[at_index(s)], [&](const Site* site) {
             return joints_[at_index(s)].in_file(site->frame.p).norm() <= coincident_;
           });
  }
  bool is_tip_name(std::string_view name, int s) const {
    return name == figure_.joints()[at_index(s)].name + "_tip" || name == figure_.segments()[at_index(s)].name + "_tip";
  }

  // From the joint of a segment to the end of its bone.
  Vec3 to_tip_of(int s, const std::vector<int>& children) const {
    if (const int tip = tip_of_[at_index(s)]; tip != no_segment) return joints_[at_index(tip)].offset;
    const Site* fallback = nullptr;
    for (const Site* site : sites_[s]) {
      if (is_tip_name(site->name, s)) return joints_[s].in_file(site->frame.p);
      if (fallback == nullptr && joints_[s].in_file(site->frame.p).norm() > coincident_) fallback = site;
    }
    if (!children.empty()) return joints_[children.front()].offset;
    return fallback == nullptr ? Vec3::Zero() : joints_[s].in_file(fallback->frame.p);
  }

  void set_root_dofs(Bone& bone) const {
    const int s = bone.segment;
    const auto own_shifts = shifts_along_axes(figure_, s, B_ * joints_[s].K);
    const auto own_turns = turns_about_axes(figure_, s, joints_[s].K);
    if (from_asf_ && own_shifts && own_turns && own_turns->size() <= 3 && all_different(*own_turns)) {
      add_own(bone, *own_shifts, *own_turns);
    } else {
      for (int dof = 0; dof < length_dof; ++dof) bone.dofs.push_back({dof});
    }
  }

  void set_dofs(Bone& bone) {
    const int s = bone.segment;
    const Joint& joint = figure_.joints()[s];
    int end = joint.freedom_end;
    const bool stretches = from_asf_ && end > joint.freedom_begin &&
                           figure_.freedoms()[end - 1].motion == Motion::translate &&
                           figure_.freedoms()[end - 1].name == joint.name + ".l";
    if (stretches) --end;

    std::vector<Vec3> axes;
    for (int i = joint.freedom_begin; i < end; ++i)
      if (figure_.freedoms()[i].motion == Motion::rotate) axes.push_back(figure_.freedoms()[i].axis);
    const std::optional<Mat3> Q = turned_to_axes(s, axes);
    bone.C = Q ? Mat3(joints_[s].K * *Q) : Mat3::Identity();
    const Mat3 in_C = Q ? Mat3(Q->transpose()) : joints_[s].K;
    const auto own_turns = turns_about_axes(figure_, s, in_C);
    const auto own_shifts = stretches ? translations_before_length(s, in_C) : shifts_along_axes(figure_, s, in_C);
    const bool limited =
        std::any_of(figure_.freedoms().begin() + joint.freedom_begin, figure_.freedoms().begin() + joint.freedom_end,
                    [](const Freedom& freedom) { return freedom.lower > -infinity || freedom.upper < infinity; });
    if (motion_file::shifts(figure_, s)) translating_.push_back(joint.name);
    if (Q && own_turns && own_shifts) {
      add_own(bone, *own_shifts, *own_turns);
      if (stretches) {
        bone.dofs.push_back({length_dof, end, 1.0});
        sort_by_rank(bone);
      }
      return;
    }
    if (limited) unlimited_.push_back(joint.name);
    if (motion_file::shifts(figure_, s))
      for (int dof = 0; dof < first_turn; ++dof) bone.dofs.push_back({dof});
    if (axes.empty()) return;
    for (int dof = first_turn; dof < length_dof; ++dof) bone.dofs.push_back({dof});
  }

  // The translations of a bone whose last dof is l.
  std::optional<std::vector<AxisChannel>> translations_before_length(int s, const Mat3& in_C) const {
    std::vector<AxisChannel> own;
    for (int i = figure_.joints()[s].freedom_begin;
         figure_.freedoms()[i].motion == Motion::translate && i + 1 < figure_.joints()[s].freedom_end; ++i) {
      std::optional<AxisChannel> shift = coordinate_axis(in_C * figure_.freedoms()[i].axis);
      if (!shift) return std::nullopt;
      shift->freedom = i;
      own.push_back(*shift);
    }
    return own;
  }

  static bool all_different(const std::vector<AxisChannel>& own) {
    std::array<int, 3> times = {};
    for (const AxisChannel& channel : own) ++times[channel.axis];
    return std::ranges::max(times) <= 1;
  }

  // Translations first, then rotations in reverse order.
  void add_own(Bone& bone, const std::vector<AxisChannel>& own_shifts,
               const std::vector<AxisChannel>& own_turns) const {
    for (const AxisChannel& shift : own_shifts) bone.dofs.push_back({shift.axis, shift.freedom, shift.sign});
    for (auto turn = own_turns.rbegin(); turn != own_turns.rend(); ++turn)
      bone.dofs.push_back({first_turn + turn->axis, turn->freedom, turn->sign});
    sort_by_rank(bone);
  }

  void sort_by_rank(Bone& bone) const {
    if (!from_asf_) return;
    const auto rank = [&](const Dof& dof) {
      return rank_[figure_.terms()[figure_.freedoms()[dof.freedom].term_begin].parameter];
    };
    std::ranges::stable_sort(bone.dofs, {}, rank);
  }

  // Q with the rotation axes, up to sign, as columns. The axes stay in place if they are already rx ry rz or come from
  // an ASF file; else they are mapped to rx ry rz, the order that most programs apply. Nothing if they are not
  // orthogonal.
  std::optional<Mat3> turned_to_axes(int s, const std::vector<Vec3>& u) const {
    if (u.size() > 3) return std::nullopt;
    constexpr double orthogonal = 1e-10;
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (std::fabs(u[i].dot(u[j])) > orthogonal) return std::nullopt;
    if (const auto own = turns_about_axes(figure_, s, Mat3::Identity())) {
      const bool descending = std::ranges::is_sorted(*own, std::greater<>{}, &AxisChannel::axis);
      if (from_asf_ || descending) return Mat3::Identity();
    }
    Mat3 Q;
    switch (u.size()) {
      case 0:
        return Mat3::Identity();
      case 1:
        return rotation_from_xy(u[0], Vec3::Unit(std::fabs(u[0].y()) < 0.5 ? 1 : 2));
      case 2:
        Q << u[1], u[0].cross(u[1]), u[0];
        return Q;
      default:
        Q << u[2], u[1], u[2].cross(u[1]);
        return Q;
    }
  }

  void note_losses() {
    if (!renamed_.empty())
      add_note(notes_, "names changed to single, unique words, and root for the root: " + some_of(renamed_));
    if (!unlimited_.empty())
      notes_.push_back(
          {"limits not written, because the axes are not orthogonal or translations and rotations are mixed: " +
           some_of(unlimited_)});
    if (!translating_.empty() && !from_asf_)
      add_note(notes_, "translating joints have the dofs tx ty tz, which few programs read: " + some_of(translating_));
    if (several_roots_) add_note(notes_, "several roots: written as children of a fixed root");
    std::size_t lost = 0;
    for (const Bone& bone : bones_) {
      if (bone.segment == no_segment) continue;
      const std::string& joint = figure_.joints()[bone.segment].name;
      for (const Site* site : sites_[bone.segment]) {
        const Vec3 p = joints_[bone.segment].in_file(site->frame.p);
        const bool is_start =
            p.norm() <= coincident_ && (site->name == joint || site->name == figure_.segments()[bone.segment].name);
        const bool is_end =
            bone.parent != no_bone && (p - bone.to_tip).norm() <= coincident_ && site->name == joint + "_tip";
        if (!is_start && !is_end) ++lost;
      }
    }
    if (lost > 0)
      add_note(notes_, counted(lost, "site", "sites") +
                           " not written, or without their names: the format has only joints and tips");
  }

  // --- The skeleton as text ----------------------------------------------------------------------

  Vec3 root_position() const {
    return from_asf_ && !several_roots_ ? Vec3(B_ * joints_[bones_[0].segment].offset) : Vec3::Zero();
  }

  static std::string angles_text(const Mat3& R) {
    const Vec3 zyx = euler_angles(R, xyz);
    constexpr double full_turn = 360.0;
    std::string text;
    append_vector(
        text, {tidy(degrees(zyx[2]), full_turn), tidy(degrees(zyx[1]), full_turn), tidy(degrees(zyx[0]), full_turn)});
    return text;
  }

  std::string header() const {
    const double length = written_as(unit_, inch / unit_, [](double y) { return inch / y; });
    const Vec3 position = root_position();
    std::string text = ":version 1.10\n:name " + on_one_line(figure_.name()) + "\n:units\n  mass 1.0\n  length ";
    append_number(text, length);
    text += "\n  angle deg\n:documentation\n  written by Limber\n:root\n  order";
    for (const Dof& dof : bones_[0].dofs) {
      text += turns(dof.dof) ? " R" : " T";
      text += "XYZ"[dof.dof % 3];
    }
    text += "\n  axis XYZ\n  position ";
    append_vector(text, {written_length(position.x(), unit_), written_length(position.y(), unit_),
                         written_length(position.z(), unit_)});
    return text + "\n  orientation " + angles_text(B_) + "\n";
  }

  double written(double value, int dof) const {
    return turns(dof) ? written_degrees(value) : written_length(value, unit_);
  }

  std::string limits_text(const Bone& bone) const {
    std::string text;
    bool any = false;
    for (const Dof& dof : bone.dofs) {
      double lower = -infinity, upper = infinity;
      if (dof.freedom != computed) {
        const Freedom& freedom = figure_.freedoms()[dof.freedom];
        lower = dof.sign > 0.0 ? freedom.lower : -freedom.upper;
        upper = dof.sign > 0.0 ? freedom.upper : -freedom.lower;
      }
      any = any || lower > -infinity || upper < infinity;
      text += text.empty() ? "    limits (" : "           (";
      text += std::isfinite(lower) ? to_text(written(lower, dof.dof)) : "-inf";
      text += ' ';
      text += std::isfinite(upper) ? to_text(written(upper, dof.dof)) : "inf";
      text += ")\n";
    }
    return any ? text : "";
  }

  std::string bone_data() const {
    std::string text = ":bonedata\n";
    for (std::size_t b = 1; b < bones_.size(); ++b) {
      const Bone& bone = bones_[b];
      const double metres = bone.to_tip.norm();
      const Vec3 direction = metres > 0.0 ? Vec3(bone.to_tip / metres) : Vec3::UnitY();
      text += "  begin\n    id " + std::to_string(b) + "\n    name " + bone.name + "\n    direction ";
      append_vector(text, {tidy(direction.x(), 1.0), tidy(direction.y(), 1.0), tidy(direction.z(), 1.0)});
      text += "\n    length ";
      append_number(text, tidy(metres / unit_, 0.0));
      text += "\n    axis " + angles_text(bone.C) + " XYZ\n";
      if (from_asf_ && bone.segment != no_segment) text += mass_text(bone, direction);
      if (!bone.dofs.empty()) {
        text += "    dof";
        for (const Dof& dof : bone.dofs) text += std::string(" ") + dof_names[dof.dof];
        text += "\n" + limits_text(bone);
      }
      text += "  end\n";
    }
    return text;
  }

  std::string mass_text(const Bone& bone, const Vec3& direction) const {
    const Segment& segment = figure_.segments()[bone.segment];
    if (segment.mass == 0.0) return "";
    const Vec3 centre = joints_[bone.segment].in_file(segment.mass_centre);
    return "    bodymass " + to_text(segment.mass) + "\n    cofmass " +
           to_text(tidy(centre.dot(direction) / unit_, 0.0)) + "\n";
  }

  std::string hierarchy() const {
    std::vector<std::vector<std::size_t>> children(bones_.size());
    for (std::size_t b = 1; b < bones_.size(); ++b) children[bones_[b].parent].push_back(b);
    std::string text = ":hierarchy\n  begin\n";
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (children[b].empty()) continue;
      text += "    " + bones_[b].name;
      for (const std::size_t child : children[b]) text += " " + bones_[child].name;
      text += "\n";
    }
    return text + "  end\n";
  }

  // --- A frame -----------------------------------------------------------------------------------

  void row(Bone& bone, const VecX& q, std::string& text) const {
    if (bone.dofs.empty()) return;
    text += bone.name;
    Vec3 shift = Vec3::Zero(), angles = Vec3::Zero();
    const bool any_computed = std::ranges::any_of(bone.dofs, [](const Dof& dof) { return dof.freedom == computed; });
    if (any_computed && bone.segment != no_segment) {
      const FileJoint& joint = joints_[bone.segment];
      const Frame M = joint_motion(figure_, bone.segment, q);
      const Mat3 CtK = bone.C.transpose() * joint.K;
      bone.angles = euler_angles(CtK * M.R * CtK.transpose(), xyz, bone.angles);
      angles = {bone.angles[2], bone.angles[1], bone.angles[0]};
      shift = bone.parent == no_bone ? Vec3(B_ * (joint.offset + joint.K * M.p) - root_position()) : Vec3(CtK * M.p);
    }
    for (const Dof& dof : bone.dofs) {
      text += ' ';
      const int axis = dof.dof % 3;
      if (dof.freedom != computed)
        append_number(text, written(dof.sign * q[dof.freedom], dof.dof));
      else
        append_number(text, turns(dof.dof) ? rounded_degrees(angles[axis]) : tidy(shift[axis] / unit_, 0.0));
    }
    text += '\n';
  }

  const Figure& figure_;
  bool from_asf_;
  double unit_;                    // metres
  double coincident_;              // closer points coincide
  Mat3 B_ = Mat3::Identity();      // orientation of the root; W includes it
  std::vector<std::size_t> rank_;  // by parameter: its position in the rows of the file read
  std::vector<FileJoint> joints_;
  std::vector<std::vector<const Site*>> sites_;  // by segment
  std::vector<int> tip_of_;                      // by segment: the one that shows where its bone ends
  std::vector<Bone> bones_;                      // the root first, parents before children
  UniqueNames unique_;
  bool several_roots_ = false;
  std::vector<std::string> renamed_, unlimited_, translating_;
  std::vector<Note> notes_;
};

}  // namespace

Expected<Written> write_asf(const Content& content, const WriteOptions& options) {
  if (Expected<void> fine = check_writable(content, nullptr, options); !fine) return std::unexpected(fine.error());
  return Bones(content, options).skeleton();
}

Expected<Written> write_amc(const Content& content, const Clip& clip, const WriteOptions& options) {
  if (Expected<void> fine = check_writable(content, &clip, options); !fine) return std::unexpected(fine.error());
  return Bones(content, options).motion(clip);
}

}  // namespace limber
