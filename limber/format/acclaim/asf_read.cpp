// From a parsed ASF file to a figure (acclaim.h).
#include <algorithm>

#include "limber/base/number.h"
#include "limber/format/acclaim/acclaim.h"
#include "limber/format/acclaim/asf_text.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/text/text.h"

namespace limber {

using namespace motion_file;

namespace {

class AsfReader {
 public:
  AsfReader(AsfText file, const TextReader& in, const ReadOptions& options)
      : file_(std::move(file)), in_(in), options_(options) {
    out_.notes = std::move(file_.notes);
  }

  Expected<Content> read() {
    choose_unit();
    return built();
  }

 private:
  static constexpr int root = AsfText::root;

  void choose_unit() {
    if (!file_.length_unit && !options_.metres_per_unit) {
      out_.space.unit_is_stated = false;
      add_note(out_.notes, "no length in :units: inches assumed; can be set by an option");
    }
    out_.space.metres_per_unit = options_.metres_per_unit.value_or(inch / file_.length_unit.value_or(1.0));
    out_.space.up = options_.up.value_or(Up::y);
  }

  double angle(double value) const { return file_.in_degrees ? radians(value) : value; }

  Mat3 axis_of(const AsfBone& bone) const {
    Vec3 angles;
    for (int k = 0; k < 3; ++k) angles[k] = angle(bone.axis[bone.axis_order[k]]);
    return bone.axis == Vec3::Zero() ? Mat3::Identity() : euler_rotation(bone.axis_order, angles);
  }

  Vec3 tip_of(int b) const {
    if (b == root) return Vec3::Zero();
    return *file_.bones[b].direction * *file_.bones[b].length * out_.space.metres_per_unit;
  }

  // Translations in order, then rotations in reverse order, then the length.
  static std::vector<int> freedoms_of(const AsfBone& bone) {
    std::vector<int> order;
    for (const int dof : bone.dofs)
      if (dof < AsfBone::first_turn) order.push_back(dof);
    for (auto dof = bone.dofs.rbegin(); dof != bone.dofs.rend(); ++dof)
      if (*dof >= AsfBone::first_turn && *dof != AsfBone::length_dof) order.push_back(*dof);
    if (std::ranges::find(bone.dofs, AsfBone::length_dof) != bone.dofs.end()) order.push_back(AsfBone::length_dof);
    return order;
  }

  JointDescription joint_of(int b, const Mat3& C) const {
    const AsfBone& bone = file_.bones[b];
    JointDescription joint;
    joint.name = joint.child = bone.name;
    joint.in_parent.R = C;
    if (b == root) {
      const Mat3 F = out_.space.R_inside_file();
      joint.in_parent = {F * C, out_.space.inside(file_.position)};
    } else {
      joint.parent = file_.bones[bone.parent].name;
      joint.in_parent.p = tip_of(bone.parent);
      joint.in_child.R = C;
    }
    for (const int dof : freedoms_of(bone)) {
      FreedomDescription freedom;
      freedom.name = AsfBone::dof_names[dof];
      freedom.axis = dof == AsfBone::length_dof ? Vec3(C.transpose() * *bone.direction) : Vec3::Unit(dof % 3);
      if (dof < AsfBone::first_turn && b == root) freedom.axis = C.transpose() * freedom.axis;
      const bool turns = dof >= AsfBone::first_turn && dof != AsfBone::length_dof;
      if (!turns) freedom.motion = Motion::translate;
      if (bone.has_limits) {
        const auto k = static_cast<std::size_t>(std::ranges::find(bone.dofs, dof) - bone.dofs.begin());
        const auto inside = [&](double value) { return turns ? angle(value) : value * out_.space.metres_per_unit; };
        freedom.range.lower = inside(bone.limits[k].lower);
        freedom.range.upper = inside(bone.limits[k].upper);
        freedom.range.rest = std::clamp(0.0, freedom.range.lower, freedom.range.upper);
      }
      joint.freedoms.push_back(std::move(freedom));
    }
    return joint;
  }

  Expected<Content> built() {
    FigureDescription description;
    description.name = file_.name.empty() ? stem_of(in_.file_name()) : file_.name;
    UniqueNames unique;
    std::vector<std::string> tips;
    for (const int b : file_.order) unique(file_.bones[b].name, "");
    for (const int b : file_.order) {
      const AsfBone& bone = file_.bones[b];
      if (std::ranges::find(bone.dofs, AsfBone::length_dof) != bone.dofs.end() && *bone.direction == Vec3::Zero())
        return in_.reject(bone.at, "a dof l in a bone without direction", "a direction", bone.quoted());
      description.joints.push_back(joint_of(b, axis_of(bone)));
      SegmentDescription segment{bone.name};
      segment.mass = bone.mass / file_.mass_unit;
      if (b != root) segment.mass_centre = bone.mass_centre * out_.space.metres_per_unit * *bone.direction;
      description.segments.push_back(std::move(segment));
      description.sites.push_back({bone.name, bone.name});
      if (b != root) description.sites.push_back({unique(bone.name + "_tip", ""), bone.name, at(tip_of(b))});
    }
    Expected<Figure> figure = build_figure(std::move(description));
    if (!figure) {
      figure.error().where = in_.file_name() + ": " + figure.error().where;
      return std::unexpected(figure.error());
    }
    // The parameters are in the order of the bones, and within a bone in the order of freedoms_of.
    int first = 0;
    for (const int b : file_.order) {
      const std::vector<int> order = freedoms_of(file_.bones[b]);
      for (const int dof : file_.bones[b].dofs)
        out_.row_order.push_back(first + static_cast<int>(std::ranges::find(order, dof) - order.begin()));
      first += static_cast<int>(order.size());
    }
    out_.format = "asf";
    out_.figure = std::move(*figure);
    note_size();
    return std::move(out_);
  }

  // With all dofs 0, where every bone keeps its direction.
  void note_size() {
    constexpr double min_size = 0.5, max_size = 3.0;  // of a person in any pose, metres
    constexpr std::size_t min_bones = 10;             // fewer are no person
    std::vector<Vec3> tip(file_.bones.size(), Vec3::Zero());
    Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
    for (const int b : file_.order) {
      if (b != root) tip[b] = tip[file_.bones[b].parent] + tip_of(b);
      lower = lower.cwiseMin(tip[b]);
      upper = upper.cwiseMax(tip[b]);
    }
    const double size = (upper - lower).maxCoeff();
    if (options_.metres_per_unit || file_.order.size() < min_bones || (size >= min_size && size <= max_size)) return;
    add_note(out_.notes, "the figure is " + to_text(size, 2) +
                             " m large, which is unusual for a person, with a unit of " +
                             unit_name(out_.space.metres_per_unit) + "; can be set by an option");
  }

  AsfText file_;
  const TextReader& in_;
  const ReadOptions& options_;
  Content out_;
};

}  // namespace

Expected<Content> read_asf(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  TextReader in(*text, file_name);
  Expected<AsfText> file = read_asf_text(in);
  if (!file) return std::unexpected(file.error());
  return AsfReader(std::move(*file), in, options).read();
}

}  // namespace limber
