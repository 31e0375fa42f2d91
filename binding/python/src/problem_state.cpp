// A problem for pickle: what was added, to add it again to a problem on the same figure.
#include <algorithm>

#include "limber/obstacle/hull.h"
#include "limber/obstacle/triangle.h"
#include "objects.h"
#include "pickle.h"

namespace limber::python {

template <class A>
void visit(A& a, BallShape& x) {
  a(x.radius);
}
template <class A>
void visit(A& a, BoxShape& x) {
  a(x.half);
}
template <class A>
void visit(A&, HalfSpaceShape&) {}
template <class A>
void visit(A& a, SegmentCapsule& x) {
  a(x.segment, x.capsule);
}
template <class A>
void visit(A& a, CapsulePair& x) {
  a(x.first, x.second, x.slack);
}
template <class A>
void visit(A& a, Load& x) {
  a(x.handle, x.mass);
}
template <class A>
void visit(A& a, StaticLoadOptions& x) {
  a(x.loads, x.feet, x.gravity);
}
template <class A>
void visit(A& a, StrengthRow& x) {
  a(x.freedom, x.direction, x.percentile_5, x.percentile_50, x.percentile_95, x.of_size, x.curve, x.best_angle,
    x.source);
}
template <class A>
void visit(A& a, StrengthOptions& x) {
  a(x.percentile, x.stature, x.weight);
}
template <class A>
void visit(A& a, StrengthLimit& x) {
  a(x.carried, x.share, x.table, x.strength);
}

namespace {

// A clearance without its obstacles, which are written one by one.
struct Bodies {
  std::vector<SegmentCapsule> capsules;
  std::vector<CapsulePair> pairs;
  double margin = 0.0;
};
template <class A>
void visit(A& a, Bodies& x) {
  a(x.capsules, x.pairs, x.margin);
}

struct CornersOf {
  std::vector<Vec3> corners;
};
template <class A>
void visit(A& a, CornersOf& x) {
  a(x.corners);
}

// What TriangleMesh::build() and Polyhedron::build() make the same shape of.
CornersOf corners_of(const TriangleMesh& mesh) {
  CornersOf list;
  for (int k = 0; k < mesh.triangle_count(); ++k)
    for (const Vec3& corner : mesh.triangle(k).p) list.corners.push_back(corner);
  return list;
}
CornersOf corners_of(const Polyhedron& polyhedron) { return {polyhedron.hull().corners}; }

TriangleMesh mesh_of(const std::vector<Vec3>& corners) {
  std::vector<std::array<int, 3>> triangles;
  for (int k = 0; k + 2 < static_cast<int>(corners.size()); k += 3) triangles.push_back({k, k + 1, k + 2});
  return unwrap(TriangleMesh::build(corners, triangles));
}

nb::bytes bytes_of(const ObstacleShape& shape) {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { corners_of(s); })
          return to_bytes(corners_of(s));
        else
          return to_bytes(s);
      },
      shape);
}

ObstacleShape obstacle_shape(std::size_t kind, const nb::bytes& bytes) {
  switch (kind) {
    case 0:
      return HalfSpaceShape{};
    case 1:
      return from_bytes<BallShape>(bytes);
    case 2:
      return from_bytes<Capsule>(bytes);
    case 3:
      return from_bytes<BoxShape>(bytes);
    case 4:
      return unwrap(Polyhedron::build(from_bytes<CornersOf>(bytes).corners));
    default:
      return mesh_of(from_bytes<CornersOf>(bytes).corners);
  }
}

nb::object clearance_state(const Clearance& clearance) {
  nb::list obstacles;
  for (const Obstacle& o : clearance.obstacles) obstacles.append(nb::cast(o));
  return nb::make_tuple("clearance", to_bytes(Bodies{clearance.capsules, clearance.pairs, clearance.margin}),
                        obstacles);
}

// Of a pull towards comfort: the range of each parameter that counts, which gives the same discomfort.
nb::object comfort_state(const Figure& figure, const PullToComfort& pull) {
  nb::list ranges;
  for (int j = 0; j < pull.comfort.parameters(); ++j)
    if (pull.comfort.counts(j))
      ranges.append(nb::make_tuple(figure.parameters()[static_cast<std::size_t>(j)].name, pull.comfort.lower(j),
                                   pull.comfort.upper(j)));
  return nb::make_tuple("comfort", ranges, new_array(pull.stiffness));
}

// The up direction of a prior has no chain: it moves only what others move.
bool is_upright(const Figure& figure, const Constraint& c) {
  return !c.alternatives().empty() && c.chain.empty() &&
         !chain_of(figure, c.alternatives().front().handle, c.from).empty();
}

nb::object state_of(const Figure& figure, const Constraint& c) {
  nb::list alternatives;
  for (const Alternative& alternative : c.alternatives())
    alternatives.append(nb::make_tuple(alternative.handle, from_goal(alternative.goal)));
  if (is_upright(figure, c)) return nb::make_tuple("upright", alternatives);
  if (!c.alternatives().empty()) return nb::make_tuple("goals", alternatives);
  if (const Clearance* clearance = c.clearance()) return clearance_state(*clearance);
  if (const StrengthLimit* strength = c.strength()) return nb::make_tuple("strength", to_bytes(*strength));
  const PosePull& pull = *c.pull();
  if (const auto* by = std::get_if<PullByStiffness>(&pull))
    return nb::make_tuple("pull", new_array(by->target), new_array(by->stiffness));
  if (const auto* by = std::get_if<PullByMatrix>(&pull))
    return nb::make_tuple("matrix", new_array(by->target), new_matrix(by->root));
  return comfort_state(figure, std::get<PullToComfort>(pull));
}

template <class T>
T element(const nb::tuple& tuple, std::size_t k) {
  return nb::cast<T>(nb::object(tuple[k]));
}

PosePull pull_of(const Figure& figure, const std::string& kind, const nb::tuple& what) {
  const auto size = static_cast<Eigen::Index>(figure.parameters().size());
  if (kind == "comfort") {
    std::vector<ComfortRange> ranges;
    for (const nb::handle range : nb::object(what[1])) {
      const auto parts = nb::cast<nb::tuple>(range);
      ranges.push_back({element<std::string>(parts, 0), element<double>(parts, 1), element<double>(parts, 2)});
    }
    return PullToComfort{unwrap(JointComfort::make(figure, ranges)),
                         to_vector({nb::object(what[2])}, "stiffness", size)};
  }
  const VecX target = to_vector({nb::object(what[1])}, "target", size);
  if (kind == "pull") return PullByStiffness{target, to_vector({nb::object(what[2])}, "stiffness", size)};
  return PullByMatrix{target, to_matrix({nb::object(what[2])}, "root", -1, size)};
}

ConstraintId add_again(ProblemObject& p, const nb::tuple& what, const ConstraintOptions& options) {
  const auto kind = element<std::string>(what, 0);
  if (kind == "clearance") {
    auto bodies = from_bytes<Bodies>(element<nb::bytes>(what, 1));
    return unwrap(p.problem.add_clearance({.capsules = std::move(bodies.capsules),
                                           .obstacles = element<std::vector<Obstacle>>(what, 2),
                                           .pairs = std::move(bodies.pairs),
                                           .margin = bodies.margin},
                                          options));
  }
  if (kind == "strength")
    return unwrap(p.problem.add_strength(from_bytes<StrengthLimit>(element<nb::bytes>(what, 1)), options));
  if (kind != "goals") return unwrap(p.problem.add_pull(pull_of(p.problem.figure(), kind, what), options));
  std::vector<std::pair<Expected<Handle>, Goal>> all;
  for (const nb::handle alternative : nb::object(what[1])) {
    const auto pair = nb::cast<nb::tuple>(alternative);
    all.emplace_back(element<Handle>(pair, 0), to_goal(nb::object(pair[1])));
    p.calls_python = p.calls_python || calls_python(all.back().second);
  }
  return unwrap(p.problem.add_one_of(std::move(all), options));
}

// Adds constraints again with the ids that they had: reports and Constraint objects name them by it. A prior is added
// as a whole, as add_prior() did, so its pull and its up directions come together.
class Restorer {
 public:
  explicit Restorer(ProblemObject& p) : p_(p) {
    if (!has_prior(p.problem.figure())) return;
    Problem scratch(p.problem.figure());
    unwrap(scratch.add_prior(1.0));
    for (const Constraint& c : scratch.constraints()) prior_names_.push_back(c.name);
  }

  // The constraints as problem_state() wrote them, in order.
  void add(const std::vector<nb::tuple>& all) {
    for (const nb::tuple& c : all) {
      kept_.push_back(element<int>(c, 8));
      if (kind(c) == "upright") priors_.push_back(first_of_prior(c));
    }
    for (const nb::tuple& c : all) add(c);
    std::vector<ConstraintId> others;
    for (const Constraint& c : p_.problem.constraints())
      if (std::find(kept_.begin(), kept_.end(), static_cast<int>(c.id)) == kept_.end()) others.push_back(c.id);
    for (const ConstraintId id : others) unwrap(p_.problem.remove(id));
  }

 private:
  static std::string kind(const nb::tuple& c) { return element<std::string>(element<nb::tuple>(c, 0), 0); }

  int first_of_prior(const nb::tuple& upright) const {
    const auto name = element<std::string>(upright, 1);
    const auto at = std::find(prior_names_.begin(), prior_names_.end(), name);
    if (at == prior_names_.end())
      fail("pickle", "'" + name + "', unknown to the prior of the figure", "its own figure");
    return element<int>(upright, 8) - static_cast<int>(at - prior_names_.begin());
  }

  void skip_to(int id) {
    const VecX& rest = p_.problem.figure().rest().theta;
    while (next_ < id) {
      unwrap(p_.problem.remove(unwrap(p_.problem.add_pull(PullByStiffness{rest, VecX::Zero(rest.size())}, {}))));
      ++next_;
    }
  }

  void add(const nb::tuple& c) {
    const int id = element<int>(c, 8);
    for (const int prior : priors_)
      if (next_ <= prior && prior <= id) {
        skip_to(prior);
        unwrap(p_.problem.add_prior(1.0));
        next_ += static_cast<int>(prior_names_.size());
      }
    const auto what = element<nb::tuple>(c, 0);
    const auto weight = element<double>(c, 2);
    ConstraintId found{id};
    if (id < next_) {  // of a prior: its numbers may have changed
      unwrap(p_.problem.set_weight(found, weight));
      if (kind(c) == "upright")
        unwrap(p_.problem.set_goal(found,
                                   to_goal(nb::object(nb::cast<nb::tuple>(nb::object(nb::object(what[1])[0]))[1]))));
    } else {
      skip_to(id);
      const nb::object weighting = c[7];
      ConstraintOptions options{.weight = weight,
                                .priority = element<int>(c, 3),
                                .from = element<std::string>(c, 6),
                                .name = element<std::string>(c, 1),
                                .soft = element<bool>(c, 4)};
      if (!weighting.is_none()) options.weighting = to_matrix({weighting}, "weighting", -1, -1);
      found = add_again(p_, what, options);
      ++next_;
    }
    if (!element<bool>(c, 5)) unwrap(p_.problem.set_enabled(found, false));
  }

  ProblemObject& p_;
  std::vector<std::string> prior_names_;
  std::vector<int> priors_, kept_;
  int next_ = 0;
};

}  // namespace

nb::tuple obstacle_state(const Obstacle& o) {
  return nb::make_tuple(o.name, o.shape.index(), bytes_of(o.shape), new_array(o.X_world_shape));
}

Obstacle obstacle_of(const nb::tuple& state) {
  return unwrap(build_obstacle(element<std::string>(state, 0),
                               obstacle_shape(element<std::size_t>(state, 1), element<nb::bytes>(state, 2)),
                               to_frame({nb::object(state[3])}, "frame")));
}

nb::tuple problem_state(const ProblemObject& p) {
  const Problem& problem = p.problem;
  nb::list constraints;
  for (const Constraint& c : problem.constraints()) {
    const std::string from =
        c.from == no_parent ? "" : problem.figure().joints()[static_cast<std::size_t>(c.from)].name;
    const nb::object weighting = c.weighting_root.size() == 0
                                     ? nb::none()
                                     : nb::object(new_matrix(c.weighting_root.transpose() * c.weighting_root));
    constraints.append(nb::make_tuple(state_of(problem.figure(), c), c.name, c.weight, c.priority, c.soft, c.enabled,
                                      from, weighting, static_cast<int>(c.id)));
  }
  return nb::make_tuple(problem.figure(), constraints, new_array(problem.rigidities()));
}

void set_problem_state(ProblemObject& self, const nb::tuple& state) {
  auto* p = new (&self) ProblemObject(element<Figure>(state, 0));
  Restorer(*p).add(element<std::vector<nb::tuple>>(state, 1));
  const VecX rigidities = to_vector({nb::object(state[2])}, "rigidities");
  const auto& parameters = p->problem.figure().parameters();
  for (std::size_t j = 0; j < parameters.size() && j < static_cast<std::size_t>(rigidities.size()); ++j)
    unwrap(p->problem.set_rigidity(parameters[j].name, rigidities[static_cast<Eigen::Index>(j)]));
}

}  // namespace limber::python
