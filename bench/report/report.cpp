#include "bench/report/report.h"

#include <ctime>
#include <fstream>
#include <string_view>

#include "bench/report/task_plots.h"
#include "limber/base/number.h"

namespace limber::embedded {

// The files of bench/report; made by cmake/embed.cmake.
std::string_view report(std::string_view name);

}  // namespace limber::embedded

namespace limber::bench {

namespace {

using picture::escaped;

// As the system calls it; "model name : AMD EPYC" in Linux's list.
std::string processor() {
  std::ifstream list("/proc/cpuinfo");
  for (std::string line; std::getline(list, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "an unknown processor";
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

std::string cell(const std::string& tag, const std::string& attributes, const std::string& text) {
  return "<" + tag + attributes + ">" + escaped(text) + "</" + tag + ">";
}

// page.js sorts it by the column that is clicked; `data-value` is the exact number.
std::string table_html(const Rows& rows) {
  if (rows.empty()) return "";
  std::vector<std::string> columns;
  for (const auto& [column, value] : rows.front().items()) columns.push_back(column);
  std::string html = "<div class=\"table\"><table>\n<thead><tr>";
  const auto is_number = [&](const std::string& column) { return !numbers_in(rows, column).empty(); };
  for (const std::string& column : columns)
    html += std::string("<th scope=\"col\"") + (is_number(column) ? " class=\"number\"" : "") + ">" +
            cell("button", " type=\"button\" title=\"Sort by " + escaped(column) + "\"", column) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const BenchRow& row : rows) {
    html += "<tr>";
    for (const std::string& column : columns) {
      std::string attributes = is_number(column) ? " class=\"number\"" : "";
      if (const std::optional<double> value = number_in(row, column))
        attributes += " data-value=\"" + to_text(*value) + "\"";
      html += cell("td", attributes, text_in(row, column));
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string fastest_html(const std::vector<Table>& tables) {
  Rows rows;
  for (const Table& table : tables) {
    const TaskPlots* const plots = plots_of(table.task);
    if (!plots) continue;
    for (const Ranking& ranking : plots->rank(table.rows)) {
      BenchRow row = {{"task", plots->heading}, {"case", ranking.label}, {"fastest", "none"},     {"µs", nullptr},
                      {"next", nullptr},        {"ratio", nullptr},      {"among", ranking.among}};
      if (!ranking.entries.empty()) {
        row["fastest"] = ranking.entries[0].method;
        row["µs"] = ranking.entries[0].microseconds;
      }
      if (ranking.entries.size() > 1) {
        row["next"] = ranking.entries[1].method;
        row["ratio"] = ranking.entries[1].microseconds / ranking.entries[0].microseconds;
      }
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return "";
  return "<section aria-label=\"Fastest methods\">\n<h2>Fastest methods</h2>\n<p class=\"note\">The min time in each "
         "case, and the next best, among the methods that solved the task.</p>\n" +
         table_html(rows) + "</section>\n";
}

std::string task_html(const Methods& methods, const Table& table) {
  const TaskPlots* const plots = plots_of(table.task);
  std::string html = "<section aria-label=\"" + escaped(table.task) + "\">\n" +
                     cell("h2", "", plots ? plots->heading : table.task) + "\n" +
                     cell("p", "", table.task + ": " + table.title + ".") + "\n";
  if (plots && !table.rows.empty())
    html += cell("p", " class=\"note\"", plots->note) + "\n" + plots->draw(methods, table.rows);
  html += std::string("<details") + (plots ? "" : " open") + ">" +
          cell("summary", "", "Table: " + std::to_string(table.rows.size()) + " rows") + "\n" + table_html(table.rows);
  return html + "</details>\n</section>\n";
}

// Buttons that hide a method in all plots, and the rules by which they do.
std::string legend_html(const Methods& methods) {
  std::string html, rules;
  for (const std::string& name : methods.names()) {
    const std::string group = methods.group(name);
    html += "<button type=\"button\" aria-pressed=\"true\" value=\"" + group + "\">" + marker_svg(methods, name) +
            escaped(name) + "</button>\n";
    rules += ".hide-" + group + " ." + group + " { display: none; }\n";
  }
  return "<style>\n" + rules + "</style>\n" + html;
}

}  // namespace

std::string report_page(const std::vector<Table>& tables, bool quick) {
  const Methods methods(tables);
  const auto part = [&](std::string_view name) -> std::string {
    if (name == "run")
      return escaped("limber " LIMBER_VERSION ", " + std::string(quick ? "quick" : "full") + " run, " + now_in_utc() +
                     ", on " + processor() + ", built by " + compiler() + ".");
    if (name == "methods") return legend_html(methods);
    if (name != "tasks") return std::string(embedded::report(name));
    std::string html = fastest_html(tables);
    for (const Table& table : tables) html += task_html(methods, table);
    return html;
  };
  // One pass over the frame: what is inserted may itself contain "{{".
  std::string page;
  std::string_view rest = embedded::report("page.html");
  for (;;) {
    const std::size_t open = rest.find("{{"), close = rest.find("}}", open);
    page += rest.substr(0, open);
    if (open == std::string_view::npos || close == std::string_view::npos) return page;
    page += part(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
}

}  // namespace limber::bench
