#include "bench/task/takes.h"

#include <cstdint>
#include <optional>

#include "limber/format/text/text.h"

namespace limber::bench {

namespace {

constexpr double frame_time = 1.0 / 30.0;
constexpr double metres_per_unit = 1e-4, degrees_per_unit = 1e-2;
constexpr long max_frames = 100'000;

// The next difference, or nothing where the bytes end.
std::optional<std::int64_t> difference(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7Fu) << shift;
    if (byte & 0x80u) continue;
    const auto half = static_cast<std::int64_t>(value >> 1);
    return value & 1u ? -half - 1 : half;
  }
  return std::nullopt;
}

struct Column {
  int parameter = 0;
  double unit = 0.0;
};

}  // namespace

Expected<std::vector<Clip>> takes_from_text(std::string_view text, const Figure& figure) {
  TextReader reader(text, "takes");
  if (const Word kind = reader.rest_of_line(); kind.text != "limber takes 1")
    return reader.reject(kind, reader.described(kind), "limber takes 1");
  std::vector<Column> columns;
  for (Word name = reader.next_on_line(); !name.empty(); name = reader.next_on_line()) {
    const Expected<int> parameter = figure.find_parameter(name.text);
    if (!parameter) return std::unexpected(parameter.error());
    columns.push_back(
        {*parameter, figure.parameters()[*parameter].translates ? metres_per_unit : radians(degrees_per_unit)});
  }
  reader.skip_line();
  std::vector<Clip> takes;
  for (Word name = reader.next_on_line(); !name.empty(); name = reader.next_on_line()) {
    const Expected<long> frames = reader.integer("frames", 1, max_frames);
    if (!frames) return std::unexpected(frames.error());
    reader.skip_line();
    takes.push_back({std::string(name.text), frame_time, figure.rest().theta.replicate(1, *frames)});
  }
  reader.skip_line();
  if (takes.empty()) return reader.reject(reader.offset(), "no take", "at least one");
  std::size_t at = reader.offset();
  for (Clip& take : takes) {
    std::vector<std::int64_t> value(columns.size(), 0);
    for (int frame = 0; frame < take.frames(); ++frame)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::optional<std::int64_t> change = difference(text, at);
        if (!change) return reader.reject(text.size(), "the end of the file", "frame " + std::to_string(frame + 1));
        value[c] += *change;
        take.poses(columns[c].parameter, frame) = columns[c].unit * static_cast<double>(value[c]);
      }
  }
  if (at != text.size()) return reader.reject(at, "more bytes", "the end of the file");
  return takes;
}

}  // namespace limber::bench
