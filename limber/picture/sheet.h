// The parts of a strip, and their shared data.
#pragma once

#include <string>
#include <vector>

#include "limber/picture/course.h"
#include "limber/picture/plot.h"
#include "limber/picture/strip.h"

namespace limber::picture {

// A motion prepared for drawing. The referenced objects must outlive it.
struct Sheet {
  const Figure& figure;
  const MatX& poses;
  double frame_time;
  const StripOptions& options;
  Course course;
  std::vector<Trace> before;  // of the compared motion; one per trace, or none
  double before_frame_time = 0.0;
  std::vector<int> frames;   // shown
  std::vector<Body> bodies;  // in those frames

  double time(int frame) const { return frame * frame_time; }
  // Seconds between two shown frames; of a single one, the frame time.
  double spacing() const;
};

Colour trace_colour(std::size_t place);
// Of the same place in the compared motion.
Colour before_colour(std::size_t place);

// --- Frames side by side

struct Cells {
  int columns = 1, rows = 1;
  double width = 1.0, height = 1.0;  // of one cell
  Camera camera;                     // for a body with its middle above the origin, in a cell at (0, 0)
  double extent = 1.0;               // of the scene of a cell, in metres
  bool follows_up = false;           // the camera follows a body that climbs
  double total() const;
};
Cells plan_cells(const Sheet& sheet, double width);
void draw_cells(const Sheet& sheet, const Cells& cells, const Vec2& corner, Canvas& canvas);

// --- The whole motion from the side

struct Stage {
  double width = 1.0, height = 1.0;
  double legend = 0.0;  // its width, on the right
  bool narrow = false;  // leaves room for the plots beside it
  Camera camera;        // in a panel at (0, 0)
  double extent = 1.0;
};
Stage plan_stage(const Sheet& sheet, double width);
void draw_stage(const Sheet& sheet, const Stage& stage, const Vec2& corner, Canvas& canvas);

// How far a place slid along the ground during contact, in metres.
double slide(const Trace& trace, double frame_time, const std::vector<StripContact>& contacts);

}  // namespace limber::picture
