// The attachment of markers to a figure, as JSON. doc/track.md has every field.
//
//   {"limber": "markers 1", "turn_deg": 90,
//    "markers": {"LANK": {"place": "ltibia", "at": [0.01, -0.05, 0.02]}, …}}
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/motion/markers.h"

namespace limber {

// `file_name` is for messages. The places are not checked against a figure.
Expected<MarkerSet> read_marker_set(std::string_view text, const std::string& file_name);
std::string write_marker_set(const MarkerSet& set);

}  // namespace limber
