// limber bench: what it writes, and what it says where its data is not there.
#include <map>

#include "tests/cli/tool.h"
#include "tests/support/laws.h"

namespace limber::test {
namespace {

const std::string source_data = "'" LIMBER_SOURCE_DIR "/data'";

// What the page has embedded for its script.
nlohmann::json data_of_page(const std::string& page) {
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark), end = page.find("</script>", begin);
  if (begin == std::string::npos || end == std::string::npos) return nullptr;
  return parsed(page.substr(begin + mark.size(), end - begin - mark.size()));
}

TEST_F(Tool, BenchWritesAPageThatNeedsNothingElse) {
  const Answer answer = limber("bench --task chain --json numbers.json --report deep/page");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const std::string page = read(folder_ / "deep/page/index.html");
  const nlohmann::json data = data_of_page(page), numbers = parsed(read(folder_ / "numbers.json"));
  ASSERT_TRUE(data.is_object()) << page.substr(0, 2000);
  ASSERT_EQ(data["tasks"].size(), 1u);
  EXPECT_EQ(data["tasks"][0]["task"], "chain");
  EXPECT_GT(data["tasks"][0]["rows"].size(), 10u);
  EXPECT_EQ(data["tasks"][0]["rows"], numbers["chain"]);
  for (const char* key : {"limber", "date", "machine", "compiler", "methods"}) EXPECT_FALSE(data[key].empty()) << key;
  EXPECT_EQ(data["quick"], false);
  // The style, the library and the script are in the page, and nothing is fetched.
  for (const char* part : {"<title>", "--automatic:", "Chart.js v", "TASKS"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* part : {"src=", "href=", "url(", "@import", "{{data}}", ".js}}", ".css}}"})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
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
    const fs::path examples = fs::path(LIMBER_SOURCE_DIR) / "example/scene";
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
      EXPECT_TRUE(row["us"].is_null() && row["iterations"].is_null() && row["left cm"].is_null()) << row;
      EXPECT_NE(row["method"], "automatic");
    } else {
      EXPECT_GT(row["us"].get<double>(), 0.0) << row;
    }
    if (row["method"] == "automatic") {
      EXPECT_EQ(row["exit"], "converged") << row;
    }
  }
  EXPECT_GT(rejected, 0) << "the tube has limits that most methods reject";
  EXPECT_EQ(numbers["postures"].size() % 8, 0u) << "every method has a row for each of eight postures";
  for (const nlohmann::json& row : numbers["locked"]) {
    // A foot that nothing holds goes with the pelvis: some centimetres.
    EXPECT_LE(row["max drift mm"].get<double>(), 5.0) << row;
    if (row["method"] == "automatic") {
      EXPECT_EQ(row["lock"], "exact");
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
      chains.push_back(row["freedoms"]);
      EXPECT_EQ(row["goals"], 1) << row;
    } else {
      goals.push_back(row["goals"]);
      EXPECT_EQ(row["freedoms"], 10 + 10 * goals.back()) << row;
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
    EXPECT_EQ(row["left mm"].is_null(), part.starts_with("query")) << row;
    if (!row["left mm"].is_null()) {
      EXPECT_LE(row["left mm"].get<double>(), 0.1) << row;
    }
    if (!row["slid mm"].is_null()) {
      EXPECT_GT(row["slides mm"].get<double>(), 10.0) << row;
      EXPECT_LE(row["slid mm"].get<double>(), 0.1) << row;
    }
    if (part.starts_with("feet and gaze")) {
      EXPECT_LE(row["gaze deg"].get<double>(), 2.0) << row;
    }
  }
  EXPECT_EQ(parts, (std::map<std::string, int>{{"query", 2}, {"feet", 3}, {"the", 1}, {"retarget", 3}, {"clean", 1}}));
}

// Motions of other people than those of the paper, in a folder of their own or not, each with its skeleton.
TEST_F(Tool, BenchTakesTheMotionsThatItFinds) {
  const fs::path source = fs::path(LIMBER_SOURCE_DIR) / "data/acclaim";
  fs::create_directories(folder_ / "own/acclaim");
  expect_mistake(limber("bench --task nine --data own"), 4,
                 "limber: own/acclaim: found no motion with its skeleton; expected files such as");
  fs::copy_file(source / "09.asf", folder_ / "own/acclaim/09.asf");
  fs::copy_file(source / "02_01.amc", folder_ / "own/acclaim/02_01.amc");  // without its skeleton
  const std::string walk = "'" + (source / "09_06.amc").string() + "'";
  const std::string frames = law::whole_or_quick("0:10", "0:1");
  ASSERT_EQ(limber("convert " + walk + " own/acclaim/09_06.amc -q --overwrite --frames " + frames).status, 0);
  const Answer answer = limber("bench --quick --task nine --json numbers.json --data own");
  ASSERT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json rows = parsed(read(folder_ / "numbers.json"))["nine"];
  EXPECT_GT(rows.size(), 10u);
  for (const nlohmann::json& row : rows) EXPECT_EQ(row["motion"], "09_06.amc");
  expect_mistake(limber("bench --task natural --data own"), 4, "limber: own/acclaim: found motions of one person");
  // The folder itself, where it has no folder for motions.
  fs::rename(folder_ / "own/acclaim", folder_ / "plain");
  EXPECT_EQ(limber("bench --quick --task nine --data plain").status, 0);
}

}  // namespace
}  // namespace limber::test
