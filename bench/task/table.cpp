#include "bench/task/table.h"

#include <algorithm>
#include <cstdio>

#include "limber/base/number.h"

namespace limber::bench {

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void print(const Table& table) {
  std::printf("\n%s: %s\n", table.task.c_str(), table.title.c_str());
  if (table.rows.empty()) return;
  std::vector<std::vector<std::string>> cells(1);
  for (const auto& [column, value] : table.rows.front().items()) cells.front().push_back(column);
  for (const BenchRow& row : table.rows) {
    std::vector<std::string>& line = cells.emplace_back();
    for (const auto& [column, value] : row.items())
      line.push_back(value.is_string()         ? value.get<std::string>()
                     : value.is_null()         ? "-"
                     : value.is_number_float() ? to_text(value.get<double>(), value.get<double>() < 1.0 ? 4 : 1)
                                               : value.dump());
  }
  for (const std::vector<std::string>& line : cells) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : cells) width = std::max(width, other[c].size());
      text += "  " + line[c] + std::string(width - line[c].size(), ' ');
    }
    while (text.ends_with(' ')) text.pop_back();
    std::printf("%s\n", text.c_str());
  }
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0.0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace limber::bench
