// The full assessment of a pose in one call: loads, torques against strength, comfort, RULA and REBA.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/assess/comfort.h"
#include "limber/assess/posture.h"
#include "limber/assess/strength.h"

namespace limber {

// --- Comfort and load per parameter, one row each; and both per segment, for colours.
//
// An ungrouped parameter shows the torque of its freedom. A group parameter drives several freedoms: its row shows one
// with the parameter's own name, preferably one with a known strength, and among these the one that it turns most. So
// spine.forward shows the torque at the lowest vertebra, and shoulder.elevation that of the glenohumeral joint.

struct JointRow {
  int parameter = 0;
  double angle = 0.0;    // θ, radians
  double comfort = 1.0;  // 1 - d, not below 0; 1 for a parameter without two limits
  JointLoad load;        // of the shown freedom
};

// For all parameters that drive a freedom of `loads`, in the order of the figure.
std::vector<JointRow> joint_rows(const Figure& figure, const Pose& pose, const JointComfort& comfort,
                                 const std::vector<JointLoad>& loads);

// The max discomfort, and the max share, at the joint that carries a segment; -1 without a freedom that counts, or with
// a strength. A freedom held at the end of its range has share 0.
std::vector<double> discomfort_by_segment(const Figure& figure, const Pose& pose, const JointComfort& comfort);
std::vector<double> share_by_segment(const Figure& figure, const std::vector<JointLoad>& loads);

// A load carried at places of the figure in equal parts.
struct SharedLoad {
  std::vector<std::string> places;  // sites, segments or joints
  double mass = 0.0;                // kg
};

// The support of the body; `usual` is usual_feet(), or the root if the person sits.
enum class CarriedBy { usual, feet, root };

// Rejected: a load without a place or at an unknown one.
Expected<StaticLoadOptions> carried_load(const Figure& figure, const std::vector<SharedLoad>& loads,
                                         CarriedBy carried_by);

// Observations that a pose does not show, for RULA and REBA.
struct Circumstances {
  bool held = false;      // longer than a minute
  bool repeated = false;  // more than four times a minute
  bool shock = false;
  bool sitting = false;  // on a seat with a backrest
  bool arm_supported = false;
  Coupling coupling = Coupling::good;
};

// Translated to the options of each method; `load` in kg.
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
  double load_mass = 0.0;  // kg, of all loads
  StaticLoadOptions carried;
  StaticLoad load;
  std::vector<JointLoad> joints;
  std::vector<JointRow> rows;
  double discomfort = 0.0;                      // D
  std::vector<double> discomfort_heat;          // discomfort_by_segment()
  std::vector<double> share_heat;               // share_by_segment()
  std::vector<std::string> carriers;            // the loaded places; else both palms, if the figure has them
  MaxLoad max_load;                             // at the carriers, in place of the given loads
  std::optional<Scores> left = {}, right = {};  // none if the figure lacks a required place
  std::string no_scores = {};                   // the reason
};

// Rejected: a load without a place or at an unknown one, and invalid input of static_load() and joint_loads(). `pose`
// must be a pose of the figure.
Expected<Assessment> assess(const Figure& figure, const Pose& pose, const AssessmentOptions& options);

// The parameter whose row shows a freedom; -1 if none.
int parameter_that_shows(const std::vector<JointRow>& rows, int freedom);

}  // namespace limber
