#include "bench/peers/simbody_tree.h"

#include <Simbody.h>

#include <limits>

namespace limber::peers {

namespace {

using Clock = std::chrono::steady_clock;

// The goal is half the mean square of the distances, times this. L-BFGS-B ends when it decreases by less than 2e-9,
// which only the weight can change. The accuracy is that of the gradient.
constexpr double weight = 1000.0;
constexpr double accuracy = 1e-4;

SimTK::Vec3 vector_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Eigen::Vector3d vector_of(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

SimTK::Transform frame_of(const TreeFrame& X) {
  SimTK::Mat33 R;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) R(i, k) = X.R(i, k);
  return {SimTK::Rotation(R, true), vector_of(X.p)};
}

// Masses do not matter, but Simbody requires them.
SimTK::Body some_body() { return SimTK::Body::Rigid(SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(1.0))); }

struct Stop : std::exception {};

// Markers that end the search where all are close enough or the time is over: the Assembler has no other way to be
// stopped. They remember the best coordinates that they have seen.
class TimedMarkers : public SimTK::Markers {
 public:
  void begin(double metres, Clock::time_point deadline) {
    metres_ = metres;
    deadline_ = deadline;
    best_goal_ = std::numeric_limits<double>::infinity();
    met_ = false;
  }
  bool met() const { return met_; }
  bool is_over() const { return met_ || Clock::now() >= deadline_; }
  const SimTK::Vector& best() const { return best_; }

  int calcGoal(const SimTK::State& state, SimTK::Real& goal) const override {
    const int status = SimTK::Markers::calcGoal(state, goal);
    if (status != 0 || met_) return status;
    if (goal < best_goal_) {
      best_goal_ = goal;
      best_ = state.getQ();
      if (goal <= 0.5 * metres_ * metres_) met_ = max_distance() <= metres_;  // above it, at least one is too far
    }
    if (is_over()) throw Stop();
    return 0;
  }

 private:
  double max_distance() const {
    double max = 0.0;
    for (MarkerIx m(0); m < getNumMarkers(); ++m) max = std::max(max, findCurrentMarkerError(m));
    return max;
  }

  double metres_ = 0.0;
  Clock::time_point deadline_ = {};
  mutable double best_goal_ = 0.0;
  mutable SimTK::Vector best_;
  mutable bool met_ = false;
};

}  // namespace

struct SimbodyTree::Data {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  std::vector<SimTK::MobilizedBodyIndex> bodies;
  std::vector<TreeMarker> marks;
  std::vector<int> coordinate;  // by body: its place among Simbody's q, or -1
  SimTK::State state;
  std::unique_ptr<SimTK::Assembler> assembler;
  TimedMarkers* markers = nullptr;  // the assembler owns them

  SimTK::MobilizedBodyIndex add(const TreeBody& body) {
    SimTK::MobilizedBody& parent =
        body.parent < 0 ? matter.updGround() : matter.updMobilizedBody(bodies[static_cast<std::size_t>(body.parent)]);
    const SimTK::Transform X_PF = frame_of(body.in_parent), X_BM = frame_of(body.in_child);
    if (body.mobility == Mobility::pin)
      return SimTK::MobilizedBody::Pin(parent, X_PF, some_body(), X_BM).getMobilizedBodyIndex();
    if (body.mobility == Mobility::slider)
      return SimTK::MobilizedBody::Slider(parent, X_PF, some_body(), X_BM).getMobilizedBodyIndex();
    return SimTK::MobilizedBody::Weld(parent, X_PF, some_body(), X_BM).getMobilizedBodyIndex();
  }

  void set(const Eigen::VectorXd& q) {
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (coordinate[b] >= 0) state.updQ()[coordinate[b]] = q[static_cast<Eigen::Index>(b)];
  }
};

SimbodyTree::SimbodyTree(const std::vector<TreeBody>& bodies, const std::vector<TreeMarker>& markers)
    : data_(std::make_unique<Data>()) {
  Data& data = *data_;
  for (const TreeBody& body : bodies) data.bodies.push_back(data.add(body));
  data.state = data.system.realizeTopology();
  data.system.realizeModel(data.state);
  data.marks = markers;

  data.assembler = std::make_unique<SimTK::Assembler>(data.system);
  data.markers = new TimedMarkers;
  for (const TreeMarker& marker : markers)
    data.markers->addMarker(data.bodies[static_cast<std::size_t>(marker.body)], vector_of(marker.local));
  data.assembler->adoptAssemblyGoal(data.markers, weight);
  data.markers->defineObservationOrder(SimTK::Array_<SimTK::Markers::MarkerIx>());
  data.assembler->setAccuracy(accuracy);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool welded = bodies[b].mobility == Mobility::weld;
    data.coordinate.push_back(welded ? -1
                                     : int(data.matter.getMobilizedBody(data.bodies[b]).getFirstQIndex(data.state)));
    if (welded) continue;
    if (bodies[b].moves)
      data.assembler->restrictQ(data.bodies[b], SimTK::MobilizerQIndex(0), bodies[b].lower, bodies[b].upper);
    else
      data.assembler->lockMobilizer(data.bodies[b]);
  }
}

SimbodyTree::~SimbodyTree() = default;

std::vector<Eigen::Vector3d> SimbodyTree::places(const Eigen::VectorXd& q) {
  data_->set(q);
  data_->system.realize(data_->state, SimTK::Stage::Position);
  std::vector<Eigen::Vector3d> out;
  for (const TreeMarker& mark : data_->marks) {
    const SimTK::MobilizedBodyIndex body = data_->bodies[static_cast<std::size_t>(mark.body)];
    const SimTK::Transform& X = data_->matter.getMobilizedBody(body).getBodyTransform(data_->state);
    out.push_back(vector_of(X * vector_of(mark.local)));
  }
  return out;
}

void SimbodyTree::aim(const std::vector<Eigen::Vector3d>& goals, double metres, Clock::time_point deadline) {
  for (std::size_t k = 0; k < goals.size(); ++k)
    data_->markers->moveOneObservation(SimTK::Markers::ObservationIx(int(k)), vector_of(goals[k]));
  data_->markers->begin(metres, deadline);
}

void SimbodyTree::assemble(const Eigen::VectorXd& q) {
  data_->set(q);
  try {
    data_->assembler->initialize(data_->state);
    data_->assembler->assemble();
  } catch (const std::exception&) {
    // Stopped by the markers, or failed: they hold the best point found.
  }
}

bool SimbodyTree::met() const { return data_->markers->met(); }

void SimbodyTree::best(Eigen::VectorXd& q) const {
  const SimTK::Vector& found = data_->markers->best();
  for (std::size_t b = 0; b < data_->bodies.size(); ++b)
    if (const int at = data_->coordinate[b]; at >= 0 && at < found.size()) q[static_cast<Eigen::Index>(b)] = found[at];
}

}  // namespace limber::peers
