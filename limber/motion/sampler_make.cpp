// Precomputation of a sampler.
#include <algorithm>
#include <numeric>

#include "limber/motion/sampler.h"

namespace limber {

namespace {

// Rounding error of a limit row, relative to its largest term.
constexpr double row_rounding = 1e-13;
// Steps along the path of a rotation to check where its angles lead; few if the keys are near.
constexpr int many_steps = 32, few_steps = 4;
constexpr double near_keys = 0.1;  // radians, of the quaternions
// A larger change of an angle in one step is a jump to the other triple or by a full turn.
constexpr double jump = pi / 2.0;
constexpr double angle_tolerance = 1e-6;

bool contains(const std::vector<int>& list, int value) { return std::ranges::find(list, value) != list.end(); }

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
  // Of single values, positions and angles one by one; one column per key.
  MatX v_in = {}, v_out = {};
  // Of rotations, by channel and key.
  std::vector<std::vector<Quaternion>> rotations = {};
  std::vector<std::vector<Velocities<Quaternion>>> inner = {};

  double seconds(std::size_t k) const { return keys[k + 1].time - keys[k].time; }
  static Eigen::Index column(std::size_t k) { return static_cast<Eigen::Index>(k); }

  void make();
  void take_limits();
  void group_rows();
  void take_velocities();
  void take_rotations(std::size_t channel);
  void take_interval(std::size_t k);
  void take_value(std::size_t k, int parameter, const Style& style);
  void make_even(std::size_t k, const Channel& channel);
  void swing(std::size_t k, int parameter);
  bool take_turn(std::size_t k, std::size_t channel, const Style& style);
  bool reaches(const Turn& turn) const;
  bool connects(const Turn& turn, const Vec3& end, Vec3& reached) const;
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
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) take_interval(k);
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
  group_rows();
}

// Groups rows that share parameters, directly or through other rows.
void Sampler::Maker::group_rows() {
  for (std::size_t r = 0; r < out.rows_.size(); ++r) {
    RowGroup group{{static_cast<int>(r)}, out.rows_[r].parameters};
    const auto shares = [&](const RowGroup& other) {
      return std::ranges::any_of(other.parameters, [&](int j) { return contains(group.parameters, j); });
    };
    for (std::size_t i = 0; i < out.row_groups_.size();) {
      if (!shares(out.row_groups_[i])) {
        ++i;
        continue;
      }
      group.rows.insert(group.rows.end(), out.row_groups_[i].rows.begin(), out.row_groups_[i].rows.end());
      for (const int j : out.row_groups_[i].parameters)
        if (!contains(group.parameters, j)) group.parameters.push_back(j);
      out.row_groups_.erase(out.row_groups_.begin() + column(i));
    }
    out.row_groups_.push_back(std::move(group));
  }
}

// At the first and last key the missing interval is taken equal to the existing one.
void Sampler::Maker::take_velocities() {
  v_in.setZero(out.values_.rows(), out.values_.cols());
  v_out.setZero(out.values_.rows(), out.values_.cols());
  if (keys.size() < 2) return;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k, keys.size() - 2);
    for (std::size_t c = 0; c < sequence.channels().size(); ++c)
      for (int t = 0; t < sequence.channels()[c].size(); ++t) {
        const int j = sequence.channels()[c].parameters[static_cast<std::size_t>(t)];
        const auto change = [&](std::size_t i) { return out.values_(j, column(i + 1)) - out.values_(j, column(i)); };
        const Velocities<double> v = kochanek_bartels(change(before), seconds(before), change(after), seconds(after),
                                                      keys[k].style_of(static_cast<int>(c)).bend);
        v_in(j, column(k)) = v.in;
        v_out(j, column(k)) = v.out;
      }
  }
}

void Sampler::Maker::take_rotations(std::size_t channel) {
  std::vector<Quaternion>& q = rotations[channel];
  std::vector<Vec3> logs;
  for (const Key& key : keys) {
    const Quaternion next = sequence.channels()[channel].ball.rotation(key.pose.theta);
    q.push_back(q.empty() ? next : on_side_of(q.back(), next));
    if (q.size() > 1) logs.push_back(quaternion_log(q[q.size() - 2].conjugate() * q.back()));
  }
  if (keys.size() < 2) return;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k, keys.size() - 2);
    inner[channel].push_back(quadrangle_points(q[k], logs[before], seconds(before), logs[after], seconds(after),
                                               keys[k].style_of(static_cast<int>(channel)).bend));
  }
}

void Sampler::Maker::take_interval(std::size_t k) {
  for (std::size_t c = 0; c < sequence.channels().size(); ++c) {
    const Channel& channel = sequence.channels()[c];
    const Style& style = keys[k].style_of(static_cast<int>(c));
    if (style.interpolation == Interpolation::step) continue;
    if (channel.kind == ChannelKind::rotation && take_turn(k, c, style)) continue;
    for (int t = 0; t < channel.size(); ++t) take_value(k, channel.parameters[static_cast<std::size_t>(t)], style);
    if (style.even && style.interpolation == Interpolation::spline) make_even(k, channel);
  }
  out.intervals_.push_back({keys[k].ease, out.turns_.size(), out.glides_.size(), out.swings_.size()});
}

void Sampler::Maker::take_value(std::size_t k, int parameter, const Style& style) {
  const Eigen::Index i = column(k);
  const double from = out.values_(parameter, i), to = out.values_(parameter, i + 1);
  if (style.interpolation == Interpolation::linear) {
    out.c1_(parameter, i) = to - from;
    return;
  }
  const double h = seconds(k);
  const Cubic<double> cubic = hermite(from, to, h * v_out(parameter, i), h * v_in(parameter, i + 1));
  out.c1_(parameter, i) = cubic.c1;
  out.c2_(parameter, i) = cubic.c2;
  out.c3_(parameter, i) = cubic.c3;
}

void Sampler::Maker::make_even(std::size_t k, const Channel& channel) {
  if (channel.kind != ChannelKind::position) {
    for (int t = 0; t < channel.size(); ++t) swing(k, channel.parameters[static_cast<std::size_t>(t)]);
    return;
  }
  const auto in_space = [&](const MatX& from) {
    return Vec3(channel.axes * Vec3(from(channel.parameters[0], column(k)), from(channel.parameters[1], column(k)),
                                    from(channel.parameters[2], column(k))));
  };
  const Cubic<Vec3> cubic{Vec3::Zero(), in_space(out.c1_), in_space(out.c2_), in_space(out.c3_)};
  out.glides_.push_back({channel.parameters, static_cast<int>(out.tables_.size())});
  out.tables_.push_back(LengthTable([&](double u) { return cubic.slope(u).norm(); }));
}

// The arc length of a single value has a closed form: the value is monotone between extrema.
void Sampler::Maker::swing(std::size_t k, int parameter) {
  const Eigen::Index i = column(k);
  const Cubic<double> cubic{out.values_(parameter, i), out.c1_(parameter, i), out.c2_(parameter, i),
                            out.c3_(parameter, i)};
  Swing swing{parameter, 1, {}, {cubic.c0}};
  double length = 0.0;
  const auto corner = [&](double value) {
    length += std::fabs(value - swing.value[swing.corners - 1]);
    swing.part[swing.corners] = length;
    swing.value[swing.corners++] = value;
  };
  for (const double u : extrema(cubic.c1, cubic.c2, cubic.c3)) corner(cubic(u));
  corner(out.values_(parameter, i + 1));
  out.c1_(parameter, i) = swing.value[swing.corners - 1] - cubic.c0;
  out.c2_(parameter, i) = out.c3_(parameter, i) = 0.0;
  if (swing.corners == 2) return;
  for (double& part : swing.part) part /= length;
  out.swings_.push_back(swing);
}

bool Sampler::Maker::has_limits(const Channel& channel) const {
  return std::ranges::any_of(channel.parameters, [&](int j) {
    return out.lower_[j] > -infinity || out.upper_[j] < infinity ||
           std::ranges::any_of(out.row_groups_, [&](const RowGroup& group) { return contains(group.parameters, j); });
  });
}

// Whether three angles make each rotation of the path. Axes that are not at right angles cannot make all.
bool Sampler::Maker::reaches(const Turn& turn) const {
  for (int i = 1; turn.ball.axes && i < many_steps; ++i) {
    const double u = static_cast<double>(i) / many_steps;
    const Quaternion q = turn.bends ? turn.path(u) : turn.path.outer(u);
    const Quaternion made = turn.ball.rotation(turn.ball.angles(q, turn.near));
    if ((on_side_of(q, made).coeffs() - q.coeffs()).norm() > angle_tolerance) return false;
  }
  return true;
}

// Follows the angles along the path, each near the previous one. Do they reach `end`, with the angles a query finds?
bool Sampler::Maker::connects(const Turn& turn, const Vec3& end, Vec3& reached) const {
  const bool near = turn.path.outer.angle < near_keys && turn.path.inner.angle < near_keys;
  const int steps = near ? few_steps : many_steps;
  bool smooth = true;
  reached = turn.near;
  for (int i = 1; i <= steps; ++i) {
    const double u = static_cast<double>(i) / steps;
    const Quaternion q = turn.bends ? turn.path(u) : turn.path.outer(u);
    const Vec3 angles = turn.ball.angles(q, reached);
    smooth = smooth && (angles - reached).cwiseAbs().maxCoeff() < jump;
    const Vec3 found = turn.ball.angles(q, turn.near + u * (end - turn.near));
    smooth = smooth && (angles - found).cwiseAbs().maxCoeff() < angle_tolerance;
    reached = angles;
  }
  return smooth && (reached - end).cwiseAbs().maxCoeff() < angle_tolerance;
}

// Whether the channel is a rotation on this interval; else its angles are interpolated one by one.
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
  if (!reaches(turn)) return false;
  Vec3 reached;
  const bool connected = connects(turn, end, reached);
  if (!connected && has_limits(channel)) return false;
  turn.near_change = (connected ? end : reached) - turn.near;
  if (style.even && turn.bends) {
    turn.table = static_cast<int>(out.tables_.size());
    out.tables_.push_back(LengthTable([&](double u) { return turn.path.speed(u); }));
  }
  out.turns_.push_back(turn);
  return true;
}

}  // namespace limber
