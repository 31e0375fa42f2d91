// limber edit, and limber draw --curve.
#include "limber/format/file.h"
#include "tests/cli/tool.h"
#include "tests/support/figures.h"

namespace limber::test {
namespace edit_test {

class ToolOnKeys : public Tool {
 protected:
  Clip clip_of(const std::string& name) const {
    return testing::good(read_content(read(folder_ / name), name)).clips.at(0);
  }
  Clip edited(const std::string& how) const {
    const Answer done = limber("edit walk.bvh -o edited.bvh " + how);
    EXPECT_EQ(done.status, 0) << done.err;
    return clip_of("edited.bvh");
  }
  void SetUp() override {
    Tool::SetUp();
    fs::copy_file(source_dir() + "/data/bvh/cmu_02_01.bvh", folder_ / "walk.bvh");
  }
};

// Frames of two motions are the same pose, as far as the digits of the file tell.
void expect_same(const Clip& a, int k, const Clip& b, int l) {
  EXPECT_LE((a.poses.col(k) - b.poses.col(l)).cwiseAbs().maxCoeff(), 1e-5) << k << " and " << l;
}

TEST_F(ToolOnKeys, CopiesDeletesAndReversesARange) {
  const Clip walk = clip_of("walk.bvh");
  const int second = static_cast<int>(std::lround(1.0 / walk.frame_time)), all = walk.frames();
  const Clip longer = edited("--from 1 --to 1.5 --copy-to 1.5");
  EXPECT_EQ(longer.frames(), all + second / 2);
  for (const int k : {0, 10, second / 2}) expect_same(longer, second + second / 2 + k, walk, second + k);
  expect_same(longer, longer.frames() - 1, walk, all - 1);

  const Clip shorter = edited("--to 0.5 --delete");
  EXPECT_EQ(shorter.frames(), all - second / 2 - 1);
  expect_same(shorter, 0, walk, second / 2 + 1);

  const Clip back = edited("--reverse");
  EXPECT_EQ(back.frames(), all);
  for (const int k : {0, 7, all - 1}) expect_same(back, k, walk, all - 1 - k);
}

TEST_F(ToolOnKeys, StretchesAndSlides) {
  const Clip walk = clip_of("walk.bvh");
  const int second = static_cast<int>(std::lround(1.0 / walk.frame_time)), all = walk.frames();
  const Clip slower = edited("--from 1 --to 2 --stretch 2");
  EXPECT_EQ(slower.frames(), all + second);
  for (const int k : {0, 20, second}) expect_same(slower, second + 2 * k, walk, second + k);
  expect_same(slower, slower.frames() - 1, walk, all - 1);
  const Clip later = edited("--from 1 --slide 0.5");
  EXPECT_EQ(later.frames(), all + second / 2);
  expect_same(later, second + second / 2, walk, second);
  expect_same(later, second - 1, walk, second - 1);
}

// A BVH file has no pairs of joints, only names.
TEST_F(ToolOnKeys, MirrorsByTheNamesOfLeftAndRight) {
  const Clip walk = clip_of("walk.bvh"), mirrored = edited("--mirror");
  ASSERT_EQ(mirrored.frames(), walk.frames());
  EXPECT_GT((mirrored.poses - walk.poses).cwiseAbs().maxCoeff(), 0.1);
  ASSERT_EQ(limber("edit edited.bvh --mirror -o twice.bvh").status, 0);
  const Clip twice = clip_of("twice.bvh");
  for (const int k : {0, 100, walk.frames() - 1}) expect_same(twice, k, walk, k);
}

TEST_F(ToolOnKeys, SaysWhatIsWrong) {
  EXPECT_EQ(limber("edit walk.bvh -o x.bvh").status, 2);
  EXPECT_EQ(limber("edit walk.bvh -o x.bvh --delete --reverse").status, 2);
  const Answer beyond = limber("edit walk.bvh -o x.bvh --from 1 --to 100 --reverse");
  EXPECT_EQ(beyond.status, 3);
  EXPECT_NE(beyond.err.find("found 1 s to 100 s; expected times from 0 to"), std::string::npos) << beyond.err;
  EXPECT_EQ(limber("edit " + source_dir() + "/data/urdf/ur5.urdf -o x.bvh --reverse").status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "x.bvh"));
}

TEST_F(ToolOnKeys, DrawsTheCurveOfADegreeOfFreedom) {
  const Clip walk = clip_of("walk.bvh");
  const Figure figure = *testing::good(read_content(read(folder_ / "walk.bvh"), "walk.bvh")).figure;
  const std::string one = figure.parameters().at(10).name, joint = one.substr(0, one.find('.'));
  const Answer drawn = limber("draw walk.bvh -o curve.svg --curve " + one);
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  const std::string page = read(folder_ / "curve.svg");
  EXPECT_NE(page.find(">" + one + "<"), std::string::npos);
  EXPECT_NE(page.find(">degrees<"), std::string::npos);
  EXPECT_EQ(page.find(">m<"), std::string::npos);
  // A joint stands for all of its parameters; the other motion is dashed.
  ASSERT_EQ(limber("edit walk.bvh -o back.bvh --reverse").status, 0);
  ASSERT_EQ(limber("draw walk.bvh -o both.svg --compare back.bvh --curve " + joint).status, 0);
  const std::string both = read(folder_ / "both.svg");
  for (const Parameter& parameter : figure.parameters())
    EXPECT_EQ(both.find(">" + parameter.name + "<") != std::string::npos, parameter.name.starts_with(joint + "."))
        << parameter.name;
  EXPECT_NE(both.find("stroke-dasharray"), std::string::npos);

  const Answer unknown = limber("draw walk.bvh -o x.svg --curve nothing");
  EXPECT_EQ(unknown.status, 3);
  EXPECT_NE(unknown.err.find("nothing"), std::string::npos);
  EXPECT_EQ(limber("draw walk.bvh -o x.svg --strip --curve " + one).status, 2);
  EXPECT_EQ(limber("draw walk.bvh -o x.mp4 --curve " + one).status, 2);
  EXPECT_EQ(limber("draw arm.json -o x.svg --curve " + one).status, 2);
}

TEST_F(ToolOnKeys, PrintsTheConditionOfTheJacobian) {
  const Answer text = limber("solve arm.json --jacobian");
  EXPECT_NE(text.out.find("Jacobian of the goals: "), std::string::npos) << text.out << text.err;
  EXPECT_NE(text.out.find("condition number"), std::string::npos);
  const nlohmann::json report = parsed(limber("solve arm.json --jacobian --json").out);
  const nlohmann::json& jacobian = report.at("jacobian");
  const auto sigma = jacobian.at("singular_values").get<std::vector<double>>();
  EXPECT_EQ(sigma.size(), jacobian.at("rank").get<std::size_t>());
  EXPECT_LE(sigma.size(), std::min(jacobian.at("rows").get<std::size_t>(), jacobian.at("columns").get<std::size_t>()));
  EXPECT_NEAR(jacobian.at("condition").get<double>(), sigma.front() / sigma.back(),
              1e-6 * sigma.front() / sigma.back());
  EXPECT_FALSE(parsed(limber("solve reach.json --json").out).contains("jacobian"));
  EXPECT_EQ(limber("solve reach.json --jacobian --quiet").status, 2);
}

}  // namespace edit_test
}  // namespace limber::test
