#include "limber/format/names.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "limber/figure/prior.h"
#include "limber/figure/usual.h"
#include "limber/format/text/text.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Names of body parts; for limbs with % for the side, or the left and right name separated by |. Alternatives are
// separated by blanks: the first one in the figure counts.
struct Rig {
  std::string_view name;
  std::string_view left, right;
  std::string_view pelvis, waist, chest, neck, head;
  std::string_view clavicle, shoulder, elbow, hand, fingers;
  std::string_view hip, knee, ankle, ball;
};

constexpr std::array rigs = {
    Rig{"CMU", "l", "r", "root", "lowerback", "thorax", "lowerneck", "head", "%clavicle", "%humerus", "%radius",
        "%hand", "%fingers", "%femur", "%tibia", "%foot", "%toes"},
    Rig{"cgspeed", "Left", "Right", "Hips root", "LowerBack", "Spine1", "Neck", "Head", "%Shoulder", "%Arm", "%ForeArm",
        "%FingerBase", "%HandIndex1", "%UpLeg", "%Leg", "%Foot", "%ToeBase"},
    Rig{"cgspeed for 3ds Max", "Left", "Right", "Hips root", "lowerback Chest", "Chest2", "Neck", "Head", "%Collar",
        "%Shoulder", "%Elbow", "%Wrist", "", "%Hip", "%Knee", "%Ankle", "%Toe"},
    Rig{"MakeHuman", "L", "R", "Root", "Spine1", "Spine3", "Neck", "Head", "Clavicle_%", "UpArm_%", "LoArm_%", "Hand_%",
        "Middle1_%", "UpLeg_%", "LoLeg_%", "Foot_%", "Toe_%"},
    Rig{"Mixamo", "Left", "Right", "Hips root", "Spine", "Spine2 Spine1", "Neck", "Head", "%Shoulder", "%Arm",
        "%ForeArm", "%Hand", "%HandMiddle1 %HandIndex1", "%UpLeg", "%Leg", "%Foot", "%ToeBase"},
    Rig{"VRM", "left", "right", "hips root", "spine", "upperChest chest", "neck", "head", "%Shoulder", "%UpperArm",
        "%LowerArm", "%Hand", "%MiddleProximal", "%UpperLeg", "%LowerLeg", "%Foot", "%Toes"},
    Rig{"Poser", "l", "r", "hip root", "abdomen", "chest", "neck", "head", "%Collar", "%Shldr", "%ForeArm", "%Hand",
        "%Mid1", "%Thigh", "%Shin", "%Foot", "%Toe"},
    Rig{"Blender", "l", "r", "hips pelvis root", "spine spine.001", "chest spine.003", "neck spine.004",
        "head spine.006", "shoulder.% clavicle.%", "upperarm.% upper_arm.%", "lowerarm.% forearm.%", "hand.%",
        "f_middle.01.%", "upperleg.% thigh.%", "lowerleg.% shin.%", "foot.%", "toes.% toe.%"},
    Rig{"Unitree", "left", "right", "pelvis root", "waist_yaw_link waist_yaw_joint", "torso_link waist_pitch_joint", "",
        "", "", "%_shoulder_pitch_link %_shoulder_pitch_joint", "%_elbow_link %_elbow_joint",
        "%_wrist_yaw_link %_wrist_yaw_joint", "%_rubber_hand", "%_hip_pitch_link %_hip_pitch_joint",
        "%_knee_link %_knee_joint", "%_ankle_roll_link %_ankle_roll_joint", ""},
    Rig{"Cesium Man", "L", "R", "Skeleton_torso_joint_1", "Skeleton_torso_joint_2", "torso_joint_3",
        "Skeleton_neck_joint_1", "Skeleton_neck_joint_2", "", "Skeleton_arm_joint_L__4_|Skeleton_arm_joint_R",
        "Skeleton_arm_joint_L__3_|Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_L__2_|Skeleton_arm_joint_R__3_", "",
        "leg_joint_%_1", "leg_joint_%_2", "leg_joint_%_3", "leg_joint_%_5"},
};
// With fewer parts a rig is not recognised: many figures have a "head".
constexpr int min_parts = 6;

// Without a namespace prefix ("mixamorig:Hips"), in lower case.
std::string plain(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return lower_case(name);
}

using Places = std::map<std::string, Site, std::less<>>;

Places places_of(const Figure& figure) {
  Places places;
  for (const Site& site : figure.sites()) places.emplace(plain(site.name), site);
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    places.emplace(plain(figure.segments()[s].name), Site{figure.segments()[s].name, static_cast<int>(s), Frame{}});
  return places;
}

// The first of the names, with the side in place of %.
const Site* find(const Places& places, std::string_view names, std::string_view side = {}) {
  while (!names.empty()) {
    const std::size_t blank = std::min(names.find(' '), names.size());
    std::string name(names.substr(0, blank));
    names.remove_prefix(std::min(blank + 1, names.size()));
    if (const std::size_t at = name.find('%'); at != std::string::npos) name.replace(at, 1, side);
    if (const std::size_t at = name.find('|'); at != std::string::npos)
      name = side.starts_with('l') || side.starts_with('L') ? name.substr(0, at) : name.substr(at + 1);
    if (const auto found = places.find(lower_case(name)); found != places.end()) return &found->second;
  }
  return nullptr;
}

// The end of the bone after a joint: the farthest site of its segment other than the joint, else its only child if that
// is a leaf ("Head_end").
std::optional<Site> tip_of(const Figure& figure, const Site& joint) {
  std::optional<Site> tip;
  for (const Site& site : figure.sites())
    if (site.segment == joint.segment && !site.frame.p.isApprox(joint.frame.p) &&
        (!tip || site.frame.p.norm() > tip->frame.p.norm()))
      tip = site;
  const int child = joint.segment + 1;
  if (!tip && child < figure.segments()[joint.segment].subtree_end &&
      figure.segments()[child].subtree_end == child + 1 && figure.segments()[joint.segment].subtree_end == child + 1)
    tip = Site{figure.segments()[child].name, joint.segment, figure.joints()[child].in_parent};
  return tip;
}

int parts_of(const Rig& rig, const Places& places) {
  int parts = 0;
  for (const std::string_view names : {rig.pelvis, rig.waist, rig.chest, rig.neck, rig.head})
    parts += find(places, names) != nullptr;
  for (const std::string_view side : {rig.left, rig.right})
    for (const std::string_view names :
         {rig.clavicle, rig.shoulder, rig.elbow, rig.hand, rig.fingers, rig.hip, rig.knee, rig.ankle, rig.ball})
      parts += find(places, names, side) != nullptr;
  return parts;
}

class Namer {
 public:
  Namer(const Figure& figure, const Rig& rig, const Places& places)
      : figure_(figure), rig_(rig), places_(places), at_rest_(forward(figure, figure.rest())) {
    const Site* left = find(places, rig.hip, rig.left);
    const Site* right = find(places, rig.hip, rig.right);
    if (!left || !right) {
      left = find(places, rig.shoulder, rig.left);
      right = find(places, rig.shoulder, rig.right);
    }
    if (!left || !right) return;
    Vec3 across = world(*left) - world(*right);
    across.y() = 0.0;
    if (across.norm() > 0.0) left_ = across.normalized();
  }

  std::vector<SiteDescription> sites() {
    const Vec3 up = Vec3::UnitY(), forward = left_.cross(up);
    const Site* head = find(places_, rig_.head);
    const std::optional<Site> top = head ? tip_of(figure_, *head) : std::nullopt;
    add("pelvis", find(places_, rig_.pelvis), forward, up);
    add("waist", find(places_, rig_.waist), forward, up);
    add("chest", find(places_, rig_.chest), forward, up);
    add("neck", find(places_, rig_.neck), forward, up);
    add("head", head, forward, up);
    add("head_top", top ? &*top : nullptr, up, forward);
    if (head) {
      Site eyes = *head;
      if (top) eyes.frame.p = 0.5 * (head->frame.p + top->frame.p);
      add("eyes", &eyes, forward, up);
    }
    for (const bool is_left : {true, false}) {
      const std::string_view side = is_left ? rig_.left : rig_.right;
      const std::string prefix = is_left ? "left_" : "right_";
      const Vec3 outward = is_left ? left_ : Vec3(-left_);
      const Site* hand = find(places_, rig_.hand, side);
      const Site* fingers = find(places_, rig_.fingers, side);
      const std::optional<Site> fingertip = fingers ? tip_below(*fingers)
                                            : hand  ? tip_of(figure_, *hand)
                                                    : std::nullopt;
      const Site* palm = fingers ? fingers : fingertip ? &*fingertip : nullptr;
      const Site* ball = find(places_, rig_.ball, side);
      const Site* ankle = find(places_, rig_.ankle, side);
      add(prefix + "clavicle", find(places_, rig_.clavicle, side), outward, up);
      add(prefix + "shoulder", find(places_, rig_.shoulder, side), outward, up);
      add(prefix + "elbow", find(places_, rig_.elbow, side), -forward, up);
      add(prefix + "wrist", hand, forward, up);
      add(prefix + "hand", hand, forward, up);
      add(prefix + "palm", palm ? on_segment(palm, hand) : hand, forward, up);
      add(prefix + "fingertip", fingertip ? &*fingertip : nullptr, forward, up);
      add(prefix + "hip", find(places_, rig_.hip, side), outward, up);
      add(prefix + "knee", find(places_, rig_.knee, side), forward, up);
      add(prefix + "ankle", ankle, forward, up);
      add(prefix + "foot", ankle, forward, up);
      add(prefix + "ball", ball, forward, up);
      if (const Site* last = ball ? ball : ankle)
        if (const std::optional<Site> toe = tip_of(figure_, *last)) add(prefix + "toe", &*toe, forward, up);
    }
    return std::move(sites_);
  }

 private:
  Vec3 world(const Site& site) const { return at_rest_.segments[site.segment] * site.frame.p; }

  // The tip at the end of the chain of first children from a joint.
  std::optional<Site> tip_below(const Site& joint) const {
    std::optional<Site> tip;
    const int end = figure_.segments()[joint.segment].subtree_end;
    for (int s = joint.segment; s < end; ++s) {
      // A second child starts another finger.
      if (s > joint.segment && figure_.segments()[s].parent != s - 1) break;
      if (const std::optional<Site> next = tip_of(figure_, {"", s, Frame{}})) tip = next;
    }
    return tip;
  }

  // The position of the fingers' joint, but fixed to the hand, so that it does not move when a finger bends.
  const Site* on_segment(const Site* fingers, const Site* hand) {
    if (!hand) return fingers;
    palm_ = *hand;
    palm_.frame.p = at_rest_.segments[hand->segment].inverse() * world(*fingers);
    return &palm_;
  }

  void add(const std::string& name, const Site* at, const Vec3& x, const Vec3& y) {
    if (!at || figure_.frame(name)) return;
    const Mat3 R_world_site = rotation_from_xy(x, y);
    const Frame& X_world_segment = at_rest_.segments[at->segment];
    sites_.push_back(
        {name, figure_.segments()[at->segment].name, {X_world_segment.R.transpose() * R_world_site, at->frame.p}});
  }

  const Figure& figure_;
  const Rig& rig_;
  const Places& places_;
  Kinematics at_rest_;
  Vec3 left_ = Vec3::UnitX();
  Site palm_;
  std::vector<SiteDescription> sites_;
};

// Sets the rest values of the first joint with three translations so that the lowest site is at y = 0.
void stand(const Figure& figure, FigureDescription& description) {
  const Kinematics rest = forward(figure, figure.rest());
  double lowest = infinity;
  for (const Site& site : figure.sites()) lowest = std::fmin(lowest, (rest.segments[site.segment] * site.frame.p).y());
  for (const Joint& joint : figure.joints()) {
    std::vector<int> shifts;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i)
      if (figure.freedoms()[i].motion == Motion::translate) shifts.push_back(i);
    if (shifts.size() != 3) continue;
    Mat3 axes;
    for (int k = 0; k < 3; ++k) axes.col(k) = rest.axes[shifts[k]];
    const Vec3 change = axes.inverse() * Vec3(0.0, -lowest, 0.0);
    if (!change.allFinite()) return;
    for (JointDescription& from : description.joints)
      for (int k = 0; k < 3 && from.name == joint.name; ++k) {
        Range& range = from.freedoms[shifts[k] - joint.freedom_begin].range;
        range.rest = std::clamp(range.rest + change[k], range.lower, range.upper);
      }
    return;
  }
}

const Rig* rig_of(const Places& places) {
  const Rig* best = nullptr;
  int max_parts = min_parts - 1;
  for (const Rig& rig : rigs)
    if (const int parts = parts_of(rig, places); parts > max_parts) {
      best = &rig;
      max_parts = parts;
    }
  return best;
}

}  // namespace

CommonNames common_names(const Figure& figure) {
  const Places places = places_of(figure);
  const Rig* best = rig_of(places);
  if (!best) return {};
  return {std::string(best->name), Namer(figure, *best, places).sites()};
}

Expected<Figure> with_common_names(const Figure& figure) {
  CommonNames names = common_names(figure);
  if (names.sites.empty()) return figure;
  FigureDescription description = figure.description();
  for (SiteDescription& site : names.sites) description.sites.push_back(std::move(site));
  stand(figure, description);
  const Expected<Figure> named = build_figure(std::move(description));
  return named ? with_usual_prior(*named) : named;
}

Figure with_usual_prior(const Figure& figure) {
  const Rig* rig = rig_of(places_of(figure));
  if (!rig || rig->name != "CMU" || !figure.description().prior.empty()) return figure;
  const Expected<Figure> usual = with_prior(figure, usual_cmu());
  return usual ? *usual : figure;
}

Figure with_mirror_pairs(const Figure& figure) {
  const Places places = places_of(figure);
  const Rig* rig = rig_of(places);
  if (!rig || !figure.mirror().empty()) return figure;
  const std::string left = lower_case(rig->left), right = lower_case(rig->right);
  const bool side_is_prefix = rig->hip.starts_with('%');
  std::map<std::string, std::string> segments;  // by plain name
  for (const Segment& segment : figure.segments()) segments.emplace(plain(segment.name), segment.name);
  FigureDescription description = figure.description();
  for (const auto& [name, segment] : segments) {
    if (side_is_prefix ? !name.starts_with(left) : !name.ends_with(left)) continue;
    const std::string rest = side_is_prefix ? name.substr(left.size()) : name.substr(0, name.size() - left.size());
    if (const auto partner = segments.find(side_is_prefix ? right + rest : rest + right); partner != segments.end())
      description.mirror_pairs.push_back({segment, partner->second});
  }
  // The left hip or shoulder at rest defines left.
  const Kinematics rest = forward(figure, figure.rest());
  for (const std::string_view part : {rig->hip, rig->shoulder}) {
    const Site *left_site = find(places, part, rig->left), *right_site = find(places, part, rig->right);
    if (!left_site || !right_site) continue;
    description.mirror_normal = rest.segments[left_site->segment] * left_site->frame.p -
                                rest.segments[right_site->segment] * right_site->frame.p;
    break;
  }
  Expected<Figure> mirrored = build_figure(std::move(description));
  return mirrored ? *mirrored : figure;
}

}  // namespace limber
