// Writes doc/postures.md and its pictures: the postures of the papers, solved now, beside what the papers say.
//
//   limber_page DOC_FOLDER INSTRUCTIONS      INSTRUCTIONS is what bench/instructions printed; bench/make_page runs both
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "../workload.h"
#include "limber/base/number.h"
#include "limber/picture/picture.h"
#include "plot.h"

namespace {

using namespace limber;

struct Row {
  const char* scene;
  const char* figure;
  const char* task;
  const char* paper;
};

constexpr Row rows[] = {
    {"tube", "ZB94 Fig. 3 left", "look down a tube, vertebrae grouped", "about 5 s"},
    {"tube_independent", "ZB94 Fig. 3 right", "the same, vertebrae independent", "about 15 s"},
    {"zb94_fig6", "ZB94 Fig. 6", "palm to a box face, from the shoulder: out of reach", "-"},
    {"zb94_fig7", "ZB94 Fig. 7", "the same from the waist", "-"},
    {"zb94_fig8", "ZB94 Fig. 8", "the same with rigidity 0.5 on bending sideways and turning", "about 2 s"},
    {"zb89_fig4", "ZB89 Fig. 4", "two elbows and two hands, from the clavicles", "2.6 s"},
    {"zb89_fig5", "ZB89 Fig. 5", "two hands to a bar out of reach, from the waist", "13 s"},
    {"zb89_fig7", "ZB89 Fig. 7", "deliver a box upright", "2 s"},
};

struct Solved {
  Pose pose;
  Report report;
  double microseconds;
};

// The quickest of many runs: what is slower is the machine's other work.
Solved solve_timed(const bench::Posture& posture) {
  constexpr int runs = 50;
  Solver solver(posture.problem);
  Solved best{posture.start, {}, infinity};
  for (int k = 0; k < runs; ++k) {
    Pose pose = posture.start;
    const auto begin = std::chrono::steady_clock::now();
    const Report& report = solver.solve(pose, bench::as_in_the_paper);
    const double time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    best.microseconds = std::fmin(best.microseconds, time);
    best.pose = pose;
    best.report = report;
  }
  return best;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text)) {
    std::cerr << "cannot write " << path << '\n';
    std::exit(1);
  }
}

// Lines "posture NAME: COUNT".
std::map<std::string, std::string> instruction_counts(std::istream& file, std::string& rest) {
  std::map<std::string, std::string> counts;
  for (std::string line; std::getline(file, line);) {
    const std::string head = "posture ";
    const std::size_t colon = line.find(": ");
    if (line.starts_with(head) && colon != std::string::npos)
      counts[line.substr(head.size(), colon - head.size())] = line.substr(colon + 2);
    else
      rest += "    " + line + "\n";
  }
  return counts;
}

std::string left(const Report& report) {
  double metres = 0.0, radians = 0.0;
  for (const ConstraintReport& constraint : report.constraints) {
    metres = std::fmax(metres, constraint.error.metres.value_or(0.0));
    radians = std::fmax(radians, constraint.error.radians.value_or(0.0));
  }
  return to_text(1000.0 * metres, 3) + " mm, " + to_text(degrees(radians), 3) + "°";
}

bench::Panel spine_panel(const std::string& title, const Figure& figure, const Pose& pose,
                         const std::vector<std::string>& joints) {
  VecX q;
  figure.angles(pose.theta, q);
  bench::Panel panel{title, {{"forward", "#1d4ed8", {}}, {"lateral", "#d97706", {}}, {"axial", "#15803d", {}}}};
  for (bench::Series& series : panel.series)
    for (const std::string& joint : joints)
      for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
        if (figure.freedoms()[i].name == joint + "." + series.name)
          series.values.push_back(degrees(q[static_cast<Eigen::Index>(i)]));
  return panel;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: limber_page DOC_FOLDER INSTRUCTIONS\n";
    return 2;
  }
  const std::string doc = argv[1];
  std::ifstream counted(argv[2]);
  std::string other_counts;
  const std::map<std::string, std::string> counts = instruction_counts(counted, other_counts);

  std::string page =
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
  std::string pictures;
  std::vector<std::string> joints;
  for (int k = 1; k <= 12; ++k) joints.push_back("T" + std::to_string(k));
  for (int k = 1; k <= 5; ++k) joints.push_back("L" + std::to_string(k));
  std::vector<bench::Panel> panels;
  for (const Row& row : rows) {
    const bench::Posture posture = bench::load_posture(row.scene);
    const Solved solved = solve_timed(posture);
    const auto count = counts.find(row.scene);
    page += std::string("| ") + row.figure + " | " + row.task + " | " + std::to_string(solved.report.variables) +
            " | " + name_of(solved.report.exit) + " | " + std::to_string(solved.report.iterations) + " | " +
            std::to_string(solved.report.evaluations) + " | " + to_text(solved.microseconds / 1000.0, 2) + " ms | " +
            (count == counts.end() ? "?" : count->second) + " | " + left(solved.report) + " | " + row.paper + " |\n";
    write(doc + "/picture/" + row.scene + ".svg",
          draw_svg(posture.problem, solved.pose, solved.report, {.title = std::string(row.figure) + ": " + row.task}));
    pictures += "## " + std::string(row.figure) + ": " + row.task + "\n\n![" + row.task + "](picture/" + row.scene +
                ".svg)\n\n";
    const std::string name = row.scene;
    if (name.starts_with("tube"))
      panels.push_back(spine_panel(name == "tube" ? "vertebrae grouped" : "vertebrae independent",
                                   posture.problem.figure(), solved.pose, joints));
    std::cout << row.scene << ": " << name_of(solved.report.exit) << ", " << to_text(solved.microseconds, 0) << " us\n";
  }
  write(doc + "/picture/spine.svg", bench::plot_svg(joints, "degrees", panels));
  page +=
      "\n## The spine\n\n"
      "Joint angles along the spine in the two tube scenes, as in ZB94 Fig. 4 and 5. T1 joins the second thoracic "
      "vertebra to the first, L5 the\n"
      "sacrum to the fifth lumbar. Grouped, three parameters drive all 51 joint angles in proportion to the range of "
      "each joint. Independent,\n"
      "the distribution of the bend is arbitrary, and many joints end at a limit.\n\n"
      "![Joint angles along the spine](picture/spine.svg)\n\n"
      "## Instructions\n\n"
      "Counted by `bench/instructions`. An iteration of BFGS costs O(n²): the count per matrix entry does not grow "
      "with n.\n\n" +
      other_counts + "\n" + pictures;
  write(doc + "/postures.md", page);
  return 0;
}
