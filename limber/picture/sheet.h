// The parts of a strip, and what they share.
#pragma once

#include <string>
#include <vector>

#include "limber/picture/course.h"
#include "limber/picture/plot.h"
#include "limber/picture/strip.h"

namespace limber::picture {

// A motion made ready to be drawn. What it refers to must outlive it.
struct Sheet {
  const Figure& figure;
  const MatX& poses;
  double frame_time;
  const StripOptions& options;
  Course course;
  std::vector<Trace> before;  // of the motion to compare with; as many as traces, or none
  double before_frame_time = 0.0;
  std::vector<int> frames;   // that are shown
  std::vector<Body> bodies;  // in them

  double time(int frame) const { return frame * frame_time; }
  // Between two shown frames, in seconds; of a single frame, its own.
  double spacing() const;
};

Colour trace_colour(std::size_t place);
// Of the same place in the motion to compare with.
Colour before_colour(std::size_t place);

// --- Frames side by side

struct Cells {
  int columns = 1, rows = 1;
  double width = 1.0, height = 1.0;  // of one
  Camera camera;                     // of a body whose middle stands over the origin, in a cell at (0, 0)
  double extent = 1.0;               // of what a cell shows, in metres
  bool follows_up = false;           // a body that climbs out of its cell
  double total() const;
};
Cells plan_cells(const Sheet& sheet, double width);
void draw_cells(const Sheet& sheet, const Cells& cells, const Vec2& corner, Canvas& canvas);

// --- The whole motion from the side

struct Stage {
  double width = 1.0, height = 1.0;
  double legend = 0.0;  // its width, at the right
  bool narrow = false;  // there is room beside it
  Camera camera;        // in a panel at (0, 0)
  double extent = 1.0;
};
Stage plan_stage(const Sheet& sheet, double width);
void draw_stage(const Sheet& sheet, const Stage& stage, const Vec2& corner, Canvas& canvas);

// How far a place went along the ground while it should have rested, in metres.
double slide(const Trace& trace, double frame_time, const std::vector<StripContact>& contacts);

}  // namespace limber::picture
