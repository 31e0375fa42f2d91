// Files of maps of reach: read back to the last bit, rejected where they are not whole, and of the form that others
// read.
#include <gtest/gtest.h>

#include <bit>

#include "limber/document/files.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_bytes.h"
#include "tests/reach/arms.h"
#include "tests/support/laws.h"

namespace limber {
namespace reach_file_test {

using testing::good;
using testing::map_of;
using testing::PlanarArm;
using testing::same;

double resolution() { return law::whole_or_quick(0.08, 0.25); }

ReachMap small_reach_map() { return map_of(PlanarArm{}.figure(), "tip", {.resolution = resolution()}); }

TEST(ReachFile, ComesBackToTheLastBit) {
  const ReachMap map = small_reach_map();
  const std::string bytes = write_reach_map(map);
  const ReachMap back = good(read_reach_map(bytes, "a.reach"));
  EXPECT_TRUE(same(map, back));
  EXPECT_EQ(write_reach_map(back), bytes);
  EXPECT_EQ(back.base, map.base);
  EXPECT_EQ(back.variables, map.variables);
}

TEST(ReachFile, GoesOnAfterAStop) {
  const Figure figure = PlanarArm{}.figure();
  const Problem problem(figure);
  ReachOptions options{.resolution = resolution()};
  options.after_wave = [](const ReachProgress& progress) { return progress.wave < 4; };
  const ReachMap begun = good(reach(problem, figure.rest(), figure.point("tip"), options));
  ASSERT_FALSE(begun.finished);
  ReachMap map = good(read_reach_map(write_reach_map(begun), "a.reach"));
  ASSERT_TRUE(resume(problem, figure.rest(), figure.point("tip"), {.resolution = resolution()}, map));
  EXPECT_TRUE(same(map, small_reach_map()));
}

// Whatever is read is rejected or whole: find() and pose() of every cell stay within the map.
TEST(ReachFile, RejectsWhatIsNotWhole) {
  constexpr std::uint64_t seed = 841;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::string bytes = write_reach_map(small_reach_map());
  EXPECT_FALSE(read_reach_map("", "a.reach"));
  EXPECT_FALSE(read_reach_map("limber reach 2\n", "a.reach"));
  EXPECT_FALSE(read_reach_map(bytes + "x", "a.reach"));
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 50)
    ASSERT_FALSE(read_reach_map(std::string_view(bytes).substr(0, length), "a.reach")) << length;
  Random random(seed);
  int accepted = 0;
  for (int trial = 0; trial < law::law_count(200); ++trial) {
    std::string other = bytes;
    for (int k = random.integer(1, 3); k > 0; --k) {
      const std::size_t last = random.chance(0.5) ? 200 : bytes.size() - 1;
      other[static_cast<std::size_t>(random.integer(15, static_cast<int>(last)))] =
          static_cast<char>(random.integer(0, 255));
    }
    const Expected<ReachMap> map = read_reach_map(other, "a.reach");
    if (!map) continue;
    ++accepted;
    for (const ReachCell& cell : map->cells) {
      if (cell.pose >= 0) {
        ASSERT_EQ(map->pose(cell).theta.size(), map->base.size());
      }
      for (const CellIndex& direction : neighbour_directions())
        ASSERT_LT(map->neighbour(cell, direction), static_cast<int>(map->cells.size()));
    }
    static_cast<void>(surface_of(*map, [](const Pose&) { return 0.0; }));
  }
  EXPECT_GT(accepted, 0) << "a changed distance is still a map";
}

TEST(ReachFile, AsGlbIsADocumentThatIsRead) {
  const Figure figure = PlanarArm{}.figure();
  const ReachMap map = small_reach_map();
  const ReachSurface surface = surface_of(map, from_limits(figure, map.variables));
  const std::string bytes = good(write_reach_glb(surface, "reach"));
  EXPECT_TRUE(good(read_gltf(bytes, "reach.glb")).figure.has_value());
  const Glb glb = good(split_glb(bytes, "reach.glb"));
  ASSERT_TRUE(glb.binary);
  EXPECT_GE(glb.binary->size(), 28 * surface.positions.size() + 12 * surface.triangles.size());
  // The first vertex, and the last corner of the last triangle.
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(std::bit_cast<float>(little_endian_32(glb.binary->data() + 4 * k)),
              static_cast<float>(surface.positions[0][k]));
  const std::size_t end = 28 * surface.positions.size() + 12 * surface.triangles.size();
  EXPECT_EQ(static_cast<int>(little_endian_32(glb.binary->data() + end - 4)), surface.triangles.back()[2]);
  EXPECT_TRUE(write_reach_glb({}, "nothing")) << "an empty surface is a scene without nodes";
}

TEST(ReachFile, AsPlyHasTheBytesThatItsHeaderSays) {
  const ReachMap map = small_reach_map();
  const ReachSurface surface = surface_of(map, [](const Pose&) { return 0.25; });
  const std::string ply = write_reach_ply(surface);
  const std::size_t head = ply.find("end_header\n") + 11;
  EXPECT_EQ(ply.size(), head + surface.positions.size() * 31 + surface.triangles.size() * 13);
  EXPECT_NE(ply.find("element vertex " + std::to_string(surface.positions.size()) + "\n"), std::string::npos);
  EXPECT_EQ(std::bit_cast<float>(little_endian_32(ply.data() + head + 27)), 0.25F);
}

TEST(ReachFile, AsVolumesHaveADepthForEveryCell) {
  const Figure figure = PlanarArm{}.figure();
  const ReachMap map = small_reach_map();
  const ReachGrid grid = grid_of(map);
  const std::vector<double> depth = margins(map, grid);
  const std::string nrrd = write_reach_nrrd(map);
  EXPECT_TRUE(nrrd.starts_with("NRRD0004\n"));
  const std::size_t head = nrrd.find("\n\n") + 2;
  ASSERT_EQ(nrrd.size(), head + 4 * grid.size());
  for (std::size_t k = 0; k < grid.size(); ++k)
    ASSERT_EQ(std::bit_cast<float>(little_endian_32(nrrd.data() + head + 4 * k)), static_cast<float>(depth[k]));
  const std::string vtk = write_reach_vtk(map, from_limits(figure, map.variables));
  const std::string first = "SCALARS margin float 1\nLOOKUP_TABLE default\n";
  const std::size_t at = vtk.find(first) + first.size();
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < 4; ++k) bits = bits << 8 | static_cast<unsigned char>(vtk[at + k]);
  EXPECT_EQ(std::bit_cast<float>(bits), static_cast<float>(depth[0]));
  EXPECT_NE(vtk.find("DIMENSIONS " + std::to_string(grid.count[0]) + " "), std::string::npos);
  EXPECT_NE(vtk.find("POINT_DATA " + std::to_string(grid.size()) + "\n"), std::string::npos);
}

}  // namespace reach_file_test
}  // namespace limber
