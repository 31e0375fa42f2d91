// Two key poses with the feet in the same places, and the frames between them.                             W93 Fig. 6.5
//
// With interpolated joint angles the feet slide, because nothing couples the motion of the pelvis to that of the legs.
// Solved with both feet locked, the frames between the keys keep them in place.
//
//   two_keys             prints the motion of the feet
//   two_keys page.svg    also draws the motion; dashed is pure interpolation
#include <limber/limber.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

using limber::Vec3;

constexpr double frame_time = 1.0 / 30.0, duration = 1.5;  // seconds
constexpr const char* feet[] = {"left_foot", "right_foot"};
constexpr const char* soles[] = {"left_heel", "left_toe", "right_heel", "right_toe"};

// Crouched, leaning forward and to the left, the feet where they were.
limber::Pose crouched(const limber::Figure& figure) {
  limber::Problem problem(figure);
  for (const char* foot : feet) problem.add(figure.frame(foot), limber::hold(), {.weight = limber::must});
  problem.add(figure.point("pelvis"), limber::Position{{0.10, 0.55, -0.12}});
  problem.add(figure.point("left_palm"), limber::Position{{0.45, 0.35, 0.45}});
  problem.add(figure.ray("eyes"), limber::AimAt{{0.6, 0.0, 1.0}}, {.weight = 0.1, .from = "neck"});
  limber::Pose pose = figure.rest();
  limber::solve(problem, pose);
  return pose;
}

// Max distance of a heel or toe from its initial position, in metres.
double max_slip(const limber::Figure& figure, const limber::Clip& clip) {
  double most = 0.0;
  for (const char* place : soles) {
    const limber::Handle point = *figure.point(place);
    Vec3 first[limber::max_elements], x[limber::max_elements];
    evaluate(figure, forward(figure, clip.pose(0)), point, first);
    for (int k = 0; k < clip.frames(); ++k) {
      evaluate(figure, forward(figure, clip.pose(k)), point, x);
      most = std::max(most, (x[0] - first[0]).norm());
    }
  }
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  const limber::Figure figure = limber::human();
  const auto keys = limber::Sequence::make(figure, {{0.0, figure.rest()}, {duration, crouched(figure)}});
  const auto between = keys ? limber::sampled(*keys, frame_time) : std::unexpected(keys.error());
  if (!between) {
    std::cerr << between.error().text() << "\n";
    return 1;
  }

  limber::TimedProblem problem(figure);
  for (const char* foot : feet) problem.add(figure.frame(foot), limber::hold(), {}, {.weight = limber::must});
  const auto locked = limber::solve_motion(problem, *between, {.kept = {0, between->frames() - 1}});
  if (!locked) {
    std::cerr << locked.error().text() << "\n";
    return 1;
  }
  const double before = max_slip(figure, *between), after = max_slip(figure, locked->clip);
  std::printf("interpolated: the feet move by %.2f cm\nlocked:       by %.2g mm\n", 100.0 * before, 1000.0 * after);
  if (argc > 1) {
    const auto page = limber::draw_strip(figure, locked->clip.poses, frame_time,
                                         {.count = 6,
                                          .places = {std::begin(soles), std::end(soles)},
                                          .compare = &between->poses,
                                          .compare_name = "interpolated",
                                          .title = "Between two keys"});
    std::ofstream(argv[1]) << *page;
  }
  return after < 1e-4 ? 0 : 1;
}
