#include "binding/wasm/exchange.h"
#include "limber/document/report/report_json.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

int keep_clip(const Figure& figure, Clip clip) { return keep(std::make_unique<Motion>(figure, std::move(clip))); }

void write_report(JsonWriter& out, const MotionReport& report) {
  write_members(out, report);
  out.key("demands").begin_array();
  for (const DemandReport& demand : report.demands) {
    out.begin_object(JsonWriter::Layout::row);
    write_members(out, demand);
    out.end();
  }
  out.end();
}

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_clip_new(int number, int frames, double frame_time, const double* poses) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  if (frames < 1 || !(frame_time > 0.0))
    return rejected(
        {"clip", std::to_string(frames) + " frames", "one or more, and a time above 0 from one to the next"});
  Clip clip{.frame_time = frame_time};
  clip.poses = Eigen::Map<const MatX>(poses, size_of(figure->parameters()), frames);
  if (!clip.poses.allFinite()) return rejected({"clip", "numbers that are not finite", "poses"});
  return keep_clip(*figure, std::move(clip));
}

int limber_clip_frames(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.frames() : 0;
}

double limber_clip_frame_time(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.frame_time : 0.0;
}

int limber_clip_figure(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? keep(motion->figure) : 0;
}

const double* limber_clip_poses(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? motion->clip.poses.data() : nullptr;
}

int limber_clip_placed_as(int number, int to) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  const Figure* figure = figure_at(to);
  if (!motion || !figure) return 0;
  if (!are_same_body(motion->figure, *figure))
    return rejected(
        {"figure '" + figure->name() + "'", "other segments or no free root", "that of the clip, hung from a segment"});
  return keep_clip(*figure, placed_as(motion->figure, motion->clip, *figure));
}

int limber_clip_clean(int number) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  if (!motion) return 0;
  Expected<Cleaned> cleaned = clean_feet(motion->figure, motion->clip);
  if (!cleaned) return rejected(cleaned.error());
  JsonWriter out;
  out.begin_object();
  write_report(out, cleaned->report);
  out.key("contacts").integer(size_of(cleaned->contacts)).end();
  set_text(out.take());
  return keep_clip(motion->figure, std::move(cleaned->clip));
}

int limber_clip_retarget(int number, int to) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  const Figure* figure = figure_at(to);
  if (!motion || !figure) return 0;
  Expected<Retargeted> carried = retarget(motion->figure, motion->clip, *figure);
  if (!carried) return rejected(carried.error());
  JsonWriter out;
  out.begin_object().member("scale", carried->scale).member("bones_off_degrees", carried->mean_deviation_deg);
  write_report(out, carried->report);
  out.end();
  set_text(out.take());
  return keep_clip(*figure, std::move(carried->clip));
}
