// Posing by pulling: parts are grabbed, moved, turned and released, and the rest of the body follows.
#include "objects.h"

namespace limber::python {

namespace {

constexpr Names<GripChain, 3> chains = {
    {{"body", GripChain::body}, {"limb", GripChain::limb}, {"part", GripChain::part}}};

struct GripReportObject {
  double metres, radians;
  bool met;
  Vec3 at;
  std::vector<std::string> held_back_by;
};

struct PosingReportObject {
  bool settled, met;
  int iterations;
  std::vector<GripReportObject> grips;
};

class PosingObject;

struct GripObject {
  nb::object posing;
  GripId id = {};
};

class PosingObject {
 public:
  PosingObject(const Figure& figure, const Pose& pose, PosingOptions options)
      : posing_(unwrap(Posing::make(figure, pose, std::move(options)))) {}

  // Refused while a frame is solved on another thread.
  Posing& editable() {
    if (users_ > 0) fail("posing", "a call while a frame is solved", "one call at a time");
    return posing_;
  }
  const Grip& found(GripId id) {
    for (const Grip& grip : editable().grips())
      if (grip.id == id) return grip;
    fail("grip", "one that was released", "a grip that holds");
  }
  PosingReportObject frame() {
    Posing& posing = editable();
    const InUse in_use(users_);
    const PosingReport* report = nullptr;
    {
      const nb::gil_scoped_release release;
      report = &posing.frame();
    }
    PosingReportObject result{report->settled, report->met, report->iterations, {}};
    for (const GripReport& grip : report->grips) {
      GripReportObject one{grip.metres, grip.radians, grip.met, grip.at, {}};
      for (const HoldingLimit& limit : grip.held_back_by) one.held_back_by.emplace_back(limit.name);
      result.grips.push_back(std::move(one));
    }
    return result;
  }

 private:
  Posing posing_;
  int users_ = 0;
};

PosingObject& of(const GripObject& grip) { return nb::cast<PosingObject&>(grip.posing); }

std::vector<PinnedPlace> pins_of(const nb::object& pins) {
  std::vector<PinnedPlace> all;
  for (const nb::handle pin : pins) {
    std::string place;
    if (nb::try_cast(pin, place))
      all.push_back({.place = place});
    else if (nb::isinstance<PinnedPlace>(pin))
      all.push_back(nb::cast<const PinnedPlace&>(pin));
    else
      fail("pins", repr_of(pin), "the name of a place, or limber.Pin");
  }
  return all;
}

void bind_grips(nb::module_& m) {
  nb::class_<PinnedPlace>(m, "Pin", "A place that stays where it is in the pose.")
      .def(
          "__init__",
          [](PinnedPlace* p, const std::string& place, bool turns, bool lifts) {
            new (p) PinnedPlace{.place = place, .turns = turns, .lifts = lifts};
          },
          "place"_a, "turns"_a = false, "lifts"_a = false,
          "`turns`: its orientation is free; `lifts`: the heel of a flat foot may rise where the pull needs it.")
      .def_ro("place", &PinnedPlace::place, "A site, segment or joint.")
      .def_ro("turns", &PinnedPlace::turns, "Whether its orientation is free.")
      .def_ro("lifts", &PinnedPlace::lifts, "Whether its heel may rise.");

  nb::class_<GripReportObject>(m, "GripReport", "What became of a grip.")
      .def_ro("metres", &GripReportObject::metres, "Error of the position.")
      .def_ro("radians", &GripReportObject::radians, "Error of the orientation.")
      .def_ro("met", &GripReportObject::met, "Whether the part is where it is asked.")
      .def_prop_ro(
          "at", [](const GripReportObject& g) { return new_array(g.at); }, "Where the part is in the answer.")
      .def_prop_ro(
          "held_back_by", [](const GripReportObject& g) { return tuple_of(g.held_back_by); },
          "The limits that block it, the strongest first.");
  nb::class_<PosingReportObject>(m, "PosingReport", "What became of a frame.")
      .def_ro("settled", &PosingReportObject::settled, "Nothing moves until a goal does.")
      .def_ro("met", &PosingReportObject::met, "Of grips, pins, balance and clearance.")
      .def_ro("iterations", &PosingReportObject::iterations, "Of this frame.")
      .def_prop_ro("grips", [](const PosingReportObject& r) { return tuple_of(r.grips); }, "One per grip.");

  nb::class_<Step>(m, "Step", "A foot that would have to stand elsewhere.")
      .def_ro("foot", &Step::foot, "The pinned place.")
      .def_prop_ro(
          "by", [](const Step& s) { return new_array(s.by); }, "How far, along the ground.")
      .def_ro("metres", &Step::metres, "By which the grips would still miss their goals, at most.");

  nb::class_<GripObject>(m, "Grip", "A part of the figure that is held, as Posing.grab() gives it.")
      .def(
          "move",
          [](const GripObject& g, const ArrayLike& p) {
            const Vec3 to = to_vec3(p, "p");
            if (!to.allFinite()) fail("p", "a number that is not finite", "finite numbers");
            of(g).found(g.id);
            of(g).editable().move(g.id, to);
          },
          "p"_a, "A new goal for its point, in the world.")
      .def(
          "turn",
          [](const GripObject& g, const ArrayLike& rotation) {
            const Mat3 R = to_rotation(rotation, "rotation");
            of(g).found(g.id);
            of(g).editable().turn(g.id, R);
          },
          "rotation"_a, "A new goal for its orientation, 3 x 3.")
      .def(
          "set",
          [](const GripObject& g, double value) {
            if (!std::isfinite(value)) fail("value", "a number that is not finite", "a finite number");
            of(g).found(g.id);
            of(g).editable().set(g.id, value);
          },
          "value"_a, "A new value for a parameter.")
      .def_prop_ro(
          "at", [](const GripObject& g) { return new_array(of(g).found(g.id).p); }, "The goal of its point.")
      .def(
          "release",
          [](const GripObject& g) {
            of(g).found(g.id);
            of(g).editable().release(g.id);
          },
          "Lets go; changes nothing that is shown.");
}

}  // namespace

void bind_posing(nb::module_& m) {
  bind_grips(m);
  nb::class_<PosingObject>(m, "Posing",
                           "A figure whose parts are pulled, and the rest of the body follows.\n\n"
                           ">>> figure = limber.human()\n"
                           ">>> posing = limber.Posing(figure, pins=['left_foot', 'right_foot'])\n"
                           ">>> hand = posing.grab(figure.point('right_palm'))\n"
                           ">>> hand.move([-0.3, 1.2, 0.45])\n"
                           ">>> while not posing.frame().settled:\n"
                           "...     pass\n"
                           ">>> posing.pose.point('right_palm').round(3).tolist()\n"
                           "[-0.3, 1.2, 0.45]")
      .def(
          "__init__",
          [](PosingObject* self, const Figure& figure, const std::optional<PoseLike>& pose, const nb::object& pins,
             const std::vector<std::string>& locks, const std::vector<std::string>& feet, double balance_margin,
             const std::optional<ArrayLike>& stiffness, bool natural, bool looks, bool eases) {
            PosingOptions options{.pins = pins_of(pins),
                                  .locks = locks,
                                  .feet = feet,
                                  .balance_margin = balance_margin,
                                  .natural = natural,
                                  .looks = looks,
                                  .eases = eases};
            if (stiffness)
              options.stiffness =
                  to_vector(*stiffness, "stiffness", static_cast<Eigen::Index>(figure.parameters().size()));
            new (self) PosingObject(figure, to_pose(figure, pose), std::move(options));
          },
          "figure"_a, "pose"_a = nb::none(), nb::kw_only(), "pins"_a = nb::tuple(),
          "locks"_a = std::vector<std::string>(), "feet"_a = std::vector<std::string>(), "balance_margin"_a = 0.02,
          "stiffness"_a = nb::none(), "natural"_a = true, "looks"_a = false, "eases"_a = true,
          nb::sig(
              "def __init__(self, figure: Figure, pose: Pose | numpy.typing.ArrayLike | "
              "collections.abc.Mapping[str, float] | None = None, *, pins: collections.abc.Iterable[str | Pin] = "
              "(), locks: collections.abc.Sequence[str] = [], feet: collections.abc.Sequence[str] = [], "
              "balance_margin: float = 0.02, stiffness: numpy.typing.ArrayLike | None = None, natural: bool = True, "
              "looks: bool = False, eases: bool = True) -> None"),
          "`pins` stay where they are, `locks` are parameters that do not move, `feet` carry the figure in balance; "
          "`natural`: the rest of the body follows as people's do, where the figure's parts are known, and else "
          "changes as little as it can; `looks`: the eyes follow the hand that is pulled; `eases`: jumps of the answer "
          "are shown over several frames.")
      .def(
          "grab",
          [](nb::handle_t<PosingObject> self, const Handle& handle, std::string_view chain, bool moves, bool turns,
             bool by_sight, const std::string& chain_from) {
            Posing& posing = nb::cast<PosingObject&>(self).editable();
            const GripId id = unwrap(posing.grab(handle, {.chain = to_enum(chains, chain, "chain"),
                                                          .moves = moves,
                                                          .turns = turns,
                                                          .by_sight = by_sight,
                                                          .from = chain_from}));
            return GripObject{nb::borrow(self), id};
          },
          "handle"_a, nb::kw_only(), "chain"_a = "body", "moves"_a = true, "turns"_a = false, "by_sight"_a = false,
          "chain_from"_a = "",
          "Takes hold of a part where it is shown. `chain`: 'body', 'limb' or 'part' moves for it; `moves` and "
          "`turns`: whether it asks for a position, an orientation.")
      .def(
          "grab_parameter",
          [](nb::handle_t<PosingObject> self, std::string_view name) {
            Posing& posing = nb::cast<PosingObject&>(self).editable();
            const int parameter = unwrap(posing.figure().find_parameter(name));
            return GripObject{nb::borrow(self), unwrap(posing.grab_parameter(parameter))};
          },
          "parameter"_a, "Takes hold of a parameter, to set it.")
      .def("frame", &PosingObject::frame, "Solves for the current goals.")
      .def(
          "ask", [](PosingObject& p) { p.editable().ask(); }, "The next frame solves even if no goal has moved.")
      .def(
          "suggest_step", [](PosingObject& p) { return p.editable().suggest_step(); },
          "After a frame in which a grip missed its goal: a step of a foot that brings it at least half of the way "
          "nearer, or None.")
      .def_prop_ro(
          "figure", [](PosingObject& p) { return p.editable().figure(); }, "Who is posed.")
      .def_prop_ro(
          "pose", [](PosingObject& p) { return PoseObject{p.editable().figure(), p.editable().pose()}; },
          "What is shown.")
      .def_prop_ro(
          "answer", [](PosingObject& p) { return PoseObject{p.editable().figure(), p.editable().answer()}; },
          "What it tends to.");
}

}  // namespace limber::python
