// Reports as JSON, with the same keys for the command-line tool and for the WebAssembly module.
//
// Each function writes members into an object that the caller has begun, so that the caller can add its own. Errors are
// in millimetres and degrees, which their keys state. doc/scene.md lists the keys.
#pragma once

#include <optional>

#include "limber/format/text/json.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/solver/goal_jacobian.h"
#include "limber/solver/report.h"

namespace limber {

// "exit", "met", "method" and the numbers of the solve; without the constraints. `met` is written in place of the
// report's own, for a caller that knows better.
void write_members(JsonWriter& out, const Report& report, std::optional<bool> met = {});
// One constraint of the report.
void write_members(JsonWriter& out, const Report& report, const ConstraintReport& constraint);

// "singular_values", "rank" and "condition", which is null in a singular pose.
void write_members(JsonWriter& out, const GoalJacobian& jacobian);

// The same of a motion, without the demands.
void write_members(JsonWriter& out, const MotionReport& report, std::optional<bool> met = {});
void write_members(JsonWriter& out, const DemandReport& demand);
// "keep_clear": what is not clear in a motion.
void write_members(JsonWriter& out, const ClearedMotion& cleared);

}  // namespace limber
