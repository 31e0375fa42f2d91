// A table of strength (assess/strength.h) as JSON:
//
//   {"limber": "strength 1",
//    "rows": [{"freedom": "elbow.flexion", "direction": "+", "torque": [42, 77, 111], "source": "…"}, …]}
//
// "torque" in N m: the 5th, 50th and 95th percentile, or one number for all. With "of_size": true it is relative to
// weight times stature; "curve" and "best_angle" (degrees) are those of S(q) = S cos(curve (q - best_angle)).
#pragma once

#include <string>
#include <string_view>

#include "limber/assess/strength.h"
#include "limber/base/diagnostic.h"

namespace limber {

// `file_name` is for messages.
Expected<StrengthTable> read_strength(std::string_view text, const std::string& file_name);
std::string write_strength(const StrengthTable& table);

}  // namespace limber
