// What a task of the benchmark measures: a table of named columns, printed, written as JSON and drawn.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::cli {

using BenchRow = nlohmann::ordered_json;  // one line of a table: column to value

struct Table {
  std::string task;
  std::string title;
  std::vector<BenchRow> rows = {};
};

void print(const Table& table);

double mean_of(const std::vector<double>& values);
double quantile(std::vector<double> values, double part);

using Clock = std::chrono::steady_clock;
double microseconds_since(Clock::time_point start);

}  // namespace limber::cli
