// One view of the scene: ground, grid, body, goals, joints, letters.
#pragma once

#include <string>
#include <vector>

#include "limber/body/body.h"
#include "limber/picture/camera.h"
#include "limber/picture/canvas.h"
#include "limber/picture/mark.h"

namespace limber::picture {

using body::Body;

struct JointDot {
  Vec3 at = Vec3::Zero();
  bool in_use = false;
  bool binding = false;
};

// A limit that blocks some constraint, numbered from 1 in the order of the report.
struct LimitMark {
  std::string name;
  std::vector<Vec3> at;  // joints that it acts on
};

// A triangle of a segment's object, in the world.
struct ObjectFace {
  std::array<Vec3, 3> corners;
  int segment = 0;
};

struct Scene {
  Body body;
  std::vector<ObjectFace> faces;
  std::vector<bool> segment_in_use;
  std::vector<double> heat;  // by segment; empty: usual colours
  std::vector<JointDot> joints;
  std::vector<Mark> marks;
  std::vector<LimitMark> limits;
  std::vector<std::string> constraint_names;
  std::vector<Ellipsoid> framed;  // what the views must show
  Vec3 middle = Vec3::Zero();
  double size = 1.0;    // of the figure, in metres
  double extent = 1.0;  // of `framed`
  double floor = 0.0;   // height of the ground
};

struct View {
  std::string id;  // "front"
  std::string title;
  Camera camera;
  Rect panel;
  bool names = false;  // beside the letters
};

// Appends the view as one group.
void draw_view(const Scene& scene, const View& view, Canvas& canvas);

// From green at 0 over yellow to red at 1, dark above; grey if negative.
Colour heat_colour(double heat);

// A round badge with a letter or number.
void draw_badge(const Vec2& at, const std::string& text, const Colour& colour, bool square, Canvas& canvas);

}  // namespace limber::picture
