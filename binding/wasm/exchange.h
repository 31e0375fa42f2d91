// Objects by number, texts and rejections: what the functions of interface.h share. Private to binding/wasm/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "binding/wasm/interface.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"
#include "limber/limber.h"
#include "limber/posing/posing.h"
#include "limber/reach/reach.h"

namespace limber::wasm {

// A scene that is solved repeatedly.
struct PosedScene {
  Scene scene;
  Problem problem;
  std::unique_ptr<Solver> solver;
  const Report* report = nullptr;
  std::vector<ConstraintId> reported;  // those of the scene, and added ones
  std::optional<ConstraintId> stiff;   // where something is stiff: towards the pose where a solve begins
};

// A scene whose constraints hold while its figure is pulled.
struct StatedScene {
  struct Row {
    enum class Kind { off, pin, balance, stated };
    Kind kind = Kind::stated;
    std::string name = {};                // of the pinned place
    std::optional<ConstraintId> id = {};  // in the problem, if it holds for the grips
  };

  // Adds pins, stiffness and the constraints to the options, which must not outlive it.
  StatedScene(Scene scene, const Pose& pose, int moves, PosingOptions& options);
  StatedScene(const StatedScene&) = delete;
  StatedScene& operator=(const StatedScene&) = delete;

  Expected<void> state_in(Problem& problem, std::span<const Grip> grips);
  // Pins of the segment's part hold where they are in the pose.
  void put_down(int segment, const Pose& pose);

  Scene scene;
  int moves = -1;         // the constraint whose goal changes
  std::vector<Row> rows;  // by constraint
  bool is_whole = true;   // whether a grip moves the whole body
};

// A figure whose parts are pulled.
struct PulledFigure {
  std::unique_ptr<StatedScene> stated;  // or none
  Posing posing;
  const PosingReport* report = nullptr;
};

// With markers: those of a recording, and which of them each place of the tracker follows.
struct Track {
  std::unique_ptr<Tracker> tracker;
  Options options;
  Markers markers;
  std::vector<int> rows;
  bool is_placed = false;  // the root is where the markers are
};

struct Keys {
  Sequence sequence;
  Sampler sampler;
  explicit Keys(Sequence s) : sequence(std::move(s)), sampler(sequence) {}
};

// A map of reach that is made wave by wave.
struct Reaching {
  ReachSubject subject;
  Pose pose;
  Handle handle;
  ReachOptions options;
  std::optional<ReachMap> map;  // none before the first wave
  ReachProgress progress;
};

// A clip knows its figure.
struct Motion {
  Figure figure;
  Clip clip;
};

using Object = std::variant<std::monostate, Figure, std::unique_ptr<PosedScene>, std::unique_ptr<PulledFigure>,
                            std::unique_ptr<Keys>, std::unique_ptr<Motion>, std::unique_ptr<Track>,
                            std::unique_ptr<Content>, std::unique_ptr<Reaching>>;

int keep(Object object);
Object& object(int number);

// The object of that number; null if it is none of that kind, which the text then states.
Figure* figure_at(int number);
template <class T>
T* find(int number);

// Sets the text that the caller reads; returns 1.
int set_text(std::string text);
// Sets the text to a diagnostic; returns 0.
int rejected(const Diagnostic& why);

inline std::string_view text_at(const char* bytes, int size) { return {bytes, static_cast<std::size_t>(size)}; }
inline Eigen::Map<const VecX> pose_at(const Figure& figure, const double* theta) {
  return {theta, static_cast<Eigen::Index>(figure.parameters().size())};
}
inline int size_of(const auto& list) { return static_cast<int>(list.size()); }

template <class T>
T* find(int number) {
  if (auto* found = std::get_if<std::unique_ptr<T>>(&object(number))) return found->get();
  rejected({"object " + std::to_string(number), "none of that kind", "a number that a call has given"});
  return nullptr;
}

// Whether the second figure may be the first one hung from another segment.
bool are_same_body(const Figure& from, const Figure& to);
int keep_clip(const Figure& figure, Clip clip);
void write_report(JsonWriter& out, const MotionReport& report);

// A scene of a text, with a given figure in place of its own.
Expected<Scene> scene_of(const Figure& figure, std::string_view text);

// A constraint of a scene, as it is shown.
bool counts_as_met(const ConstraintReport& one);

// The files that were given.
const std::string* given_file(std::string_view name);
FigureLoader figure_loader();
// As a figure that people pose: its places have common names, its sides mirror, its root is free where it is a body.
Expected<Figure> made_ready(const Figure& figure);

}  // namespace limber::wasm
