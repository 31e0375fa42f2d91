// limber bench: the tasks of the papers and of the field, every method on the same goals from the same start.
//
//   nine     EE09 Fig. 2, 3: a walk followed by head, hands and feet; every 1st, 5th, 20th frame, at most 5, 20, 100
//            iterations, root free and given
//   chain    W93 Fig. 4.4, 4.5: a chain of seven joints, a goal well within reach and one at its edge
//   arms     reachable random poses of robot arms, from the middle of their limits, to 1e-5 m and rad, at most 5 ms
//   human    CMU 131 at 30 Hz, five positions, root free and fixed, each frame from the last one and from rest
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/content.h"
#include "app/cli/exit_code.h"
#include "app/cli/file.h"
#include "app/cli/progress.h"
#include "app/cli/tracked.h"
#include "app/cli/verb.h"
#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/motion/track.h"

namespace limber::cli {

namespace {

using Clock = std::chrono::steady_clock;
using BenchRow = nlohmann::ordered_json;  // one line of a table: column to value

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

struct BenchArguments {
  std::string data = "data";
  std::vector<std::string> tasks = {"nine", "chain", "arms", "human"};
  std::string json;
  bool quick = false;
};

struct Table {
  std::string task;
  std::string title;
  std::vector<BenchRow> rows = {};
};

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

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const MethodRow& row : method_table)
    if (row.method != Method::levenberg_marquardt) methods.push_back(row.method);  // automatic is that, and more
  return methods;
}

struct Recorded {
  Figure figure;  // with the common names, and limits that contain the motion
  Clip clip;
};

std::expected<Recorded, Failure> recorded(const std::string& data, const std::string& skeleton,
                                          const std::string& motion) {
  ContentOptions options;
  options.file = (std::filesystem::path(data) / "acclaim" / skeleton).string();
  options.motion = (std::filesystem::path(data) / "acclaim" / motion).string();
  std::expected<Content, Failure> content = load_content(options);
  if (!content) return std::unexpected(content.error());
  Expected<Figure> figure = figure_for(*content->figure, content->clips.front(), true);
  if (!figure) return std::unexpected(Failure{figure.error(), scene_is_wrong});
  return Recorded{std::move(*figure), std::move(content->clips.front())};
}

// --- EE09 ------------------------------------------------------------------------------------------

std::expected<Table, Failure> nine(const BenchArguments& arguments) {
  Table table{"nine", "a motion followed by head, hands and feet (EE09 Fig. 2, 3); time and error a frame"};
  for (const char* motion : {"02_01.amc", "02_03.amc"}) {
    if (arguments.quick && motion != std::string_view("02_01.amc")) continue;
    const std::expected<Recorded, Failure> walk = recorded(arguments.data, "02.asf", motion);
    if (!walk) return std::unexpected(walk.error());
    const std::vector<std::string> places = places_of({"head", "hands", "feet"});
    for (const bool given : {false, true})
      for (const Method method : all_methods())
        for (const int every : {1, 5, 20})
          for (const int most : {5, 20, 100}) {
            if (arguments.quick && (every == 5 || most == 5)) continue;
            Expected<Tracker> tracker = Tracker::make(walk->figure, places, {.root_given = given});
            if (!tracker) return std::unexpected(Failure{tracker.error(), scene_is_wrong});
            const Options options{.method = method, .iterations = most, .restarts = 0};
            Pose pose = walk->clip.pose(0);
            std::vector<double> time, error;
            for (int k = 0; k < walk->clip.frames(); k += every) {
              tracker->aim(walk->clip.pose(k), pose);
              const auto start = Clock::now();
              tracker->solve(pose, options);
              time.push_back(microseconds_since(start));
              error.push_back(100.0 * tracker->mean_distance());
            }
            table.rows.push_back({{"motion", motion},
                                  {"root", given ? "given" : "free"},
                                  {"method", std::string(name_of(method))},
                                  {"every", every},
                                  {"iterations", most},
                                  {"us", mean_of(time)},
                                  {"cm", mean_of(error)},
                                  {"p95 cm", quantile(error, 0.95)}});
          }
  }
  return table;
}

// --- W93 -------------------------------------------------------------------------------------------

Expected<Figure> seven_joints() {
  FigureDescription chain;
  chain.name = "chain";
  chain.segments = {{"link 0"}};
  for (int k = 1; k <= 7; ++k) {
    const std::string link = "link " + std::to_string(k);
    chain.segments.push_back({link});
    chain.joints.push_back({"joint " + std::to_string(k),
                            "link " + std::to_string(k - 1),
                            link,
                            at({k == 1 ? 0.0 : 1.0 / 7.0, 0.0, 0.0}),
                            {},
                            {{"turn", Motion::rotate, Vec3::UnitZ(), {}}}});
  }
  chain.sites = {{"tip", "link 7", at({1.0 / 7.0, 0.0, 0.0})}};
  return build_figure(chain);
}

// Digits of accuracy against time, from one run: the moment at which the distance first falls below 10^-d of the chain.
std::expected<Table, Failure> chain(const BenchArguments&) {
  Table table{"chain", "seven joints (W93 Fig. 4.4, 4.5); microseconds to so many digits"};
  const Expected<Figure> figure = seven_joints();
  if (!figure) return std::unexpected(Failure{figure.error(), internal});
  for (const bool edge : {false, true})
    for (const Method method : all_methods()) {
      Problem problem(*figure);
      const double reach = edge ? 0.98 : 0.6;
      if (const auto added = problem.add(figure->point("tip"), Position{Vec3(0.6, 0.8, 0.0) * reach}); !added)
        return std::unexpected(Failure{added.error(), internal});
      constexpr int most_digits = 8;
      std::vector<double> reached(most_digits + 1, -1.0);
      Solver solver(problem);
      for (int run = 0; run < 5; ++run) {
        Pose pose = figure->rest();
        for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = 0.2;
        Options options{.method = method, .iterations = 20000, .tolerance = 1e-14, .restarts = 0};
        const auto start = Clock::now();
        options.observer = [&](const limber::Progress& progress) {
          const double time = microseconds_since(start), distance = std::sqrt(progress.objective);
          for (int d = 1; d <= most_digits; ++d)
            if (distance <= std::pow(10.0, -d)) reached[d] = reached[d] < 0.0 ? time : std::min(reached[d], time);
          return distance > std::pow(10.0, -most_digits) && time < 2e5;
        };
        solver.solve(pose, options);
      }
      BenchRow row = {{"goal", edge ? "at the edge" : "within reach"}, {"method", std::string(name_of(method))}};
      for (int d = 1; d <= most_digits; ++d) {
        const std::string column = std::to_string(d);
        row[column] = nullptr;
        if (reached[d] >= 0.0) row[column] = reached[d];
      }
      table.rows.push_back(row);
    }
  return table;
}

// --- Robot arms ------------------------------------------------------------------------------------

// The site that most turning parameters move: the flange or the hand, not the fingers of a gripper.
std::string tool_of(const Figure& figure) {
  std::string best;
  std::size_t most = 0;
  for (const Site& site : figure.sites()) {
    const Expected<Handle> point = figure.point(site.name);
    if (!point) continue;
    const std::vector<int> chain = chain_of(figure, *point, no_parent);
    const auto turning = static_cast<std::size_t>(
        std::count_if(chain.begin(), chain.end(), [&](int j) { return !figure.parameters()[j].translates; }));
    if (turning > most) {
      most = turning;
      best = site.name;
    }
  }
  return best;
}

std::expected<Table, Failure> arms(const BenchArguments& arguments) {
  Table table{"arms", "reachable random poses of robot arms, from the middle of the limits, to 1e-5 m and rad in 5 ms"};
  const int count = arguments.quick ? 200 : 2000;
  for (const char* robot : {"ur5.urdf", "panda.urdf", "iiwa14.urdf"}) {
    ContentOptions from;
    from.file = (std::filesystem::path(arguments.data) / "urdf" / robot).string();
    const std::expected<Content, Failure> content = load_content(from);
    if (!content) return std::unexpected(content.error());
    const Figure& figure = *content->figure;
    const Expected<Handle> tool = figure.frame(tool_of(figure));
    if (!tool) return std::unexpected(Failure{tool.error(), scene_is_wrong});
    for (const Method method : all_methods()) {
      Problem problem(figure);
      const Expected<ConstraintId> id = problem.add(tool, Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}});
      if (!id) return std::unexpected(Failure{id.error(), internal});
      Solver solver(problem);
      Random random(1);
      int solved = 0, within = 0;
      bool refused = false;
      std::vector<double> times;
      for (int k = 0; k < count && !refused; ++k) {
        Pose target = figure.rest(), pose = figure.rest();
        for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
          const Range& range = figure.parameters()[j].range;
          const auto at = static_cast<Eigen::Index>(j);
          const double lower = std::max(range.lower, -pi), upper = std::min(range.upper, pi);
          target.theta[at] = random.between(lower, upper);
          pose.theta[at] = 0.5 * (lower + upper);
        }
        Vec3 x[max_elements];
        evaluate(figure, forward(figure, target), *tool, x);
        if (const auto set = problem.set_goal(*id, Placement{x[0], {x[1], x[2]}}); !set)
          return std::unexpected(Failure{set.error(), internal});
        Options options{.method = method, .iterations = 1'000'000, .met_metres = 1e-5, .met_degrees = degrees(1e-5)};
        options.restarts = 10'000;
        const auto start = Clock::now();
        options.observer = [&](const limber::Progress&) { return microseconds_since(start) < 5000.0; };
        const Report& report = solver.solve(pose, options);
        times.push_back(microseconds_since(start));
        refused = report.exit == Exit::refused;
        solved += report.met();
        bool kept = true;
        for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
          const Range& range = figure.parameters()[j].range;
          const double theta = pose.theta[static_cast<Eigen::Index>(j)];
          kept = kept && theta >= range.lower && theta <= range.upper;
        }
        within += kept;
      }
      if (refused) continue;
      table.rows.push_back({{"robot", robot},
                            {"method", std::string(name_of(method))},
                            {"solved %", 100.0 * solved / count},
                            {"limits kept %", 100.0 * within / count},
                            {"mean us", mean_of(times)},
                            {"median us", quantile(times, 0.5)}});
    }
  }
  return table;
}

// --- The human -------------------------------------------------------------------------------------

std::expected<Table, Failure> human_task(const BenchArguments& arguments) {
  Table table{"human", "CMU 131_04 at 30 Hz, five positions to 0.1 mm, limits widened to contain the motion"};
  const std::expected<Recorded, Failure> motion = recorded(arguments.data, "131.asf", "131_04.amc");
  if (!motion) return std::unexpected(motion.error());
  const std::vector<std::string> places = places_of({"head", "hands", "feet"});
  const int every = arguments.quick ? 20 : 4;
  for (const bool given : {false, true})
    for (const bool warm : {true, false})
      for (const Method method : {Method::automatic, Method::active_set_bfgs, Method::projected_conjugate_gradient}) {
        Expected<Tracker> tracker = Tracker::make(motion->figure, places, {.root_given = given});
        if (!tracker) return std::unexpected(Failure{tracker.error(), scene_is_wrong});
        Options options{.method = method, .met_metres = 1e-4};
        options.restarts = 50;
        options.iterations = 20'000;
        Pose pose = motion->figure.rest();
        std::vector<double> times;
        int solved = 0;
        for (int k = 0; k < motion->clip.frames(); k += every) {
          if (!warm) pose = motion->figure.rest();
          tracker->aim(motion->clip.pose(k), pose);
          const auto start = Clock::now();
          solved += tracker->solve(pose, options).met();
          times.push_back(microseconds_since(start));
        }
        table.rows.push_back({{"root", given ? "given" : "free"},
                              {"start", warm ? "last frame" : "rest"},
                              {"method", std::string(name_of(method))},
                              {"solved %", 100.0 * solved / static_cast<double>(times.size())},
                              {"mean us", mean_of(times)},
                              {"median us", quantile(times, 0.5)}});
      }
  return table;
}

int run(const BenchArguments& arguments) {
  BenchRow all = BenchRow::object();
  for (const std::string& task : arguments.tasks) {
    std::optional<std::expected<Table, Failure>> table;
    {
      Progress progress("bench " + task);
      table = task == "nine"    ? nine(arguments)
              : task == "chain" ? chain(arguments)
              : task == "arms"  ? arms(arguments)
                                : human_task(arguments);
    }
    if (!*table) return complain(table->error());
    print(**table);
    all[task] = (*table)->rows;
  }
  if (!arguments.json.empty())
    if (const Expected<void> done = write_file(arguments.json, all.dump(2) + "\n"); !done)
      return complain(done.error(), file_trouble);
  return all_met;
}

}  // namespace

Verb add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchArguments>();
  CLI::App* verb = app.add_subcommand("bench", "Measure every method on the tasks of the papers and of the field");
  verb->add_option("--data", options->data, "The folder with acclaim/ and urdf/")->capture_default_str();
  verb->add_option("--task", options->tasks, "nine, chain, arms, human")
      ->delimiter(',')
      ->check(CLI::IsMember({"nine", "chain", "arms", "human"}));
  verb->add_flag("--quick", options->quick, "Fewer frames, poses and configurations: under a minute");
  verb->add_option("--json", options->json, "Write every number to this file");
  verb->footer(
      "Examples:\n"
      "  limber bench --quick                 from the root of the source tree\n"
      "  limber bench --task arms --json arms.json\n");
  return [options] { return run(*options); };
}

}  // namespace limber::cli
