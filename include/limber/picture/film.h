// The frames of a film: one picture after another from a camera that stands still.
//
// The camera stands before and above the side of the travel and sees the whole motion, so that all pictures have the
// same framing and floor.
#pragma once

#include <memory>
#include <string>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

namespace picture {
struct Camera;
}

struct FilmOptions {
  int width = 960;         // pixels; not below 320. Even numbers, which films ask for
  int height = 540;        // not below 240
  std::string title = {};  // empty: the figure's name
};

// What all pictures of one film share.
struct FilmView {
  std::shared_ptr<const picture::Camera> camera = {};
  Vec3 ground = Vec3::Zero();  // on the floor, under the middle
  double extent = 1.0;         // of all that is seen, in metres
  double width = 0.0, height = 0.0;
  std::string title;
};

// A column of `poses` is a frame. Rejected as draw_strip() rejects them.
Expected<FilmView> film_view(const Figure& figure, const MatX& poses, const FilmOptions& options = {});

// One frame, with its label ("0.25 s") in a corner. `pose` must be one of the figure's.
std::string draw_frame_svg(const Figure& figure, const Pose& pose, const FilmView& view, const std::string& label = "");

}  // namespace limber
