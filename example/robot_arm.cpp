// A robot arm from URDF: the joint angles that place its hand, with the target in the robot's own base frame (Z up).
//
//   example_robot_arm [FILE.urdf LINK]      default: panda.urdf panda_hand
#include <limber/limber.h>

#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "panda.urdf", link = argc > 2 ? argv[2] : "panda_hand";
  std::ifstream file(name, std::ios::binary);  // the library takes bytes and a name; it opens no files
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const limber::Expected<limber::Content> content = limber::read_content(bytes, name);
  if (!content || !content->figure) {
    std::cerr << (content ? name + ": no robot" : content.error().text()) << "\n";
    return 1;
  }
  const limber::Figure& robot = *content->figure;

  // Half a metre ahead, with the link's z axis down. URDF has Z up and Limber Y up: `space` converts.
  const limber::FileSpace& space = content->space;
  const limber::Vec3 p = space.inside({0.5, 0.1, 0.3});
  const limber::Mat3 R = space.R_inside_file() * limber::Vec3(1, -1, -1).asDiagonal();
  limber::Problem problem(robot);
  problem.add(robot.frame(link), limber::Placement{p, limber::orientation(R)});

  limber::Pose pose = robot.rest();
  const limber::Report report = limber::solve(problem, pose);
  std::cout << limber::to_text(report);
  for (const limber::Parameter& joint : robot.parameters())
    std::cout << joint.name << " " << robot.value(pose, joint.name).value() << (joint.translates ? " m\n" : " rad\n");
  return report.met() ? 0 : 1;
}
