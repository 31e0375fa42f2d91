// The options of limber assess, and what the library needs of them.
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

// "left_palm+right_palm:10kg": places that share a load equally. Nothing if the text is not of that form.
std::optional<SharedLoad> load_argument(const std::string& text);

// The published table for the scene's sex or for the one given, or that of a file.
std::expected<StrengthTable, Failure> strength_table(const AssessOptions& options, const Scene& scene);

// As the library needs them.
AssessmentOptions assessment_options(const AssessOptions& options, StrengthTable table);

}  // namespace limber::cli
