// Broken ASF and AMC files: each is rejected with its place and what was expected there.
#include <gtest/gtest.h>

#include "limber/format/acclaim/acclaim.h"
#include "tests/format/broken_text.h"

namespace limber {
namespace acclaim_refusal_test {

// Bones a and b, b below a. The inserted text is in line 4, 6, 12 or 21.
struct Parts {
  std::string units = "length 1";
  std::string root = "order TX TY TZ RX RY RZ";
  std::string bone = "axis 0 0 0 XYZ";
  std::string lines = "root a";
};
std::string asf(const Parts& parts) {
  return ":version 1.10\n:name x\n:units\n" + parts.units + "\n:root\n" + parts.root +
         "\n:bonedata\nbegin\nname a\ndirection 1 0 0\nlength 1\n" + parts.bone +
         "\nend\nbegin\nname b\ndirection 1 0 0\nlength 1\nend\n:hierarchy\nbegin\n" + parts.lines + "\na b\nend\n";
}
std::string units(const std::string& line) { return asf({.units = line}); }
std::string root(const std::string& line) { return asf({.root = line}); }
std::string bone(const std::string& line) { return asf({.bone = line}); }
std::string lines(const std::string& line) { return asf({.lines = line}); }

TEST(AcclaimRejection, ReportsErrorsInASkeleton) {
  const std::vector<BrokenText> files = {
      {"", "1:1", "no :root"},
      {"HIERARCHY\n", "1:1", "at the start of an ASF file"},
      {":version 1.10\n:bonedata\n", "3:1", "no :root"},
      {units("length 0"), "4:8", "a number above 0"},
      {units("length -0.45"), "4:8", "a number above 0"},
      {units("length long"), "4:8", "the unit of length"},
      {units("mass 0"), "4:6", "a number above 0"},
      {units("angle grad"), "4:7", "deg or rad"},
      {root("order TX TY QZ"), "6:13", "TX, TY, TZ, RX, RY or RZ"},
      {root("order TX TX"), "6:10", "a second tx"},
      {root("order TX l"), "6:10", "found \"l\""},
      {root("axis XYX"), "6:6", "an order of axes such as XYZ"},
      {root("axis XY"), "6:6", "such as XYZ"},
      {root("position 0 0"), "7:1", "the position of the root"},
      {root("orientation 0 nan 0"), "6:15", "found \"nan\""},
      {root("order TX\n:root"), "7:1", "a second :root"},
      {bone("direction 1 0"), "13:1", "a finite number for direction"},
      {bone("direction 1 x 0"), "12:13", "found \"x\""},
      {bone("length -1"), "12:8", "a non-negative number"},
      {bone("length inf"), "12:8", "a finite number for length"},
      {bone("axis 0 0 XYZ"), "12:10", "a finite number for axis"},
      {bone("axis 0 0 0 XZX"), "12:12", "such as XYZ"},
      {bone("axis 0 0 0"), "13:1", "such as XYZ"},
      {bone("dof rx rw"), "12:8", "rx, ry, rz, tx, ty, tz or l"},
      {bone("dof rx rx"), "12:8", "a second rx"},
      {bone("dof rx\nlimits (10 -10)"), "13:8", "limits from 10 to -10"},
      {bone("dof rx\nlimits (-10 10) (0 5)"), "13:8", "2 limits; expected 1, one per dof"},
      {bone("dof rx ry\nlimits (-10 10)"), "13:8", "1 limits; expected 2"},
      {bone("limits (-10 10)"), "12:8", "1 limits; expected 0"},
      {bone("dof rx\nlimits -10 10"), "13:8", "( after limits"},
      {bone("dof rx\nlimits (-10 10"), "14:1", "expected )"},
      {bone("dof rx\nlimits (-10 nan)"), "13:13", "a finite number, -inf or inf"},
      {bone("dof rx\nlimits (inf inf)"), "13:8", "lower <= upper"},
      {bone("dof rx\nlimits (-10 10)\nlimits (-10 10)"), "14:1", "a second limits"},
      {bone("begin"), "12:1", "end of the bone that starts in line 8"},
      {bone(":hierarchy"), "12:1", "end of the bone"},
      {bone("name b"), "15:6", "a second bone \"b\""},
      {bone("name root"), "12:6", "another name"},
      {bone("name " + std::string(251, 'x')), "12:6", "a name of at most 250 bytes"},
      {bone("end\nbegin\ndirection 1 0 0\nlength 1"), "13:1", "a bone without a name"},
      {bone("end\nbegin\nname c\nlength 1"), "14:6", "bone \"c\": found no direction"},
      {bone("end\nbegin\nname c\ndirection 1 0 0"), "14:6", "bone \"c\": found no length"},
      {bone("end\nend"), "13:1", "begin of a bone"},
      {bone("direction 0 0 0\ndof l"), "9:6", "a dof l in a bone without direction"},
      {lines("root c"), "21:6", "root or a bone of :bonedata"},
      {lines("c a"), "21:1", "found \"c\""},
      {lines("root a a"), "21:8", "a second parent of bone \"a\""},
      {lines("root a b"), "22:3", "a second parent of bone \"b\", after \"root\""},
      {lines("a root"), "21:3", "root as a child"},
      {lines("root"), "9:6", "bone \"a\" without a parent in :hierarchy"},
      {lines("b a"), "9:6", "not below root"},
      {lines("a a"), "9:6", "not below root"},
      {lines("root a\n:skin"), "22:1", "a bone and its children, or end"},
      {lines("root a\na b\nend\n:hierarchy\nbegin"), "24:1", "a second :hierarchy"},
      {lines("root a").substr(0, lines("root a").rfind("end")), "23:1", "or end"},
      {asf({}).substr(0, asf({}).find(":hierarchy")), "9:6", "without a parent"},
      {"\xFE\xFF:", "", "UTF-16"},
      {std::string(":name\0", 6), "", "a byte of value 0"},
      {std::string(1'000'000, 'x'), "1:1", "a section such as :version"},
  };
  for (const BrokenText& broken : files) {
    const Expected<Content> content = read_asf(broken.text, "f");
    ASSERT_FALSE(content) << broken.text;
    expect_error(content.error(), broken);
  }
  EXPECT_TRUE(read_asf(asf({}), "f"));
}

TEST(AcclaimRejection, ReportsErrorsInAMotion) {
  const Content skeleton = *read_asf(bone("dof rx rz"), "skeleton");
  const std::string good = ":DEGREES\n1\nroot 0 0 0 0 0 0\na 1 2\n";
  ASSERT_TRUE(read_amc(good, "f", skeleton));
  std::string numbers;
  for (int k = 0; k < 300'000; ++k) numbers += "1\n";
  const std::vector<BrokenText> files = {
      {"", "1:1", "the number of a frame"},
      {":FULLY-SPECIFIED\n:DEGREES\n", "3:1", "the number of a frame"},
      {":DEGREES\nroot 0 0 0 0 0 0\n", "2:1", "a bone before the first frame"},
      {":DEGREES\n1\naa 1 2\n", "3:1", "found \"aa\"; expected a bone, such as 'a'"},
      {":DEGREES\n1\nA 1 2\n", "3:1", "such as 'a'"},
      {":DEGREES\n1\na 1\n", "3:4", "2 finite numbers, one per dof of \"a\""},
      {":DEGREES\n1\na 1", "3:4", "found the end of the file; expected 2 finite numbers"},
      {":DEGREES\n1\na 1 2 3\n", "3:7", "\"3\" after 2 values"},
      {":DEGREES\n1\nb 1\n", "3:3", "\"1\" after 0 values"},
      {":DEGREES\n1\na 1 x\n", "3:5", "found \"x\""},
      {":DEGREES\n1\na 1 nan\n", "3:5", "found \"nan\""},
      {":DEGREES\n1\na 1 1e999\n", "3:5", "finite numbers"},
      {":DEGREES\n1\na 1 2\na 1 2\n", "4:1", "a second row of \"a\""},
      {":DEGREES\n1\na 1 2\n:RADIANS\n", "4:1", "no keyword after the first frame"},
      {":DEGREES\n1x\n", "2:1", "the number of a frame, or a bone"},
      {":DEGREES\n99999999999999999999999\n", "2:1", "the number of a frame"},
      {":DEGREES\n-1\n", "2:1", "a bone"},
      {":DEGREES\n" + std::string(1'000'000, 'x'), "2:1", "a bone"},
      {":DEGREES\n" + numbers, "", "frames without most of the bones"},
      {"\xFF\xFE:", "", "UTF-16"},
  };
  for (const BrokenText& broken : files) {
    const Expected<ReadMotion> motion = read_amc(broken.text, "f", skeleton);
    ASSERT_FALSE(motion) << broken.text.substr(0, 300);
    expect_error(motion.error(), broken);
  }
}

TEST(AcclaimRejection, HandlesHugeFiles) {
  std::string text = ":root\norder TX\n:bonedata\n";
  for (int k = 0; k < 100'000; ++k) text += "begin name b" + std::to_string(k) + " direction 1 0 0 length 1 end\n";
  const Expected<Content> content = read_asf(text, "f");
  ASSERT_FALSE(content);
  EXPECT_NE(content.error().text().find("more than 10000 bones"), std::string::npos);
  EXPECT_EQ(content.error().line, 10'004);
}

}  // namespace acclaim_refusal_test
}  // namespace limber
