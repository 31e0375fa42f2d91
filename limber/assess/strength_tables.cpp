// Published strength of adults. Every row names its source; doc/assess.md has the full references, and which numbers
// are second-hand.
//
//   S82  Stobbe 1982, as reprinted in Chaffin, Andersson and Martin, Occupational biomechanics: 25 men and 22 women in
//        manual work, static, 5th, 50th and 95th percentile, each at one angle
//   A07  Anderson, Madigan and Nussbaum 2007, table 3, 18 to 25 years: mean and standard deviation of C1; C2 and C3
//   D96  Delp, Grierson and Buchanan 1996: ten men, mean and standard deviation
//   F14  Fice, Siegmund and Blouin 2014: nine men, mean and standard deviation
//   V01  Vasavada, Li and Delp 2001: five women, mean and standard deviation
//   K94  Koski and McGill 1994: 26 men and 25 women, static shoulder flexion at 45 degrees
#include <initializer_list>
#include <utility>

#include "limber/assess/strength.h"

namespace limber {

namespace {

constexpr double normal_95 = 1.6448536269514722;

// Mean and standard deviation of a normal distribution.
struct Normal {
  double mean, spread;
};

class Writer {
 public:
  explicit Writer(Sex sex) : is_male_(sex == Sex::male) {}

  struct Percentiles {
    double low, middle, high;
  };
  void percentiles(std::initializer_list<const char*> freedoms, int direction, Percentiles men, Percentiles women,
                   const char* source) {
    const Percentiles& own = is_male_ ? men : women;
    for (const char* freedom : freedoms)
      table_.push_back({.freedom = freedom,
                        .direction = direction,
                        .percentile_5 = own.low,
                        .percentile_50 = own.middle,
                        .percentile_95 = own.high,
                        .source = source});
  }
  void normal(const char* freedom, int direction, Normal men, Normal women, const char* source) {
    const Normal& own = is_male_ ? men : women;
    table_.push_back(row(freedom, direction, own, source));
  }
  // A07: C1 with its deviation, C2, C3.
  struct Curve {
    Normal peak;
    double c2, c3;
  };
  void curve(const char* freedom, int direction, Curve men, Curve women) {
    const Curve& own = is_male_ ? men : women;
    StrengthRow line = row(freedom, direction, own.peak, "A07");
    line.of_size = true;
    line.curve = own.c2;
    line.best_angle = own.c3;
    table_.push_back(line);
  }

  StrengthTable take() { return std::move(table_); }

 private:
  static StrengthRow row(const char* freedom, int direction, Normal own, const char* source) {
    return {.freedom = freedom,
            .direction = direction,
            .percentile_5 = own.mean - normal_95 * own.spread,
            .percentile_50 = own.mean,
            .percentile_95 = own.mean + normal_95 * own.spread,
            .source = source};
  }

  bool is_male_;
  StrengthTable table_;
};

// Chosen: D96 measured men only. Women's wrists gave 0.64 of men's torque in an isokinetic study of 20 and 20 (J.
// Funct. Morphol. Kinesiol. 2025, 10, 377).
constexpr double female_wrist_ratio = 0.64;
Normal female_wrist(Normal men) { return {female_wrist_ratio * men.mean, female_wrist_ratio * men.spread}; }

void add_arm(Writer& out) {
  // Chosen: the spread of K94's means is that of S82's abduction; women have half (K94).
  out.percentiles({"glenohumeral.elevation", "shoulder.elevation"}, 1, {41.5, 68.6, 97.6}, {13.9, 34.3, 52.8}, "K94");
  out.percentiles({"glenohumeral.abduction", "shoulder.abduction"}, 1, {43, 71, 101}, {15, 37, 57}, "S82");
  out.percentiles({"glenohumeral.abduction", "shoulder.abduction"}, -1, {35, 67, 115}, {13, 30, 54}, "S82");
  out.percentiles({"glenohumeral.twist", "shoulder.twist"}, 1, {28, 52, 83}, {9, 21, 33}, "S82");
  out.percentiles({"glenohumeral.twist", "shoulder.twist"}, -1, {23, 33, 51}, {13, 19, 28}, "S82");
  out.percentiles({"elbow.flexion"}, 1, {42, 77, 111}, {16, 41, 55}, "S82");
  out.percentiles({"elbow.flexion"}, -1, {31, 46, 67}, {9, 27, 39}, "S82");
  constexpr Normal flexion = {12.2, 3.7}, extension = {7.1, 2.1}, radial = {11.0, 2.0}, ulnar = {9.5, 2.2};
  out.normal("wrist.flexion", 1, flexion, female_wrist(flexion), "D96");
  out.normal("wrist.flexion", -1, extension, female_wrist(extension), "D96");
  out.normal("wrist.deviation", 1, radial, female_wrist(radial), "D96");
  out.normal("wrist.deviation", -1, ulnar, female_wrist(ulnar), "D96");
}

// The torso's strength was measured about the hips and the lower back: it counts at the lowest joint of the spine.
void add_trunk(Writer& out) {
  out.percentiles({"L5.forward", "torso_1.forward"}, 1, {89, 143, 216}, {49, 75, 161}, "S82");
  out.percentiles({"L5.forward", "torso_1.forward"}, -1, {164, 234, 503}, {71, 184, 371}, "S82");
  for (const int side : {1, -1})
    out.percentiles({"L5.lateral", "torso_1.lateral"}, side, {95, 159, 261}, {50, 94, 162}, "S82");
  out.normal("neck.flexion", 1, {30, 6}, {15, 4}, "F14, V01");
  out.normal("neck.flexion", -1, {51, 11}, {21, 12}, "F14, V01");
  for (const int side : {1, -1}) {
    out.normal("neck.lateral", side, {32, 9}, {16, 8}, "F14, V01");
    out.normal("neck.axial", side, {13, 5}, {6, 3}, "F14, V01");
  }
}

void add_leg(Writer& out) {
  out.curve("hip.flexion", 1, {{0.113, 0.025}, 0.738, -0.214}, {{0.127, 0.033}, 0.650, -0.350});
  out.curve("hip.flexion", -1, {{0.161, 0.049}, 0.958, 0.932}, {{0.181, 0.047}, 0.697, 1.242});
  out.curve("knee.flexion", 1, {{0.087, 0.015}, 0.869, 0.522}, {{0.080, 0.015}, 0.873, 0.635});
  out.curve("knee.flexion", -1, {{0.163, 0.040}, 1.258, 1.133}, {{0.159, 0.028}, 1.187, 1.274});
  out.curve("ankle.flexion", 1, {{0.033, 0.005}, 1.510, -0.187}, {{0.027, 0.006}, 1.079, -0.302});
  out.curve("ankle.flexion", -1, {{0.095, 0.022}, 1.391, 0.408}, {{0.104, 0.034}, 1.399, 0.424});
}

}  // namespace

StrengthTable human_strength(Sex sex) {
  Writer out(sex);
  add_arm(out);
  add_trunk(out);
  add_leg(out);
  return out.take();
}

}  // namespace limber
