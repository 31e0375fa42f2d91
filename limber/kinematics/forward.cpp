#include "limber/kinematics/forward.h"

#include <algorithm>

#include "limber/base/sine.h"

namespace limber {

namespace {

// R ← R · rotation about u with the given sine and cosine. About a coordinate axis, only two columns of R change.
void turn(Mat3& R, const Vec3& u, double s, double c) {
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

  void take_sines(int begin, int end, const VecX& q, Kinematics& state) const {
    sines_and_cosines(q.data() + begin, end - begin, state.sines.data() + begin, state.cosines.data() + begin);
  }

  void place(int s, const VecX& q, Kinematics& state) const {
    const Joint& joint = joints[s];
    const int parent = segments[s].parent;
    Frame X = joint.in_parent;
    if (parent != no_parent) {
      const Frame& X_parent = state.segments[parent];
      X.p = X_parent * joint.in_parent.p;
      if (joint.turns_in_parent)
        X.R.noalias() = X_parent.R * joint.in_parent.R;
      else
        X.R = X_parent.R;
    }
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = freedoms[i];
      state.axes[i].noalias() = X.R * freedom.axis;
      state.points[i] = X.p;
      if (freedom.motion == Motion::rotate)
        turn(X.R, freedom.axis, state.sines[i], state.cosines[i]);
      else
        X.p += q[i] * state.axes[i];
    }
    Frame& X_segment = state.segments[s];
    X_segment.p = X * joint.in_child_inverse.p;
    if (joint.turns_in_child)
      X_segment.R.noalias() = X.R * joint.in_child_inverse.R;
    else
      X_segment.R = X.R;
  }
};

}  // namespace

Kinematics::Kinematics(const Figure& figure)
    : segments(figure.segments().size()),
      axes(figure.freedoms().size(), Vec3::Zero()),
      points(figure.freedoms().size(), Vec3::Zero()),
      sines(figure.freedoms().size()),
      cosines(figure.freedoms().size()) {}

void forward(const Figure& figure, const VecX& q, Kinematics& state) {
  const Tree tree(figure);
  tree.take_sines(0, static_cast<int>(q.size()), q, state);
  for (int s = 0; s < static_cast<int>(tree.segments.size()); ++s) tree.place(s, q, state);
}

void forward(const Figure& figure, const VecX& q, const std::vector<int>& which, Kinematics& state) {
  const Tree tree(figure);
  // Consecutive segments have consecutive degrees of freedom.
  for (std::size_t k = 0; k < which.size();) {
    const int begin = tree.joints[which[k]].freedom_begin;
    int end = tree.joints[which[k]].freedom_end;
    for (++k; k < which.size() && tree.joints[which[k]].freedom_begin == end; ++k)
      end = tree.joints[which[k]].freedom_end;
    tree.take_sines(begin, end, q, state);
  }
  for (const int s : which) tree.place(s, q, state);
}

Kinematics state_of(const FigurePart& part, const Kinematics& whole) {
  Kinematics state(part.figure);
  std::copy_n(whole.segments.begin() + part.segment_begin, state.segments.size(), state.segments.begin());
  std::copy_n(whole.axes.begin() + part.freedom_begin, state.axes.size(), state.axes.begin());
  std::copy_n(whole.points.begin() + part.freedom_begin, state.points.size(), state.points.begin());
  state.sines = whole.sines.segment(part.freedom_begin, part.freedom_end - part.freedom_begin);
  state.cosines = whole.cosines.segment(part.freedom_begin, part.freedom_end - part.freedom_begin);
  return state;
}

Kinematics forward(const Figure& figure, const Pose& pose) {
  VecX q;
  figure.angles(pose.theta, q);
  Kinematics state(figure);
  forward(figure, q, state);
  return state;
}

}  // namespace limber
