// The reader of motion scripts: every statement, and every mistake with its line and column.
#include "limber/document/motion_script/motion_script.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/document/motion_script/motion_script_side.h"
#include "tests/format/broken_text.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace motion_script_test {

const std::filesystem::path motion_examples = std::filesystem::path(source_dir()) / "example" / "motion";

MotionScript script_of(const std::string& text) {
  Expected<MotionScript> script = read_motion_script(text, "f");
  EXPECT_TRUE(script) << text << "\n" << script.error().text();
  return script ? std::move(*script) : MotionScript{};
}

// The only demand of the script.
ScriptDemand demand_of(const std::string& text) {
  const MotionScript script = script_of(text);
  EXPECT_EQ(script.demands.size(), 1u);
  return script.demands.empty() ? ScriptDemand{} : script.demands.front();
}

template <class G>
G goal_in(const std::string& text) {
  const ScriptDemand demand = demand_of(text);
  const SceneGoal* goal = std::get_if<SceneGoal>(&demand.goal);
  EXPECT_TRUE(goal && std::holds_alternative<G>(*goal)) << text;
  return goal && std::holds_alternative<G>(*goal) ? std::get<G>(*goal) : G{};
}

// --- When ------------------------------------------------------------------------------------------

TEST(MotionScript, SaysRateAndLength) {
  const MotionScript script = script_of("rate 24\nlength 2.5");
  EXPECT_EQ(script.rate, 24.0);
  EXPECT_EQ(script.length, 2.5);
  EXPECT_EQ(script.duration(), 2.5);
  EXPECT_EQ(script_of("").rate, 30.0);
  EXPECT_EQ(script_of("").duration(), 0.0);
}

TEST(MotionScript, LastsUntilTheLastTimeThatItMentions) {
  EXPECT_EQ(script_of("key 1\nkey 0.5").duration(), 1.0);
  EXPECT_EQ(script_of("event far 9\nfrom 1 until 2 hold a, ease 3").duration(), 2.0);
  EXPECT_EQ(script_of("from 3 hold a").duration(), 3.0);
  EXPECT_EQ(script_of("throughout hold a").duration(), 0.0);
  EXPECT_EQ(script_of("repeat 4 every 0.5\nkey 1\nend").duration(), 2.5);
}

TEST(MotionScript, WorksTimesOut) {
  const std::string events = "event step 0.5\nevent strike 2 * step + 0.25\n";
  const auto time = [&](const std::string& text) { return script_of(events + "key " + text).keys.at(0).time; };
  EXPECT_EQ(time("0.5"), 0.5);
  EXPECT_EQ(time("strike"), 1.25);
  EXPECT_EQ(time("strike+0.5"), 1.75);
  EXPECT_EQ(time("strike - step*2 + 1"), 1.25);
  EXPECT_EQ(time("-1 * step"), -0.5);
  EXPECT_EQ(time("+.5e0-strike"), -0.75);
  EXPECT_EQ(time("1e-1*step"), 0.05);
}

TEST(MotionScript, HasFourKindsOfSpans) {
  const auto span = [](const std::string& text) { return demand_of(text + " hold a").span; };
  EXPECT_EQ(span("from 1 until 2").from, 1.0);
  EXPECT_EQ(span("from 1 until 2").to, 2.0);
  EXPECT_EQ(span("from 1").to, infinity);
  EXPECT_EQ(span("until 2").from, -infinity);
  EXPECT_EQ(span("until 2").to, 2.0);
  EXPECT_EQ(span("at 3").from, 3.0);
  EXPECT_EQ(span("at 3").to, 3.0);
  EXPECT_EQ(span("throughout").from, -infinity);
  EXPECT_EQ(span("throughout").to, infinity);
}

// --- Keys ------------------------------------------------------------------------------------------

TEST(MotionScript, ReadsKeys) {
  const MotionScript script = script_of(
      "key 0 pose\n"
      "key 0.5 linear, ease in 0.1 out 0.2, right_elbow.flexion 40\n"
      "  \"left leg.angle\" -3, travel (0, 1, 2)\n"
      "\n  # a comment\n"
      "  heading 90\n"
      "key 1 step ease 0.3\n");
  ASSERT_EQ(script.keys.size(), 3u);
  EXPECT_TRUE(script.keys[0].whole_pose);
  EXPECT_EQ(script.keys[0].path, KeyPath::spline);
  const ScriptKey& key = script.keys[1];
  EXPECT_EQ(key.path, KeyPath::linear);
  EXPECT_EQ(key.ease.in, 0.1);
  EXPECT_EQ(key.ease.out, 0.2);
  ASSERT_EQ(key.values.size(), 2u);
  EXPECT_EQ(key.values[0].parameter.text, "right_elbow.flexion");
  EXPECT_EQ(key.values[0].value, 40.0);
  EXPECT_EQ(key.values[0].parameter.place.line, 2);
  EXPECT_EQ(key.values[0].parameter.place.column, 38);
  EXPECT_EQ(key.values[1].parameter.text, "left leg.angle");
  EXPECT_EQ(key.travel, Vec3(0, 1, 2));
  EXPECT_EQ(key.heading, 90.0);
  EXPECT_EQ(script.keys[2].path, KeyPath::step);
  EXPECT_EQ(script.keys[2].ease.in, 0.3);
  EXPECT_EQ(script.keys[2].ease.out, 0.3);
}

// --- Demands ---------------------------------------------------------------------------------------

TEST(MotionScript, HasAlternatives) {
  const ScriptDemand demand = demand_of(
      "from 1 until 2 place a at (1, 2, 3) facing x, weight 5, or move b along (0, 0, 0) (1, 0, 0) evenly,\n"
      "  or lock c, ease 0.1, chain d");
  EXPECT_EQ(demand.weight, 5.0);
  EXPECT_EQ(demand.span.ease_in, 0.1);
  EXPECT_EQ(demand.chain.text, "d");
  EXPECT_EQ(demand.name, "place a");
  EXPECT_EQ(std::get<ScenePlacement>(std::get<SceneGoal>(demand.goal)).p, Vec3(1, 2, 3));
  ASSERT_EQ(demand.others.size(), 2u);
  EXPECT_TRUE(std::get<ScriptPath>(demand.others[0].goal).evenly);
  EXPECT_EQ(demand.others[0].handle.place, "b");
  EXPECT_EQ(demand.others[0].handle.kind, SceneHandle::Kind::point);
  EXPECT_EQ(demand.others[1].name, "lock c");
  EXPECT_EQ(demand.others[1].handle.kind, SceneHandle::Kind::frame);
  const ScriptDemand named = demand_of("from 1 hold a or hold b, named grip");
  EXPECT_EQ(named.name, "grip (1)");
  EXPECT_EQ(named.others[0].name, "grip (2)");
  EXPECT_TRUE(std::isinf(demand_of("from 1 hold a, must, or hold b").weight));
  EXPECT_EQ(script_of("from 1 until 3 hold a or hold b").duration(), 3.0);
}

TEST(MotionScript, Balances) {
  const ScriptDemand demand = demand_of("from 1 balance over left_foot, right_foot, \"weight\", margin 0.02, ease 0.1");
  const ScriptBalance& balance = std::get<ScriptBalance>(demand.goal);
  ASSERT_EQ(balance.feet.size(), 3u);
  EXPECT_EQ(balance.feet[0].text, "left_foot");
  EXPECT_EQ(balance.feet[2].text, "weight");
  EXPECT_EQ(balance.margin, 0.02);
  EXPECT_EQ(demand.weight, 1000.0);
  EXPECT_EQ(demand.name, "balance");
  EXPECT_EQ(demand.span.ease_out, 0.1);
  EXPECT_EQ(demand_of("from 1 balance over a weight 2").weight, 2.0);
}

TEST(MotionScript, Holds) {
  const ScriptDemand demand = demand_of("from 1 hold left_heel");
  EXPECT_EQ(demand.handle.kind, SceneHandle::Kind::point);
  EXPECT_EQ(demand.handle.place, "left_heel");
  EXPECT_EQ(demand.name, "hold left_heel");
  EXPECT_EQ(demand.weight, 1.0);
  goal_in<SceneHold>("from 1 hold left_heel");
  EXPECT_EQ(demand_of("from 1 hold mass_centre").handle.kind, SceneHandle::Kind::mass_centre);
  EXPECT_EQ(demand_of("from 1 hold \"mass_centre\"").handle.kind, SceneHandle::Kind::point);
}

TEST(MotionScript, Locks) {
  EXPECT_EQ(demand_of("from 1 lock left_foot").handle.kind, SceneHandle::Kind::frame);
  goal_in<SceneHold>("from 1 lock left_foot");
  const auto there = goal_in<ScenePlacement>("from 1 lock left_foot at (1, 0, 2) facing z up y");
  EXPECT_EQ(there.p, Vec3(1, 0, 2));
  EXPECT_EQ(there.orientation.x, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(there.orientation.y, Vec3(Vec3::UnitY()));
}

TEST(MotionScript, PlacesAndTurns) {
  EXPECT_EQ(goal_in<Position>("at 1 place left_heel at (1 2 3)").p, Vec3(1, 2, 3));
  EXPECT_EQ(demand_of("at 1 place left_heel at (1 2 3)").handle.kind, SceneHandle::Kind::point);
  const auto placed = goal_in<ScenePlacement>("at 1 place left_heel at (1, 2, 3), facing (0, 0, -5)");
  EXPECT_EQ(placed.p, Vec3(1, 2, 3));
  EXPECT_EQ(placed.orientation.x, Vec3(-Vec3::UnitZ()));
  EXPECT_FALSE(placed.orientation.y);
  EXPECT_EQ(demand_of("at 1 place a at (1, 2, 3), up y").handle.kind, SceneHandle::Kind::frame);
  const auto turned = goal_in<SceneOrientation>("at 1 turn left_foot facing -x up z");
  EXPECT_EQ(turned.x, Vec3(-Vec3::UnitX()));
  EXPECT_EQ(turned.y, Vec3(Vec3::UnitZ()));
}

TEST(MotionScript, AimsAndJoins) {
  EXPECT_EQ(goal_in<SceneAimAt>("throughout aim eyes at (0, 1.6, 9)").p, Vec3(0, 1.6, 9));
  EXPECT_EQ(demand_of("throughout aim eyes at (0, 1.6, 9)").handle.kind, SceneHandle::Kind::ray);
  const ScriptDemand at_hand = demand_of("throughout aim eyes at right_palm");
  EXPECT_EQ(goal_in<SceneAimAt>("throughout aim eyes at right_palm").p, Vec3(Vec3::Zero()));
  ASSERT_EQ(at_hand.handle.of.size(), 2u);
  EXPECT_EQ(at_hand.handle.of[0].kind, SceneHandle::Kind::ray);
  EXPECT_EQ(at_hand.handle.of[0].place, "eyes");
  EXPECT_EQ(at_hand.handle.of[1].kind, SceneHandle::Kind::point);
  EXPECT_EQ(at_hand.handle.of[1].place, "right_palm");
  EXPECT_EQ(at_hand.name, "aim eyes at right_palm");
  goal_in<SceneCoincide>("throughout join left_palm to right_palm");
  EXPECT_EQ(demand_of("throughout join left_palm to right_palm").name, "join left_palm to right_palm");
}

TEST(MotionScript, Moves) {
  const ScriptDemand demand =
      demand_of("from 1 until 2 move left_ankle along (0, 0, 0), (0, 1, 1),\n (0, 0, 2) facing z");
  const ScriptPath& path = std::get<ScriptPath>(demand.goal);
  EXPECT_EQ(path.points, (std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 1, 1), Vec3(0, 0, 2)}));
  EXPECT_FALSE(path.straight);
  EXPECT_FALSE(path.evenly);
  ASSERT_TRUE(path.turned);
  EXPECT_EQ(path.turned->x, Vec3(Vec3::UnitZ()));
  const ScriptDemand other = demand_of("from 1 until 2 move a along (0 0 0) (0 1 1) evenly straight");
  EXPECT_TRUE(std::get<ScriptPath>(other.goal).straight);
  EXPECT_TRUE(std::get<ScriptPath>(other.goal).evenly);
}

TEST(MotionScript, Keeps) {
  const auto above = goal_in<HalfSpace>("throughout keep left_toe above 0.1");
  EXPECT_EQ(above.p, Vec3(0, 0.1, 0));
  EXPECT_EQ(above.v, Vec3(0, 1, 0));
  EXPECT_EQ(goal_in<HalfSpace>("throughout keep left_toe below 2").v, Vec3(0, -1, 0));
  const auto plane = goal_in<Plane>("throughout keep a on plane through (1, 2, 3) facing x");
  EXPECT_EQ(plane.p, Vec3(1, 2, 3));
  EXPECT_EQ(plane.v, Vec3(1, 0, 0));
  EXPECT_EQ(goal_in<HalfSpace>("throughout keep a in front of plane through (1, 2, 3) facing -z").v, Vec3(0, 0, -1));
  EXPECT_EQ(goal_in<Line>("throughout keep a on line through (1, 2, 3) along z").v, Vec3(0, 0, 1));
  const auto sphere = goal_in<SceneRegion>("throughout keep a outside sphere at (1, 2, 3) radius 0.5");
  EXPECT_EQ(sphere.side, SceneRegion::Side::outside);
  EXPECT_EQ(std::get<SceneSphere>(sphere.region).centre, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<SceneSphere>(sphere.region).radius, 0.5);
  EXPECT_EQ(goal_in<SceneRegion>("throughout keep a inside sphere at (1, 2, 3) radius 0").side,
            SceneRegion::Side::inside);
}

TEST(MotionScript, KeepsADistance) {
  const auto rope = goal_in<Distance>("throughout keep a within 0.3 of (1, 2, 3)");
  EXPECT_EQ(rope.p, Vec3(1, 2, 3));
  EXPECT_EQ(rope.d, 0.3);
  EXPECT_EQ(rope.bound, Distance::Bound::at_most);
  EXPECT_EQ(goal_in<Distance>("throughout keep a beyond 0.3 of (1, 2, 3)").bound, Distance::Bound::at_least);
  EXPECT_EQ(goal_in<Distance>("throughout keep a exactly 0.3 from (1, 2, 3)").bound, Distance::Bound::equal);
  EXPECT_EQ(demand_of("throughout keep a within 0.3 of (1, 2, 3)").name, "keep a within 0.3 of a point");
  const ScriptDemand of_two = demand_of("throughout keep right_palm within 0.3 of left_palm, must");
  EXPECT_EQ(of_two.handle.kind, SceneHandle::Kind::difference);
  ASSERT_EQ(of_two.handle.of.size(), 2u);
  EXPECT_EQ(of_two.handle.of[0].place, "right_palm");
  EXPECT_EQ(of_two.handle.of[1].place, "left_palm");
  EXPECT_EQ(of_two.name, "keep right_palm within 0.3 of left_palm");
  EXPECT_EQ(of_two.weight, must);
}

TEST(MotionScript, SaysHow) {
  const ScriptDemand demand = demand_of("from 1 hold a, weight 2.5, ease 0.1, chain waist, named \"the heel\"");
  EXPECT_EQ(demand.weight, 2.5);
  EXPECT_EQ(demand.span.ease_in, 0.1);
  EXPECT_EQ(demand.span.ease_out, 0.1);
  EXPECT_EQ(demand.chain.text, "waist");
  EXPECT_EQ(demand.name, "the heel");
  EXPECT_EQ(demand_of("from 1 hold a must").weight, must);
  EXPECT_EQ(demand_of("from 1 hold a ease in 0.1").span.ease_in, 0.1);
  EXPECT_EQ(demand_of("from 1 hold a ease in 0.1").span.ease_out, 0.0);
  EXPECT_EQ(demand_of("from 1 hold a ease out 0.1").span.ease_out, 0.1);
  EXPECT_EQ(demand_of("from 1 hold a ease out 0.1").span.ease_in, 0.0);
  EXPECT_EQ(demand_of("from 1 hold a ease in 0.1 out 0.2").span.ease_out, 0.2);
}

TEST(MotionScript, Repeats) {
  const MotionScript script = script_of(
      "key 0\nrepeat 4 every 0.55 shift (0, 0, 0.7) mirrored\nkey 1\nfrom 1 hold a\nend\nkey 2\nrepeat 2 every 1\nend");
  ASSERT_EQ(script.blocks.size(), 2u);
  EXPECT_EQ(script.blocks[0].passes, 4);
  EXPECT_EQ(script.blocks[0].every, 0.55);
  EXPECT_EQ(script.blocks[0].shift, Vec3(0, 0, 0.7));
  EXPECT_TRUE(script.blocks[0].mirrored);
  EXPECT_FALSE(script.blocks[1].mirrored);
  EXPECT_EQ(script.blocks[1].shift, Vec3(Vec3::Zero()));
  EXPECT_EQ(script.keys[0].block, no_block);
  EXPECT_EQ(script.keys[1].block, 0);
  EXPECT_EQ(script.keys[2].block, no_block);
  EXPECT_EQ(script.demands[0].block, 0);
}

TEST(MotionScript, KnowsTheOtherSide) {
  const std::pair<const char*, const char*> names[] = {{"left_heel", "right_heel"},
                                                       {"RightFoot", "LeftFoot"},
                                                       {"hip LEFT", "hip RIGHT"},
                                                       {"eyes", "eyes"},
                                                       {"bright", "bright"},
                                                       {"leftover", "leftover"},
                                                       {"rig:LeftArm", "rig:RightArm"},
                                                       {"upperLeft", "upperRight"},
                                                       {"aim left_a at right_b", "aim right_a at left_b"},
                                                       {"", ""}};
  for (const auto& [name, image] : names) {
    EXPECT_EQ(other_side(name), image);
    EXPECT_EQ(other_side(image), name);
  }
}

// --- Text ------------------------------------------------------------------------------------------

// The same script as far as its parts show.
void expect_same_script(const MotionScript& a, const MotionScript& b) {
  ASSERT_EQ(a.keys.size(), b.keys.size());
  ASSERT_EQ(a.demands.size(), b.demands.size());
  for (std::size_t k = 0; k < a.keys.size(); ++k) {
    EXPECT_EQ(a.keys[k].time, b.keys[k].time);
    EXPECT_EQ(a.keys[k].place.line, b.keys[k].place.line);
    EXPECT_EQ(a.keys[k].place.column, b.keys[k].place.column);
    ASSERT_EQ(a.keys[k].values.size(), b.keys[k].values.size());
    for (std::size_t v = 0; v < a.keys[k].values.size(); ++v) {
      EXPECT_EQ(a.keys[k].values[v].value, b.keys[k].values[v].value);
      EXPECT_EQ(a.keys[k].values[v].parameter.text, b.keys[k].values[v].parameter.text);
    }
  }
  for (std::size_t k = 0; k < a.demands.size(); ++k) {
    EXPECT_EQ(a.demands[k].name, b.demands[k].name);
    EXPECT_EQ(a.demands[k].span.from, b.demands[k].span.from);
    EXPECT_EQ(a.demands[k].span.to, b.demands[k].span.to);
    EXPECT_EQ(a.demands[k].place.line, b.demands[k].place.line);
    EXPECT_EQ(a.demands[k].place_of_name.column, b.demands[k].place_of_name.column);
    EXPECT_EQ(a.demands[k].goal.index(), b.demands[k].goal.index());
  }
}

std::string with_line_ends(const std::string& text, const std::string& end) {
  std::string out;
  for (const char c : text) c == '\n' ? out += end : out += c;
  return out;
}

TEST(MotionScript, LineEndsTabsAndMarksMakeNoDifference) {
  const std::string text = read_sample(motion_examples / "walk.script");
  const MotionScript script = script_of(text);
  EXPECT_GT(script.demands.size(), 5u);
  expect_same_script(script, script_of(with_line_ends(text, "\r\n")));
  expect_same_script(script, script_of(with_line_ends(text, "\r")));
  expect_same_script(script, script_of("\xEF\xBB\xBF" + text));
  std::string tabs = text;
  for (char& c : tabs)
    if (c == ' ') c = '\t';
  expect_same_script(script, script_of(tabs));
  while (text.ends_with('\n') && tabs.ends_with('\n')) tabs.pop_back();
  expect_same_script(script, script_of(tabs));
}

TEST(MotionScript, KeywordsMayBeInCapitals) {
  const ScriptDemand demand = demand_of("FROM 1 Until 2 HOLD a, EASE In 0.1, MUST");
  EXPECT_EQ(demand.weight, must);
  EXPECT_EQ(demand.span.ease_in, 0.1);
}

TEST(MotionScript, EveryPrefixOfTheExampleIsReadOrRejected) {
  const std::string text = read_sample(motion_examples / "walk.script");
  int read = 0, rejected = 0;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const Expected<MotionScript> script = read_motion_script(text.substr(0, size), "f");
    if (script) {
      ++read;
    } else {
      ++rejected;
      expect_error(script.error(), {text.substr(0, size), "", ""});
      EXPECT_GT(script.error().line, 0);
    }
  }
  EXPECT_GT(read, 10);
  EXPECT_GT(rejected, 100);
}

TEST(MotionScript, RejectsWithLineAndColumn) {
  const BrokenText table[] = {
      {"rates 30", "1:1", "found \"rates\"; expected a statement, such as 'rate'"},
      {"rate", "1:5", "found the end of the file; expected a finite number for the frames a second"},
      {"rate \n", "1:6", "the end of the line"},
      {"rate 0", "1:6", "0.001 to 1000 frames a second"},
      {"rate nan", "1:6", "a finite number"},
      {"rate inf", "1:6", "a finite number"},
      {"rate 1e999", "1:6", "a finite number"},
      {"rate 2000", "1:6", "0.001 to 1000"},
      {"rate 30 20", "1:9", "found \"20\"; expected the end of the line"},
      {"rate 30\nrate 30", "2:1", "a second \"rate\""},
      {"length -1", "1:8", "0 or more"},
      {"length 1\nlength 1", "2:1", "a second \"length\""},
      {"event 1a 2", "1:7", "a letter first"},
      {"event a-b 2", "1:7", "letters, digits and _"},
      {"event \"\" 2", "1:7", "an empty name"},
      {"event a 1\nevent a 2", "2:7", "a second time"},
      {"event left_strike 1\nkey left_stike + 2", "2:5",
       "found \"left_stike\"; expected a number or an event for the key, such as 'left_strike'"},
      {"key 1 + ", "1:9", "the end of the file"},
      {"key 1s", "1:5", "a number or an event"},
      {"key 1e308 * 1e308", "1:5", "not finite"},
      {"key", "1:4", "a number or an event for the key"},
      {"right_elbow.flexion 40", "1:1", "a \"key\" above"},
      {"key 0\nrate 30\nright_elbow.flexion 40", "3:1", "a \"key\" above"},
      {"key 0\n  right_elbow.flexion forty", "2:23", "a finite number for the parameter"},
      {"key 0 liner", "1:7", "such as 'linear'"},
      {"key 0 linear step", "1:14", "one of step, linear, spline, slerp and curve"},
      {"key 0 ease -1", "1:12", "0 or more"},
      {"key 0 travel (1, 2)", "1:19", "a finite number for how far"},
      {"key 0 travel 1", "1:14", "(x, y, z) for how far"},
      {"key 0 travel (1, 2, 3, 4)", "1:24", "\")\" after three numbers"},
      {"key 0 heading 1 heading 2", "1:17", "a second \"heading\""},
      {"key 0\nform 0.3 until 1 hold a", "2:1", "found \"form\"; expected a statement, such as 'from'"},
      {"key 0 \"no end", "1:7", "a closing quote"},
      {"from 2 until 1 hold a", "1:8", "found an end at 1 s, before the beginning; expected 2 s or later"},
      {"from 1 holt a", "1:8", "found \"holt\"; expected what to do, such as 'hold'"},
      {"from 1 hold", "1:12", "the name of a place"},
      {"from 1 hold (", "1:13", "the name of a place"},
      {"from 1 hold a,, must", "1:15", "found \",\""},
      {"from 1 hold a must must", "1:20", "a second \"must\""},
      {"from 1 hold a must weight 2", "1:27", "one of the two"},
      {"from 1 hold a weight -2", "1:22", "0 or more"},
      {"from 1 hold a facing x", "1:15", "found \"facing\"; expected the end of the line or how to do it"},
      {"from 1 hold a wieght 2", "1:15", "such as 'weight'"},
      {"from 1 lock a at (0, 0, 0) facing x", "1:8", "\"facing\" and \"up\" too"},
      {"from 1 place a (0, 0, 0)", "1:16", "\"at\""},
      {"from 1 place a at (0, 0, 0) facing w", "1:36", "x, y, z, -x, -y, -z or a vector"},
      {"from 1 place a at (0, 0, 0) facing (0, 0, 0)", "1:36", "a vector of length 0"},
      {"from 1 place a at (0, 0, 0) facing x up -x", "1:8", "two directions"},
      {"from 1 turn a", "1:14", "\"facing\", \"up\" or both"},
      {"from 1 aim eyes right_palm", "1:17", "\"at\""},
      {"from 1 move a along (0, 0, 0) (1, 0, 0)", "1:8", "\"from\" one time \"until\" a later one"},
      {"at 1 move a along (0, 0, 0) (1, 0, 0)", "1:6", "\"from\" one time \"until\" a later one"},
      {"from 1 until 2 move a along (0, 0, 0)", "1:38", "(x, y, z) for a point of the way"},
      {"from 1 keep a over 2", "1:15", "where to keep it"},
      {"from 1 keep a on sphere", "1:18", "\"plane\" or \"line\""},
      {"from 1 keep a in front plane", "1:24", "\"of\""},
      {"from 1 keep a inside sphere at (0, 0, 0) radius -1", "1:49", "0 or more"},
      {"from 1 keep a within -1 of b", "1:22", "0 or more"},
      {"from 1 keep a within 1 from b", "1:24", "\"of\""},
      {"from 1 hold a or", "1:17", "what to do"},
      {"from 1 hold a or holt b", "1:18", "such as 'hold'"},
      {"from 1 hold a must or hold b must", "1:30", "a second \"must\""},
      {"from 1 turn a or hold b", "1:15", "\"facing\", \"up\" or both"},
      {"from 1 hold a oe hold b", "1:15", "such as 'or'"},
      {"from 1 balance a", "1:16", "\"over\""},
      {"from 1 balance over", "1:20", "a foot"},
      {"from 1 balance over a margin -1", "1:30", "metres, 0 or more"},
      {"from 1 balance over a must", "1:8", "a weight, such as 1000"},
      {"from 1 hold a margin 1", "1:15", "the end of the line or how to do it"},
      {"repeat 0 every 1", "1:8", "a whole number from 1 to 10000 for how often"},
      {"repeat 2.5 every 1", "1:8", "a whole number"},
      {"repeat 2 every -1", "1:16", "0 or more"},
      {"repeat 2 every 1 mirror", "1:18", "\"mirrored\""},
      {"repeat 2 every 1\nrepeat 2 every 1\nend\nend", "2:1", "a block within a block"},
      {"repeat 2 every 1\nkey 1\n", "3:1", "\"end\" of the block"},
      {"end", "1:1", "a \"repeat\" above"},
      {"repeat 10000 every 1\nfrom 1 hold a\nend", "2:1", "at most 1024"},
      {"repeat 10000 every 1\nkey 1 a.b 1 a.c 1 a.d 1 a.e 1 a.f 1 a.g 1 a.h 1\nend", "2:1", "at most 65536"},
      {"rate 30\r\n\r\nfrom é until", "3:6", "found \"é\""},
  };
  for (const BrokenText& broken : table) {
    const Expected<MotionScript> script = read_motion_script(broken.text, "f");
    ASSERT_FALSE(script) << broken.text;
    expect_error(script.error(), broken);
  }
  EXPECT_FALSE(read_motion_script(std::string("rate\0 30", 8), "f"));
  EXPECT_FALSE(read_motion_script("\xFF\xFE", "f"));
}

TEST(MotionScript, LongScriptsAreReadInTimeThatGrowsWithThem) {
  std::string text;
  for (int k = 0; k < 20'000; ++k) text += "key " + std::to_string(k) + " a.b 1\n";
  const MotionScript script = script_of(text);
  ASSERT_EQ(script.keys.size(), 20'000u);
  EXPECT_EQ(script.keys.back().place.line, 20'000);
  EXPECT_EQ(script.keys.back().place.column, 1);
}

}  // namespace motion_script_test
}  // namespace limber
