// limber clean and limber retarget.
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "tests/cli/tool.h"
#include "tests/motion/carried_sample.h"
#include "tests/support/svg.h"
#include "tests/support/tree.h"

namespace limber::test {
namespace clean_retarget_test {

class ToolOnFeet : public Tool {
 protected:
  // A figure and its motion, from a file that the tool wrote.
  carried_sample::RecordedMotion back(const std::string& name, const std::string& skeleton = {}) const {
    std::optional<Content> bones;
    if (!skeleton.empty()) bones = testing::good(read_content(read(folder_ / skeleton), skeleton));
    const Content content =
        testing::good(read_content(read(folder_ / name), name, ReadOptions{}, FileLoader{}, bones ? &*bones : nullptr));
    return {testing::good(with_common_names(bones ? *bones->figure : *content.figure)), content.clips.at(0)};
  }

  const std::string data_ = source_dir() + "/data/";
  const std::string walk_ = data_ + "bvh/cmu_02_01.bvh", robot_ = data_ + "urdf/g1_29dof.urdf",
                    amc_ = data_ + "acclaim/02_01.amc";
};

std::vector<Contact> contacts_of(const nlohmann::json& json) {
  std::vector<Contact> contacts;
  for (const auto& one : json["contacts"])
    contacts.push_back({one["place"].get<std::string>(),
                        one["frames"][0].get<int>(),
                        one["frames"][1].get<int>(),
                        one["from"].get<double>(),
                        one["until"].get<double>(),
                        {one["at"][0].get<double>(), one["at"][1].get<double>(), one["at"][2].get<double>()}});
  return contacts;
}

void expect_good_page(const std::string& page) {
  EXPECT_EQ(testing::xml_fault(page), "");
  EXPECT_EQ(testing::number_fault(page), "");
  EXPECT_GE(testing::occurrences(page, "class=\"frame\""), 3);
  EXPECT_GE(testing::occurrences(page, "class=\"contact\""), 5);
}

// Steps from frame to frame that are shorter than this are none: files have six digits.
int frames_at_rest(const carried_sample::RecordedMotion& motion, const std::string& place) {
  const double still = 5e-4;  // metres
  const std::vector<Vec3> path = carried_sample::path_of(motion.figure, motion.clip, place);
  int count = 0;
  for (std::size_t k = 1; k < path.size(); ++k) count += (path[k] - path[k - 1]).norm() < still;
  return count;
}

// --- Clean ---

TEST_F(ToolOnFeet, CleansAMotionAndWritesIt) {
  const Answer answer = limber("clean " + walk_ + " --feet -o clean.bvh --picture clean.svg");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_NE(answer.out.find("left_ankle         in contact from "), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("path per contact, cm"), std::string::npos);
  EXPECT_NE(answer.out.find("\nall "), std::string::npos);
  EXPECT_NE(answer.out.find("344 frames"), std::string::npos);
  EXPECT_EQ(answer.out.find("not held"), std::string::npos);
  const std::string page = read(folder_ / "clean.svg");
  expect_good_page(page);
  EXPECT_GE(testing::occurrences(page, "class=\"before\""), 1);
  const Answer json = limber("clean " + walk_ + " --feet --json");
  EXPECT_EQ(json.status, 0);
  EXPECT_EQ(json.err, "");
  const std::vector<Contact> contacts = contacts_of(parsed(json.out));
  EXPECT_EQ(contacts.size(), 10U);  // five stances; before the first a foot is already leaving
  const carried_sample::RecordedMotion cleaned = back("clean.bvh");
  EXPECT_EQ(cleaned.clip.frames(), 344);
  EXPECT_LE(carried_sample::max_error(cleaned.figure, cleaned.clip, contacts), 2e-4) << "read again";
}

TEST_F(ToolOnFeet, TellsTheCleaningInJson) {
  const Answer answer = limber("clean " + amc_ + " --feet --json -o clean.amc");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json json = parsed(answer.out);
  EXPECT_EQ(json["frames"], 343);
  EXPECT_EQ(json["met"], true);
  EXPECT_EQ(json["exit"], "converged");
  EXPECT_GT(json["iterations"], 0);
  EXPECT_GE(json["seconds"], 0.0);
  const nlohmann::json all = json["sliding_before_after"]["all"];
  EXPECT_EQ(all["contacts"], json["contacts"].size());
  EXPECT_GT(all["mean_way_cm"][0], 1.0);
  EXPECT_LT(all["mean_way_cm"][1], 0.01 * all["mean_way_cm"][0].get<double>());
  EXPECT_LT(all["max_drift_cm"][1], 0.02);
  for (const char* place : {"left_ankle", "left_ball", "right_ankle", "right_ball"})
    EXPECT_TRUE(json["sliding_before_after"].contains(place)) << place;
  const carried_sample::RecordedMotion cleaned = back("clean.amc", "clean.asf");
  EXPECT_EQ(cleaned.clip.frames(), 343);
  EXPECT_LE(carried_sample::max_error(cleaned.figure, cleaned.clip, contacts_of(json)), 2e-4);
}

TEST_F(ToolOnFeet, CleansThePlacesThatAreNamed) {
  const nlohmann::json json = parsed(limber("clean " + walk_ + " --feet --json --places left_ball").out);
  EXPECT_EQ(json["contacts"].size(), 3U);
  for (const Contact& contact : contacts_of(json)) EXPECT_EQ(contact.place, "left_ball");
  // Without easing and smoothness the rest of the motion stays.
  EXPECT_EQ(limber("clean " + walk_ + " --feet --places left_ball --ease 0 --smooth 0 -o exact.bvh").status, 0);
  const carried_sample::RecordedMotion was = carried_sample::carried("bvh/cmu_02_01.bvh"), is = back("exact.bvh");
  std::vector<char> stands(344, 0);
  for (const Contact& contact : contacts_of(json))
    for (int k = contact.first; k <= contact.last; ++k) stands[static_cast<std::size_t>(k)] = 1;
  for (int k = 0; k < 344; ++k) {
    if (!stands[static_cast<std::size_t>(k)]) {
      EXPECT_LT((is.clip.poses.col(k) - was.clip.poses.col(k)).cwiseAbs().maxCoeff(), 1e-5) << k;
    }
  }
}

// Wide bounds make one contact of a whole walk: the body stays where it is.
TEST_F(ToolOnFeet, TakesWiderBounds) {
  const Answer answer =
      limber("clean " + walk_ + " --feet --places left_ankle --height 9 --speed 9 --json -o stay.bvh");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json json = parsed(answer.out);
  ASSERT_EQ(json["contacts"].size(), 1U);
  EXPECT_EQ(json["contacts"][0]["frames"], (nlohmann::json{1, 343})) << "frame 0 is a T-pose of its own";
  EXPECT_GT(json["sliding_before_after"]["all"]["max_drift_cm"][0], 100.0);
  EXPECT_EQ(frames_at_rest(back("stay.bvh"), "left_ankle"), 342);
}

TEST_F(ToolOnFeet, SaysWhatIsWrongWithWhatIsToBeCleaned) {
  expect_mistake(limber("clean " + walk_), 2, "limber: limber clean: found nothing to clean; expected --feet");
  expect_mistake(limber("clean " + robot_ + " --feet"), 3, "limber: " + robot_ + ": found no motion");
  expect_mistake(limber("clean nowhere.bvh --feet"), 4, "limber: nowhere.bvh: ");
  expect_mistake(limber("clean"), 2, "limber: ");
  const std::string simple = data_ + "gltf/RiggedSimple.glb";
  expect_mistake(limber("clean " + simple + " --feet"), 3, "limber: " + simple + ": figure 'RiggedSimple': ");
  expect_mistake(limber("clean " + walk_ + " --feet --places left_fin"), 3, "limber: " + walk_ + ": ");
  expect_mistake(limber("clean " + walk_ + " --feet --ease -1"), 2, "limber: --ease: ");
  ASSERT_EQ(limber("convert " + walk_ + " short.bvh -q --frames 0:60").status, 0);
  for (const char* option : {"-o nowhere/clean.bvh", "--picture nowhere/clean.svg"}) {
    const Answer answer = limber(std::string("clean short.bvh --feet ") + option);
    EXPECT_EQ(answer.status, 4) << option;
    EXPECT_EQ(answer.err.substr(0, 22), "limber: nowhere/clean.") << option;
  }
  EXPECT_EQ(limber("clean " + walk_ + " --feet -o clean.urdf").status, 2) << "which has no motion";
}

// --- Retarget ---

TEST_F(ToolOnFeet, CarriesAMotionToOtherFigures) {
  const Answer human = limber("retarget " + amc_ + " human --every 4 -o human.glb --picture human.svg");
  EXPECT_EQ(human.status, 0) << human.err;
  EXPECT_EQ(human.out.substr(0, 10), "86 frames ");
  EXPECT_NE(human.out.find("left_heel"), std::string::npos) << human.out;
  EXPECT_EQ(human.out.find("not held"), std::string::npos);
  expect_good_page(read(folder_ / "human.svg"));
  const carried_sample::RecordedMotion on_human = back("human.glb");
  EXPECT_EQ(on_human.clip.frames(), 86);
  EXPECT_NEAR(on_human.clip.frame_time, 4.0 / 120.0, 1e-6);
  EXPECT_GE(frames_at_rest(on_human, "left_heel"), 30);

  // A robot that is bolted down in its file walks away.
  const Answer robot = limber("retarget " + walk_ + " " + robot_ + " --every 8 -o robot.bvh --json");
  EXPECT_EQ(robot.status, 0) << robot.err;
  const nlohmann::json json = parsed(robot.out);
  EXPECT_EQ(json["frames"], 43);
  EXPECT_EQ(json["met"], true);
  EXPECT_GT(json["scale"], 0.5);
  EXPECT_LT(json["scale"], 1.0);
  EXPECT_LT(json["bones_off_degrees"], 10.0);
  EXPECT_EQ(json["contacts"], json["sliding_before_after"]["all"]["contacts"]);
  EXPECT_LT(json["sliding_before_after"]["all"]["mean_way_cm"][1], 0.02);
  const carried_sample::RecordedMotion on_robot = back("robot.bvh");
  EXPECT_EQ(on_robot.clip.frames(), 43);
  const std::vector<Vec3> path = carried_sample::path_of(on_robot.figure, on_robot.clip, "root");
  EXPECT_GT((path.back() - path.front()).norm(), 1.5);
  EXPECT_GE(frames_at_rest(on_robot, "left_ankle_roll_joint"), 15);
}

TEST_F(ToolOnFeet, LetsFeetSlideWhereThatIsAskedFor) {
  const std::string man = data_ + "gltf/CesiumMan.glb";
  const Answer answer = limber("retarget " + walk_ + " " + man + " --every 4 --slide --json -o man.glb");
  EXPECT_EQ(answer.status, 0) << answer.err;
  const nlohmann::json json = parsed(answer.out);
  EXPECT_EQ(json["contacts"], 0);
  EXPECT_FALSE(json.contains("sliding_before_after"));
  EXPECT_LT(json["bones_off_degrees"], 1.0);
  EXPECT_EQ(back("man.glb").clip.frames(), 86);
  EXPECT_LT(frames_at_rest(back("man.glb"), "left_ankle"), 5);
}

TEST_F(ToolOnFeet, SaysWhatIsWrongWithWhatIsToBeCarried) {
  const std::string to_human = "retarget " + walk_ + " human ";
  expect_mistake(limber("retarget " + walk_), 2, "limber: ");
  expect_mistake(limber("retarget " + walk_ + " nobody"), 4, "limber: nobody: ");
  expect_mistake(limber("retarget nowhere.bvh human"), 4, "limber: nowhere.bvh: ");
  expect_mistake(limber("retarget " + robot_ + " human"), 3, "limber: " + robot_ + ": found no motion");
  const std::string arm = data_ + "urdf/panda.urdf";
  expect_mistake(limber("retarget " + walk_ + " " + arm), 3,
                 "limber: figures 'cmu_02_01' and 'panda': found 0 places in common");
  expect_mistake(limber("retarget " + data_ + "gltf/RiggedSimple.glb human"), 3, "limber: figures 'RiggedSimple' and ");
  expect_mistake(limber(to_human + "--every 0"), 2, "limber: --every: ");
  for (const char* option : {"-o nowhere/walk.bvh", "--picture nowhere/walk.svg"}) {
    const Answer answer = limber(to_human + "--every 40 " + option);
    EXPECT_EQ(answer.status, 4) << option;
    EXPECT_EQ(answer.err.substr(0, 21), "limber: nowhere/walk.") << option;
  }
}

// A bone's part in a file counts for more than what is recognised.
TEST_F(ToolOnFeet, TakesThePartsOfAFileAndRejectsABodyWithoutAKnee) {
  const std::string robot = data_ + "gltf/CesiumMan.glb";
  ASSERT_EQ(limber("roles " + robot + " -o parts.json").status, 0);
  const Answer same = limber("retarget " + walk_ + " " + robot + " --every 40 --figure-roles parts.json -o same.glb");
  EXPECT_LE(same.status, 1) << same.err;
  write("none.json", R"({"limber": "roles 1", "parts": {"left_knee": ""}})");
  const Answer none = limber("retarget " + walk_ + " " + robot + " --every 40 --figure-roles none.json -o none.glb");
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("no place 'left_knee'"), std::string::npos) << none.err;
  write("wrong.json", R"({"limber": "roles 1", "parts": {"left_knee": "no such bone"}})");
  EXPECT_EQ(limber("retarget " + walk_ + " " + robot + " --figure-roles wrong.json -o none.glb").status, 3);
}

}  // namespace clean_retarget_test
}  // namespace limber::test
