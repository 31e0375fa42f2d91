#include "limber/assess/static_torques.h"

#include <algorithm>
#include <utility>

#include "limber/base/number.h"

namespace limber {

namespace {

using Vec2 = Eigen::Vector2d;  // in the ground plane: (x, z)

// Feet whose centres are closer than this, relative to the figure's length, count as one.
constexpr double coincident = 1e-6;

Vec2 on_ground(const Vec3& x) { return {x.x(), x.z()}; }
Vec3 horizontal(const Vec3& x) { return {x.x(), 0.0, x.z()}; }
// y · (z × r)
double about(const Vec3& z, const Vec3& r) { return z.z() * r.x() - z.x() * r.z(); }

Expected<void> check_loads(const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    if (!(load.mass >= 0.0 && std::isfinite(load.mass)))
      return reject("load at '" + load.handle.name + "'", to_text(load.mass) + " kg", "a mass of 0 or more");
    const bool is_point = starts_with_point(load.handle.shape) && load.handle.minus_count == 0 &&
                          load.handle.plus[0].kind == Element::Kind::point;
    if (!is_point) return reject("load at '" + load.handle.name + "'", name_of(load.handle.shape), "a point");
  }
  return {};
}

// The distance of c from the convex hull of the contacts, 0 inside. An edge of the hull is a line through two contacts
// with all others behind it; a hull of collinear contacts has no inside.
double distance_to_hull(const Vec2& c, const std::vector<Vec2>& contacts, double length) {
  const double tolerance = coincident * length;
  double nearest = infinity;
  bool has_area = false, is_outside = false;
  for (const Vec2& p : contacts)
    for (const Vec2& q : contacts) {
      const Vec2 edge = q - p;
      const double distance = edge.norm();
      if (!(distance > tolerance)) {
        nearest = std::fmin(nearest, (c - p).norm());
        continue;
      }
      const double along = std::clamp(edge.dot(c - p) / (distance * distance), 0.0, 1.0);
      nearest = std::fmin(nearest, (c - p - along * edge).norm());
      const Vec2 n = Vec2(edge.y(), -edge.x()) / distance;
      double max_side = -infinity, min_side = infinity;
      for (const Vec2& x : contacts) {
        max_side = std::fmax(max_side, n.dot(x - p));
        min_side = std::fmin(min_side, n.dot(x - p));
      }
      if (max_side > tolerance) continue;
      has_area = has_area || min_side < -tolerance;
      is_outside = is_outside || n.dot(c - p) > 0.0;
    }
  return has_area && !is_outside ? 0.0 : nearest;
}

}  // namespace

StaticTorques::StaticTorques(const Figure& figure, double gravity) : figure_(&figure), g_(gravity) {
  for (const Segment& segment : figure.segments()) {
    masses_.push_back(segment.mass);
    locals_.push_back(segment.mass_centre);
  }
  below_.resize(masses_.size(), {0.0, Vec3::Zero()});
}

Expected<StaticTorques> StaticTorques::make(const Figure& figure, const StaticLoadOptions& options) {
  if (const Expected<void> good = check_loads(options.loads); !good) return std::unexpected(good.error());
  if (options.feet.size() > 2)
    return reject("feet", std::to_string(options.feet.size()), "one or two, or none if the root carries");
  StaticTorques made(figure, options.gravity);
  for (const Load& load : options.loads) {
    const Element& at = load.handle.plus[0];
    const auto s = static_cast<std::size_t>(at.segment);
    const double mass = made.masses_[s] + load.mass;
    if (!(load.mass > 0.0)) continue;
    made.locals_[s] = (made.masses_[s] * made.locals_[s] + load.mass * at.local) / mass;
    made.masses_[s] = mass;
  }
  for (const double mass : made.masses_) made.mass_ += mass;
  const std::size_t n = figure.freedoms().size();
  for (const std::string& name : options.feet) {
    const Expected<int> segment = figure.find_joint(name);
    if (!segment) return std::unexpected(segment.error());
    Foot foot{name, *segment};
    for (const FootPlace& place : places_on_foot(figure, *segment)) foot.places.push_back({place});
    foot.centre_slopes.resize(n, Vec3::Zero());
    foot.force_slopes.resize(n, 0.0);
    foot.moment_slopes.resize(n, Vec3::Zero());
    made.feet_.push_back(std::move(foot));
  }
  return made;
}

void StaticTorques::touch(const Kinematics& state) {
  const double length = figure_->length();
  double ground = infinity;
  for (Foot& foot : feet_)
    for (Place& place : foot.places) {
      place.at = state.segments[static_cast<std::size_t>(place.segment)] * place.local;
      ground = std::fmin(ground, place.at.y());
    }
  for (Foot& foot : feet_) {
    foot.touching = 0;
    for (Place& place : foot.places) {
      place.touches = touches_ground(place.at.y(), ground, length);
      foot.touching += place.touches ? 1 : 0;
    }
    foot.stands = foot.touching > 0 && mass_ > 0.0;
  }
}

void StaticTorques::update(const Kinematics& state) {
  state_ = &state;
  for (std::size_t s = 0; s < masses_.size(); ++s)
    below_[s] = {masses_[s], masses_[s] * (state.segments[s] * locals_[s])};
  centre_.setZero();
  for (std::size_t s = masses_.size(); s-- > 0;) {
    const int parent = figure_->segments()[s].parent;
    Vec3& moment = parent == no_parent ? centre_ : below_[static_cast<std::size_t>(parent)].moment;
    moment += below_[s].moment;
    if (parent != no_parent) below_[static_cast<std::size_t>(parent)].mass += below_[s].mass;
  }
  if (mass_ > 0.0) centre_ /= mass_;
  for (Foot& foot : feet_) {
    if (!foot.stands) continue;
    foot.centre.setZero();
    for (Place& place : foot.places) {
      if (!place.touches) continue;
      place.at = state.segments[static_cast<std::size_t>(place.segment)] * place.local;
      foot.centre += horizontal(place.at) / foot.touching;
    }
  }
  share_weight();
}

// F and F x of the feet that stand.
void StaticTorques::share_weight() {
  const double W = g_ * mass_;
  const Vec3 c = horizontal(centre_);
  const auto stand = std::ranges::count_if(feet_, &Foot::stands);
  for (Foot& foot : feet_) {
    foot.force = foot.stands ? W : 0.0;
    foot.at = c;
    foot.moment = foot.force * c;
  }
  if (stand < 2) return;
  Foot &first = feet_[0], &second = feet_[1];
  const Vec3 &a = first.centre, &b = second.centre;
  const double square = (b - a).squaredNorm(), near = coincident * figure_->length();
  const double lambda = square > near * near ? (c - a).dot(b - a) / square : 0.5;
  const Vec3 d = c - a - lambda * (b - a);
  first.force = (1.0 - lambda) * W;
  second.force = lambda * W;
  for (Foot* const foot : {&first, &second}) {
    foot->at = foot->centre + d;
    foot->moment = foot->force * foot->at;
  }
}

const StaticTorques::Sum& StaticTorques::below(int i) const {
  return below_[static_cast<std::size_t>(figure_->freedoms()[static_cast<std::size_t>(i)].joint)];
}

bool StaticTorques::carries(int i, const Foot& foot) const {
  const int s = figure_->freedoms()[static_cast<std::size_t>(i)].joint;
  return foot.stands && s <= foot.segment &&
         foot.segment < figure_->segments()[static_cast<std::size_t>(s)].subtree_end;
}

bool StaticTorques::is_on_way(int l, int i) const {
  const int s = figure_->freedoms()[static_cast<std::size_t>(l)].joint;
  const int joint = figure_->freedoms()[static_cast<std::size_t>(i)].joint;
  return l <= i && joint < figure_->segments()[static_cast<std::size_t>(s)].subtree_end;
}

double StaticTorques::gravity(int i) const {
  const auto at = static_cast<std::size_t>(i);
  const Sum& sum = below(i);
  const Vec3& z = state_->axes[at];
  if (figure_->freedoms()[at].motion == Motion::translate) return -g_ * sum.mass * z.y();
  return -g_ * about(z, sum.moment - sum.mass * state_->points[at]);
}

double StaticTorques::holding(int i) const {
  const auto at = static_cast<std::size_t>(i);
  const bool turns = figure_->freedoms()[at].motion == Motion::rotate;
  const Vec3 &z = state_->axes[at], &p = state_->points[at];
  double torque = -gravity(i);
  for (const Foot& foot : feet_)
    if (carries(i, foot)) torque -= turns ? about(z, foot.moment - foot.force * p) : foot.force * z.y();
  return torque;
}

std::vector<Reaction> StaticTorques::reactions() const {
  std::vector<Reaction> found;
  for (const Foot& foot : feet_) {
    if (!foot.stands) continue;
    double ground = infinity;
    for (const Place& place : foot.places)
      if (place.touches) ground = std::fmin(ground, place.at.y());
    found.push_back({foot.name, foot.segment, Vec3(foot.at.x(), ground, foot.at.z()), foot.force});
  }
  return found;
}

double StaticTorques::outside() const {
  std::vector<Vec2> contacts;
  for (const Foot& foot : feet_)
    for (const Place& place : foot.places)
      if (foot.stands && place.touches) contacts.push_back(on_ground(place.at));
  return contacts.empty() ? 0.0 : distance_to_hull(on_ground(centre_), contacts, figure_->length());
}

// ---------------------------------------------------------------------------------------------------- derivatives

Vec3 StaticTorques::moved(int l, const Sum& sum) const {
  const auto at = static_cast<std::size_t>(l);
  const Vec3& z = state_->axes[at];
  if (figure_->freedoms()[at].motion == Motion::translate) return sum.mass * z;
  return z.cross(sum.moment - sum.mass * state_->points[at]);
}

Vec3 StaticTorques::centre_slope(const Foot& foot, int l) const {
  const int s = figure_->freedoms()[static_cast<std::size_t>(l)].joint;
  const int end = figure_->segments()[static_cast<std::size_t>(s)].subtree_end;
  Vec3 slope = Vec3::Zero();
  for (const Place& place : foot.places)
    if (place.touches && s <= place.segment && place.segment < end)
      slope += horizontal(moved(l, {1.0, place.at})) / foot.touching;
  return slope;
}

void StaticTorques::differentiate_sharing(int l) {
  const auto at = static_cast<std::size_t>(l);
  const double W = g_ * mass_;
  const Vec3 c = horizontal(centre_), dc = horizontal(moved(l, below(l))) / mass_;
  Foot &first = feet_[0], &second = feet_[1];
  const Vec3 &a = first.centre, &b = second.centre, e = b - a;
  const Vec3 &da = first.centre_slopes[at], &db = second.centre_slopes[at], de = db - da;
  const double square = e.squaredNorm(), near = coincident * figure_->length();
  const bool apart = square > near * near;
  const double lambda = apart ? (c - a).dot(e) / square : 0.5;
  const double slope = apart ? ((dc - da).dot(e) + (c - a).dot(de) - 2.0 * lambda * e.dot(de)) / square : 0.0;
  const Vec3 dd = dc - da - slope * e - lambda * de;
  first.force_slopes[at] = -slope * W;
  first.moment_slopes[at] = W * ((1.0 - lambda) * (da + dd) - slope * first.at);
  second.force_slopes[at] = slope * W;
  second.moment_slopes[at] = W * (lambda * (db + dd) + slope * second.at);
}

void StaticTorques::update_derivatives() {
  const auto stand = std::ranges::count_if(feet_, &Foot::stands);
  if (stand == 0) return;
  const double W = g_ * mass_;
  for (int l = 0; l < static_cast<int>(figure_->freedoms().size()); ++l) {
    const auto at = static_cast<std::size_t>(l);
    for (Foot& foot : feet_) {
      if (!foot.stands) continue;
      foot.centre_slopes[at] = centre_slope(foot, l);
      foot.force_slopes[at] = 0.0;
      foot.moment_slopes[at] = (W / mass_) * horizontal(moved(l, below(l)));
    }
    if (stand == 2) differentiate_sharing(l);
  }
}

double StaticTorques::derivative(int i, int l) const {
  const auto at = static_cast<std::size_t>(i), by = static_cast<std::size_t>(l);
  const bool turns = figure_->freedoms()[at].motion == Motion::rotate;
  const bool turned = figure_->freedoms()[by].motion == Motion::rotate;
  const bool before = is_on_way(l, i), after = !before && is_on_way(i, l);
  const Vec3 &z = state_->axes[at], &p = state_->points[at], &z_l = state_->axes[by];
  const Sum& sum = below(i);
  double w = g_ * sum.mass, dw = 0.0;
  Vec3 T = g_ * sum.moment, dT = Vec3::Zero();
  if (before) dT = g_ * moved(l, sum);
  if (after) dT = g_ * moved(l, below(l));
  for (const Foot& foot : feet_) {
    if (!carries(i, foot)) continue;
    w -= foot.force;
    T -= foot.moment;
    dw -= foot.force_slopes[by];
    dT -= foot.moment_slopes[by];
  }
  const Vec3 dz = before && turned ? Vec3(z_l.cross(z)) : Vec3(Vec3::Zero());
  if (!turns) return dw * z.y() + w * dz.y();
  const Vec3 dp = before ? moved(l, {1.0, p}) : Vec3(Vec3::Zero());
  return about(dz, T - w * p) + about(z, dT - dw * p - w * dp);
}

}  // namespace limber
