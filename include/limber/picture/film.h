// The frames of a film, from a fixed camera.
//
// The camera looks from the front of the travel's side and slightly from above, and sees the whole motion, so that all
// pictures share one framing and floor.
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
