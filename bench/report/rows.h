// Rows of a benchmark's tables: looked up, grouped, and written for people.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/task/table.h"

namespace limber::bench {

using Rows = std::vector<BenchRow>;

// Nothing for null, for text and for a column that is not there.
std::optional<double> number_in(const BenchRow& row, const std::string& column);
// All such numbers of the rows.
std::vector<double> numbers_in(const Rows& rows, const std::string& column);
std::optional<double> min_in(const Rows& rows, const std::string& column);
// Text as it is, a number with its digits, "–" for nothing.
std::string text_in(const BenchRow& row, const std::string& column);
// The different texts of a column, in order.
std::vector<std::string> distinct(const Rows& rows, const std::string& column);
Rows filtered(const Rows& rows, const std::function<bool(const BenchRow&)>& keep);
Rows where(const Rows& rows, const std::string& column, const std::string& text);

// The rows by the values of some columns, and a name for each part.
struct Part {
  std::string label;
  Rows rows;
};
std::vector<Part> parts_by(const Rows& rows, const std::vector<std::string>& columns);

// All columns, one per line.
std::string description(const BenchRow& row);

// --- Numbers

using Format = std::function<std::string(double)>;

// With this many significant digits, and without trailing zeros.
std::string digits(double value, int count = 3);
std::string time_text(double microseconds);
std::string length_text(double cm);
std::string percent_text(double value);
Format with_unit(const std::string& unit);

}  // namespace limber::bench
