#include "limber/figure/human_tables.h"

#include <algorithm>
#include <utility>

#include "limber/base/number.h"

namespace limber::human_tables {

namespace {

Vec3 x_axis() { return Vec3::UnitX(); }
Vec3 y_axis() { return Vec3::UnitY(); }
Vec3 z_axis() { return Vec3::UnitZ(); }

// Wide enough for infants and giants, narrow enough to catch centimetres and grams.
constexpr double min_stature = 0.3, max_stature = 3.0;  // metres
constexpr double min_mass = 1.0, max_mass = 700.0;      // kg

// The printed shares add up to 1 only within rounding.
double table_sum(const Sample& s) {
  return s.head + s.upper_trunk + s.middle_trunk + s.lower_trunk +
         2.0 * (s.upper_arm + s.forearm + s.hand + s.thigh + s.shank + s.foot);
}

Vec3 between(const Vec3& from, const Vec3& to, double fraction) { return from + fraction * (to - from); }

Vec3 hip_centre(const Side& side) { return {side.out * length::hip_aside, length::hip, 0.0}; }
Vec3 below(const Vec3& point, double down) { return point - down * y_axis(); }

}  // namespace

Range to_range(Bounds bounds) { return {.lower = radians(bounds.lower_deg), .upper = radians(bounds.upper_deg)}; }

FreedomDescription turn(const char* name, const Vec3& axis, Bounds bounds) {
  return {name, Motion::rotate, axis, to_range(bounds)};
}

Expected<Size> checked_size(const Sample& sample, double stature, double mass) {
  if (stature == 0.0) stature = sample.stature;
  if (!(stature >= min_stature && stature <= max_stature))
    return reject("human, stature", to_text(stature),
                  "0 for the published mean, or metres from " + to_text(min_stature) + " to " + to_text(max_stature));
  const double scale = stature / sample.stature;
  if (mass == 0.0) mass = std::clamp(sample.mass * scale * scale, min_mass, max_mass);
  if (!(mass >= min_mass && mass <= max_mass))
    return reject("human, mass", to_text(mass),
                  "0 for the published mean, or kilograms from " + to_text(min_mass) + " to " + to_text(max_mass));
  return Size{stature, mass};
}

std::array<Vec3, vertebra_count + 1> spine_points(const Sample& sample) {
  const Vec3 start(0.0, length::hip + length::sacrum_above_hip, -length::sacrum_behind_hip);
  const double cervicale = 1.0 - sample.vertex_to_cervicale / sample.stature;
  std::array<Vec3, vertebra_count + 1> points;
  points[0] = Vec3::Zero();
  for (std::size_t v = 0; v < vertebra_count; ++v) {
    const double lean = radians(vertebrae[v].lean_deg);
    const double height = vertebrae[v].body_mm + vertebrae[v].disc_mm;
    points[v + 1] = points[v] + height * Vec3(0.0, std::cos(lean), std::sin(lean));
  }
  const double scale = (cervicale - start.y()) / points.back().y();
  for (Vec3& point : points) point = start + scale * point;
  return points;
}

std::array<Slice, vertebra_count> trunk_slices(const Sample& sample) {
  const auto points = spine_points(sample);
  const double xiphion = 1.0 - (sample.vertex_to_cervicale + sample.cervicale_to_xiphion) / sample.stature;
  std::array<Slice, vertebra_count> slices;
  double middle = 0.0, upper = 0.0;  // heights
  for (std::size_t v = 0; v < vertebra_count; ++v) {
    // The trunk's bulk is in front of the spine: the slices are stacked over the hips.                        chosen
    slices[v].centre = Vec3(0.0, 0.5 * (points[v].y() + points[v + 1].y()), 0.0);
    slices[v].share = points[v + 1].y() - points[v].y();
    (slices[v].centre.y() < xiphion ? middle : upper) += slices[v].share;
  }
  const double upper_share = (1.0 - 2.0 * clavicle_of_upper_trunk) * sample.upper_trunk;
  for (Slice& slice : slices)
    slice.share *= slice.centre.y() < xiphion ? sample.middle_trunk / middle : upper_share / upper;
  return slices;
}

Vec3 shoulder_centre(const Side& side) { return {side.out * length::shoulder_aside, length::shoulder, 0.0}; }

Vec3 clavicle_start(const Side& side) {
  return {side.out * length::clavicle_start_aside, length::shoulder + length::clavicle_start_above,
          length::clavicle_start_ahead};
}

Slice upper_arm_mass(const Sample& sample, const Side& side) {
  return {sample.upper_arm, below(shoulder_centre(side), sample.upper_arm_centre * length::upper_arm)};
}

Slice clavicle_mass(const Sample& sample, const Side& side) {
  return {clavicle_of_upper_trunk * sample.upper_trunk, between(clavicle_start(side), shoulder_centre(side), 0.5)};
}

std::vector<FreedomDescription> shoulder_freedoms(const Side& side) {
  return {turn("elevation", -x_axis(), range::shoulder_elevation),
          turn("abduction", side.out * z_axis(), range::shoulder_abduction),
          turn("twist", -side.out * y_axis(), range::shoulder_twist)};
}

std::vector<FreedomDescription> trunk_freedoms(Bounds forward, Bounds lateral, Bounds axial) {
  return {turn("forward", x_axis(), forward), turn("lateral", -z_axis(), lateral), turn("axial", y_axis(), axial)};
}

Assembly::Assembly(std::string name, const Sample& sample, Size size) : sample_(sample), size_(size) {
  description.name = std::move(name);
}

void Assembly::segment(const std::string& joint, const std::string& parent, const std::string& child,
                       const Vec3& origin, std::vector<FreedomDescription> freedoms, Slice mass) {
  const Vec3 parent_origin = parent.empty() ? Vec3(Vec3::Zero()) : origins_.at(parent);
  const bool massive = mass.share > 0.0;
  description.segments.push_back({child, size_.mass * mass.share / table_sum(sample_),
                                  massive ? Vec3(size_.stature * (mass.centre - origin)) : Vec3(Vec3::Zero())});
  JointDescription from;
  from.name = joint;
  from.parent = parent;
  from.child = child;
  from.in_parent = at(size_.stature * (origin - parent_origin));
  from.freedoms = std::move(freedoms);
  description.joints.push_back(std::move(from));
  origins_[child] = origin;
}

void Assembly::site(const std::string& name, const std::string& segment, const Vec3& point, const Vec3& x,
                    const Vec3& y) {
  description.sites.push_back(
      {name, segment, {rotation_from_xy(x, y), size_.stature * (point - origins_.at(segment))}});
}

void Assembly::pelvis(Root root) {
  const Vec3 mid_hip(0.0, length::hip, 0.0);
  const Vec3 omphalion = mid_hip + sample_.omphalion_to_hip / sample_.stature * y_axis();
  std::vector<FreedomDescription> freedoms;
  if (root == Root::free) freedoms = free_root("root", "pelvis").freedoms;
  segment("root", "", "pelvis", mid_hip, std::move(freedoms),
          {sample_.lower_trunk, between(omphalion, mid_hip, sample_.lower_trunk_centre)});
  segment("waist", "pelvis", "waist", spine_points(sample_).front(), {});
  site("pelvis", "pelvis", mid_hip, z_axis(), y_axis());
}

void Assembly::leg(const Side& side) {
  const std::string p = side.prefix;
  const Vec3 hip = hip_centre(side);
  const Vec3 knee = below(hip, length::hip - length::knee);
  const Vec3 ankle = below(knee, length::knee - length::ankle);
  const Vec3 heel = below(ankle, length::ankle) - length::heel_behind_ankle * z_axis();
  const Vec3 tip = heel + length::foot * z_axis();
  const Vec3 ball = between(heel, tip, length::ball_along_foot);
  const Vec3 foot_centre = between(heel, tip, sample_.foot_centre) + 0.5 * length::ankle * y_axis();
  segment(p + "hip", "pelvis", p + "thigh", hip,
          {turn("flexion", -x_axis(), range::hip_flexion), turn("abduction", side.out * z_axis(), range::hip_abduction),
           turn("rotation", -side.out * y_axis(), range::hip_rotation)},
          {sample_.thigh, between(hip, knee, sample_.thigh_centre)});
  segment(p + "knee", p + "thigh", p + "shank", knee, {turn("flexion", x_axis(), range::knee_flexion)},
          {sample_.shank, between(knee, ankle, sample_.shank_centre)});
  segment(p + "ankle", p + "shank", p + "foot", ankle,
          {turn("flexion", -x_axis(), range::ankle_flexion),
           turn("inversion", -side.out * z_axis(), range::ankle_inversion)},
          {sample_.foot, foot_centre});
  segment(p + "toes", p + "foot", p + "toes", ball + length::toe_joint_height * y_axis(),
          {turn("flexion", x_axis(), range::toes_flexion)});
  site(p + "hip", "pelvis", hip, side.out * x_axis(), y_axis());
  site(p + "knee", p + "thigh", knee, z_axis(), y_axis());
  site(p + "ankle", p + "shank", ankle, z_axis(), y_axis());
  site(p + "heel", p + "foot", heel, -z_axis(), y_axis());
  site(p + "foot", p + "foot", between(heel, ball, 0.5), z_axis(), y_axis());
  site(p + "ball", p + "foot", ball, z_axis(), y_axis());
  site(p + "toe", p + "toes", tip, z_axis(), y_axis());
}

void Assembly::head(const std::string& parent) {
  const Vec3 neck = spine_points(sample_).back();
  const Vec3 skull_base(0.0, length::skull_base, length::skull_base_ahead);
  const Vec3 top(0.0, 1.0, skull_base.z());
  const Vec3 centre(0.0, 1.0 - sample_.head_centre * sample_.vertex_to_cervicale / sample_.stature, skull_base.z());
  segment("neck", parent, "neck", neck,
          {turn("flexion", x_axis(), range::neck_flexion), turn("lateral", -z_axis(), range::neck_lateral),
           turn("axial", y_axis(), range::neck_axial)});
  segment("head", "neck", "head", skull_base,
          {turn("nod", x_axis(), range::head_nod), turn("turn", y_axis(), range::head_turn)}, {sample_.head, centre});
  site("eyes", "head", Vec3(0.0, length::eyes, skull_base.z() + length::eyes_ahead), z_axis(), y_axis());
  site("head_top", "head", top, y_axis(), z_axis());
}

void Assembly::forearm(const Side& side, const std::string& shoulder_parent) {
  const std::string p = side.prefix;
  const Vec3 inward = -side.out * x_axis();
  const Vec3 shoulder = shoulder_centre(side);
  const Vec3 elbow = below(shoulder, length::upper_arm);
  const Vec3 wrist = below(elbow, length::forearm);
  const Vec3 tip = below(wrist, length::hand);
  const Vec3 palm = between(wrist, tip, length::palm_along_hand) + length::palm_thickness * inward;
  segment(p + "elbow", p + "upper_arm", p + "forearm", elbow, {turn("flexion", -x_axis(), range::elbow_flexion)},
          {sample_.forearm, between(elbow, wrist, sample_.forearm_centre)});
  segment(p + "wrist", p + "forearm", p + "hand", wrist,
          {turn("pronation", -side.out * y_axis(), range::wrist_pronation),
           turn("flexion", -side.out * z_axis(), range::wrist_flexion),
           turn("deviation", -x_axis(), range::wrist_deviation)},
          {sample_.hand, between(wrist, tip, sample_.hand_centre)});
  site(p + "shoulder", shoulder_parent, shoulder, -inward, y_axis());
  site(p + "elbow", p + "upper_arm", elbow, -z_axis(), y_axis());
  site(p + "wrist", p + "forearm", wrist, -y_axis(), z_axis());
  site(p + "palm", p + "hand", palm, inward, -y_axis());
  site(p + "fingertip", p + "hand", tip, -y_axis(), inward);
}

void Assembly::pair_sides() {
  const std::string left = sides[0].prefix, right = sides[1].prefix;
  for (const SegmentDescription& segment : description.segments)
    if (segment.name.starts_with(left))
      description.mirror_pairs.push_back({segment.name, right + segment.name.substr(left.size())});
}

}  // namespace limber::human_tables
