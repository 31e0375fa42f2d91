// A program outside the source tree: find_package(limber), one pose, one line.
#include <limber/limber.h>

#include <iostream>

int main() {
  const limber::Figure figure = limber::human();
  limber::Problem problem(figure);
  problem.add(figure.point("right_palm"), limber::Position{{-0.2, 1.1, 0.5}}, {.from = "waist"});
  limber::Pose pose = figure.rest();
  const limber::Report report = limber::solve(problem, pose);
  std::cout << limber::name_of(report.exit) << " after " << report.iterations << " iterations\n";
  return report.met() ? 0 : 1;
}
