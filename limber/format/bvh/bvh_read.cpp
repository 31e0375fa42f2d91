// From a parsed BVH file to a figure and its clip: interprets the numbers (bvh.h) and builds the figure.
#include <algorithm>
#include <array>

#include "limber/base/number.h"
#include "limber/format/bvh/bvh.h"
#include "limber/format/bvh/bvh_guess.h"
#include "limber/format/bvh/bvh_text.h"
#include "limber/format/content/joint_rotation.h"
#include "limber/format/text/text.h"

namespace limber {

using namespace motion_file;

namespace {

constexpr std::array<const char*, 6> freedom_names = {"tx", "ty", "tz", "rx", "ry", "rz"};

class BvhReader {
 public:
  BvhReader(BvhText file, const TextReader& in, const ReadOptions& options)
      : file_(std::move(file)), in_(in), options_(options) {
    out_.notes = std::move(file_.notes);
  }

  Expected<Content> read() {
    choose_offsets();
    choose_unit(rest_positions());
    return built();
  }

 private:
  // --- Interpretation ----------------------------------------------------------------------------

  void choose_offsets() {
    std::vector<std::string> inner;
    for (const BvhNode& node : file_.nodes)
      if (!node.is_root() && node.channel_offset() != Vec3::Zero()) inner.push_back(node.name);
    if (options_.root_offset != RootOffset::automatic) {
      for (BvhNode& node : file_.nodes)
        node.replaced = options_.root_offset == RootOffset::replaced && node.channel_offset() != Vec3::Zero();
      choose_up();
      return;
    }
    const BvhInnerRule rule = choose_inner_offsets(file_);
    choose_up();
    for (std::size_t n = 0; n < file_.nodes.size(); ++n) {
      if (!file_.nodes[n].is_root() || file_.nodes[n].channel_offset() == Vec3::Zero()) continue;
      const BvhReason reason = choose_root_offset(file_, n, rule, out_.space.up);
      note_offsets("root", {file_.nodes[n].name}, file_.nodes[n].replaced, because(reason));
    }
    if (!inner.empty())
      note_offsets("joints", inner, rule.replaced(),
                   file_.frames() == 0 ? because(BvhReason::no_frames)
                   : rule.replaced()   ? "frame 0 is closer to the OFFSETs than to zero"
                                       : "frame 0 is closer to zero than to the OFFSETs");
  }

  static const char* because(BvhReason reason) {
    switch (reason) {
      case BvhReason::no_frames:
        return "there are no frames";
      case BvhReason::same_as_frame_0:
        return "frame 0 equals the OFFSET";
      case BvhReason::inner_joints:
        return "the other joints are read that way";
      case BvhReason::floor:
        return "the lowest point of the motion is then closer to the floor, at height 0";
    }
    return "";
  }

  void note_offsets(const char* what, const std::vector<std::string>& names, bool replaced, const char* why) {
    add_note(out_.notes, std::string(what) + " with an OFFSET and position channels (" + some_of(names) +
                             "): the positions were " +
                             (replaced ? "read in place of the OFFSET" : "added to the OFFSET") + ", because " + why +
                             "; can be set by an option");
  }

  // Positions of all joints at rest, in the file's unit and axes.
  std::vector<Vec3> rest_positions() const {
    std::vector<Vec3> p(file_.nodes.size());
    for (std::size_t n = 0; n < file_.nodes.size(); ++n)
      p[n] = file_.nodes[n].offset + (file_.nodes[n].is_root() ? Vec3::Zero() : p[file_.nodes[n].parent]);
    return p;
  }

  void choose_unit(const std::vector<Vec3>& rest) {
    FileSpace& space = out_.space;
    if (options_.metres_per_unit) {
      space.metres_per_unit = *options_.metres_per_unit;
      return;
    }
    space.unit_is_stated = false;
    Vec3 lower = Vec3::Constant(infinity), upper = Vec3::Constant(-infinity);
    const auto extend = [&](const Vec3& p) {
      lower = lower.cwiseMin(p);
      upper = upper.cwiseMax(p);
    };
    for (const Vec3& p : rest) extend(p);
    for (const BvhTip& tip : file_.tips) extend(rest[tip.node] + tip.offset);
    const double extent = (upper - lower).maxCoeff();
    if (!(extent > 0.0) || !std::isfinite(extent)) {
      add_note(out_.notes, "the unit is not stated, and the figure has no extent to guess it from: metres assumed");
      return;
    }
    const auto has = [&](const char* name) {
      return std::ranges::any_of(file_.nodes,
                                 [&](const BvhNode& node) { return equal_ignoring_case(node.name, name); });
    };
    constexpr double cmu = 0.0254 / 0.45, min_cmu = 0.5, max_cmu = 3.0;
    std::string why;
    if (has("LHipJoint") && has("LowerBack") && extent * cmu > min_cmu && extent * cmu < max_cmu) {
      space.metres_per_unit = cmu;
      why = "from the joint names of the CMU motion library";
    } else {
      struct Candidate {
        double metres;
        double handicap;
      };
      constexpr double usual = 1.0, unusual = 1.5, stature = 1.7;
      constexpr std::array candidates = {Candidate{1.0, usual}, Candidate{0.01, usual}, Candidate{0.1, unusual},
                                         Candidate{0.001, unusual}, Candidate{0.0254, unusual}};
      double best = infinity;
      for (const Candidate& candidate : candidates) {
        const double error = std::fabs(std::log(extent * candidate.metres / stature)) + std::log(candidate.handicap);
        if (error >= best) continue;
        best = error;
        space.metres_per_unit = candidate.metres;
      }
      why = "nearest to the size of a person";
    }
    add_note(out_.notes, "the unit is not stated: taken as " + unit_name(space.metres_per_unit) +
                             ", so that the figure is " + to_text(extent * space.metres_per_unit, 2) + " m large, " +
                             why + "; can be set by an option");
  }

  void choose_up() {
    if (options_.up) {
      out_.space.up = *options_.up;
      return;
    }
    const BvhNode* head = head_along_z(file_);
    if (head == nullptr) return;
    out_.space.up = Up::z;
    add_note(out_.notes, "the up axis is not stated: taken as z, because joint " + in_quotes(head->name) +
                             " lies along it from the root; can be set by an option");
  }

  // --- The figure --------------------------------------------------------------------------------

  JointDescription joint_of(const BvhNode& node) const {
    const double scale = out_.space.metres_per_unit;
    JointDescription joint;
    joint.name = joint.child = node.name;
    if (!node.is_root()) joint.parent = file_.nodes[node.parent].name;
    Vec3 offset = node.offset;
    UniqueNames names;
    for (const int channel : node.freedoms()) {
      FreedomDescription freedom;
      freedom.name = names(freedom_names[channel], "");
      freedom.axis = Vec3::Unit(channel % 3);
      if (channel < BvhNode::positions) {
        freedom.motion = Motion::translate;
        if (!node.is_root()) freedom.range.rigidity = 1.0;
        if (node.replaced) {
          freedom.range.rest = offset[channel] * scale;
          offset[channel] = 0.0;
        }
      }
      joint.freedoms.push_back(std::move(freedom));
    }
    if (node.is_root()) joint.in_parent.R = out_.space.R_inside_file();
    joint.in_parent.p = joint.in_parent.R * (offset * scale);
    return joint;
  }

  Expected<Content> built() {
    FigureDescription description;
    description.name = stem_of(in_.file_name());
    UniqueNames unique;
    bool renamed = false;
    for (BvhNode& node : file_.nodes) {
      std::string name = unique(node.name, "joint");
      if (name != node.name && !renamed) {
        const Place place = in_.place(node.at);
        out_.notes.push_back({node.name.empty()
                                  ? "a joint without a name: called " + in_quotes(name)
                                  : "a second joint " + in_quotes(node.name) + ": called " + in_quotes(name),
                              place.line, place.column});
        renamed = true;
      }
      node.name = std::move(name);
    }
    for (const BvhNode& node : file_.nodes) {
      description.segments.push_back({node.name});
      description.joints.push_back(joint_of(node));
      description.sites.push_back({node.name, node.name});
    }
    for (const BvhTip& tip : file_.tips) {
      const std::string& segment = file_.nodes[tip.node].name;
      description.sites.push_back({unique(tip.name.empty() ? segment + "_End" : tip.name, ""), segment,
                                   at(tip.offset * out_.space.metres_per_unit)});
    }
    Expected<Figure> figure = build_figure(std::move(description));
    if (!figure) {
      figure.error().where = in_.file_name() + ": " + figure.error().where;
      return std::unexpected(figure.error());
    }
    out_.format = "bvh";
    out_.figure = std::move(*figure);
    if (file_.frames() > 0) {
      for (const BvhNode& node : file_.nodes) {
        const std::vector<int> order = node.freedoms();
        for (std::size_t k = 0; k < order.size(); ++k)
          file_.values.row(node.first_row + static_cast<int>(k)) *=
              order[k] < BvhNode::positions ? out_.space.metres_per_unit : radians(1.0);
      }
      if (!file_.values.allFinite()) return reject(in_.file_name(), "positions too large in metres", "smaller numbers");
      out_.clips.push_back({stem_of(in_.file_name()), file_.frame_time, std::move(file_.values)});
    }
    return std::move(out_);
  }

  BvhText file_;
  const TextReader& in_;
  const ReadOptions& options_;
  Content out_;
};

}  // namespace

Expected<Content> read_bvh(std::string_view bytes, const std::string& file_name, const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  TextReader in(*text, file_name);
  Expected<BvhText> file = read_bvh_text(*text, in);
  if (!file) return std::unexpected(file.error());
  return BvhReader(std::move(*file), in, options).read();
}

}  // namespace limber
