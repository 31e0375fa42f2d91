// What limber assess finds out of a scene, before anything is printed or drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "limber/assess/by_joint.h"
#include "limber/assess/reba.h"
#include "limber/assess/rula.h"

namespace limber::cli {

// "left_palm+right_palm:10kg": places that carry a load in equal parts.
struct LoadArgument {
  std::vector<std::string> places;
  double mass = 0.0;
};

struct AssessOptions {
  std::string scene;
  std::string figure;
  std::string output;
  std::string colour = "load";
  bool as_it_is = false;
  bool all = false;
  bool json = false;
  std::vector<std::string> load_texts;
  std::string carried_by;  // "feet", "root"; empty: as the figure stands
  std::string sex;         // empty: the scene's
  std::string strength;    // a file; empty: the published one
  double percentile = 50.0;
  RulaOptions rula;
  RebaOptions reba;
  bool is_held = false, is_repeated = false, shock = false, sitting = false, arm_supported = false;
  std::string coupling = "good";
};

// All that is found out of a scene.
struct Assessment {
  double body_mass = 0.0;
  double hung_mass = 0.0;
  std::vector<LoadArgument> arguments;
  StaticLoadOptions options;
  StaticLoad load;
  StrengthTable table;
  std::vector<JointLoad> joints;
  std::vector<JointRow> rows;
  double discomfort = 0.0;
  std::vector<double> discomfort_heat, share_heat;
  std::vector<std::string> carriers;  // of the largest load
  LargestLoad largest;
  std::optional<BodyAngles> angles;
  std::string no_angles;  // why there are none
};

// Nothing where the text is none.
std::optional<LoadArgument> load_argument(const std::string& text);

// The published table of the scene's sex, or the one asked for, or that of a file.
std::expected<StrengthTable, Failure> strength_table(const AssessOptions& options, const Scene& scene);

// Of the scene's pose. Refused: a load at a place that the figure does not have.
Expected<Assessment> assess(const Scene& scene, const AssessOptions& options, StrengthTable table);

}  // namespace limber::cli
