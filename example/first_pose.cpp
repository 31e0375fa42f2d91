// The first pose: a person reaches for a point and looks at it.
#include <limber/limber.h>

#include <iostream>

int main() {
  const limber::Figure figure = limber::human();
  limber::Problem problem(figure);
  problem.add(figure.point("right_palm"), limber::Position{{-0.2, 1.1, 0.5}}, {.from = "waist"});
  problem.add(figure.ray("eyes"), limber::AimAt{{-0.2, 1.1, 0.5}}, {.weight = 0.5, .from = "neck"});

  limber::Pose pose = figure.rest();
  const limber::Report report = limber::solve(problem, pose);
  std::cout << limber::to_text(report);
  return report.met() ? 0 : 1;
}
