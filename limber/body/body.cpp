#include "limber/body/body.h"

#include <algorithm>
#include <optional>
#include <set>

#include "limber/base/index.h"
#include "limber/body/block.h"
#include "limber/body/bone.h"

namespace limber::body {

namespace {

// Proportions, chosen by eye.
constexpr double trunk_flatness = 1.28;  // width to radius, radius to depth
constexpr double tip_share = 0.55;       // radius at a limb's free end
constexpr double blunt_tip_share = 0.7;  // the same for a short limb: toes
constexpr double skull_share = 0.89;     // of a head's half-axes: part of its mass is neck
constexpr double knob_share = 0.45;      // radius at a protruding site

class Shaper {
 public:
  Shaper(const Figure& figure, const Kinematics& state)
      : figure_(figure),
        state_(state),
        rest_(forward(figure, figure.rest())),
        size_(figure.length()),
        bones_(measure_bones(figure)),
        joint_balls_(figure.segments().size()) {
    const FigureDescription& description = figure.description();
    symmetric_ = !description.mirror_pairs.empty();
    for (const MirrorPair& pair : description.mirror_pairs) {
      paired_.insert(pair.left);
      paired_.insert(pair.right);
    }
  }

  Body shape() {
    for (int s = 0; s < count(); ++s)
      if (bone(s).kind == BoneKind::disc && !bone(s).drawn) add_trunk(s);
    for (int s = 0; s < count(); ++s) {
      add_slide(s);
      if (bone(s).drawn) continue;
      if (bone(s).kind == BoneKind::head) add_head(s);
      if (bone(s).kind == BoneKind::limb || bone(s).kind == BoneKind::hub) add_limb(s);
    }
    if (body_.solids.empty()) add_markers();
    std::erase_if(body_.solids, [](const Solid& solid) {
      return !std::all_of(solid.pieces.begin(), solid.pieces.end(), [](const auto& piece) {
        return std::all_of(piece.begin(), piece.end(), [](const Ellipsoid& e) { return e.finite(); });
      });
    });
    return std::move(body_);
  }

 private:
  int count() const { return static_cast<int>(bones_.list.size()); }
  Bone& bone(int s) { return bones_.list[at_index(s)]; }
  const Segment& segment(int s) const { return figure_.segments()[at_index(s)]; }
  const Joint& joint(int s) const { return figure_.joints()[at_index(s)]; }
  const Frame& frame(int s) const { return state_.segments[at_index(s)]; }
  double density() const { return bones_.density; }

  int next_disc(int s) const { return bones_.next_disc(s); }

  int next_hub(int s) {
    for (const BoneEnd& end : bone(s).ends)
      if (bone(end.child).kind == BoneKind::hub && segment(end.child).mass > 0.0) return end.child;
    return -1;
  }

  // The figure's left in world coordinates, carried along by this segment.
  Vec3 lateral(int s) const {
    return frame(s).R * rest_.segments[at_index(s)].R.transpose() * figure_.description().mirror_normal.normalized();
  }

  // The frame (left, along, forward) around an axis in the world.
  Mat3 around(const Vec3& along, int s) const {
    const Vec3 t = along.norm() > 0.0 ? along.normalized() : Vec3(Vec3::UnitY());
    Vec3 side = symmetric_ ? lateral(s) : t.unitOrthogonal();
    side -= t.dot(side) * t;
    if (side.norm() < 1e-3) side = t.unitOrthogonal();
    side.normalize();
    Mat3 R;
    R.col(0) = side;
    R.col(1) = t;
    R.col(2) = side.cross(t);
    return R;
  }

  // --- Trunk ---

  struct Slice {
    Vec3 centre;
    double height;
    double mass;
    double radius = 0.0;
    Ellipsoid shape = {};
  };

  void add_trunk(int first) {
    std::vector<int> run;
    for (int s = first; s >= 0; s = next_disc(s)) run.push_back(s);
    std::vector<Slice> slices = trunk_slices(run);
    Solid solid;
    solid.trunk = true;
    for (const int s : run) {
      solid.segments.push_back(s);
      bone(s).drawn = true;
    }
    solid.from = slices.front().centre;
    solid.to = slices.back().centre;
    add_base(first, slices.front().shape, solid);
    for (std::size_t k = 0; k + 1 < slices.size(); ++k) solid.pieces.push_back({slices[k].shape, slices[k + 1].shape});
    const int top = next_hub(run.back());
    if (top >= 0) {
      std::vector<Ellipsoid> hull = hub_hull(top, nullptr, -1);
      hull.push_back(slices.back().shape);
      solid.pieces.push_back(std::move(hull));
      solid.segments.push_back(top);
      bone(top).drawn = true;
      run.push_back(top);
    }
    for (const int s : run)
      for (int c = s + 1; c < segment(s).subtree_end; c = segment(c).subtree_end) {
        add_yoke(c, slices, solid);
        add_neck(c, slices, solid);
      }
    body_.solids.push_back(std::move(solid));
  }

  std::vector<Slice> trunk_slices(const std::vector<int>& run) {
    std::vector<Slice> slices;
    for (std::size_t k = 0; k < run.size(); ++k) {
      const int s = run[k];
      double height = slices.empty() ? bone(s).longest : slices.back().height;
      for (const BoneEnd& end : bone(s).ends)
        if (k + 1 < run.size() && end.child == run[k + 1]) height = (end.p - bone(s).start).norm();
      slices.push_back({frame(s) * segment(s).mass_centre, height, segment(s).mass});
    }
    smooth(slices, next_hub(run.back()) < 0);
    for (std::size_t k = 0; k < slices.size(); ++k) {
      const Vec3 along = slices[std::min(k + 1, slices.size() - 1)].centre - slices[k == 0 ? 0 : k - 1].centre;
      const double wide = symmetric_ ? trunk_flatness * slices[k].radius : slices[k].radius;
      const double deep = symmetric_ ? slices[k].radius / trunk_flatness : slices[k].radius;
      slices[k].shape = {slices[k].centre, around(along, run[k]) * Vec3(wide, 0.7 * deep, deep).asDiagonal(), run[k]};
    }
    return slices;
  }

  // Radii from the mass of the neighbouring slices; a free upper end is rounded off.
  void smooth(std::vector<Slice>& slices, bool round_off) const {
    const int n = static_cast<int>(slices.size());
    for (int k = 0; k < n; ++k) {
      double mass = 0.0, height = 0.0;
      for (int j = std::max(0, k - 4); j <= std::min(n - 1, k + 4); ++j) {
        mass += slices[at_index(j)].mass;
        height += slices[at_index(j)].height;
      }
      slices[at_index(k)].radius = std::fmin(std::sqrt(mass / (density() * pi * height)), 0.2 * size_);
    }
    if (!round_off) return;
    double above = 0.0;
    for (int k = n - 1; k >= 0; --k) {
      Slice& slice = slices[at_index(k)];
      const double missing = std::fmax(0.0, 1.0 - above / (1.15 * slice.radius));
      slice.radius *= std::fmax(0.3, std::sqrt(1.0 - missing * missing));
      above += slice.height;
    }
  }

  // The hub that carries the trunk, possibly through segments without length, becomes its base.
  void add_base(int first, const Ellipsoid& lowest, Solid& solid) {
    int p = segment(first).parent;
    const auto has_no_flesh = [&](int s) {
      return bone(s).kind == BoneKind::nothing || (bone(s).kind == BoneKind::limb && segment(s).mass <= 0.0);
    };
    while (p != no_parent && has_no_flesh(p)) p = segment(p).parent;
    if (p == no_parent || bone(p).kind != BoneKind::hub || bone(p).drawn) return;
    for (int s = segment(first).parent; s != p; s = segment(s).parent) bone(s).drawn = true;
    solid.pieces.push_back(hub_hull(p, &lowest, first));
    solid.segments.push_back(p);
    solid.from = frame(p) * bone(p).start;
    bone(p).drawn = true;
  }

  // A paired limb no longer than the trunk's width belongs to the trunk: a clavicle, with the flesh down to the ribs.
  void add_yoke(int c, const std::vector<Slice>& slices, Solid& solid) {
    Bone& b = bone(c);
    double widest = 0.0;
    for (const Slice& slice : slices) widest = std::fmax(widest, slice.radius);
    if (b.kind != BoneKind::limb || b.ends.size() != 1 || !paired_.contains(segment(c).name) || b.length > 2.0 * widest)
      return;
    const Ellipsoid inner = Ellipsoid::ball(frame(c) * b.start, 0.9 * b.radius, c);
    const Ellipsoid outer = Ellipsoid::ball(frame(c) * b.ends[0].p, 0.95 * b.radius, c);
    // The rib as far below the top as the shoulder is to the side.
    std::size_t rib = slices.size() - 1;
    for (double below = 0.0; rib > 0 && below < 1.1 * b.length; --rib) below += slices[rib].height;
    const Ellipsoid top = Ellipsoid::ball(slices.back().centre, 0.8 * b.radius, slices.back().shape.segment);
    solid.pieces.push_back({outer, inner, top});
    solid.pieces.push_back({outer, inner, slices[rib].shape});
    if (solid.chest.empty()) {
      solid.chest.push_back(top);
      for (std::size_t k = rib; k < slices.size(); ++k) solid.chest.push_back(slices[k].shape);
    }
    solid.chest.insert(solid.chest.end(), {outer, inner});
    solid.segments.push_back(c);
    b.drawn = true;
    joint_balls_[at_index(b.ends[0].child)] = outer;
  }

  // A short unpaired limb that carries a head is a neck: part of the trunk.
  void add_neck(int c, const std::vector<Slice>& slices, Solid& solid) {
    Bone& b = bone(c);
    if (b.kind != BoneKind::limb || b.ends.size() != 1 || paired_.contains(segment(c).name) ||
        b.length > 2.0 * slices.front().radius)
      return;
    const int next = first_with_length(b.ends[0].child);
    if (next < 0 || bone(next).kind != BoneKind::head) return;
    const double r = std::fmin(b.radius, 0.6 * bone(next).radius);
    solid.pieces.push_back(
        {Ellipsoid::ball(frame(c) * b.start, 1.15 * r, c), Ellipsoid::ball(frame(c) * b.ends[0].p, r, c)});
    solid.segments.push_back(c);
    b.drawn = true;
  }

  // --- Limbs and hubs ---

  // The first segment with a length at c or below it; -1 if none.
  int first_with_length(int c) {
    while (bone(c).kind == BoneKind::nothing) {
      if (c + 1 >= segment(c).subtree_end) return -1;
      ++c;
    }
    return c;
  }

  // The ball at an end of segment s, where a child starts.
  Ellipsoid end_ball(int s, const BoneEnd& end) {
    const Bone& b = bone(s);
    double r = b.kind == BoneKind::hub ? 0.92 * b.radius : b.radius;
    const int next = first_with_length(end.child);
    if (b.kind == BoneKind::limb && next >= 0 && bone(next).kind != BoneKind::head && bone(next).kind != BoneKind::disc)
      r = std::sqrt(b.radius * bone(next).radius);
    Mat3 axes = r * Mat3::Identity();
    // A nearby site is on the skin: the sole under the ball of the foot.
    for (const Site& site : figure_.sites()) {
      if (site.segment != s) continue;
      const Vec3 d = site.frame.p - end.p;
      if (d.norm() <= 0.1 * r || d.norm() >= r) continue;
      const Vec3 n = frame(s).R * d.normalized();
      axes = (Mat3::Identity() - n * n.transpose()) * r + n * n.transpose() * d.norm();
      break;
    }
    const Ellipsoid ball{frame(s) * end.p, axes, s};
    if (b.kind == BoneKind::limb)
      for (int c = end.child; c <= next; ++c) joint_balls_[at_index(c)] = ball;
    return ball;
  }

  Ellipsoid start_ball(int s) {
    const std::optional<Ellipsoid>& given = joint_balls_[at_index(s)];
    if (given) return {frame(s) * bone(s).start, given->axes, s};
    return Ellipsoid::ball(frame(s) * bone(s).start, (bone(s).kind == BoneKind::limb ? 1.1 : 0.75) * bone(s).radius, s);
  }

  std::vector<Ellipsoid> hub_hull(int s, const Ellipsoid* trunk, int trunk_first) {
    std::vector<Ellipsoid> hull = {start_ball(s)};
    for (const BoneEnd& end : bone(s).ends)
      if (trunk && end.child <= trunk_first && trunk_first < segment(end.child).subtree_end)
        hull.push_back(*trunk);
      else
        hull.push_back(end_ball(s, end));
    return hull;
  }

  double distance_from_bone(int s, const Vec3& x) {
    const Bone& b = bone(s);
    double min_distance = (x - b.start).norm();
    const auto consider = [&](const Vec3& end) {
      const Vec3 d = end - b.start;
      const double square = d.squaredNorm();
      const double t = square > 0.0 ? std::clamp((x - b.start).dot(d) / square, 0.0, 1.0) : 0.0;
      min_distance = std::fmin(min_distance, (x - b.start - t * d).norm());
    };
    for (const BoneEnd& end : b.ends) consider(end.p);
    if (b.ends.empty()) consider(b.tip);
    return min_distance;
  }

  void add_limb(int s) {
    Bone& b = bone(s);
    b.drawn = true;
    Solid solid;
    solid.segments = {s};
    solid.from = frame(s) * b.start;
    if (b.kind == BoneKind::hub) {
      solid.pieces.push_back(hub_hull(s, nullptr, -1));
      Vec3 sum = Vec3::Zero();
      for (const BoneEnd& end : b.ends) sum += end.p;
      solid.to = frame(s) * Vec3(sum / static_cast<double>(b.ends.size()));
    } else if (b.ends.empty()) {
      solid.to = frame(s) * b.tip;
      solid.pieces.push_back(leaf_hull(s));
    } else {
      solid.to = frame(s) * b.ends[0].p;
      const Ellipsoid start = start_ball(s), end = end_ball(s, b.ends[0]);
      // Slightly thicker in the upper third.
      const Ellipsoid belly{start.centre + 0.3 * (end.centre - start.centre),
                            1.06 * (0.7 * start.axes + 0.3 * end.axes), s};
      solid.pieces.push_back({start, belly, end});
    }
    add_knobs(s, solid.pieces[0]);
    body_.solids.push_back(std::move(solid));
  }

  // The centre of a ball of radius r with x on its surface, moved towards `inside` along each segment axis separately,
  // so that a heel touches both the ground and a wall behind it.
  static Vec3 pulled_in(const Vec3& x, const Vec3& inside, double r) {
    Vec3 centre = x;
    for (int k = 0; k < 3; ++k) centre[k] += std::clamp(inside[k] - x[k], -r, r);
    return centre;
  }

  // Protruding sites become small balls with the site on the surface: a heel.
  void add_knobs(int s, std::vector<Ellipsoid>& hull) {
    const Bone& b = bone(s);
    const double r = knob_share * b.radius;
    for (const Site& site : figure_.sites()) {
      if (site.segment != s || distance_from_bone(s, site.frame.p) <= b.radius) continue;
      hull.push_back(Ellipsoid::ball(
          frame(s) * pulled_in(site.frame.p, segment(s).mass > 0.0 ? segment(s).mass_centre : b.start, r), r, s));
    }
  }

  std::vector<Ellipsoid> leaf_hull(int s) {
    const Bone& b = bone(s);
    const Vec3 axis = (b.tip - b.start) / b.length;
    const Ellipsoid start = start_ball(s);
    // A site that faces sideways, before the tip, makes the leaf flat: the palm of a hand.
    for (const Site& site : figure_.sites()) {
      if (site.segment != s) continue;
      const double along = axis.dot(site.frame.p - b.start) / b.length;
      const Vec3 n = site.frame.R.col(0);
      if (along < 0.05 || along > 0.7 || std::fabs(axis.dot(n)) > 0.35 ||
          distance_from_bone(s, site.frame.p) > b.radius)
        continue;
      const Mat3 R = frame(s).R * rotation_from_xy(axis, n);
      const auto flat = [&](double t, double thick, double wide) {
        return Ellipsoid{frame(s) * Vec3(b.start + t * b.length * axis),
                         R * (b.radius * Vec3(thick, thick, wide)).asDiagonal(), s};
      };
      const double tip = tip_share * b.radius / b.length;
      return {{start.centre, 0.85 * start.axes, s}, flat(0.42, 0.6, 1.35), flat(1.0 - tip, 0.4, 0.75)};
    }
    const double r = (b.radius > 0.3 * b.length ? blunt_tip_share : tip_share) * b.radius;
    return {start, Ellipsoid::ball(frame(s) * pulled_in(b.tip, b.start, r), r, s)};
  }

  // A sliding joint gets a rod between its two halves.
  void add_slide(int s) {
    const int p = segment(s).parent;
    if (p == no_parent || floats(figure_, s)) return;
    const Vec3 from = frame(p) * joint(s).in_parent.p, to = frame(s) * joint(s).in_child.p;
    if (!((to - from).norm() > 1e-3 * size_)) return;
    const double r = std::fmax(0.008 * size_, 0.45 * std::fmin(bone(p).radius, bone(s).radius));
    body_.solids.push_back({{{Ellipsoid::ball(from, r, p), Ellipsoid::ball(to, r, s)}}, {s}, from, to, false, false});
  }

  // --- Head ---

  void add_head(int s) {
    const Bone& b = bone(s);
    bone(s).drawn = true;
    const double volume = segment(s).mass / density();
    const Vec3 mass_centre = frame(s) * segment(s).mass_centre;
    const Vec3 along = frame(s).R * (b.tip - b.start) / b.length;
    const double round = std::cbrt(0.75 * volume / pi);
    const double high = skull_share * std::clamp(along.dot(frame(s) * b.tip - mass_centre), 0.8 * round, 1.5 * round);
    const Vec3 centre = mass_centre + (1.0 / skull_share - 1.0) * high * along;
    const double cross = skull_share * std::sqrt(0.75 * volume / (pi * high));
    const Mat3 R = around(along, s);
    const Vec3 half = symmetric_ ? Vec3(0.84 * cross, high, 1.08 * cross) : Vec3(cross, high, cross);
    const Ellipsoid skull{centre, R * half.asDiagonal(), s};
    Solid solid{{{skull}}, {s}, centre - high * along, centre + high * along, false, true};
    for (const Site& site : figure_.sites())
      if (site.segment == s && std::fabs(along.dot(frame(s).R * site.frame.R.col(0))) < 0.5) {
        add_face(s, frame(s) * site.frame.p, frame(s).R * site.frame.R.col(0), skull, along, solid);
        break;
      }
    body_.solids.push_back(std::move(solid));
  }

  // The point of an ellipsoid's surface on the ray from its centre through x.
  static Vec3 on_surface(const Ellipsoid& e, const Vec3& x) {
    const Vec3 unit = e.axes.inverse() * (x - e.centre);
    return unit.norm() > 0.0 ? Vec3(e.centre + e.axes * unit.normalized()) : x;
  }

  void add_face(int s, const Vec3& site, const Vec3& gaze, const Ellipsoid& skull, const Vec3& along, Solid& solid) {
    const double high = (skull.axes.transpose() * along).norm();
    const Vec3 side = gaze.cross(along).normalized();
    const double wide = (skull.axes.transpose() * side).norm();
    const double level = along.dot(site - skull.centre);
    const Vec3 middle = skull.centre + level * along;
    for (const double out : {-1.0, 1.0}) {
      const Vec3 position = on_surface(skull, middle + 0.4 * out * wide * side + high * gaze);
      body_.eyes.push_back({position, (gaze + 0.25 * out * side).normalized(), 0.15 * wide, s});
    }
    const Vec3 nose = on_surface(skull, middle - 0.35 * high * along + high * gaze);
    const Vec3 bridge = on_surface(skull, middle + high * gaze);
    solid.pieces.push_back(
        {Ellipsoid::ball(nose, 0.15 * wide, s), Ellipsoid::ball(bridge - 0.05 * wide * gaze, 0.08 * wide, s)});
  }

  // A figure without extent is shown as markers.
  void add_markers() {
    for (int s = 0; s < count(); ++s) {
      const Vec3 position = frame(s) * bone(s).start;
      const double r = 0.05 * size_;
      body_.solids.push_back({{{Ellipsoid::ball(position, r, s)}}, {s}, position, position, false, false, true});
    }
  }

  const Figure& figure_;
  const Kinematics& state_;
  const Kinematics rest_;
  const double size_;
  Bones bones_;
  std::vector<std::optional<Ellipsoid>> joint_balls_;  // at the start of a segment, from the end of its parent
  std::set<std::string> paired_;
  bool symmetric_ = false;
  Body body_;
};

}  // namespace

namespace {

// Rounding of a block's corners, relative to its smallest side.
constexpr double block_rounding = 0.02;

Body body_of_block(const Block& block, const Frame& X) {
  Vec3 min = block.corners.front(), max = min;
  for (const Vec3& x : block.corners) {
    min = min.cwiseMin(x);
    max = max.cwiseMax(x);
  }
  const double r = block_rounding * (max - min).minCoeff();
  Solid solid;
  solid.segments = {0};
  solid.from = X * Vec3(0.5 * (min + max));
  solid.to = X * max;
  solid.pieces.emplace_back();
  for (const Vec3& x : block.corners)
    solid.pieces.front().push_back(
        Ellipsoid::ball(X * Vec3(x.cwiseMax(min + Vec3::Constant(r)).cwiseMin(max - Vec3::Constant(r))), r, 0));
  return {{solid}, {}};
}

// The bodies of the parts, each by itself.
Body body_of_parts(const Figure& figure, const Kinematics& state) {
  Body whole;
  for (const FigurePart& part : figure.parts()) {
    Body own = make_body(part.figure, state_of(part, state));
    for (Solid& solid : own.solids) {
      for (int& segment : solid.segments) segment += part.segment_begin;
      const auto renumber = [&](std::vector<Ellipsoid>& hull) {
        for (Ellipsoid& e : hull)
          if (e.segment >= 0) e.segment += part.segment_begin;
      };
      std::ranges::for_each(solid.pieces, renumber);
      renumber(solid.chest);
      whole.solids.push_back(std::move(solid));
    }
    for (Eye& eye : own.eyes) {
      eye.segment += part.segment_begin;
      whole.eyes.push_back(eye);
    }
  }
  return whole;
}

}  // namespace

Body make_body(const Figure& figure, const Kinematics& state) {
  if (!figure.parts().empty()) return body_of_parts(figure, state);
  if (const std::optional<Block> block = block_of(figure)) return body_of_block(*block, state.segments.front());
  return Shaper(figure, state).shape();
}

}  // namespace limber::body
