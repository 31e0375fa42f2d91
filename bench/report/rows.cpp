#include "bench/report/rows.h"

#include <algorithm>
#include <cmath>

#include "limber/base/number.h"

namespace limber::bench {

namespace {

struct Unit {
  double size;
  const char* name;
};

// In the largest unit that leaves a digit before the point.
template <std::size_t n>
std::string in_units(double value, const Unit (&units)[n]) {
  for (const Unit& unit : units)
    if (value >= 0.9995 * unit.size) return digits(value / unit.size) + " " + unit.name;
  return digits(value / units[n - 1].size) + " " + units[n - 1].name;
}

// The value of a column, as part of a title.
std::string title_of(const std::string& column, const BenchRow& row) {
  std::string text = text_in(row, column);
  if (column == "root") return "root " + text;
  if (column == "every") return text == "1" ? "every frame" : "every " + text + "th frame";
  if (column == "start") return text == "rest" ? "from rest" : "from the " + text;
  if (column == "goal") return "goal " + text;
  if (column == "iterations") return text + " iterations per frame";
  if (text.ends_with(".urdf")) text.resize(text.size() - 5);
  return text;
}

}  // namespace

std::optional<double> number_in(const BenchRow& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<double> numbers_in(const Rows& rows, const std::string& column) {
  std::vector<double> all;
  for (const BenchRow& row : rows)
    if (const std::optional<double> value = number_in(row, column)) all.push_back(*value);
  return all;
}

std::optional<double> min_in(const Rows& rows, const std::string& column) {
  const std::vector<double> all = numbers_in(rows, column);
  return all.empty() ? std::nullopt : std::optional(*std::min_element(all.begin(), all.end()));
}

std::string text_in(const BenchRow& row, const std::string& column) {
  if (const std::optional<double> value = number_in(row, column)) return digits(*value, 4);
  const auto found = row.find(column);
  return found != row.end() && found->is_string() ? found->get<std::string>() : "–";
}

std::vector<std::string> distinct(const Rows& rows, const std::string& column) {
  std::vector<std::string> all;
  for (const BenchRow& row : rows)
    if (std::string text = text_in(row, column); std::find(all.begin(), all.end(), text) == all.end())
      all.push_back(std::move(text));
  return all;
}

Rows filtered(const Rows& rows, const std::function<bool(const BenchRow&)>& keep) {
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), keep);
  return kept;
}

Rows where(const Rows& rows, const std::string& column, const std::string& text) {
  return filtered(rows, [&](const BenchRow& row) { return text_in(row, column) == text; });
}

std::vector<Part> parts_by(const Rows& rows, const std::vector<std::string>& columns) {
  std::vector<Part> parts;
  for (const BenchRow& row : rows) {
    std::string label;
    for (const std::string& column : columns) label += (label.empty() ? "" : ", ") + title_of(column, row);
    auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& other) { return other.label == label; });
    if (part == parts.end()) part = parts.insert(parts.end(), {label, {}});
    part->rows.push_back(row);
  }
  return parts;
}

std::string description(const BenchRow& row) {
  std::string text;
  for (const auto& [column, value] : row.items())
    if (!value.is_null()) text += (text.empty() ? "" : "\n") + column + ": " + text_in(row, column);
  return text;
}

std::string digits(double value, int count) {
  if (value == 0.0) return "0";
  const double size = std::fabs(value);
  const int power = static_cast<int>(std::floor(std::log10(size)));
  if (size >= 1e6 || size < 1e-4) return digits(value / std::pow(10.0, power), count) + "e" + std::to_string(power);
  std::string text = to_text(value, std::clamp(count - 1 - power, 0, 8));
  if (text.find('.') == std::string::npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string time_text(double microseconds) {
  constexpr Unit units[] = {{1e6, "s"}, {1e3, "ms"}, {1.0, "µs"}, {1e-3, "ns"}};
  return in_units(microseconds, units);
}

std::string length_text(double cm) {
  constexpr Unit units[] = {{1.0, "cm"}, {0.1, "mm"}, {1e-4, "µm"}};
  return in_units(cm, units);
}

std::string percent_text(double value) { return digits(value, 4) + " %"; }

Format with_unit(const std::string& unit) {
  return [unit](double value) { return digits(value) + " " + unit; };
}

}  // namespace limber::bench
