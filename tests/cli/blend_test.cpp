// limber blend.
#include "limber/format/file.h"
#include "tests/cli/tool.h"
#include "tests/support/figures.h"

namespace limber::test {
namespace blend_test {

class ToolOnTwoMotions : public Tool {
 protected:
  int frames_of(const std::string& name) const {
    return testing::good(read_content(read(folder_ / name), name)).clips.at(0).frames();
  }
  const std::string walk_ = source_dir() + "/data/bvh/cmu_02_01.bvh",
                    cartwheel_ = source_dir() + "/data/bvh/cmu_49_06.bvh";
};

TEST_F(ToolOnTwoMotions, FadesFromOneIntoTheOther) {
  const int first = testing::good(read_content(read(walk_), "a.bvh")).clips.at(0).frames();
  const int second = testing::good(read_content(read(cartwheel_), "b.bvh")).clips.at(0).frames();
  const Answer done = limber("blend " + walk_ + " " + cartwheel_ + " --fade 0.5 -o both.bvh --picture both.svg");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_NEAR(frames_of("both.bvh"), first + second - 60, 2);
  EXPECT_NE(done.out.find("frames, "), std::string::npos);
  EXPECT_GT(read(folder_ / "both.svg").size(), 10'000u);
}

TEST_F(ToolOnTwoMotions, MixesThem) {
  const Answer done = limber("blend " + walk_ + " " + cartwheel_ + " --weight 0.25 -q -o mixed.bvh");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(frames_of("mixed.bvh"), testing::good(read_content(read(walk_), "a.bvh")).clips.at(0).frames());
}

TEST_F(ToolOnTwoMotions, SaysWhatIsWrong) {
  const std::string two = "blend " + walk_ + " " + cartwheel_ + " -o x.bvh ";
  EXPECT_EQ(limber(two).status, 2);
  EXPECT_EQ(limber(two + "--fade 0.5 --weight 0.5").status, 2);
  EXPECT_EQ(limber(two + "--weight 1.5").status, 2);
  EXPECT_EQ(limber(two + "--weight 0.5 --as-recorded").status, 2);
  const Answer too_long = limber(two + "--fade 100");
  EXPECT_EQ(too_long.status, 3);
  EXPECT_NE(too_long.err.find("cross-fade: found 100 s; expected above 0 and at most"), std::string::npos)
      << too_long.err;
  const Answer other = limber("blend " + walk_ + " " + source_dir() + "/data/urdf/ur5.urdf --fade 0.5 -o x.bvh");
  EXPECT_EQ(other.status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "x.bvh"));
}

}  // namespace blend_test
}  // namespace limber::test
