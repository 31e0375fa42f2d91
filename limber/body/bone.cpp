#include "limber/body/bone.h"

#include <algorithm>
#include <utility>

#include "limber/base/index.h"

namespace limber {

namespace {

constexpr double water = 1000.0;  // kg/m³

// Fractions of the figure's length. A mean radius outside this range means that masses and lengths do not match.
constexpr double min_mean = 0.004, max_mean = 0.12, usual_mean = 0.035;
constexpr double negligible = 1e-6;

// Proportions, chosen by eye.
constexpr double head_stubbiness = 0.45;  // a leaf with a larger r / L is a head
constexpr double max_stubbiness = 0.6;    // r / L of a limb or hub
constexpr double max_hub_width =
    0.2;  // fraction of the figure's length; a wider hub with free ends is not part of the body

class Measurer {
 public:
  explicit Measurer(const Figure& figure) : figure_(figure), size_(figure.length()) {
    bones_.list.resize(figure.segments().size());
    bones_.density = water;
  }

  Bones result() {
    measure();
    set_radii();
    set_kinds();
    return std::move(bones_);
  }

 private:
  int count() const { return static_cast<int>(bones_.list.size()); }
  Bone& bone(int s) { return bones_.list[at_index(s)]; }
  const Segment& segment(int s) const { return figure_.segments()[at_index(s)]; }
  const Joint& joint(int s) const { return figure_.joints()[at_index(s)]; }

  bool is_leaf(int s) const { return segment(s).subtree_end == s + 1; }
  bool is_loose(int s) const { return segment(s).parent == no_parent ? slides(figure_, s) > 0 : floats(figure_, s); }

  // A floating segment has no attachment: it starts in the middle of its children.
  Vec3 start(int s) const {
    Vec3 sum = Vec3::Zero();
    int children = 0;
    for (int c = s + 1; c < segment(s).subtree_end; c = segment(c).subtree_end, ++children) sum += joint(c).in_parent.p;
    return is_loose(s) && children > 1 ? Vec3(sum / children) : joint(s).in_child.p;
  }

  void measure() {
    for (int s = 0; s < count(); ++s) {
      bone(s).start = start(s);
      if (is_leaf(s)) measure_leaf(s);
    }
    for (int c = 0; c < count(); ++c) {
      const int p = segment(c).parent;
      if (p == no_parent || floats(figure_, c) || (is_marker(c) && has_other_children(p))) continue;
      add_end(p, {joint(c).in_parent.p, c});
    }
    for (int s = 0; s < count(); ++s) {
      if (is_rig_root(s)) detach_free_ends(s);
      if (bone(s).ends.empty()) measure_leaf(s);
    }
  }

  void add_end(int s, const BoneEnd& end) {
    const double length = (end.p - bone(s).start).norm();
    if (length <= negligible * size_) return;
    bone(s).ends.push_back(end);
    bone(s).length += length;
    bone(s).longest = std::fmax(bone(s).longest, length);
  }

  // A fixed leaf without extent only marks a place: a mesh, a slot for a sword. A massless bone with other children
  // ignores it.
  bool is_marker(int s) {
    return is_leaf(s) && bone(s).length == 0.0 && segment(s).mass <= 0.0 &&
           joint(s).freedom_begin == joint(s).freedom_end;
  }
  bool has_other_children(int s) {
    if (segment(s).mass > 0.0) return false;
    for (int c = s + 1; c < segment(s).subtree_end; c = segment(c).subtree_end)
      if (!is_marker(c)) return true;
    return false;
  }

  // The root of a rig: the body and distant control handles move freely relative to it.
  bool is_rig_root(int s) {
    const auto moves_freely = [&](const BoneEnd& end) { return slides(figure_, end.child) == 3; };
    return is_loose(s) && segment(s).mass <= 0.0 && bone(s).ends.size() > 1 &&
           bone(s).longest > max_hub_width * size_ && std::ranges::any_of(bone(s).ends, moves_freely);
  }
  void detach_free_ends(int s) {
    std::vector<BoneEnd> ends = std::exchange(bone(s).ends, {});
    std::erase_if(ends, [&](const BoneEnd& end) { return slides(figure_, end.child) == 3; });
    bone(s).length = bone(s).longest = 0.0;
    if (ends.size() < 2) bone(s).start = joint(s).in_child.p;
    for (const BoneEnd& end : ends) add_end(s, end);
  }

  // Extent of a leaf beyond its mass centre, relative to the distance from start to mass centre: 1, or less if half the
  // length of a rod with the same inertia is shorter. In some robots only the mass tells where the head is.
  double beyond_centre(int s) const {
    for (const SegmentDescription& described : figure_.description().segments) {
      if (described.name != segment(s).name || !(described.inertia.trace() > 0.0)) continue;
      const double distance = (described.mass_centre - bones_.list[at_index(s)].start).norm();
      const double half = 0.5 * std::sqrt(12.0 * 0.5 * described.inertia.trace() / described.mass);
      return distance > 0.0 ? std::fmin(1.0, half / distance) : 1.0;
    }
    return 1.0;
  }

  void measure_leaf(int s) {
    Bone& b = bone(s);
    b.tip = b.start;
    for (const Site& site : figure_.sites())
      if (site.segment == s && (site.frame.p - b.start).norm() > (b.tip - b.start).norm()) b.tip = site.frame.p;
    const Vec3 centre = segment(s).mass_centre;
    if (b.tip == b.start && segment(s).mass > 0.0) b.tip = centre + beyond_centre(s) * (centre - b.start);
    b.length = (b.tip - b.start).norm();
    if (b.length <= negligible * size_) b.length = 0.0;
    b.longest = b.length;
  }

  void set_radii() {
    double mass = 0.0, length = 0.0;
    for (int s = 0; s < count(); ++s) {
      if (segment(s).mass <= 0.0) continue;
      mass += segment(s).mass;
      length += bone(s).length;
    }
    const double mean = length > 0.0 ? std::sqrt(mass / (water * pi * length)) / size_ : 0.0;
    if (mass > 0.0 && length > 0.0 && !(mean > min_mean && mean < max_mean))
      bones_.density = mass / (pi * length * usual_mean * usual_mean * size_ * size_);
    for (int s = 0; s < count(); ++s) bone(s).radius = radius(s);
  }

  double radius(int s) {
    const Bone& b = bone(s);
    if (b.length == 0.0) return 0.0;
    if (segment(s).mass > 0.0) return std::sqrt(segment(s).mass / (bones_.density * pi * b.length));
    const int p = segment(s).parent;
    if (p != no_parent && segment(p).mass > 0.0 && bone(p).radius > 0.0)
      return max_stubbiness * std::fmin(bone(p).radius, b.length);
    return std::fmin(0.5 * b.length, std::clamp(0.1 * b.length, 0.012 * size_, 0.035 * size_));
  }

  void set_kinds() {
    for (int s = 0; s < count(); ++s) {
      Bone& b = bone(s);
      const int p = segment(s).parent;
      const bool massive = segment(s).mass > 0.0;
      const bool on_disc = p != no_parent && bone(p).kind == BoneKind::disc;
      if (b.length == 0.0)
        b.kind = BoneKind::nothing;
      else if (b.ends.empty())
        b.kind = massive && b.radius > head_stubbiness * b.length ? BoneKind::head : BoneKind::limb;
      else if (massive && (b.radius > b.longest || (on_disc && b.longest < bone(p).radius)))
        b.kind = BoneKind::disc;
      else
        b.kind = b.ends.size() > 1 ? BoneKind::hub : BoneKind::limb;
    }
    // A single disc is not a trunk.
    for (int s = 0; s < count(); ++s)
      if (bone(s).kind == BoneKind::disc && bones_.next_disc(s) < 0 &&
          !(segment(s).parent != no_parent && bone(segment(s).parent).kind == BoneKind::disc))
        bone(s).kind = bone(s).ends.size() > 1 ? BoneKind::hub : BoneKind::limb;
    for (int s = 0; s < count(); ++s)
      if (bone(s).kind == BoneKind::limb || bone(s).kind == BoneKind::hub)
        bone(s).radius = std::fmin(bone(s).radius, max_stubbiness * bone(s).longest);
  }

  const Figure& figure_;
  const double size_;
  Bones bones_;
};

}  // namespace

int slides(const Figure& figure, int s) {
  const Joint& joint = figure.joints()[at_index(s)];
  int count = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
    count += figure.freedoms()[at_index(i)].motion == Motion::translate;
  return count;
}

bool floats(const Figure& figure, int s) {
  if (slides(figure, s) < 3) return false;
  for (int p = figure.segments()[at_index(s)].parent; p != no_parent; p = figure.segments()[at_index(p)].parent)
    if (figure.joints()[at_index(p)].freedom_begin < figure.joints()[at_index(p)].freedom_end) return false;
  return true;
}

int Bones::next_disc(int s) const {
  for (const BoneEnd& end : list[at_index(s)].ends)
    if (list[at_index(end.child)].kind == BoneKind::disc) return end.child;
  return -1;
}

Bones measure_bones(const Figure& figure) {
  if (figure.parts().empty()) return Measurer(figure).result();
  Bones whole;
  for (const FigurePart& part : figure.parts()) {
    Bones own = measure_bones(part.figure);
    if (whole.list.empty()) whole.density = own.density;
    for (Bone& bone : own.list) {
      for (BoneEnd& end : bone.ends) end.child += part.segment_begin;
      whole.list.push_back(std::move(bone));
    }
  }
  return whole;
}

}  // namespace limber
