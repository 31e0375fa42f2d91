// SVG as text: shapes in pixels, y down. Every number and name in the file passes through here, so that the file is
// well formed for any figure: only finite numbers, no raw '&' or '<'.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace limber::picture {

using Vec2 = Eigen::Vector2d;

struct Colour {
  double red = 0.0, green = 0.0, blue = 0.0;  // 0 to 255
};

// t = 0 gives a, t = 1 gives b.
Colour mix(const Colour& a, const Colour& b, double t);
std::string hex(const Colour& colour);

// Attributes of a filled shape, and of a line with round ends.
std::string fill(const Colour& colour);
std::string stroke(const Colour& colour, double width);
// For text that is legible on any background.
inline constexpr std::string_view halo =
    " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";

// A coordinate in pixels; 0 if not finite, clamped if far outside.
std::string pixels(double value);

// For XML: escapes markup, and replaces characters that XML 1.0 forbids and invalid UTF-8 by '?'.
std::string escaped(std::string_view text);

// An upper bound for common sans-serif fonts, in pixels.
double text_width(std::string_view text, double size);
// The text, shortened in the middle to at most `width`.
std::string fitted(std::string_view text, double size, double width);

// A length in metres, for people: "120 mm", "1.5 km".
std::string length_text(double metres, int digits);

// The largest of 1, 2, 5 times a power of ten that is at most value > 0.
double round_step(double value);

struct Rect {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

  Vec2 centre() const { return {x + 0.5 * width, y + 0.5 * height}; }
  bool contains(const Rect& other) const;
  bool overlaps(const Rect& other) const;
  Rect shrunk(double by) const { return {x + by, y + by, width - 2.0 * by, height - 2.0 * by}; }
};

// Shapes are painted in order. `style` is a list of SVG attributes.
class Canvas {
 public:
  // The head of the file, with shared definitions, on white; close("svg") ends it.
  void open_page(double width, double height, std::string_view title);
  void open(std::string_view tag, std::string_view attributes);
  void close(std::string_view tag);
  void line(const Vec2& a, const Vec2& b, std::string_view style);
  void circle(const Vec2& centre, double radius, std::string_view style);
  void rect(const Rect& rect, std::string_view style);
  void polygon(const std::vector<Vec2>& points, std::string_view style);
  // Several at once, filled as one; with paint-order="stroke" only their common outline is visible.
  void polygons(const std::vector<std::vector<Vec2>>& list, std::string_view style);
  void polyline(const std::vector<Vec2>& points, std::string_view style);
  void text(const Vec2& at, double size, std::string_view content, std::string_view style);
  void raw(std::string_view markup) { out_ += markup; }

  std::string take() { return std::move(out_); }

 private:
  void subpath(const std::vector<Vec2>& points, bool closed);

  std::string out_;
};

}  // namespace limber::picture
