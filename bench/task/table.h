// The result of a benchmark task: a table of named columns, which is printed, written as JSON and plotted.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::bench {

using BenchRow = nlohmann::ordered_json;  // one row of a table: column name to value

// A file that the report has beside its page.
struct BenchPicture {
  std::string name;  // "retarget_02_01.svg"
  std::string bytes;
};

struct Table {
  std::string task;
  std::string title;
  std::vector<BenchRow> rows = {};
  std::vector<BenchPicture> pictures = {};
};

void print(const Table& table);

double mean_of(const std::vector<double>& values);
double quantile(std::vector<double> values, double part);

using Clock = std::chrono::steady_clock;
double microseconds_since(Clock::time_point start);

}  // namespace limber::bench
