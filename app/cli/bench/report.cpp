#include "app/cli/bench/report.h"

#include <ctime>
#include <fstream>
#include <string_view>

#include "limber/solver/options.h"

namespace limber::embedded {

// The files of app/cli/bench/report; made by cmake/embed.cmake.
std::string_view report(std::string_view name);

}  // namespace limber::embedded

namespace limber::cli {

namespace {

// As the system calls it; "model name : AMD EPYC" in Linux's list.
std::string processor() {
  std::ifstream list("/proc/cpuinfo");
  for (std::string line; std::getline(list, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "a processor without a name";
}

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  char text[32];
  return ::gmtime_r(&now, &utc) && std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc) > 0 ? text : "?";
}

std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

// Inside a script element a "<" could end it. JSON has it in strings only, where it may be written so.
std::string inside_a_script(const std::string& json) {
  std::string text;
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace

std::string report_page(const std::vector<Table>& tables, bool quick) {
  BenchRow data = {{"limber", LIMBER_VERSION},  {"date", now_in_utc()}, {"machine", processor()},
                   {"compiler", compiler()},    {"quick", quick},       {"methods", BenchRow::array()},
                   {"tasks", BenchRow::array()}};
  for (const MethodRow& row : method_table) data["methods"].push_back(std::string(row.name));
  for (const Table& table : tables)
    data["tasks"].push_back({{"task", table.task}, {"title", table.title}, {"rows", table.rows}});

  // One pass over the frame: what is put in may itself contain "{{".
  std::string page;
  std::string_view rest = embedded::report("page.html");
  for (;;) {
    const std::size_t open = rest.find("{{"), close = rest.find("}}", open);
    page += rest.substr(0, open);
    if (open == std::string_view::npos || close == std::string_view::npos) return page;
    const std::string_view what = rest.substr(open + 2, close - open - 2);
    if (what == "data")
      page += inside_a_script(data.dump(-1, ' ', false, BenchRow::error_handler_t::replace));
    else
      page += embedded::report(what);
    rest.remove_prefix(close + 2);
  }
}

}  // namespace limber::cli
