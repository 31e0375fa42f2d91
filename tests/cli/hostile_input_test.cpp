// Small inputs that ask for much work or memory (fuzz/size): each ends within 64 times its size plus 64 MiB, and
// within processor time that is generous for what it takes, and a fraction of what it took where work grew as the
// square or the cube of the input.
#include <fcntl.h>
#include <sys/resource.h>

#include "tests/cli/tool.h"

namespace limber::test {
namespace hostile_input_test {

constexpr double memory_per_byte = 64.0, memory_beside = 64.0 * 0x1p20;
// Seconds, of an optimized tool or of one that is not.
constexpr rlim_t max_processor_time = 600;

struct Row {
  const char* name;
  std::vector<std::string> arguments;
  const char* answer;  // a part of what is printed
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

// A sanitized tool has shadows of its memory.
constexpr bool is_sanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

class HostileInput : public ::testing::TestWithParam<Row> {
 protected:
  struct Run {
    int status = 0;
    rusage used = {};
    std::string printed;
  };

  static fs::path folder() { return fs::path(source_dir()) / "fuzz/size"; }

  static Run run(std::vector<std::string> arguments) {
    const std::string printed =
        (fs::path(::testing::TempDir()) / ("limber_hostile_" + std::to_string(::getpid()))).string();
    arguments.insert(arguments.begin(), tool_path());
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      const int out = ::open(printed.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const rlimit time{max_processor_time, max_processor_time};
      if (out < 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(out, STDERR_FILENO) < 0 ||
          ::chdir(folder().c_str()) != 0 || ::setrlimit(RLIMIT_CPU, &time) != 0)
        ::_exit(127);
      ::execv(words.front(), words.data());
      ::_exit(127);
    }
    Run out;
    ::wait4(child, &out.status, 0, &out.used);
    out.printed = read(printed);
    fs::remove(printed);
    return out;
  }
};

TEST_P(HostileInput, EndsWithinItsMemoryAndTime) {
  double bytes = 0.0;
  for (const std::string& argument : GetParam().arguments)
    if (fs::exists(folder() / argument)) bytes += static_cast<double>(fs::file_size(folder() / argument));
  ASSERT_GT(bytes, 0.0);
  const Run found = run(GetParam().arguments);
  ASSERT_TRUE(WIFEXITED(found.status)) << "signal " << WTERMSIG(found.status) << '\n' << found.printed;
  EXPECT_NE(found.printed.find(GetParam().answer), std::string::npos) << found.printed.substr(0, 1000);
  if (is_sanitized) return;
  const double memory = 1024.0 * static_cast<double>(found.used.ru_maxrss);
  EXPECT_LE(memory, memory_per_byte * bytes + memory_beside) << bytes << " bytes";
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, HostileInput,
    ::testing::Values(
        Row{"ScriptThatRepeats", {"animate", "human.json", "repeat.script"}, "demands times frames"},
        Row{"ScriptOfManyFrames", {"animate", "human.json", "many_frames.script"}, "or --frame-by-frame"},
        Row{"LevelsOfGoals", {"solve", "levels.json"}, "23 degrees of freedom"},
        Row{"LevelsOfGoalsChecked", {"check", "levels.json"}, "ok"},
        Row{"LongChain", {"solve", "long_chain.json"}, "at most 1024"},
        Row{"ManyGoals", {"solve", "many_goals.json"}, "numbers times parameters"},
        Row{"LevelsOfAChain", {"solve", "chain_levels.json"}, "degrees of freedom"},
        Row{"LimitRows", {"solve", "rows.json"}, "degrees of freedom"},
        Row{"LimitRowsOutside", {"check", "rows_outside.json"}, "ok"},
        Row{"FullLimitRows", {"check", "full_rows.json"}, "ok"},
        Row{"Locks", {"solve", "locks.json", "--time-limit", "20"}, "degrees of freedom"},
        Row{"Correlations", {"prior", "chain.bvh"}, "1500 parameters; expected at most 1024"},
        Row{"Hull", {"solve", "hull.json"}, "degrees of freedom"},
        Row{"Mesh", {"solve", "mesh.json"}, "degrees of freedom"},
        Row{"OutOfReach", {"animate", "human.json", "out_of_reach.script", "--time-limit", "4"}, "991 frames"}),
    [](const ::testing::TestParamInfo<Row>& row) { return row.param.name; });

// The best pose so far, and what takes long without an observer ends too.
TEST_F(Tool, StopsWhenItsTimeIsOver) {
  const std::string folder = (fs::path(source_dir()) / "fuzz/size/").string();
  write("far.json", R"({"limber": "scene 1", "figure": {"human": {}}, "constraints": [
    {"handle": {"point": "right_palm"}, "goal": {"position": [0, 1, 9]}},
    {"handle": {"frame": "left_foot"}, "goal": {"hold": true}, "weight": "must"}]})");
  const Answer solved = limber("solve --iterations 1000000000 --restarts 1000000 --time-limit 0.2 far.json");
  EXPECT_EQ(solved.status, 1) << solved.err;
  EXPECT_TRUE(solved.out.starts_with("cancelled: ")) << solved.out;
  EXPECT_NE(solved.err.find("stopped after 0.2 s"), std::string::npos) << solved.err;
  std::string script = read(folder + "out_of_reach.script");
  const std::size_t length = script.find("length 33");
  ASSERT_NE(length, std::string::npos);
  write("long.script", script.replace(length, 9, "length 400").c_str());
  const Answer animated =
      limber("animate --time-limit 0.2 --frame-by-frame " + folder + "human.json long.script -o no.bvh");
  EXPECT_NE(animated.err.find("--time-limit"), std::string::npos) << animated.err;
  EXPECT_FALSE(fs::exists(folder_ / "no.bvh"));
  EXPECT_EQ(limber("solve arm.json --time-limit 100").err, "");
  EXPECT_EQ(limber("solve arm.json --time-limit 0").status, 2);
}

}  // namespace hostile_input_test
}  // namespace limber::test
