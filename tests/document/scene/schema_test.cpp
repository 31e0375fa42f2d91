// What doc/scene.md shows is what the reader takes, and the schema has the same keys.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "limber/document/scene/scene_goal.h"
#include "limber/solver/option_table.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace schema_test {

std::string document(const char* name) { return read_sample(std::filesystem::path(source_dir()) / "doc" / name); }

// The text between two headings.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  return page.substr(begin, page.find("\n#", begin + 1) - begin);
}

// All `{"…` between single backticks, and the bare name of a handle.
std::vector<std::string> snippets(const std::string& text) {
  std::vector<std::string> found;
  const std::regex pattern("`(\\{\"[^`]*|\"left_foot\")`");
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

std::vector<std::string> blocks(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t begin = text.find("```json\n"); begin != std::string::npos; begin = text.find("```json\n", begin)) {
    begin += std::string_view("```json\n").size();
    found.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return found;
}

void expect_scene(const std::string& figure, const std::string& constraint) {
  const std::string text = R"({"limber": "scene 1", "figure": )" + figure + R"(, "constraints": [)" + constraint + "]}";
  const Expected<Scene> scene = read_scene(text, "doc", [](const std::string&) { return Expected<Figure>(human()); });
  EXPECT_TRUE(scene) << text << "\n" << scene.error().text();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

TEST(SceneDocument, ItsFirstExampleIsAScene) {
  const Expected<Scene> scene = read_scene(blocks(document("scene.md")).front(), "doc");
  EXPECT_TRUE(scene) << scene.error().text();
}

TEST(SceneDocument, ItsConstraintsAreConstraints) {
  const std::vector<std::string> shown = blocks(section(document("scene.md"), "## Constraints"));
  ASSERT_EQ(shown.size(), 1u);
  expect_scene(R"({"human": {}})", shown[0]);
}

TEST(SceneDocument, ItsBalanceAndPullsAreConstraints) {
  for (const char* heading : {"### Balance", "### Strength", "### Pulls"}) {
    const std::vector<std::string> shown = blocks(section(document("scene.md"), heading));
    ASSERT_EQ(shown.size(), 1u) << heading;
    std::istringstream lines(shown[0]);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) expect_scene(R"({"human": {}})", line);
    EXPECT_GE(count, 3) << heading;
  }
}

TEST(SceneDocument, ItsHandlesAndGoalsAndRegionsAreTaken) {
  const std::string page = document("scene.md");
  const std::vector<std::string> handles = snippets(section(page, "### Handles")),
                                 goals = snippets(section(page, "### Goals"));
  EXPECT_GE(handles.size(), 8u);
  EXPECT_GE(goals.size(), 19u);
  for (const std::string& handle : handles)
    expect_scene(R"({"human": {}})", R"({"handle": )" +
                                         replaced(handle, "[A, B]", R"(["left_foot", {"point": "eyes"}])") +
                                         R"(, "goal": {"hold": true}})");
  for (std::string goal : goals) {
    for (const char* region : {"sphere", "capsule", "box", "polyhedron"})
      if (goal.starts_with(std::string("{\"") + region)) goal = "{\"inside\": " + replaced(goal, ", …", "") + "}";
    goal = replaced(goal, "REGION", R"({"sphere": {"centre": [0, 1, 0], "radius": 1}})");
    expect_scene(R"({"human": {}})", R"({"handle": "eyes", "goal": )" + goal + "}");
  }
}

TEST(SceneDocument, ItsFiguresAreFigures) {
  const std::vector<std::string> shown = blocks(section(document("scene.md"), "## The figure"));
  ASSERT_EQ(shown.size(), 2u);
  std::istringstream lines(shown[0]);
  for (std::string line; std::getline(lines, line);) expect_scene(line, "");
  expect_scene(shown[1], "");
}

void collect_keys(const nlohmann::json& schema, std::set<std::string>& keys) {
  std::vector<const nlohmann::json*> open{&schema};
  while (!open.empty()) {
    const nlohmann::json& at = *open.back();
    open.pop_back();
    if (at.is_object() && at.contains("properties")) {
      EXPECT_EQ(at.value("additionalProperties", true), false) << at.dump();
      for (const auto& [key, value] : at["properties"].items()) keys.insert(key);
    }
    if (at.is_structured())
      for (const nlohmann::json& below : at) open.push_back(&below);
  }
}

// The ranges, the names and the defaults of the options are those of their table.
TEST(SceneSchema, HasTheTableOfOptions) {
  const auto schema = nlohmann::json::parse(document("scene.schema.json"), nullptr, false);
  const nlohmann::json& properties = schema["$defs"]["options"]["properties"];
  EXPECT_EQ(properties.size(), option_table().size() + 1);
  const std::string options = section(document("scene.md"), "## Options");
  for (const OptionRow& row : option_table()) {
    SCOPED_TRACE(row.key);
    ASSERT_TRUE(properties.contains(row.key));
    const nlohmann::json& one = properties[std::string(row.key)];
    EXPECT_TRUE(one.value("description", "").starts_with(row.help)) << one.value("description", "");
    EXPECT_NE(options.find("| `" + std::string(row.key) + "` |"), std::string::npos) << "no row in doc/scene.md";
    switch (row.kind) {
      case OptionKind::flag:
        EXPECT_EQ(one["type"], "boolean");
        break;
      case OptionKind::name:
        EXPECT_EQ(one["enum"].get<std::vector<std::string>>(),
                  std::vector<std::string>(row.names.begin(), row.names.end()));
        break;
      case OptionKind::parameters:
        EXPECT_EQ(one["additionalProperties"]["minimum"], 0);
        break;
      case OptionKind::whole:
      case OptionKind::number: {
        const nlohmann::json& number = row.unlimited ? one["anyOf"][0] : one;
        EXPECT_EQ(number["type"], row.kind == OptionKind::whole ? "integer" : "number");
        EXPECT_EQ(number[row.above_lower ? "exclusiveMinimum" : "minimum"], row.lower);
        EXPECT_EQ(number.value("maximum", infinity), row.upper);
        if (row.unlimited) {
          EXPECT_EQ(one["anyOf"][1]["const"], unlimited_word);
        }
      }
    }
    if (row.lists_methods()) {
      for (const Method method : row.methods)
        EXPECT_NE(options.find("`" + std::string(name_of(method)) + "`"), std::string::npos) << name_of(method);
    }
  }
}

// A key that one of them has and the others do not is a mistake in one of them.
TEST(SceneSchema, HasTheKeysThatTheReadersAllow) {
  const auto schema = nlohmann::json::parse(document("scene.schema.json"), nullptr, false);
  ASSERT_FALSE(schema.is_discarded());
  std::set<std::string> in_schema, in_readers;
  collect_keys(schema, in_schema);
  for (const SceneGoalKey& goal : scene_goal_keys()) {
    in_readers.emplace(goal.key);
    in_readers.insert(goal.members.begin(), goal.members.end());
  }
  in_readers.insert("method");
  for (const OptionRow& row : option_table()) in_readers.emplace(row.key);
  for (const char* file :
       {"document/scene/scene_read.cpp", "document/scene/scene_region.cpp", "document/scene/scene_obstacle.cpp",
        "document/scene/scene_strength.cpp", "document/strength/strength_file.cpp", "format/figure/figure_read.cpp",
        "format/figure/figures.cpp", "format/figure/prior_file.cpp"}) {
    const std::string source = read_sample(std::filesystem::path(source_dir()) / "limber" / file);
    ASSERT_FALSE(source.empty()) << file;
    const std::regex list("(?:object|sole)\\(\\s*\\{([^}]*)\\}"), word("\"([a-z_]+)\"");
    for (std::sregex_iterator match(source.begin(), source.end(), list), end; match != end; ++match) {
      const std::string keys = (*match)[1];
      for (std::sregex_iterator key(keys.begin(), keys.end(), word); key != end; ++key) in_readers.insert((*key)[1]);
    }
  }
  EXPECT_EQ(in_schema, in_readers);
  const std::string page = document("scene.md");
  for (const std::string& key : in_readers)
    EXPECT_TRUE(page.find("`" + key + "`") != std::string::npos || page.find("\"" + key + "\"") != std::string::npos)
        << key;
}

// Goal by goal: the same keys in the same order, each with the members that its row reads.
TEST(SceneSchema, HasARowForEveryGoalWithItsMembers) {
  const auto schema = nlohmann::ordered_json::parse(document("scene.schema.json"), nullptr, false);
  ASSERT_FALSE(schema.is_discarded());
  const auto& goals = schema["$defs"]["goal"]["properties"];
  const std::vector<SceneGoalKey> rows = scene_goal_keys();
  ASSERT_EQ(goals.size(), rows.size());
  std::size_t k = 0;
  for (const auto& [key, value] : goals.items()) {
    EXPECT_EQ(key, rows[k].key);
    std::set<std::string> members;
    collect_keys(nlohmann::json::parse(value.dump()), members);
    EXPECT_EQ(members, std::set<std::string>(rows[k].members.begin(), rows[k].members.end())) << key;
    ++k;
  }
}

}  // namespace schema_test
}  // namespace limber
