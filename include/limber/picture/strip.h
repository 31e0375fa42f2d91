// A motion on one page, so that a person can judge it: one self-contained SVG.
//
// At the top a row or two of frames, each with the body at one scale and a few pale bodies of the moments before.
// Below, the whole motion from the side, its travel across the page, with the paths of chosen places. At the foot the
// height of those places above the ground and their speed over time. Where a place should rest (a contact) the ground
// of the plots is coloured, and one more plot shows its speed there at a scale of its own: a foot that slides is not at
// zero.
//
// Works for any figure, any size and a single frame; the same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// A stretch of time in which a place should rest.
struct StripContact {
  std::string place;
  double start = 0.0;  // seconds
  double end = 0.0;
};

struct StripOptions {
  int width = 1200;                         // pixels; not below 640
  int count = 12;                           // frames, evenly spaced; fewer where the motion has fewer
  std::vector<int> frames = {};             // these in place of count, ascending
  int columns = 0;                          // of the frames; 0: as many as suit
  int ghosts = 3;                           // pale bodies a frame
  std::vector<std::string> places = {};     // sites, segments or joints whose paths are drawn
  std::vector<StripContact> contacts = {};  // their places are drawn too
  const MatX* compare = nullptr;            // a second motion of the figure, whose paths and curves are dashed
  double compare_frame_time = 0.0;          // 0: the same
  std::string compare_name = {};            // in the legend
  std::string title = {};                   // empty: the figure's name
};

inline constexpr int max_strip_frames = 60;
inline constexpr int max_strip_places = 8;

// A column of `poses` is a frame. Rejected: poses of another figure or that are not finite, a frame time that is not
// above 0, frames and places that there are not, contacts that end before they start, more frames or places than a page
// can show.
Expected<std::string> draw_strip(const Figure& figure, const MatX& poses, double frame_time,
                                 const StripOptions& options = {});

}  // namespace limber
