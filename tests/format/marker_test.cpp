// Markers: tables as text (TRC) and as bytes (C3D).
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "limber/base/number.h"
#include "limber/format/c3d/c3d.h"
#include "limber/format/trc/trc.h"
#include "tests/format/note.h"
#include "tests/format/sample.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace marker_test {

const std::filesystem::path data = source_dir() + "/data";

Content good(Expected<Content> content) {
  if (!content) {
    ADD_FAILURE() << content.error().text();
    return {};
  }
  EXPECT_TRUE(content->markers);
  return std::move(*content);
}

std::string all_notes(const Content& content) {
  std::string all;
  for (const Note& note : content.notes) all += note.text + "\n";
  return all;
}

int missing(const Markers& markers) {
  int count = 0;
  for (int k = 0; k < markers.frames(); ++k)
    for (int m = 0; m < static_cast<int>(markers.names.size()); ++m) count += markers.seen(k, m) ? 0 : 1;
  return count;
}

int index(const Markers& markers, std::string_view name) {
  const auto found = std::ranges::find(markers.names, name);
  EXPECT_NE(found, markers.names.end()) << name;
  return found == markers.names.end() ? 0 : static_cast<int>(found - markers.names.begin());
}

void expect_same(const Markers& a, const Markers& b, double tolerance = 0.0) {
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(a.first_frame, b.first_frame);
  ASSERT_EQ(a.positions.rows(), b.positions.rows());
  ASSERT_EQ(a.positions.cols(), b.positions.cols());
  for (Eigen::Index i = 0; i < a.positions.size(); ++i) {
    const double x = a.positions.data()[i], y = b.positions.data()[i];
    EXPECT_EQ(std::isnan(x), std::isnan(y));
    if (!std::isnan(x)) {
      EXPECT_NEAR(x, y, tolerance);
    }
  }
}

// --- TRC -----------------------------------------------------------------------------------------

Content trc(std::string_view text, const ReadOptions& options = {}) { return good(read_trc(text, "m.trc", options)); }
std::string trc_sample(const std::string& name) { return read_sample(data / "trc" / (name + ".trc")); }

struct TrcTruth {
  const char* name;
  std::size_t markers;
  int frames, missing;
  double rate, metres_per_unit;
  const char* first;
};

TEST(Trc, TheSamplesAreReadCompletely) {
  for (const TrcTruth& truth : {
           TrcTruth{"dataWithBlanksForMissingMarkers", 40, 464, 15005, 250.0, 0.001, "LTH3"},
           TrcTruth{"dataWithEformat", 14, 5, 0, 119.88012, 1.0, "RFAsuperior"},
           TrcTruth{"dataWithNaNsOfDifferentCases", 14, 5, 5, 250.0, 0.001, "toe"},
           TrcTruth{"exampleFormat", 3, 5, 2, 100.0, 1.0, "marker1"},
           TrcTruth{"subject01_synthetic_marker_data", 31, 73, 0, 60.0, 1.0, "Sternum"},
           TrcTruth{"subject01_walk1", 41, 151, 0, 60.0, 0.001, "R.ASIS"},
       }) {
    SCOPED_TRACE(truth.name);
    const Content content = trc(trc_sample(truth.name));
    const Markers& markers = *content.markers;
    EXPECT_EQ(content.format, "trc");
    EXPECT_EQ(content.space.metres_per_unit, truth.metres_per_unit);
    EXPECT_EQ(content.space.up, Up::y);
    EXPECT_EQ(markers.names.size(), truth.markers);
    EXPECT_EQ(markers.positions.rows(), 3 * static_cast<Eigen::Index>(truth.markers));
    EXPECT_EQ(markers.names.front(), truth.first);
    EXPECT_EQ(markers.frames(), truth.frames);
    EXPECT_EQ(markers.rate, truth.rate);
    EXPECT_EQ(markers.first_frame, 1);
    EXPECT_EQ(missing(markers), truth.missing);
    EXPECT_TRUE(content.notes.empty()) << all_notes(content);
  }
}

TEST(Trc, NumbersOfTheSamples) {
  const Markers walk = *trc(trc_sample("subject01_walk1")).markers;
  EXPECT_LT((walk.position(0, 0) - Vec3(0.61724762, 1.05527502, 0.17078198)).norm(), 1e-15);
  EXPECT_LT((walk.position(150, index(walk, "V.Sacral")) - Vec3(0.41146918, 1.04282166, 0.02844627)).norm(), 1e-15);
  const Markers example = *trc(trc_sample("exampleFormat")).markers;
  EXPECT_FALSE(example.seen(0, 0));
  EXPECT_EQ(example.position(0, 1), Vec3(-0.152, 0.245, -1.71));
  EXPECT_FALSE(example.seen(2, 1));
  EXPECT_EQ(example.position(4, 2), Vec3(-0.0517, 0.305, -1.7));
  EXPECT_EQ(trc(trc_sample("dataWithEformat")).markers->position(0, 1), Vec3(-0.152, 0.245, -1.71));
  EXPECT_EQ(trc(trc_sample("subject01_synthetic_marker_data")).markers->position(0, 1), Vec3(0.55918, 1.5484, 0.12495));
}

// On a bone the markers keep their distance.
TEST(Trc, MarkersOfAShankStayTogether) {
  const Markers markers = *trc(trc_sample("subject01_walk1")).markers;
  const int a = index(markers, "R.Shank.Upper"), b = index(markers, "R.Shank.Rear");
  for (int k = 0; k < markers.frames(); ++k) {
    const double first = (markers.position(0, a) - markers.position(0, b)).norm();
    EXPECT_NEAR((markers.position(k, a) - markers.position(k, b)).norm(), first, 0.01);
  }
}

std::string table(const std::string& rows, const std::string& header = "60\t60\t2\t2\tmm",
                  const std::string& names = "a\t\t\tb") {
  return "PathFileType\t4\t(X/Y/Z)\tm.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n" + header +
         "\nFrame#\tTime\t" + names + "\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n" + rows;
}
const std::string two_rows = "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.0167\t7\t8\t9\t10\t11\t12\n";

TEST(Trc, LayoutOfTheTextDoesNotMatter) {
  const Markers plain = *trc(table(two_rows)).markers;
  EXPECT_EQ(plain.position(1, 1), Vec3(0.010, 0.011, 0.012));
  const std::string text = table(two_rows);
  std::string crlf, cr, wide;
  for (const char c : text) {
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
    wide += c == '\n' ? std::string(" \t\t\n\n") : c == '\t' ? std::string(" \t ") : std::string(1, c);
  }
  const std::string blanks =
      "pathfiletype 4 (X/Y/Z) m.trc\ndatarate CAMERARATE  NumFrames NumMarkers units\n60 60  2 2 MM\nframe# time a   "
      "b\n"
      "x1 y1 z1 x2 y2 z2\n 1 0 1 2 3 4 5 6\n 2 .0167 7 8 9 10 11 12";
  for (const std::string& variant : {crlf, cr, wide, "\xEF\xBB\xBF" + text, text.substr(0, text.size() - 1), blanks}) {
    const Content content = trc(variant);
    EXPECT_TRUE(content.notes.empty()) << all_notes(content);
    expect_same(*content.markers, plain);
  }
}

TEST(Trc, NamesMayHoldBlanksAndBeShifted) {
  EXPECT_EQ(trc(table(two_rows, "60\t60\t2\t2\tmm", "left heel \t\t\tright heel\t\t\t")).markers->names,
            (std::vector<std::string>{"left heel", "right heel"}));
  EXPECT_EQ(trc(table(two_rows, "60\t60\t2\t2\tmm", "\ta\t\tb")).markers->names, (std::vector<std::string>{"a", "b"}));
  const Content twice = trc(table(two_rows, "60\t60\t2\t2\tmm", "a\t\t\ta"));
  EXPECT_EQ(twice.markers->names, (std::vector<std::string>{"a", "a_2"}));
  EXPECT_TRUE(has_note(twice, "a second marker \"a\""));
}

TEST(Trc, UnitsAndAxes) {
  const auto at = [](const char* unit, const ReadOptions& options = {}) {
    return trc(table(two_rows, std::string("60\t60\t2\t2\t") + unit), options).markers->position(0, 0).y();
  };
  EXPECT_EQ(at("m"), 2.0);
  EXPECT_EQ(at("CM"), 0.02);
  EXPECT_EQ(at("Meters"), 2.0);
  EXPECT_EQ(at("inches"), 2 * 0.0254);
  EXPECT_EQ(at("mm", {.metres_per_unit = 10.0}), 20.0);
  EXPECT_EQ(at("furlongs", {.metres_per_unit = 10.0}), 20.0);
  EXPECT_EQ(at("m", {.up = Up::z}), 3.0);
  const Content unstated = trc(table(two_rows, "60\t60\t2\t2\t"));
  EXPECT_FALSE(unstated.space.unit_is_stated);
  EXPECT_TRUE(has_note(unstated, "millimetres assumed"));
}

TEST(Trc, ErrorsInTheHeaderAreNoted) {
  EXPECT_TRUE(has_note(trc(table(two_rows, "60\t60\t7\t2\tmm")), "NumFrames is \"7\", but there are 2 rows"));
  EXPECT_TRUE(has_note(trc(table(two_rows, "60\t60\t2\t9999999999999\tmm")),
                       "NumMarkers is \"9999999999999\", but there are 2"));
  EXPECT_TRUE(has_note(trc(table("1\t0\t1\t2\t3\t4\t5\t6\t7\n2\t0.0167\n")), "after the last marker"));
  EXPECT_TRUE(has_note(trc(table("1\t0\t1\t2\t3\t4\t\t6\n2\t0.0167\n")), "only one or two"));
  EXPECT_TRUE(has_note(trc(table("1\t0\n3\t0.0167\n")), "do not increase by 1"));
  EXPECT_TRUE(has_note(trc(table("1\t0\n2\t0.02\n")), "time 0.02"));
  EXPECT_FALSE(has_note(trc(table("1\t0\n2\t0.017\n")), "time"));
  const Content timed = trc(table("5\t1\n6\t1.05\n7\t1.1\n", "0\t60\t3\t2\tmm"));
  EXPECT_TRUE(has_note(timed, "taken from the times"));
  EXPECT_NEAR(timed.markers->rate, 20.0, 1e-12);
  EXPECT_EQ(timed.markers->first_frame, 5);
  const Content partial = trc(table("1\t0\t1\t2\t3\t4\t\t6\n2\t0.0167\n"));
  EXPECT_TRUE(partial.markers->seen(0, 0));
  EXPECT_FALSE(partial.markers->seen(0, 1));
  EXPECT_TRUE(trc(table("")).markers->frames() == 0);
}

TEST(Trc, BlanksAndTabsTooManyDoNotMatter) {
  const Markers plain = *trc(table(two_rows)).markers;
  const std::string text = table(two_rows);
  std::string title = text, header = text, time = text, after_time = text, all;
  title.replace(title.find("PathFileType\t4\t"), 15, "PathFileType  4\t");
  header.replace(header.find("60\t60\t2"), 7, "60\t\t60\t\t2");
  for (std::string* one : {&time, &after_time}) {
    const bool before = one == &time;
    one->replace(one->find("Frame#\tTime"), 11, before ? "Frame#\t\tTime" : "Frame#\tTime\t");
    one->replace(one->find("1\t0\t1"), 5, before ? "1\t\t0\t1" : "1\t0\t\t1");
  }
  for (const char c : text) all += c == '\t' ? std::string("\t\t") : std::string(1, c);
  for (const std::string& variant : {title, header, time, after_time, all}) {
    const Content content = trc(variant);
    EXPECT_TRUE(content.notes.empty()) << all_notes(content);
    expect_same(*content.markers, plain);
  }
  // Empty fields where a marker is, are one that was not seen, whatever follows the last.
  const Content unseen = trc(table("1\t0\t\t\t\t4\t5\t6\t7\t8\t9\n2\t0.0167\t7\t8\t9\t10\t11\t12\n"));
  EXPECT_FALSE(unseen.markers->seen(0, 0));
  EXPECT_EQ(unseen.markers->position(0, 1), Vec3(0.004, 0.005, 0.006));
}

TEST(Trc, TimesThatDisagreeWithTheRateGiveIt) {
  const auto rows = [](double rate, int missing_after) {
    std::string text;
    for (int k = 0; k < 40; ++k)
      text += std::to_string(k + 1) + "\t" + to_text((k + (k > missing_after ? 25 : 0)) / rate) + "\n";
    return text;
  };
  const Content slower = trc(table(rows(50.0, 99), "60\t60\t40\t2\tmm"));
  EXPECT_NEAR(slower.markers->rate, 50.0, 1e-3);
  EXPECT_TRUE(has_note(slower, "DataRate is 60, but the times are those of 50"));
  EXPECT_FALSE(has_note(slower, "evenly spaced"));
  const Content slightly = trc(table(rows(96.0, 99), "100\t100\t40\t2\tmm"));
  EXPECT_NEAR(slightly.markers->rate, 96.0, 1e-2);
  // Frames that are missing leave the rate as it is.
  const Content gap = trc(table(rows(60.0, 20), "60\t60\t40\t2\tmm"));
  EXPECT_EQ(gap.markers->rate, 60.0);
  EXPECT_TRUE(has_note(gap, "evenly spaced"));
}

TEST(Trc, EveryPrefixGivesMarkersOrAnError) {
  for (const char* name : {"exampleFormat", "dataWithEformat", "dataWithNaNsOfDifferentCases"}) {
    const std::string text = trc_sample(name);
    for (std::size_t size = 0; size <= text.size(); size += law::whole_or_quick(1u, 7u)) {
      const Expected<Content> content = read_trc(std::string_view(text).substr(0, size), "p");
      if (content) {
        EXPECT_TRUE(content->markers);
      } else {
        EXPECT_GT(content.error().line, 0) << content.error().text();
      }
    }
  }
}

// --- C3D -----------------------------------------------------------------------------------------

Content c3d(std::string_view bytes, const ReadOptions& options = {}) { return good(read_c3d(bytes, "m.c3d", options)); }

TEST(C3d, ARecordedWalk) {
  const std::string bytes = read_sample(data / "c3d" / "02_01.c3d");
  const Content content = c3d(bytes);
  const Markers& markers = *content.markers;
  EXPECT_EQ(content.format, "c3d");
  EXPECT_EQ(content.space.metres_per_unit, 0.001);
  EXPECT_TRUE(content.space.unit_is_stated);
  EXPECT_EQ(content.space.up, Up::z);
  EXPECT_EQ(markers.names.size(), 41u);
  EXPECT_EQ(markers.frames(), 343);
  EXPECT_EQ(markers.first_frame, 50);
  EXPECT_EQ(markers.rate, 120.0);
  EXPECT_EQ(markers.names.front(), "LBWT");
  EXPECT_TRUE(has_note(content, "the prefix \"TakeoMonday:\""));
  EXPECT_TRUE(has_note(content, "FORCE_PLATFORM"));
  // What the bytes of the first point say, by hand.
  const auto real = [&](std::size_t at) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) bits |= std::uint32_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return static_cast<double>(std::bit_cast<float>(bits));
  };
  const Vec3 first(real(12 * 512), real(12 * 512 + 4), real(12 * 512 + 8));
  EXPECT_LT((content.space.in_file(markers.position(0, 0)) - first).norm(), 1e-9);
}

// A person walks: upright, of human size, each marker on a smooth way, and markers on one bone keep their distance.
TEST(C3d, TheWalkLooksLikeOne) {
  const Markers markers = *c3d(read_sample(data / "c3d" / "02_01.c3d")).markers;
  const int ankle = index(markers, "LANK"), heel = index(markers, "LHEE"), head = index(markers, "LFHD");
  double lowest = 1.0, fastest = 0.0, nearest = 1.0, farthest = 0.0;
  for (int k = 0; k < markers.frames(); ++k) {
    ASSERT_TRUE(markers.seen(k, ankle));
    lowest = std::fmin(lowest, markers.position(k, ankle).y());
    EXPECT_GT(markers.position(k, head).y(), 1.3);
    EXPECT_LT(markers.position(k, head).y(), 2.0);
    if (k > 0) fastest = std::fmax(fastest, (markers.position(k, ankle) - markers.position(k - 1, ankle)).norm());
    const double distance = (markers.position(k, ankle) - markers.position(k, heel)).norm();
    nearest = std::fmin(nearest, distance);
    farthest = std::fmax(farthest, distance);
  }
  EXPECT_GT(lowest, 0.02);
  EXPECT_LT(lowest, 0.15);
  EXPECT_LT(fastest, 0.06);  // 7 m/s
  EXPECT_GT(fastest, 0.01);
  EXPECT_LT(farthest - nearest, 0.015);
  EXPECT_GT(nearest, 0.03);
  EXPECT_EQ(missing(markers), 0);
}

enum class Machine { intel = 84, dec = 85, mips = 86 };

// A small file: points 1.5 k + …, one not seen, analog samples between the frames.
struct Synthetic {
  Machine machine = Machine::intel;
  bool integers = false;
  double scale = 0.25;
  int points = 3, frames = 4, analog = 0, first = 7;
  std::string units = "cm", up = "+Z";
  std::vector<std::string> labels = {"heel", "toe", "knee"};
  bool actual_fields = false;
  bool header_only = false;  // no POINT parameters but for the labels

  std::string bytes;

  void byte(int value) { bytes += static_cast<char>(value); }
  void word(int value) {
    const auto bits = static_cast<std::uint16_t>(value);
    byte(machine == Machine::mips ? bits >> 8 : bits & 0xFF);
    byte(machine == Machine::mips ? bits & 0xFF : bits >> 8);
  }
  void real(double value) {
    if (value == 0.0) value = 0.0;  // a DEC knows no -0
    // DEC: the same bits of four times the value, high word first, each of them little-endian.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(machine == Machine::dec ? 4.0 * value : value));
    const int high = static_cast<int>(bits >> 16), low = static_cast<int>(bits & 0xFFFF);
    word(machine == Machine::intel ? low : high);
    word(machine == Machine::intel ? high : low);
  }
  void pad() { bytes.resize((bytes.size() + 511) / 512 * 512, '\0'); }

  void group(int number, const std::string& name) {
    byte(static_cast<int>(name.size()));
    byte(-number);
    bytes += name;
    word(3);
    byte(0);
  }
  template <class Values>
  void parameter(int group, const std::string& name, int type, const std::vector<int>& dimensions, Values values) {
    byte(-static_cast<int>(name.size()));  // locked
    byte(group);
    bytes += name;
    int size = type < 0 ? 1 : type;
    for (const int dimension : dimensions) size *= dimension;
    word(2 + 2 + static_cast<int>(dimensions.size()) + size + 1);
    byte(type);
    byte(static_cast<int>(dimensions.size()));
    for (const int dimension : dimensions) byte(dimension);
    values();
    byte(0);
  }
  void text(int group, const std::string& name, const std::string& value) {
    parameter(group, name, -1, {static_cast<int>(value.size())}, [&] { bytes += value; });
  }

  double signed_scale() const { return integers ? scale : -scale; }
  Vec3 point(int frame, int m) const { return {1.5 * frame, -20.25 * m - frame, 100.0 + 0.75 * m * frame}; }
  bool seen(int frame, int m) const { return frame != 2 || m != 1; }

  std::string make() {
    bytes.clear();
    byte(2);
    byte(0x50);
    word(points);
    word(analog);
    word(actual_fields ? 1 : first);
    word(actual_fields ? 65535 : first + frames - 1);
    word(0);
    real(signed_scale());
    word(4);
    word(analog / 2);
    real(50.0);
    pad();
    byte(1);
    byte(0x50);
    byte(2);
    byte(static_cast<int>(machine));
    group(1, "POINT");
    group(2, "Analog");
    if (!header_only) {
      parameter(1, "USED", 2, {}, [&] { word(points); });
      parameter(1, "Scale", 4, {}, [&] { real(signed_scale()); });
      parameter(1, "RATE", 4, {}, [&] { real(50.0); });
      parameter(1, "DATA_START", 2, {1}, [&] { word(4); });
      parameter(1, "FRAMES", 2, {}, [&] { word(actual_fields ? -1 : frames); });
    }
    text(1, "UNITS", units);
    text(1, "Y_SCREEN", up);
    parameter(1, "LABELS", -1, {6, static_cast<int>(labels.size())}, [&] {
      for (std::string label : labels) {
        label.resize(6, ' ');
        bytes += label;
      }
    });
    parameter(2, "USED", 2, {}, [&] { word(analog > 0 ? 2 : 0); });
    if (actual_fields) {
      group(3, "TRIAL");
      for (const char* name : {"ACTUAL_START_FIELD", "ACTUAL_END_FIELD"})
        parameter(3, name, 2, {2}, [&] {
          const int value = std::string_view(name).find("END") == std::string_view::npos ? first : first + frames - 1;
          word(value & 0xFFFF);
          word(value >> 16);
        });
    }
    byte(0);
    bytes.resize(3 * 512, '\0');
    for (int k = 0; k < frames; ++k) {
      for (int m = 0; m < points; ++m) {
        for (int i = 0; i < 3; ++i) number(seen(k, m) ? point(k, m)[i] / (integers ? scale : 1.0) : 0.0);
        number(seen(k, m) ? 3 : -1);
      }
      for (int a = 0; a < analog; ++a) number(-1000 - a);
    }
    return bytes;
  }
  void number(double value) {
    if (integers)
      word(static_cast<int>(value));
    else
      real(value);
  }
};

TEST(C3d, AllProcessorsAndNumberTypesGiveTheSamePoints) {
  for (const Machine machine : {Machine::intel, Machine::dec, Machine::mips})
    for (const bool integers : {false, true})
      for (const int analog : {0, 6})
        for (const bool header_only : {false, true}) {
          Synthetic file;
          file.machine = machine;
          file.integers = integers;
          file.analog = analog;
          file.header_only = header_only;
          SCOPED_TRACE(std::to_string(static_cast<int>(machine)) + " " + std::to_string(integers) +
                       std::to_string(analog));
          const Content content = c3d(file.make());
          const Markers& markers = *content.markers;
          EXPECT_EQ(markers.names, file.labels);
          EXPECT_EQ(markers.frames(), 4);
          EXPECT_EQ(markers.first_frame, 7);
          EXPECT_EQ(markers.rate, 50.0);
          EXPECT_EQ(content.space.metres_per_unit, 0.01);
          EXPECT_EQ(has_note(content, "analog samples are not read: 6 per frame"), analog > 0);
          for (int k = 0; k < 4; ++k)
            for (int m = 0; m < 3; ++m) {
              ASSERT_EQ(markers.seen(k, m), file.seen(k, m));
              if (!file.seen(k, m)) continue;
              const Vec3 x = file.point(k, m);
              EXPECT_LT((markers.position(k, m) - 0.01 * Vec3(x.x(), x.z(), -x.y())).norm(), 1e-14);
            }
        }
}

TEST(C3d, NumbersOfADec) {
  Synthetic file;
  file.machine = Machine::dec;
  file.points = 1;
  file.frames = 1;
  file.labels = {"a"};
  std::string bytes = file.make();
  // 1.0 is 0x4080, 0x0000 on a VAX; the largest is 0x7FFF, 0xFFFF; 0x8000 is no number.
  bytes.replace(3 * 512, 12, std::string("\x80\x40\x00\x00\xFF\x7F\xFF\xFF\x80\xC0\x00\x00", 12));
  const Markers markers = *c3d(bytes, {.metres_per_unit = 1.0, .up = Up::y}).markers;
  EXPECT_EQ(markers.position(0, 0), Vec3(1.0, std::ldexp(1.0 - 0x1p-24, 127), -1.0));
  bytes.replace(3 * 512, 4, std::string("\x00\x80\x00\x00", 4));
  EXPECT_FALSE(c3d(bytes).markers->seen(0, 0));
}

TEST(C3d, AxesUnitsAndLabels) {
  Synthetic file;
  file.up = "+Y";
  EXPECT_EQ(c3d(file.make()).space.up, Up::y);
  EXPECT_EQ(c3d(file.bytes, {.up = Up::z}).space.up, Up::z);
  file.up = "-X";
  EXPECT_TRUE(has_note(c3d(file.make()), "POINT:Y_SCREEN is \"-x\""));
  file.units = "";
  const Content unstated = c3d(file.make());
  EXPECT_FALSE(unstated.space.unit_is_stated);
  EXPECT_EQ(unstated.space.metres_per_unit, 0.001);
  file.units = "yards";
  EXPECT_EQ(c3d(file.make(), {.metres_per_unit = 2.0}).space.metres_per_unit, 2.0);
  file.labels = {"heel", "heel"};
  const Content named = c3d(file.make(), {.metres_per_unit = 2.0});
  EXPECT_EQ(named.markers->names, (std::vector<std::string>{"heel", "heel_2", "marker"}));
  EXPECT_TRUE(has_note(named, "3 points, but 2 labels"));
  EXPECT_TRUE(has_note(named, "get a number"));
}

TEST(C3d, RecordingsOfMoreThan65535Frames) {
  Synthetic file;
  file.points = 1;
  file.labels = {"a"};
  file.integers = true;
  file.scale = 100.0;
  file.first = 70'000;
  file.frames = 66'000;
  file.actual_fields = true;
  const Content content = c3d(file.make());
  EXPECT_EQ(content.markers->first_frame, 70'000);
  EXPECT_EQ(content.markers->frames(), 66'000);
}

TEST(C3d, ContradictionsAreNoted) {
  Synthetic file;
  std::string bytes = file.make();
  const std::size_t frames = bytes.find("FRAMES") + 10;
  bytes[frames] = 9;
  EXPECT_TRUE(has_note(c3d(bytes), "POINT:FRAMES is 9"));
  bytes = file.make();
  bytes[15] = 0x3F;  // the scale's sign in the header
  EXPECT_TRUE(has_note(c3d(bytes), "POINT:SCALE is -0.25"));
}

TEST(C3d, EveryPrefixGivesMarkersOrAnError) {
  Synthetic file;
  file.analog = 4;
  const std::string synthetic = file.make();
  for (std::size_t size = 0; size < synthetic.size(); size += law::whole_or_quick(1u, 5u)) {
    const Expected<Content> content = read_c3d(std::string_view(synthetic).substr(0, size), "p");
    ASSERT_FALSE(content) << size;
    EXPECT_TRUE(content.error().where.starts_with("p: byte ")) << content.error().text();
  }
  const std::string walk = read_sample(data / "c3d" / "02_01.c3d");
  for (std::size_t size = 0; size < walk.size(); size += size < 12 * 512 + 700 ? law::whole_or_quick(1u, 11u) : 9973u)
    EXPECT_FALSE(read_c3d(std::string_view(walk).substr(0, size), "p")) << size;
}

// Whatever byte is wrong: markers, or a diagnostic.
TEST(C3d, AnyCorruptByteGivesMarkersOrAnError) {
  Synthetic file;
  file.analog = 4;
  file.machine = Machine::mips;
  std::string bytes = file.make();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at == 24) at = 512;
    if (at == 900) at = 1536;
    for (const int value : {0, 1, 0x7F, 0x80, 0xFF}) {
      const char before = std::exchange(bytes[at], static_cast<char>(value));
      const Expected<Content> content = read_c3d(bytes, "b");
      EXPECT_TRUE(content ? content->markers.has_value() : !content.error().found.empty());
      bytes[at] = before;
    }
  }
}

}  // namespace marker_test
}  // namespace limber
