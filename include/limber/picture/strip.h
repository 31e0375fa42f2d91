// A motion on one page, for visual review: one self-contained SVG.
//
// At the top one or two rows of frames, each with the body at a common scale and a few pale bodies of the moments
// before. Below, the whole motion from the side, with the paths of chosen places. At the bottom the height of those
// places above the ground and their speed over time. During a contact the background of the plots is coloured, and a
// further plot shows the speed in contact at its own scale: a sliding foot is not at zero.
//
// Works for any figure, any size and a single frame; the same input gives the same bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// A time interval in which a place should be at rest.
struct StripContact {
  std::string place;
  double start = 0.0;  // seconds
  double end = 0.0;
};

struct StripOptions {
  int width = 1200;                         // pixels, at least 640
  int count = 12;                           // frames, evenly spaced; at most those of the motion
  std::vector<int> frames = {};             // explicit frames instead of count, ascending
  int columns = 0;                          // of the frames; 0: automatic
  int ghosts = 3;                           // pale bodies per frame
  std::vector<std::string> places = {};     // sites, segments or joints whose paths are drawn
  std::vector<StripContact> contacts = {};  // their places are drawn too
  const MatX* compare = nullptr;            // a second motion of the figure, drawn dashed
  double compare_frame_time = 0.0;          // 0: the same
  std::string compare_name = {};            // in the legend
  std::string title = {};                   // empty: the figure's name
  // Names of the shown frames, if they are poses and no motion: then there are no times, and no view from the side.
  std::vector<std::string> labels = {};
  bool frames_only = false;  // no view from the side, no plots
};

inline constexpr int max_strip_frames = 60;
inline constexpr int max_strip_places = 8;

// One column of `poses` per frame. Rejected: poses that do not fit the figure or are not finite, a frame time that is
// not above 0, unknown frames and places, contacts that end before they start, and more frames or places than fit on a
// page.
Expected<std::string> draw_strip(const Figure& figure, const MatX& poses, double frame_time,
                                 const StripOptions& options = {});

// --- The frames of a film, from a fixed camera.
//
// The camera looks from the front of the travel's side and slightly from above, and sees the whole motion, so that all
// pictures share one framing and floor.

namespace picture {
struct Camera;
}

struct FilmOptions {
  int width = 960;         // pixels, at least 320; rounded to even numbers for video codecs
  int height = 540;        // at least 240
  std::string title = {};  // empty: the figure's name
};

// Shared by all pictures of a film.
struct FilmView {
  std::shared_ptr<const picture::Camera> camera = {};
  Vec3 ground = Vec3::Zero();  // on the floor, under the centre
  double extent = 1.0;         // of the scene, in metres
  double width = 0.0, height = 0.0;
  std::string title;
};

// One column of `poses` per frame. Rejects what draw_strip() rejects.
Expected<FilmView> film_view(const Figure& figure, const MatX& poses, const FilmOptions& options = {});

// One frame, with its label ("0.25 s") in a corner. `pose` must fit the figure.
std::string draw_frame_svg(const Figure& figure, const Pose& pose, const FilmView& view, const std::string& label = "");

}  // namespace limber
