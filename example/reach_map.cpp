// Which points around a person can the right hand reach? Thousands of goals in one call.
#include <limber/limber.h>

#include <iostream>

int main() {
  const limber::Figure figure = limber::human();
  limber::Problem problem(figure);
  problem.add(figure.point("right_palm"), limber::Position{}, {.from = "right_shoulder"});

  // A grid in front of the body, 5 cm apart; one start per point.
  std::vector<limber::Goal> goals;
  constexpr int columns = 25, rows = 33;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) goals.push_back(limber::Position{{-0.9 + 0.05 * x, 2.2 - 0.05 * y, 0.3}});
  limber::MatX poses = figure.rest().theta.replicate(1, columns * rows);

  const auto report = limber::solve_batch(problem, goals, poses, {.threads = 0});
  if (!report) {
    std::cerr << report.error().text() << '\n';
    return 1;
  }
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) std::cout << (report->met[y * columns + x] ? '#' : '.');
    std::cout << '\n';
  }
  std::cout << report->met_count << " of " << goals.size() << " points within reach\n";
}
