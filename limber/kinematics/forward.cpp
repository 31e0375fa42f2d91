#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// R ← R · rotation(u, q). About a coordinate axis only two columns of R turn.
void turn(Mat3& R, const Vec3& u, double q) {
  const double c = std::cos(q), s = std::sin(q);
  const auto turn_columns = [&](int a, int b, double sine) {
    const Vec3 x = R.col(a), y = R.col(b);
    R.col(a) = c * x + sine * y;
    R.col(b) = c * y - sine * x;
  };
  if (u.y() == 0.0 && u.z() == 0.0) return turn_columns(1, 2, u.x() * s);
  if (u.x() == 0.0 && u.z() == 0.0) return turn_columns(2, 0, u.y() * s);
  if (u.x() == 0.0 && u.y() == 0.0) return turn_columns(0, 1, u.z() * s);
  // Rodrigues: R(u, q) = c I + (1 - c) u uᵀ + s [u]×.
  const Vec3 w = s * u, v = (1.0 - c) * u;
  Mat3 D;
  D << c + v.x() * u.x(), v.x() * u.y() - w.z(), v.x() * u.z() + w.y(), v.y() * u.x() + w.z(), c + v.y() * u.y(),
      v.y() * u.z() - w.x(), v.z() * u.x() - w.y(), v.z() * u.y() + w.x(), c + v.z() * u.z();
  R = (R * D).eval();
}

struct Tree {
  const std::vector<Segment>& segments;
  const std::vector<Joint>& joints;
  const std::vector<Freedom>& freedoms;

  explicit Tree(const Figure& figure)
      : segments(figure.segments()), joints(figure.joints()), freedoms(figure.freedoms()) {}

  void place(int s, const VecX& q, Kinematics& state) const {
    const Joint& joint = joints[s];
    const int parent = segments[s].parent;
    Frame X = parent == no_parent ? joint.in_parent : state.segments[parent] * joint.in_parent;
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = freedoms[i];
      state.axes[i].noalias() = X.R * freedom.axis;
      state.points[i] = X.p;
      if (freedom.motion == Motion::rotate)
        turn(X.R, freedom.axis, q[i]);
      else
        X.p += q[i] * state.axes[i];
    }
    state.segments[s] = X * joint.in_child_inverse;
  }
};

}  // namespace

Kinematics::Kinematics(const Figure& figure)
    : segments(figure.segments().size()),
      axes(figure.freedoms().size(), Vec3::Zero()),
      points(figure.freedoms().size(), Vec3::Zero()) {}

void forward(const Figure& figure, const VecX& q, Kinematics& state) {
  const Tree tree(figure);
  for (int s = 0; s < static_cast<int>(tree.segments.size()); ++s) tree.place(s, q, state);
}

void forward(const Figure& figure, const VecX& q, const std::vector<int>& which, Kinematics& state) {
  const Tree tree(figure);
  for (const int s : which) tree.place(s, q, state);
}

Kinematics forward(const Figure& figure, const Pose& pose) {
  VecX q;
  figure.angles(pose.theta, q);
  Kinematics state(figure);
  forward(figure, q, state);
  return state;
}

}  // namespace limber
