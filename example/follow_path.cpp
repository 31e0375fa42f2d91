// A person writes a word on a wall: the fingertip goes along a curve, the feet stay, the eyes follow the pen.
//
//   follow_path             prints the max errors of the pen, the feet and the eyes
//   follow_path page.svg    also draws the motion, with the path of the pen
#include <limber/limber.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace {

using limber::Vec3;

// x, y of two pen strokes, relative to the height of a tall letter; x is to the writer's right.
constexpr double word[] = {
    .00,  .05, .10,  .12, .22,  .40, .30,  .72, .29,  .95, .22,  1.0, .16,  .90, .15,  .60, .16,  .25, .20,  .05,   // l
    .28,  .00, .37,  .07, .45,  .25, .51,  .48, .51,  .30, .53,  .09, .60,  .00, .67,  .08,                         // i
    .72,  .28, .76,  .48, .77,  .25, .77,  .02, .79,  .22, .86,  .42, .93,  .49, .98,  .42, .99,  .22, .99,  .02,   // m
    1.01, .22, 1.08, .42, 1.15, .49, 1.20, .42, 1.21, .22, 1.23, .06, 1.30, .00, 1.37, .08,                         //
    1.45, .32, 1.53, .70, 1.53, .95, 1.47, 1.0, 1.41, .90, 1.39, .60, 1.39, .25, 1.43, .06, 1.53, .00, 1.64, .06,   // b
    1.69, .22, 1.66, .40, 1.57, .46, 1.55, .38, 1.63, .33, 1.74, .34,                                               //
    1.84, .19, 1.95, .24, 2.03, .36, 1.99, .47, 1.91, .48, 1.84, .38, 1.82, .22, 1.86, .06, 1.96, .00, 2.06, .06,   // e
    2.14, .26, 2.19, .50, 2.25, .54, 2.27, .47, 2.34, .44, 2.40, .42, 2.39, .25, 2.40, .08, 2.47, .00, 2.57, .07};  // r
constexpr double dot[] = {.50, .67, .515, .69, .53, .67, .515, .65, .50, .67};
constexpr double word_width = 2.57;

// Metres: the word is in front of the right half of the chest. Facing +z, right is -x.
constexpr double letter = 0.25, wall = 0.52, line_height = 1.22, middle = -0.15, lift = 0.03;
// Seconds: start of the word, end of the word, arrival at the dot, end of the dot.
constexpr double begin = 0.5, written = 9.5, at_dot = 11.0, end = 11.7, frame_time = 1.0 / 30.0;

Vec3 on_wall(double x, double y) { return {middle - letter * (x - 0.5 * word_width), line_height + letter * y, wall}; }

std::vector<Vec3> points_of(std::span<const double> xy) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < xy.size(); i += 2) points.push_back(on_wall(xy[i], xy[i + 1]));
  return points;
}

// The pen position: along the word, to the dot, around it, each eased in and out.
Vec3 pen_at(double time) {
  static const std::vector<Vec3> lines[] = {points_of(word), points_of(dot)};
  static const Vec3 from = lines[0].back(), to = lines[1].front(), off(0.0, 0.0, -lift);
  static const limber::SpaceCurve ways[] = {*limber::SpaceCurve::make(lines[0]),
                                            *limber::SpaceCurve::make({from, from + off, to + off, to}),
                                            *limber::SpaceCurve::make(lines[1])};
  static const limber::SpeedProfile times[] = {*limber::SpeedProfile::eased(begin, written, 0.05, 0.05),
                                               *limber::SpeedProfile::eased(written, at_dot, 0.4, 0.4),
                                               *limber::SpeedProfile::eased(at_dot, end, 0.3, 0.3)};
  const int way = time < written ? 0 : time < at_dot ? 1 : 2;
  return along(ways[way], times[way], time);
}

// The person stands in front of the word with a finger on its middle, palm down.
limber::Pose ready(const limber::Figure& figure) {
  limber::Problem problem(figure);
  const limber::Placement pen{on_wall(0.5 * word_width, 0.4), {{0.0, 0.0, 1.0}, {0.5, -1.0, 0.0}}};
  problem.add(figure.frame("right_fingertip"), pen, {.from = "right_shoulder"});
  problem.add(figure.ray("eyes"), limber::AimAt{pen.p}, {.from = "neck"});
  limber::Pose pose = figure.rest();
  limber::solve(problem, pose);
  return pose;
}

limber::TimedProblem writing(const limber::Figure& figure, const limber::Pose& start) {
  using limber::must;
  limber::TimedProblem problem(figure);
  const auto pen = figure.point("right_fingertip");
  problem.add(pen, [](double time) { return limber::Position{pen_at(time)}; }, {}, {.weight = must, .name = "pen"});
  for (const char* foot : {"left_foot", "right_foot"})
    problem.add(figure.frame(foot), limber::Hold{}, {}, {.weight = must, .name = foot});
  problem.add(difference(figure.ray("eyes"), pen), limber::AimAt{}, {}, {.from = "neck", .name = "eyes"});
  // The weight stays over the feet; mainly spine and shoulder reach.
  Vec3 centre[limber::max_elements];
  evaluate(figure, forward(figure, start), *figure.mass_centre(), centre);
  problem.add(figure.mass_centre(), limber::Line{centre[0], Vec3::UnitY()}, {}, {.weight = 0.1, .name = "balance"});
  for (const char* name : {"root.x", "root.y", "root.z", "root.turn", "root.pitch", "root.roll"})
    problem.set_stiffness(name, 30.0);
  return problem;
}

// The text written between two times, as seen by the writer, placed below the legend of the page.
std::string line_on_page(const limber::Figure& figure, const limber::Clip& clip, double from, double to) {
  constexpr double left = 330.0, base = 950.0, pixels_per_metre = 290.0;
  std::string line = "<polyline fill='none' stroke='#0369a1' stroke-width='2' points='";
  for (int k = 0; k < clip.frames(); ++k) {
    if (k * frame_time < from || k * frame_time > to) continue;
    Vec3 pen[limber::max_elements];
    evaluate(figure, forward(figure, clip.pose(k)), *figure.point("right_fingertip"), pen);
    char point[64];
    std::snprintf(point, sizeof point, "%.1f,%.1f ", left + pixels_per_metre * (on_wall(0.0, 0.0).x() - pen[0].x()),
                  base - pixels_per_metre * (pen[0].y() - line_height));
    line += point;
  }
  return line + "'/>";
}

}  // namespace

int main(int argc, char** argv) {
  const limber::Figure figure = limber::human();
  const limber::Pose start = ready(figure);
  const limber::TimedProblem problem = writing(figure, start);
  const limber::Clip still{"still", frame_time, start.theta.replicate(1, static_cast<int>(end / frame_time) + 1)};
  const auto motion = limber::solve_motion(problem, still, {.exact = 1e-6});
  if (!motion) {
    std::cerr << motion.error().text() << "\n";
    return 1;
  }
  for (const limber::DemandReport& demand : motion->report.demands) {
    const double mm = 1000.0 * demand.error.metres.value_or(0.0),
                 deg = limber::degrees(demand.error.radians.value_or(0.0));
    std::printf("%-10s at most %.3f mm and %.3f degrees off\n", demand.name.c_str(), mm, deg);
  }
  if (argc > 1) {
    auto page = limber::draw_strip(figure, motion->clip.poses, frame_time,
                                   {.count = 10,
                                    .ghosts = 2,
                                    .places = {"right_fingertip", "left_foot", "right_foot"},
                                    .title = "A word on a wall"});
    page->insert(page->rfind("</svg>"),
                 line_on_page(figure, motion->clip, 0.0, written) + line_on_page(figure, motion->clip, at_dot, end));
    std::ofstream(argv[1]) << *page;
  }
  return motion->report.demands.front().met ? 0 : 1;
}
