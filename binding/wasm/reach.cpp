#include <cstring>
#include <limits>

#include "binding/wasm/exchange.h"
#include "limber/figure/human.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

constexpr int finished = 2;
constexpr double coarsest = 1e3;  // metres

struct Asked {
  std::string handle;
  ReachOptions options;
  bool orientation = false;
};

Expected<Asked> asked_of(std::string_view text) {
  JsonDocument document(text, "asked");
  const JsonValue root = document.root();
  Asked asked;
  ReachOptions& options = asked.options;
  if (root.object({"handle", "from", "resolution", "tolerance", "orientation", "least", "most"})) {
    asked.handle = root["handle"].text();
    options.from = root["from"].text_or("");
    options.resolution = root["resolution"].number_or(options.resolution);
    options.tolerance = root["tolerance"].number_or(options.tolerance);
    asked.orientation = root["orientation"] && root["orientation"].boolean();
    if (root["least"] || root["most"]) options.region = ReachBox{root["least"].vector(), root["most"].vector()};
    if (options.resolution > coarsest) root["resolution"].fail(root["resolution"].described(), "metres, at most 1000");
  }
  if (document.error()) return std::unexpected(*document.error());
  options.threads = 1;
  return asked;
}

// What the map says so far, as a surface; before the first wave there is none.
const ReachMap* map_of(const Reaching& reaching) {
  if (reaching.map) return &*reaching.map;
  rejected({"reach", "no map yet", "limber_reach_go before"});
  return nullptr;
}

// The measure that stands for each number of the interface.
Expected<PoseMeasure> measure_of(const Figure& figure, const ReachMap& map, int measure) {
  if (measure == 0) return from_limits(figure, map.variables);
  if (measure != 1) return reject("measure", std::to_string(measure), "0 limits or 1 comfort");
  Expected<JointComfort> comfort = JointComfort::make(figure);
  if (!comfort) return std::unexpected(comfort.error());
  return from_comfort(*std::move(comfort), map.variables);
}

// The surface; the value at a vertex is the index of its witness in a list, so that each pose is computed once.
struct Witnessed {
  ReachSurface surface;
  std::vector<Pose> poses;
};

Witnessed witnessed(const ReachMap& map) {
  Witnessed out;
  out.surface = surface_of(map, [&](const Pose& pose) {
    out.poses.push_back(pose);
    return static_cast<double>(out.poses.size() - 1);
  });
  return out;
}

// Numbers one after the other, as this machine has them.
class FlatNumbers {
 public:
  template <class T>
  void put(T number) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &number, sizeof(T));
  }
  void put(const Vec3& v) {
    for (const double value : v) put(static_cast<float>(value));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void put_surface(FlatNumbers& out, const Witnessed& found, const ReachMap& map, const PoseMeasure& limits,
                 const PoseMeasure& comfort) {
  const ReachSurface& surface = found.surface;
  for (const std::size_t count :
       {surface.positions.size(), surface.triangles.size(), found.poses.size(), map.variables.size()})
    out.put(static_cast<std::int32_t>(count));
  for (const Pose& pose : found.poses)
    for (const int j : map.variables) out.put(pose.theta[j]);
  for (const int j : map.variables) out.put(static_cast<std::int32_t>(j));
  std::vector<std::array<double, 2>> measured;
  for (const Pose& pose : found.poses) measured.push_back({limits(pose), comfort(pose)});
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    out.put(surface.positions[v]);
    out.put(surface.normals[v]);
    for (const double value : measured[static_cast<std::size_t>(surface.values[v])]) out.put(static_cast<float>(value));
  }
  for (const double witness : surface.values) out.put(static_cast<std::int32_t>(witness));
  for (const std::array<int, 3>& triangle : surface.triangles)
    for (const int vertex : triangle) out.put(static_cast<std::int32_t>(vertex));
}

Sex sex_of(int female) { return female != 0 ? Sex::female : Sex::male; }

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_reach_new(int number, const char* scene_text, int scene_size, const char* asked_text, int asked_size,
                     const double* theta) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  const Expected<Scene> scene = scene_of(*figure, text_at(scene_text, scene_size));
  if (!scene) return rejected(scene.error());
  Expected<Problem> problem = problem_of(*scene);
  if (!problem) return rejected(problem.error());
  Expected<Asked> asked = asked_of(text_at(asked_text, asked_size));
  if (!asked) return rejected(asked.error());
  Expected<Handle> handle = figure->frame(asked->handle);
  if (!handle) return rejected(handle.error());
  auto reaching = std::make_unique<Reaching>(reach_subject(std::move(*problem), handle->plus[0]),
                                             Pose{wasm::pose_at(*figure, theta)}, std::move(*handle), asked->options);
  reaching->options.looking = reaching->subject.looking;
  if (asked->orientation) {
    Vec3 x[max_elements];
    evaluate(*figure, forward(*figure, reaching->pose), reaching->handle, x);
    reaching->options.orientation = rotation_from_xy(x[1], x[2]);
  }
  return keep(std::move(reaching));
}

int limber_reach_go(int number, int waves) {
  Reaching* reaching = find<Reaching>(number);
  if (!reaching) return 0;
  if (reaching->map && reaching->map->finished) return finished;
  auto& [subject, pose, handle, options, map, progress] = *reaching;
  const std::size_t before = progress.solves;
  int gone = 0;
  options.after_wave = [&](const ReachProgress& now) {
    progress = now;
    progress.solves += before;
    return ++gone < waves;
  };
  if (map) {
    if (const Expected<void> done = resume(subject.problem, pose, handle, options, *map); !done)
      return rejected(done.error());
  } else {
    Expected<ReachMap> begun = reach(subject.problem, pose, handle, options);
    if (!begun) return rejected(begun.error());
    map = std::move(*begun);
  }
  return map->finished ? finished : 1;
}

int limber_reach_progress(int number, double* numbers) {
  const Reaching* reaching = find<Reaching>(number);
  if (!reaching) return 0;
  numbers[0] = static_cast<double>(reaching->progress.cells);
  numbers[1] = static_cast<double>(reaching->progress.open);
  numbers[2] = static_cast<double>(reaching->progress.solves);
  return 1;
}

int limber_reach_summary(int number) {
  const Reaching* reaching = find<Reaching>(number);
  const ReachMap* map = reaching ? map_of(*reaching) : nullptr;
  if (!map) return 0;
  const Figure& figure = reaching->subject.problem.figure();
  const Vec3 from = reach_origin(figure, reaching->pose, reaching->options.from, reaching->handle.plus[0]);
  const ReachSummary summary = summary_of(*map, witnessed(*map).surface, from);
  JsonWriter out;
  out.begin_object();
  write_reach_summary(out, reaching->subject.problem.figure(), *map, summary, from);
  out.key("left_out").begin_array();
  for (const std::string& name : reaching->subject.left_out) out.value(name);
  out.end().end();
  return set_text(out.take());
}

int limber_reach_surface(int number) {
  const Reaching* reaching = find<Reaching>(number);
  const ReachMap* map = reaching ? map_of(*reaching) : nullptr;
  if (!map) return 0;
  const Figure& figure = reaching->subject.problem.figure();
  const Expected<PoseMeasure> limits = measure_of(figure, *map, 0), comfort = measure_of(figure, *map, 1);
  if (!limits) return rejected(limits.error());
  if (!comfort) return rejected(comfort.error());
  FlatNumbers out;
  put_surface(out, witnessed(*map), *map, *limits, *comfort);
  return set_text(out.take());
}

int limber_reach_write(int number, int measure, const char* name_text, int size) {
  const Reaching* reaching = find<Reaching>(number);
  const ReachMap* map = reaching ? map_of(*reaching) : nullptr;
  if (!map) return 0;
  const Expected<PoseMeasure> asked = measure_of(reaching->subject.problem.figure(), *map, measure);
  if (!asked) return rejected(asked.error());
  const std::string name(text_at(name_text, size));
  if (name.ends_with(".ply")) return set_text(write_reach_ply(surface_of(*map, *asked)));
  if (!name.ends_with(".glb")) return rejected({"name", "'" + name + "'", "a file that ends in .glb or .ply"});
  Expected<std::string> bytes = write_reach_glb(surface_of(*map, *asked), "Reach of " + reaching->handle.name);
  return bytes ? set_text(std::move(*bytes)) : rejected(bytes.error());
}

double limber_stature(int female, double percentile) { return stature_at(sex_of(female), percentile); }
double limber_stature_percentile(int female, double stature) { return stature_percentile(sex_of(female), stature); }
double limber_stature_usual(int female) { return usual_stature(sex_of(female)); }
