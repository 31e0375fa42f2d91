// All that a pose asks of a body, gathered in one call: loads, torques against strength, comfort, RULA and REBA.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/assess/by_joint.h"
#include "limber/assess/reba.h"
#include "limber/assess/rula.h"

namespace limber {

// What hangs at places of the figure, in equal parts.
struct SharedLoad {
  std::vector<std::string> places;  // sites, segments or joints
  double mass = 0.0;                // kg
};

// What carries the body; `usual` is usual_feet(), or the root of one that sits.
enum class CarriedBy { usual, feet, root };

// What an observer knows and a pose does not show, of both methods.
struct Circumstances {
  bool held = false;      // longer than a minute
  bool repeated = false;  // more than four times a minute
  bool shock = false;
  bool sitting = false;  // with a back
  bool arm_supported = false;
  Coupling coupling = Coupling::good;
};

// The same in the words of each method; `load` in kg.
RulaOptions rula_options(const Circumstances& circumstances, double load);
RebaOptions reba_options(const Circumstances& circumstances, double load);

struct AssessmentOptions {
  std::vector<SharedLoad> loads = {};
  CarriedBy carried_by = CarriedBy::usual;
  StrengthTable table = human_strength(Sex::male);
  StrengthOptions strength = {};
  Circumstances circumstances = {};
};

struct Scores {
  RulaScore rula;
  RebaScore reba;
};

struct Assessment {
  double body_mass = 0.0;  // kg
  double hung_mass = 0.0;  // of all loads
  StaticLoadOptions carried;
  StaticLoad load;
  std::vector<JointLoad> joints;
  std::vector<JointRow> rows;
  double discomfort = 0.0;                      // D
  std::vector<double> discomfort_heat;          // discomfort_by_segment()
  std::vector<double> share_heat;               // share_by_segment()
  std::vector<std::string> carriers;            // the places that are loaded; else both palms, where there are some
  LargestLoad largest;                          // at the carriers, in place of what hangs there
  std::optional<Scores> left = {}, right = {};  // none where the figure lacks a place that they are measured at
  std::string no_scores = {};                   // why
};

// Rejected: a load at no place or at one that the figure does not have, and what static_load() and joint_loads()
// reject. `pose` must be one of the figure's.
Expected<Assessment> assess(const Figure& figure, const Pose& pose, const AssessmentOptions& options);

// The parameter whose row shows a freedom; -1 where none does.
int parameter_that_shows(const std::vector<JointRow>& rows, int freedom);

}  // namespace limber
