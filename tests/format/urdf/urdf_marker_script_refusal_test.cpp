// Broken robots, marker tables and skeleton scripts: each gets a diagnostic with its place, what was found and what was
// expected; none of them crashes, hangs or takes much memory.
#include <gtest/gtest.h>

#include "limber/format/c3d/c3d.h"
#include "limber/format/skeleton_script/skeleton_script.h"
#include "limber/format/trc/trc.h"
#include "limber/format/urdf/urdf.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace urdf_marker_script_refusal_test {

struct Broken {
  std::string text;
  const char* where;  // begins so
  const char* found;  // contains this
};

template <class Read>
void expect_rejections(Read read, const std::vector<Broken>& cases) {
  for (const auto& [text, where, found] : cases) {
    const Expected<Content> content = read(text, "f", ReadOptions{});
    const std::string shown = text.substr(0, 300);
    ASSERT_FALSE(content) << shown;
    const Diagnostic& error = content.error();
    EXPECT_EQ(error.where.substr(0, std::string_view(where).size()), where) << shown << "\n" << error.text();
    EXPECT_NE(error.found.find(found), std::string::npos) << shown << "\n" << error.text();
    EXPECT_FALSE(error.expected.empty()) << shown << "\n" << error.text();
    EXPECT_EQ(error.text().find('\n'), std::string::npos) << error.text();
    EXPECT_LT(error.text().size(), 500u) << error.text();
  }
}

std::string repeated(std::string_view piece, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += piece;
  return all;
}

std::string utf16(std::string_view text) {
  std::string wide = "\xFF\xFE";
  for (const char c : text) wide += std::string{c, '\0'};
  return wide;
}

constexpr int million = 1'000'000;

// --- XML -----------------------------------------------------------------------------------------

TEST(XmlRejection, OfInvalidXml) {
  expect_rejections(
      read_urdf, {
                     {"", "f:1:1", "no element"},
                     {"  \n\n", "f:1:1", "no element"},
                     {"hello <robot/>", "f:1:1", "\"hello\""},
                     {"<!-- only a comment -->", "f:1:1", "no element"},
                     {"<robot name='r'>\n <link name='a'/>\n", "f:3:1", "the end of the file inside <robot> of line 1"},
                     {"<robot name='r'>\n <link name='a'>\n</robot>", "f:3:1", "</robot>"},
                     {"<robot/>\n</robot>", "f:2:1", "</robot>"},
                     {"<robot/>\n<robot/>", "f:2:1", "a second outermost element"},
                     {"<robot/> and more", "f:1:10", "and more"},
                     {"<robot name='r'", "f:1:16", "the end of the file inside a tag"},
                     {"<robot name='r>", "f:1:13", "a quote without an end"},
                     {"<robot name=r/>", "f:1:13", "r/>"},
                     {"<robot name/>", "f:1:12", "/>"},
                     {"<robot 1='2'/>", "f:1:8", "1="},
                     {"<robot <link/></robot>", "f:1:8", "\"<\" inside <robot>"},
                     {"<robot><!-- no end </robot>", "f:1:", ""},
                     {"<robot><![CDATA[ no end </robot>", "f:1:", ""},
                     {"<robot><? no end </robot>", "f:1:", ""},
                     {"<![CDATA[x]]><robot/>", "f:1:1", "CDATA"},
                     {"<1robot/>", "f:1:", "1robot"},
                     {"<>", "f:1:", ""},
                     {"<robot name='a' name='b'/>", "f:1:1", "attribute \"name\" twice"},
                     {"<robot name='a & b'/>", "f:1:16", "\"&\""},
                     {"<robot name='&nbsp;'/>", "f:1:14", "\"&nbsp;\""},
                     {"<robot>&xxe;</robot>", "f:1:8", "\"&xxe;\""},
                     {"<robot name='&#0;'/>", "f:1:14", "\"&#0;\""},
                     {"<robot name='&#xD800;'/>", "f:1:14", "\"&#xD800;\""},
                     {"<robot name='&#99999999;'/>", "f:1:14", "\"&#99999999;\""},
                     {utf16("<robot name='r'/>"), "f", "UTF-16"},
                     {std::string("<robot\0/>", 9), "f", "a byte of value 0"},
                     {"<?xml version='1.0' encoding='windows-1252'?><robot name='\xE9'/>", "f:1:1", "windows-1252"},
                 });
}

TEST(XmlRejection, OfDocumentTypesAndEntities) {
  std::string laughs = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n <!ENTITY lol0 \"lol\">\n";
  for (int k = 1; k < 10; ++k) {
    const std::string reference = "&lol" + std::to_string(k - 1) + ";";
    laughs += " <!ENTITY lol" + std::to_string(k) + " \"" + repeated(reference, 10) + "\">\n";
  }
  laughs += "]>\n<robot name=\"&lol9;\"/>";
  expect_rejections(read_urdf,
                    {
                        {laughs, "f:2:1", "a document type"},
                        {"<!DOCTYPE robot SYSTEM \"file:///x\"><robot/>", "f:1:1", "a document type"},
                        {"<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///x\">]><robot>&x;</robot>", "f:1:1", "DOCTYPE"},
                        {"<robot><!ENTITY x \"y\"></robot>", "f:1:8", "<!ENTITY"},
                    });
}

TEST(XmlRejection, OfDepthAndSize) {
  expect_rejections(read_urdf, {
                                   {repeated("<a>", million), "f:1:769", "nested deeper than 256"},
                                   {repeated("<a>", 257) + repeated("</a>", 257), "f:1:769", "nested deeper"},
                                   {"<robot name='r'>" + repeated("<a>", 255) + repeated("</a>", 255) + "</robot>",
                                    "f:1:1", "no <link>"},
                                   {"<robot name='" + std::string(million, 'x') + "'/>", "f:1:1", "no <link>"},
                                   {"<robot " + std::string(million, ' ') + "/>", "f:1:1", "no <link>"},
                                   {std::string(million, 'x'), "f:1:1", "xxx"},
                                   {std::string(million, '<'), "f:1:2", "\"<\" inside"},
                                   {"<robot>" + std::string(million, '&'), "f:1:8", "\"&\""},
                                   {"<robot>" + repeated("<a/>", million / 20) + "</robot>", "f:1:1", "no <link>"},
                                   {"<robot>" + repeated("<link name='a'/>", 2), "f:1:", "the end of the file"},
                                   {"<robot>" + repeated("<!---->", 10'000), "f:1:", "the end of the file"},
                               });
  // Many attributes, each with a name of its own.
  std::string many = "<robot ";
  for (int k = 0; k < 20'000; ++k) many += "a" + std::to_string(k) + "='' ";
  expect_rejections(read_urdf, {{many + "/>", "f:1:1", "no <link>"}, {many + "a7=''/>", "f:1:1", "\"a7\" twice"}});
}

// --- URDF ----------------------------------------------------------------------------------------

std::string robot(const std::string& inside) {
  return "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n<link name='c'/>\n" + inside + "</robot>";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "revolute") {
  return "<joint name='" + name + "' type='" + type + "'>\n<parent link='" + parent + "'/>\n<child link='" + child +
         "'/>\n" + inside + "</joint>\n";
}
// a - b - c, where the second joint is as given.
std::string chain(const std::string& inside, const std::string& type = "revolute") {
  return robot(joint("j", "a", "b", "", "continuous") + joint("k", "b", "c", inside, type));
}

TEST(UrdfRejection, OfLinksThatDoNotFormATree) {
  expect_rejections(
      read_urdf,
      {
          {"<robot name='r'/>", "f:1:1: <robot>", "no <link>"},
          {"<sdf version='1.6'/>", "f:1:1: <sdf>", "<sdf>"},
          {robot(""), "f:3:1: <link>", "two links without a parent, \"a\" and \"b\""},
          {robot(joint("j", "a", "b")), "f:4:1: <link>", "\"a\" and \"c\""},
          {robot(joint("j", "a", "b") + joint("k", "a", "c") + joint("l", "b", "c")),
           "f:15:8: attribute \"link\" of <child>", "a second parent of link \"c\", after joint \"k\""},
          {robot(joint("j", "b", "c") + joint("k", "c", "b")), "f:9:1: <joint>", "cycle"},
          {robot(joint("j", "a", "b") + joint("k", "b", "c") + joint("l", "c", "a")), "f:", "cycle"},
          {robot(joint("j", "a", "a")), "f:5:1: <joint>", "to itself"},
          {robot(joint("j", "a", "d")), "f:7:8: attribute \"link\" of <child>", "\"d\""},
          {robot(joint("j", "d", "a")), "f:6:9: attribute \"link\" of <parent>", "\"d\""},
          {robot("<link name='a'/>"), "f:5:7: attribute \"name\" of <link>", "a second link \"a\""},
          {robot(joint("j", "a", "b") + joint("j", "b", "c")), "f:9:8: attribute \"name\"", "a second joint \"j\""},
          {robot("<link/>"), "f:5:1: <link>", "no attribute \"name\""},
          {robot("<link name=''/>"), "f:5:7", "an empty name"},
          {robot("<joint name='j'/>"), "f:5:1: <joint>", "no attribute \"type\""},
          {robot("<joint name='j' type='fixed'/>"), "f:5:1: <joint>", "no <parent>"},
          {robot("<joint name='j' type='fixed'><parent link='a'/></joint>"), "f:5:1: <joint>", "no <child>"},
          {robot("<joint name='j' type='fixed'><parent/><child link='a'/></joint>"), "f:5:30: <parent>",
           "no attribute"},
          {robot("<joint name='j' type='fixed'><parent link='a'/><child link='b'/><child link='c'/></joint>"),
           "f:5:65: <child>", "a second <child>"},
      });
  std::string many = "<robot name='r'>";
  for (int k = 0; k <= max_joints; ++k) many += "<link name='" + std::to_string(k) + "'/>";
  expect_rejections(read_urdf, {{many + "</robot>", "f:1:", "more than 10000 links"}});
}

TEST(UrdfRejection, OfNumbersAndLimits) {
  expect_rejections(
      read_urdf,
      {
          {chain("", "ball"), "f:9:17: attribute \"type\" of <joint>", "\"ball\""},
          {chain("<limit lower='1' upper='-1'/>"), "f:12:1: <limit>", "lower limit 1 above upper limit -1"},
          {chain("<limit lower='nan' upper='1'/>"), "f:12:8: attribute \"lower\" of <limit>", "\"nan\""},
          {chain("<limit lower='0' upper='inf'/>"), "f:12:18: attribute \"upper\" of <limit>", "\"inf\""},
          {chain("<limit lower='0,5' upper='1'/>"), "f:12:8", "\"0,5\""},
          {chain("<limit lower='' upper='1'/>"), "f:12:8", "\"\""},
          {chain("<axis xyz='0 0 0'/>"), "f:12:7: attribute \"xyz\" of <axis>", "an axis of length 0"},
          {chain("<axis xyz='0 0 1e200'/><axis xyz='1e200 0 0'/>"), "f:12:7", "an axis of length inf"},
          {chain("<axis xyz='0 1'/>"), "f:12:7", "\"0 1\""},
          {chain("<axis xyz='0 1 2 3'/>"), "f:12:7", "\"3\" in \"0 1 2 3\""},
          {chain("<axis xyz='x'/>"), "f:12:7", "\"x\""},
          {chain("<origin xyz='1 2 1e999'/>"), "f:12:9: attribute \"xyz\" of <origin>", "\"1e999\""},
          {chain("<origin xyz='1 2 3' rpy='0 0 NaN'/>"), "f:12:21: attribute \"rpy\" of <origin>", "\"NaN\""},
          {chain("<origin quat_xyzw='0 0 0 0'/>"), "f:12:9", "length 0"},
          {chain("<mimic joint='k'/>"), "f:12:8: attribute \"joint\" of <mimic>", "mimics itself"},
          {chain("<mimic joint='x'/>"), "f:12:8: attribute \"joint\" of <mimic>", "\"x\""},
          {chain("<mimic/>"), "f:12:1: <mimic>", "no attribute \"joint\""},
          {chain("<mimic joint='j' multiplier='1e999'/>"), "f:12:18", "\"1e999\""},
          {chain("<mimic joint='j'/>", "fixed"), "f:12:1: <mimic>", "joint \"k\" that mimics \"j\""},
          {chain("<mimic joint='j'/>", "planar"), "f:12:1: <mimic>", "joint \"k\""},
          {robot(joint("j", "a", "b", "<mimic joint='k'/>") + joint("k", "b", "c", "<mimic joint='j'/>")),
           "f:8:1: <mimic>", "in a cycle"},
          {robot(joint("j", "a", "b", "<mimic joint='k' multiplier='1e300'/>") +
                 joint("k", "b", "c", "<mimic joint='l' multiplier='1e300'/>") + "<link name='d'/>" +
                 joint("l", "c", "d")),
           "f:8:1: <mimic>", "overflows"},
          {robot("<link name='d'><inertial><mass value='-1'/></inertial></link>"), "f:5:32", "mass -1"},
          {robot("<link name='d'><inertial><inertia ixx='1' iyy='nan'/></inertial></link>"), "f:5:43", "\"nan\""},
          {robot("<link name='d'><inertial><mass value='heavy'/></inertial></link>"), "f:5:32", "\"heavy\""},
          {"<robot name='r'><link name='a'><inertial><mass value='1e308'/></inertial></link><link name='b'><inertial>"
           "<mass value='1e308'/></inertial></link>" +
               joint("j", "a", "b") + "</robot>",
           "f: figure 'r'", "sum is not finite"},
      });
}

TEST(UrdfRejection, OfXacro) {
  expect_rejections(read_urdf, {
                                   {"<robot name='r' xmlns:xacro='x'>\n<xacro:include filename='y'/></robot>",
                                    "f:2:1: <xacro:include>", "xacro"},
                                   {"<robot name='r'>\n<link name='${prefix}a'/></robot>",
                                    "f:2:7: attribute \"name\" of <link>", "xacro"},
                               });
}

// --- TRC -----------------------------------------------------------------------------------------

TEST(TrcRejection, OfBrokenTables) {
  const std::string title = "PathFileType\t4\t(X/Y/Z)\tm.trc\n", keys = "DataRate\tNumFrames\tNumMarkers\tUnits\n";
  const std::string head = title + keys + "60\t1\t1\tmm\nFrame#\tTime\theel\n\t\tX1\tY1\tZ1\n";
  expect_rejections(
      read_trc, {
                    {"", "f:1:1", "the end of the file"},
                    {"MOTION\n", "f:1:1", "\"MOTION\""},
                    {title, "f:2:1", "the end of the file"},
                    {title + "60\t1\t1\tmm\n", "f:2:1", "\"60\""},
                    {title + keys, "f:3:1", "the end of the file"},
                    {title + keys + "60\t1\t1\tmm\n", "f:4:1", "the end of the file"},
                    {title + keys + "60\t1\t1\tmm\n1\t2\t3\n", "f:4:1", "\"1\""},
                    {title + keys + "60\t1\t1\tmm\nFrame#\theel\n", "f:4:8", "\"heel\""},
                    {title + keys + "60\t1\t1\tmm\nFrame#\tTime\n", "f:4:1", "no marker"},
                    {title + keys + "sixty\t1\t1\tmm\nFrame#\tTime\theel\n", "f:3:1: DataRate", "\"sixty\""},
                    {title + keys + "60\t1\t1\tyards\nFrame#\tTime\theel\n", "f:3:8: Units", "\"yards\""},
                    {title + keys + "60\t1\t1\t0.5\nFrame#\tTime\theel\n", "f:3:8: Units", "\"0.5\""},
                    {title + keys + "0\t0\t1\tmm\nFrame#\tTime\theel\n", "f:5:1", "neither a rate nor rows"},
                    {title + keys + "0\t1\t1\tmm\nFrame#\tTime\theel\n1\t0\n", "f:5:1", "times without a rate"},
                    {title + keys + "0\t1\t1\tmm\nFrame#\tTime\theel\n1\t0\n2\t0\n", "f:5:1", "times without a rate"},
                    {head + "one\t0\t1\t2\t3\n", "f:6:1", "\"one\""},
                    {head + "1.5\t0\t1\t2\t3\n", "f:6:1", "\"1.5\""},
                    {head + "1e12\t0\t1\t2\t3\n", "f:6:1", "\"1e12\""},
                    {head + "1\n", "f:6:2", "the end of the line"},
                    {head + "1\tnan\t1\t2\t3\n", "f:6:3", "\"nan\""},
                    {head + "1\t0\t1\t2\tx\n", "f:6:9: marker \"heel\"", "\"x\""},
                    {head + "1\t0\t1\t2\tinf\n", "f:6:9: marker \"heel\"", "\"inf\""},
                    {head + "1\t0\t1\t2\t1e999\n", "f:6:9: marker \"heel\"", "\"1e999\""},
                    {head + "1 0 1 2\n", "f:6:8", "the end of the row"},
                    {utf16(head), "f", "UTF-16"},
                    {head + std::string("1\t0\t\0", 5), "f", "a byte of value 0"},
                    {std::string(million, 'x'), "f:1:1", "xxx"},
                    {"PathFileType" + std::string(million, '\t'), "f:1:1000013", "the end of the file"},
                    {title + keys + "60\t1\t1\tmm\nFrame#\tTime" + repeated("\ta", million / 10) +
                         repeated("\n1\t0", million / 10),
                     "f:5:1", "too short for 100000 markers"},
                });
}

// --- C3D -----------------------------------------------------------------------------------------

std::string bytes_at(std::string bytes, std::size_t at, const std::string& by) {
  return bytes.replace(at, by.size(), by);
}

TEST(C3dRejection, OfBrokenBytes) {
  const std::string walk = read_sample(std::filesystem::path(source_dir()) / "data" / "c3d" / "02_01.c3d");
  const std::size_t used = walk.find("USED", walk.find("POINT")) + 4;  // distance, type, dimensions, value
  const std::size_t scale = walk.find("SCALE") + 4 + 1, rate = walk.find("RATE", scale) + 4;
  const std::size_t labels = walk.find("LABELS", rate) + 6;
  const std::string where_used = "f: byte " + std::to_string(used + 4);
  const std::string where_labels = "f: byte " + std::to_string(labels + 4);
  expect_rejections(
      read_c3d, {
                    {"", "f: byte 1", "the end of the file"},
                    {"\x02", "f: byte 1", "the end of the file"},
                    {"\x02\x50", "f: byte 2", "the end of the file"},
                    {"HIERARCHY\nROOT", "f: byte 1", "byte value 73"},
                    {walk.substr(0, 512), "f: byte 0", "block 2 for the parameters"},
                    {walk.substr(0, 600), "f: byte", "the end of the file"},
                    {walk.substr(0, 6144), "f: byte 6144", "after 0 of 343 frames"},
                    {walk.substr(0, walk.size() - 1), "f: byte 231151", "after 342 of 343 frames"},
                    {bytes_at(walk, 0, std::string(1, '\0')), "f: byte 0", "block 0"},
                    {bytes_at(walk, 0, "\x01"), "f: byte 0", "block 1"},
                    {bytes_at(walk.substr(0, 20000), 0, "\xFF"), "f: byte 0", "block 255"},
                    {bytes_at(walk, 515, "\x53"), "f: byte 515", "machine 83"},
                    // The first record's distance: zero, onto itself, far beyond the end.
                    {bytes_at(walk, 516 + 2 + 5, std::string("\x01\x00", 2)), "f: byte 523", "a distance of 1"},
                    {bytes_at(walk.substr(0, 20000), 516 + 2 + 5, "\xFF\xFF"), "f: byte", "the end of the file"},
                    {bytes_at(walk, used + 2, "\x03"), "f: byte", "type 3"},
                    {bytes_at(walk.substr(0, used + 10), used + 3, "\xFF"), "f: byte", "255 dimensions"},
                    {bytes_at(walk, labels + 3, "\x05\xFF\xFF\xFF\xFF\xFF"), where_labels.c_str(), "or more values"},
                    {bytes_at(walk.substr(0, labels + 200), labels + 4, "\x0F\x0F"), "f: byte", "225 "},
                    {bytes_at(walk, used + 4, std::string(2, '\0')), "f: byte 2: POINT:USED", "no point"},
                    {bytes_at(walk, used + 4, "\xFF\xFF"), "f: byte 231152", "after 0 of 343 frames"},
                    {bytes_at(walk, scale + 4, std::string(4, '\0')), "f: byte", "scale 0"},
                    {bytes_at(walk, scale + 4, "\xFF\xFF\xFF\xFF"), "f: byte", "nan"},
                    {bytes_at(walk, rate + 4, std::string(4, '\0')), "f: byte", "rate 0"},
                    {bytes_at(walk, rate + 4, std::string("\0\0\x80\x7F", 4)), "f: byte", "rate inf"},
                    {bytes_at(walk, walk.find("DATA_START") + 14, std::string("\x00\x00", 2)), "f: byte 16", "block 0"},
                    {bytes_at(walk, walk.find("DATA_START") + 14, "\xFF\xFF"), "f: byte 16", "block 65535"},
                    {bytes_at(walk, walk.find("ACTUAL_END_FIELD") + 16 + 5, "\xFF\xFF\xFF\x7F"), "f: byte",
                     "after 343 of 2147483598"},
                    {bytes_at(walk, walk.find("ACTUAL_END_FIELD") + 16 + 5, "\xFF\xFF\xFF\xFF"), "f: byte 6",
                     "frames 50 to 4294967295"},
                    {bytes_at(walk, walk.find("mm"), "xx"), "f: byte", "\"xx\""},
                });
}

// A parameter section that is one long chain of tiny records.
TEST(C3dRejection, OfEndlessParameters) {
  std::string bytes(512, '\0');
  bytes[0] = 2;
  bytes[1] = 0x50;
  bytes += std::string("\x01\x50\xFF\x54", 4);
  bytes += repeated(std::string_view("\x01\x01\x61\x04\x00\x01\x00", 7), 200'000);
  expect_rejections(read_c3d, {{bytes, "f: byte", "more than 50000 parameters"}});
}

// --- The skeleton script ---------------------------------------------------------------------------

std::string script(const std::string& definitions, const std::string& tree = "joint \"a\"\njoint \"b\"\n") {
  return "define skeleton \"s\"\n" + tree + "end skeleton\n" + definitions;
}
std::string b_has(const std::string& statements) { return script("define joint \"b\"\n" + statements + "\nend joint"); }

TEST(SkeletonScriptRejection, OfTheTree) {
  expect_rejections(
      read_skeleton_script,
      {
          {"", "f:1:1", "the end of the file"},
          {"# nothing\n", "f:2:1", "the end of the file"},
          {"skeleton", "f:1:1", "\"skeleton\""},
          {"define", "f:1:7", "the end of the file"},
          {"define figure \"x\"", "f:1:8", "\"figure\""},
          {"define skeleton stickman", "f:1:17", "\"stickman\""},
          {"define skeleton \"\"", "f:1:17", "the text \"\""},
          {"define skeleton \"s", "f:1:17", "without a closing quote"},
          {"define skeleton \"s\n\"", "f:1:17", "without a closing quote"},
          {"define skeleton \"s\" joint \"a\"", "f:1:30", "the end of the file"},
          {"define skeleton \"s\" end skeleton", "f:1:17", "without a joint"},
          {"define skeleton \"s\" end joint", "f:1:25", "\"joint\""},
          {"define skeleton \"s\" group \"g\" joint \"a\" end skeleton", "f:1:45", "\"skeleton\""},
          {"define skeleton \"s\" bone \"a\"", "f:1:21", "\"bone\""},
          {"define skeleton \"s\" \"a\"", "f:1:21", "the text \"a\""},
          {"define skeleton \"s\" joint \"a\" joint \"a\" end skeleton", "f:1:37", "\"a\" a second time"},
          {"define skeleton \"s\" group \"g\" joint \"a\" end group joint \"b\" end skeleton", "f:1:57", "\"b\""},
          {script("") + script(""), "f:5:8", "\"skeleton\""},
          {script("define joint \"c\" end joint"), "f:5:14", "a definition of \"c\""},
          {script("define joint \"b\" end joint define joint \"b\" end joint"), "f:5:41", "a second definition"},
          {script("define joint \"b\" end group"), "f:5:22", "\"group\""},
          {script("define joint \"b\""), "f:5:17", "the end of the file"},
          {"define skeleton \"s\" " + repeated("group \"g\" ", million / 10), "f:1:", "the end of the file"},
          {"define skeleton\"s\"" + repeated("group\"g\"", million), "f:1:", "the end of the file"},
          {"define skeleton \"s\" joint \"" + std::string(million, 'x') + "\" end", "f:1:", "the end of the file"},
          {utf16(script("")), "f", "UTF-16"},
      });
  std::string many;
  for (int k = 0; k <= max_joints; ++k) many += "joint \"" + std::to_string(k) + "\"";
  expect_rejections(read_skeleton_script, {{script("", many), "f:2:", "10000"}});
}

TEST(SkeletonScriptRejection, OfDefinitions) {
  expect_rejections(read_skeleton_script,
                    {
                        {b_has("colour 1 2 3"), "f:6:1", "\"colour\""},
                        {b_has("\"text\""), "f:6:1", "the text \"text\""},
                        {b_has("offset 1 2"), "f:7:1", "\"end\""},
                        {b_has("offset 1 2 3 4"), "f:6:14", "\"4\""},
                        {b_has("offset 1 2 nan"), "f:6:12", "\"nan\""},
                        {b_has("offset 1 2 1e999"), "f:6:12", "\"1e999\""},
                        {b_has("offset 1 2 3m"), "f:6:12", "\"3m\""},
                        {b_has("offset 1 2 3\noffset 1 2 3"), "f:7:1", "a second \"offset\""},
                        {b_has("hinge w"), "f:6:7", "\"w\""},
                        {b_has("hinge"), "f:7:1", "\"end\""},
                        {b_has("hinge x 170 0"), "f:6:1", "lower limit 170 above upper limit 0"},
                        {b_has("hinge x 170"), "f:7:1", "\"end\""},
                        {b_has("hinge x 1 2 3"), "f:6:13", "\"3\""},
                        {b_has("hinge 0 0 0"), "f:6:7", "an axis of length 0"},
                        {b_has("hinge 1 0 0 5"), "f:7:1", "\"end\""},
                        {b_has("hinge x inf 2"), "f:6:9", "\"inf\""},
                        {b_has("hinge x\nhinge y"), "f:7:1", "a second \"hinge\""},
                        {b_has("hinge x\nslide y"), "f:7:1", "a second \"slide\""},
                        {b_has("slide x 2 1"), "f:6:1", "lower limit 2"},
                        {b_has("rest 1"), "f:6:1", "1 rest values"},
                        {b_has("hinge x 0 10 rest 11"), "f:6:14", "rest value 11"},
                        {b_has("mass -1"), "f:6:1", "mass -1"},
                        {b_has("mass heavy"), "f:6:6", "\"heavy\""},
                        {b_has("mass 1 2"), "f:7:1", "\"end\""},
                        {b_has("object b.pol"), "f:6:8", "\"b.pol\""},
                        {b_has("mirror \"b\""), "f:6:8", "mirrors itself"},
                        {b_has("mirror \"c\""), "f:6:8", "\"c\""},
                        {b_has("tip 1 2 3 4"), "f:7:1", "\"end\""},
                        {b_has("tip 1 2 3 \"\""), "f:6:11", "the text \"\""},
                        {script("define joint \"b\" mirror \"a\" end joint\ndefine joint \"c\" mirror \"a\" end joint",
                                "joint \"a\" joint \"b\" joint \"c\"\n"),
                         "f:5:25", "a second mirror image of \"a\""},
                        {script("define joint \"b\" mirror \"a\" end joint\ndefine joint \"a\" mirror \"c\" end joint",
                                "joint \"a\" joint \"b\" joint \"c\"\n"),
                         "f:", "a second mirror image of \"a\""},
                        {b_has("offset 1e308 1e308 1e308"), "f: figure 's'", "not finite"},
                        {b_has(repeated("tip 0 0 0 ", max_joints + 1)), "f:6:", "\"tip\""},
                    });
}

}  // namespace urdf_marker_script_refusal_test
}  // namespace limber
