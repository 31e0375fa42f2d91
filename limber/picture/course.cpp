#include "limber/picture/course.h"

#include <algorithm>

#include "limber/base/index.h"
#include "limber/base/symmetric.h"
#include "limber/kinematics/forward.h"
#include "limber/picture/ground.h"

namespace limber::picture {

namespace {

constexpr int sampled_bodies = 48;   // enough that no gesture leaves the picture
constexpr double min_travel = 0.25;  // relative to the figure's length: else the body does not travel
constexpr double min_swing = 0.06;   // likewise: standard deviation of a place along the direction of its swing

Expected<void> check(const Figure& figure, const MatX& poses, double frame_time) {
  if (poses.cols() == 0) return reject("poses", "a motion without frames", "at least one");
  if (poses.rows() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject("poses", std::to_string(poses.rows()) + " parameters",
                  std::to_string(figure.parameters().size()) + ", as in the figure");
  if (!(frame_time > 0.0) || !std::isfinite(frame_time))
    return reject("frame_time", "a time that is not above 0", "the seconds from one frame to the next");
  for (Eigen::Index k = 0; k < poses.cols(); ++k)
    if (!poses.col(k).allFinite())
      return reject("frame " + std::to_string(k), "a number that is not finite", "finite numbers");
  return {};
}

Expected<std::vector<Handle>> handles_of(const Figure& figure, const std::vector<std::string>& places) {
  std::vector<Handle> handles;
  for (const std::string& place : places) {
    Expected<Handle> handle = figure.point(place);
    if (!handle) return std::unexpected(handle.error());
    handles.push_back(std::move(*handle));
  }
  return handles;
}

// Calls `use(frame, state)` for every frame.
template <class Use>
void for_each_frame(const Figure& figure, const MatX& poses, const Use& use) {
  Kinematics state(figure);
  VecX q(static_cast<Eigen::Index>(figure.freedoms().size()));
  for (int k = 0; k < poses.cols(); ++k) {
    figure.angles(poses.col(k), q);
    forward(figure, q, state);
    use(k, state);
  }
}

Vec3 middle_of(const Figure& figure, const Kinematics& state) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t s = 0; s < state.segments.size(); ++s) sum += state.segments[s] * figure.joints()[s].in_child.p;
  return sum / static_cast<double>(std::max<std::size_t>(1, state.segments.size()));
}

void measure_speed(double h, Trace& trace) {
  const std::vector<Vec3>& x = trace.at;
  const std::size_t n = x.size();
  trace.speed.assign(n, 0.0);
  if (n < 2) return;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, n - 1);
    trace.speed[k] = (x[after] - x[before]).norm() / (static_cast<double>(after - before) * h);
  }
}

// Horizontal positions of one point, relative to their mean.
struct Spread {
  Eigen::Matrix2d squares = Eigen::Matrix2d::Zero();
  Vec2 sum = Vec2::Zero();
  double count = 0.0;

  void add(const Vec3& x) {
    const Vec2 d(x.x(), x.z());
    squares += d * d.transpose();
    sum += d;
    count += 1.0;
  }
  Eigen::Matrix2d covariance() const { return squares / count - (sum / count) * (sum / count).transpose(); }
};

// The horizontal direction of maximum variance, and the standard deviation along it.
std::pair<Vec3, double> principal_axis(const Eigen::Matrix2d& covariance) {
  if (!covariance.allFinite()) return {Vec3::Zero(), 0.0};
  Eigen::Matrix2d D = covariance, V;
  diagonalize(D, V);
  return {Vec3(V(0, 1), 0.0, V(1, 1)), std::sqrt(std::fmax(0.0, D(1, 1)))};
}

double extent_along(const std::vector<Vec3>& points, const Vec3& v) {
  double min = infinity, max = -infinity;
  for (const Vec3& x : points) {
    min = std::fmin(min, v.dot(x));
    max = std::fmax(max, v.dot(x));
  }
  return max - min;
}

// The direction in which a body without travel swings: its joints and sites relative to its middle.
Vec3 direction_of_swing(const Figure& figure, const std::vector<Spread>& swings, const Vec3& left) {
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  double widest = 0.0;
  for (const Spread& swing : swings) {
    sum += swing.covariance();
    widest = std::fmax(widest, principal_axis(swing.covariance()).second);
  }
  if (!(widest > min_swing * figure.length())) return Vec3::Zero();
  const Vec3 v = principal_axis(sum).first;
  const double ahead = left.cross(Vec3::UnitY()).dot(v);
  return (ahead != 0.0 ? ahead : v.x()) < 0.0 ? Vec3(-v) : v;
}

void choose_direction(const Figure& figure, const std::vector<Spread>& swings, const Vec3& left, Course& course) {
  Spread spread;
  for (const Vec3& x : course.middle) spread.add(x - course.middle.front());
  const Vec3 v = principal_axis(spread.covariance()).first;
  course.travel = v.isZero() ? 0.0 : extent_along(course.middle, v);
  course.travels = course.travel > min_travel * figure.length();
  if (course.travels) {
    course.along = v.dot(course.middle.back() - course.middle.front()) < 0.0 ? Vec3(-v) : v;
    return;
  }
  const Vec3 across(left.x(), 0.0, left.z());
  Vec3 along = direction_of_swing(figure, swings, left);
  if (along.isZero() && across.norm() > 0.5 * left.norm()) along = across.normalized();
  if (along.allFinite() && along.norm() > 0.5) course.along = along;
}

void sample_bodies(const Figure& figure, const MatX& poses, Course& course) {
  course.sampled = evenly_spaced(static_cast<int>(poses.cols()), sampled_bodies);
  Vec3 min = Vec3::Constant(infinity), max = Vec3::Constant(-infinity);
  for (const int k : course.sampled) {
    course.bodies.push_back(body::make_body(figure, forward(figure, Pose{poses.col(k)})));
    std::vector<Ellipsoid> solid;
    add_shifted(course.bodies.back(), Vec3::Zero(), solid);
    for (const Ellipsoid& e : solid) {
      const Vec3 half = e.axes.rowwise().norm();
      min = min.cwiseMin(e.centre - half);
      max = max.cwiseMax(e.centre + half);
    }
  }
  if (!min.allFinite() || !max.allFinite()) return;
  course.lowest = min.y();
  course.floor = ground_height(min.y(), std::fmax(max.y() - min.y(), 0.1 * figure.length()));
}

}  // namespace

Vec3 Course::aslant(double azimuth, double elevation) const {
  return std::cos(elevation) * (std::cos(azimuth) * side() + std::sin(azimuth) * along) +
         std::sin(elevation) * Vec3::UnitY();
}

Expected<std::vector<Trace>> trace_places(const Figure& figure, const MatX& poses, double frame_time,
                                          const std::vector<std::string>& places) {
  if (const Expected<void> valid = check(figure, poses, frame_time); !valid) return std::unexpected(valid.error());
  const Expected<std::vector<Handle>> handles = handles_of(figure, places);
  if (!handles) return std::unexpected(handles.error());
  std::vector<Trace> traces;
  traces.reserve(places.size());
  for (const std::string& place : places) traces.push_back({place, {}, {}});
  for_each_frame(figure, poses, [&](int, const Kinematics& state) {
    for (std::size_t p = 0; p < traces.size(); ++p)
      traces[p].at.push_back(evaluate(figure, state, (*handles)[p].plus[0]));
  });
  for (Trace& trace : traces) measure_speed(frame_time, trace);
  return traces;
}

Expected<Course> make_course(const Figure& figure, const MatX& poses, double frame_time,
                             const std::vector<std::string>& places) {
  Expected<std::vector<Trace>> traces = trace_places(figure, poses, frame_time, places);
  if (!traces) return std::unexpected(traces.error());
  Course course;
  course.traces = std::move(*traces);
  Vec3 left = Vec3::Zero();
  std::vector<Spread> swings(figure.segments().size() + figure.sites().size());
  for_each_frame(figure, poses, [&](int k, const Kinematics& state) {
    if (k == 0) left = left_of(figure, state);
    course.middle.push_back(middle_of(figure, state));
    for (std::size_t s = 0; s < state.segments.size(); ++s)
      swings[s].add(state.segments[s] * figure.joints()[s].in_child.p - course.middle.back());
    for (std::size_t s = 0; s < figure.sites().size(); ++s) {
      const Site& site = figure.sites()[s];
      swings[state.segments.size() + s].add(state.segments[at_index(site.segment)] * site.frame.p -
                                            course.middle.back());
    }
  });
  sample_bodies(figure, poses, course);
  choose_direction(figure, swings, left, course);
  return course;
}

std::vector<int> evenly_spaced(int frames, int count) {
  std::vector<int> list;
  count = std::min(frames, count);
  list.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int k = 0; k < count; ++k)
    list.push_back(count == 1 ? 0 : static_cast<int>(std::lround(static_cast<double>(k) * (frames - 1) / (count - 1))));
  return list;
}

Vec3 left_of(const Figure& figure, const Kinematics& state) {
  const auto place = [&](const Handle& handle) {
    return Vec3(state.segments[at_index(handle.plus[0].segment)] * handle.plus[0].local);
  };
  for (const std::string part : {"hip", "shoulder"}) {
    const Expected<Handle> left = figure.point("left_" + part), right = figure.point("right_" + part);
    if (left && right) return place(*left) - place(*right);
  }
  return Vec3::Zero();
}

void add_shifted(const Body& body, const Vec3& by, std::vector<Ellipsoid>& scene) {
  for (const body::Solid& solid : body.solids)
    for (const auto& piece : solid.pieces)
      for (const Ellipsoid& e : piece) scene.push_back({e.centre + by, e.axes});
}

}  // namespace limber::picture
