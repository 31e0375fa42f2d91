// What a sampler computes ahead.
#include <algorithm>
#include <numeric>

#include "limber/motion/sampler.h"

namespace limber {

namespace {

// Of a limit row, relative to its largest term: what rounding may add.
constexpr double row_rounding = 1e-13;
// Steps in which the way of a rotation is followed to see where its angles lead; a few where the keys are near.
constexpr int many_steps = 32, few_steps = 4;
constexpr double near_keys = 0.1;  // radians, of the quaternions
// Angles that change by more in a step have jumped from one triple to the other or by a turn.
constexpr double jump = pi / 2.0;
// Angles that differ by less are the same.
constexpr double same_angle = 1e-6;

bool holds(const std::vector<int>& list, int value) { return std::ranges::find(list, value) != list.end(); }

// Where x' = c1 + 2 c2 u + 3 c3 u² changes its sign within 0 < u < 1, in ascending order.
std::vector<double> extrema(double c1, double c2, double c3) {
  std::vector<double> roots;
  const double a = 3.0 * c3, b = c2, c = c1, root = b * b - a * c;  // a u² + 2 b u + c
  if (root < 0.0) return {};
  const double q = -(b + std::copysign(std::sqrt(root), b));
  if (a != 0.0) roots.push_back(q / a);
  if (q != 0.0) roots.push_back(c / q);
  std::erase_if(roots, [](double u) { return !(u > 0.0 && u < 1.0); });
  std::ranges::sort(roots);
  if (roots.size() == 2 && roots[0] == roots[1]) return {};
  return roots;
}

}  // namespace

struct Sampler::Maker {
  Sampler& out;
  const Sequence& sequence;
  const std::vector<Key>& keys = sequence.keys();
  // Of the singles, positions and angles one by one, a column a key.
  MatX v_in = {}, v_out = {};
  // Of the rotations: by channel, then by key.
  std::vector<std::vector<Quaternion>> rotations = {};
  std::vector<std::vector<Velocities<Quaternion>>> inner = {};

  double seconds(std::size_t k) const { return keys[k + 1].time - keys[k].time; }
  static Eigen::Index column(std::size_t k) { return static_cast<Eigen::Index>(k); }

  void make();
  void take_limits();
  void knit_rows();
  void take_velocities();
  void take_rotations(std::size_t channel);
  void take_stretch(std::size_t k);
  void take_value(std::size_t k, int parameter, const Style& style);
  void make_even(std::size_t k, const Channel& channel);
  void swing(std::size_t k, int parameter);
  bool take_turn(std::size_t k, std::size_t channel, const Style& style);
  bool leads(const Turn& turn, const Vec3& end, Vec3& led) const;
  bool has_limits(const Channel& channel) const;
};

Sampler::Sampler(const Sequence& sequence) : start_(sequence.start()), end_(sequence.end()) {
  Maker{*this, sequence}.make();
}

void Sampler::Maker::make() {
  const auto n = static_cast<Eigen::Index>(sequence.figure().parameters().size());
  const auto count = static_cast<Eigen::Index>(keys.size());
  std::vector<MonotoneCurve::Knot> knots;
  for (const TimingKnot& knot : sequence.timing()) knots.push_back({knot.time, knot.shape_time});
  out.timing_ = MonotoneCurve(std::move(knots));
  out.values_.resize(n, count);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    out.times_.push_back(keys[k].time);
    out.values_.col(column(k)) = keys[k].pose.theta;
  }
  out.c1_.setZero(n, count - 1);
  out.c2_.setZero(n, count - 1);
  out.c3_.setZero(n, count - 1);
  take_limits();
  take_velocities();
  rotations.resize(sequence.channels().size());
  inner.resize(sequence.channels().size());
  for (std::size_t c = 0; c < sequence.channels().size(); ++c)
    if (sequence.channels()[c].kind == ChannelKind::rotation) take_rotations(c);
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) take_stretch(k);
}

void Sampler::Maker::take_limits() {
  const Figure& figure = sequence.figure();
  out.lower_.resize(out.values_.rows());
  out.upper_.resize(out.values_.rows());
  for (Eigen::Index j = 0; j < out.values_.rows(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    out.lower_[j] = range.lower;
    out.upper_[j] = range.upper;
  }
  for (const LimitRow& row : figure.limit_rows()) {
    double scale = std::fabs(row.bound);
    for (std::size_t t = 0; t < row.parameters.size(); ++t)
      scale =
          std::max(scale, std::fabs(row.coefficients[t]) * out.values_.row(row.parameters[t]).cwiseAbs().maxCoeff());
    out.rows_.push_back({row.parameters, row.coefficients, row.relation == Relation::equal ? row.bound : -infinity,
                         row.bound, row_rounding * scale});
  }
  out.row_values_.setZero(static_cast<Eigen::Index>(out.rows_.size()), out.values_.cols());
  for (std::size_t r = 0; r < out.rows_.size(); ++r)
    for (std::size_t t = 0; t < out.rows_[r].parameters.size(); ++t)
      out.row_values_.row(column(r)) += out.rows_[r].coefficients[t] * out.values_.row(out.rows_[r].parameters[t]);
  knit_rows();
}

// Rows that share a parameter, also by way of others, go together.
void Sampler::Maker::knit_rows() {
  for (std::size_t r = 0; r < out.rows_.size(); ++r) {
    Knit knit{{static_cast<int>(r)}, out.rows_[r].parameters};
    const auto shares = [&](const Knit& other) {
      return std::ranges::any_of(other.parameters, [&](int j) { return holds(knit.parameters, j); });
    };
    for (std::size_t i = 0; i < out.knits_.size();) {
      if (!shares(out.knits_[i])) {
        ++i;
        continue;
      }
      knit.rows.insert(knit.rows.end(), out.knits_[i].rows.begin(), out.knits_[i].rows.end());
      for (const int j : out.knits_[i].parameters)
        if (!holds(knit.parameters, j)) knit.parameters.push_back(j);
      out.knits_.erase(out.knits_.begin() + column(i));
    }
    out.knits_.push_back(std::move(knit));
  }
}

// At the first and last key the stretch that is missing is taken to be as the one that is there.
void Sampler::Maker::take_velocities() {
  v_in.setZero(out.values_.rows(), out.values_.cols());
  v_out.setZero(out.values_.rows(), out.values_.cols());
  if (keys.size() < 2) return;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k, keys.size() - 2);
    for (std::size_t c = 0; c < sequence.channels().size(); ++c)
      for (int t = 0; t < sequence.channels()[c].size(); ++t) {
        const int j = sequence.channels()[c].parameters[static_cast<std::size_t>(t)];
        const auto way = [&](std::size_t i) { return out.values_(j, column(i + 1)) - out.values_(j, column(i)); };
        const Velocities<double> v = kochanek_bartels(way(before), seconds(before), way(after), seconds(after),
                                                      keys[k].style_of(static_cast<int>(c)).bend);
        v_in(j, column(k)) = v.in;
        v_out(j, column(k)) = v.out;
      }
  }
}

void Sampler::Maker::take_rotations(std::size_t channel) {
  std::vector<Quaternion>& q = rotations[channel];
  std::vector<Vec3> ways;
  for (const Key& key : keys) {
    const Quaternion next = sequence.channels()[channel].ball.rotation(key.pose.theta);
    q.push_back(q.empty() ? next : on_side_of(q.back(), next));
    if (q.size() > 1) ways.push_back(quaternion_log(q[q.size() - 2].conjugate() * q.back()));
  }
  if (keys.size() < 2) return;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k, keys.size() - 2);
    inner[channel].push_back(quadrangle_points(q[k], ways[before], seconds(before), ways[after], seconds(after),
                                               keys[k].style_of(static_cast<int>(channel)).bend));
  }
}

void Sampler::Maker::take_stretch(std::size_t k) {
  for (std::size_t c = 0; c < sequence.channels().size(); ++c) {
    const Channel& channel = sequence.channels()[c];
    const Style& style = keys[k].style_of(static_cast<int>(c));
    if (style.interpolation == Interpolation::step) continue;
    if (channel.kind == ChannelKind::rotation && take_turn(k, c, style)) continue;
    for (int t = 0; t < channel.size(); ++t) take_value(k, channel.parameters[static_cast<std::size_t>(t)], style);
    if (style.even && style.interpolation == Interpolation::spline) make_even(k, channel);
  }
  out.stretches_.push_back({keys[k].ease, out.turns_.size(), out.glides_.size(), out.swings_.size()});
}

void Sampler::Maker::take_value(std::size_t k, int parameter, const Style& style) {
  const Eigen::Index at = column(k);
  const double from = out.values_(parameter, at), to = out.values_(parameter, at + 1);
  if (style.interpolation == Interpolation::linear) {
    out.c1_(parameter, at) = to - from;
    return;
  }
  const double h = seconds(k);
  const Cubic<double> cubic = hermite(from, to, h * v_out(parameter, at), h * v_in(parameter, at + 1));
  out.c1_(parameter, at) = cubic.c1;
  out.c2_(parameter, at) = cubic.c2;
  out.c3_(parameter, at) = cubic.c3;
}

void Sampler::Maker::make_even(std::size_t k, const Channel& channel) {
  if (channel.kind != ChannelKind::position) {
    for (int t = 0; t < channel.size(); ++t) swing(k, channel.parameters[static_cast<std::size_t>(t)]);
    return;
  }
  const auto three = [&](const MatX& from) {
    return Vec3(channel.axes * Vec3(from(channel.parameters[0], column(k)), from(channel.parameters[1], column(k)),
                                    from(channel.parameters[2], column(k))));
  };
  const Cubic<Vec3> cubic{Vec3::Zero(), three(out.c1_), three(out.c2_), three(out.c3_)};
  out.glides_.push_back({channel.parameters, static_cast<int>(out.tables_.size())});
  out.tables_.push_back(LengthTable([&](double u) { return cubic.slope(u).norm(); }));
}

// The length of a single value's way is known: it goes straight from one extremum to the next.
void Sampler::Maker::swing(std::size_t k, int parameter) {
  const Eigen::Index at = column(k);
  const Cubic<double> cubic{out.values_(parameter, at), out.c1_(parameter, at), out.c2_(parameter, at),
                            out.c3_(parameter, at)};
  Swing swing{parameter, 1, {}, {cubic.c0}};
  double length = 0.0;
  const auto corner = [&](double value) {
    length += std::fabs(value - swing.value[swing.corners - 1]);
    swing.part[swing.corners] = length;
    swing.value[swing.corners++] = value;
  };
  for (const double u : extrema(cubic.c1, cubic.c2, cubic.c3)) corner(cubic(u));
  corner(out.values_(parameter, at + 1));
  out.c1_(parameter, at) = swing.value[swing.corners - 1] - cubic.c0;
  out.c2_(parameter, at) = out.c3_(parameter, at) = 0.0;
  if (swing.corners == 2) return;
  for (double& part : swing.part) part /= length;
  out.swings_.push_back(swing);
}

bool Sampler::Maker::has_limits(const Channel& channel) const {
  return std::ranges::any_of(channel.parameters, [&](int j) {
    return out.lower_[j] > -infinity || out.upper_[j] < infinity ||
           std::ranges::any_of(out.knits_, [&](const Knit& knit) { return holds(knit.parameters, j); });
  });
}

// Follows the angles along the way, each near the one before. Do they come to `end`, where a query would find them?
bool Sampler::Maker::leads(const Turn& turn, const Vec3& end, Vec3& led) const {
  const bool near = turn.path.outer.angle < near_keys && turn.path.inner.angle < near_keys;
  const int steps = near ? few_steps : many_steps;
  bool smooth = true;
  led = turn.near;
  for (int i = 1; i <= steps; ++i) {
    const double u = static_cast<double>(i) / steps;
    const Quaternion q = turn.bends ? turn.path(u) : turn.path.outer(u);
    const Vec3 angles = turn.ball.angles(q, led);
    smooth = smooth && (angles - led).cwiseAbs().maxCoeff() < jump;
    const Vec3 found = turn.ball.angles(q, turn.near + u * (end - turn.near));
    smooth = smooth && (angles - found).cwiseAbs().maxCoeff() < same_angle;
    led = angles;
  }
  return smooth && (led - end).cwiseAbs().maxCoeff() < same_angle;
}

// Whether the channel is a turn on this stretch; else its angles go one by one.
bool Sampler::Maker::take_turn(std::size_t k, std::size_t c, const Style& style) {
  const Channel& channel = sequence.channels()[c];
  const Quaternion &from = rotations[c][k], &to = rotations[c][k + 1];
  Turn turn{};
  turn.ball = channel.ball;
  turn.bends = style.interpolation == Interpolation::spline;
  turn.path.outer = Slerp(from, to);
  if (turn.bends) turn.path.inner = Slerp(inner[c][k].out, inner[c][k + 1].in);
  turn.near = channel.ball.angles(keys[k].pose.theta);
  const Vec3 end = channel.ball.angles(keys[k + 1].pose.theta);
  const bool rests = turn.path.outer.angle == 0.0 &&
                     (!turn.bends || (turn.path.inner.angle == 0.0 && inner[c][k].out.coeffs() == from.coeffs()));
  if (rests && turn.near == end) return true;
  Vec3 led;
  const bool well = leads(turn, end, led);
  if (!well && has_limits(channel)) return false;
  turn.near_way = (well ? end : led) - turn.near;
  if (style.even && turn.bends) {
    turn.table = static_cast<int>(out.tables_.size());
    out.tables_.push_back(LengthTable([&](double u) { return turn.path.speed(u); }));
  }
  out.turns_.push_back(turn);
  return true;
}

}  // namespace limber
