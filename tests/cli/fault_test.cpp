// Faults: the disk is full at any call that changes a file, memory runs out at any allocation, the tool is interrupted
// or killed at any call. After each, what a verb writes is the complete old or the complete new, all of its files
// alike. tests/cli/fault/fault.cpp lets calls fail.
#include <csignal>
#include <set>
#include <sstream>

#include "limber/base/random.h"
#include "tests/cli/tool.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace fault_test {

// What a verb is called with, and all that it writes then.
struct Call {
  const char* verb;
  const char* arguments;
  std::vector<std::string> outputs;
  bool replaces = true;  // the outputs are there before
};

const std::vector<Call>& calls() {
  static const std::vector<Call> list = {
      {"solve", "arm.json -q -o out.json", {"out.json"}},
      {"draw", "arm.json -o out.svg", {"out.svg"}},
      {"roles", "walk.amc -o out.json --picture out.svg", {"out.json", "out.svg"}},
      {"convert", "walk.amc out.amc --overwrite -q", {"out.asf", "out.amc"}},
      {"convert", "walk.amc out.gltf --overwrite -q", {"out.gltf"}},
      {"track", "walk.amc --widen -o out.amc --overwrite", {"out.asf", "out.amc"}},
      {"attach", "feet.bvh feet.trc -o out.json", {"out.json"}},
      {"animate",
       "arm.json still.script -q -o out.amc --picture out.svg --overwrite",
       {"out.asf", "out.amc", "out.svg"}},
      {"clean", "walk.amc --feet -o out.bvh --picture out.svg", {"out.bvh", "out.svg"}},
      {"retarget", "walk.amc human -o out.bvh --picture out.svg", {"out.bvh", "out.svg"}},
      {"limits", "feet.bvh -o out.asf", {"out.asf"}},
      {"prior", "feet.bvh -o out.json", {"out.json"}},
      // It would continue a map that is there.
      {"reach", "arm.json --handle tip --resolution 0.5 --map out.map -o out.ply", {"out.map", "out.ply"}, false},
      {"assess", "arm.json -o out.svg", {"out.svg"}},
      {"edit", "feet.bvh --reverse -q -o out.bvh --picture out.svg", {"out.bvh", "out.svg"}},
      {"blend", "feet.bvh feet.bvh --weight 0.5 -q -o out.bvh --picture out.svg", {"out.bvh", "out.svg"}},
  };
  return list;
}
constexpr std::string_view verbs_that_only_read[] = {"info", "check", "bench"};

constexpr const char* feet_bvh =
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT left_foot\n{\nOFFSET 0.1 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0.2\n}\n}\n"
    "JOINT right_foot\n{\nOFFSET -0.1 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0.2\n}\n"
    "}\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n0 1 0 0 0 0 0 0 0 0 0 0\n0 1 0 0 0 5 0 3 0 0 0 0\n"
    "0 1 0 0 0 8 0 6 0 4 0 0\n";

std::string feet_trc() {
  std::string text =
      "PathFileType\t4\t(X/Y/Z)\tfeet.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
      "OrigDataStartFrame\tOrigNumFrames\n10\t10\t3\t3\tm\t10\t1\t3\nFrame#\tTime\ttoe\t\t\thip\t\t\tside\t\t\n"
      "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3\n";
  for (int k = 0; k < 3; ++k)
    text += std::to_string(k + 1) + "\t0." + std::to_string(k) + "\t0.1\t0\t0.2\t0\t1\t0\t-0.1\t0\t0.2\n";
  return text;
}

class Fault : public Tool, public ::testing::WithParamInterface<Call> {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write("feet.bvh", feet_bvh);
    write("feet.trc", feet_trc());
    write("still.script", "length 0.1\nkey 0\n");
  }

  Answer run(const std::string& fault) const {
    const std::string library = fault.empty() ? "" : "LD_PRELOAD='" + faults_path() + "' ";
    return limber("--version; LIMBER_FAULT='" + fault + "' LIMBER_FAULT_COUNT=count.txt " + library + "'" +
                  tool_path() + "' " + call().verb + " " + call().arguments);
  }
  const Call& call() const { return GetParam(); }

  void restore() const {
    for (const std::string& file : call().outputs) {
      fs::remove(folder_ / file);
      if (call().replaces) write(file.c_str(), "old " + file);
    }
  }
  bool is_old(const std::string& file) const {
    return call().replaces ? read(folder_ / file) == "old " + file : !fs::exists(folder_ / file);
  }
  bool is_new(const std::string& file) const { return read(folder_ / file) == fresh_.at(file); }
  bool all_old() const {
    return std::ranges::all_of(call().outputs, [&](const auto& file) { return is_old(file); });
  }
  bool all_new() const {
    return std::ranges::all_of(call().outputs, [&](const auto& file) { return is_new(file); });
  }

  std::vector<fs::path> temporary_files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().starts_with(".limber-")) found.push_back(entry.path());
    return found;
  }

  std::map<std::string, std::string> fresh_;  // what is written without a fault
};

// k from 1 to `count`: a few of them, first and last among them, or all in a long run.
std::vector<long> some_of(long count, long few, Random& random) {
  std::set<long> chosen;
  const long wanted = std::min(count, law::length_of_laws() == "long" ? 100 * few : few);
  for (long k = 0; k < wanted; ++k)
    chosen.insert(1 + (k * count + random.integer(0, static_cast<int>(count) - 1)) / wanted % count);
  if (count > 0) chosen.insert({1, count});
  return {chosen.begin(), chosen.end()};
}

bool is_answer(int status) { return status == 0 || status == 1; }

TEST_P(Fault, LeavesAllFilesOldOrAllFilesNew) {
  const std::string walk = source_dir() + "/data/acclaim/02_01.amc";
  ASSERT_EQ(limber("convert '" + walk + "' walk.amc --frames 0:3 -q").status, 0);
  restore();
  ASSERT_TRUE(is_answer(run("count").status)) << run("count").err;
  for (const std::string& file : call().outputs) {
    fresh_[file] = read(folder_ / file);
    ASSERT_GT(fresh_[file].size(), 20u) << file;
  }
  long disk_calls = 0, allocations = 0;
  std::istringstream(read(folder_ / "count.txt")) >> disk_calls >> allocations;
  ASSERT_GE(disk_calls, 4 * static_cast<long>(call().outputs.size()));
  ASSERT_GT(allocations, 100);
  Random random(21);

  for (const long k : some_of(disk_calls, 6, random)) {
    SCOPED_TRACE("the disk fails at call " + std::to_string(k));
    restore();
    const Answer answer = run("disk " + std::to_string(k));
    EXPECT_TRUE(temporary_files().empty());
    if (is_answer(answer.status)) {  // it could do without
      EXPECT_TRUE(all_new());
      continue;
    }
    EXPECT_EQ(answer.status, 4) << answer.err;
    EXPECT_TRUE(all_old());
    EXPECT_TRUE(std::ranges::any_of(call().outputs, [&](const std::string& file) {
      return answer.err.find("limber: " + file + ": found") != std::string::npos;
    })) << answer.err;
    EXPECT_TRUE(answer.err.find("Input/output error") != std::string::npos ||
                answer.err.find("No space left on device") != std::string::npos)
        << answer.err;
  }
  for (const long k : some_of(allocations, 6, random)) {
    SCOPED_TRACE("memory runs out at allocation " + std::to_string(k));
    restore();
    const Answer answer = run("memory " + std::to_string(k));
    EXPECT_TRUE(temporary_files().empty());
    if (is_answer(answer.status)) {
      EXPECT_TRUE(all_new());
      continue;
    }
    EXPECT_EQ(answer.status, 5) << answer.err;
    EXPECT_TRUE(all_old() || all_new());
    EXPECT_NE(answer.err.find("limber: internal error: out of memory"), std::string::npos) << answer.err;
  }
  for (const int signal : {SIGINT, SIGTERM, SIGKILL})
    for (const long k : some_of(disk_calls, 3, random)) {
      SCOPED_TRACE("signal " + std::to_string(signal) + " at call " + std::to_string(k));
      restore();
      const Answer answer = run("signal " + std::to_string(k) + " " + std::to_string(signal));
      // `reach` ends a map that is interrupted by itself.
      EXPECT_TRUE(answer.status == 128 + signal || (signal == SIGINT && call().verb == std::string("reach")))
          << answer.status;
      const std::vector<fs::path> temporary = temporary_files();
      if (signal != SIGKILL) {
        EXPECT_TRUE(temporary.empty());
        EXPECT_TRUE(all_old() || all_new());
      }
      // Killed between two new names, the old content of what is new has its second name.
      for (const std::string& file : call().outputs) {
        EXPECT_TRUE(is_old(file) || is_new(file)) << file;
        const bool is_kept =
            std::ranges::any_of(temporary, [&](const fs::path& path) { return read(path) == "old " + file; });
        EXPECT_TRUE(is_old(file) || all_new() || is_kept || !call().replaces) << file;
      }
      for (const fs::path& path : temporary) fs::remove(path);
    }
}

INSTANTIATE_TEST_SUITE_P(Verbs, Fault, ::testing::ValuesIn(calls()), [](const auto& one) {
  const std::string& file = one.param.outputs.back();
  return std::string(one.param.verb) + "_" + file.substr(file.find('.') + 1);
});

// So that a new verb is not forgotten.
TEST_F(Tool, WritesNothingByAVerbWithoutAFaultTest) {
  const std::string all = limber("no-verb").err;
  const std::size_t begin = all.find("expected one of ");
  ASSERT_NE(begin, std::string::npos) << all;
  std::istringstream words(all.substr(begin + 16, all.find('\n') - begin - 16));
  int verbs = 0;
  for (std::string verb; std::getline(words >> std::ws, verb, ','); ++verbs) {
    const bool writes = std::ranges::any_of(calls(), [&](const Call& call) { return call.verb == verb; });
    const bool reads = std::ranges::find(verbs_that_only_read, verb) != std::end(verbs_that_only_read);
    EXPECT_NE(writes, reads) << verb;
    const bool has_output = limber(verb + " --help").out.find("--output") != std::string::npos;
    if (!writes && verb != "bench") EXPECT_FALSE(has_output) << verb;
  }
  EXPECT_GT(verbs, 10);
}

}  // namespace fault_test
}  // namespace limber::test
