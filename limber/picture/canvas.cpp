#include "limber/picture/canvas.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"

namespace limber::picture {

namespace {

constexpr double max_pixels = 1e5;  // beyond any picture, within any viewer's range

struct Letter {
  std::size_t bytes = 1;
  bool valid = false;
};

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// The UTF-8 sequence at the start of `text`, which is not empty.
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80u) return {1, lead >= 0x20u && lead != 0x7Fu};
  const std::size_t bytes = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : 2;
  if (lead < 0xC2u || lead > 0xF4u || text.size() < bytes) return {};
  for (std::size_t k = 1; k < bytes; ++k)
    if (!continuation(text[k])) return {};
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xE0u && second < 0xA0u) || (lead == 0xF0u && second < 0x90u);
  const bool surrogate = lead == 0xEDu && second >= 0xA0u;
  const bool beyond = lead == 0xF4u && second >= 0x90u;
  const bool non_character = lead == 0xEFu && second == 0xBFu && static_cast<unsigned char>(text[2]) >= 0xBEu;
  if (overlong || surrogate || beyond || non_character) return {};
  return {bytes, true};
}

// Relative to the font size.
double letter_width(std::string_view letter) {
  const char c = letter[0];
  if (letter.size() > 2) return 1.0;
  if (std::string_view("ijl.,:;'|!ft()[] I").find(c) != std::string_view::npos) return 0.40;
  if (std::string_view("mwMW%@&<").find(c) != std::string_view::npos) return 1.0;
  if (c >= 'A' && c <= 'Z') return 0.76;
  return 0.63;
}

std::vector<std::string_view> letters(std::string_view text) {
  std::vector<std::string_view> list;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    list.push_back(text.substr(0, letter.bytes));
    text.remove_prefix(letter.bytes);
  }
  return list;
}

}  // namespace

Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

std::string hex(const Colour& colour) {
  const char* digits = "0123456789abcdef";
  std::string text = "#";
  for (const double channel : {colour.red, colour.green, colour.blue}) {
    const auto value =
        static_cast<std::size_t>(std::lround(std::isfinite(channel) ? std::clamp(channel, 0.0, 255.0) : 0.0));
    text += digits[value / 16];
    text += digits[value % 16];
  }
  return text;
}

std::string fill(const Colour& colour) { return "fill=\"" + hex(colour) + "\""; }

std::string stroke(const Colour& colour, double width) {
  return "fill=\"none\" stroke=\"" + hex(colour) +
         "\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-width=\"" + to_text(width) + "\"";
}

std::string pixels(double value) {
  if (!std::isfinite(value)) return "0";
  value = std::round(10.0 * std::clamp(value, -max_pixels, max_pixels)) / 10.0;
  return to_text(value == 0.0 ? 0.0 : value);  // no "-0"
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const std::string_view letter : letters(text)) {
    if (!first_letter(letter).valid)
      out += '?';
    else if (letter == "&")
      out += "&amp;";
    else if (letter == "<")
      out += "&lt;";
    else if (letter == ">")
      out += "&gt;";
    else if (letter == "\"")
      out += "&quot;";
    else
      out += letter;
  }
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0.0;
  for (const std::string_view letter : letters(text)) width += size * letter_width(letter);
  return width;
}

std::string fitted(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  const std::vector<std::string_view> all = letters(text);
  const std::string dots = "…";
  double remaining = width - text_width(dots, size);
  std::string head, tail;
  // From both ends inward, the head first: names differ most often at their ends.
  for (std::size_t i = 0, j = all.size(); i < j;) {
    const bool front = head.size() <= tail.size();
    const std::string_view letter = front ? all[i] : all[j - 1];
    remaining -= size * letter_width(letter);
    if (remaining < 0.0) break;
    if (front) {
      head += letter;
      ++i;
    } else {
      tail.insert(0, letter);
      --j;
    }
  }
  return head + dots + tail;
}

std::string length_text(double metres, int digits) {
  if (!std::isfinite(metres)) return "?";
  const double size = std::fabs(metres);
  if (size >= 1e6) return to_text(metres / 1e3) + " km";
  if (size >= 1e3) return to_text(metres / 1e3, digits) + " km";
  if (size >= 10.0) return to_text(metres, digits) + " m";
  if (size >= 1e-5 || size == 0.0) return to_text(1e3 * metres, digits) + " mm";
  return to_text(1e6 * metres, digits) + " µm";
}

double round_step(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double lead = value / power;
  return power * (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0);
}

bool Rect::contains(const Rect& other) const {
  return other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height;
}

bool Rect::overlaps(const Rect& other) const {
  return other.x < x + width && x < other.x + other.width && other.y < y + height && y < other.y + other.height;
}

void Canvas::open_page(double width, double height, std::string_view title) {
  const std::string w = pixels(width), h = pixels(height);
  open("svg", "xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " +
                  h + "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\"");
  raw("<title>" + escaped(title) + "</title>\n");
  raw("<defs>\n<linearGradient id=\"sky\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" "
      "stop-color=\"#f2f6fa\"/>"
      "<stop offset=\"1\" stop-color=\"#fdfdfe\"/></linearGradient>\n"
      "<filter id=\"soft\"><feGaussianBlur stdDeviation=\"4\"/></filter>\n</defs>\n");
  rect({0.0, 0.0, width, height}, "fill=\"#ffffff\"");
}

void Canvas::open(std::string_view tag, std::string_view attributes) {
  out_ += '<';
  out_ += tag;
  if (!attributes.empty()) out_ += ' ';
  out_ += attributes;
  out_ += ">\n";
}

void Canvas::close(std::string_view tag) {
  out_ += "</";
  out_ += tag;
  out_ += ">\n";
}

void Canvas::line(const Vec2& a, const Vec2& b, std::string_view style) { polyline({a, b}, style); }

void Canvas::circle(const Vec2& centre, double radius, std::string_view style) {
  out_ += "<circle cx=\"" + pixels(centre.x()) + "\" cy=\"" + pixels(centre.y()) + "\" r=\"" +
          pixels(std::fmax(0.0, radius)) + "\" ";
  out_ += style;
  out_ += "/>\n";
}

void Canvas::rect(const Rect& rect, std::string_view style) {
  out_ += "<rect x=\"" + pixels(rect.x) + "\" y=\"" + pixels(rect.y) + "\" width=\"" +
          pixels(std::fmax(0.0, rect.width)) + "\" height=\"" + pixels(std::fmax(0.0, rect.height)) + "\" ";
  out_ += style;
  out_ += "/>\n";
}

void Canvas::polygon(const std::vector<Vec2>& points, std::string_view style) { polygons({points}, style); }

void Canvas::polygons(const std::vector<std::vector<Vec2>>& list, std::string_view style) {
  out_ += "<path d=\"";
  for (const std::vector<Vec2>& points : list) subpath(points, true);
  out_ += "\" ";
  out_ += style;
  out_ += "/>\n";
}

void Canvas::polyline(const std::vector<Vec2>& points, std::string_view style) {
  out_ += "<path d=\"";
  subpath(points, false);
  out_ += "\" ";
  out_ += style;
  out_ += "/>\n";
}

void Canvas::text(const Vec2& at, double size, std::string_view content, std::string_view style) {
  out_ += "<text x=\"" + pixels(at.x()) + "\" y=\"" + pixels(at.y()) + "\" font-size=\"" + pixels(size) + "\" ";
  out_ += style;
  out_ += '>' + escaped(content) + "</text>\n";
}

void Canvas::subpath(const std::vector<Vec2>& points, bool closed) {
  std::string last;
  for (const Vec2& point : points) {
    std::string coordinates = pixels(point.x()) + ' ' + pixels(point.y());
    if (coordinates == last) continue;
    out_ += last.empty() ? 'M' : ' ';
    out_ += coordinates;
    last = std::move(coordinates);
  }
  if (closed && !last.empty()) out_ += 'Z';
}

}  // namespace limber::picture
