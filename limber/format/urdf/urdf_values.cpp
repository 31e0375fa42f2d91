#include "limber/format/urdf/urdf_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "limber/base/number.h"
#include "limber/base/vector.h"

namespace limber {

namespace {

// A file can have any number of unknown kinds; more notes are not useful.
constexpr std::size_t max_kinds = 32;

Expected<void> wrong_numbers(const XmlElement& element, std::string_view attribute, const Word& word,
                             Eigen::Index size) {
  const std::string text = in_quotes(*element.attribute(attribute));
  return element.reject_attribute(
      attribute,
      word.empty() || word.text == *element.attribute(attribute) ? text : in_quotes(word.text) + " in " + text,
      size == 1 ? "a finite number" : std::to_string(size) + " finite numbers");
}

}  // namespace

Expected<std::string> UrdfValues::name(const XmlElement& element, std::string_view attribute) const {
  const std::optional<std::string_view> text = element.attribute(attribute);
  if (!text) return element.reject("no attribute " + in_quotes(attribute), "the attribute");
  if (text->empty()) return element.reject_attribute(attribute, "an empty name", "a name");
  return std::string(*text);
}

Expected<void> UrdfValues::numbers(const XmlElement& element, std::string_view attribute,
                                   Eigen::Ref<VecX> values) const {
  const std::optional<std::string_view> text = element.attribute(attribute);
  if (!text) return {};
  TextReader reader(*text, {});
  reader.brackets = {};
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const Word word = reader.next();
    const std::optional<double> value = TextReader::number(word);
    if (!value) return wrong_numbers(element, attribute, word, values.size());
    values[k] = *value;
  }
  if (const Word excess = reader.next(); !excess.empty())
    return wrong_numbers(element, attribute, excess, values.size());
  return {};
}

Expected<void> UrdfValues::number(const XmlElement& element, std::string_view attribute, double& value) const {
  Eigen::Matrix<double, 1, 1> vector(value);
  if (Expected<void> read = numbers(element, attribute, vector); !read) return read;
  value = vector[0];
  return {};
}

XmlElement UrdfValues::sole(const XmlElement& element, std::string_view name) {
  XmlElement first = element.child(name);
  if (first)
    for (const XmlElement child : element)
      if (child.name() == name && child.offset() != first.offset())
        ignore(child, "a second " + child.tag() + " in " + element.tag() + " is not read");
  return first;
}

Expected<Frame> UrdfValues::origin(const XmlElement& element) {
  Frame frame;
  const XmlElement origin = sole(element, "origin");
  if (!origin) return frame;
  expect_attributes(origin, {"xyz", "rpy", "quat_xyzw"});
  Vec3 xyz = Vec3::Zero(), rpy = Vec3::Zero();
  Eigen::Vector4d xyzw = Eigen::Vector4d::UnitW();
  if (Expected<void> read = numbers(origin, "xyz", xyz); !read) return std::unexpected(read.error());
  if (Expected<void> read = numbers(origin, "rpy", rpy); !read) return std::unexpected(read.error());
  if (Expected<void> read = numbers(origin, "quat_xyzw", xyzw); !read) return std::unexpected(read.error());
  frame.p = unit_ * xyz;
  frame.R = euler_rotation({2, 1, 0}, {rpy[2], rpy[1], rpy[0]});
  if (origin.attribute("quat_xyzw")) {
    const double length = xyzw.norm();
    if (!std::isfinite(length) || length <= std::numeric_limits<double>::min())
      return origin.reject_attribute("quat_xyzw", "a quaternion of length " + to_text(length), "one of length 1");
    frame.R = Eigen::Quaterniond(xyzw / length).toRotationMatrix();
  }
  return frame;
}

void UrdfValues::ignore(const XmlElement& element, std::string what) {
  if (ignored_.size() >= max_kinds && !ignored_.contains(what)) what = "other elements are not read";
  Ignored& kind = ignored_[std::move(what)];
  if (kind.times++ == 0) kind.offset = element.offset();
}

void UrdfValues::expect_attributes(const XmlElement& element, std::initializer_list<std::string_view> known) {
  for (std::size_t k = 0; k < element.attributes(); ++k)
    if (const std::string_view name = element.attribute(k).name;
        std::ranges::find(known, name) == known.end() && !name.starts_with("xmlns"))
      ignore(element, "attribute " + in_quotes(name) + " of " + element.tag() + " is not read");
}

std::vector<Note> UrdfValues::notes() const {
  std::vector<std::pair<std::size_t, Note>> placed;
  for (const auto& [what, kind] : ignored_) {
    const Place place = document_.place(kind.offset);
    const std::string times = kind.times > 1 ? ", " + std::to_string(kind.times) + " times" : "";
    placed.push_back({kind.offset, {what + times, place.line, place.column}});
  }
  std::ranges::sort(placed, {}, [](const auto& entry) { return std::pair(entry.first, entry.second.text); });
  std::vector<Note> notes;
  for (auto& [offset, entry] : placed) notes.push_back(std::move(entry));
  return notes;
}

}  // namespace limber
