// limber bench: what it writes, and its messages where data is missing.
#include <map>
#include <set>

#include "tests/cli/tool.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace bench_test {

const std::string source_data = "'" + source_dir() + "/data'";

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(Tool, BenchWritesAPageThatNeedsNothingElse) {
  const Answer answer = limber("bench --task chain --json numbers.json --report deep/page");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const std::string page = read(folder_ / "deep/page/index.html");
  const nlohmann::json rows = parsed(read(folder_ / "numbers.json"))["chain"];
  ASSERT_GT(rows.size(), 10u);
  EXPECT_NE(page.find(">Table: " + std::to_string(rows.size()) + " rows<"), std::string::npos);
  std::set<std::pair<std::string, std::string>> cases;  // each has a plot and a row of its fastest
  for (const nlohmann::json& row : rows) cases.emplace(row["goal"], row["start"]);
  EXPECT_EQ(cases.size(), 6u) << "two goals, three starts";
  EXPECT_EQ(occurrences(page, "<tr><td"), static_cast<int>(rows.size() + cases.size()));
  EXPECT_EQ(occurrences(page, "<figure class=\"plot\">"), static_cast<int>(cases.size()));
  for (const nlohmann::json& row : rows) {
    EXPECT_NE(page.find("<td>" + row["method"].get<std::string>() + "</td>"), std::string::npos) << row;
    // A marker for every digit that was reached, and its time with it.
    if (!row["1"].is_null()) {
      EXPECT_NE(page.find("<title>" + row["method"].get<std::string>() + ": 1 digits in "), std::string::npos) << row;
    }
  }
  for (const char* part :
       {"<title>Limber benchmark</title>", "--automatic:", "full run", " on ", "built by", "'use strict'"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  // Nothing is fetched; url(#...) stays within the page.
  for (const char* part : {"src=", "href=", "url(h", "url('", "@import", "{{"})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
}

// The plots of the report have one bar or curve per method and case, whatever was measured.
TEST_F(Tool, BenchPlotsEveryTaskOfItsPage) {
  const Answer answer = limber("bench --quick --task locked,size,kinematics --report page --data " + source_data);
  ASSERT_EQ(answer.status, 0) << answer.err;
  const std::string page = read(folder_ / "page/index.html");
  EXPECT_EQ(occurrences(page, "<figure class=\"plot\">"), 4) << "two of locked feet, two of size";
  EXPECT_EQ(occurrences(page, "class=\"curve\""), 8) << "three curves and a line of slope one in each plot of size";
  EXPECT_EQ(occurrences(page, "class=\"bar m0\""), 2) << "one in either plot of locked feet";
  EXPECT_NE(page.find("<details open>"), std::string::npos) << "what has no plot is shown as its table";
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST_F(Tool, BenchDrawsTheSizePlotFromItsNumbers) {
  ASSERT_EQ(limber("bench --quick --task size --json numbers.json").status, 0);
  ASSERT_EQ(limber("bench size-plot numbers.json size.svg").status, 0);
  const std::string svg = read(folder_ / "size.svg");
  EXPECT_EQ(occurrences(svg, "id=\"plot-"), 2);
  EXPECT_EQ(occurrences(svg, "<circle"), 3 * (3 + 3) + 2 * 3) << "three chains and three trees, and the legends";
  EXPECT_NE(svg.find(" per DOF<"), std::string::npos);
  expect_mistake(limber("bench size-plot arm.json size.svg"), 3, "limber: arm.json: found no rows of the task size");
}

TEST_F(Tool, BenchRejectsATaskThatIsNone) {
  const Answer answer = limber("bench --task none");
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(answer.err.ends_with("See 'limber bench --help'.\n")) << answer.err;
  EXPECT_NE(limber("bench --help").out.find("--no-peers"), std::string::npos);
}

TEST_F(Tool, BenchLooksAtTheFolderOfItsPageFirst) {
  expect_mistake(limber("bench --task chain --report arm.json"), 4,
                 "limber: --report arm.json: found what is no folder");
}

TEST_F(Tool, BenchSaysWhichSceneIsMissing) {
  expect_mistake(limber("bench --task postures --data none"), 4,
                 "limber: --data none: found no folder of that name; expected a folder");
  fs::create_directories(folder_ / "own");
  expect_mistake(limber("bench --task postures --data own"), 4,
                 "limber: --data own: found no scene example/scene/tube.json; expected a folder");
  // Its own scenes come first.
  fs::create_directories(folder_ / "own/scene");
  expect_mistake(limber("bench --task postures --data own"), 4,
                 "limber: --data own: found no scene own/scene/tube.json; expected a folder");
}

TEST_F(Tool, BenchMeasuresPosturesAndLocks) {
  std::string data = source_data;
  if (law::are_quick()) {  // The scene that most methods creep in makes way for another.
    const fs::path examples = fs::path(source_dir()) / "example/scene";
    fs::create_directories(folder_ / "own");
    fs::copy(examples, folder_ / "own/scene");
    fs::copy_file(examples / "zb89_fig7.json", folder_ / "own/scene/zb89_fig5.json",
                  fs::copy_options::overwrite_existing);
    data = "own";
  }
  const Answer answer = limber("bench --quick --task postures,locked --json numbers.json --data " + data);
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json numbers = parsed(read(folder_ / "numbers.json"));
  int rejected = 0;
  for (const nlohmann::json& row : numbers["postures"]) {
    if (row["exit"] == "rejected") {
      ++rejected;
      EXPECT_TRUE(row["us"].is_null() && row["iterations"].is_null() && row["error cm"].is_null()) << row;
      EXPECT_NE(row["method"], "automatic");
    } else {
      EXPECT_GT(row["us"].get<double>(), 0.0) << row;
    }
    if (row["method"] == "automatic") {
      EXPECT_EQ(row["exit"], "converged") << row;
    }
  }
  EXPECT_EQ(rejected, 0) << "the tube has linear limits, which every method keeps";
  EXPECT_EQ(numbers["postures"].size() % 8, 0u) << "every method has a row for each of eight postures";
  for (const nlohmann::json& row : numbers["locked"]) {
    // A foot that nothing holds goes with the pelvis: some centimetres.
    // Lagrange multipliers follow velocities, and drift by the error of the integration.
    EXPECT_LE(row["max drift mm"].get<double>(), row["method"] == "lagrange-multipliers" ? 0.1 : 1e-3) << row;
    if (row["method"] == "automatic") {
      EXPECT_EQ(row["lock"], "in each iteration");
      EXPECT_LE(row["max drift mm"].get<double>(), 1e-6);
      EXPECT_LE(row["pelvis deg"].get<double>(), 0.1);
    }
  }
  EXPECT_GT(numbers["locked"].size(), 5u);
}

TEST_F(Tool, BenchMeasuresCostAgainstSize) {
  const Answer answer = limber("bench --quick --task size --json numbers.json");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json rows = parsed(read(folder_ / "numbers.json"))["size"];
  std::vector<int> chains, goals;
  for (const nlohmann::json& row : rows) {
    if (row["figure"] == "chain") {
      chains.push_back(row["dof"]);
      EXPECT_EQ(row["goals"], 1) << row;
    } else {
      goals.push_back(row["goals"]);
      EXPECT_EQ(row["dof"], 10 + 10 * goals.back()) << row;
    }
    EXPECT_EQ(row["met"], "yes") << row;
    EXPECT_GT(row["iterations"], 0) << row;
    for (const char* column : {"forward us", "gradient us", "solve us"})
      EXPECT_GT(row[column].get<double>(), 0.0) << row;
    EXPECT_GT(row["solve us"].get<double>(), row["gradient us"].get<double>()) << "a solve takes several gradients";
  }
  EXPECT_EQ(chains, (std::vector{10, 100, 1000}));
  EXPECT_EQ(goals, (std::vector{1, 3, 10}));
}

TEST_F(Tool, BenchMeasuresMotions) {
  const Answer answer = limber("bench --quick --task motion --json numbers.json --data " + source_data);
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json rows = parsed(read(folder_ / "numbers.json"))["motion"];
  std::map<std::string, int> parts;  // by their first word
  for (const nlohmann::json& row : rows) {
    const std::string part = row["part"];
    ++parts[part.substr(0, part.find_first_of(" ,"))];
    EXPECT_GT(row["us"].get<double>(), 0.0) << row;
    EXPECT_NEAR(row["s"].get<double>(), 1e-6 * row["us"].get<double>() * row["frames"].get<int>(), 1e-9) << row;
    EXPECT_EQ(row["error mm"].is_null(), part.starts_with("query")) << row;
    if (!row["error mm"].is_null()) {
      EXPECT_LE(row["error mm"].get<double>(), 0.1) << row;
    }
    if (!row["slide after mm"].is_null()) {
      EXPECT_GT(row["slide before mm"].get<double>(), 10.0) << row;
      EXPECT_LE(row["slide after mm"].get<double>(), 0.1) << row;
    }
    if (part.starts_with("feet and gaze")) {
      EXPECT_LE(row["gaze deg"].get<double>(), 2.0) << row;
    }
  }
  EXPECT_EQ(parts, (std::map<std::string, int>{{"query", 2}, {"feet", 3}, {"the", 1}, {"retarget", 3}, {"clean", 1}}));
}

// A folder with one robot and one short motion: every figure has its rows, each with what no option has tuned.
TEST_F(Tool, BenchMeasuresWhatASolveWithoutOptionsReaches) {
  const fs::path source = fs::path(source_dir()) / "data";
  fs::create_directories(folder_ / "own/urdf");
  fs::create_directories(folder_ / "own/acclaim");
  fs::copy_file(source / "urdf/panda.urdf", folder_ / "own/urdf/panda.urdf");
  const std::string run = "'" + (source / "acclaim/09_06.amc").string() + "'";
  ASSERT_EQ(limber("convert " + run + " own/acclaim/09_06.amc -q --overwrite --frames 0:20").status, 0);
  fs::rename(folder_ / "own/acclaim/09_06.asf", folder_ / "own/acclaim/09.asf");
  const Answer answer = limber("bench --quick --task reachable --json numbers.json --data own");
  ASSERT_EQ(answer.status, 0) << answer.err;
  std::map<std::string, int> figures;
  for (const nlohmann::json& row : parsed(read(folder_ / "numbers.json"))["reachable"]) {
    ++figures[row["figure"]];
    const bool far = row["goals of"].get<std::string>().find("far") != std::string::npos;
    EXPECT_GT(row["goals"], 0) << row;
    if (far) {
      EXPECT_EQ(row["unmet"], row["goals"]) << row;
    } else {
      EXPECT_LE(row["unmet %"].get<double>(), 5.0) << row;
    }
    EXPECT_LE(row["median us"], row["p99 us"]) << row;
    EXPECT_LE(row["p99 us"], row["max us"]) << row;
  }
  // One end or all, positions or placements, with the root free and given; those out of reach with the root given.
  const int rows_of_figure = 12;
  EXPECT_EQ(figures, (std::map<std::string, int>{{"panda.urdf", rows_of_figure},
                                                 {"09.asf", rows_of_figure},
                                                 {"human", rows_of_figure},
                                                 {"human, independent spine", rows_of_figure},
                                                 {"09_06.amc, 30 Hz", 2},
                                                 {"09_06.amc, 120 Hz", 2}}));
}

// Motions of other people than those of the paper, in a folder of their own or not, each with its skeleton.
TEST_F(Tool, BenchTakesTheMotionsThatItFinds) {
  const fs::path source = fs::path(source_dir()) / "data/acclaim";
  fs::create_directories(folder_ / "own/acclaim");
  expect_mistake(limber("bench --task tracking --data own"), 4,
                 "limber: own/acclaim: found no motion with its skeleton; expected files such as");
  fs::copy_file(source / "09.asf", folder_ / "own/acclaim/09.asf");
  fs::copy_file(source / "02_01.amc", folder_ / "own/acclaim/02_01.amc");  // without its skeleton
  const std::string walk = "'" + (source / "09_06.amc").string() + "'";
  const std::string frames = law::whole_or_quick("0:10", "0:1");
  ASSERT_EQ(limber("convert " + walk + " own/acclaim/09_06.amc -q --overwrite --frames " + frames).status, 0);
  const Answer answer = limber("bench --quick --task tracking --json numbers.json --data own");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json rows = parsed(read(folder_ / "numbers.json"))["tracking"];
  EXPECT_GT(rows.size(), 10u);
  for (const nlohmann::json& row : rows) EXPECT_EQ(row["motion"], "09_06.amc");
  expect_mistake(limber("bench --task natural --data own"), 4, "limber: own/acclaim/02.asf: ");
  // The folder itself, where it has no folder for motions.
  fs::rename(folder_ / "own/acclaim", folder_ / "plain");
  EXPECT_EQ(limber("bench --quick --task tracking --data plain").status, 0);
}

}  // namespace bench_test
}  // namespace limber::test
