// The programs under example/, which README.md shows: each main() is called here by another name.
#include <gtest/gtest.h>
#include <limber/limber.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#define main first_pose
#include "example/first_pose.cpp"
#undef main
#define main read_figure_of
#include "example/read_figure.cpp"
#include "limber/base/number.h"
#include "tests/support/tree.h"
#undef main
#define main robot_arm_of
#include "example/robot_arm.cpp"
#undef main

namespace example_test {

// What is written to a stream while this lives.
class Caught {
 public:
  explicit Caught(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Caught() { stream_.rdbuf(before_); }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::ostream& stream_;
  std::streambuf* before_;
};

int read_figure(std::string file) {
  std::string program = "read_figure";
  char* arguments[] = {program.data(), file.data(), nullptr};
  return read_figure_of(2, arguments);
}

limber::Content read_panda() {
  std::ifstream file(limber::source_dir() + "/data/urdf/panda.urdf", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return limber::read_content(bytes, "panda.urdf").value();
}

TEST(Example, FirstPoseReachesAndLooks) {
  const Caught out(std::cout);
  EXPECT_EQ(first_pose(), 0);
  EXPECT_TRUE(out.text().starts_with("converged")) << out.text();
}

TEST(Example, AFigureFromAFileReaches) {
  const Caught out(std::cout);
  EXPECT_EQ(read_figure(limber::source_dir() + "/data/acclaim/02.asf"), 0);
  EXPECT_TRUE(out.text().starts_with("converged")) << out.text();
  EXPECT_NE(out.text().find("elbow: "), std::string::npos) << out.text();
  // Another program's names for the same joints.
  EXPECT_EQ(read_figure(limber::source_dir() + "/data/bvh/cmu_02_01.bvh"), 0) << out.text();
}

TEST(Example, ARobotArmPlacesItsHand) {
  std::string program = "robot_arm", panda = limber::source_dir() + "/data/urdf/panda.urdf", link = "panda_hand";
  char* arguments[] = {program.data(), panda.data(), link.data(), nullptr};
  const Caught out(std::cout);
  EXPECT_EQ(robot_arm_of(3, arguments), 0) << out.text();
  // The joint angles that it prints, put through forward kinematics, place the hand as asked, with z down.
  const limber::Content content = read_panda();
  const limber::Figure& robot = *content.figure;
  limber::Pose pose = robot.rest();
  for (const limber::Parameter& joint : robot.parameters()) {
    const std::size_t at = out.text().find("\n" + joint.name + " ");
    ASSERT_NE(at, std::string::npos) << joint.name << "\n" << out.text();
    const std::string rest = out.text().substr(out.text().find_first_not_of(' ', at + joint.name.size() + 1));
    const std::string number = rest.substr(0, rest.find(' '));
    ASSERT_TRUE(limber::to_number(number)) << number;
    ASSERT_TRUE(robot.set(pose, joint.name, *limber::to_number(number)));
  }
  const limber::Kinematics state = forward(robot, pose);
  limber::Vec3 x[3];
  evaluate(robot, state, robot.frame("panda_hand").value(), x);
  EXPECT_LT((content.space.in_file(x[0]) - limber::Vec3(0.5, 0.1, 0.3)).norm(), 1e-3);
  EXPECT_LT((content.space.in_file(x[1].cross(x[2])) + limber::Vec3::UnitZ()).norm(), 5e-3);
}

TEST(Example, AFileThatIsNoFigureIsAnswered) {
  const Caught err(std::cerr);
  EXPECT_EQ(read_figure(limber::source_dir() + "/README.md"), 1);
  EXPECT_NE(err.text().find("found a file of an unknown kind"), std::string::npos) << err.text();
  EXPECT_EQ(read_figure(limber::source_dir() + "/data/c3d/02_01.c3d"), 1);
}

}  // namespace example_test
