#include "limber/kinematics/linkage.h"

#include <algorithm>

#include "limber/base/clones.h"
#include "limber/base/sine.h"

namespace limber {

namespace {

// A tilt this close to 0 or 90 degrees is rounded to it.
constexpr double rounding = 4e-16;

Mat3 about_z(double cosine, double sine) {
  Mat3 R;
  R << cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0;
  return R;
}

Mat3 about_x(double cosine, double sine) {
  Mat3 R;
  R << 1.0, 0.0, 0.0, 0.0, cosine, -sine, 0.0, sine, cosine;
  return R;
}

// ψ and α with Rz(ψ) Rx(α) z = w.
struct Spin {
  double cos_spin = 1.0, sin_spin = 0.0, cos_tilt = 1.0, sin_tilt = 0.0;
  Tilt tilt = Tilt::any;

  explicit Spin(const Vec3& w) {
    const double across = std::hypot(w.x(), w.y());
    if (across <= rounding && w.z() > 0.0) {
      tilt = Tilt::none;
      return;
    }
    const double length = std::hypot(across, w.z());
    cos_tilt = w.z() / length;
    sin_tilt = across / length;
    if (across > 0.0) {
      cos_spin = -w.y() / across;
      sin_spin = w.x() / across;
    }
    if (std::fabs(cos_tilt) > rounding) return;
    tilt = Tilt::quarter;
    cos_tilt = 0.0;
    sin_tilt = 1.0;
  }
  Mat3 spin() const { return about_z(cos_spin, sin_spin); }
  Mat3 both() const { return spin() * about_x(cos_tilt, sin_tilt); }
  bool is_spun() const { return cos_spin != 1.0 || sin_spin != 0.0; }
};

}  // namespace

Linkage::Linkage(const Figure& figure, const std::vector<char>& moves, const std::vector<char>& needed)
    : placements_(figure.segments().size()), moves_(moves) {
  std::vector<char> has_branch;  // by link: its first branch exists, so φ already absorbs that branch's ψ
  for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) {
    if (!moves[s]) continue;
    const Joint& joint = figure.joints()[s];
    const int parent = figure.segments()[s].parent;
    LinkPlacement at;
    if (parent == no_parent || !moves[parent])
      at.link = -1 - base_of(parent);
    else
      at = placements_[parent];
    at.in_link = at.in_link * joint.in_parent;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Vec3& axis = figure.freedoms()[i].axis;
      Spin to_axis(at.in_link.R * axis);
      if (to_axis.is_spun() && at.link >= 0 && !has_branch[at.link]) {
        take_spin(figure, s, to_axis.cos_spin, to_axis.sin_spin, at);
        to_axis = Spin(at.in_link.R * axis);
        to_axis.cos_spin = 1.0;  // exact, without rounding
        to_axis.sin_spin = 0.0;
      }
      if (at.link >= 0) has_branch[at.link] = 1;
      Link link;
      link.parent = at.link;
      link.freedom = i;
      link.turns = figure.freedoms()[i].motion == Motion::rotate;
      for (int k = 0; k < 3; ++k) link.shift[k] = at.in_link.p[k];
      link.is_shifted = !at.in_link.p.isZero(0.0);
      link.tilt = to_axis.tilt;
      link.cos_tilt = to_axis.cos_tilt;
      link.sin_tilt = to_axis.sin_tilt;
      link.is_spun = to_axis.is_spun();
      link.cos_spin = to_axis.cos_spin;
      link.sin_spin = to_axis.sin_spin;
      at.in_link = {to_axis.both().transpose() * at.in_link.R, Vec3::Zero()};
      at.link = static_cast<int>(links_.size());
      links_.push_back(link);
      has_branch.push_back(0);
    }
    at.in_link = at.in_link * joint.in_child_inverse;
    placements_[s] = at;
  }
  keep(figure, needed);
}

// The first branch of a link: its ψ is added to the link's φ, and everything on the link is expressed in the rotated
// frame.
void Linkage::take_spin(const Figure& figure, int segment, double cosine, double sine, LinkPlacement& at) {
  Link& link = links_[at.link];
  link.offset = std::atan2(sine, cosine);
  link.cos_offset = std::cos(link.offset);
  link.sin_offset = std::sin(link.offset);
  const Frame back{about_z(link.cos_offset, -link.sin_offset), Vec3::Zero()};
  const int first = figure.freedoms()[link.freedom].joint;
  for (int other = segment - 1; other >= first; --other)
    if (LinkPlacement& carried = placements_[other]; carried.link == at.link) carried.in_link = back * carried.in_link;
  at.in_link = back * at.in_link;
}

// Drops the links of segments that are not needed.
void Linkage::keep(const Figure& figure, const std::vector<char>& needed) {
  std::vector<int> now(links_.size(), -1);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    if (!needed[figure.freedoms()[links_[k].freedom].joint]) continue;
    now[k] = static_cast<int>(kept);
    links_[kept] = links_[k];
    if (int& parent = links_[kept].parent; parent >= 0) parent = now[parent];
    ++kept;
  }
  links_.resize(kept);
  for (LinkPlacement& carried : placements_)
    if (carried.link >= 0) carried.link = now[carried.link];
  for (std::size_t k = links_.size(); k-- > 0;) {
    int& end = links_[k].subtree_end;
    end = std::max(end, static_cast<int>(k) + 1);
    if (const int parent = links_[k].parent; parent >= 0)
      links_[parent].subtree_end = std::max(links_[parent].subtree_end, end);
  }
}

int Linkage::base_of(int segment) {
  const auto at = std::find(bases_.begin(), bases_.end(), segment);
  if (at != bases_.end()) return static_cast<int>(at - bases_.begin());
  bases_.push_back(segment);
  return static_cast<int>(bases_.size()) - 1;
}

LinkPlacement Linkage::placement(int segment) {
  if (moves_[segment]) return placements_[segment];
  return {-1 - base_of(segment), {}};
}

void LinkageState::resize(const Linkage& linkage) {
  const std::size_t n = linkage.links().size();
  bases.resize(linkage.bases().size());
  frames.resize(n);
  q.resize(n);
  angles.resize(n);
  sines.resize(n);
  cosines.resize(n);
  wrenches.resize(n);
}

void place_bases(const Linkage& linkage, const Kinematics& state, LinkageState& out) {
  for (std::size_t b = 0; b < out.bases.size(); ++b) {
    const int segment = linkage.bases()[b];
    const Frame X = segment == no_parent ? Frame{} : state.segments[segment];
    out.bases[b] = {packed(X.R.col(0)), packed(X.R.col(1)), packed(X.R.col(2)), packed(X.p)};
  }
}

LIMBER_CLONES void forward(const Linkage& linkage, const VecX& q, LinkageState& state) {
  const std::vector<Link>& links = linkage.links();
  const int n = static_cast<int>(links.size());
  for (std::size_t k = 0; k < links.size(); ++k) {
    state.q[k] = q[links[k].freedom];
    state.angles[k] = state.q[k] + links[k].offset;
  }
  sines_and_cosines(state.angles.data(), n, state.sines.data(), state.cosines.data());
  place_links(links.data(), n, state.q.data(), state.sines.data(), state.cosines.data(), state.bases.data(),
              state.frames.data());
}

void clear_forces(LinkageState& state) { std::fill(state.wrenches.begin(), state.wrenches.end(), Wrench{}); }

LIMBER_CLONES void collect(const Linkage& linkage, LinkageState& state, VecX& gradient_q) {
  const std::vector<Link>& links = linkage.links();
  for (std::size_t k = links.size(); k-- > 0;) {
    const Link& link = links[k];
    const Wrench& wrench = state.wrenches[k];
    gradient_q[link.freedom] = dot(state.frames[k].z, link.turns ? wrench.torque : wrench.force);
    if (link.parent < 0) continue;
    const int parent = link.parent;
    Wrench& sum = state.wrenches[parent];
    sum.force += wrench.force;
    sum.torque += wrench.torque;
    if (link.is_shifted || !link.turns) sum.torque += cross(state.frames[k].p - state.frames[parent].p, wrench.force);
  }
}

}  // namespace limber
