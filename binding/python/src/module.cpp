// The module limber._limber: all that the package is in C++.
#include "bind.h"

NB_MODULE(_limber, m) {
  using namespace limber::python;
  nanobind::set_leak_warnings(false);  // what Python still holds when it ends is no concern of users
  m.doc() = "Inverse kinematics of articulated figures.";
  // What is used in a signature comes before it.
  bind_description(m);
  bind_figure(m);
  bind_goal(m);
  bind_obstacle(m);
  bind_options(m);
  bind_problem(m);
  bind_solve(m);
  bind_batch(m);
  bind_clip(m);
  bind_sequence(m);
  bind_file(m);
  bind_scene(m);
  bind_timed(m);
  bind_motion(m);
  bind_reach(m);
  bind_assess(m);
  bind_posing(m);
  bind_picture(m);
}
