// Comfort, joint torques against strength, RULA and REBA of a pose.
#include "objects.h"

namespace limber::python {

namespace {

constexpr Names<CarriedBy, 3> carriers = {
    {{"usual", CarriedBy::usual}, {"feet", CarriedBy::feet}, {"root", CarriedBy::root}}};

struct JointRowObject {
  std::string name;
  JointRow row;
};

struct AssessmentObject {
  Figure figure;
  Assessment assessment;
};

std::vector<SharedLoad> loads_of(const nb::object& loads) {
  std::vector<SharedLoad> all;
  if (loads.is_none()) return all;
  if (!nb::hasattr(loads, "items")) fail("loads", repr_of(loads), "a mapping from places to kilograms");
  for (const nb::handle item : loads.attr("items")()) {
    const nb::tuple pair = nb::cast<nb::tuple>(item);
    double mass = 0.0;
    if (!nb::try_cast(nb::object(pair[1]), mass)) fail("loads", repr_of(nb::object(pair[1])), "kilograms");
    all.push_back({{text_of(nb::object(pair[0]))}, mass});
  }
  return all;
}

AssessmentObject assess_pose(const PoseObject& pose, const nb::object& loads, std::string_view carried_by,
                             std::string_view sex, double percentile, double stature, bool held, bool repeated,
                             bool sitting) {
  AssessmentOptions options{.loads = loads_of(loads),
                            .carried_by = to_enum(carriers, carried_by, "carried_by"),
                            .table = human_strength(to_enum(sexes, sex, "sex")),
                            .strength = {.percentile = percentile, .stature = stature},
                            .circumstances = {.held = held, .repeated = repeated, .sitting = sitting}};
  return {pose.figure, unwrap(limber::assess(pose.figure, pose.pose, options))};
}

std::optional<int> score(const std::optional<Scores>& scores, int RulaScore::* member) {
  return scores ? std::optional(scores->rula.*member) : std::nullopt;
}
std::optional<int> score(const std::optional<Scores>& scores, int RebaScore::* member) {
  return scores ? std::optional(scores->reba.*member) : std::nullopt;
}

}  // namespace

void bind_assess(nb::module_& m) {
  nb::class_<JointRowObject>(m, "JointAssessment", "Comfort and load of a parameter.")
      .def_ro("name", &JointRowObject::name, "The parameter.")
      .def_prop_ro(
          "angle", [](const JointRowObject& j) { return j.row.angle; }, "In radians.")
      .def_prop_ro(
          "comfort", [](const JointRowObject& j) { return j.row.comfort; }, "1 comfortable, 0 at a limit.")
      .def_prop_ro(
          "torque", [](const JointRowObject& j) { return j.row.load.torque; }, "That muscles hold, in N m.")
      .def_prop_ro(
          "strength", [](const JointRowObject& j) { return j.row.load.strength; },
          "In that direction; infinite if the table has none.")
      .def_prop_ro(
          "share", [](const JointRowObject& j) { return j.row.load.share; }, "Torque over strength.")
      .def_prop_ro(
          "at_stop", [](const JointRowObject& j) { return j.row.load.at_stop; }, "Held by the end of its range.");
  nb::class_<AssessmentObject>(m, "Assessment", "What a pose costs a person.")
      .def_prop_ro(
          "discomfort", [](const AssessmentObject& a) { return a.assessment.discomfort; }, "0 to 1.")
      .def_prop_ro(
          "body_mass", [](const AssessmentObject& a) { return a.assessment.body_mass; }, "In kilograms.")
      .def_prop_ro(
          "max_load", [](const AssessmentObject& a) { return a.assessment.max_load.mass; },
          "In kilograms at the loaded places, else the palms; infinite if no joint ever fails.")
      .def_prop_ro(
          "joints",
          [](const AssessmentObject& a) {
            std::vector<JointRowObject> rows;
            for (const JointRow& row : a.assessment.rows)
              rows.push_back({a.figure.parameters()[static_cast<std::size_t>(row.parameter)].name, row});
            return tuple_of(rows);
          },
          "One per parameter with a load.")
      .def_prop_ro(
          "segment_discomfort", [](const AssessmentObject& a) { return new_array(a.assessment.discomfort_heat); },
          "By segment, -1 where none counts: for the heat of limber.draw().")
      .def_prop_ro(
          "segment_share", [](const AssessmentObject& a) { return new_array(a.assessment.share_heat); },
          "Torque over strength by segment, -1 where none counts.")
      .def_prop_ro(
          "rula",
          [](const AssessmentObject& a) {
            return std::pair(score(a.assessment.left, &RulaScore::grand), score(a.assessment.right, &RulaScore::grand));
          },
          "Left and right, 1 to 7; None if the figure lacks a place.")
      .def_prop_ro(
          "reba",
          [](const AssessmentObject& a) {
            return std::pair(score(a.assessment.left, &RebaScore::score), score(a.assessment.right, &RebaScore::score));
          },
          "Left and right, 1 to 15; None if the figure lacks a place.")
      .def_prop_ro(
          "no_scores", [](const AssessmentObject& a) { return a.assessment.no_scores; }, "Why there are none.");
  m.def("assess", &assess_pose, "pose"_a, "loads"_a = nb::none(), nb::kw_only(), "carried_by"_a = "usual",
        "sex"_a = "male", "percentile"_a = 50.0, "stature"_a = 0.0, "held"_a = false, "repeated"_a = false,
        "sitting"_a = false,
        nb::sig("def assess(pose: Pose, loads: collections.abc.Mapping[str, float] | None = None, *, carried_by: str = "
                "'usual', sex: str = 'male', percentile: float = 50.0, stature: float = 0.0, held: bool = False, "
                "repeated: bool = False, sitting: bool = False) -> Assessment"),
        "Comfort, joint torques against strength, RULA and REBA of a pose. `loads`: kilograms by place; `carried_by`: "
        "'usual', 'feet' or 'root'.\n\n"
        ">>> pose = limber.human().pose({'right_shoulder.elevation': 1.4})\n"
        ">>> limber.assess(pose, {'right_palm': 10.0}).max_load < limber.assess(pose.figure.rest()).max_load\n"
        "True");
}

}  // namespace limber::python
