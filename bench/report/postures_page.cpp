#include "bench/report/postures_page.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "bench/report/panels.h"
#include "bench/task/postures.h"
#include "limber/base/number.h"
#include "limber/picture/picture.h"

namespace limber::bench {

namespace {

constexpr int posture_solves = 50;
// As the papers do.
const Options papers_options{.method = Method::active_set_bfgs, .restarts = 0};

constexpr const char* page_head =
    "# The postures of the papers\n\n"
    "Compare Limber's results on the postures of the source papers with the times that the papers report. "
    "`bench/make_page` generates\n"
    "this page.\n\n"
    "    limber solve example/scene/zb94_fig7.json --method active-set-bfgs\n\n"
    "Each row is a scene in `example/scene`, solved from its start pose on one core by active-set BFGS. The time is "
    "the min of 50 solves.\n"
    "The instructions are counted by callgrind and are reproducible. The papers used Silicon Graphics workstations "
    "of their time. They\n"
    "print no coordinates, so the goals here are our own, arranged as in their pictures.\n\n"
    "| figure | task | degrees of freedom | exit | iterations | evaluations | time | instructions | max remaining "
    "error | the paper's time |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n";

constexpr const char* spine_text =
    "\n## The spine\n\n"
    "Joint angles along the spine in the two tube scenes, as in ZB94 Fig. 4 and 5. T1 joins the second thoracic "
    "vertebra to the first, L5 the\n"
    "sacrum to the fifth lumbar. Grouped, three parameters drive all 51 joint angles in proportion to the range of "
    "each joint. Independent,\n"
    "the distribution of the bend is arbitrary, and many joints end at a limit.\n\n"
    "![Joint angles along the spine](picture/spine.svg)\n\n"
    "## Instructions\n\n"
    "Counted by `bench/instructions`. An iteration of BFGS costs O(n²): the count per matrix entry does not grow "
    "with n.\n\n";

// Lines "posture NAME: COUNT"; the other lines go to `rest`, as a code block.
std::map<std::string, std::string> instruction_counts(const std::string& text, std::string& rest) {
  std::map<std::string, std::string> counts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string head = "posture ";
    const std::size_t colon = line.find(": ");
    if (line.starts_with(head) && colon != std::string::npos)
      counts[line.substr(head.size(), colon - head.size())] = line.substr(colon + 2);
    else
      rest += "    " + line + "\n";
  }
  return counts;
}

std::string error_text(const Report& report) {
  const GoalError error = max_error(report);
  return to_text(1000.0 * error.metres.value_or(0.0), 3) + " mm, " + to_text(degrees(error.radians.value_or(0.0)), 3) +
         "°";
}

std::string row_text(const PaperPosture& posture, const SolvedPosture& solved, const std::string& count) {
  const Report& report = solved.report;
  return std::string("| ") + posture.figure + " | " + posture.task + " | " + std::to_string(report.variables) + " | " +
         name_of(report.exit) + " | " + std::to_string(report.iterations) + " | " + std::to_string(report.evaluations) +
         " | " + to_text(solved.microseconds / 1000.0, 2) + " ms | " + count + " | " + error_text(report) + " | " +
         posture.paper_time + " |\n";
}

std::vector<std::string> spine_joints() {
  std::vector<std::string> joints;
  for (int k = 1; k <= 12; ++k) joints.push_back("T" + std::to_string(k));
  for (int k = 1; k <= 5; ++k) joints.push_back("L" + std::to_string(k));
  return joints;
}

// The angles of the spine's joints in one pose.
Panel spine_panel(const std::string& title, const Figure& figure, const Pose& pose) {
  const std::vector<std::string> joints = spine_joints();
  VecX q;
  figure.angles(pose.theta, q);
  Panel panel{title, {"forward", "lateral", "axial"}, {}};
  const char* const colours[] = {"#1d4ed8", "#d97706", "#15803d"};
  for (std::size_t c = 0; c < panel.legend.size(); ++c) {
    picture::PlotCurve curve{.colour = colours[c], .points = {}, .width = 2.0, .marker = picture::Marker::circle};
    for (std::size_t k = 0; k < joints.size(); ++k)
      for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
        if (figure.freedoms()[i].name == joints[k] + "." + panel.legend[c])
          curve.points.push_back({.x = static_cast<double>(k), .y = degrees(q[static_cast<Eigen::Index>(i)])});
    panel.plot.curves.push_back(std::move(curve));
  }
  picture::Axis& x = panel.plot.x;
  x = {.label = "joint, from the top of the spine", .min = -0.5, .max = static_cast<double>(joints.size()) - 0.5};
  x.grid = false;
  for (std::size_t k = 0; k < joints.size(); ++k) x.ticks.push_back({static_cast<double>(k), joints[k]});
  return panel;
}

// With one range of angles for all panels.
std::string spine_svg(std::vector<Panel> panels) {
  double min = 0.0, max = 0.0;
  for (const Panel& panel : panels)
    for (const picture::PlotCurve& curve : panel.plot.curves)
      for (const picture::PlotPoint& point : curve.points) {
        min = std::min(min, point.y);
        max = std::max(max, point.y);
      }
  const double room = 0.05 * std::max(max - min, 1e-9);
  for (Panel& panel : panels) panel.plot.y = {.label = "degrees", .min = min - room, .max = max + room};
  return panels_svg("Joint angles along the spine", panels, 30.0);
}

std::expected<void, Failure> write(const std::string& path, const std::string& text) {
  if (const Expected<void> done = cli::write_file(path, text); !done)
    return std::unexpected(Failure{done.error(), cli::file_trouble});
  return {};
}

}  // namespace

std::expected<void, Failure> write_postures_page(const std::string& data, const std::string& doc,
                                                 const std::string& instructions) {
  const Expected<std::string> counted = cli::read_file(instructions);
  if (!counted) return std::unexpected(Failure{counted.error(), cli::file_trouble});
  std::string other_counts;
  const std::map<std::string, std::string> counts = instruction_counts(*counted, other_counts);
  std::string page = page_head, pictures;
  std::vector<Panel> panels;
  for (const PaperPosture& posture : paper_postures) {
    const std::expected<cli::Loaded, Failure> loaded = load_posture(data, posture);
    if (!loaded) return std::unexpected(loaded.error());
    const SolvedPosture solved = solve_posture(*loaded, papers_options, posture_solves, infinity);
    const auto count = counts.find(posture.scene);
    page += row_text(posture, solved, count == counts.end() ? "?" : count->second);
    const std::string name = posture.scene, title = std::string(posture.figure) + ": " + posture.task;
    const std::string picture = draw_svg(loaded->problem, solved.pose, solved.report, {.title = title});
    if (const auto done = write(doc + "/picture/" + name + ".svg", picture); !done) return done;
    pictures += "## " + title + "\n\n![" + posture.task + "](picture/" + name + ".svg)\n\n";
    if (name.starts_with("tube"))
      panels.push_back(spine_panel(name == "tube" ? "vertebrae grouped" : "vertebrae independent",
                                   loaded->problem.figure(), solved.pose));
    std::printf("%s: %s, %s us\n", posture.scene, name_of(solved.report.exit), to_text(solved.microseconds, 0).c_str());
  }
  if (const auto done = write(doc + "/picture/spine.svg", spine_svg(std::move(panels))); !done) return done;
  return write(doc + "/postures.md", page + spine_text + other_counts + "\n" + pictures);
}

}  // namespace limber::bench
