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
#include "tests/support/tree.h"
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

TEST(Example, AFileThatIsNoFigureIsAnswered) {
  const Caught err(std::cerr);
  EXPECT_EQ(read_figure(limber::source_dir() + "/README.md"), 1);
  EXPECT_NE(err.text().find("found a file of an unknown kind"), std::string::npos) << err.text();
  EXPECT_EQ(read_figure(limber::source_dir() + "/data/c3d/02_01.c3d"), 1);
}

}  // namespace example_test
