// The options of limber assess, and the assessment of a scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "limber/assess/assessment.h"

namespace limber::cli {

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
  Circumstances circumstances;
  std::string coupling = "good";
};

// "left_palm+right_palm:10kg": places that carry a load in equal parts. Nothing where the text is none.
std::optional<SharedLoad> load_argument(const std::string& text);

// The published table of the scene's sex, or the requested one, or that of a file.
std::expected<StrengthTable, Failure> strength_table(const AssessOptions& options, const Scene& scene);

// As the library takes them.
AssessmentOptions assessment_options(const AssessOptions& options, StrengthTable table);

}  // namespace limber::cli
