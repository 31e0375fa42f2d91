#include "limber/format/names.h"

#include <algorithm>
#include <optional>

#include "limber/figure/prior.h"
#include "limber/figure/usual.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Parts less certain than this get no name; the joints of limbs must be sure, since a motion is carried over by them.
constexpr double named_confidence = 0.3;
// Joints nearer than this, relative to the figure's length, are in one place.
constexpr double same_place = 1e-3;
// A figure with at least this share of the parameters of CMU's skeletons is one of them.
constexpr double min_prior_share = 0.75;

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

bool is_limb(Role role) {
  return role == Role::shoulder || role == Role::elbow || role == Role::wrist || role == Role::hip ||
         role == Role::knee || role == Role::ankle;
}

class Namer {
 public:
  Namer(const Figure& figure, const Roles& roles)
      : figure_(figure), roles_(roles), at_rest_(forward(figure, figure.rest())) {}

  std::vector<SiteDescription> sites() {
    const Vec3 up = Vec3::UnitY(), forward = roles_.forward;
    const std::optional<Site> head = place(Role::head, Side::middle);
    const std::optional<Site> top = head ? tip_of(figure_, *head) : std::nullopt;
    add("pelvis", place(Role::pelvis, Side::middle), forward, up);
    add("waist", place(Role::spine, Side::middle), forward, up);
    add("chest", place(Role::spine, Side::middle, -1), forward, up);
    add("neck", place(Role::neck, Side::middle), forward, up);
    add("head", head, forward, up);
    add("head_top", top, up, forward);
    if (head) {
      Site eyes = *head;
      if (top) eyes.frame.p = 0.5 * (head->frame.p + top->frame.p);
      add("eyes", eyes, forward, up);
    }
    for (const Side side : {Side::left, Side::right}) add_limbs(side, forward, up);
    return std::move(sites_);
  }

 private:
  void add_limbs(Side side, const Vec3& forward, const Vec3& up) {
    const std::string prefix = side == Side::left ? "left_" : "right_";
    const Vec3 outward = side == Side::left ? roles_.left : Vec3(-roles_.left);
    const std::optional<Site> hand = place(Role::wrist, side), ball = place(Role::ball, side),
                              ankle = place(Role::ankle, side);
    std::optional<Site> fingers;
    for (const Role role : {Role::middle, Role::index, Role::ring})
      if (!fingers) fingers = place(role, side);
    const std::optional<Site> fingertip = fingers ? tip_below(*fingers) : hand ? tip_of(figure_, *hand) : std::nullopt;
    const std::optional<Site> palm = fingers ? fingers : fingertip;
    add(prefix + "clavicle", place(Role::clavicle, side), outward, up);
    add(prefix + "shoulder", place(Role::shoulder, side), outward, up);
    add(prefix + "elbow", place(Role::elbow, side), -forward, up);
    add(prefix + "wrist", hand, forward, up);
    add(prefix + "hand", hand, forward, up);
    add(prefix + "palm", palm && hand ? on_segment(*palm, *hand) : hand, forward, up);
    add(prefix + "fingertip", fingertip, forward, up);
    add(prefix + "hip", place(Role::hip, side), outward, up);
    add(prefix + "knee", place(Role::knee, side), forward, up);
    add(prefix + "ankle", ankle, forward, up);
    add(prefix + "foot", ankle, forward, up);
    add(prefix + "ball", ball, forward, up);
    const std::optional<Site> last = ball ? ball : ankle;
    if (last) add(prefix + "toe", tip_of(figure_, *last), forward, up);
  }

  // Where a part is: on the segment that turns with it, if its joints are in one place or it ends a limb; else on the
  // one where it begins.
  std::optional<Site> place(Role role, Side side, int order = 0) const {
    const RolePart* part = roles_.find(role, side, order);
    const double needed = is_limb(role) ? sure_confidence : named_confidence;
    if (!part || roles_.confidence(role, side) < needed) return std::nullopt;
    const auto centre = [&](int s) {
      return Vec3(at_rest_.segments[static_cast<std::size_t>(s)] *
                  figure_.joints()[static_cast<std::size_t>(s)].in_child.p);
    };
    const bool is_end = role == Role::wrist || role == Role::ankle;
    const bool is_one = (centre(part->first) - centre(part->segment)).norm() <= same_place * figure_.length();
    const int s = is_end || is_one ? part->segment : part->first;
    const auto at = static_cast<std::size_t>(s);
    return Site{figure_.segments()[at].name, s, limber::at(figure_.joints()[at].in_child.p)};
  }

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
  Site on_segment(const Site& fingers, const Site& hand) const {
    Site palm = hand;
    palm.frame.p = at_rest_.segments[static_cast<std::size_t>(hand.segment)].inverse() * world(fingers);
    return palm;
  }

  void add(const std::string& name, const std::optional<Site>& at, const Vec3& x, const Vec3& y) {
    if (!at || figure_.frame(name)) return;
    const Mat3 R_world_site = rotation_from_xy(x, y);
    const Frame& X_world_segment = at_rest_.segments[static_cast<std::size_t>(at->segment)];
    sites_.push_back({name,
                      figure_.segments()[static_cast<std::size_t>(at->segment)].name,
                      {X_world_segment.R.transpose() * R_world_site, at->frame.p}});
  }

  const Figure& figure_;
  const Roles& roles_;
  Kinematics at_rest_;
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

// A figure such as human(), whose places are the ones that are named here.
bool has_own_names(const Figure& figure) {
  constexpr const char* own[] = {"pelvis", "left_palm", "right_palm", "left_foot", "right_foot", "head_top"};
  return std::ranges::all_of(own, [&](const char* name) { return figure.point(name).has_value(); });
}

}  // namespace

CommonNames common_names(const Figure& figure) { return common_names(figure, roles_of(figure)); }

CommonNames common_names(const Figure& figure, const Roles& roles) {
  if (has_own_names(figure)) return {roles.plan, {}};
  if (roles.plan != BodyPlan::person || roles.plan_confidence < named_confidence) return {roles.plan, {}};
  return {roles.plan, Namer(figure, roles).sites()};
}

Expected<Figure> with_common_names(const Figure& figure) { return with_common_names(figure, roles_of(figure)); }

Expected<Figure> with_common_names(const Figure& figure, const Roles& roles) {
  CommonNames names = common_names(figure, roles);
  if (names.sites.empty()) return figure;
  FigureDescription description = figure.description();
  for (SiteDescription& site : names.sites) description.sites.push_back(std::move(site));
  stand(figure, description);
  const Expected<Figure> named = build_figure(std::move(description));
  return named ? with_usual_prior(*named) : named;
}

Figure with_usual_prior(const Figure& figure) {
  if (!figure.description().prior.empty()) return figure;
  const PriorDescription usual = usual_cmu();
  const auto known = std::ranges::count_if(
      usual.terms, [&](const PriorTerm& term) { return figure.find_parameter(term.parameter).has_value(); });
  if (static_cast<double>(known) < min_prior_share * static_cast<double>(usual.terms.size())) return figure;
  const Expected<Figure> with = with_prior(figure, usual);
  return with ? *with : figure;
}

}  // namespace limber
