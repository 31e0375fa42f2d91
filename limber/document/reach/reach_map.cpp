// A complete reach map as bytes: a map that was read back continues exactly like the original.
#include <algorithm>
#include <bit>
#include <cmath>

#include "limber/document/files.h"

namespace limber {

namespace {

constexpr std::string_view magic = "limber reach 1\n";

class Packer {
 public:
  void integer(std::int64_t value) {
    for (int k = 0; k < 8; ++k) bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * k & 0xFF);
  }
  void small(std::int32_t value) {
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(static_cast<std::uint32_t>(value) >> 8 * k & 0xFF);
  }
  void number(double value) { integer(std::bit_cast<std::int64_t>(value)); }

  std::string bytes = std::string(magic);
};

// Returns zeros after the end of the bytes, and records that.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  std::int64_t integer() { return std::bit_cast<std::int64_t>(take(8)); }
  std::int32_t small() { return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(take(4))); }
  double number() { return std::bit_cast<double>(take(8)); }
  // The number of following items of that size; too many for the remaining bytes counts as the end.
  std::size_t count(std::size_t bytes_each) {
    const std::int64_t n = integer();
    if (n < 0 || static_cast<std::uint64_t>(n) > left_.size() / bytes_each) is_short_ = true;
    return is_short_ ? 0 : static_cast<std::size_t>(n);
  }
  bool is_short() const { return is_short_; }
  bool is_at_end() const { return left_.empty(); }

 private:
  std::uint64_t take(std::size_t width) {
    if (left_.size() < width) {
      is_short_ = true;
      left_ = {};
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t k = width; k-- > 0;) value = value << 8 | static_cast<unsigned char>(left_[k]);
    left_.remove_prefix(width);
    return value;
  }

  std::string_view left_;
  bool is_short_ = false;
};

enum Flag { is_proved = 1, are_others_met = 2, is_touched = 4 };

// at, level, first_child, state and flags, pose, solves, tried: ten; left, handle: four; limits and shares.
constexpr std::size_t cell_bytes = 10 * 4 + 4 * 8 + max_held_back * 8;

void pack(const ReachCell& cell, Packer& out) {
  for (const std::int32_t index : cell.at) out.small(index);
  out.small(cell.level);
  out.small(cell.first_child);
  out.small(static_cast<std::int32_t>(cell.state));
  out.small((cell.proved ? is_proved : 0) | (cell.others_met ? are_others_met : 0) | (cell.touched ? is_touched : 0));
  out.small(cell.pose);
  out.small(static_cast<std::int32_t>(cell.solves));
  out.small(static_cast<std::int32_t>(cell.tried));
  out.number(cell.distance);
  for (int k = 0; k < 3; ++k) out.number(cell.handle[k]);
  for (const HeldBack& held : cell.held_back_by) {
    out.small(held.limit);
    out.small(std::bit_cast<std::int32_t>(held.share));
  }
}

ReachCell unpack(Unpacker& in) {
  ReachCell cell;
  for (std::int32_t& index : cell.at) index = in.small();
  cell.level = in.small();
  cell.first_child = in.small();
  cell.state = static_cast<Reach>(std::clamp(in.small(), 0, 255));
  const std::int32_t flags = in.small();
  cell.proved = (flags & is_proved) != 0;
  cell.others_met = (flags & are_others_met) != 0;
  cell.touched = (flags & is_touched) != 0;
  cell.pose = in.small();
  cell.solves = static_cast<std::uint32_t>(in.small());
  cell.tried = static_cast<std::uint32_t>(in.small());
  cell.distance = in.number();
  for (int k = 0; k < 3; ++k) cell.handle[k] = in.number();
  for (HeldBack& held : cell.held_back_by) {
    held.limit = in.small();
    held.share = std::bit_cast<float>(in.small());
  }
  return cell;
}

// The max index in a map: larger ones could overflow when shifted to the finest level.
constexpr std::int32_t max_index = 1 << 20;
constexpr int max_levels = 10;

// The error in the numbers common to all cells, or null.
const char* fault_of_head(const ReachMap& map) {
  if (!(map.resolution > 0.0) || !std::isfinite(map.resolution)) return "a resolution that is not above 0";
  if (!(map.tolerance > 0.0) || !std::isfinite(map.tolerance)) return "a tolerance that is not above 0";
  if (map.levels < 0 || map.levels > max_levels) return "an invalid number of levels";
  std::size_t coarse = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (map.first[k] < -max_index || map.first[k] > max_index || map.count[k] < 1 || map.count[k] > max_index)
      return "an index out of range";
    coarse *= static_cast<std::size_t>(map.count[k]);
    if (coarse > map.cells.size()) return "fewer cells than its size requires";
  }
  if (!map.base.allFinite()) return "a pose that is not finite";
  for (const int j : map.variables)
    if (j < 0 || j >= map.base.size()) return "an invalid parameter";
  for (const double value : map.poses)
    if (!std::isfinite(value)) return "a pose that is not finite";
  return nullptr;
}

// The error in a single cell, or null.
const char* fault_of_cell(const ReachMap& map, const ReachCell& cell) {
  if (cell.state > Reach::not_reached) return "an invalid state";
  const std::size_t n = map.variables.size();
  if (cell.pose < -1 || (cell.pose >= 0 && n > 0 && static_cast<std::size_t>(cell.pose) >= map.poses.size() / n))
    return "an invalid index of a pose";
  if (cell.state == Reach::reached && cell.pose < 0) return "a reached cell without a pose";
  if (!(cell.distance >= 0.0) || !cell.handle.allFinite()) return "an invalid distance";
  for (const HeldBack& held : cell.held_back_by)
    if (held.limit < -1 || !(held.share >= 0.0F && held.share <= 1.0F)) return "an invalid limit";
  return nullptr;
}

// The error in the tree, or null: the coarsest cells in order, then children of earlier cells, eight in a row, each
// once.
const char* fault_of_tree(const ReachMap& map) {
  struct Place {
    CellIndex at = {};
    std::int32_t level = -1;  // not a child
  };
  std::vector<Place> places(map.cells.size());
  std::size_t coarse = 0;
  for (int z = 0; z < map.count[2]; ++z)
    for (int y = 0; y < map.count[1]; ++y)
      for (int x = 0; x < map.count[0]; ++x)
        places[coarse++] = {{map.first[0] + x, map.first[1] + y, map.first[2] + z}, map.levels};
  for (std::size_t id = 0; id < map.cells.size(); ++id) {
    const ReachCell& cell = map.cells[id];
    if (places[id].level < 0 || cell.at != places[id].at || cell.level != places[id].level) return "a misplaced cell";
    if (cell.is_leaf()) continue;
    const auto first = static_cast<std::size_t>(cell.first_child);
    if (cell.level == 0 || first <= id || first < coarse || first > map.cells.size() || map.cells.size() - first < 8)
      return "misplaced children";
    for (std::size_t child = 0; child < 8; ++child) {
      if (places[first + child].level >= 0) return "a cell with two parents";
      places[first + child].level = cell.level - 1;
      for (std::size_t k = 0; k < 3; ++k)
        places[first + child].at[k] = 2 * cell.at[k] + static_cast<std::int32_t>(child >> k & 1);
    }
  }
  return nullptr;
}

// The error in a map, or null. After this check all its numbers can be trusted.
const char* error_in(const ReachMap& map) {
  if (const char* error = fault_of_head(map)) return error;
  for (const ReachCell& cell : map.cells)
    if (const char* error = fault_of_cell(map, cell)) return error;
  return fault_of_tree(map);
}

}  // namespace

std::string write_reach_map(const ReachMap& map) {
  Packer out;
  out.number(map.resolution);
  out.number(map.tolerance);
  out.small(map.levels);
  for (const std::int32_t index : map.first) out.small(index);
  for (const std::int32_t count : map.count) out.small(count);
  out.small(map.finished ? 1 : 0);
  out.integer(map.base.size());
  for (const double value : map.base) out.number(value);
  out.integer(static_cast<std::int64_t>(map.variables.size()));
  for (const int j : map.variables) out.small(j);
  out.integer(static_cast<std::int64_t>(map.poses.size()));
  for (const double value : map.poses) out.number(value);
  out.integer(static_cast<std::int64_t>(map.cells.size()));
  for (const ReachCell& cell : map.cells) pack(cell, out);
  return std::move(out.bytes);
}

Expected<ReachMap> read_reach_map(std::string_view bytes, const std::string& file_name) {
  if (!bytes.starts_with(magic)) return reject(file_name, "another kind of file", "a reach map, \"limber reach 1\"");
  Unpacker in(bytes.substr(magic.size()));
  ReachMap map;
  map.resolution = in.number();
  map.tolerance = in.number();
  map.levels = in.small();
  for (std::int32_t& index : map.first) index = in.small();
  for (std::int32_t& count : map.count) count = in.small();
  map.finished = in.small() != 0;
  map.base.resize(static_cast<Eigen::Index>(in.count(8)));
  for (double& value : map.base) value = in.number();
  map.variables.resize(in.count(4));
  for (int& j : map.variables) j = in.small();
  map.poses.resize(in.count(8));
  for (double& value : map.poses) value = in.number();
  map.cells.resize(in.count(cell_bytes));
  for (ReachCell& cell : map.cells) cell = unpack(in);
  if (in.is_short() || !in.is_at_end())
    return reject(file_name, in.is_short() ? "an early end of the file" : "excess bytes", "a complete reach map");
  if (const char* error = error_in(map)) return reject(file_name, error, "a reach map written by limber");
  return map;
}

}  // namespace limber
