#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "limber/base/number.h"
#include "limber/format/skeleton_script/skeleton_script.h"
#include "limber/format/skeleton_script/skeleton_script_text.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Check = Expected<void>;

// A rest value may exceed its limit by the rounding of degrees, relative to the limit.
constexpr double rest_tolerance = 1e-12;

// The mirror image across x = 0, with M = diag(-1, 1, 1): offsets M p, rotations M R M. A rotation by q about u becomes
// one by q about -M u, a translation along u one along M u. An axis written as a letter is kept; if its direction would
// change, q changes its sign instead. The x axis of a tip, its pointing direction, and its y axis are reflected; z is
// their cross product.
SkeletonJoint mirror_image(const SkeletonJoint& original) {
  const Mat3 M = Vec3(-1, 1, 1).asDiagonal();
  SkeletonJoint image;
  image.offset = original.offset;
  image.frame = {M * original.frame.R * M, M * original.frame.p};
  image.mass = original.mass;
  image.mass_centre = M * original.mass_centre;
  image.rest = original.rest;
  image.rest_offset = original.rest_offset;
  if (original.motion) {
    SkeletonFreedom motion = *original.motion;
    const Vec3 axis = motion.motion == Motion::rotate ? Vec3(-(M * motion.axis)) : Vec3(M * motion.axis);
    if (motion.letter == none || axis == motion.axis) {
      motion.axis = axis;
    } else {
      std::swap(motion.lower, motion.upper);
      motion.lower = -motion.lower;
      motion.upper = -motion.upper;
      for (double& value : image.rest) value = -value;
    }
    image.motion = motion;
  }
  const Mat3 flip_z = Vec3(1, 1, -1).asDiagonal();
  for (const SkeletonTip& tip : original.tips)
    image.tips.push_back({{}, tip.offset, {M * tip.frame.R * flip_z, M * tip.frame.p}});
  return image;
}

// From a parsed script to a figure.
class SkeletonBuilder {
 public:
  SkeletonBuilder(SkeletonText script, std::string_view text, const std::string& file_name, const ReadOptions& options)
      : script_(std::move(script)), reader_(text, file_name) {
    content_.format = "skeleton script";
    content_.space.up = options.up.value_or(Up::y);
    content_.space.metres_per_unit = options.metres_per_unit.value_or(1.0);
    content_.notes = std::move(script_.notes);
    figure_.name = script_.name;
  }

  Expected<Content> built() {
    if (Check done = mirror_definitions(); !done) return std::unexpected(done.error());
    if (Check done = match_definitions(); !done) return std::unexpected(done.error());
    for (const SkeletonListed& listed : script_.listed)
      if (Check done = add_joint(listed, script_.definitions[listed.name]); !done) return std::unexpected(done.error());
    return build();
  }

 private:
  std::unexpected<Diagnostic> reject(std::size_t offset, std::string found, std::string expected) const {
    return reader_.reject(offset, std::move(found), std::move(expected));
  }
  void note(std::size_t offset, std::string text) {
    const Place place = reader_.place(offset);
    content_.notes.push_back({std::move(text), place.line, place.column});
  }

  Check mirror_definitions() {
    std::vector<std::pair<std::string, SkeletonJoint>> images;
    std::map<std::string, std::string> partner;
    bool lost_object = false;
    for (const auto& [name, definition] : script_.definitions) {
      const std::string& partner_name = definition.mirror;
      if (partner_name.empty()) continue;
      const std::size_t place = definition.mirror_offset;
      if (partner_name == name) return reject(place, "a joint that mirrors itself", "another joint");
      if (!script_.index_by_name.contains(partner_name) || !script_.index_by_name.contains(name))
        return reject(place, in_quotes(partner_name), "a joint of the skeleton, like the one that mirrors it");
      const auto has_other_partner = [&](const std::string& side, const std::string& image) {
        const auto found = partner.find(side);
        return found != partner.end() && found->second != image;
      };
      if (has_other_partner(name, partner_name) || has_other_partner(partner_name, name))
        return reject(
            place, "a second mirror image of " + in_quotes(has_other_partner(name, partner_name) ? name : partner_name),
            "one per joint");
      const bool known = partner.contains(name);
      partner[name] = partner_name;
      partner[partner_name] = name;
      if (!known) {
        const bool left = lower_case(name).find("left") != std::string::npos;
        figure_.mirror_pairs.push_back(left ? MirrorPair{name, partner_name} : MirrorPair{partner_name, name});
      }
      if (script_.definitions.contains(partner_name)) continue;
      images.push_back({partner_name, mirror_image(definition)});
      if (!definition.object.empty() && !std::exchange(lost_object, true))
        note(definition.offset,
             "an object cannot be mirrored: " + in_quotes(partner_name) + " and others defined by mirroring have none");
    }
    for (auto& [name, image] : images) script_.definitions.emplace(name, std::move(image));
    return {};
  }

  Check match_definitions() {
    const SkeletonJoint* unlisted = nullptr;
    std::string unlisted_name;
    for (const auto& [name, definition] : script_.definitions)
      if (!script_.index_by_name.contains(name) && (unlisted == nullptr || definition.offset < unlisted->offset)) {
        unlisted = &definition;
        unlisted_name = name;
      }
    if (unlisted != nullptr)
      return reject(unlisted->offset, "a definition of " + in_quotes(unlisted_name), "a joint listed in the skeleton");
    std::size_t missing = 0;
    const SkeletonListed* first = nullptr;
    for (const SkeletonListed& listed : script_.listed)
      if (!script_.definitions.contains(listed.name) && missing++ == 0) first = &listed;
    if (missing > 0)
      note(first->offset, "joint " + in_quotes(first->name) + " is not defined" +
                              (missing > 1 ? ", and " + std::to_string(missing - 1) + " more" : "") +
                              ": rigid, at its parent");
    return {};
  }

  Check add_joint(const SkeletonListed& listed, const SkeletonJoint& definition) {
    const double unit = content_.space.metres_per_unit;
    const bool root = listed.parent == none;
    const Mat3& R = definition.frame.R;
    JointDescription joint{listed.name, root ? "" : script_.listed[listed.parent].name, listed.name};
    joint.in_parent = {R, unit * definition.frame.p};
    if (root) {
      // Along the axes of the file, independent of the root's orientation.
      const char* names[] = {"tx", "ty", "tz"};
      for (int k = 0; k < 3; ++k)
        joint.freedoms.push_back({names[k], Motion::translate, R.transpose() * Vec3::Unit(k)});
      joint.in_parent = Frame{content_.space.R_inside_file()} * joint.in_parent;
    }
    if (definition.motion) {
      const SkeletonFreedom& motion = *definition.motion;
      FreedomDescription freedom{motion.motion == Motion::rotate ? "angle" : "slide", motion.motion, motion.axis};
      freedom.range.lower = inside(motion.lower, motion.motion);
      freedom.range.upper = inside(motion.upper, motion.motion);
      freedom.range.rest = std::clamp(0.0, freedom.range.lower, freedom.range.upper);
      joint.freedoms.push_back(std::move(freedom));
    }
    if (Check rest = set_rest(joint, definition); !rest) return rest;
    figure_.joints.push_back(std::move(joint));
    figure_.segments.push_back({listed.name, definition.mass, unit * definition.mass_centre, definition.object});
    figure_.sites.push_back({listed.name, listed.name});
    return {};
  }

  double inside(double value, Motion motion) const {
    return motion == Motion::rotate ? radians(value) : content_.space.metres_per_unit * value;
  }

  Check set_rest(JointDescription& joint, const SkeletonJoint& definition) {
    if (definition.rest.empty()) return {};
    if (definition.rest.size() != joint.freedoms.size())
      return reject(definition.rest_offset, std::to_string(definition.rest.size()) + " rest values",
                    "one for each degree of freedom of the joint: " + std::to_string(joint.freedoms.size()));
    for (std::size_t k = 0; k < joint.freedoms.size(); ++k) {
      Range& range = joint.freedoms[k].range;
      const double rest = inside(definition.rest[k], joint.freedoms[k].motion);
      range.rest = std::clamp(rest, range.lower, range.upper);
      if (std::fabs(range.rest - rest) > rest_tolerance * std::fmax(1.0, std::fabs(rest)))
        return reject(definition.rest_offset, "rest value " + to_text(definition.rest[k]), "one within the limits");
    }
    return {};
  }

  void add_tips() {
    UniqueNames unique;
    for (const SkeletonListed& listed : script_.listed) unique(listed.name, "joint");
    bool renamed = false;
    for (const SkeletonListed& listed : script_.listed)
      for (const SkeletonTip& tip : script_.definitions[listed.name].tips) {
        const std::string wanted = tip.name.empty() ? listed.name + " tip" : tip.name;
        const std::string name = unique(wanted, "tip");
        if (name != wanted && !tip.name.empty() && !std::exchange(renamed, true))
          note(tip.offset, "the tip " + in_quotes(wanted) + " and others are numbered: the name is taken");
        figure_.sites.push_back({name, listed.name, {tip.frame.R, content_.space.metres_per_unit * tip.frame.p}});
      }
  }

  Expected<Content> build() {
    add_tips();
    Expected<Figure> figure = build_figure(figure_);
    if (!figure && !figure_.mirror_pairs.empty()) {
      // The figure may only be asymmetric.
      const std::string reason = figure.error().text();
      figure_.mirror_pairs.clear();
      figure = build_figure(std::move(figure_));
      if (figure) content_.notes.push_back({"the figure is not symmetric, so \"mirror\" only copies: " + reason});
    }
    if (!figure) {
      Diagnostic error = figure.error();
      error.where = reader_.file_name() + ": " + error.where;
      return std::unexpected(std::move(error));
    }
    content_.figure = std::move(*figure);
    return std::move(content_);
  }

  SkeletonText script_;
  TextReader reader_;  // for places in the text
  Content content_;
  FigureDescription figure_;
};

}  // namespace

Expected<Content> read_skeleton_script(std::string_view bytes, const std::string& file_name,
                                       const ReadOptions& options) {
  const Expected<std::string_view> text = plain_text(bytes, file_name);
  if (!text) return std::unexpected(text.error());
  Expected<SkeletonText> script = read_skeleton_text(*text, file_name);
  if (!script) return std::unexpected(script.error());
  return SkeletonBuilder(std::move(*script), *text, file_name, options).built();
}

}  // namespace limber
