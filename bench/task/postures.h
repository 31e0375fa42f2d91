// The postures of ZB94 and ZB89 as scenes of example/scene.
#pragma once

#include <expected>
#include <string>

#include "bench/task/task.h"

namespace limber::bench {

struct PaperPosture {
  const char* scene;
  const char* figure;      // of the paper
  const char* task;        // in words
  const char* paper_time;  // as the paper prints it
};

inline constexpr PaperPosture paper_postures[] = {
    {"tube", "ZB94 Fig. 3 left", "look down a tube, vertebrae grouped", "about 5 s"},
    {"tube_independent", "ZB94 Fig. 3 right", "the same, vertebrae independent", "about 15 s"},
    {"zb94_fig6", "ZB94 Fig. 6", "palm to a box face, from the shoulder: out of reach", "-"},
    {"zb94_fig7", "ZB94 Fig. 7", "the same from the waist: awkward", "-"},
    {"zb94_fig8", "ZB94 Fig. 8", "the same with rigidity 0.5 on bending sideways and turning: natural", "about 2 s"},
    {"zb89_fig4", "ZB89 Fig. 4", "two elbows and two hands, from the clavicles", "2.6 s"},
    {"zb89_fig5", "ZB89 Fig. 5", "two hands to a bar out of reach, from the waist", "13 s"},
    {"zb89_fig7", "ZB89 Fig. 7", "deliver a box upright", "2 s"},
};

// From data/scene, or from example/scene beside the data.
std::expected<cli::Loaded, Failure> load_posture(const std::string& data, const PaperPosture& posture);

// Solves several times from the scene's pose. The pose and the report are those of the last solve.
struct SolvedPosture {
  Pose pose;
  Report report;
  double microseconds;  // min
};
SolvedPosture solve_posture(const cli::Loaded& loaded, const Options& options, int max_solves, double max_microseconds);

// The max over all constraints.
GoalError max_error(const Report& report);

}  // namespace limber::bench
