// Broken BVH files: each is rejected with its place and what was expected there.
#include <gtest/gtest.h>

#include "limber/format/bvh/bvh.h"
#include "tests/format/broken_text.h"

namespace limber {
namespace bvh_refusal_test {

void expect_rejected(const std::vector<BrokenText>& files) {
  for (const BrokenText& broken : files) {
    const Expected<Content> content = read_bvh(broken.text, "f");
    ASSERT_FALSE(content) << broken.text.substr(0, 300);
    expect_error(content.error(), broken);
  }
}

const std::string tree =
    "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n End Site\n {\n  OFFSET 0 1 0\n "
    "}\n}\n";

std::string root(const std::string& body) { return "HIERARCHY\nROOT a\n{\n" + body + "\n}\n"; }
std::string joint(const std::string& body) { return root("OFFSET 0 0 0\nCHANNELS 0\n" + body); }
std::string moving(const std::string& motion) { return tree + "MOTION\n" + motion; }

TEST(BvhRejection, ReportsErrorsInTheHierarchy) {
  expect_rejected({
      {"", "1:1", "HIERARCHY"},
      {"HIERARCHIE\nROOT a", "1:1", "found \"HIERARCHIE\""},
      {"{\"asset\": 1}", "1:1", "HIERARCHY"},
      {"HIERARCHY", "1:10", "expected ROOT"},
      {"HIERARCHY\nMOTION\nFrames: 0\n", "2:1", "expected ROOT"},
      {"HIERARCHY\nJOINT a\n{", "2:1", "expected ROOT"},
      {"HIERARCHY\nROOT a\n", "3:1", "{ after the name of the joint"},
      {"HIERARCHY\nROOT a\nOFFSET 0 0 0\n", "3:1", "joint \"a\": found \"OFFSET\"; expected {"},
      {tree + "}\n", "11:1", "ROOT, MOTION or the end of the file"},
      {tree + "JOINT b\n{\n}\n", "11:1", "ROOT, MOTION"},
      {root("CHANNELS 0"), "5:1", "no OFFSET"},
      {root("OFFSET 0 0"), "5:1", "a finite number for OFFSET"},
      {root("OFFSET 0 zero 0"), "4:10", "found \"zero\""},
      {root("OFFSET 0 nan 0"), "4:10", "found \"nan\""},
      {root("OFFSET 0 inf 0"), "4:10", "a finite number"},
      {root("OFFSET 0 1e999 0"), "4:10", "a finite number"},
      {root("OFFSET 0 0 0 0"), "4:14", "OFFSET, CHANNELS, JOINT, End Site or }"},
      {root("OFFSET 0 0 0\nOFFSET 0 0 0"), "5:1", "a second OFFSET"},
      {joint("CHANNELS 0"), "6:1", "a second CHANNELS"},
      {root("OFFSET 0 0 0\nCHANNELS three"), "5:10", "a whole number from 0 to 9"},
      {root("OFFSET 0 0 0\nCHANNELS -1"), "5:10", "a whole number"},
      {root("OFFSET 0 0 0\nCHANNELS 4000000000 Xrotation"), "5:10", "a whole number from 0 to 9"},
      {root("OFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation"), "6:1", "channel 3 of 3: Xposition"},
      {root("OFFSET 0 0 0\nCHANNELS 1 Xrotation Yrotation"), "5:22", "the number of channels given in CHANNELS"},
      {root("OFFSET 0 0 0\nCHANNELS 1 Wrotation"), "5:12", "found \"Wrotation\""},
      {root("OFFSET 0 0 0\nCHANNELS 2 Xposition Xposition"), "5:22", "each position once"},
      {joint("ROOT b"), "6:1", "found \"ROOT\""},
      {joint("JOINT b\nJOINT c"), "7:1", "joint \"b\": found \"JOINT\"; expected {"},
      {joint("End\n{\n}"), "7:1", "Site after End"},
      {joint("End Site\nOFFSET 0 0 0"), "7:1", "{ after End Site"},
      {joint("End Site\n{\nCHANNELS 0\n}"), "8:1", "End Site of joint \"a\""},
      {joint("End Site\n{\nOFFSET 0 0 0\nJOINT b\n}"), "9:1", "expected }"},
      {joint("JOINT " + std::string(251, 'x') + "\n{\n"), "6:7", "a name of 251 bytes"},
      {joint("JOINT " + std::string(1'000'000, 'x')), "6:7", "a name of 1000000 bytes"},
      {std::string(1'000'000, 'x'), "1:1", "HIERARCHY"},
      {"\xFF\xFEH\0I\0", "", "UTF-16"},
      {std::string("HIERARCHY\nROOT a\0b\n", 18), "", "a byte of value 0"},
  });
}

TEST(BvhRejection, ReportsErrorsInTheMotion) {
  expect_rejected({
      {moving(""), "12:1", "expected Frames:"},
      {moving("Frames: many\n"), "12:9", "found \"many\""},
      {moving("Frames: -1\n"), "12:9", "a whole number"},
      {moving("Frames: 1.5\n"), "12:9", "a whole number"},
      {moving("Frames: 1\n"), "13:1", "expected Frame Time:"},
      {moving("Frames: 1\nFrame Rate: 3\n"), "13:7", "expected Frame Time:"},
      {moving("Frames: 1\nFrame Time: 0\n1 2 3\n"), "13:13", "seconds above 0"},
      {moving("Frames: 1\nFrame Time: -0.1\n1 2 3\n"), "13:13", "seconds above 0"},
      {moving("Frames: 1\nFrame Time: 0,1\n1 2 3\n"), "13:13", "a finite number for Frame Time"},
      {moving("Frames: 1\nFrame Time: 0.1\n"), "14:1",
       "the end of the file after 0 frames; expected 1, as given in Frames"},
      {moving("Frames: 3\nFrame Time: 0.1\n1 2 3\n4 5 6\n"), "16:1", "after 2 frames; expected 3"},
      {moving("Frames: 2\nFrame Time: 0.1\n1 2 3\n4 5"), "15:4", "after 2 of the 3 values of frame 2"},
      {moving("Frames: 2\nFrame Time: 0.1\n1 2\n4 5 6\n"), "14:1", "2 numbers in a line; expected 3"},
      {moving("Frames: 2\nFrame Time: 0.1\n1 2 3 4\n4 5 6\n"), "14:1", "4 numbers in a line; expected 3"},
      {moving("Frames: 1\nFrame Time: 0.1\n1 two 3\n"), "14:3", "value 2 of 3 of frame 1"},
      {moving("Frames: 1\nFrame Time: 0.1\n1 nan 3\n"), "14:3", "found \"nan\""},
      {moving("Frames: 1\nFrame Time: 0.1\n1 1e999 3\n"), "14:3", "a finite number"},
      {moving("Frames: 1\nFrame Time: 0.1\n1 +-2 3\n"), "14:3", "found \"+-2\""},
      {moving("Frames: 1\nFrame Time: 0.1\n1 2.0.5 3\n"), "14:3", "found \"2.0.5\""},
      {moving("Frames: 1\nFrame Time: 0.1\n1, 2, 3\n"), "14:1", "found \"1,\""},
      {moving("Frames: 1000000000\nFrame Time: 0.1\n1 2 3\n"), "15:1", "after 1 frame; expected 1000000000"},
  });
}

TEST(BvhRejection, HandlesHugeFiles) {
  std::string deep = "HIERARCHY\nROOT a{OFFSET 0 0 0\n";
  for (int k = 0; k < 1'000'000; ++k) deep += "JOINT b{\n";
  std::string tips = "HIERARCHY\nROOT a{OFFSET 0 0 0\n";
  for (int k = 0; k < 100'000; ++k) tips += "End Site{}\n";
  expect_rejected({
      {deep, "10002:1", "more than 10000 joints"},
      {tips, "10003:1", "more than 10000 End Sites"},
      {root("OFFSET 1e308 0 0\nJOINT b{OFFSET 1e308 0 0}JOINT c{OFFSET -1e308 0 0}"), "", "not finite"},
  });
}

}  // namespace bvh_refusal_test
}  // namespace limber
