#include "tests/law/random_figure.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "limber/problem/figure_limits.h"

namespace limber::law {

namespace {

std::string numbered(const char* what, std::size_t k) { return what + std::to_string(k); }

Vec3 random_axis(Random& random) {
  if (random.chance(0.5)) return Vec3::Unit(random.integer(0, 2)) * (random.chance(0.5) ? 1.0 : -1.0);
  return random.direction() * random.between(0.2, 5.0);  // not a unit vector: the builder makes it one
}

Frame random_frame(Random& random, double bone) {
  Frame frame;
  if (random.chance(0.5)) frame.R = random.rotation();
  if (!random.chance(0.15)) frame.p = bone * random.between(0.3, 1.5) * random.direction();
  return frame;
}

// `unit` is what the range is measured in: 1 for an angle, the bone for a shift.
Range random_range(Random& random, double unit, bool limited) {
  Range range;
  if (limited && random.chance(0.8)) {
    range.lower = -unit * random.between(0.05, 2.0);
    range.upper = unit * random.between(0.05, 2.0);
    if (random.chance(0.1)) range.lower = -infinity;
    if (random.chance(0.06)) range.lower = range.upper;
    range.rest = std::clamp(0.0, range.lower, range.upper);
  }
  if (random.chance(0.08)) range.rigidity = 0.5;
  if (random.chance(0.03)) range.rigidity = 1.0;
  return range;
}

void add_tree(Random& random, const FigureKind& kind, double bone, FigureDescription& figure) {
  int remaining = kind.freedoms;
  figure.segments.push_back({"segment0"});
  if (remaining >= 8 && random.chance(0.3)) {
    figure.joints.push_back(free_root("root", "segment0"));
    remaining -= 6;
  } else if (random.chance(0.6)) {
    figure.joints.push_back({"root", "", "segment0", random_frame(random, bone)});
  }
  while (remaining > 0) {
    const std::size_t k = figure.segments.size();
    const int last = static_cast<int>(k) - 1;
    const int parent = random.chance(0.7) ? last : random.integer(0, last);
    JointDescription joint{numbered("joint", k), figure.segments[static_cast<std::size_t>(parent)].name,
                           numbered("segment", k)};
    joint.in_parent = random_frame(random, bone);
    if (random.chance(0.2)) joint.in_child = random_frame(random, bone);
    const int freedoms = std::min(remaining, random.integer(0, 9) == 0 ? 0 : random.integer(1, 3));
    for (int i = 0; i < freedoms; ++i) {
      const Motion motion = random.chance(0.85) ? Motion::rotate : Motion::translate;
      joint.freedoms.push_back({numbered("f", static_cast<std::size_t>(i)), motion, random_axis(random),
                                random_range(random, motion == Motion::rotate ? 1.0 : bone, kind.limited)});
    }
    remaining -= freedoms;
    figure.segments.push_back({joint.child});
    figure.joints.push_back(joint);
  }
  for (SegmentDescription& segment : figure.segments)
    if (random.chance(0.6))
      segment = {segment.name, random.between(0.1, 10.0), bone * random.between(0.0, 0.5) * random.direction()};
  figure.segments.back().mass += 1.0;
  for (std::size_t s = 0; s < figure.segments.size(); ++s)
    if (s + 1 == figure.segments.size() || random.chance(0.4))
      figure.sites.push_back({numbered("site", s), figure.segments[s].name, random_frame(random, bone)});
}

Curve random_curve(Random& random, double lower, double upper) {
  const double slope = random.between(0.1, 0.8);
  if (random.chance(0.5)) return Curve::linear(random.chance(0.8) ? slope : -slope);
  std::vector<Curve::Knot> knots{{lower + 0.1 * (upper - lower), -random.between(0.1, 0.5)}};
  for (int k = 0; k < 3; ++k)
    knots.push_back({knots.back().theta + 0.25 * (upper - lower), knots.back().value + random.between(0.05, 0.5)});
  return Curve::smooth(knots);
}

// Runs of turning freedoms are driven together. Half of them keep limits of their own: exactly the group's
// image.
void add_groups(Random& random, FigureDescription& figure) {
  std::vector<std::pair<JointDescription*, FreedomDescription*>> turning;
  for (JointDescription& joint : figure.joints)
    for (FreedomDescription& freedom : joint.freedoms)
      if (freedom.motion == Motion::rotate && joint.name != "root") turning.emplace_back(&joint, &freedom);
  std::size_t next = 0;
  while (next + 2 <= turning.size() && random.chance(0.6)) {
    GroupDescription group{numbered("group", figure.groups.size())};
    const int parameters = random.integer(1, 2);
    for (int p = 0; p < parameters; ++p) {
      const double lower = -random.between(0.2, 2.0), upper = random.between(0.2, 2.0);
      group.parameters.push_back({numbered("p", static_cast<std::size_t>(p)), {lower, upper, 0.0}});
    }
    const std::size_t end = std::min(turning.size(), next + static_cast<std::size_t>(random.integer(2, 5)));
    for (std::size_t k = next; k < end; ++k) {
      auto& [joint, freedom] = turning[k];
      GroupDriver driver{joint->name, freedom->name};
      double lower = 0.0, upper = 0.0;
      for (std::size_t p = 0; p < group.parameters.size(); ++p) {
        if (p > 0 && k > next && random.chance(0.3)) continue;
        const Range& range = group.parameters[p].range;
        driver.terms.push_back({group.parameters[p].name, random_curve(random, range.lower, range.upper)});
        const auto [low, high] = driver.terms.back().curve.range(range.lower, range.upper);
        lower += low;
        upper += high;
      }
      freedom->range = Range{};
      if (random.chance(0.5)) freedom->range = {lower, upper, std::clamp(0.0, lower, upper)};
      group.drivers.push_back(driver);
    }
    figure.groups.push_back(group);
    next = end + static_cast<std::size_t>(random.integer(0, 6));
  }
}

// Rows that all hold at the pose `kept`; units are measured by span_of, so that rows mix metres and radians
// sensibly.
class RowMaker {
 public:
  RowMaker(Random& random, const Figure& figure, const Pose& kept, std::vector<LimitDescription>& rows)
      : random_(random), figure_(figure), kept_(kept), rows_(rows) {}

  void add() {
    switch (random_.integer(0, 5)) {
      case 0:
        return push({some(2), Relation::equal, 0.0});
      case 1:
        return push({some(random_.integer(1, 4)), Relation::at_most, random_.between(0.0, 0.5)});
      case 2:
        return polygon();
      case 3:
        return copy_of_a_row();
      case 4:
        return box_limit_as_a_row();
      default:
        return corner();
    }
  }

 private:
  struct Sketch {
    std::vector<LimitTerm> terms;
    Relation relation;
    double slack;
  };

  int any() { return random_.integer(0, static_cast<int>(kept_.theta.size()) - 1); }
  const std::string& name(int j) const { return figure_.parameters()[static_cast<std::size_t>(j)].name; }

  std::vector<LimitTerm> some(int count) {
    std::vector<LimitTerm> terms;
    for (int k = 0; k < count; ++k) {
      const int j = any();
      if (std::none_of(terms.begin(), terms.end(), [&](const LimitTerm& t) { return t.parameter == name(j); }))
        terms.push_back({name(j), coefficient(j)});
    }
    return terms;
  }
  double coefficient(int j) {
    return (random_.chance(0.5) ? 1.0 : random_.between(0.3, 3.0)) * (random_.chance(0.5) ? 1.0 : -1.0) /
           span_of(figure_, j);
  }
  double at_kept(const std::vector<LimitTerm>& terms) const {
    double sum = 0.0;
    for (const LimitTerm& term : terms) sum += term.coefficient * kept_.theta[*figure_.find_parameter(term.parameter)];
    return sum;
  }
  void push(const Sketch& sketch) {
    rows_.push_back(
        {numbered("row", rows_.size()), sketch.terms, sketch.relation, at_kept(sketch.terms) + sketch.slack});
  }
  void polygon() {
    const int x = any(), y = any();
    if (x == y) return;
    const int corners = random_.integer(3, 7);
    std::vector<Eigen::Vector2d> ring;
    const double radius = random_.between(0.1, 0.8);
    for (int k = 0; k < corners; ++k) {
      const double angle = 2.0 * pi * k / corners;
      ring.push_back({kept_.theta[x] + radius * span_of(figure_, x) * std::cos(angle),
                      kept_.theta[y] + radius * span_of(figure_, y) * std::sin(angle)});
    }
    for (LimitDescription& row : polygon_limits(numbered("polygon", rows_.size()), name(x), name(y), ring))
      rows_.push_back(row);
  }
  // Twice the row, or the row with more room: it says nothing new.
  void copy_of_a_row() {
    if (rows_.empty()) return;
    LimitDescription copy = rows_[static_cast<std::size_t>(random_.integer(0, static_cast<int>(rows_.size()) - 1))];
    copy.name = numbered("copy", rows_.size());
    const double factor = random_.chance(0.5) ? 1.0 : random_.between(0.5, 2.0);
    for (LimitTerm& term : copy.terms) term.coefficient *= factor;
    copy.bound *= factor;
    if (copy.relation == Relation::at_most && random_.chance(0.5)) copy.bound += random_.between(0.0, 0.3);
    rows_.push_back(copy);
  }
  void box_limit_as_a_row() {
    const int j = any();
    const double upper = figure_.parameters()[static_cast<std::size_t>(j)].range.upper;
    if (std::isfinite(upper))
      rows_.push_back({numbered("bound", rows_.size()), {{name(j), 1.0}}, Relation::at_most, upper});
  }
  // More rows through one point than it has dimensions.
  void corner() {
    const std::vector<LimitTerm> over = some(random_.integer(2, 3));
    const int rows = static_cast<int>(over.size()) + random_.integer(1, 4);
    for (int k = 0; k < rows; ++k) {
      std::vector<LimitTerm> terms = over;
      for (LimitTerm& term : terms) term.coefficient *= random_.between(0.2, 1.0);
      push({terms, Relation::at_most, 0.0});
    }
  }

  Random& random_;
  const Figure& figure_;
  const Pose& kept_;
  std::vector<LimitDescription>& rows_;
};

}  // namespace

double span_of(const Figure& figure, int parameter) {
  return figure.parameters()[static_cast<std::size_t>(parameter)].translates ? figure.length() : 1.0;
}

Pose random_pose(Random& random, const Figure& figure) {
  Pose pose = figure.rest();
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    const double span = span_of(figure, static_cast<int>(j));
    const double lower = std::fmax(range.lower, std::fmin(range.upper, 0.0) - 1.5 * span);
    const double upper = std::fmin(range.upper, std::fmax(range.lower, 0.0) + 1.5 * span);
    pose.theta[j] = std::clamp(random.between(lower, upper), range.lower, range.upper);
  }
  FigureLimits(figure).project(pose.theta);
  return pose;
}

FigureDescription random_figure(Random& random, const FigureKind& kind) {
  FigureDescription description{"random"};
  const double bone = std::pow(10.0, random.between(-kind.decades, kind.decades));
  add_tree(random, kind, bone, description);
  if (kind.groups && random.chance(0.5)) add_groups(random, description);
  if (kind.rows && random.chance(0.6)) {
    const Expected<Figure> figure = build_figure(description);
    if (!figure || figure->parameters().empty()) return description;
    const Pose kept = random_pose(random, *figure);
    RowMaker maker(random, *figure, kept, description.limits);
    const int features = random.integer(1, 4);
    for (int k = 0; k < features; ++k) maker.add();
  }
  return description;
}

}  // namespace limber::law
