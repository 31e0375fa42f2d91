// The tool as its users meet it: what it prints, where, and with what exit status.
#include <nlohmann/json.hpp>

#include "limber/solver/option_table.h"
#include "tests/cli/tool.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace cli_test {

// 64 times a file of 2 MB and 64 MiB more is 192 MiB; the shell counts in KiB. A sanitized tool maps
// terabytes that it does not use, so there only the answer is looked at.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMBER_TOOL_IS_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LIMBER_TOOL_IS_SANITIZED
#endif
#ifdef LIMBER_TOOL_IS_SANITIZED
const std::string within_memory = "--version >/dev/null; ";
#else
const std::string within_memory = "--version >/dev/null; ulimit -v 196608; ";
#endif

constexpr const char* out_of_reach =
    R"({"limber": "scene 1", "title": "Far away", "figure": {"simple_human": {"root": "fixed"}},
  "constraints": [{"name": "far", "handle": {"point": "right_palm"}, "goal": {"position": [0, 1, 9]}}]})";

TEST_F(Tool, SolvesAndSaysSo) {
  const Answer answer = limber("solve arm.json");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  EXPECT_TRUE(answer.out.starts_with("A planar arm reaches over a ball\nconverged: ")) << answer.out;
  EXPECT_NE(answer.out.find("tip position"), std::string::npos);
}

TEST_F(Tool, SolvesTheOtherSampleToo) { EXPECT_EQ(limber("solve reach.json").status, 0); }

TEST_F(Tool, SaysWhenNotAllIsMet) {
  write("far.json", out_of_reach);
  const Answer answer = limber("solve far.json");
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.out.find("far"), std::string::npos);
  EXPECT_EQ(answer.err, "");
}

TEST_F(Tool, WritesThePose) {
  EXPECT_EQ(limber("solve arm.json -o posed.json --quiet").out, "");
  // Solved already: nothing is left to do.
  const Answer again = limber("solve posed.json --json");
  EXPECT_EQ(again.status, 0) << again.err;
  const auto report = nlohmann::json::parse(again.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_LE(report["iterations"].get<int>(), 1);
  EXPECT_EQ(limber("solve posed.json --iterations 0").status, 0);
}

TEST_F(Tool, WritesIntoTheSceneItself) {
  EXPECT_EQ(limber("solve arm.json -o arm.json").status, 0);
  EXPECT_EQ(limber("solve arm.json --iterations 0").status, 0);
}

TEST_F(Tool, WritesThePoseToStandardOutput) {
  EXPECT_EQ(limber("solve arm.json -o posed.json -q").status, 0);
  EXPECT_EQ(limber("solve arm.json -o - -q").out, read(folder_ / "posed.json"));
  expect_mistake(limber("solve arm.json -o -"), 2, "limber: --output: found standard output, where the report goes");
  EXPECT_FALSE(fs::exists(folder_ / "-"));
}

TEST_F(Tool, ReportsAsJson) {
  write("far.json", out_of_reach);
  const Answer answer = limber("solve far.json --json");
  EXPECT_EQ(answer.status, 1);
  const auto report = nlohmann::json::parse(answer.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << answer.out;
  for (const char* key : {"title", "exit", "met", "degrees_of_freedom", "iterations", "evaluations", "objective",
                          "objective_before", "kkt", "start_projected", "constraints", "pose_degrees", "pose_metres"})
    EXPECT_TRUE(report.contains(key)) << key;
  EXPECT_EQ(report["exit"], "converged");
  EXPECT_EQ(report["met"], false);
  const auto& constraint = report["constraints"][0];
  EXPECT_EQ(constraint["name"], "far");
  EXPECT_GT(constraint["error_mm"].get<double>(), 7000.0);
  EXPECT_FALSE(constraint.contains("error_degrees"));
  EXPECT_TRUE(constraint["held_back_by"].is_array());
  EXPECT_TRUE(report["pose_degrees"].contains("right_elbow.flexion"));
  EXPECT_TRUE(report["pose_metres"].empty());
  const auto free = nlohmann::json::parse(limber("solve reach.json --json").out, nullptr, false);
  EXPECT_TRUE(free["pose_metres"].contains("root.x"));
  EXPECT_TRUE(free["constraints"][1].contains("error_degrees"));
}

TEST_F(Tool, TakesTheSceneFromStandardInput) {
  EXPECT_EQ(limber("solve - < arm.json").out, limber("solve arm.json").out);
  expect_mistake(limber("solve - < /dev/null"), 3, "limber: standard input: found an empty file");
}

TEST_F(Tool, TheCommandLineCountsForOneRun) {
  EXPECT_EQ(limber("solve arm.json --iterations 1 --tolerance 1e-5 -o one.json").status, 1);
  EXPECT_EQ(read(folder_ / "one.json").find("options"), std::string::npos);
}

TEST_F(Tool, Draws) {
  for (const char* how : {"", " --solve"}) {
    const Answer answer = limber(std::string("draw arm.json -o arm.svg") + how);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out + answer.err, "");
    EXPECT_NE(read(folder_ / "arm.svg").find("<svg"), std::string::npos);
  }
  write("far.json", out_of_reach);
  EXPECT_EQ(limber("draw far.json -o far.svg").status, 0);
  EXPECT_EQ(limber("draw far.json -o far.svg --solve").status, 1);
}

TEST_F(Tool, TellsItsVersionAndHelps) {
  EXPECT_TRUE(limber("--version").out.starts_with("limber 0."));
  for (const char* call : {"--help", "solve --help", "draw --help"}) {
    const Answer answer = limber(call);
    EXPECT_EQ(answer.status, 0);
    EXPECT_NE(answer.out.find("Examples:"), std::string::npos) << call;
    EXPECT_NE(answer.out.find("Exit status"), std::string::npos) << call;
  }
}

// All that exit_code.h has.
TEST_F(Tool, HelpHasEveryExitStatus) {
  const std::string all = limber("--help").out;
  for (const char* status : {"  0  ", "  1  ", "  2  ", "  3  ", "  4  ", "  5  "})
    EXPECT_NE(all.find(std::string("\n") + status), std::string::npos) << status;
  for (const char* verb : {"solve", "draw", "animate", "assess", "reach", "info", "convert", "check"}) {
    const std::string help = limber(verb + std::string(" --help")).out;
    const std::string statuses = help.substr(std::min(help.size(), help.find("Exit status: ")));
    for (const char* status : {"0 ", "2 the command line", "3 ", "4 ", "5 internal error."})
      EXPECT_NE(statuses.find(status), std::string::npos) << verb << " --help: " << status;
  }
  for (const char* verb : {"track", "clean", "retarget"}) {
    const std::string help = limber(verb + std::string(" --help")).out;
    EXPECT_NE(help.find("limber --help says."), std::string::npos) << verb;
  }
}

// Every row of the table of options is a flag; what the method does not use, or cannot do, is said in one sentence.
TEST_F(Tool, TakesTheOptionsOfTheTable) {
  const std::string help = limber("solve --help").out;
  for (const OptionRow& row : option_table()) {
    std::string flag = "--" + std::string(row.key);
    std::ranges::replace(flag, '_', '-');
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
  for (const char* call :
       {"solve arm.json --longest-step unlimited",
        "solve arm.json --method jacobian-transpose --integration euler --step 0.5",
        "solve arm.json --method projected-conjugate-gradient --as-printed",
        "solve arm.json --secondary manipulability", "solve arm.json --met-mm 2 --met-degrees 1 --until-met",
        "solve arm.json --method lagrange-multipliers --feedback 5"})
    EXPECT_EQ(limber(call + std::string(" --iterations 5000 --json")).err, "") << call;
  expect_mistake(limber("solve arm.json --method active-set-bfgs --secondary comfort"), 3,
                 "limber: arm.json: options, secondary");
  EXPECT_NE(limber("solve arm.json --method active-set-bfgs --secondary comfort")
                .err.find("pseudoinverse and damped-least-squares"),
            std::string::npos);
  for (const char* call : {"solve arm.json --longest-step 0", "solve arm.json --secondary somehow",
                           "solve arm.json --gain 3", "solve arm.json --gain none=3", "solve arm.json --feedback -1"})
    expect_mistake(limber(call), 2, "limber: ");
}

TEST_F(Tool, AnswersAWrongCommandLine) {
  for (const char* call :
       {"", "sovle arm.json", "solve", "solve arm.json extra", "solve arm.json --iterations many",
        "solve arm.json --iterations -1", "solve arm.json --iterations 99999999999999999999",
        "solve arm.json --tolerance 0", "solve arm.json --tolerance nan", "solve arm.json --json --quiet",
        "draw arm.json", "draw -o x.svg", "--frobnicate", "solve arm.json -o"})
    expect_mistake(limber(call), 2, "limber: ");
}

TEST_F(Tool, NamesTheCommandThatItDoesNotKnow) {
  expect_mistake(limber("sovle arm.json"), 2,
                 "limber: command line: found the command 'sovle'; expected one of solve, draw, info, roles, convert, "
                 "check, track, attach, animate, clean, retarget, limits, prior, reach, assess, blend, edit, "
                 "bench\n");
}

TEST_F(Tool, AnswersAWrongScene) {
  write("wrong.json",
        "{\"limber\": \"scene 1\",\n \"figure\": {\"human\": {}},\n \"pose\": {\"right_elbow.flexoin\": 30}}");
  for (const char* call : {"solve wrong.json", "draw wrong.json -o x.svg"})
    expect_mistake(limber(call), 3,
                   "limber: wrong.json:3:11: /pose/right_elbow.flexoin: found the name "
                   "'right_elbow.flexoin'; expected a parameter, such as 'right_elbow.flexion'");
  EXPECT_FALSE(fs::exists(folder_ / "x.svg"));
}

TEST_F(Tool, AnswersAProblemThatCannotBeSolved) {
  write("torn.json",
        R"({"limber": "scene 1", "figure": {"segments": [{"name": "a"}], "joints": [{"name": "j", "child": "a",
    "freedoms": [{"name": "t", "axis": "x"}]}], "limits": [{"name": "up", "terms": {"j.t": 1}, "at_most": -10},
    {"name": "down", "terms": {"j.t": -1}, "at_most": -10}]}})");
  const Answer answer = limber("solve torn.json");
  expect_mistake(answer, 3, "limber: torn.json: figure ''");
  EXPECT_NE(answer.err.find("'up'"), std::string::npos) << answer.err;
}

TEST_F(Tool, AnswersAFileThatCannotBeReadOrWritten) {
  expect_mistake(limber("solve none.json"), 4, "limber: none.json: found no file that can be opened");
  expect_mistake(limber("solve ."), 4, "limber: .: found a folder; expected a regular file");
  expect_mistake(limber("solve arm.json -o none/posed.json"), 4,
                 "limber: none/posed.json: found a folder that cannot be written to");
  expect_mistake(limber("solve arm.json -o ."), 4, "limber: .: found");
  const Answer full = limber("solve arm.json > /dev/full");
  EXPECT_EQ(full.status, 4);
}

TEST_F(Tool, LeavesTheOldFileWhereTheNewOneCannotBeComplete) {
  write("posed.json", "old");
  // A file of more than one block of 512 bytes is not allowed here.
  const Answer answer =
      limber("--version; trap '' XFSZ; ulimit -f 1; '" + tool_path() + "' solve arm.json --quiet -o posed.json");
  EXPECT_EQ(answer.status, 4) << answer.err;
  EXPECT_EQ(read(folder_ / "posed.json"), "old");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 5u) << "arm, reach, posed, .out and .err: nothing is left lying about";
}

TEST_F(Tool, KeepsPermissionsAndLinks) {
  write("posed.json", "old");
  fs::permissions(folder_ / "posed.json", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("posed.json", folder_ / "link.json");
  EXPECT_EQ(limber("solve arm.json -q -o link.json").status, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
  EXPECT_TRUE(read(folder_ / "posed.json").starts_with("{"));
  EXPECT_EQ(fs::status(folder_ / "posed.json").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(limber("solve arm.json -q -o new.json").status, 0);
  EXPECT_EQ(limber("solve arm.json -q -o /dev/null").status, 0);
  EXPECT_EQ(fs::status("/dev/null").type(), fs::file_type::character);
}

TEST_F(Tool, BenchSaysHowToBuildItsProgram) {
  fs::copy_file(tool_path(), folder_ / "limber");
  const Answer answer = limber("--version; ./limber bench --quick");
  EXPECT_EQ(answer.status, 4);
  EXPECT_TRUE(answer.err.starts_with("limber: bench: found no program limber-bench beside limber; expected"))
      << answer.err;
  EXPECT_NE(answer.err.find("./run bench"), std::string::npos) << answer.err;
}

TEST_F(Tool, DeepAndLargeFilesAreAnswered) {
  write("deep.json", std::string(5'000'000, '['));
  expect_mistake(limber("solve deep.json"), 3, "limber: deep.json:1:65: found 65 nested");
  std::string flat = "[1";
  for (int i = 0; i < 1'000'000; ++i) flat += ",1";
  write("flat.json", flat + "]");
  expect_mistake(limber(within_memory + "'" + tool_path() + "' solve flat.json"), 3,
                 "limber: flat.json:1:1: /: found an array of 1000001");
}

}  // namespace cli_test
}  // namespace limber::test
