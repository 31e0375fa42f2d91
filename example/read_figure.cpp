// A figure from a file reaches for a point with its right hand, independent of the joint names in the file.
#include <limber/limber.h>

#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "02.asf";
  std::ifstream file(name, std::ios::binary);  // the library takes bytes and a name; it opens no files
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const limber::Expected<limber::Content> content = limber::read_content(bytes, name);
  if (!content || !content->figure) {
    std::cerr << (content ? name + ": no figure" : content.error().text()) << "\n";
    return 1;
  }
  const limber::Figure figure = limber::with_common_names(*content->figure).value();  // adds right_palm
  limber::Problem problem(figure);
  problem.add(figure.point("right_palm"), limber::Position{{-0.3, 1.2, 0.4}}, {.from = "right_clavicle"});

  limber::Pose pose = figure.rest();
  const limber::Report report = limber::solve(problem, pose);
  std::cout << limber::to_text(report);
  if (const auto bend = figure.value(pose, "rradius.rx")) std::cout << "elbow: " << *bend << " radians\n";
  return report.met() ? 0 : 1;
}
