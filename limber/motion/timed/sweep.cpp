#include "limber/motion/timed/sweep.h"

#include <algorithm>

#include "limber/base/index.h"
#include "limber/obstacle/line_segment.h"

namespace limber {

namespace {

constexpr std::size_t max_depth = 9;
// Places at which an interval is examined in which something is too near, and steps that refine a minimum between them.
constexpr int scan_count = 32;
constexpr int refine_count = 12;
// An angle that is a curve of a parameter bends by 8 times its distance from the chord in the middle of the interval,
// as a parabola does; and by this factor more.
constexpr double curve_safety = 2.0;

bool is_convex(const Obstacle& obstacle) { return !std::holds_alternative<TriangleMesh>(obstacle.shape); }

// The lowest of both ends above a plane.
double lowest(const Vec3& n, const LineSegment& line) { return std::fmin(n.dot(line.a), n.dot(line.b)); }
double highest(const Vec3& n, const LineSegment& line) { return std::fmax(n.dot(line.a), n.dot(line.b)); }

double moved(const LineSegment& from, const LineSegment& to) {
  return std::fmax((to.a - from.a).norm(), (to.b - from.b).norm());
}

}  // namespace

MotionSweep::MotionSweep(const Figure& figure, const std::vector<Clearance>& clearances)
    : figure_(figure),
      clearances_(clearances),
      nodes_(max_depth + 3),
      q_(VecX::Zero(static_cast<Eigen::Index>(figure.freedoms().size()))),
      middle_q_(q_),
      turned_(q_),
      state_(figure) {
  for (int c = 0; c < static_cast<int>(clearances.size()); ++c) {
    const Clearance& clearance = clearances[at_index(c)];
    first_body_.push_back(static_cast<int>(bodies_.size()));
    bounds_.emplace_back();
    for (const Obstacle& obstacle : clearance.obstacles) bounds_.back().push_back(bounds_of(obstacle));
    for (int k = 0; k < static_cast<int>(clearance.capsules.size()); ++k) {
      const SegmentCapsule& at = clearance.capsules[at_index(k)];
      const int body = static_cast<int>(bodies_.size());
      bodies_.push_back({c, k, at.segment, {at.capsule.a, at.capsule.b}, at.capsule.radius});
      for (int o = 0; o < static_cast<int>(clearance.obstacles.size()); ++o)
        all_.push_back({{c, k, o, no_index}, body, no_index});
    }
    for (int p = 0; p < static_cast<int>(clearance.pairs.size()); ++p) {
      const CapsulePair& pair = clearance.pairs[at_index(p)];
      all_.push_back({{c, pair.first, no_index, p}, first_body_.back() + pair.first, first_body_.back() + pair.second});
    }
  }
  bend_.resize(bodies_.size());
  for (Node& node : nodes_) node.cores.resize(bodies_.size());
}

void MotionSweep::place(double after, Node& node) {
  node.after = after;
  theta_ = (1.0 - after) * first_ + after * last_;
  figure_.angles(theta_, q_);
  forward(figure_, q_, state_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Frame& X = state_.segments[at_index(bodies_[b].segment)];
    node.cores[b] = {X * bodies_[b].core.a, X * bodies_[b].core.b};
  }
}

// B of all bodies, from the pose at the start of the interval, where state_ is; q_ is of its end.
void MotionSweep::bound() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const LineSegment& core = nodes_[0].cores[b];
    double above = 0.0;  // Σ |Δq_i| of the joints above
    const auto each_freedom = [&](auto&& visit) {
      for (int s = bodies_[b].segment; s != no_parent; s = figure_.segments()[at_index(s)].parent) {
        const Joint& joint = figure_.joints()[at_index(s)];
        for (int i = joint.freedom_end - 1; i >= joint.freedom_begin; --i) visit(i);
      }
    };
    const auto turns = [&](int i) { return figure_.freedoms()[at_index(i)].motion == Motion::rotate; };
    each_freedom([&](int i) { above += turns(i) ? std::fabs(turned_[i]) : 0.0; });
    double bend = 0.0, moves = 0.0;  // what the joints below contribute to ρ
    each_freedom([&](int i) {
      const double turned = std::fabs(turned_[i]);
      const Vec3& axis_point = state_.points[at_index(i)];
      const double far = std::fmax((core.a - axis_point).norm(), (core.b - axis_point).norm()) + moves;
      const double reach = turns(i) ? far : 1.0;
      if (turns(i)) above -= turned;
      bend += reach * turned * ((turns(i) ? turned : 0.0) + 2.0 * above);
      bend += curve_safety * 8.0 * std::fabs(middle_q_[i]) * reach;
      moves += reach * turned;
    });
    bend_[b] = bend;
  }
}

double MotionSweep::margin(const Candidate& candidate) const {
  return clearances_[at_index(candidate.pair.clearance)].margin - tolerance_;
}

double MotionSweep::gap_at(const Candidate& candidate, const Node& node) const {
  const Clearance& clearance = clearances_[at_index(candidate.pair.clearance)];
  const LineSegment& core = node.cores[at_index(candidate.body)];
  const double radius = bodies_[at_index(candidate.body)].radius;
  if (candidate.pair.obstacle != no_index)
    return gap(core, clearance.obstacles[at_index(candidate.pair.obstacle)]).distance - radius;
  return gap(core, node.cores[at_index(candidate.other)]).distance - radius -
         bodies_[at_index(candidate.other)].radius + clearance.pairs[at_index(candidate.pair.pair)].slack;
}

// Whether the boxes around both motions are farther apart than the margin.
bool MotionSweep::is_far(const Candidate& candidate, const Node& from, const Node& to, double bow) const {
  const auto box_of = [&](int body) {
    BoundingBox box;
    for (const Node* node : {&from, &to}) {
      box.take(node->cores[at_index(body)].a);
      box.take(node->cores[at_index(body)].b);
    }
    return box;
  };
  const Clearance& clearance = clearances_[at_index(candidate.pair.clearance)];
  double within = clearance.margin + bodies_[at_index(candidate.body)].radius + bow;
  if (candidate.pair.obstacle != no_index) {
    const double square =
        box_of(candidate.body)
            .square_from(bounds_[at_index(candidate.pair.clearance)][at_index(candidate.pair.obstacle)]);
    return square > within * within;
  }
  within += bodies_[at_index(candidate.other)].radius - clearance.pairs[at_index(candidate.pair.pair)].slack;
  const double square = box_of(candidate.body).square_from(box_of(candidate.other));
  return within <= 0.0 || square > within * within;
}

// Lower bounds of the gap on the way, without radii: the cores go in straight lines, or deviate by `bow`.
double MotionSweep::obstacle_bound(const Candidate& candidate, const Node& from, const Node& to, double bow) const {
  const Obstacle& obstacle =
      clearances_[at_index(candidate.pair.clearance)].obstacles[at_index(candidate.pair.obstacle)];
  const LineSegment &first = from.cores[at_index(candidate.body)], &last = to.cores[at_index(candidate.body)];
  const Gap at_first = gap(first, obstacle), at_last = gap(last, obstacle);
  if (!is_convex(obstacle)) return 0.5 * (at_first.distance + at_last.distance - moved(first, last)) - bow;
  double best = -infinity;
  for (const Gap* found : {&at_first, &at_last}) {
    const Vec3& n = found->normal;
    best = std::fmax(best, std::fmin(lowest(n, first), lowest(n, last)) - n.dot(found->on_shape));
  }
  return best - bow;
}

double MotionSweep::pair_bound(const Candidate& candidate, const Node& from, const Node& to, double bow) const {
  const LineSegment &first = from.cores[at_index(candidate.body)], &last = to.cores[at_index(candidate.body)];
  const LineSegment &other = from.cores[at_index(candidate.other)], &other_last = to.cores[at_index(candidate.other)];
  double best = -infinity;
  for (const Vec3& n : {gap(first, other).normal, gap(last, other_last).normal})
    best = std::fmax(best, std::fmin(lowest(n, first) - highest(n, other), lowest(n, last) - highest(n, other_last)));
  return best - bow;
}

double MotionSweep::min_gap(const Candidate& candidate, const Node& from, const Node& to, double bow,
                            double other_bow) const {
  const double radius = bodies_[at_index(candidate.body)].radius;
  if (candidate.pair.obstacle != no_index) return obstacle_bound(candidate, from, to, bow) - radius;
  return pair_bound(candidate, from, to, bow + other_bow) - radius - bodies_[at_index(candidate.other)].radius +
         clearances_[at_index(candidate.pair.clearance)].pairs[at_index(candidate.pair.pair)].slack;
}

// Examines the candidates from `begin` of the stack on, in a part of the interval, and removes them from the stack.
void MotionSweep::split(std::size_t depth, const Node& from, const Node& to, std::size_t begin) {
  const double h = to.after - from.after, share = h * h / 8.0;
  const std::size_t end = open_.size();
  for (std::size_t k = begin; k < end; ++k) {
    const Candidate candidate = open_[k];
    const double bow = share * bend_[at_index(candidate.body)];
    const double other_bow = candidate.other == no_index ? 0.0 : share * bend_[at_index(candidate.other)];
    if (is_far(candidate, from, to, bow + other_bow)) continue;
    if (min_gap(candidate, from, to, bow, other_bow) >= margin(candidate)) continue;
    if (std::ranges::find(deep_, candidate.pair, &Candidate::pair) != deep_.end()) continue;
    if (gap_at(candidate, to) < margin(candidate) || (depth == 0 && gap_at(candidate, from) < margin(candidate)))
      deep_.push_back(candidate);
    else
      open_.push_back(candidate);
  }
  if (depth < max_depth && open_.size() > end) {
    Node& middle = nodes_[depth + 2];
    place(0.5 * (from.after + to.after), middle);
    const std::vector<Candidate> both(open_.begin() + static_cast<std::ptrdiff_t>(end), open_.end());
    split(depth + 1, from, middle, end);
    open_.resize(end);
    open_.insert(open_.end(), both.begin(), both.end());
    split(depth + 1, middle, to, end);
  }
  open_.resize(begin);
}

// The minimum of the gap between two places on the way, by golden section.
double MotionSweep::refine(const Candidate& candidate, double low, double high) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  Node& node = nodes_[2];
  const auto gap_after = [&](double after) {
    place(after, node);
    return gap_at(candidate, node);
  };
  double x = high - golden * (high - low), y = low + golden * (high - low);
  double at_x = gap_after(x), at_y = gap_after(y);
  for (int k = 0; k < refine_count; ++k) {
    if (at_x < at_y) {
      high = y;
      y = x;
      at_y = at_x;
      x = high - golden * (high - low);
      at_x = gap_after(x);
    } else {
      low = x;
      x = y;
      at_x = at_y;
      y = low + golden * (high - low);
      at_y = gap_after(y);
    }
  }
  return at_x < at_y ? x : y;
}

void MotionSweep::scan(std::vector<SweepContact>& out) {
  const std::size_t count = deep_.size();
  MatX gaps(static_cast<Eigen::Index>(count), scan_count + 1);
  std::vector<std::vector<LineSegment>> cores(count);
  for (int step = 0; step <= scan_count; ++step) {
    place(static_cast<double>(step) / scan_count, nodes_[2]);
    for (std::size_t d = 0; d < count; ++d) {
      gaps(static_cast<Eigen::Index>(d), step) = gap_at(deep_[d], nodes_[2]);
      cores[d].push_back(nodes_[2].cores[at_index(deep_[d].body)]);
    }
  }
  for (std::size_t d = 0; d < count; ++d) {
    const double needed = margin(deep_[d]);
    const auto gap = gaps.row(static_cast<Eigen::Index>(d));
    for (int step = 0; step <= scan_count; ++step) {
      const double after = static_cast<double>(step) / scan_count;
      const bool is_inner = step > 0 && step < scan_count;
      // The minimum may lie between two places.
      if (is_inner && gap[step] <= gap[step - 1] && gap[step] < gap[step + 1]) {
        const double low = static_cast<double>(step - 1) / scan_count,
                     high = static_cast<double>(step + 1) / scan_count;
        const double at = refine(deep_[d], low, high);
        place(at, nodes_[2]);
        const double found = gap_at(deep_[d], nodes_[2]);
        if (found < needed) out.push_back({deep_[d].pair, at, found, true, nodes_[2].cores[at_index(deep_[d].body)]});
      } else if (gap[step] < needed) {
        out.push_back({deep_[d].pair, after, gap[step], false, cores[d][at_index(step)]});
      }
    }
  }
}

void MotionSweep::between(const VecX& first, const VecX& last, double tolerance, std::vector<SweepContact>& out) {
  tolerance_ = tolerance;
  first_ = first;
  last_ = last;
  figure_.angles(last_, turned_);
  place(0.5, nodes_[1]);
  middle_q_ = q_ - 0.5 * turned_;
  place(1.0, nodes_[1]);
  place(0.0, nodes_[0]);  // state_ stays for bound()
  middle_q_ -= 0.5 * q_;
  turned_ -= q_;
  bound();
  deep_.clear();
  open_ = all_;
  split(0, nodes_[0], nodes_[1], 0);
  if (!deep_.empty()) scan(out);
}

}  // namespace limber
